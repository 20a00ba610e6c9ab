/* A TLS 1.3 server that shows a certificate without having its key: it signs by another one. `keyless CERTIFICATE KEY PORT` says "ready", and a
   line for each connection: "refused", or "heard" where the client believed it and sent data. */
#include <wolfssl/options.h>
#include <wolfssl/ssl.h>
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int count, char **given) {
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((unsigned short)(count == 4 ? atoi(given[3]) : 0))};
    int listener = socket(AF_INET, SOCK_STREAM, 0), link, on = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (count != 4 || wolfSSL_Init() != WOLFSSL_SUCCESS) return 1;
    if (bind(listener, (struct sockaddr *)&place, sizeof place) != 0 || listen(listener, 4) != 0) return 1;
    WOLFSSL_CTX *context = wolfSSL_CTX_new(wolfTLSv1_3_server_method());
    if (wolfSSL_CTX_use_certificate_file(context, given[1], WOLFSSL_FILETYPE_PEM) != WOLFSSL_SUCCESS
        || wolfSSL_CTX_use_PrivateKey_file(context, given[2], WOLFSSL_FILETYPE_PEM) != WOLFSSL_SUCCESS) return 2;
    for (setvbuf(stdout, NULL, _IOLBF, 0), puts("ready"); (link = accept(listener, NULL, NULL)) >= 0; close(link)) {
        char data[64];
        WOLFSSL *tls = wolfSSL_new(context);
        wolfSSL_set_fd(tls, link);
        puts(wolfSSL_accept(tls) == WOLFSSL_SUCCESS && wolfSSL_read(tls, data, sizeof data) > 0 ? "heard" : "refused");
        wolfSSL_free(tls);
    }
    return 0;
}
