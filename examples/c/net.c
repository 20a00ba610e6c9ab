#include "remote.h"
#include <errno.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <unistd.h>
#include <wolfssl/wolfcrypt/asn_public.h>
#include <wolfssl/wolfcrypt/ecc.h>
#include <wolfssl/wolfcrypt/sha.h>
#include <wolfssl/wolfcrypt/sha256.h>

struct net net = {.socket = -1};
static WOLFSSL_CTX *context; static WOLFSSL *tls; /* without TLS there is no context */

/* Called in the handshake, with the hub's certificate read and nothing but our hello sent: the certificate is the hub's own work, so only its key is
   compared (BT-TRN-017), and then the signature by which the hub shows that it has this key is checked. */
static int check_key(WOLFSSL *ssl, const byte *signature, word32 size, const byte *hash, word32 hash_size, const byte *key, word32 key_size,
    int *is_right, void *unused) {
    static const byte head[] = { /* of the SubjectPublicKeyInfo of a key on P-256; its point follows */
        0x30, 0x59, 0x30, 0x13, 6, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1, 6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7, 3, 0x42, 0, 4};
    byte r[32], s[32], padded[64] = {0};
    word32 r_size = sizeof r, s_size = sizeof s;
    (void)ssl, (void)unused, *is_right = 0;
    if (key_size != sizeof head + 64 || memcmp(key, head, sizeof head) != 0 || hash_size != 32) return BAD_FUNC_ARG; /* not P-256 with SHA-256 */
    if (wc_Sha256Hash(key, key_size, net.key) != 0) return SIG_VERIFY_E;
    if ((net.is_other = net.has_pin && differs(net.key, net.pin, 32))) return SIG_VERIFY_E;
    if (wc_ecc_sig_to_rs(signature, size, r, &r_size, s, &s_size) != 0 || r_size > 32 || s_size > 32) return SIG_VERIFY_E;
    memcpy(padded + 32 - r_size, r, r_size), memcpy(padded + 64 - s_size, s, s_size);
    *is_right = net.is_proved = field_verify(key + sizeof head, hash, padded, padded + 32);
    return *is_right ? 0 : SIG_VERIFY_E;
}

int net_setup(const char *url) {
    int is_tls = strncmp(url, "wss://", 6) == 0, groups[] = {WOLFSSL_ECC_X25519};
    if (sscanf(url, is_tls ? "wss://%63[^/]" : "ws://%63[^/]", net.host) != 1) return ENDED;
    if (!is_tls) return NOTHING;
    if (wolfSSL_Init() != WOLFSSL_SUCCESS || (context = wolfSSL_CTX_new(wolfTLSv1_3_client_method())) == NULL) return ENDED;
    wolfSSL_CTX_set_verify(context, WOLFSSL_VERIFY_NONE, NULL); /* of names and issuers; check_key does the rest */
    wolfSSL_CTX_SetEccVerifyCb(context, check_key);
    wolfSSL_CTX_set_session_cache_mode(context, WOLFSSL_SESS_CACHE_OFF); /* A hub resumes no session. */
    return wolfSSL_CTX_UseMaxFragment(context, WOLFSSL_MFL_2_10) == WOLFSSL_SUCCESS && wolfSSL_CTX_set_groups(context, groups, 1) == WOLFSSL_SUCCESS
        && wolfSSL_CTX_set1_sigalgs_list(context, "ECDSA+SHA256") == WOLFSSL_SUCCESS
        && wolfSSL_CTX_set_cipher_list(context, "TLS13-CHACHA20-POLY1305-SHA256:TLS13-AES128-GCM-SHA256") == WOLFSSL_SUCCESS ? MESSAGE : ENDED;
}

void net_put(const char *format, ...) {
    va_list values;
    va_start(values, format);
    int size = vsnprintf(net.out + net.length, sizeof net.out - net.length, format, values);
    va_end(values);
    net.length += size > 0 ? (size_t)size : 0;
    if (net.length >= sizeof net.out) net.length = sizeof net.out - 1;
}
/* Bytes are there or can be sent, or it is too late. */
static int wait_for(int socket, short events, long long until) {
    struct pollfd one = {.fd = socket, .events = events};
    long long left = until - now_us();
    return left > 0 && poll(&one, 1, (int)(left / 1000) + 1) == 1 ? MESSAGE : ENDED;
}
static int receive(void) {
    size_t room = sizeof net.in - net.have;
    ssize_t got = tls ? wolfSSL_read(tls, net.in + net.have, (int)room) : recv(net.socket, net.in + net.have, room, 0);
    net.have += got > 0 ? (size_t)got : 0;
    if (got > 0) return MESSAGE;
    return (tls ? wolfSSL_get_error(tls, (int)got) == WOLFSSL_ERROR_WANT_READ : got < 0 && errno == EAGAIN) ? NOTHING : ENDED;
}
/* So little always fits into the system's buffer, unless the other end has been away for long. */
static int send_all(const char *data, size_t size) {
    if (size == 0) return NOTHING;
    return (tls ? wolfSSL_write(tls, data, (int)size) : send(net.socket, data, size, MSG_NOSIGNAL)) == (ssize_t)size ? NOTHING : ENDED;
}

static int upgrade(long long until) {
    unsigned char random[20];
    char nonce[29], *end;
    fill(random, 16), base64(random, 16, nonce), strcat(nonce, "==");
    for (char *p = nonce; *p; p++) *p = *p == '-' ? '+' : *p == '_' ? '/' : *p;
    net_put("GET /baton HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: %s\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: baton.v1\r\n\r\n", net.host, nonce);
    if (send_all(net.out, net.length) != NOTHING) return ENDED;
    for (memset(net.in, 0, sizeof net.in); strstr(net.in, "\r\n\r\n") == NULL;) {
        int got = net.have < sizeof net.in - 1 ? receive() : ENDED;
        if (got == ENDED || (got == NOTHING && wait_for(net.socket, POLLIN, until) != MESSAGE)) return ENDED;
        net.in[sizeof net.in - 1] = 0;
    }
    if ((end = strcasestr(net.in, "\r\nRetry-After:")) != NULL) sscanf(end + 14, "%4d", &net.wait_s);
    if (sscanf(net.in, "HTTP/1.1 %3d", &net.code) == 1 && (net.code == 400 || net.code == 403 || net.code == 404 || net.code == 410))
        return REFUSED;
    net.length = 0, net_put("%s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", nonce);
    if (wc_ShaHash((const byte *)net.out, (word32)net.length, random) != 0) return ENDED;
    base64(random, 20, nonce), strcat(nonce, "=");
    for (char *p = nonce; *p; p++) *p = *p == '-' ? '+' : *p == '_' ? '/' : *p;
    if (net.code != 101 || strstr(net.in, nonce) == NULL) return ENDED;
    net.used = (size_t)(strstr(net.in, "\r\n\r\n") + 4 - net.in), net.code = 0, net.length = 0, net.is_open = 1;
    return MESSAGE;
}

static int secure(long long until) {
    if ((tls = wolfSSL_new(context)) == NULL || wolfSSL_set_fd(tls, net.socket) != WOLFSSL_SUCCESS) return ENDED;
    wolfSSL_KeepArrays(tls); /* from which the exporter is derived; without them the session takes less memory */
    while (wolfSSL_connect(tls) != WOLFSSL_SUCCESS) {
        int error = wolfSSL_get_error(tls, 0), is_reading = error == WOLFSSL_ERROR_WANT_READ;
        if (net.is_other) return REFUSED;
        if ((!is_reading && error != WOLFSSL_ERROR_WANT_WRITE) || wait_for(net.socket, is_reading ? POLLIN : POLLOUT, until) != MESSAGE) return ENDED;
    }
    int is_there = wolfSSL_export_keying_material(tls, net.exporter, 32, "EXPORTER-Channel-Binding", 24, NULL, 0, 0) == WOLFSSL_SUCCESS;
    wolfSSL_FreeArrays(tls);
    return is_there && net.is_proved ? MESSAGE : ENDED;
}

/* Addresses are tried one after the other. */
static int reach(long long until) {
    char name[64];
    struct addrinfo wish = {.ai_socktype = SOCK_STREAM}, *found;
    memcpy(name, net.host, sizeof name);
    char *port = strrchr(name, ':'), *host = name;
    if (port == NULL) return ENDED;
    *port++ = 0;
    if (*host == '[' && port > host + 2 && port[-2] == ']') port[-2] = 0, host++;
    if (getaddrinfo(host, port, &wish, &found) != 0) return ENDED;
    for (struct addrinfo *one = found; one != NULL && net.socket < 0; one = one->ai_next) {
        int error = 0, on = 1;
        socklen_t size = sizeof error;
        if ((net.socket = socket(one->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) < 0) continue;
        setsockopt(net.socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        if (connect(net.socket, one->ai_addr, one->ai_addrlen) == 0) break;
        if (errno == EINPROGRESS && wait_for(net.socket, POLLOUT, until) == MESSAGE
            && getsockopt(net.socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0) break;
        close(net.socket), net.socket = -1;
    }
    freeaddrinfo(found);
    return net.socket >= 0 ? MESSAGE : ENDED;
}

int net_open(void) {
    long long until = now_us() + 8000000;
    net.code = 0, net.wait_s = 0, net.have = 0, net.used = 0, net.kept = 0, net.length = 0;
    net.is_part = net.is_open = net.is_other = net.is_proved = 0;
    int is_open = reach(until);
    if (is_open == MESSAGE && context != NULL) is_open = secure(until);
    return is_open == MESSAGE ? upgrade(until) : is_open;
}

static int send_frame(int opcode, char *data, size_t length) {
    size_t size = length < 126 ? 6 : 8;
    unsigned char head[8] = {0, 0, (unsigned char)(length >> 8), (unsigned char)length};
    head[0] = (unsigned char)(0x80 | opcode), head[1] = (unsigned char)(0x80 | (size == 6 ? length : 126));
    fill(head + size - 4, 4);
    for (size_t i = 0; i < length; i++) data[i] = (char)(data[i] ^ (char)head[size - 4 + (i & 3)]);
    return send_all((char *)head, size) == NOTHING ? send_all(data, length) : ENDED;
}
/* A connection that has failed is noticed by the next reading. */
void net_send(void) { send_frame(1, net.out, net.length), net.length = 0; }

void net_close(void) {
    char bye[2] = {3, (char)0xe8}; /* 1000 */
    if (net.is_open) send_frame(8, bye, 2);
    wolfSSL_free(tls);
    if (net.socket >= 0) close(net.socket);
    tls = NULL, net.socket = -1, net.length = 0, net.is_open = 0;
}

int net_read(char **message) {
    for (int got;;) {
        net.have -= net.used;
        memmove(net.in + net.kept, net.in + net.kept + net.used, net.have - net.kept); /* behind the parts of a message that have come */
        const unsigned char *in = (unsigned char *)net.in + net.kept;
        size_t have = net.have - net.kept, length = have < 2 ? 0 : in[1] > 126 ? LONGEST + 1 : in[1], size = length == 126 ? 4 : 2;
        int first = have ? in[0] : 0, kind = first & 15;
        net.used = 0;
        if (size == 4 && have >= 4) length = (size_t)in[2] << 8 | in[3];
        if (have >= size && length > LONGEST - net.kept) return ENDED; /* hello.max was not kept */
        if (have < size || have < size + length) {
            if ((got = receive()) != MESSAGE) return got;
            continue;
        }
        net.used = size + length;
        if (kind == 8 && length >= 2) net.code = in[size] << 8 | in[size + 1];
        if (kind == 8 || (kind == 9 && send_frame(10, net.in + net.kept + size, length) != NOTHING)) return ENDED;
        if (kind == 1 && net.is_part) return ENDED; /* a message begins when the one before has ended */
        if (kind != 1 && !(kind == 0 && net.is_part)) continue;
        memmove(net.in + net.kept, in + size, length);
        net.kept += length, net.used = size, net.is_part = first < 0x80;
        if (net.is_part) continue;
        net.in[net.kept] = 0; /* In front of it the head of the frame was, so there is room. */
        *message = net.in, net.used += net.kept, net.kept = 0;
        return MESSAGE;
    }
}
