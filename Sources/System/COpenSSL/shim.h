/* Sources/System/COpenSSL: what Swift cannot import by itself, and nothing else. */
#pragma once
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/* A macro around a variadic function. */
static inline EVP_PKEY *baton_p256_new(void) { return EVP_EC_gen("P-256"); }


/* Macros that end in casts. */
static inline int baton_aead_set_tag(EVP_CIPHER_CTX *context, const unsigned char *tag, int count) {
    return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, count, (void *)tag);
}

static inline int baton_aead_get_tag(EVP_CIPHER_CTX *context, unsigned char *tag, int count) {
    return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, count, tag);
}

/* The context of an extension is a struct that only a function and a macro together fill in. */
static inline X509_EXTENSION *baton_x509_extension(X509 *issuer, X509 *subject, int nid, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, subject, NULL, NULL, 0);
    return X509V3_EXT_conf_nid(NULL, &context, nid, value);
}
