/* Sources/CWebSockets: what Swift cannot import by itself, and nothing else. */
#pragma once
#include <libwebsockets.h>
#include <ev.h>

/* A macro of sums of macros. */
static const size_t baton_lws_headroom = LWS_PRE;

/* The descriptor is a union inside the struct, and Swift would have to spell its padding. */
static inline struct lws *baton_lws_adopt_connection(struct lws_vhost *vhost, int fd, void *opaque) {
    lws_adopt_desc_t what = {0};
    what.vh = vhost;
    what.type = (lws_adoption_type)(LWS_ADOPT_SOCKET | LWS_ADOPT_HTTP);
    what.fd.sockfd = fd;
    what.opaque = opaque;
    return lws_adopt_descriptor_vhost_via_info(&what);
}

static inline struct lws *baton_lws_adopt_file(struct lws_vhost *vhost, int fd, const char *protocol, void *opaque) {
    lws_adopt_desc_t what = {0};
    what.vh = vhost;
    what.type = LWS_ADOPT_RAW_FILE_DESC;
    what.fd.filefd = fd;
    what.vh_prot_name = protocol;
    what.opaque = opaque;
    return lws_adopt_descriptor_vhost_via_info(&what);
}

/* libev sets its watchers up by macros. This one is called before libwebsockets' own. */
static inline void baton_ev_watch_first(
    struct ev_loop *loop, ev_io *watcher, int fd, void (*callback)(struct ev_loop *, ev_io *, int), void *data) {
    ev_io_init(watcher, callback, fd, EV_READ);
    ev_set_priority(watcher, EV_MAXPRI);
    watcher->data = data;
    ev_io_start(loop, watcher);
}

/* Kept apart from the implementation's own constants, which are expressions. */
static const unsigned int baton_ev_flags = EVBACKEND_EPOLL | EVFLAG_NOENV | EVFLAG_NOSIGMASK;

/* Declared only under _GNU_SOURCE, which Swift's own Glibc module does without. */
#ifndef __USE_GNU
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
#endif

/* The kernel's `struct ucred`, declared under the same condition. */
struct baton_peer_credentials {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};
