/*
 * Signing in elsewhere, as browsers go through it: /enter, and /enter/back when a provider sends
 * them back. It ends at the page, with a voucher (hub/voucher.h) or a word that says what is wrong;
 * nobody is ever sent anywhere but to the page or to the provider.
 *
 *     the page --> /enter?bound=... --> a trusted proxy's header says who it is     -->
 * /#signed=...
 *                                   \-> the provider --> /enter/back?code&state     -->
 * /#signed=... or else  --> /#sign-in=WORD
 *
 * `bound` is a hash of a secret that the page keeps. What a browser has begun it keeps itself, in a
 * cookie that is sealed; the server remembers for a while which of these have come back.
 */
#ifndef NET_ENTER_H
#define NET_ENTER_H

#include "http_head.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buffer;
struct connection;
struct enter;
struct net;

/* What became of it, as the page and the metrics are told. */
enum enter_outcome {
    ENTER_SIGNED,
    ENTER_SENT,      /* to the provider */
    ENTER_UNSTARTED, /* "unstarted": the page has not begun it */
    ENTER_UNTRUSTED, /* "untrusted": no trusted proxy says who it is */
    ENTER_EXPIRED, /* "expired": not begun by this browser, long ago, or it has come back before */
    ENTER_DENIED,  /* "denied": the provider says no */
    ENTER_REFUSED, /* "refused": what the provider says is not to be believed */
    ENTER_AWAY,    /* "away": the provider is not reached */
    ENTER_BUSY,    /* "busy": too many at once */
    ENTER_OUTCOMES
};

/* Of options->enter, which is not NULL. NULL: no memory. */
struct enter *enter_create(struct net *net);
void enter_destroy(struct enter *enter); /* takes NULL */

/* Is it one of its pages? Then the connection's answer is made, or waits. */
bool enter_take(struct connection *connection, const struct http_head *head, const char *path);
/* The provider has answered, on the loop's thread. */
void enter_go_on(struct net *net);

void enter_write_figures(const struct enter *enter, struct buffer *out);

#endif
