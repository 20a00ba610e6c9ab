/* Sources/System/CWebSockets: what Swift cannot import by itself, and nothing else. */
#pragma once
/* OpenSSL's macros for memory would put the path of this file into the program. */
#define OPENSSL_NO_FILENAMES
#include <libwebsockets.h>
#include <ev.h>
#include <openssl/x509.h>

/* A macro of sums of macros. */
static const size_t baton_lws_headroom = LWS_PRE;

/* The descriptor is a union inside the struct, and Swift would have to spell its padding. The bytes come as they are
   (and out of TLS): the HTTP of libwebsockets hides how a request was written. */
static inline struct lws *baton_lws_adopt_connection(struct lws_vhost *vhost, int fd, int is_secure, void *opaque) {
    lws_adopt_desc_t what = {0};
    what.vh = vhost;
    what.type = (lws_adoption_type)(LWS_ADOPT_SOCKET | (is_secure ? LWS_ADOPT_ALLOW_SSL : 0));
    what.fd.sockfd = fd;
    what.opaque = opaque;
    return lws_adopt_descriptor_vhost_via_info(&what);
}

static inline struct lws *baton_lws_adopt_file(struct lws_vhost *vhost, int fd, const char *protocol, void *opaque) {
    lws_adopt_desc_t what = {0};
    what.vh = vhost;
    what.type = LWS_ADOPT_RAW_FILE_DESC;
    what.fd.filefd = fd;
    what.vh_prot_name = protocol;
    what.opaque = opaque;
    return lws_adopt_descriptor_vhost_via_info(&what);
}

/* The settings of a TLS context are macros around one function with a cast.
   Partial writes and moving buffers are what libwebsockets itself relies on. */
static inline void baton_ssl_tighten(SSL_CTX *context) {
    SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
    SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION);
    SSL_CTX_set_num_tickets(context, 0);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET | SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
}

/* For other people's servers, some of which still speak TLS 1.2. */
static inline void baton_ssl_begin_outgoing(SSL_CTX *context) {
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
}

static inline void baton_ssl_forget_chain(SSL_CTX *context) { SSL_CTX_clear_chain_certs(context); }

static inline int baton_ssl_add_to_chain(SSL_CTX *context, const unsigned char *der, size_t count) {
    X509 *certificate = d2i_X509(NULL, &der, (long)count);
    if (!certificate) return 0;
    int done = (int)SSL_CTX_add1_chain_cert(context, certificate);
    X509_free(certificate);
    return done;
}

/* Pointers to pointers and a macro; 32 bytes are written. */
static inline int baton_ssl_peer_key_hash(SSL *ssl, unsigned char *hash) {
    X509 *certificate = SSL_get1_peer_certificate(ssl);
    if (!certificate) return 0;
    unsigned char *der = NULL;
    int count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &der);
    int done = count > 0 && EVP_Digest(der, (size_t)count, hash, NULL, EVP_sha256(), NULL);
    OPENSSL_free(der);
    X509_free(certificate);
    return done;
}

/* Macros around functions, in OpenSSL's words. `accept` has room for 28 letters and a zero. */
static inline int baton_ws_accept(const unsigned char *text, size_t count, unsigned char *accept) {
    unsigned char hash[20];
    if (!EVP_Digest(text, count, hash, NULL, EVP_sha1(), NULL)) return 0;
    return EVP_EncodeBlock(accept, hash, 20) == 28;
}

/* A macro around a function with a cast. */
static inline void baton_ssl_say_host(SSL *ssl, const char *name) { SSL_set_tlsext_host_name(ssl, name); }

/* libev sets its watchers up by macros. */
static inline void baton_ev_watch(
    struct ev_loop *loop, ev_io *watcher, int fd, void (*callback)(struct ev_loop *, ev_io *, int), void *data) {
    ev_io_init(watcher, callback, fd, EV_READ);
    watcher->data = data;
    ev_io_start(loop, watcher);
}

/* Kept apart from the implementation's own constants, which are expressions. */
static const unsigned int baton_ev_flags = EVBACKEND_EPOLL | EVFLAG_NOENV | EVFLAG_NOSIGMASK;

/* Declared only under _GNU_SOURCE, which Swift's own Glibc module does without. */
#ifndef __USE_GNU
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
#endif

/* The kernel's `struct ucred`, declared under the same condition. */
struct baton_peer_credentials {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};
