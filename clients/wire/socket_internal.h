/*
 * What the parts of a socket share, each of which uses those below it: socket.c (messages, and what
 * libwebsockets tells), connect.c (from the name of a host to a WebSocket, or why not),
 * socket_life.c (what is put off, and the end).
 */
#ifndef WIRE_SOCKET_INTERNAL_H
#define WIRE_SOCKET_INTERNAL_H

#include "lookup.h"
#include "unreachable.h"
#include <libwebsockets.h>
#include <openssl/x509.h>
#include <protocol/limits.h>
#include <wire/socket.h>

/* A queued message; libwebsockets writes the frame's header into the room before the bytes. */
struct message {
    struct message *next;
    size_t len;
    unsigned char bytes[]; /* LWS_PRE, then len */
};

struct wire_socket {
    struct wire_context *context;
    struct wire_socket *next, *previous;
    struct lws *wsi; /* NULL before connecting */
    struct wire_url url;
    const struct wire_socket_events *events; /* NULL: nobody listens any more */
    void *user;
    struct wire_socket *chore_next; /* in context->chores_first */
    bool started, connected, opened, closing, has_chore;
    bool resolving, resolved; /* the host's addresses */
    struct lookup_result addresses;
    int tried; /* so many of them */
    struct message *first, *last;
    size_t queued;
    char *partial; /* of a message that comes in pieces */
    size_t partial_len, partial_size;
    int close_code;
    char reason[UNREACHABLE_TEXT];
    const char *certificate; /* what is wrong with the server's, or NULL */
    char *location;          /* where the server points us to, or NULL */
};

struct wire_context {
    uv_loop_t *loop;
    uv_timer_t chores; /* connects and closes, outside of libwebsockets' own callbacks */
    uv_timer_cb do_chores;
    struct wire_socket *chores_first, **chores_last;
    struct lws_context *lws;
    struct lookups *lookups;
    struct wire_socket *sockets;
    char source[WIRE_SOURCE_TEXT];
    unsigned char scratch[LWS_PRE + PROTOCOL_MESSAGE_BYTES]; /* a message being written at once */
};

/* What a socket that is not yet of use waits for, in words that follow on "cannot be reached: ". */
const char *wire_socket_waits_for(const struct wire_socket *socket);

/* connect.c */
void connect_start(struct wire_socket *socket);
void connect_looked_up(void *user, const char *host, const struct lookup_result *result);
void connect_failed(struct wire_socket *socket, struct lws *wsi, const char *said);
void connect_look_at_certificate(struct lws *wsi, X509_STORE_CTX *certificate, bool accepted);

/* socket_life.c */
void socket_do_chores(struct wire_socket *socket); /* soon, outside of libwebsockets' callbacks */
void socket_forget_chore(struct wire_socket *socket);
void socket_free(struct wire_socket *socket);
void socket_ended(struct wire_socket *socket); /* tells its user, and frees it */
void socket_wsi_ended(struct wire_socket *socket, struct lws *wsi);

#endif
