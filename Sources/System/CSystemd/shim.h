/* Sources/System/CSystemd: what Swift cannot import by itself, and nothing else.

   libsystemd brings libgcrypt, liblzma, liblz4 and libzstd along, and only a program on a desktop needs its sd-bus. So it is not linked
   but opened by the first `baton_sd_bus_new`, and its functions are called through the inlines below, under their own names with `baton_`
   in front. All of them are called on the loop's thread, and none before a bus was made. The variadic calls are not needed:
   `append_basic` and the containers do the same. */
#pragma once
#include <dlfcn.h>
#include <errno.h>
#include <systemd/sd-bus.h>

static inline void *baton_systemd_symbol(const char *name) {
    /* Once it is open this finds the same library and costs next to nothing. It is kept until the process ends. */
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, name) : 0;
}

/* A machine without the library has no bus to speak through either. */
static inline int baton_sd_bus_new(sd_bus **bus) {
    static int (*function)(sd_bus **);
    if (!function) function = (int (*)(sd_bus **))baton_systemd_symbol("sd_bus_new");
    return function ? function(bus) : -ENOSYS;
}

/* Each inline looks its function up once. */
#define BATON_SYSTEMD(result, name, parameters, arguments)                            \
    static inline result baton_##name parameters {                                    \
        static result(*function) parameters;                                          \
        if (!function) function = (result(*) parameters)baton_systemd_symbol(#name);  \
        return function arguments;                                                    \
    }

BATON_SYSTEMD(int, sd_bus_set_address, (sd_bus * bus, const char *address), (bus, address))
BATON_SYSTEMD(int, sd_bus_set_bus_client, (sd_bus * bus, int yes), (bus, yes))
BATON_SYSTEMD(int, sd_bus_negotiate_fds, (sd_bus * bus, int yes), (bus, yes))
BATON_SYSTEMD(int, sd_bus_start, (sd_bus * bus), (bus))
BATON_SYSTEMD(sd_bus *, sd_bus_close_unref, (sd_bus * bus), (bus))
BATON_SYSTEMD(int, sd_bus_get_fd, (sd_bus * bus), (bus))
BATON_SYSTEMD(int, sd_bus_get_events, (sd_bus * bus), (bus))
BATON_SYSTEMD(int, sd_bus_get_timeout, (sd_bus * bus, uint64_t *us), (bus, us))
BATON_SYSTEMD(int, sd_bus_process, (sd_bus * bus, sd_bus_message **message), (bus, message))
BATON_SYSTEMD(int, sd_bus_is_open, (sd_bus * bus), (bus))
BATON_SYSTEMD(int, sd_bus_is_ready, (sd_bus * bus), (bus))
BATON_SYSTEMD(int, sd_bus_get_n_queued_write, (sd_bus * bus, uint64_t *count), (bus, count))
BATON_SYSTEMD(int, sd_bus_add_filter, (sd_bus * bus, sd_bus_slot **slot, sd_bus_message_handler_t callback, void *context),
              (bus, slot, callback, context))
BATON_SYSTEMD(int, sd_bus_send, (sd_bus * bus, sd_bus_message *message, uint64_t *cookie), (bus, message, cookie))

BATON_SYSTEMD(int, sd_bus_message_new_method_call,
              (sd_bus * bus, sd_bus_message **message, const char *destination, const char *path, const char *interface, const char *member),
              (bus, message, destination, path, interface, member))
BATON_SYSTEMD(int, sd_bus_message_new_signal,
              (sd_bus * bus, sd_bus_message **message, const char *path, const char *interface, const char *member),
              (bus, message, path, interface, member))
BATON_SYSTEMD(int, sd_bus_message_new_method_return, (sd_bus_message * call, sd_bus_message **message), (call, message))
BATON_SYSTEMD(int, sd_bus_message_new_method_error, (sd_bus_message * call, sd_bus_message **message, const sd_bus_error *error),
              (call, message, error))
BATON_SYSTEMD(sd_bus_message *, sd_bus_message_ref, (sd_bus_message * message), (message))
BATON_SYSTEMD(sd_bus_message *, sd_bus_message_unref, (sd_bus_message * message), (message))
BATON_SYSTEMD(int, sd_bus_message_get_type, (sd_bus_message * message, uint8_t *type), (message, type))
BATON_SYSTEMD(int, sd_bus_message_get_reply_cookie, (sd_bus_message * message, uint64_t *cookie), (message, cookie))
BATON_SYSTEMD(int, sd_bus_message_get_expect_reply, (sd_bus_message * message), (message))
BATON_SYSTEMD(int, sd_bus_message_set_expect_reply, (sd_bus_message * message, int yes), (message, yes))
BATON_SYSTEMD(const char *, sd_bus_message_get_path, (sd_bus_message * message), (message))
BATON_SYSTEMD(const char *, sd_bus_message_get_interface, (sd_bus_message * message), (message))
BATON_SYSTEMD(const char *, sd_bus_message_get_member, (sd_bus_message * message), (message))
BATON_SYSTEMD(const char *, sd_bus_message_get_sender, (sd_bus_message * message), (message))
BATON_SYSTEMD(const char *, sd_bus_message_get_signature, (sd_bus_message * message, int complete), (message, complete))
BATON_SYSTEMD(int, sd_bus_message_append_basic, (sd_bus_message * message, char type, const void *value), (message, type, value))
BATON_SYSTEMD(int, sd_bus_message_open_container, (sd_bus_message * message, char type, const char *contents), (message, type, contents))
BATON_SYSTEMD(int, sd_bus_message_close_container, (sd_bus_message * message), (message))
BATON_SYSTEMD(int, sd_bus_message_read_basic, (sd_bus_message * message, char type, void *value), (message, type, value))
BATON_SYSTEMD(int, sd_bus_message_peek_type, (sd_bus_message * message, char *type, const char **contents), (message, type, contents))
BATON_SYSTEMD(int, sd_bus_message_enter_container, (sd_bus_message * message, char type, const char *contents), (message, type, contents))
BATON_SYSTEMD(int, sd_bus_message_exit_container, (sd_bus_message * message), (message))
BATON_SYSTEMD(int, sd_bus_message_at_end, (sd_bus_message * message, int complete), (message, complete))

#undef BATON_SYSTEMD
