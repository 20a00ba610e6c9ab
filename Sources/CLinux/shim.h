/* Sources/CLinux: what Swift cannot import by itself, and nothing else. */
#pragma once
/* These headers stand outside the Glibc module. */
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

/* Declared only under _GNU_SOURCE, which the Glibc module does without. */
#include <sys/socket.h>
#ifndef __USE_GNU
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
#endif

/* The kernel's `struct ucred`, declared under the same condition. */
struct baton_peer_credentials {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};
