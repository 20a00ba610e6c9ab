#include "remote.h"

static const char *blank(const char *p) { return p + strspn(p, " \t\r\n"); }
static const char *past_string(const char *p) {
    for (p++; *p && *p != '"'; p++) p += *p == '\\' && p[1];
    return *p ? p + 1 : p;
}
/* One character behind a value. Brackets in strings do not count. */
static const char *past(const char *p) {
    int depth = 0;
    if (*p != '{' && *p != '[') return *p == '"' ? past_string(p) : p + strcspn(p, ",]} \t\r\n");
    do {
        depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
        p = *p == '"' ? past_string(p) : p + 1;
    } while (*p && depth > 0);
    return p;
}

const char *json_member(const char *p, const char *name) {
    for (p = p && *p == '{' ? p : ""; *p == '{' || *p == ','; p = blank(past(p))) {
        const char *found = blank(p + 1);
        if (*found != '"' || *(p = blank(past_string(found))) != ':') return NULL;
        p = blank(p + 1);
        if (json_is(found, name)) return p;
    }
    return NULL;
}

int json_numbers(const char *p, long long *to, int count) {
    int is_array = p && *p == '[', n = 0;
    for (p = is_array ? blank(p + 1) : p; p && n < count && (*p == '-' || (*p >= '0' && *p <= '9')); p = blank(p + 1)) {
        double number = strtod(p, NULL); /* 1.0 and 10e-1 are integers too (BT-TRN-007), and none is beyond 2^53. */
        to[n++] = number > -9.1e15 && number < 9.1e15 ? (long long)number : 0;
        if (!is_array || *(p = blank(past(p))) != ',') break;
    }
    return n;
}

int json_is(const char *p, const char *text) {
    return p && *p == '"' && strncmp(p + 1, text, strlen(text)) == 0 && p[1 + strlen(text)] == '"';
}

void json_copy(const char *p, char *to, size_t size) {
    size_t length = p && *p == '"' ? (size_t)(past_string(p) - p) : 0;
    length = length >= 2 && length - 2 < size ? length - 2 : 0;
    memcpy(to, length ? p + 1 : "", length);
    to[length] = 0;
}

int json_has(const char *p, const char *text) {
    for (p = p && *p == '[' ? blank(p + 1) : ""; *p == '"'; p = blank(p + 1)) {
        if (json_is(p, text)) return 1;
        if (*(p = blank(past(p))) != ',') break;
    }
    return 0;
}

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

int json_name(const char *p, char *to, size_t size) {
    json_copy(p, to, size);
    return *to && to[strspn(to, digits)] == 0;
}

void base64(const unsigned char *data, size_t size, char *to) {
    for (size_t i = 0; i < size; i += 3, data += 3) {
        uint32_t bits = (uint32_t)data[0] << 16 | (i + 1 < size ? (uint32_t)data[1] << 8 : 0) | (i + 2 < size ? data[2] : 0);
        *to++ = digits[bits >> 18], *to++ = digits[bits >> 12 & 63];
        if (i + 1 < size) *to++ = digits[bits >> 6 & 63];
        if (i + 2 < size) *to++ = digits[bits & 63];
    }
    *to = 0;
}

int bytes(const char *text, unsigned char *to, size_t size) {
    size_t length = strspn(text, digits), done = 0;
    uint32_t bits = 0;
    if (length != (size * 4 + 2) / 3) return 0;
    for (size_t i = 0; i < length; i++) {
        bits = bits << 6 | (uint32_t)(strchr(digits, text[i]) - digits);
        if (i % 4 != 0) to[done++] = (unsigned char)(bits >> (6 - 2 * (i % 4)));
    }
    return done == size;
}

int json_bytes(const char *p, unsigned char *to, size_t size) {
    return p && *p == '"' && bytes(p + 1, to, size) && p[1 + (size * 4 + 2) / 3] == '"';
}
