/* The parts under the remote. None allocates: all buffers stand in `net` here and in `hub` in remote.c, and wolfSSL has memory.c's. */
#include <wolfssl/options.h>
#include <wolfssl/ssl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
/* json.c reads JSON where it lies: a value is a pointer to its first character, NULL stands for "not there". */
const char *json_member(const char *object, const char *name);
int json_numbers(const char *value, long long *to, int count); /* of an array, or one alone; says how many there were */
int json_is(const char *value, const char *text), json_has(const char *array, const char *text);
void json_copy(const char *value, char *to, size_t size); /* a string as it is written, escapes included; "" when it is longer */
int json_name(const char *value, char *to, size_t size); /* of A-Z a-z 0-9 - _ alone, and not empty */
void base64(const unsigned char *data, size_t size, char *to); /* base64url without padding */
int json_bytes(const char *value, unsigned char *to, size_t size), bytes(const char *text, unsigned char *to, size_t size); /* exactly so many */
/* net.c: one connection with TCP, TLS and WebSocket frames. */
enum { NOTHING = 0, MESSAGE = 1, ENDED = -1, REFUSED = -2, LONGEST = 1024 };
extern struct net {
    int socket, code, wait_s;                 /* -1 without a connection; the hub's close code or HTTP status, and Retry-After; 0 without */
    int has_pin, is_other, is_proved, is_open; /* is there a `pin`, is `key` another one, has the other end proved it, do frames go over it */
    int is_part;                              /* has a message begun of which more frames come */
    size_t have, used, kept, length;          /* bytes in `in`, those of them that are done with or parts of a message, and bytes in `out` */
    unsigned char pin[32], key[32], exporter[32]; /* SHA-256 of the hub's key, expected and found; bytes that only the two ends of TLS know */
    char in[LONGEST + 4], out[640], host[64]; /* `in` holds the longest frame, with its head */
} net;
int net_setup(const char *url), net_open(void); /* once; and for each connection, which takes at most 8 s: MESSAGE, ENDED, REFUSED */
int net_read(char **message);                   /* to be called until it gives NOTHING or ENDED */
void net_put(const char *format, ...), net_send(void), net_close(void); /* writes into `out`, sends this as one text */
/* pair.c and field.c: how a device is paired, and how it proves itself. */
struct pairing { unsigned char sid[36], scalar[32], ya[32], yb[32], isk[64]; char hub[65]; };
int pair_begin(struct pairing *p, const void *code, size_t size, const unsigned char binding[32]); /* makes `ya`; all three give 0 for "end it" */
int pair_prove(struct pairing *p, const unsigned char yb[32], const char *client, const char *name, unsigned char ta[64]);
int pair_finish(const struct pairing *p, const unsigned char tb[64], const unsigned char wk[48], unsigned char key[32]);
void prove(const unsigned char key[32], const char *side, const unsigned char covered[80], unsigned char to[32]);
int differs(const void *a, const void *b, size_t size);
void wipe(void *data, size_t size), fill(void *data, size_t size); /* with zeros, with random bytes */
void field_elligator(const unsigned char hash[32], unsigned char to[32]);
int field_verify(const unsigned char key[64], const unsigned char hash[32], const unsigned char r[32], const unsigned char s[32]);
/* keep.c: what a device keeps, in a file that only its owner reads. */
extern struct kept { char client[65], device[65], hub[65], path[208]; unsigned char key[32]; } kept; /* the pin is in `net` */
void keep_find(const char *path);                                /* the path that was given, or the usual one */
int keep_read(char url[72]), keep_write(const char *role), keep_can(void); /* whether it could be read, is written, can be written */
/* memory.c: the stack and the heap, both of fixed size. */
int memory_run(void (*body)(void)); /* gives wolfSSL its heap, and runs the body on a stack that is painted */
size_t memory_heap(void), memory_stack(void); /* the most that was used */
/* remote.c */
_Noreturn void finish(int code, const char *why); /* ends the program with a sentence */
long long now_us(void);
