// fan.c - the bench's load client: one thread, one epoll, one clock.
//
// A controlling connection, a second one that asks while the first one's change is being told, and
// N watchers, speaking either WebSocket (RFC 6455 client side, no extensions; plain or through TLS) or
// newline-terminated text over TCP. Everything protocol-specific comes from a spec file (README.md,
// "Spec file"); what was measured goes to stdout, one JSON object per phase and line.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <linux/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#define MAXSTEP 32
#define MAXVAR 8
#define MAXKIND 8
#define MAXPHASE 128
#define MAXPID 8
#define MAXTASK 64
#define RBUF (1 << 18)

typedef struct { int send; char *text; } step_t;
typedef struct { char *cmd, *ack, *event; } var_t;
typedef struct { char name[32]; var_t v[MAXVAR]; int nv; unsigned next; } kind_t;
typedef struct { char *line; } phase_t;

enum { C_DEAD, C_CONNECTING, C_TLS, C_HS, C_INIT, C_LIVE, C_STALLED };

typedef struct {
    int fd, idx;
    SSL *ssl;                  // NULL without TLS
    uint8_t state, ctl;
    uint16_t pos;              // position in the init or cycle script
    uint32_t seen, note;       // last command sequence number seen / notified
    uint64_t rx, tx;           // bytes
    uint64_t t_start, t_ready; // ns
    char *in; size_t inlen, incap;   // partial input
    char *frag; size_t fraglen;      // WebSocket message in fragments
    char *out; size_t outlen;        // output the kernel did not take yet
} conn_t;

static int ws;
static SSL_CTX *tls;                      // NULL: everything is plain
static char *addr = "127.0.0.1", *path = "/", *subproto, *headers;
static int port;
static step_t winit[MAXSTEP], cinit[MAXSTEP], wcycle[MAXSTEP];
static int nwinit, ncinit, nwcycle;
static char *note_needle;
static kind_t kinds[MAXKIND]; static int nkinds;
static phase_t phases[MAXPHASE]; static int nphases;
static struct { char name[32]; int pid; } pids[MAXPID]; static int npids;
static char **tokens; static int ntokens;

static int ep;
static conn_t *W; static int nw, wcap;   // watchers
static conn_t ctl, second;                // the controller; the one who asks while others are told
static int live;                          // watchers that are C_LIVE
static int pending;                       // watchers on their way to C_LIVE
static uint64_t conn_errors, closed_live, retry_ns = 2000000000ull;

static uint32_t seq;                      // command now in flight (0: none)
static uint32_t command_id = 100000, question_id = 100000;   // they only grow on a connection
static var_t *cur; static char curack[512]; static char curevent[512];
static uint64_t t_send, t_ack, t_first, t_last, t_w0, t_note_last;
static int awaiting_ack, nseen, nnoted; static uint64_t acks_err;
static uint32_t *lat; static size_t nlat, caplat;   // every watcher's latency, 0.1 us
static char *ctl_wait; static int ctl_wait_hit;
static char *ask_cmd, *ask_ack;           // the second connection's harmless question and its answer
static int narrow;                        // so many watchers, the first ones, have little room to receive into
static char *flood_cmd;                   // what a watcher asks before it stops reading: its answer fills the pipe
static int stalled; static uint64_t t_stall;
static char asked[512]; static int awaiting_answer; static uint64_t t_answer;

static uint64_t now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000ull + t.tv_nsec; }
static void die(const char *f, ...) {
    va_list a; va_start(a, f); printf("{\"fatal\":\""); vprintf(f, a); printf("\"}\n"); fflush(stdout); exit(3);
}

static char *unesc(const char *s) {
    char *o = malloc(strlen(s) + 1), *p = o;
    for (; *s; s++) {
        if (*s == '\\' && s[1] == 'n') { *p++ = '\n'; s++; }
        else if (*s == '\\' && s[1] == '\\') { *p++ = '\\'; s++; }
        else *p++ = *s;
    }
    *p = 0; return o;
}

static int match(const char *m, size_t n, const char *needle) {
    if (*needle == '^') { size_t k = strlen(++needle); return n >= k && !memcmp(m, needle, k); }
    return memmem(m, n, needle, strlen(needle)) != NULL;
}

// {id} -> command number, {n} -> connection index (-1 the controller, -2 the second), {tok} -> line n of the token file
static char *expand(const char *t, uint32_t id, int n, char *dst, size_t cap) {
    char *d = dst, *end = dst + cap - 1;
    while (*t && d < end) {
        if (!strncmp(t, "{id}", 4)) { d += snprintf(d, end - d, "%u", id); t += 4; }
        else if (!strncmp(t, "{n}", 3)) { d += snprintf(d, end - d, "%d", n); t += 3; }
        else if (!strncmp(t, "{tok}", 5)) { d += snprintf(d, end - d, "%s", ntokens ? tokens[n < 0 ? 0 : (n + 1) % ntokens] : ""); t += 5; }
        else *d++ = *t++;
        if (d > end) d = end;
    }
    *d = 0; return dst;
}

static void arm(conn_t *c, int out) {
    struct epoll_event e = { .events = EPOLLIN | (out ? EPOLLOUT : 0), .data.ptr = c };
    epoll_ctl(ep, EPOLL_CTL_MOD, c->fd, &e);
}

// As send() and recv() say it, through TLS where there is any. OpenSSL takes one record off the socket at
// a time, so what is left there still wakes epoll.
static ssize_t through_tls(conn_t *c, int k) {
    if (k > 0) return k;
    int why = SSL_get_error(c->ssl, k);
    ERR_clear_error();
    if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE) { errno = EAGAIN; return -1; }
    errno = ECONNRESET; return why == SSL_ERROR_ZERO_RETURN ? 0 : -1;
}
static ssize_t put(conn_t *c, const char *b, size_t n) {
    return c->ssl ? through_tls(c, SSL_write(c->ssl, b, n)) : send(c->fd, b, n, MSG_NOSIGNAL | MSG_DONTWAIT);
}
static ssize_t take(conn_t *c, char *b, size_t n) {
    return c->ssl ? through_tls(c, SSL_read(c->ssl, b, n)) : recv(c->fd, b, n, MSG_DONTWAIT);
}

static void raw_send(conn_t *c, const char *b, size_t n) {
    if (c->outlen == 0) {
        ssize_t k = put(c, b, n);
        if (k < 0) { if (errno != EAGAIN) return; k = 0; }
        c->tx += k;
        if ((size_t)k == n) return;
        b += k; n -= k;
    }
    c->out = realloc(c->out, c->outlen + n);
    memcpy(c->out + c->outlen, b, n);
    if (c->outlen == 0) arm(c, 1);
    c->outlen += n;
}

static void send_frame(conn_t *c, int op, const char *b, size_t n) {
    static char f[70000];
    static uint32_t rnd = 0x9e3779b9;
    if (n > 65535) die("payload too long");
    size_t h = 2;
    f[0] = 0x80 | op;
    if (n < 126) f[1] = 0x80 | n;
    else { f[1] = 0x80 | 126; f[2] = n >> 8; f[3] = n; h = 4; }
    rnd = rnd * 1664525u + 1013904223u;
    memcpy(f + h, &rnd, 4);
    unsigned char *m = (unsigned char *)f + h;
    for (size_t i = 0; i < n; i++) f[h + 4 + i] = b[i] ^ m[i & 3];
    raw_send(c, f, h + 4 + n);
}

static void send_msg(conn_t *c, const char *b) {
    size_t n = strlen(b);
    if (ws) { send_frame(c, 1, b, n); return; }
    static char l[70000];
    if (n > sizeof l - 2) die("payload too long");
    memcpy(l, b, n); l[n] = '\n';
    raw_send(c, l, n + 1);
}

static void conn_close(conn_t *c, int rst) {
    if (c->state == C_DEAD) return;
    if (c->state == C_LIVE && !c->ctl) live--;
    else if (c->state == C_STALLED) stalled--;
    else if (!c->ctl) pending--;
    if (rst) { struct linger l = { 1, 0 }; setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &l, sizeof l); }
    if (c->ssl) { SSL_free(c->ssl); c->ssl = NULL; }
    close(c->fd); c->fd = -1; c->state = C_DEAD;
    free(c->in); c->in = NULL; c->inlen = c->incap = 0;
    free(c->frag); c->frag = NULL; c->fraglen = 0;
    free(c->out); c->out = NULL; c->outlen = 0;
}

static void conn_open(conn_t *c) {
    c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (c->fd < 0) die("socket: %s", strerror(errno));
    int one = 1; setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(port) };
    inet_pton(AF_INET, addr, &a.sin_addr);
    int little = 4096; if (!c->ctl && c->idx < narrow) setsockopt(c->fd, SOL_SOCKET, SO_RCVBUF, &little, sizeof little);
    c->t_start = now(); c->pos = 0; c->state = C_CONNECTING; c->rx = c->tx = 0;
    if (!c->ctl) pending++;
    struct epoll_event e = { .events = EPOLLOUT, .data.ptr = c };
    epoll_ctl(ep, EPOLL_CTL_ADD, c->fd, &e);
    if (connect(c->fd, (struct sockaddr *)&a, sizeof a) < 0 && errno != EINPROGRESS) {
        conn_errors++; conn_close(c, 0);
    }
}

static void run_sends(conn_t *c);
static void go_live(conn_t *c) {
    c->t_ready = now(); c->state = C_LIVE; c->pos = 0;
    if (!c->ctl) { pending--; live++; }
}

// do every 'send' step at the current position; turn live at the end of the init script
static void run_sends(conn_t *c) {
    char b[8192];
    step_t *s = c->ctl ? cinit : winit; int n = c->ctl ? ncinit : nwinit;
    while (c->pos < n && s[c->pos].send) { send_msg(c, expand(s[c->pos].text, 0, c->idx, b, sizeof b)); c->pos++; }
    if (c->pos >= n) go_live(c);
}

static void on_message(conn_t *c, const char *m, size_t n, uint64_t t) {
    if (c->state == C_INIT) {
        step_t *s = c->ctl ? cinit : winit;
        if (match(m, n, s[c->pos].text)) { c->pos++; run_sends(c); }
        return;
    }
    if (c == &second) {
        if (awaiting_answer && match(m, n, asked)) { awaiting_answer = 0; t_answer = t; }
        return;
    }
    if (c->ctl) {
        if (awaiting_ack) {
            if (match(m, n, curack)) { awaiting_ack = 0; t_ack = t; }
            else if (!ws && match(m, n, "^ACK")) { awaiting_ack = 0; t_ack = t; acks_err++; }
        }
        if (ctl_wait && match(m, n, ctl_wait)) ctl_wait_hit = 1;
        return;
    }
    if (seq && note_needle && c->note != seq && match(m, n, note_needle)) { c->note = seq; nnoted++; t_note_last = t; }
    if (seq && c->seen != seq && match(m, n, curevent)) {
        c->seen = seq;
        if (!nseen++) t_first = t;
        t_last = t;
        if (c->idx == 0) t_w0 = t;
        if (nlat == caplat) lat = realloc(lat, (caplat = caplat ? caplat * 2 : 65536) * 4);
        lat[nlat++] = (t - t_send) / 100;
    }
    if (nwcycle && match(m, n, wcycle[c->pos].text)) {
        char b[8192];
        c->pos = (c->pos + 1) % nwcycle;
        while (wcycle[c->pos].send) { send_msg(c, expand(wcycle[c->pos].text, 0, c->idx, b, sizeof b)); c->pos = (c->pos + 1) % nwcycle; }
    }
}

// returns bytes consumed, or -1 when the peer closed the WebSocket
static ssize_t feed(conn_t *c, char *p, size_t n, uint64_t t) {
    size_t o = 0;
    if (c->state == C_HS) {
        char *e = memmem(p, n, "\r\n\r\n", 4);
        if (!e) return 0;
        if (n < 12 || memcmp(p + 9, "101", 3)) return -1;
        o = e + 4 - p;
        c->state = C_INIT; run_sends(c);
    }
    if (!ws) {
        char *e;
        while (o < n && (e = memchr(p + o, '\n', n - o))) {
            size_t l = e - (p + o);
            on_message(c, p + o, l && e[-1] == '\r' ? l - 1 : l, t);
            o = e + 1 - p;
        }
        return o;
    }
    while (n - o >= 2) {
        unsigned char *f = (unsigned char *)p + o;
        uint64_t len = f[1] & 127; size_t h = 2;
        if (f[1] & 128) return -1;
        if (len == 126) { if (n - o < 4) break; len = f[2] << 8 | f[3]; h = 4; }
        else if (len == 127) { if (n - o < 10) break; len = 0; for (int i = 2; i < 10; i++) len = len << 8 | f[i]; h = 10; }
        if (n - o < h + len) break;
        int op = f[0] & 15, fin = f[0] & 128;
        char *body = (char *)f + h;
        if (op == 8) return -1;
        if (op == 9) send_frame(c, 10, body, len);
        else if (op < 3) {
            if (fin && !c->frag) on_message(c, body, len, t);
            else {
                c->frag = realloc(c->frag, c->fraglen + len + 1);
                memcpy(c->frag + c->fraglen, body, len); c->fraglen += len;
                if (fin) { on_message(c, c->frag, c->fraglen, t); free(c->frag); c->frag = NULL; c->fraglen = 0; }
            }
        }
        o += h + len;
    }
    return o;
}

static void on_event(conn_t *c, uint32_t ev) {
    static char rb[RBUF];
    if (c->state == C_DEAD) return;
    if (c->state == C_CONNECTING) {
        int err = 0; socklen_t l = sizeof err;
        getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &err, &l);
        if (err) { conn_errors++; conn_close(c, 1); return; }
        if (!(ev & EPOLLOUT)) return;
        arm(c, 0);
        if (tls) {
            if (!(c->ssl = SSL_new(tls)) || !SSL_set_fd(c->ssl, c->fd)) die("no TLS connection could be made");
            SSL_set_connect_state(c->ssl);
            c->state = C_TLS;
        }
    }
    if (c->state == C_TLS) {   // a client only ever waits to read in its handshake: what it writes fits
        if (through_tls(c, SSL_do_handshake(c->ssl)) < 0) {
            if (errno != EAGAIN) { conn_errors++; conn_close(c, 1); }
            return;
        }
    }
    if (c->state == C_CONNECTING || c->state == C_TLS) {
        if (ws) {
            char b[4096], pb[1024], hb[2048];
            int k = snprintf(b, sizeof b,
                "GET %s HTTP/1.1\r\nHost: %s:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                "Sec-WebSocket-Key: YmVuY2hiZW5jaGJlbmNoMQ==\r\nSec-WebSocket-Version: 13\r\n%s%s%s%s\r\n",
                expand(path, 0, c->idx, pb, sizeof pb), addr, port, subproto ? "Sec-WebSocket-Protocol: " : "",
                subproto ? subproto : "", subproto ? "\r\n" : "", headers ? expand(headers, 0, c->idx, hb, sizeof hb) : "");
            c->state = C_HS; raw_send(c, b, k);
        } else { c->state = C_INIT; run_sends(c); }
        return;
    }
    if (ev & EPOLLOUT && c->outlen) {
        ssize_t k = put(c, c->out, c->outlen);
        if (k > 0) { c->tx += k; memmove(c->out, c->out + k, c->outlen - k); c->outlen -= k; }
        if (!c->outlen) { free(c->out); c->out = NULL; arm(c, 0); }
    }
    if (c->state == C_STALLED) {   // nothing is read any more: only the end of the connection shows
        if (ev & (EPOLLHUP | EPOLLERR)) { c->t_ready = now(); conn_close(c, 0); }
        return;
    }
    if (!(ev & (EPOLLIN | EPOLLHUP | EPOLLERR))) return;
    ssize_t k = take(c, rb, RBUF);
    uint64_t t = now();
    if (k < 0 && errno == EAGAIN) return;
    if (k <= 0) { if (c->state == C_LIVE) closed_live++; else conn_errors++; conn_close(c, 1); return; }
    c->rx += k;
    char *p = rb; size_t n = k;
    if (c->inlen) {
        if (c->inlen + k > c->incap) c->in = realloc(c->in, c->incap = (c->inlen + k) * 2);
        memcpy(c->in + c->inlen, rb, k); c->inlen += k;
        p = c->in; n = c->inlen;
    }
    ssize_t u = feed(c, p, n, t);
    if (u < 0) { if (c->state == C_LIVE) closed_live++; else conn_errors++; conn_close(c, 1); return; }
    if (c->state == C_DEAD) return;
    size_t left = n - u;
    if (!left) { free(c->in); c->in = NULL; c->inlen = c->incap = 0; }
    else if (p == c->in) { memmove(c->in, c->in + u, left); c->inlen = left; }
    else { c->in = malloc(c->incap = left < 4096 ? 4096 : left * 2); memcpy(c->in, p + u, left); c->inlen = left; }
}

static void pump(int timeout_ms) {
    struct epoll_event ev[64];
    int k = epoll_wait(ep, ev, 64, timeout_ms);
    for (int i = 0; i < k; i++) {
        conn_t *c = ev[i].data.ptr;
        on_event(c, ev[i].events);
        // What is timed must not wait in this client's own line behind thousands of watchers.
        if (c->ctl || (i & 15) != 15) continue;
        if (awaiting_ack) on_event(&ctl, EPOLLIN);
        if (awaiting_answer) on_event(&second, EPOLLIN);
    }
    if (ctl.state == C_DEAD) die("controller connection lost");
    if (second.idx && second.state == C_DEAD) die("second connection lost");
}

static void spin_until(uint64_t t) {
    for (uint64_t n; (n = now()) < t;) {
        uint64_t d = t - n;
        if (d >= 1000000) pump(d / 1000000);
        else { struct timespec s = { 0, d }; nanosleep(&s, NULL); pump(0); }
    }
}

// ---- server process readings
typedef struct { int tid; char name[32]; uint64_t cpu, ctxt; } task_t;
typedef struct { uint64_t cpu, ctxt, own; task_t task[MAXTASK]; int ntask; } proc_t;

// the first number behind `key` in a file of /proc, 0 when there is none
static uint64_t proc_number(const char *file, const char *key) {
    char l[256]; unsigned long long x = 0; size_t k = strlen(key);
    FILE *f = fopen(file, "r");
    if (!f) return 0;
    while (fgets(l, sizeof l, f)) if (!strncmp(l, key, k) && sscanf(l + k, "%llu", &x) == 1) break;
    fclose(f);
    return x;
}

static void task_read(int pid, const char *tid, task_t *t) {
    char q[600];
    t->tid = atoi(tid);
    snprintf(q, sizeof q, "/proc/%d/task/%s/schedstat", pid, tid);
    t->cpu = proc_number(q, "");
    snprintf(q, sizeof q, "/proc/%d/task/%s/status", pid, tid);
    t->ctxt = proc_number(q, "voluntary_ctxt_switches:");
    snprintf(q, sizeof q, "/proc/%d/task/%s/comm", pid, tid);
    FILE *f = fopen(q, "r");
    if (!f) return;
    if (fgets(t->name, sizeof t->name, f)) t->name[strcspn(t->name, "\n\"\\")] = 0;
    fclose(f);
}

static void proc_read(int pid, proc_t *r) {
    char b[64];
    memset(r, 0, sizeof *r);
    snprintf(b, sizeof b, "/proc/%d/task", pid);
    DIR *d = opendir(b); struct dirent *e;
    while (d && (e = readdir(d))) {
        if (e->d_name[0] == '.') continue;
        task_t t = { 0 };
        task_read(pid, e->d_name, &t);
        r->cpu += t.cpu; r->ctxt += t.ctxt;
        if (r->ntask < MAXTASK) r->task[r->ntask++] = t;
    }
    if (d) closedir(d);
    snprintf(b, sizeof b, "/proc/%d/status", pid);
    /* What lies in no file: pages of programs and libraries come and go with the system's needs. */
    r->own = proc_number(b, "RssAnon:");
}
static void procs_read(proc_t *p) { for (int i = 0; i < npids; i++) proc_read(pids[i].pid, &p[i]); }
/* Of the threads that are there at the end: what one that ended meanwhile has used is not known any more. */
static double cpu_between(proc_t *a, proc_t *b) {
    double used = 0;
    for (int i = 0; i < b->ntask; i++) {
        uint64_t before = 0;
        for (int j = 0; j < a->ntask; j++) if (a->task[j].tid == b->task[i].tid) before = a->task[j].cpu;
        used += b->task[i].cpu - before;
    }
    return used;
}
static void procs_print(proc_t *a, proc_t *b) {
    printf("\"srv\":{");
    for (int i = 0; i < npids; i++)
        printf("%s\"%s\":{\"cpu_us\":%.1f,\"wakeups\":%llu,\"own_kib\":%llu}", i ? "," : "", pids[i].name,
               cpu_between(&a[i], &b[i]) / 1e3, (unsigned long long)(b[i].ctxt > a[i].ctxt ? b[i].ctxt - a[i].ctxt : 0),
               (unsigned long long)b[i].own);
    printf("}");
}
// each thread's share, by name: whose wakeups they are can be told apart. A thread that was born meanwhile counts from nothing
static void threads_print(proc_t *a, proc_t *b) {
    printf(",\"threads\":[");
    for (int i = 0, first = 1; i < npids; i++)
        for (int j = 0; j < b[i].ntask; j++) {
            task_t *t = &b[i].task[j], *was = NULL;
            for (int k = 0; k < a[i].ntask; k++) if (a[i].task[k].tid == t->tid) was = &a[i].task[k];
            printf("%s{\"of\":\"%s\",\"name\":\"%s\",\"main\":%d,\"wakeups\":%llu,\"cpu_us\":%.1f}", first ? "" : ",", pids[i].name, t->name,
                   t->tid == pids[i].pid, (unsigned long long)(t->ctxt - (was ? was->ctxt : 0)), (t->cpu - (was ? was->cpu : 0)) / 1e3);
            first = 0;
        }
    printf("]");
}
static uint64_t self_cpu(void) { struct timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec * 1000000000ull + t.tv_nsec; }
static int cmp32(const void *a, const void *b) { uint32_t x = *(uint32_t *)a, y = *(uint32_t *)b; return x < y ? -1 : x > y; }
static double pct(uint32_t *v, size_t n, double q) { if (!n) return -1; size_t i = q * (n - 1) + .5; return v[i] / 10.0; }

static void traffic(uint64_t *rx, uint64_t *tx, uint64_t *segs, int sample) {
    *rx = *tx = *segs = 0;
    for (int i = 0; i < nw; i++) { *rx += W[i].rx; *tx += W[i].tx; }
    for (int i = 0; i < sample; i++) {
        struct tcp_info ti; socklen_t l = sizeof ti; memset(&ti, 0, sizeof ti);
        if (W[i].fd >= 0 && !getsockopt(W[i].fd, IPPROTO_TCP, TCP_INFO, &ti, &l)) *segs += ti.tcpi_segs_in + ti.tcpi_segs_out;
    }
}

// ---- phases
// a connection that is not ready in time (retry_ms, two seconds) is dropped and tried again (a listen queue that
// overflowed behind SYN cookies leaves the client waiting for a greeting that never comes)
static uint64_t retried;
static void retry_stale(int n) {
    static uint64_t last; uint64_t t = now();
    if (t - last < 100000000ull) return;
    last = t;
    for (int i = 0; i < n; i++) {
        if (W[i].state != C_DEAD && W[i].state != C_LIVE && t - W[i].t_start > retry_ns) conn_close(&W[i], 1);
        else if (W[i].state != C_DEAD) continue;
        conn_open(&W[i]); retried++;
    }
}
static void grow(int n, int window, double limit_s) {
    if (n > wcap) die("more watchers than max");
    proc_t a[MAXPID], b[MAXPID]; procs_read(a);
    uint64_t t0 = now(), e0 = conn_errors; retried = 0;
    while (nw > n) conn_close(&W[--nw], 1);
    for (int i = 0; i < nw; i++) if (W[i].state == C_DEAD) conn_open(&W[i]);
    int opened = nw;
    while ((live < n) && now() - t0 < limit_s * 1e9) {
        while (opened < n && pending < window) { W[opened].idx = opened; conn_open(&W[opened]); opened++; nw = opened; }
        pump(10);
        retry_stale(opened);
    }
    uint64_t t1 = now();
    nw = n;
    spin_until(now() + 300000000ull);
    procs_read(b);
    printf("{\"phase\":\"grow\",\"n\":%d,\"live\":%d,\"conn_errors\":%llu,\"retried\":%llu,\"wall_ms\":%.1f,", n, live,
           (unsigned long long)(conn_errors - e0), (unsigned long long)retried, (t1 - t0) / 1e6);
    procs_print(a, b); printf("}\n"); fflush(stdout);
}

static void cmds(const char *kn, int count, int gap_us, double limit_s) {
    kind_t *k = NULL;
    for (int i = 0; i < nkinds; i++) if (!strcmp(kinds[i].name, kn)) k = &kinds[i];
    if (!k) die("unknown kind %s", kn);
    double *ack = calloc(count, 8), *w0 = calloc(count, 8), *last = calloc(count, 8), *first = calloc(count, 8), *note = calloc(count, 8);
    proc_t a[MAXPID], b[MAXPID];
    uint64_t rx0, tx0, sg0, rx1, tx1, sg1, cl0 = closed_live, c0; int sample = nw < 50 ? nw : 50, done = 0, missing = 0;
    long missing_events = 0; uint64_t crx0 = ctl.rx, ctx0 = ctl.tx;
    nlat = 0; acks_err = 0;
    traffic(&rx0, &tx0, &sg0, sample); procs_read(a); c0 = self_cpu();
    uint64_t start = now(), busy = 0;
    char buf[8192];
    for (int i = 0; i < count && now() - start < limit_s * 1e9; i++) {
        cur = &k->v[k->next++ % k->nv]; command_id++;
        expand(cur->cmd, command_id, -1, buf, sizeof buf);
        expand(cur->ack, command_id, -1, curack, sizeof curack);
        expand(cur->event, command_id, -1, curevent, sizeof curevent);
        nseen = nnoted = 0; t_first = t_last = t_w0 = t_ack = t_note_last = 0; awaiting_ack = 1;
        int target = live;
        seq = command_id;
        t_send = now();
        send_msg(&ctl, buf);
        while ((awaiting_ack || nseen < target) && now() - t_send < 10000000000ull) {
            pump(100);
            if (live < target) target = live;
        }
        busy += now() - t_send;
        if (awaiting_ack) { missing++; awaiting_ack = 0; ack[done] = -1; } else ack[done] = (t_ack - t_send) / 1e3;
        if (nseen < target) missing_events += target - nseen;
        w0[done] = t_w0 ? (t_w0 - t_send) / 1e3 : -1;
        first[done] = nseen ? (t_first - t_send) / 1e3 : -1;
        last[done] = nseen && nseen >= target ? (t_last - t_send) / 1e3 : -1;
        note[done] = nnoted >= target && nnoted ? (t_note_last - t_send) / 1e3 : -1;
        done++;
        spin_until(now() + gap_us * 1000ull);
    }
    seq = 0;
    uint64_t wall = now() - start;
    uint64_t ccpu = self_cpu() - c0;
    procs_read(b); traffic(&rx1, &tx1, &sg1, sample);
    qsort(lat, nlat, 4, cmp32);
    printf("{\"phase\":\"cmds\",\"kind\":\"%s\",\"n\":%d,\"live\":%d,\"count\":%d,\"missing_acks\":%d,\"error_acks\":%llu,\"missing_events\":%ld,\"closed\":%llu,"
           "\"wall_ms\":%.1f,\"busy_ms\":%.1f,\"client_cpu_us\":%.1f,\"rx_per_change\":%.1f,\"tx_per_change\":%.1f,\"segs_per_change\":%.2f,\"ctl_rx\":%.1f,\"ctl_tx\":%.1f,"
           "\"any_us\":{\"p50\":%.1f,\"p95\":%.1f,\"p99\":%.1f,\"max\":%.1f},",
           kn, nw, live, done, missing, (unsigned long long)acks_err, missing_events, (unsigned long long)(closed_live - cl0), wall / 1e6, busy / 1e6, ccpu / 1e3,
           nw && done ? (double)(rx1 - rx0) / nw / done : 0, nw && done ? (double)(tx1 - tx0) / nw / done : 0,
           sample && done ? (double)(sg1 - sg0) / sample / done : 0, done ? (double)(ctl.rx - crx0) / done : 0, done ? (double)(ctl.tx - ctx0) / done : 0,
           pct(lat, nlat, .5), pct(lat, nlat, .95), pct(lat, nlat, .99), pct(lat, nlat, 1));
    procs_print(a, b);
    struct { const char *n; double *v; } cols[] = { { "ack_us", ack }, { "w0_us", w0 }, { "first_us", first }, { "last_us", last }, { "note_last_us", note } };
    for (int j = 0; j < 5; j++) {
        if (nw == 0 && j) continue;
        if (!note_needle && j == 4) continue;
        printf(",\"%s\":[", cols[j].n);
        for (int i = 0; i < done; i++) printf("%s%.1f", i ? "," : "", cols[j].v[i]);
        printf("]");
    }
    printf("}\n"); fflush(stdout);
    free(ack); free(w0); free(last); free(first); free(note);
}

static void hold(double secs) {
    proc_t a[MAXPID], b[MAXPID]; uint64_t rx0, tx0, sg0, rx1, tx1, sg1; int sample = nw < 50 ? nw : 50;
    traffic(&rx0, &tx0, &sg0, sample); procs_read(a); uint64_t t0 = now();
    spin_until(t0 + secs * 1e9);
    uint64_t w = now() - t0; procs_read(b); traffic(&rx1, &tx1, &sg1, sample);
    printf("{\"phase\":\"hold\",\"n\":%d,\"live\":%d,\"wall_ms\":%.1f,\"rx_per_s\":%.2f,", nw, live, w / 1e6, nw ? (rx1 - rx0) / (double)nw / (w / 1e9) : 0);
    procs_print(a, b); threads_print(a, b); printf("}\n"); fflush(stdout);
}

static void storm(int n, double limit_s) {
    if (n > nw) n = nw;
    proc_t a[MAXPID], b[MAXPID]; procs_read(a);
    uint64_t e0 = conn_errors, c0 = self_cpu(); int before = live;
    for (int i = 0; i < n; i++) conn_close(&W[i], 0);
    uint64_t t0 = now(); retried = 0; (void)e0;
    for (int i = 0; i < n; i++) conn_open(&W[i]);
    while (live < before && now() - t0 < limit_s * 1e9) {
        pump(20);
        retry_stale(n);
    }
    uint64_t t1 = now();
    procs_read(b);
    uint32_t *v = malloc(4 * (n + 1)); int k = 0;
    for (int i = 0; i < n; i++) if (W[i].state == C_LIVE) v[k++] = (W[i].t_ready - t0) / 100;
    qsort(v, k, 4, cmp32);
    printf("{\"phase\":\"storm\",\"n\":%d,\"fresh\":%d,\"retries\":%llu,\"all_ms\":%.2f,\"p50_ms\":%.2f,\"p99_ms\":%.2f,\"client_cpu_us\":%.1f,",
           n, k, (unsigned long long)retried, k == n ? pct(v, k, 1) / 1e3 : (t1 - t0) / 1e6, pct(v, k, .5) / 1e3, pct(v, k, .99) / 1e3, (self_cpu() - c0) / 1e3);
    procs_print(a, b); printf("}\n"); fflush(stdout); free(v);
}

// The first n watchers ask for much, `count` times, and read nothing from then on.
static void stall(int n, int count) {
    if (!flood_cmd || n > nw) die("stall needs the line flood, and as many watchers");
    char b[8192];
    for (int i = 0; i < n; i++) {
        if (W[i].state != C_LIVE) die("a watcher that was to stop reading is not connected");
        for (int j = 1; j <= count; j++) send_msg(&W[i], expand(flood_cmd, j, i, b, sizeof b));
        struct epoll_event e = { .events = 0, .data.ptr = &W[i] };
        epoll_ctl(ep, EPOLL_CTL_MOD, W[i].fd, &e);
        W[i].state = C_STALLED; live--; stalled++;
    }
    t_stall = now();
    printf("{\"phase\":\"stall\",\"n\":%d}\n", n); fflush(stdout);
}

// Waits until the server has ended everyone who stopped reading, and says how long each was kept.
static void gone(int n, double limit_s) {
    proc_t a[MAXPID]; procs_read(a);
    while (stalled && now() - t_stall < limit_s * 1e9) pump(20);
    uint32_t *v = malloc(4 * (n + 1)); int k = 0;
    for (int i = 0; i < n; i++) if (W[i].state == C_DEAD) v[k++] = (W[i].t_ready - t_stall) / 100;
    qsort(v, k, 4, cmp32);
    printf("{\"phase\":\"gone\",\"n\":%d,\"ended\":%d,\"p50_ms\":%.1f,\"max_ms\":%.1f,", n, k, pct(v, k, .5) / 1e3, pct(v, k, 1) / 1e3);
    procs_print(a, a); printf("}\n"); fflush(stdout); free(v);
}

static void control_connect(conn_t *c, int idx) {
    c->ctl = 1; c->idx = idx;
    conn_open(c);
    uint64_t t0 = now();
    while (c->state != C_LIVE) {
        struct epoll_event ev[64]; int k = epoll_wait(ep, ev, 64, 100);
        for (int i = 0; i < k; i++) on_event(ev[i].data.ptr, ev[i].events);
        if (c->state == C_DEAD || now() - t0 > 20000000000ull) die("a control connection could not be made");
    }
}

// One change after another; while each is being told, the second connection asks and is answered,
// again and again, `ask_us` after the last answer. Only questions sent before the last watcher knew count.
static void ask(const char *kn, int count, int gap_us, int ask_us, double limit_s) {
    kind_t *k = NULL;
    for (int i = 0; i < nkinds; i++) if (!strcmp(kinds[i].name, kn)) k = &kinds[i];
    if (!k || !ask_cmd) die("ask needs a kind and the lines ask and answer");
    if (second.idx == 0) control_connect(&second, -2);
    enum { CAP = 100000 };
    double *all = malloc(CAP * sizeof *all), *at_once = malloc(count * sizeof *at_once);
    int n = 0, m = 0, missing = 0, done = 0; long missing_events = 0;
    char buf[8192]; uint64_t start = now();
    for (; done < count && now() - start < limit_s * 1e9; done++) {
        cur = &k->v[k->next++ % k->nv]; command_id++;
        expand(cur->cmd, command_id, -1, buf, sizeof buf);
        expand(cur->ack, command_id, -1, curack, sizeof curack);
        expand(cur->event, command_id, -1, curevent, sizeof curevent);
        nseen = nnoted = 0; awaiting_ack = 1; nlat = 0; seq = command_id;
        int target = live; uint64_t t0 = now();
        t_send = t0;
        send_msg(&ctl, buf);
        for (int nth = 0; (awaiting_ack || nseen < target) && now() - t0 < 10000000000ull; nth++) {
            if (nth) { uint64_t until = now() + ask_us * 1000ull; while (nseen < target && now() < until) pump(nseen < target ? 1 : 0); }
            if (nth && nseen >= target) break;
            question_id++;
            expand(ask_ack, question_id, -2, asked, sizeof asked);
            awaiting_answer = 1; t_answer = 0;
            uint64_t q0 = now();
            send_msg(&second, expand(ask_cmd, question_id, -2, buf, sizeof buf));
            while (awaiting_answer && now() - q0 < 10000000000ull) pump(100);
            if (awaiting_answer) { missing++; awaiting_answer = 0; break; }
            double us = (t_answer - q0) / 1e3;
            if (!nth) at_once[m++] = us;
            if (n < CAP) all[n++] = us;
            if (live < target) target = live;
        }
        while ((awaiting_ack || nseen < live) && now() - t0 < 10000000000ull) pump(10);
        if (awaiting_ack) { missing++; awaiting_ack = 0; }
        if (nseen < live) missing_events += live - nseen;
        spin_until(now() + gap_us * 1000ull);
    }
    seq = 0;
    printf("{\"phase\":\"ask\",\"kind\":\"%s\",\"n\":%d,\"live\":%d,\"count\":%d,\"missing_acks\":%d,\"missing_events\":%ld", kn, nw, live, done, missing, missing_events);
    struct { const char *n; double *v; int k; } cols[] = { { "answer_us", all, n }, { "at_once_us", at_once, m } };
    for (int j = 0; j < 2; j++) {
        printf(",\"%s\":[", cols[j].n);
        for (int i = 0; i < cols[j].k; i++) printf("%s%.1f", i ? "," : "", cols[j].v[i]);
        printf("]");
    }
    printf("}\n"); fflush(stdout);
    free(all); free(at_once);
}

static void ctl_send(const char *s) { char b[8192]; send_msg(&ctl, expand(s, 99999, -1, b, sizeof b)); }
static void ctl_waitfor(char *needle, double limit_s) {
    ctl_wait = needle; ctl_wait_hit = 0; uint64_t t0 = now();
    while (!ctl_wait_hit && now() - t0 < limit_s * 1e9) pump(50);
    if (!ctl_wait_hit) die("waited in vain: %.60s", needle[0] == '"' ? needle + 1 : needle);
    ctl_wait = NULL;
}

static void add_step(step_t *s, int *n, char *v) {
    if (*n >= MAXSTEP) die("too many steps");
    s[*n].send = !strncmp(v, "send ", 5);
    if (!s[*n].send && strncmp(v, "wait ", 5)) die("bad step");
    s[(*n)++].text = unesc(v + 5);
}

int main(int argc, char **argv) {
    if (argc < 2) { fprintf(stderr, "usage: fan SPEC\n"); return 2; }
    FILE *f = fopen(argv[1], "r");
    if (!f) { perror(argv[1]); return 2; }
    char *line = NULL; size_t cap = 0; ssize_t n; int max = 12000;
    while ((n = getline(&line, &cap, f)) >= 0) {
        if (n && line[n - 1] == '\n') line[--n] = 0;
        if (!n || *line == '#') continue;
        char *v = strchr(line, ' '); if (v) *v++ = 0; else v = "";
        if (!strcmp(line, "proto")) ws = !strcmp(v, "ws");
        else if (!strcmp(line, "tls")) {   // whom it speaks to is the bench's own hub
            tls = SSL_CTX_new(TLS_client_method());
            SSL_CTX_set_min_proto_version(tls, TLS1_3_VERSION);
            SSL_CTX_set_mode(tls, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
        }
        else if (!strcmp(line, "addr")) addr = strdup(v);
        else if (!strcmp(line, "port")) port = atoi(v);
        else if (!strcmp(line, "path")) path = strdup(v);
        else if (!strcmp(line, "retry_ms")) retry_ns = atoll(v) * 1000000ull;
        else if (!strcmp(line, "max")) max = atoi(v);
        else if (!strcmp(line, "subprotocol")) subproto = strdup(v);
        else if (!strcmp(line, "header")) {
            char *h = malloc((headers ? strlen(headers) : 0) + strlen(v) + 3);
            sprintf(h, "%s%s\r\n", headers ? headers : "", v); headers = h;
        }
        else if (!strcmp(line, "tokens")) {
            FILE *g = fopen(v, "r"); char *l = NULL; size_t c = 0; ssize_t m;
            if (!g) die("no token file");
            while ((m = getline(&l, &c, g)) > 0) {
                if (l[m - 1] == '\n') l[m - 1] = 0;
                tokens = realloc(tokens, sizeof *tokens * (ntokens + 1)); tokens[ntokens++] = strdup(l);
            }
            fclose(g);
        }
        else if (!strcmp(line, "winit")) add_step(winit, &nwinit, v);
        else if (!strcmp(line, "cinit")) add_step(cinit, &ncinit, v);
        else if (!strcmp(line, "wcycle")) add_step(wcycle, &nwcycle, v);
        else if (!strcmp(line, "note")) note_needle = unesc(v);
        else if (!strcmp(line, "ask")) ask_cmd = unesc(v);
        else if (!strcmp(line, "answer")) ask_ack = unesc(v);
        else if (!strcmp(line, "narrow")) narrow = atoi(v);
        else if (!strcmp(line, "flood")) flood_cmd = unesc(v);
        else if (!strcmp(line, "kind")) snprintf(kinds[nkinds++].name, 32, "%s", v);
        else if (!strcmp(line, "cmd")) { kind_t *k = &kinds[nkinds - 1]; k->v[k->nv++].cmd = unesc(v); }
        else if (!strcmp(line, "ack")) { kind_t *k = &kinds[nkinds - 1]; k->v[k->nv - 1].ack = unesc(v); }
        else if (!strcmp(line, "event")) { kind_t *k = &kinds[nkinds - 1]; k->v[k->nv - 1].event = unesc(v); }
        else if (!strcmp(line, "pid")) { sscanf(v, "%31s %d", pids[npids].name, &pids[npids].pid); npids++; }
        else if (!strcmp(line, "phase")) phases[nphases++].line = strdup(v);
        else die("unknown directive %s", line);
    }
    fclose(f);
    if (nwcycle && wcycle[0].send) die("wcycle must begin with a wait");
    struct rlimit rl = { 1 << 17, 1 << 17 };
    if (setrlimit(RLIMIT_NOFILE, &rl)) { getrlimit(RLIMIT_NOFILE, &rl); rl.rlim_cur = rl.rlim_max; setrlimit(RLIMIT_NOFILE, &rl); }
    ep = epoll_create1(EPOLL_CLOEXEC);
    wcap = max; W = calloc(wcap, sizeof *W);
    for (int i = 0; i < wcap; i++) { W[i].idx = i; W[i].fd = -1; }
    control_connect(&ctl, -1);
    for (int i = 0; i < nphases; i++) {
        char *p = phases[i].line, kn[32]; int x = 0, y = 0, z = 2000; double d = 0;
        if (sscanf(p, "grow %d %d %lf", &x, &y, &d) >= 1) grow(x, y ? y : 64, d ? d : 60);
        else if (sscanf(p, "cmds %31s %d %d %lf", kn, &x, &y, &d) >= 2) cmds(kn, x, y, d ? d : 60);
        else if (sscanf(p, "ask %31s %d %d %d %lf", kn, &x, &y, &z, &d) >= 2) ask(kn, x, y, z, d ? d : 60);
        else if (sscanf(p, "hold %lf", &d) == 1) hold(d);
        else if (sscanf(p, "storm %d %lf", &x, &d) >= 1) storm(x, d ? d : 60);
        else if (sscanf(p, "stall %d %d", &x, &y) == 2) stall(x, y);
        else if (sscanf(p, "gone %d %lf", &x, &d) == 2) gone(x, d);
        else if (sscanf(p, "sleep %d", &x) == 1) spin_until(now() + x * 1000000ull);
        else if (!strcmp(p, "recon")) {   // the controller joins anew, behind those there (the old connection
            int old = ctl.fd;             // ends after, or the server would hand out its slot again)
            epoll_ctl(ep, EPOLL_CTL_DEL, old, NULL); ctl.fd = -1; conn_close(&ctl, 0); control_connect(&ctl, -1); close(old);
        }
        else if (!strncmp(p, "ctl send ", 9)) ctl_send(unesc(p + 9));
        else if (!strncmp(p, "ctl wait ", 9)) ctl_waitfor(unesc(p + 9), 15);
        else die("unknown phase");
    }
    return 0;
}
