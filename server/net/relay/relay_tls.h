/* The certificates of links between nodes: OpenSSL, beside what libwebsockets does with it. */
#ifndef NET_RELAY_TLS_H
#define NET_RELAY_TLS_H

#include <net/net.h>
#include <net/nodes.h>
#include <openssl/ssl.h>
#include <stdbool.h>

struct relay_tls {
    SSL_CTX *files; /* holds what was read last; no connection is made of it */
};

/* Reads the files of `options`. If one is wrong nothing is changed, and `message` says which. */
bool relay_tls_read(struct relay_tls *tls, const struct net_relay_options *options,
                    char message[static NET_MESSAGE_MAX]);
/* When our own certificate ends, in seconds since 1970. */
int64_t relay_tls_ends_s(const struct relay_tls *tls);
/* Why nobody will believe it, as text that stays valid; NULL: they will. */
const char *relay_tls_why_not(const struct relay_tls *tls);
void relay_tls_release(struct relay_tls *tls);

/* To be called for the contexts of connections first, and again after files were read. */
void relay_tls_prepare(struct relay_tls *tls, SSL_CTX *connections);

/* Has the peer proven that it has this name? */
bool relay_tls_is(SSL *ssl, const char *name);
/* Is it among those in the certificate? */
bool relay_tls_has_name(const X509 *certificate, const char *name);
/* Would its certificate still be believed? */
bool relay_tls_believes(const struct relay_tls *tls, SSL *ssl, bool is_server);

/* May a node be called so? As part of a DNS name, it can be in a certificate. */
bool relay_name_is_valid(const char *name);

#endif
