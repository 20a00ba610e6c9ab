/* The two parts under the remote. Neither allocates; all buffers stand in `net` here and in `hub` in remote.c. */
#include <openssl/err.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
/* json.c reads JSON where it lies: a value is a pointer to its first character, NULL stands for "not there". */
const char *json_member(const char *object, const char *name);
int json_numbers(const char *value, long long *to, int count); /* of an array, or one alone; says how many there were */
int json_is(const char *value, const char *text);
void json_copy(const char *value, char *to, size_t size); /* a string as it is written, escapes included; "" when it is longer */
/* net.c: one connection with TCP, TLS and WebSocket frames. */
enum { NOTHING = 0, MESSAGE = 1, ENDED = -1, REFUSED = -2, LONGEST = 1024 };
extern struct net {
    int socket, code, wait_s;                 /* -1 without a connection; the hub's close code or HTTP status, and Retry-After; 0 without */
    size_t have, used, length;                /* bytes in `in`, those of them that are done with, and bytes in `out` */
    unsigned char pin[33], key[32], exporter[32]; /* SHA-256 of the hub's key, expected and found; bytes that only the two ends of TLS know */
    char in[LONGEST + 4], out[640], host[64]; /* `in` holds the longest frame, with its head */
} net;
int net_setup(const char *url), net_open(void); /* once; and for each connection, which takes at most 8 s: MESSAGE, ENDED, REFUSED */
int net_read(char **message);                   /* to be called until it gives NOTHING or ENDED */
void net_put(const char *format, ...), net_send(void), net_close(void); /* writes into `out`, sends this as one text */
