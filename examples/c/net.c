#include "remote.h"
#include <stdarg.h>

struct net net = {.socket = -1};
static SSL_CTX *context; static BIO *peer; /* without TLS there is no context */

int net_setup(const char *url) {
    int is_tls = strncmp(url, "wss://", 6) == 0;
    if (sscanf(url, is_tls ? "wss://%63[^/]" : "ws://%63[^/]", net.host) != 1) return ENDED;
    if (!is_tls || (context = SSL_CTX_new(TLS_client_method())) == NULL) return is_tls ? ENDED : NOTHING;
    SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
    return SSL_CTX_set_tlsext_max_fragment_length(context, TLSEXT_max_fragment_length_1024) == 1 ? MESSAGE : ENDED;
}

void net_put(const char *format, ...) {
    va_list values;
    va_start(values, format);
    net.length += (size_t)vsnprintf(net.out + net.length, sizeof net.out - net.length, format, values);
    va_end(values);
    if (net.length >= sizeof net.out) net.length = sizeof net.out - 1;
}
static int receive(void) {
    int got = BIO_read(peer, net.in + net.have, (int)(sizeof net.in - net.have));
    net.have += got > 0 ? (size_t)got : 0;
    return got > 0 ? MESSAGE : BIO_should_retry(peer) ? NOTHING : ENDED;
}
/* So little always fits into the system's buffer, unless the other end has been away for long. */
static int send_all(const char *data, size_t size) { return BIO_write(peer, data, (int)size) == (int)size ? NOTHING : ENDED; }
/* The certificate is the hub's own work, so only its key is compared (BT-TRN-017). `in` is still unused. */
static int check_key(void) {
    SSL *tls = NULL;
    BIO_get_ssl(peer, &tls);
    X509_PUBKEY *key = X509_get_X509_PUBKEY(SSL_get0_peer_certificate(tls));
    unsigned char *p = (unsigned char *)net.in;
    if (i2d_X509_PUBKEY(key, NULL) > (int)sizeof net.in) return REFUSED;
    SHA256((unsigned char *)net.in, (size_t)i2d_X509_PUBKEY(key, &p), net.key);
    SSL_export_keying_material(tls, net.exporter, 32, "EXPORTER-Channel-Binding", 24, NULL, 0, 0);
    return memcmp(net.key, net.pin, 32) == 0 ? MESSAGE : REFUSED;
}

static int upgrade(time_t until) {
    unsigned char random[20], nonce[29];
    char *end;
    RAND_bytes(random, 16), EVP_EncodeBlock(nonce, random, 16);
    net_put("GET /companion/v1 HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: %s\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: baton.v1\r\n\r\n", net.host, nonce);
    if (send_all(net.out, net.length) != NOTHING) return ENDED;
    for (memset(net.in, 0, sizeof net.in); strstr(net.in, "\r\n\r\n") == NULL;) {
        int got = net.have < sizeof net.in - 1 ? receive() : ENDED;
        if (got == ENDED || (got == NOTHING && BIO_wait(peer, until, 20) <= 0)) return ENDED;
    }
    if ((end = strcasestr(net.in, "\r\nRetry-After:")) != NULL) sscanf(end + 14, "%4d", &net.wait_s);
    if (sscanf(net.in, "HTTP/1.1 %d", &net.code) == 1 && (net.code == 400 || net.code == 403 || net.code == 404)) return REFUSED;
    net.length = 0, net_put("%s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", nonce);
    SHA1((unsigned char *)net.out, net.length, random), EVP_EncodeBlock(nonce, random, 20);
    if (net.code != 101 || strstr(net.in, (char *)nonce) == NULL) return ENDED;
    net.used = (size_t)(strstr(net.in, "\r\n\r\n") + 4 - net.in), net.code = 0, net.length = 0;
    return MESSAGE;
}

int net_open(void) {
    net.code = 0, net.wait_s = 0, net.have = 0, net.used = 0, net.length = 0;
    if ((peer = context ? BIO_new_ssl_connect(context) : BIO_new_connect(net.host)) == NULL) return ENDED;
    BIO_set_conn_hostname(peer, net.host), BIO_set_nbio(peer, 1);
    if (BIO_do_connect_retry(peer, 8, 20) <= 0) return ENDED;
    net.socket = (int)BIO_get_fd(peer, NULL);
    return context && check_key() != MESSAGE ? REFUSED : upgrade(time(NULL) + 8);
}

static int send_frame(int opcode, char *data, size_t length) {
    size_t size = length < 126 ? 6 : 8;
    unsigned char head[8] = {0, 0, (unsigned char)(length >> 8), (unsigned char)length};
    head[0] = (unsigned char)(0x80 | opcode), head[1] = (unsigned char)(0x80 | (size == 6 ? length : 126));
    RAND_bytes(head + size - 4, 4);
    for (size_t i = 0; i < length; i++) data[i] ^= (char)head[size - 4 + (i & 3)];
    return send_all((char *)head, size) == NOTHING ? send_all(data, length) : ENDED;
}
/* A connection that has failed is noticed by the next reading. */
void net_send(void) { send_frame(1, net.out, net.length), net.length = 0; }

void net_close(void) {
    char bye[2] = {3, (char)0xe8}; /* 1000 */
    if (net.socket >= 0) send_frame(8, bye, 2);
    BIO_free_all(peer), ERR_clear_error();
    peer = NULL, net.socket = -1, net.length = 0;
}

int net_read(char **message) {
    for (int got;;) {
        memmove(net.in, net.in + net.used, net.have -= net.used);
        net.used = 0;
        const unsigned char *in = (unsigned char *)net.in;
        size_t length = net.have < 2 ? 0 : in[1] > 126 ? LONGEST + 1 : in[1], size = length == 126 ? 4 : 2;
        if (size == 4 && net.have >= 4) length = (size_t)in[2] << 8 | in[3];
        if (net.have >= size && (length > LONGEST || in[0] < 0x80)) return ENDED; /* hello.max was not kept, or this is a part of a message */
        if (net.have < size || net.have < size + length) {
            if ((got = receive()) != MESSAGE) return got;
            continue;
        }
        net.used = size + length;
        if (in[0] == 0x88 && length >= 2) net.code = in[size] << 8 | in[size + 1];
        if (in[0] == 0x88 || (in[0] == 0x89 && send_frame(10, net.in + size, length) != NOTHING)) return ENDED;
        if (in[0] != 0x81) continue;
        memmove(*message = net.in, net.in + size, length);
        net.in[length] = 0; /* In front of it the head of the frame was, so there is room. */
        return MESSAGE;
    }
}
