/* Numbers of 256 bits modulo a prime, for the two things that Debian's wolfSSL does not offer, or pays for with 1.7 MB of tables: a point of
   Curve25519 from a hash (Elligator 2, for CPace), and the check of the hub's signature on P-256. A device with hardware for curves uses that. */
#include "remote.h"

typedef uint32_t num[8]; /* the lowest first; modulo a field all are below its prime, and in Montgomery's form: times 2^256 */
struct field { num prime, square; uint32_t inverse; }; /* `square`: 2^512 modulo the prime; `inverse`: -1/prime modulo 2^32 */
struct point { num x, y, z; }; /* Jacobian: x / z^2, y / z^3; z = 0 at infinity */
static const num curve_25519 = {0xffffffed, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, 0x7fffffff}, p_256 = {~0u, ~0u, ~0u, 0, 0, 0, 1, ~0u},
    n_256 = {0xfc632551, 0xf3b9cac2, 0xa7179e84, 0xbce6faad, ~0u, ~0u, 0, ~0u},
    b_256 = {0x27d2604b, 0x3bce3c3e, 0xcc53b0f6, 0x651d06b0, 0x769886bc, 0xb3ebbd55, 0xaa3a93e7, 0x5ac635d8},
    x_256 = {0xd898c296, 0xf4a13945, 0x2deb33a0, 0x77037d81, 0x63a440f2, 0xf8bce6e5, 0xe12c4247, 0x6b17d1f2},
    y_256 = {0x37bf51f5, 0xcbb64068, 0x6b315ece, 0x2bce3357, 0x7c0f9e16, 0x8ee7eb4a, 0xfe1a7f9b, 0x4fe342e2};

/* No branch and no address depends on a value in what CPace uses. */
static void choose(num to, const num a, const num b, uint32_t is_a) {
    for (int i = 0; i < 8; i++) to[i] = b[i] ^ ((a[i] ^ b[i]) & (0 - is_a));
}
static uint32_t take_away(num to, const num a, const num b) { /* gives back the borrow */
    uint64_t part = 0;
    for (int i = 0; i < 8; i++) part = (uint64_t)a[i] - b[i] - (part >> 63), to[i] = (uint32_t)part;
    return (uint32_t)(part >> 63);
}
static void reduce(const struct field *f, num to, const num value, uint32_t carry) { /* of a value below twice the prime */
    num less;
    uint32_t borrow = take_away(less, value, f->prime);
    choose(to, less, value, carry | (borrow ^ 1));
}
static void add(const struct field *f, num to, const num a, const num b) {
    uint64_t part = 0;
    num sum;
    for (int i = 0; i < 8; i++) part = (uint64_t)a[i] + b[i] + (part >> 32), sum[i] = (uint32_t)part;
    reduce(f, to, sum, (uint32_t)(part >> 32));
}
static void subtract(const struct field *f, num to, const num a, const num b) {
    num less, more;
    uint32_t borrow = take_away(less, a, b);
    uint64_t part = 0;
    for (int i = 0; i < 8; i++) part = (uint64_t)less[i] + f->prime[i] + (part >> 32), more[i] = (uint32_t)part;
    choose(to, more, less, borrow);
}
static void multiply(const struct field *f, num to, const num a, const num b) {
    uint32_t sum[10] = {0};
    for (int i = 0; i < 8; i++) {
        uint64_t part = 0;
        for (int j = 0; j < 8; j++, part >>= 32) part += (uint64_t)a[j] * b[i] + sum[j], sum[j] = (uint32_t)part;
        part += sum[8], sum[8] = (uint32_t)part, sum[9] = (uint32_t)(part >> 32);
        uint32_t times = sum[0] * f->inverse;
        part = ((uint64_t)times * f->prime[0] + sum[0]) >> 32;
        for (int j = 1; j < 8; j++, part >>= 32) part += (uint64_t)times * f->prime[j] + sum[j], sum[j - 1] = (uint32_t)part;
        part += sum[8], sum[7] = (uint32_t)part, sum[8] = sum[9] + (uint32_t)(part >> 32);
    }
    reduce(f, to, sum, sum[8]);
}
static void begin(struct field *f, const num prime) {
    memcpy(f->prime, prime, sizeof(num)), memset(f->square, 0, sizeof(num));
    f->square[0] = 1, f->inverse = prime[0];
    for (int i = 0; i < 4; i++) f->inverse *= 2 - prime[0] * f->inverse;
    f->inverse = 0 - f->inverse;
    for (int i = 0; i < 512; i++) add(f, f->square, f->square, f->square);
}
static void enter(const struct field *f, num to, const num from) { multiply(f, to, from, f->square); } /* any number of 256 bits */
static void leave(const struct field *f, num to, const num from) { multiply(f, to, from, (num){1}); }
static void enter_small(const struct field *f, num to, uint32_t value) { enter(f, to, (num){value}); }
static void power(const struct field *f, num to, const num base, const num exponent) { /* the exponent is no secret */
    num result;
    enter_small(f, result, 1);
    for (int i = 255; i >= 0; i--) {
        multiply(f, result, result, result);
        if (exponent[i / 32] >> (i % 32) & 1) multiply(f, result, result, base);
    }
    memcpy(to, result, sizeof result);
}
static void invert(const struct field *f, num to, const num from) {
    num exponent;
    take_away(exponent, f->prime, (num){2}), power(f, to, from, exponent);
}
static int is_zero(const num a) { return (a[0] | a[1] | a[2] | a[3] | a[4] | a[5] | a[6] | a[7]) == 0; }
static void load(num to, const unsigned char from[32], int is_big) {
    memset(to, 0, sizeof(num));
    for (int i = 0; i < 32; i++) to[i / 4] |= (uint32_t)from[is_big ? 31 - i : i] << (8 * (i % 4));
}

/* v = -A / (1 + 2 r^2), or -v - A where v is no x of the curve; both are made, and one is chosen. */
void field_elligator(const unsigned char hash[32], unsigned char to[32]) {
    struct field f;
    num a, one, v, y, other, half;
    begin(&f, curve_25519), enter_small(&f, a, 486662), enter_small(&f, one, 1);
    load(v, hash, 0), v[7] &= 0x7fffffff, enter(&f, v, v);
    multiply(&f, v, v, v), add(&f, v, v, v), add(&f, v, v, one), invert(&f, v, v);
    multiply(&f, v, v, a), subtract(&f, v, (num){0}, v);
    add(&f, y, v, a), multiply(&f, y, y, v), add(&f, y, y, one), multiply(&f, y, y, v); /* v^3 + A v^2 + v */
    for (int i = 0; i < 8; i++) half[i] = f.prime[i] >> 1 | (i < 7 ? f.prime[i + 1] << 31 : 0); /* (p - 1) / 2 */
    power(&f, y, y, half), subtract(&f, y, y, one); /* 0 where it is a square */
    subtract(&f, other, (num){0}, v), subtract(&f, other, other, a);
    uint32_t rest = y[0] | y[1] | y[2] | y[3] | y[4] | y[5] | y[6] | y[7];
    choose(v, other, v, (rest | (0 - rest)) >> 31), leave(&f, v, v);
    for (int i = 0; i < 32; i++) to[i] = (unsigned char)(v[i / 4] >> (8 * (i % 4)));
}

static void twice(const struct field *f, struct point *p) {
    num delta, gamma, beta, alpha, some;
    multiply(f, delta, p->z, p->z), multiply(f, gamma, p->y, p->y), multiply(f, beta, p->x, gamma);
    subtract(f, alpha, p->x, delta), add(f, some, p->x, delta), multiply(f, alpha, alpha, some);
    add(f, some, alpha, alpha), add(f, alpha, alpha, some);
    add(f, p->z, p->y, p->z), multiply(f, p->z, p->z, p->z), subtract(f, p->z, p->z, gamma), subtract(f, p->z, p->z, delta);
    add(f, beta, beta, beta), add(f, beta, beta, beta), add(f, some, beta, beta);
    multiply(f, p->x, alpha, alpha), subtract(f, p->x, p->x, some);
    multiply(f, gamma, gamma, gamma), add(f, gamma, gamma, gamma), add(f, gamma, gamma, gamma), add(f, gamma, gamma, gamma);
    subtract(f, beta, beta, p->x), multiply(f, p->y, alpha, beta), subtract(f, p->y, p->y, gamma);
}
static void plus(const struct field *f, struct point *p, const struct point *q) {
    num u, v, s, t, h, r;
    if (is_zero(q->z)) return;
    if (is_zero(p->z)) { *p = *q; return; }
    multiply(f, h, p->z, p->z), multiply(f, r, q->z, q->z);
    multiply(f, u, p->x, r), multiply(f, v, q->x, h);
    multiply(f, s, r, q->z), multiply(f, s, s, p->y), multiply(f, t, h, p->z), multiply(f, t, t, q->y);
    subtract(f, h, v, u), subtract(f, r, t, s);
    if (is_zero(h) && is_zero(r)) { twice(f, p); return; }
    multiply(f, p->z, p->z, q->z), multiply(f, p->z, p->z, h); /* 0 for a point and its negative */
    multiply(f, v, h, h), multiply(f, u, u, v), multiply(f, v, v, h), multiply(f, s, s, v);
    multiply(f, p->x, r, r), subtract(f, p->x, p->x, v), subtract(f, p->x, p->x, u), subtract(f, p->x, p->x, u);
    subtract(f, u, u, p->x), multiply(f, p->y, r, u), subtract(f, p->y, p->y, s);
}
static int is_within(const num a, const num bound) { /* 1 to below the bound */
    num less;
    return !is_zero(a) && take_away(less, a, bound);
}

/* ECDSA on P-256. All values are public. */
int field_verify(const unsigned char key[64], const unsigned char hash[32], const unsigned char r[32], const unsigned char s[32]) {
    struct field p, n;
    struct point sums[3] = {0}, sum = {0}; /* the generator, the key, and both */
    num first, second, left, right;
    begin(&p, p_256), begin(&n, n_256);
    enter(&p, sums[0].x, x_256), enter(&p, sums[0].y, y_256), enter_small(&p, sums[0].z, 1), memcpy(sums[1].z, sums[0].z, sizeof(num));
    load(sums[1].x, key, 1), load(sums[1].y, key + 32, 1);
    if (!take_away(left, sums[1].x, p_256) || !take_away(left, sums[1].y, p_256)) return 0;
    enter(&p, sums[1].x, sums[1].x), enter(&p, sums[1].y, sums[1].y);
    multiply(&p, left, sums[1].y, sums[1].y), enter_small(&p, right, 3), multiply(&p, first, sums[1].x, sums[1].x), subtract(&p, first, first, right);
    multiply(&p, first, first, sums[1].x), enter(&p, right, b_256), add(&p, first, first, right);
    if (memcmp(left, first, sizeof left) != 0) return 0; /* y^2 = x^3 - 3 x + b */
    sums[2] = sums[0], plus(&p, &sums[2], &sums[1]);
    load(left, r, 1), load(right, s, 1), load(first, hash, 1);
    if (!is_within(left, n_256) || !is_within(right, n_256)) return 0;
    enter(&n, right, right), invert(&n, right, right), multiply(&n, first, first, right), multiply(&n, second, left, right);
    for (int i = 255; i >= 0; i--) {
        uint32_t which = (first[i / 32] >> (i % 32) & 1) | (second[i / 32] >> (i % 32) & 1) << 1;
        twice(&p, &sum);
        if (which) plus(&p, &sum, &sums[which - 1]);
    }
    if (is_zero(sum.z)) return 0;
    invert(&p, right, sum.z), multiply(&p, right, right, right), multiply(&p, right, right, sum.x), leave(&p, right, right);
    reduce(&n, right, right, 0);
    return memcmp(left, right, sizeof left) == 0;
}
