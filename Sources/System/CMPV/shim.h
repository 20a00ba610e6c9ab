/* Sources/System/CMPV: what Swift cannot import by itself, and nothing else.

   libmpv brings more than two hundred libraries along, and binding them costs a process 50 ms and
   40 MB before its first line runs. So it is not linked but opened when it is first needed, and its
   functions are called through the inlines below, under their own names with `baton_` in front.
   `baton_mpv_open` comes first, on a thread that may block; after it returned 0 all others may be
   called from anywhere, as libmpv documents for its own. */
#pragma once
#include <dlfcn.h>
#include <mpv/client.h>
#include <mpv/stream_cb.h>
#include <stddef.h>

/* 0, or -1. The library is kept until the process ends. */
static inline int baton_mpv_open(void) {
    return dlopen("libmpv.so.2", RTLD_NOW | RTLD_LOCAL) ? 0 : -1;
}

static inline void *baton_mpv_symbol(const char *name) {
    /* Already open, so this finds the same library and costs next to nothing. */
    return dlsym(dlopen("libmpv.so.2", RTLD_NOW | RTLD_LOCAL), name);
}

/* Each inline looks its function up once. Two threads that do so at the same time write the same
   value, so the race is harmless. */
#define BATON_MPV(result, name, parameters, arguments)                                  \
    static inline result baton_##name parameters {                                      \
        static result(*function) parameters;                                            \
        if (!function) function = (result(*) parameters)baton_mpv_symbol(#name);        \
        return function arguments;                                                      \
    }

BATON_MPV(mpv_handle *, mpv_create, (void), ())
BATON_MPV(int, mpv_initialize, (mpv_handle *mpv), (mpv))
BATON_MPV(void, mpv_terminate_destroy, (mpv_handle *mpv), (mpv))
BATON_MPV(const char *, mpv_error_string, (int error), (error))
BATON_MPV(int, mpv_set_option_string, (mpv_handle *mpv, const char *name, const char *value), (mpv, name, value))
BATON_MPV(int, mpv_command_node_async, (mpv_handle *mpv, uint64_t ticket, mpv_node *node), (mpv, ticket, node))
BATON_MPV(int, mpv_set_property_async, (mpv_handle *mpv, uint64_t ticket, const char *name, mpv_format format, void *data),
          (mpv, ticket, name, format, data))
BATON_MPV(int, mpv_get_property_async, (mpv_handle *mpv, uint64_t ticket, const char *name, mpv_format format),
          (mpv, ticket, name, format))
BATON_MPV(int, mpv_observe_property, (mpv_handle *mpv, uint64_t ticket, const char *name, mpv_format format),
          (mpv, ticket, name, format))
BATON_MPV(int, mpv_request_event, (mpv_handle *mpv, mpv_event_id event, int enable), (mpv, event, enable))
BATON_MPV(int, mpv_request_log_messages, (mpv_handle *mpv, const char *level), (mpv, level))
BATON_MPV(mpv_event *, mpv_wait_event, (mpv_handle *mpv, double timeout), (mpv, timeout))
BATON_MPV(void, mpv_set_wakeup_callback, (mpv_handle *mpv, void (*callback)(void *), void *data), (mpv, callback, data))
BATON_MPV(int, mpv_stream_cb_add_ro,
          (mpv_handle *mpv, const char *protocol, void *data, mpv_stream_cb_open_ro_fn open), (mpv, protocol, data, open))

#undef BATON_MPV
