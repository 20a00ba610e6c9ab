/* Sources/System/CLinux: what Swift cannot import by itself, and nothing else. */
#pragma once
/* These headers stand outside the Glibc module. */
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

/* `syscall` takes any number of arguments, and the C library has no call of its own for this. */
#include <linux/openat2.h>
#include <sys/syscall.h>
extern long syscall(long number, ...);
static inline int baton_openat2(int folder, const char *path, unsigned long long flags, unsigned long long resolve) {
    struct open_how how = { .flags = flags, .resolve = resolve };
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

/* Declared only under _GNU_SOURCE, which Swift's own Glibc module does without. */
#ifndef __USE_GNU
#include <spawn.h>
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
#include <semaphore.h>
#include <time.h>
extern int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until);
#endif

/* By the clock that nobody sets. */
static inline int baton_sem_wait_until(sem_t *semaphore, const struct timespec *until) { return sem_clockwait(semaphore, CLOCK_MONOTONIC, until); }

/* Descriptors that travel with bytes over a unix socket: C's macros lay the control message out. */
#include <string.h>
#include <sys/socket.h>
#define CLINUX_MOST_DESCRIPTORS 253
struct clinux_control { _Alignas(struct cmsghdr) char room[CMSG_SPACE(CLINUX_MOST_DESCRIPTORS * sizeof(int))]; };

/* As `send`, with descriptors beside the first byte; they stay open here. */
static inline long clinux_send(int socket, const void *bytes, unsigned long count, int flags, const int *descriptors, int many) {
    struct clinux_control control;
    struct iovec part = { .iov_base = (void *)bytes, .iov_len = count };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
    if (many > CLINUX_MOST_DESCRIPTORS) many = CLINUX_MOST_DESCRIPTORS;
    if (many > 0) {
        message.msg_control = control.room;
        message.msg_controllen = CMSG_SPACE(many * sizeof(int));
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(many * sizeof(int));
        memcpy(CMSG_DATA(head), descriptors, many * sizeof(int));
    }
    return sendmsg(socket, &message, flags);
}

/* As `recv`; `descriptors` has room for CLINUX_MOST_DESCRIPTORS, and `many` says how many came. */
static inline long clinux_receive(int socket, void *bytes, unsigned long count, int *descriptors, int *many) {
    struct clinux_control control;
    struct iovec part = { .iov_base = bytes, .iov_len = count };
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room
    };
    *many = 0;
    long got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (got < 0) return got;
    for (struct cmsghdr *head = CMSG_FIRSTHDR(&message); head; head = CMSG_NXTHDR(&message, head)) {
        if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
        *many = (int)((head->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        memcpy(descriptors, CMSG_DATA(head), *many * sizeof(int));
    }
    return got;
}

/* Functions with as many arguments as one likes, which Swift does not call. */
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel sends this signal when the thread that started us ends. */
static inline int clinux_end_with_parent(int signal) { return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0); }
static inline int clinux_no_new_rights(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }
/* Best effort, last of its eight places: whoever plays is served before whoever looks. */
static inline int clinux_read_disk_last(void) { return (int)syscall(SYS_ioprio_set, 1, 0, 2 << 13 | 7); }

/* Declared only under _GNU_SOURCE as well: `splice` from the one's present place to the other's, without waiting. */
#include <errno.h>
#include <fcntl.h>
static inline long clinux_splice(int from, int to, long count) {
    return syscall(SYS_splice, from, NULL, to, NULL, count, 1 /* SPLICE_F_MOVE */ | 2 /* SPLICE_F_NONBLOCK */);
}
/* The same from a place of a file. It may wait for the disk, but not for room in the pipe. How many bytes, none at the end of the file,
   or the negative of errno. */
static inline long clinux_splice_file(int file, long long at, int to, long count) {
    long passed;
    do passed = syscall(SYS_splice, file, &at, to, NULL, count, 1 | 2);
    while (passed < 0 && errno == EINTR);
    return passed < 0 ? -errno : passed;
}
/* A pipe that does not block, with room for so many bytes, or for the usual 64 KiB where a user has too many large ones. How much
   room it has, or -1. */
static inline int clinux_make_pipe(int *ends, int bytes) {
    if (syscall(SYS_pipe2, ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
    int room = fcntl(ends[1], 1031 /* F_SETPIPE_SZ */, bytes);
    return room > 0 ? room : 64 * 1024;
}

/* A file in memory without a name; -1 when there is none. */
static inline int clinux_memory_file(void) { return (int)syscall(SYS_memfd_create, "baton", 1 /* MFD_CLOEXEC */); }
/* Gives the first bytes of a file back to the system; they read as zeros, and the file keeps its length. */
static inline int clinux_give_back(int file, long long bytes) {
    return (int)syscall(SYS_fallocate, file, 1 | 2 /* FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE */, (long long)0, bytes);
}

/* Landlock has no wrapper in the C library. From now on this process touches files below the open folder only: -1 where the kernel
   has no Landlock. */
#include <linux/landlock.h>
static inline int clinux_only_below(int folder) {
    struct landlock_ruleset_attr all = { .handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1 };
    struct landlock_path_beneath_attr below = {
        .allowed_access = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG, .parent_fd = folder
    };
    int rules = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
    if (rules < 0) return -1;
    int done = (int)syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &below, 0);
    if (done == 0) done = (int)syscall(SYS_landlock_restrict_self, rules, 0);
    close(rules);
    return done;
}

/* Puts the terminal back when this program is ended by a mistake of its own. No Swift code can run then, so what is needed was
   remembered before. The functions that are called are those that a signal handler may call. */
#include <signal.h>
#include <termios.h>
struct clinux_terminal {
    int descriptor;
    struct termios before;
    char end[256];
    unsigned long length;
};

/* Inside of a function, because Swift emits no variables of a header. */
static inline struct clinux_terminal *clinux_terminal(void) {
    static struct clinux_terminal terminal = { .descriptor = -1 };
    return &terminal;
}

static inline void clinux_terminal_crashed(int number) {
    struct clinux_terminal *terminal = clinux_terminal();
    if (terminal->descriptor >= 0 && write(terminal->descriptor, terminal->end, terminal->length) >= 0)
        tcsetattr(terminal->descriptor, TCSANOW, &terminal->before);
    signal(number, SIG_DFL);
    raise(number);
}

/* `descriptor` is -1 when there is nothing to put back any more. */
static inline void clinux_guard_terminal(int descriptor, const struct termios *before, const char *end, unsigned long length) {
    static const int mistakes[] = { SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP };
    struct clinux_terminal *terminal = clinux_terminal();
    terminal->descriptor = -1;
    if (descriptor < 0 || length > sizeof terminal->end) return;
    terminal->before = *before;
    memcpy(terminal->end, end, length);
    terminal->length = length;
    for (unsigned long at = 0; at < sizeof mistakes / sizeof *mistakes; at++) signal(mistakes[at], clinux_terminal_crashed);
    terminal->descriptor = descriptor;
}

/* Notes a crash of this program in a file that was opened before, and lets the crash go on. No Swift code can run then; the functions
   that are called are those that a signal handler may call. One Swift file alone may call these: each file gets variables of its own. */
#include <time.h>
#define CLINUX_CRASHES 5
struct clinux_crashes {
    int descriptor;
    long long from_ms;
    char is_noted;
    struct sigaction before[CLINUX_CRASHES];
};

static inline struct clinux_crashes *clinux_crashes(void) {
    static struct clinux_crashes crashes = { .descriptor = -1 };
    return &crashes;
}

static inline int clinux_crash(int at) {
    static const int signals[CLINUX_CRASHES] = { SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGTRAP };
    return at < CLINUX_CRASHES ? signals[at] : 0;
}

static inline long long clinux_ms(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* Writes the number behind a space; returns the place behind it. */
static inline char *clinux_put(char *text, long long number) {
    char digits[20];
    int count = 0;
    *text++ = ' ';
    do digits[count++] = (char)('0' + number % 10); while ((number /= 10) > 0);
    while (count > 0) *text++ = digits[--count];
    return text;
}

/* One line: the signal, ms since the start or since `clinux_count_crashes_from_now`, and ms of the wall clock. */
static inline void clinux_crashed(int number, siginfo_t *info, void *context) {
    struct clinux_crashes *crashes = clinux_crashes();
    int kept = errno;
    (void)context;
    if (!__atomic_test_and_set(&crashes->is_noted, __ATOMIC_SEQ_CST)) {
        char line[64];
        const char *name = number == SIGSEGV ? "SIGSEGV" : number == SIGBUS ? "SIGBUS" : number == SIGILL ? "SIGILL"
            : number == SIGABRT ? "SIGABRT" : "SIGTRAP";
        char *end = line;
        while (*name) *end++ = *name++;
        end = clinux_put(end, clinux_ms(CLOCK_MONOTONIC) - crashes->from_ms);
        end = clinux_put(end, clinux_ms(CLOCK_REALTIME));
        *end++ = '\n';
        /* A hub that crashes for years must not fill the disk. */
        if (lseek(crashes->descriptor, 0, SEEK_END) < 2048 && write(crashes->descriptor, line, (unsigned long)(end - line)) < 0) errno = 0;
    }
    for (int at = 0; at < CLINUX_CRASHES; at++) sigaction(clinux_crash(at), &crashes->before[at], NULL);
    errno = kept;
    /* A fault happens again when this returns, for a core dump of the place itself. What was sent has to be sent again, and ends the
       program whatever else listens: Swift's own handler expects a fault and returns from anything else. */
    if (info->si_code <= 0 || number == SIGTRAP) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

static inline void clinux_count_crashes_from_now(void) { clinux_crashes()->from_ms = clinux_ms(CLOCK_MONOTONIC); }

static inline void clinux_note_crashes(int descriptor) {
    struct clinux_crashes *crashes = clinux_crashes();
    crashes->descriptor = descriptor;
    clinux_count_crashes_from_now();
    for (int at = 0; at < CLINUX_CRASHES; at++) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_sigaction = clinux_crashed;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigfillset(&action.sa_mask);
        sigaction(clinux_crash(at), &action, &crashes->before[at]);
    }
}
