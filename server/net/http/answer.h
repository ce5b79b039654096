/*
 * The answer to one request of HTTP: what it is made of, its headers, and how it is written, at
 * once or as the socket takes it.
 */
#ifndef NET_ANSWER_H
#define NET_ANSWER_H

#include <hub/hub.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct connection;
struct net;

enum {
    STATUS_MISDIRECTED = 421,
    STATUS_OTHER_VERSION = 426, /* of WebSockets */
    STATUS_SLOW_DOWN = 429,
    STATUS_TOO_LARGE = 431
};

struct answer {
    unsigned int status;
    const char *type, *tag;
    const char *sources; /* see struct asset; NULL or "": none */
    const char *allow;   /* the methods that there are, of 405; NULL: GET and HEAD */
    int64_t max_age_s, retry_s;
    bool gzip, head_only, close, begun;
    bool part;   /* see struct asset */
    bool stored; /* of what the store has */
    const unsigned char *body;
    size_t len, sent;
    bool by_token, had_token;     /* a program's token is needed; and one was sent */
    const char *scope;            /* of 403: see site/program.h */
    struct site_program *program; /* not NULL: waited for, as with a ticket */
    uint64_t ticket;              /* not 0: waited for */
    uint64_t entering;            /* the same, of enter.h */
    char *location, *cookie;      /* where it leads, and what the browser is to keep; or NULL */
    struct hub_http_answer hubs;  /* if `owned` */
    bool owned;
    char *made; /* the body; or NULL */
};

/* Of the connection, which has none; it is cut if there is no memory. */
bool answer_create(struct connection *connection);
void answer_forget(
    struct connection *connection); /* the connection has none any more, if it had one */
void answer_set_text(struct answer *answer, unsigned int status, const char *text); /* borrowed */
/* Takes what a hub has answered: at once or later. */
void answer_set_hubs(struct connection *connection, const struct hub_http_answer *hubs);

/* Is it to be begun later? */
bool answer_is_waited_for(const struct answer *answer);
/* The headers, and the body along with them if it is small or there is none. */
void answer_begin(struct connection *connection);
/* More of the body: the socket takes it. */
void answer_continue(struct connection *connection);
/* Cuts who has taken nothing for the longest time, so that quick readers are spared. */
void answers_keep_within_bounds(struct net *net);

#endif
