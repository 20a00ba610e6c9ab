/* Sources/System/CCurl: what Swift cannot import by itself, and nothing else.

   libcurl brings some forty libraries along (Kerberos, LDAP, SSH ...), and a hub without sources on the network needs none
   of them. So it is not linked but opened when it is first needed, and its functions are called through the inlines below,
   under their own names with `baton_` in front. `baton_curl_open` comes first, on a thread that may block; after it returned
   0 all others may be called from anywhere, as libcurl documents for its own. Functions with any number of arguments, which
   Swift cannot call, have one inline for each kind of argument. */
#pragma once
#include <curl/curl.h>
#include <dlfcn.h>
#include <stddef.h>

static inline void *baton_curl_symbol(const char *name) {
    /* Already open, so this finds the same library and costs next to nothing. */
    return dlsym(dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL), name);
}

/* 0, or -1. The library is kept until the process ends. */
static inline int baton_curl_open(void) {
    if (!dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL)) return -1;
    CURLcode (*start)(long) = (CURLcode(*)(long))baton_curl_symbol("curl_global_init");
    return start && start(CURL_GLOBAL_DEFAULT) == CURLE_OK ? 0 : -1;
}

/* Each inline looks its function up once. Two threads that do so at the same time write the same value, so the race is
   harmless. */
#define BATON_CURL(result, name, parameters, arguments)                          \
    static inline result baton_##name parameters {                               \
        static result(*function) parameters;                                     \
        if (!function) function = (result(*) parameters)baton_curl_symbol(#name); \
        return function arguments;                                               \
    }

BATON_CURL(CURL *, curl_easy_init, (void), ())
BATON_CURL(void, curl_easy_cleanup, (CURL *easy), (easy))
BATON_CURL(CURLcode, curl_easy_pause, (CURL *easy, int mask), (easy, mask))
BATON_CURL(struct curl_slist *, curl_slist_append, (struct curl_slist *list, const char *line), (list, line))
BATON_CURL(void, curl_slist_free_all, (struct curl_slist *list), (list))
BATON_CURL(CURLM *, curl_multi_init, (void), ())
BATON_CURL(CURLMcode, curl_multi_cleanup, (CURLM *multi), (multi))
BATON_CURL(CURLMcode, curl_multi_add_handle, (CURLM *multi, CURL *easy), (multi, easy))
BATON_CURL(CURLMcode, curl_multi_remove_handle, (CURLM *multi, CURL *easy), (multi, easy))
BATON_CURL(CURLMcode, curl_multi_perform, (CURLM *multi, int *running), (multi, running))
BATON_CURL(CURLMcode, curl_multi_poll, (CURLM *multi, struct curl_waitfd *more, unsigned int many, int ms, int *ready),
           (multi, more, many, ms, ready))
BATON_CURL(CURLMcode, curl_multi_wakeup, (CURLM *multi), (multi))
BATON_CURL(CURLMsg *, curl_multi_info_read, (CURLM *multi, int *left), (multi, left))
BATON_CURL(CURLU *, curl_url, (void), ())
BATON_CURL(void, curl_url_cleanup, (CURLU *url), (url))
BATON_CURL(CURLUcode, curl_url_get, (CURLU *url, CURLUPart part, char **text, unsigned int flags), (url, part, text, flags))
BATON_CURL(CURLUcode, curl_url_set, (CURLU *url, CURLUPart part, const char *text, unsigned int flags), (url, part, text, flags))
BATON_CURL(void, curl_free, (void *memory), (memory))

#undef BATON_CURL

typedef CURLcode (*baton_curl_setopt)(CURL *, CURLoption, ...);

static inline baton_curl_setopt baton_curl_easy_setopt(void) {
    static baton_curl_setopt function;
    if (!function) function = (baton_curl_setopt)baton_curl_symbol("curl_easy_setopt");
    return function;
}

static inline CURLcode baton_curl_set_number(CURL *easy, CURLoption option, long value) {
    return baton_curl_easy_setopt()(easy, option, value);
}
static inline CURLcode baton_curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
    return baton_curl_easy_setopt()(easy, option, value);
}
static inline CURLcode baton_curl_set_text(CURL *easy, CURLoption option, const char *value) {
    return baton_curl_easy_setopt()(easy, option, value);
}
static inline CURLcode baton_curl_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return baton_curl_easy_setopt()(easy, option, value);
}

typedef size_t (*baton_curl_receive)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode baton_curl_on_header(CURL *easy, baton_curl_receive receive, void *context) {
    CURLcode code = baton_curl_easy_setopt()(easy, CURLOPT_HEADERFUNCTION, receive);
    return code ? code : baton_curl_easy_setopt()(easy, CURLOPT_HEADERDATA, context);
}
static inline CURLcode baton_curl_on_body(CURL *easy, baton_curl_receive receive, void *context) {
    CURLcode code = baton_curl_easy_setopt()(easy, CURLOPT_WRITEFUNCTION, receive);
    return code ? code : baton_curl_easy_setopt()(easy, CURLOPT_WRITEDATA, context);
}
static inline CURLcode baton_curl_on_sending(CURL *easy, baton_curl_receive send, void *context) {
    CURLcode code = baton_curl_easy_setopt()(easy, CURLOPT_READFUNCTION, send);
    return code ? code : baton_curl_easy_setopt()(easy, CURLOPT_READDATA, context);
}
static inline CURLcode baton_curl_on_socket(CURL *easy, curl_opensocket_callback open, void *context) {
    CURLcode code = baton_curl_easy_setopt()(easy, CURLOPT_OPENSOCKETFUNCTION, open);
    return code ? code : baton_curl_easy_setopt()(easy, CURLOPT_OPENSOCKETDATA, context);
}
static inline CURLcode baton_curl_on_connection(CURL *easy, curl_prereq_callback connected, void *context) {
    CURLcode code = baton_curl_easy_setopt()(easy, CURLOPT_PREREQFUNCTION, connected);
    return code ? code : baton_curl_easy_setopt()(easy, CURLOPT_PREREQDATA, context);
}

/* Swift imports neither of these macros: they are casts of values. */
static const size_t baton_curl_pause = CURL_WRITEFUNC_PAUSE;

static inline CURLMcode baton_curl_multi_set(CURLM *multi, CURLMoption option, long value) {
    typedef CURLMcode (*setopt)(CURLM *, CURLMoption, ...);
    static setopt function;
    if (!function) function = (setopt)baton_curl_symbol("curl_multi_setopt");
    return function(multi, option, value);
}

/* The context that belongs to a handle. */
static inline void *baton_curl_context(CURL *easy) {
    typedef CURLcode (*getinfo)(CURL *, CURLINFO, ...);
    static getinfo function;
    if (!function) function = (getinfo)baton_curl_symbol("curl_easy_getinfo");
    char *context = NULL;
    function(easy, CURLINFO_PRIVATE, &context);
    return context;
}

/* As LIBCURL_VERSION_NUM, of the library that was opened. */
static inline unsigned int baton_curl_version(void) {
    typedef curl_version_info_data *(*version)(CURLversion);
    static version function;
    if (!function) function = (version)baton_curl_symbol("curl_version_info");
    return function ? function(CURLVERSION_NOW)->version_num : 0;
}

/* `data` of a message is a union. */
static inline CURLcode baton_curl_result(const CURLMsg *message) { return message->data.result; }
