// floor_lines.c - the physical floor of MPD's protocol: bare TCP lines and epoll, with no player behind them. Its queue survives a crash: an
// `add` is two rows in a transaction of SQLite, as durable as a hub's own.
// usage: floor_lines PORT FILE
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#define MAXFD 131072
static unsigned char idles[MAXFD], due[MAXFD], listing[MAXFD], is[MAXFD];
static int list[MAXFD], at[MAXFD], n, volume = 50, paused, len;
static char out[1 << 17], order[4096];
static sqlite3_stmt *steps[4];
static const char song[] = "file: 01.flac\nLast-Modified: 2026-11-30T12:00:00Z\nFormat: 44100:16:1\nArtist: Bench\nTitle: Song 1\n"
    "Album: Minutes\nTrack: 1\nTime: 60\nduration: 60.000\nPos: 0\nId: 1\n";
static void open_queue(const char *path) {
    static const char *sql[] = { "BEGIN IMMEDIATE", "INSERT INTO entry (uri, tags) VALUES ('library:track/1', 'Bench Minutes Song 1')",
        "UPDATE queue SET entries = ?1", "COMMIT" };
    sqlite3 *db;
    if (sqlite3_open(path, &db) || sqlite3_exec(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; "
        "CREATE TABLE entry (id INTEGER PRIMARY KEY, uri TEXT, tags TEXT); CREATE TABLE queue (entries BLOB); INSERT INTO queue VALUES (x'')", 0, 0, 0)) exit(1);
    for (int i = 0; i < 4; i++) if (sqlite3_prepare_v2(db, sql[i], -1, &steps[i], 0)) exit(1);
}
static void add(void) {
    for (int i = 0; i < 4; i++) {
        if (i == 2) sqlite3_bind_blob(steps[i], 1, order, 400, SQLITE_STATIC);
        if (sqlite3_step(steps[i]) != SQLITE_DONE) exit(1);
        sqlite3_reset(steps[i]);
    }
}
static void status(void) {
    len += snprintf(out + len, sizeof out - len,
        "volume: %d\nrepeat: 1\nrandom: 0\nsingle: 0\nconsume: 0\npartition: default\nplaylist: 7\nplaylistlength: 4\nmixrampdb: 0\n"
        "state: %s\nsong: 0\nsongid: 1\ntime: 12:60\nelapsed: 12.345\nbitrate: 300\nduration: 60.000\naudio: 44100:16:1\nnextsong: 1\nnextsongid: 2\n",
        volume, paused ? "pause" : "play");
}
static void say(const char *s) { int l = strlen(s); memcpy(out + len, s, l); len += l; }
int main(int argc, char **argv) {
    if (argc < 3) return 2;
    open_queue(argv[2]);
    struct rlimit rl = { MAXFD, MAXFD };
    if (setrlimit(RLIMIT_NOFILE, &rl)) { getrlimit(RLIMIT_NOFILE, &rl); rl.rlim_cur = rl.rlim_max; setrlimit(RLIMIT_NOFILE, &rl); }
    int one = 1, s = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), ep = epoll_create1(0);
    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(atoi(argv[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    if (bind(s, (struct sockaddr *)&a, sizeof a) || listen(s, 4096)) return 1;
    struct epoll_event e = { .events = EPOLLIN, .data.fd = s }, ev[256];
    epoll_ctl(ep, EPOLL_CTL_ADD, s, &e);
    for (;;) {
        int k = epoll_wait(ep, ev, 256, -1);
        for (int i = 0; i < k; i++) {
            int fd = ev[i].data.fd;
            if (fd == s) {
                int c;
                while ((c = accept4(s, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
                    if (c >= MAXFD) { close(c); continue; }
                    setsockopt(c, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
                    e.data.fd = c; epoll_ctl(ep, EPOLL_CTL_ADD, c, &e); at[c] = n; list[n++] = c; is[c] = 1; idles[c] = due[c] = listing[c] = 0;
                    if (write(c, "OK MPD 0.24.0\n", 14) < 0) {}
                }
                continue;
            }
            static char b[16384]; ssize_t r = read(fd, b, sizeof b - 1);
            if (r <= 0) { if (is[fd]) { is[fd] = 0; list[at[fd]] = list[--n]; at[list[at[fd]]] = at[fd]; } close(fd); continue; }
            b[r] = 0; len = 0;
            int changed = 0;
            for (char *p = b, *q; (q = strchr(p, '\n')); p = q + 1) {
                *q = 0;
                if (!strcmp(p, "command_list_begin")) { listing[fd] = 1; continue; }
                if (!strncmp(p, "idle", 4)) { if (due[fd]) { due[fd] = 0; say("changed: mixer\nOK\n"); } else idles[fd] = 1; continue; }
                if (!strcmp(p, "command_list_end")) listing[fd] = 0;
                else if (!strcmp(p, "status")) status();
                else if (!strcmp(p, "currentsong")) say(song);
                else if (!strncmp(p, "add ", 4)) add();
                else if (!strncmp(p, "setvol ", 7)) { volume = atoi(p + 7); changed = 1; }
                else if (!strncmp(p, "pause ", 6)) { paused = atoi(p + 6); changed = 1; }
                if (!listing[fd]) say("OK\n");
            }
            if (len && write(fd, out, len) < 0) {}
            if (changed) for (int j = 0; j < n; j++) {
                int c = list[j];
                if (idles[c]) { idles[c] = 0; if (write(c, "changed: mixer\nOK\n", 18) < 0) {} } else due[c] = 1;
            }
        }
    }
}
