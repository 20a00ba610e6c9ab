/* Sources/System/CQRencode: what Swift cannot import by itself, and nothing else.

   libqrencode is needed by one command of many, so it is not linked but opened when a code is first drawn. */
#pragma once
#include <dlfcn.h>
#include <qrencode.h>

static inline void *baton_qrencode_symbol(const char *name) {
    void *library = dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, name) : 0;
}

/* NULL also where the library is not installed. */
static inline QRcode *baton_QRcode_encodeData(int size, const unsigned char *data, int version, QRecLevel level) {
    QRcode *(*encode)(int, const unsigned char *, int, QRecLevel) =
        (QRcode * (*)(int, const unsigned char *, int, QRecLevel)) baton_qrencode_symbol("QRcode_encodeData");
    return encode ? encode(size, data, version, level) : 0;
}

static inline void baton_QRcode_free(QRcode *code) {
    void (*release)(QRcode *) = (void (*)(QRcode *))baton_qrencode_symbol("QRcode_free");
    if (release) release(code);
}
