#include "service.h"

#include "../../support/scratch_path.h"
#include <arpa/inet.h>
#include <check.h>
#include <netinet/in.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct service {
    int listener, port;
    pthread_t thread;
    SSL_CTX *tls;
    char certificate[SCRATCH_BYTES];

    pthread_mutex_t mutex; /* all below */
    bool stopping;
    int visits;
    size_t request_len;
    char request[REQUEST_MAX];
};

struct visitor {
    int fd;
    SSL *ssl;
};

/* ---- bytes */

static ssize_t receive(const struct visitor *visitor, char *bytes, size_t size)
{
    return visitor->ssl ? SSL_read(visitor->ssl, bytes, (int)size)
                        : recv(visitor->fd, bytes, size, 0);
}

static bool give(const struct visitor *visitor, const char *bytes, size_t len)
{
    const ssize_t sent = visitor->ssl ? SSL_write(visitor->ssl, bytes, (int)len)
                                      : send(visitor->fd, bytes, len, MSG_NOSIGNAL);
    return sent == (ssize_t)len;
}

static bool is_whole(const char *request, size_t len)
{
    const char *body = strstr(request, "\r\n\r\n"), *length = strstr(request, "Content-Length: ");
    return body && length && len >= (size_t)(body + 4 - request) + strtoul(length + 16, NULL, 10);
}

static bool read_request(const struct visitor *visitor, char request[static REQUEST_MAX],
                         size_t *len)
{
    for (*len = 0; *len < REQUEST_MAX - 1;) {
        const ssize_t got = receive(visitor, request + *len, REQUEST_MAX - 1 - *len);
        if (got <= 0)
            return false;
        *len += (size_t)got;
        request[*len] = '\0';
        if (is_whole(request, *len))
            return true;
    }
    return false;
}

/* ---- answers */

static const struct {
    const char *path, *answer;
} answers[] = {
    {"/201", "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"},
    {"/404", "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"},
    {"/410", "HTTP/1.1 410 Gone\r\nContent-Length: 4\r\n\r\nGone"},
    {"/400", "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"},
    {"/403", "HTTP/1.1 403 Forbidden\r\nRetry-After: 5\r\nContent-Length: 0\r\n\r\n"},
    {"/429", "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n"},
    {"/500", "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"},
    {"/503", "HTTP/1.1 503 No\r\nRetry-After: 99999999\r\nContent-Length: 0\r\n\r\n"},
    {"/redirect", "HTTP/1.1 307 There\r\nLocation: /201\r\nContent-Length: 0\r\n\r\n"},
    {"/garbage", "\x16\x03\x01 garbage\r\n\r\n\xff\xfe"},
    {"/nothing", ""},
};

/* A part of an answer, again and again until the other side has had enough. */
static void repeat(const struct visitor *visitor, const char *begin, const char *part)
{
    bool taken = give(visitor, begin, strlen(begin));
    while (taken)
        taken = give(visitor, part, strlen(part));
}

static void say_nothing(const struct visitor *visitor)
{
    char byte;
    while (receive(visitor, &byte, 1) > 0)
        ;
}

static void answer(const struct visitor *visitor, const char *request)
{
    const char *path = strchr(request, ' ') + 1;
    const size_t path_len = strcspn(path, " ");
    if (strncmp(path, "/endless-body ", 14) == 0)
        repeat(visitor, "HTTP/1.1 201 Created\r\n\r\n", "and so on, and so on, and so on\n");
    else if (strncmp(path, "/endless-head ", 14) == 0)
        repeat(visitor, "HTTP/1.1 201 Created\r\n", "X-And-So: on, and so on, and so on\r\n");
    else if (strncmp(path, "/slow ", 6) == 0)
        say_nothing(visitor);
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        if (strlen(answers[i].path) == path_len && strncmp(path, answers[i].path, path_len) == 0)
            (void)give(visitor, answers[i].answer, strlen(answers[i].answer));
    }
}

static void remember(struct service *service, const char *request, size_t len)
{
    pthread_mutex_lock(&service->mutex);
    memcpy(service->request, request, len + 1);
    service->request_len = len;
    pthread_mutex_unlock(&service->mutex);
}

static void serve(struct service *service, int fd)
{
    struct visitor visitor = {.fd = fd};
    char request[REQUEST_MAX];
    size_t len;
    if (service->tls) {
        visitor.ssl = SSL_new(service->tls);
        SSL_set_fd(visitor.ssl, fd);
    }
    if ((!visitor.ssl || SSL_accept(visitor.ssl) == 1) && read_request(&visitor, request, &len)) {
        remember(service, request, len);
        answer(&visitor, request);
    }
    SSL_free(visitor.ssl);
    close(fd);
}

static bool is_stopping(struct service *service)
{
    pthread_mutex_lock(&service->mutex);
    const bool stopping = service->stopping;
    pthread_mutex_unlock(&service->mutex);
    return stopping;
}

static void *run(void *arg)
{
    struct service *service = arg;
    for (;;) {
        const int fd = accept(service->listener, NULL, NULL);
        if (fd < 0 || is_stopping(service)) {
            if (fd >= 0)
                close(fd);
            return NULL;
        }
        pthread_mutex_lock(&service->mutex);
        service->visits++;
        pthread_mutex_unlock(&service->mutex);
        serve(service, fd);
    }
}

/* ---- its certificate */

static X509 *certify(EVP_PKEY *key)
{
    X509 *certificate = X509_new();
    X509_set_version(certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
    X509_set_pubkey(certificate, key);
    X509_NAME *name = X509_get_subject_name(certificate);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"test", -1, -1, 0);
    X509_set_issuer_name(certificate, name);
    X509_EXTENSION *names = X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name, "DNS:localhost");
    X509_add_ext(certificate, names, -1);
    X509_EXTENSION_free(names);
    ck_assert_int_gt(X509_sign(certificate, key, EVP_sha256()), 0);
    return certificate;
}

static void use_tls(struct service *service)
{
    EVP_PKEY *key = EVP_EC_gen("prime256v1");
    X509 *certificate = certify(key);
    const int fd = mkstemp(scratch_path(service->certificate, "push-test", false));
    ck_assert_int_ge(fd, 0);
    FILE *file = fdopen(fd, "w");
    ck_assert_int_eq(PEM_write_X509(file, certificate), 1);
    fclose(file);
    service->tls = SSL_CTX_new(TLS_server_method());
    ck_assert_int_eq(SSL_CTX_use_certificate(service->tls, certificate), 1);
    ck_assert_int_eq(SSL_CTX_use_PrivateKey(service->tls, key), 1);
    X509_free(certificate);
    EVP_PKEY_free(key);
}

/* ---- starting and stopping */

static void open_listener(struct service *service)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    service->listener = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(service->listener, (struct sockaddr *)&address, sizeof address), 0);
    ck_assert_int_eq(listen(service->listener, 8), 0);
    ck_assert_int_eq(getsockname(service->listener, (struct sockaddr *)&address, &len), 0);
    service->port = ntohs(address.sin_port);
}

struct service *service_start(bool tls)
{
    struct service *service = calloc(1, sizeof *service);
    ck_assert_ptr_nonnull(service);
    pthread_mutex_init(&service->mutex, NULL);
    if (tls)
        use_tls(service);
    open_listener(service);
    ck_assert_int_eq(pthread_create(&service->thread, NULL, run, service), 0);
    return service;
}

void service_stop(struct service *service)
{
    pthread_mutex_lock(&service->mutex);
    service->stopping = true;
    pthread_mutex_unlock(&service->mutex);
    shutdown(service->listener, SHUT_RDWR);
    pthread_join(service->thread, NULL);
    close(service->listener);
    if (service->tls)
        unlink(service->certificate);
    SSL_CTX_free(service->tls);
    pthread_mutex_destroy(&service->mutex);
    free(service);
}

int service_port(const struct service *service)
{
    return service->port;
}

const char *service_certificate(const struct service *service)
{
    return service->certificate;
}

int service_visits(struct service *service)
{
    pthread_mutex_lock(&service->mutex);
    const int visits = service->visits;
    pthread_mutex_unlock(&service->mutex);
    return visits;
}

size_t service_request(struct service *service, char request[static REQUEST_MAX])
{
    pthread_mutex_lock(&service->mutex);
    const size_t len = service->request_len;
    memcpy(request, service->request, len + 1);
    pthread_mutex_unlock(&service->mutex);
    return len;
}
