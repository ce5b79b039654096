#include "relay_tls.h"

#include <errno.h>
#include <fcntl.h>
#include <net/log.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHAIN_MAX = 4 };

bool relay_name_is_valid(const char *name)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.";
    const size_t len = strlen(name);
    return len > 0 && len <= NET_RELAY_NAME_MAX && strspn(name, allowed) == len;
}

/* ---- what a certificate says */

/* No wildcards, no common name: what a CA writes into these names is all that counts. */
bool relay_tls_has_name(const X509 *certificate, const char *name)
{
    GENERAL_NAMES *const names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    const size_t len = strlen(name);
    bool found = false;
    for (int at = 0; at < sk_GENERAL_NAME_num(names) && !found; at++) {
        const GENERAL_NAME *const one = sk_GENERAL_NAME_value(names, at);
        found = one->type == GEN_DNS && (size_t)ASN1_STRING_length(one->d.dNSName) == len &&
                memcmp(ASN1_STRING_get0_data(one->d.dNSName), name, len) == 0;
    }
    GENERAL_NAMES_free(names);
    return found;
}

bool relay_tls_is(SSL *ssl, const char *name)
{
    const X509 *const certificate = ssl ? SSL_get0_peer_certificate(ssl) : NULL;
    return certificate && SSL_get_verify_result(ssl) == X509_V_OK &&
           relay_tls_has_name(certificate, name);
}

/* X509_V_OK, or why it is not believed. */
static int judge_certificate(const struct relay_tls *tls, X509 *certificate, STACK_OF(X509) * chain,
                             const char *purpose)
{
    int error = X509_V_ERR_OUT_OF_MEM;
    X509_STORE_CTX *const judgement = X509_STORE_CTX_new();
    if (judgement &&
        X509_STORE_CTX_init(judgement, SSL_CTX_get_cert_store(tls->files), certificate, chain)) {
        X509_STORE_CTX_set_default(judgement, purpose);
        X509_verify_cert(judgement);
        error = X509_STORE_CTX_get_error(judgement);
    }
    X509_STORE_CTX_free(judgement);
    return error;
}

bool relay_tls_believes(const struct relay_tls *tls, SSL *ssl, bool is_server)
{
    X509 *const certificate = ssl ? SSL_get0_peer_certificate(ssl) : NULL;
    return certificate && judge_certificate(tls, certificate, SSL_get_peer_cert_chain(ssl),
                                            is_server ? "ssl_server" : "ssl_client") == X509_V_OK;
}

/* ---- files */

/* A key with a passphrase is of no use to a server: nobody is asked for it. */
static int no_passphrase(char *to, int size, int writing, void *ctx)
{
    (void)to, (void)size, (void)writing, (void)ctx;
    return -1;
}

static bool put_message(char message[static NET_MESSAGE_MAX], const char *what, const char *path,
                        const char *why)
{
    snprintf(message, NET_MESSAGE_MAX, "%s %.300s: %s", what, path, why);
    return false;
}

static bool read_key_from(SSL_CTX *files, int fd, const char *path,
                          char message[static NET_MESSAGE_MAX])
{
    static const char what[] = "the key of the links,";
    struct stat status;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
        return put_message(message, what, path, "not a file");
    if (status.st_mode & S_IRWXO)
        return put_message(message, what, path, "holds a secret, and everybody may read it");
    BIO *const file = BIO_new_fd(fd, BIO_NOCLOSE);
    EVP_PKEY *const key = file ? PEM_read_bio_PrivateKey(file, NULL, no_passphrase, NULL) : NULL;
    const bool is_key = key != NULL, fits = is_key && SSL_CTX_use_PrivateKey(files, key) == 1;
    EVP_PKEY_free(key);
    BIO_free(file);
    if (!is_key)
        return put_message(message, what, path,
                           "not a private key in PEM, or one with a passphrase");
    return fits || put_message(message, what, path, "not that of the certificate");
}

static bool read_key(SSL_CTX *files, const char *path, char message[static NET_MESSAGE_MAX])
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return put_message(message, "the key of the links,", path, strerror(errno));
    const bool read = read_key_from(files, fd, path, message);
    close(fd);
    return read;
}

static bool read_all(SSL_CTX *files, const struct net_relay_options *options,
                     char message[static NET_MESSAGE_MAX])
{
    if (SSL_CTX_use_certificate_chain_file(files, options->cert) != 1)
        return put_message(message, "the certificate of the links,", options->cert,
                           "cannot be read, or is none in PEM");
    if (!relay_tls_has_name(SSL_CTX_get0_certificate(files), options->name)) {
        snprintf(message, NET_MESSAGE_MAX,
                 "the certificate of the links, %.300s: %s is not among its DNS names",
                 options->cert, options->name);
        return false;
    }
    if (!read_key(files, options->key, message))
        return false;
    return SSL_CTX_load_verify_locations(files, options->ca, NULL) == 1 ||
           put_message(message, "the CA of the links,", options->ca,
                       "cannot be read, or is none in PEM");
}

const char *relay_tls_why_not(const struct relay_tls *tls)
{
    STACK_OF(X509) *chain = NULL;
    X509 *const own = SSL_CTX_get0_certificate(tls->files);
    SSL_CTX_get0_chain_certs(tls->files, &chain);
    int error = judge_certificate(tls, own, chain, "ssl_server");
    if (error == X509_V_OK)
        error = judge_certificate(tls, own, chain, "ssl_client");
    return error == X509_V_OK ? NULL : X509_verify_cert_error_string(error);
}

/* A node whose own certificate has expired can do everything but this, so it is no reason to end:
 * but somebody has to hear of it. */
static void judge_own(const struct relay_tls *tls)
{
    const char *const why = relay_tls_why_not(tls);
    if (why)
        log_text(LOG_ERROR, "relay_certificate", "why", why);
}

bool relay_tls_read(struct relay_tls *tls, const struct net_relay_options *options,
                    char message[static NET_MESSAGE_MAX])
{
    SSL_CTX *const files = SSL_CTX_new(TLS_method());
    const bool read = files ? read_all(files, options, message)
                            : put_message(message, "the certificate of the links,", options->cert,
                                          "out of memory");
    ERR_clear_error();
    if (!read) {
        SSL_CTX_free(files);
        return false;
    }
    SSL_CTX_free(tls->files);
    tls->files = files;
    judge_own(tls);
    return true;
}

int64_t relay_tls_ends_s(const struct relay_tls *tls)
{
    int days = 0, seconds = 0;
    ASN1_TIME *const epoch = ASN1_TIME_set(NULL, 0);
    if (epoch)
        (void)ASN1_TIME_diff(&days, &seconds, epoch,
                             X509_get0_notAfter(SSL_CTX_get0_certificate(tls->files)));
    ASN1_TIME_free(epoch);
    return INT64_C(86400) * days + seconds;
}

void relay_tls_release(struct relay_tls *tls)
{
    SSL_CTX_free(tls->files);
    tls->files = NULL;
}

/* ---- connections */

/* At each handshake: so that files that are read again replace a key of another kind as well. */
static int show_certificate(SSL *ssl, void *ctx)
{
    const struct relay_tls *const tls = ctx;
    STACK_OF(X509) *chain = NULL;
    SSL_CTX_get0_chain_certs(tls->files, &chain);
    SSL_certs_clear(ssl);
    return SSL_use_cert_and_key(ssl, SSL_CTX_get0_certificate(tls->files),
                                SSL_CTX_get0_privatekey(tls->files), chain, 1);
}

/* Sessions are not taken up again: then nobody would look at the certificate. The name that a
 * client asks for (SNI) chooses nothing. */
void relay_tls_prepare(struct relay_tls *tls, SSL_CTX *connections)
{
    SSL_CTX_set_min_proto_version(connections, TLS1_2_VERSION);
    SSL_CTX_set_options(connections,
                        SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    SSL_CTX_set_num_tickets(connections, 0);
    SSL_CTX_set_session_cache_mode(connections, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_tlsext_servername_callback(connections, NULL);
    SSL_CTX_set_verify_depth(connections, CHAIN_MAX);
    SSL_CTX_set_cert_cb(connections, show_certificate, tls);
    SSL_CTX_set1_cert_store(connections, SSL_CTX_get_cert_store(tls->files));
}
