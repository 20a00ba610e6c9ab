/* Sources/System/CAvahi: what Swift cannot import by itself, and nothing else.

   libavahi brings D-Bus, systemd and libgcrypt along, and a command that speaks to the hub of its own machine needs none of
   them: they took most of the time in which such a command starts. So it is not linked but opened by the first
   `baton_avahi_client_new`, and its functions are called through the inlines below, under their own names with `baton_` in
   front. All of them are called on the loop's thread, and none but `baton_avahi_strerror` before a client was made. Of the
   variadic calls the `_strlst` forms are taken. */
#pragma once
#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>
#include <avahi-common/address.h>
#include <avahi-common/alternative.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/strlst.h>
#include <avahi-common/watch.h>
#include <dlfcn.h>

static inline void *baton_avahi_symbol(const char *name) {
    /* Once it is open this finds the same library and costs next to nothing. It is kept until the process ends. */
    void *library = dlopen("libavahi-client.so.3", RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, name) : 0;
}

/* Each inline looks its function up once. */
#define BATON_AVAHI(result, name, parameters, arguments)                           \
    static inline result baton_##name parameters {                                \
        static result(*function) parameters;                                      \
        if (!function) function = (result(*) parameters)baton_avahi_symbol(#name); \
        return function arguments;                                                \
    }

BATON_AVAHI(void, avahi_client_free, (AvahiClient *client), (client))
BATON_AVAHI(AvahiClientState, avahi_client_get_state, (AvahiClient *client), (client))
BATON_AVAHI(int, avahi_client_errno, (AvahiClient *client), (client))
BATON_AVAHI(AvahiEntryGroup *, avahi_entry_group_new, (AvahiClient *client, AvahiEntryGroupCallback callback, void *context),
            (client, callback, context))
BATON_AVAHI(int, avahi_entry_group_free, (AvahiEntryGroup *group), (group))
BATON_AVAHI(int, avahi_entry_group_commit, (AvahiEntryGroup *group), (group))
BATON_AVAHI(int, avahi_entry_group_reset, (AvahiEntryGroup *group), (group))
BATON_AVAHI(int, avahi_entry_group_get_state, (AvahiEntryGroup *group), (group))
BATON_AVAHI(int, avahi_entry_group_add_service_strlst,
            (AvahiEntryGroup *group, AvahiIfIndex interface, AvahiProtocol protocol, AvahiPublishFlags flags, const char *name,
             const char *type, const char *domain, const char *host, uint16_t port, AvahiStringList *text),
            (group, interface, protocol, flags, name, type, domain, host, port, text))
BATON_AVAHI(int, avahi_entry_group_update_service_txt_strlst,
            (AvahiEntryGroup *group, AvahiIfIndex interface, AvahiProtocol protocol, AvahiPublishFlags flags, const char *name,
             const char *type, const char *domain, AvahiStringList *text),
            (group, interface, protocol, flags, name, type, domain, text))
BATON_AVAHI(int, avahi_entry_group_add_service_subtype,
            (AvahiEntryGroup *group, AvahiIfIndex interface, AvahiProtocol protocol, AvahiPublishFlags flags, const char *name,
             const char *type, const char *domain, const char *subtype),
            (group, interface, protocol, flags, name, type, domain, subtype))
BATON_AVAHI(AvahiServiceBrowser *, avahi_service_browser_new,
            (AvahiClient *client, AvahiIfIndex interface, AvahiProtocol protocol, const char *type, const char *domain,
             AvahiLookupFlags flags, AvahiServiceBrowserCallback callback, void *context),
            (client, interface, protocol, type, domain, flags, callback, context))
BATON_AVAHI(AvahiServiceResolver *, avahi_service_resolver_new,
            (AvahiClient *client, AvahiIfIndex interface, AvahiProtocol protocol, const char *name, const char *type,
             const char *domain, AvahiProtocol wanted, AvahiLookupFlags flags, AvahiServiceResolverCallback callback, void *context),
            (client, interface, protocol, name, type, domain, wanted, flags, callback, context))
BATON_AVAHI(int, avahi_service_resolver_free, (AvahiServiceResolver *resolver), (resolver))
BATON_AVAHI(char *, avahi_alternative_service_name, (const char *name), (name))
BATON_AVAHI(void, avahi_free, (void *memory), (memory))
BATON_AVAHI(char *, avahi_address_snprint, (char *text, size_t length, const AvahiAddress *address), (text, length, address))
BATON_AVAHI(AvahiStringList *, avahi_string_list_add, (AvahiStringList *list, const char *text), (list, text))
BATON_AVAHI(void, avahi_string_list_free, (AvahiStringList *list), (list))
BATON_AVAHI(AvahiStringList *, avahi_string_list_get_next, (AvahiStringList *list), (list))
BATON_AVAHI(uint8_t *, avahi_string_list_get_text, (AvahiStringList *list), (list))
BATON_AVAHI(size_t, avahi_string_list_get_size, (AvahiStringList *list), (list))

#undef BATON_AVAHI

/* A machine without the library has no daemon to speak to either. */
static inline AvahiClient *baton_avahi_client_new(const AvahiPoll *poll, AvahiClientFlags flags, AvahiClientCallback callback,
                                                  void *context, int *error) {
    typedef AvahiClient *(*Function)(const AvahiPoll *, AvahiClientFlags, AvahiClientCallback, void *, int *);
    static Function function;
    if (!function) function = (Function)baton_avahi_symbol("avahi_client_new");
    if (function) return function(poll, flags, callback, context, error);
    *error = AVAHI_ERR_NO_DAEMON;
    return 0;
}

static inline const char *baton_avahi_strerror(int error) {
    typedef const char *(*Function)(int);
    static Function function;
    if (!function) function = (Function)baton_avahi_symbol("avahi_strerror");
    return function ? function(error) : "libavahi-client is not installed";
}
