/*
 * The hub on real sockets: one event loop (libuv), WebSockets and HTTP (libwebsockets), one thread
 * beside it for the store, some that think for computer players, some that send messages to
 * browsers, and one that checks a large store. Nothing above this folder sees a socket, nothing
 * else sees these libraries.
 *
 * Knows the hub, the time and the files of the web client, which are read once, at start. Knows no
 * game, no message's meaning, and the store only as hub/store.h has it. No request of a client
 * opens a file.
 */
#ifndef NET_NET_H
#define NET_NET_H

#include <hub/hub.h>
#include <net/clock.h>
#include <net/config.h>
#include <stdbool.h>

struct push_signer;

/* What sending messages to browsers needs (hub/push.h, push/message.h). */
struct net_push {
    const struct push_signer *signer;
    const char *const *services; /* as push/service.h has them; NULL at the end */
};

/* Strings are borrowed for the life of the net; lists end with NULL. */
struct net_options {
    const char *const *listen; /* "ADDRESS:PORT", "[ADDRESS]:PORT", "unix:PATH"; port 0: any free */
    const char *const *origins;     /* beside those of the same host */
    const char *const *proxies;     /* addresses or networks, "unix" for all on Unix sockets */
    const char *web;                /* folder of the web client, or NULL */
    const char *tls_cert, *tls_key; /* PEM files, or both NULL */
    bool metrics_everywhere;        /* else only to this machine */
    const char *admin;              /* the operator's socket, or NULL */
    bool admin_wanted;              /* it is an error if that cannot be listened on */
    const char *audit;              /* the file for what the operator changes */
    /* Keeps the text of all bans durably, in place of the one before; false: it could not. */
    bool (*keep_bans)(void *ctx, const char *text, size_t len);
    void *keep_ctx;
    const struct net_push *push; /* NULL: none are sent */
    int64_t pushes;              /* at once: the hub's limit */
    int64_t mute_after_ms; /* so long after the last acknowledged commit; 0: never (net/mute.h) */
    int64_t connections;   /* the hub's limit, for which there must be file descriptors */
    struct net_config config;
};

enum { NET_MESSAGE_MAX = 512 };
enum net_result {
    NET_OK,
    NET_BAD_OPTION,  /* the caller's input */
    NET_UNAVAILABLE, /* an address that cannot be listened on, a file that cannot be read */
    NET_NO_MEMORY,
};

struct net;

/* Listens when it returns NET_OK; else *net is NULL and `message` says why. The hub is restored,
 * the store open; it is called on threads of its own until net_destroy has returned. */
enum net_result net_create(const struct net_options *options, struct hub *hub, struct store *store,
                           struct net_clock *clock, struct net **net,
                           char message[static NET_MESSAGE_MAX]);
void net_destroy(struct net *net);

/* "http://127.0.0.1:7400" for each of options->listen, NULL behind the last. */
const char *net_url(const struct net *net, size_t at);

enum net_end {
    NET_DRAINED, /* a signal asked for it, and everything is stored */
    NET_CUT,     /* a second signal, or the time was over before everything was done */
    NET_STORE,   /* hub_stopped says why */
};

/* Serves until SIGTERM or SIGINT. SIGHUP reads the TLS files again. */
enum net_end net_run(struct net *net);

#endif
