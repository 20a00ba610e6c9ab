/* The device's side of CPace (chapter 8), and the hashes of a proof (chapter 3). */
#include "remote.h"
#include <sys/random.h>
#include <wolfssl/wolfcrypt/chacha20_poly1305.h>
#include <wolfssl/wolfcrypt/curve25519.h>
#include <wolfssl/wolfcrypt/hmac.h>

/* Several pieces of memory, one after the other, into one hash. A piece that is `counted` has its length before it. */
struct piece { const void *data; size_t size; int is_counted; };
#define PLAIN(data, size) {data, size, 0}
#define COUNTED(data, size) {data, size, 1}
#define COUNT(pieces) (sizeof(pieces) / sizeof *(pieces))
static void hash_512(const struct piece *pieces, size_t count, unsigned char to[64]) {
    wc_Sha512 hash;
    int wrong = wc_InitSha512(&hash);
    for (size_t i = 0; i < count; i++) {
        unsigned char length = (unsigned char)pieces[i].size; /* below 128, so it is one byte */
        if (pieces[i].is_counted) wrong |= wc_Sha512Update(&hash, &length, 1);
        wrong |= wc_Sha512Update(&hash, pieces[i].data, (word32)pieces[i].size);
    }
    if ((wrong | wc_Sha512Final(&hash, to)) != 0) finish(1, "The library cannot hash.");
}
static void mac(int type, const unsigned char *key, size_t size, const struct piece *pieces, size_t count, unsigned char *to) {
    Hmac hash;
    int wrong = wc_HmacInit(&hash, NULL, INVALID_DEVID) | wc_HmacSetKey(&hash, type, key, (word32)size);
    for (size_t i = 0; i < count; i++) {
        unsigned char length = (unsigned char)pieces[i].size;
        if (pieces[i].is_counted) wrong |= wc_HmacUpdate(&hash, &length, 1);
        wrong |= wc_HmacUpdate(&hash, pieces[i].data, (word32)pieces[i].size);
    }
    if ((wrong | wc_HmacFinal(&hash, to)) != 0) finish(1, "The library cannot hash.");
    wc_HmacFree(&hash);
}

int differs(const void *a, const void *b, size_t size) { /* in a time that tells nothing */
    const volatile unsigned char *left = a, *right = b;
    int rest = 0;
    while (size-- > 0) rest |= left[size] ^ right[size];
    return rest;
}
void wipe(void *data, size_t size) {
    for (volatile unsigned char *p = data; size-- > 0;) *p++ = 0;
}
void fill(void *data, size_t size) {
    if (getentropy(data, size) != 0) finish(1, "The system gives no random numbers.");
}
void prove(const unsigned char key[32], const char *side, const unsigned char covered[80], unsigned char to[32]) {
    struct piece pieces[] = {PLAIN("baton/1 ", 8), PLAIN(side, strlen(side)), PLAIN(covered, 80)};
    mac(WC_SHA256, key, 32, pieces, COUNT(pieces), to);
}

/* 0 where the result is none: all zeros, as for a share of small order */
static int shared(const unsigned char scalar[32], const unsigned char share[32], unsigned char to[32]) {
    unsigned char clamped[32], base[32];
    static const unsigned char zeros[32];
    memcpy(clamped, scalar, 32), memcpy(base, share, 32), base[31] &= 127;
    clamped[0] &= 248, clamped[31] = (unsigned char)((clamped[31] & 127) | 64);
    int wrong = wc_curve25519_generic(32, to, 32, clamped, 32, base);
    wipe(clamped, sizeof clamped);
    return wrong == 0 && differs(to, zeros, 32) != 0;
}

/* `scalar` and `sid` are there. With zeros behind it the code fills the first block of the hash, whatever its length. */
int pair_begin(struct pairing *p, const void *code, size_t size, const unsigned char binding[32]) {
    static const unsigned char zeros[117];
    unsigned char hash[64], generator[32], channel[45];
    memcpy(channel, "baton-pair-v1", 13), memcpy(channel + 13, binding, 32);
    struct piece pieces[] = {COUNTED("CPace255", 8), COUNTED(code, size), COUNTED(zeros, sizeof zeros - size), COUNTED(channel, 45),
        COUNTED(p->sid, 36)};
    hash_512(pieces, COUNT(pieces), hash), field_elligator(hash, generator);
    int is_good = shared(p->scalar, generator, p->ya);
    wipe(hash, sizeof hash), wipe(generator, sizeof generator);
    return is_good;
}
static void tag(const struct pairing *p, const unsigned char share[32], const void *data, size_t size, unsigned char to[64]) {
    unsigned char key[64];
    struct piece pieces[] = {PLAIN("CPaceMac", 8), PLAIN(p->sid, 36), PLAIN(p->isk, 64)}, covered[] = {COUNTED(share, 32), COUNTED(data, size)};
    hash_512(pieces, COUNT(pieces), key), mac(WC_SHA512, key, 64, covered, COUNT(covered), to), wipe(key, sizeof key);
}
/* lv_cat of two texts, or of one */
static size_t joined(const char *one, const char *two, char to[128]) {
    size_t first = strlen(one), second = two ? strlen(two) : 0;
    if (first + second + 2 > 127) finish(1, "A name is too long to be paired with.");
    to[0] = (char)first, memcpy(to + 1, one, first);
    if (two) to[1 + first] = (char)second, memcpy(to + 2 + first, two, second);
    return first + second + (two ? 2 : 1);
}
int pair_prove(struct pairing *p, const unsigned char yb[32], const char *client, const char *name, unsigned char ta[64]) {
    unsigned char secret[32];
    char mine[128], hub[128];
    size_t size = joined(client, name, mine), hub_size = joined(p->hub, NULL, hub);
    memcpy(p->yb, yb, 32);
    if (!differs(yb, p->ya, 32) || !shared(p->scalar, yb, secret)) return 0;
    struct piece pieces[] = {COUNTED("CPace255_ISK", 12), COUNTED(p->sid, 36), COUNTED(secret, 32), COUNTED(p->ya, 32), COUNTED(mine, size),
        COUNTED(yb, 32), COUNTED(hub, hub_size)};
    hash_512(pieces, COUNT(pieces), p->isk), wipe(secret, sizeof secret), wipe(p->scalar, sizeof p->scalar);
    tag(p, p->ya, mine, size, ta);
    return 1;
}
int pair_finish(const struct pairing *p, const unsigned char tb[64], const unsigned char wk[48], unsigned char key[32]) {
    unsigned char expected[64], wrapping[32];
    static const unsigned char nonce[12];
    char hub[128];
    tag(p, p->yb, hub, joined(p->hub, NULL, hub), expected);
    if (differs(tb, expected, 64)) return 0;
    int wrong = wc_HKDF(WC_SHA256, p->isk, 64, p->sid, 36, (const byte *)"baton-wrap", 10, wrapping, 32);
    if (wrong == 0) wrong = wc_ChaCha20Poly1305_Decrypt(wrapping, nonce, NULL, 0, wk, 32, wk + 32, key);
    wipe(wrapping, sizeof wrapping);
    return wrong == 0;
}
