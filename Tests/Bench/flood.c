// flood.c - one client that sends without end: flood HOST PORT KIND
//
// It connects, says hello, and sends the same frames as fast as the hub takes them. It sends on when it is told
// that the connection is closed, until the line is cut, and then comes back at once. It sleeps while the hub takes
// nothing, so it costs the machine no more than the hub lets it. When its standard input ends it prints one JSON
// object: how often it came, how many bytes left it, and with which codes it was closed.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <openssl/ssl.h>

static const char UPGRADE[] = "GET /baton HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: baton.v1\r\n\r\n";
static const char HELLO[] = "{\"t\":\"hello\",\"core\":\"1.0\",\"view\":\"watch\",\"client\":{\"id\":\"flooder-1\",\"name\":\"flooder\"}}";
static const char AUTH[] = "{\"t\":\"auth\",\"m\":\"device\",\"dev\":\"d_nobody\",\"nonce\":\"Zr1tYk0mVb2pQ7cXw8sLdA\","
    "\"mac\":\"m1yV0l4dQ0rS8Qm3b1o7n2uXkq9Jt5hE6cA8sRzPzVw\"}";

static unsigned long came, bytes, codes[10000];
static char many[1 << 16];
static size_t count;      // bytes in `many` that are whole frames
static const char *first; // what comes once before them
static size_t first_count;

// One frame with a mask of zeros; -> its length.
static size_t frame(char *to, int op, int final, const char *payload, size_t n) {
    size_t at = 0;
    to[at++] = (final ? 0x80 : 0) | op;
    if (n < 126) to[at++] = 0x80 | n;
    else { to[at++] = (char)(0x80 | 126); to[at++] = n >> 8; to[at++] = n & 255; }
    memset(to + at, 0, 4);
    memcpy(to + at + 4, payload, n);
    return at + 4 + n;
}

static void fill(int op, int final, const char *payload, size_t n) {
    char one[8192];
    size_t length = frame(one, op, final, payload, n);
    for (count = 0; count + length <= sizeof many; count += length) memcpy(many + count, one, length);
}

static int reach(const char *host, int port) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port)};
    inet_pton(AF_INET, host, &a.sin_addr);
    int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(fd, (void *)&a, sizeof a)) { close(fd); return -1; }
    return fd;
}

static int over(void) {
    struct pollfd p = {0, POLLIN | POLLHUP, 0};
    return poll(&p, 1, 0) > 0;
}

// What the hub says is only looked through for a close frame, which it sends last.
static int hear(const char *in, ssize_t n) {
    for (ssize_t i = 0; i + 3 < n; i++)
        if ((uint8_t)in[i] == 0x88) {
            unsigned code = (uint8_t)in[i + 2] << 8 | (uint8_t)in[i + 3];
            if (code >= 1000 && code < 5000 && (uint8_t)in[i + 1] == n - i - 2) { codes[code]++; return 1; }
        }
    return 0;
}

static void plain(const char *host, int port, int greets) {
    char in[65536], hello[512];
    while (!over()) {
        int fd = reach(host, port);
        if (fd < 0) { usleep(10000); continue; }
        came++;
        if (greets) {
            send(fd, UPGRADE, sizeof UPGRADE - 1, MSG_NOSIGNAL);
            if (recv(fd, in, sizeof in, 0) <= 0) { close(fd); usleep(10000); continue; }
            send(fd, hello, frame(hello, 1, 1, HELLO, sizeof HELLO - 1), MSG_NOSIGNAL);
        }
        if (first) send(fd, first, first_count, MSG_NOSIGNAL);
        fcntl(fd, F_SETFL, O_NONBLOCK);
        for (size_t at = 0; !over();) {
            struct pollfd p[2] = {{fd, POLLIN | POLLOUT, 0}, {0, POLLIN | POLLHUP, 0}};
            ssize_t n = send(fd, many + at, count - at, MSG_NOSIGNAL);
            if (n > 0) { bytes += n; at = (at + n) % count; p[0].events = POLLOUT; }
            else if (errno != EAGAIN) break;
            n = recv(fd, in, sizeof in, 0);
            if (n > 0) hear(in, n);
            // After the hub's end of its own side nothing comes, and what is sent still counts.
            else if (n == 0) p[0].events = POLLOUT;
            else if (errno != EAGAIN) break;
            poll(p, 2, 1000);
        }
        close(fd);
    }
}

// Keys: each on a connection of its own. Where the hub does not even shake hands, it is asked a thousand times a second.
static void keys(const char *host, int port) {
    char in[65536], out[1024];
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    size_t n = frame(out, 1, 1, HELLO, sizeof HELLO - 1);
    n += frame(out + n, 1, 1, AUTH, sizeof AUTH - 1);
    while (!over()) {
        int fd = reach(host, port);
        if (fd < 0) { usleep(1000); continue; }
        came++;
        SSL *ssl = SSL_new(context);
        SSL_set_fd(ssl, fd);
        if (SSL_connect(ssl) == 1) {
            SSL_write(ssl, UPGRADE, sizeof UPGRADE - 1);
            if (SSL_read(ssl, in, sizeof in) > 0 && SSL_write(ssl, out, n) > 0) {
                bytes += n;
                for (int got; (got = SSL_read(ssl, in, sizeof in)) > 0 && !hear(in, got);) {}
            }
        } else usleep(1000);
        SSL_free(ssl);
        close(fd);
    }
}

int main(int argc, char **argv) {
    if (argc != 4) { fprintf(stderr, "flood HOST PORT ping|pong|cancel|binary|pieces|long|body|command|keys\n"); return 2; }
    signal(SIGPIPE, SIG_IGN);
    static char begun[64];
    static char zeros[4096];
    const char *host = argv[1], *kind = argv[3];
    int port = atoi(argv[2]), greets = 1;
    static const char CANCEL[] = "{\"t\":\"cancel\",\"id\":7}", BODY[] = "POST /baton/cmd HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 700000000\r\n\r\n";
    if (!strcmp(kind, "ping")) fill(9, 1, "", 0);
    else if (!strcmp(kind, "pong")) fill(10, 1, "", 0);
    else if (!strcmp(kind, "cancel")) fill(1, 1, CANCEL, sizeof CANCEL - 1);
    else if (!strcmp(kind, "binary")) fill(2, 1, zeros, 1);
    else if (!strcmp(kind, "pieces")) { fill(0, 0, "", 0); first = begun; first_count = frame(begun, 1, 0, "{", 1); }
    else if (!strcmp(kind, "long")) { fill(0, 0, zeros, 4096); first = "\x81\xff\0\0\1\0\0\0\0\0\0\0\0\0"; first_count = 14; }
    else if (!strcmp(kind, "body")) { fill(0, 0, zeros, 4096); first = BODY; first_count = sizeof BODY - 1; greets = 0; }
    else if (!strcmp(kind, "command")) {
        count = 0;
        for (int id = 1; count + 128 < sizeof many; id++) {
            char text[96];
            int n = snprintf(text, sizeof text, "{\"t\":\"cmd\",\"id\":%d,\"m\":\"pause\"}", id);
            count += frame(many + count, 1, 1, text, n);
        }
    } else if (strcmp(kind, "keys")) return 2;
    printf("{\"begun\":1}\n");
    fflush(stdout);
    if (!strcmp(kind, "keys")) keys(host, port); else plain(host, port, greets);
    printf("{\"came\":%lu,\"bytes\":%lu,\"codes\":{", came, bytes);
    for (int code = 0, some = 0; code < 10000; code++)
        if (codes[code]) printf("%s\"%d\":%lu", some++ ? "," : "", code, codes[code]);
    printf("}}\n");
    return 0;
}
