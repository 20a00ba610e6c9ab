/* Parts of examples/c as a program, for small_remote.py. Lines of words come in, in hexadecimal or as names, and a line of answers goes out for each:

       pair CODE BINDING SID CLIENT NAME HUB SCALAR YB TB WK    "ya ta key", or "ya refused" for a share or a tag that ends it
       prove KEY SIDE COVERED                                   the mac
       agree COUNT                                              signatures that field_verify and wolfCrypt judge alike, or what they do not
       read TEXT                                                "read", once all readers of JSON have had it, as what it is and as what it is not */
#include "remote.h"
#include <wolfssl/wolfcrypt/asn.h>
#include <wolfssl/wolfcrypt/ecc.h>

_Noreturn void finish(int code, const char *why) { fprintf(stderr, "%s\n", why), exit(code); }

static size_t unhex(const char *text, unsigned char *to, size_t room) {
    size_t size = 0;
    unsigned int byte;
    for (; size < room && sscanf(text, "%2x", &byte) == 1; text += 2) to[size++] = (unsigned char)byte;
    return size;
}
static void hex(const unsigned char *data, size_t size, const char *end) {
    for (size_t i = 0; i < size; i++) printf("%02x", data[i]);
    printf("%s", end);
}

static void pair(char words[11][200]) {
    struct pairing p;
    unsigned char code[16], binding[32], yb[32], tb[64] = {0}, wk[48] = {0}, ta[64], key[32];
    size_t size = unhex(words[1], code, sizeof code);
    memset(&p, 0, sizeof p);
    unhex(words[2], binding, 32), unhex(words[3], p.sid, 36), unhex(words[7], p.scalar, 32);
    snprintf(p.hub, sizeof p.hub, "%s", words[6]);
    if (!pair_begin(&p, code, size, binding)) finish(1, "no share");
    hex(p.ya, 32, " ");
    if (strcmp(words[8], "own") == 0) memcpy(yb, p.ya, 32); else unhex(words[8], yb, 32);
    for (char *c = words[5]; *c; c++) *c = *c == '_' ? ' ' : *c;
    if (!pair_prove(&p, yb, words[4], words[5], ta)) { puts("refused"); return; }
    hex(ta, 64, " ");
    unhex(words[9], tb, 64), unhex(words[10], wk, 48);
    if (pair_finish(&p, tb, wk, key)) hex(key, 32, "\n"); else puts("refused");
}

static const unsigned char order[32] = {0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51}, zeros[32], ones[32] = {[31] = 1};

/* A signature with s = 1, for which the hash is made: it is right, and with s = n + 1, which is the same modulo n, it is none. */
static void try_wide(WC_RNG *rng) {
    ecc_key key, once;
    unsigned char point[64], r[64], d[32], k[32], hash[32], wide[32];
    word32 sizes[6] = {32, 32, 32, 32, 32, 32};
    mp_int n, a, b, e;
    wc_ecc_init(&key), wc_ecc_init(&once), mp_init_multi(&n, &a, &b, &e, NULL, NULL);
    int wrong = wc_ecc_make_key_ex(rng, 32, &key, ECC_SECP256R1) | wc_ecc_make_key_ex(rng, 32, &once, ECC_SECP256R1);
    wrong |= wc_ecc_export_public_raw(&key, point, &sizes[0], point + 32, &sizes[1]) | wc_ecc_export_private_only(&key, d, &sizes[2]);
    wrong |= wc_ecc_export_public_raw(&once, r, &sizes[3], r + 32, &sizes[4]) | wc_ecc_export_private_only(&once, k, &sizes[5]);
    wrong |= mp_read_unsigned_bin(&n, order, 32) | mp_read_unsigned_bin(&a, r, 32) | mp_read_unsigned_bin(&b, d, 32);
    wrong |= mp_mulmod(&a, &b, &n, &e) | mp_read_unsigned_bin(&a, k, 32) | mp_submod(&a, &e, &n, &e) | mp_to_unsigned_bin_len(&e, hash, 32);
    memcpy(wide, order, 32), wide[31]++;
    if (wrong != 0 || !field_verify(point, hash, r, ones)) finish(1, "a signature that is right was not taken");
    if (field_verify(point, hash, r, wide)) finish(1, "a number above the order was taken");
    wc_ecc_free(&key), wc_ecc_free(&once);
}

/* Whether both take it: `r` and `s` are whole numbers of 32 bytes. */
static int is_alike(
    ecc_key *key, unsigned char point[64], const unsigned char hash[32], const unsigned char r[32], const unsigned char s[32], int *was) {
    unsigned char signature[80];
    word32 size = sizeof signature;
    int wolf = 0, ours = field_verify(point, hash, r, s);
    if (wc_ecc_rs_raw_to_sig(r, 32, s, 32, signature, &size) != 0 || wc_ecc_verify_hash(signature, size, hash, 32, &wolf, key) != 0) wolf = 0;
    *was += wolf;
    return ours == wolf;
}

static void agree(int count) {
    int judged = 0, taken = 0;
    WC_RNG rng;
    if (wc_InitRng(&rng) != 0) finish(1, "no random numbers");
    try_wide(&rng);
    for (int i = 0; i < count; i++) {
        ecc_key key;
        unsigned char point[64], hash[32], r[32], s[32], raw[80], number[32];
        word32 x_size = 32, y_size = 32, size = sizeof raw, r_size = 32, s_size = 32;
        wc_ecc_init(&key);
        /* Among the private keys are 1 and n - 1, whose public keys meet the generator and its negative. */
        memcpy(number, i == 0 ? ones : order, 32), number[31] = (unsigned char)(number[31] - (i > 0));
        int made = i < 2 ? wc_ecc_import_private_key_ex(number, 32, NULL, 0, &key, ECC_SECP256R1) : wc_ecc_make_key_ex(&rng, 32, &key, ECC_SECP256R1);
        if (i < 2) made |= wc_ecc_make_pub_ex(&key, NULL, &rng);
        fill(hash, 32);
        if (i == 2) memset(hash, 0, 32);
        if (i == 3) memset(hash, 255, 32);
        if (made != 0 || wc_ecc_export_public_raw(&key, point, &x_size, point + 32, &y_size) != 0
            || wc_ecc_sign_hash(hash, 32, raw, &size, &rng, &key) != 0 || wc_ecc_sig_to_rs(raw, size, r, &r_size, s, &s_size) != 0)
            finish(1, "no signature");
        memmove(r + 32 - r_size, r, r_size), memset(r, 0, 32 - r_size), memmove(s + 32 - s_size, s, s_size), memset(s, 0, 32 - s_size);
        unsigned char bit[1], other[32];
        fill(bit, 1);
        struct { const unsigned char *hash, *r, *s; } all[8] = {
            {hash, r, s}, {other, r, s}, {hash, other, s}, {hash, r, other}, {hash, zeros, s}, {hash, r, zeros}, {hash, order, s}, {hash, r, order}};
        for (int j = 0; j < 8; j++, judged++) {
            memcpy(other, j == 1 ? hash : j == 2 ? r : s, 32), other[*bit / 8] ^= (unsigned char)(1 << (*bit & 7));
            if (is_alike(&key, point, all[j].hash, all[j].r, all[j].s, &taken)) continue;
            printf("not alike: %d of %d ", j, i), hex(point, 64, " "), hex(hash, 32, " "), hex(r, 32, " "), hex(s, 32, "\n");
            return;
        }
        point[*bit / 4] ^= (unsigned char)(1 << (*bit & 7));
        if (field_verify(point, hash, r, s)) finish(1, "a point beside the curve was taken");
        wc_ecc_free(&key);
    }
    printf("%d alike, %d taken\n", judged, taken);
}

static void read_all(const char *text) {
    static const char *const names[] = {"t", "err", "s", "n", "l", "v", "hub", "m", "rooms", "nonce", "yb", "tb", "mac", "id", "pace", "epoch"};
    char *message = strdup(text), name[17]; /* of just its length, so that a reader beyond its end is noticed */
    const char *value = message;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        unsigned char data[64];
        long long numbers[3];
        if (i == 0 || value == NULL) value = message;
        value = json_member(value, names[i]);
        const char *outer = json_member(message, names[i]);
        json_copy(outer, name, sizeof name), json_name(outer, name, sizeof name), json_numbers(outer, numbers, 3), json_has(outer, "pin");
        json_bytes(outer, data, 16), json_bytes(outer, data, 32), json_bytes(outer, data, 64), json_is(outer, "device");
    }
    free(message), puts("read");
}

int main(void) {
    static char line[2048], words[11][200];
    while (fgets(line, sizeof line, stdin) != NULL) {
        int count = 0;
        if (strncmp(line, "read ", 5) == 0) { line[strcspn(line, "\n")] = 0, read_all(line + 5); continue; }
        for (char *word = strtok(line, " \n"); word != NULL && count < 11; word = strtok(NULL, " \n")) snprintf(words[count++], 200, "%s", word);
        if (strcmp(words[0], "pair") == 0) pair(words);
        else if (strcmp(words[0], "agree") == 0) agree(atoi(words[1]));
        else if (strcmp(words[0], "prove") == 0) {
            unsigned char key[32], covered[80], mac[32];
            unhex(words[1], key, 32), unhex(words[3], covered, 80), prove(key, words[2], covered, mac), hex(mac, 32, "\n");
        }
    }
    return 0;
}
