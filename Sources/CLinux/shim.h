/* Sources/CLinux: what Swift cannot import by itself, and nothing else. */
#pragma once
/* These headers stand outside the Glibc module. */
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

/* Declared only under _GNU_SOURCE, which Swift's own Glibc module does without. */
#ifndef __USE_GNU
#include <spawn.h>
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
#endif
