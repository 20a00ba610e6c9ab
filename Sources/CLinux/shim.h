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
