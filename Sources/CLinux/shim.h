/* Sources/CLinux: what Swift cannot import by itself, and nothing else. */
#pragma once
/* These headers stand outside the Glibc module. */
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
