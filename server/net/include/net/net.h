/*
 * The parts of a site on real sockets: one event loop (libuv), WebSockets and HTTP (libwebsockets),
 * a thread beside it for each store, some that think for computer players, some that send messages
 * to browsers, and those that check large stores. Nothing above this folder sees a socket, nothing
 * else sees these libraries.
 *
 * Knows the hub, the site, the time and the files of the web client, which are read once, at start.
 * Knows no game, no message's meaning, and the store only as hub/store.h has it. No request of a
 * client opens a file.
 */
#ifndef NET_NET_H
#define NET_NET_H

#include <hub/hub.h>
#include <hub/store_document.h>
#include <net/clock.h>
#include <net/config.h>
#include <net/nodes.h>
#include <stdbool.h>

struct push_signer;
struct net_facts;
struct oidc_options;
struct net_keeper;
struct site;

/* What sending messages to browsers needs (hub/push.h, push/message.h). */
struct net_push {
    const struct push_signer *signer;
    const char *const *services; /* as push/service.h has them; NULL at the end */
};

/* How people sign in elsewhere (net/http/enter.h): by one of the two. */
struct net_enter {
    const char *header;              /* in which a trusted proxy says who it is; or NULL */
    const struct oidc_options *oidc; /* the provider; or NULL */
    const uint8_t *key;              /* by which vouchers are signed (hub/voucher.h) */
    bool secure;                     /* the page is by https alone */
};

/*
 * A hub that is restored, and its store, which is open and called on threads of the net until the
 * part has ended. They are borrowed until then. The number and the term are those of site_serve.
 * Others may have taken the store while the hub was being restored: that was not so at `proven_ms`
 * (net_clock_boot_ms); 0: nor is it now.
 */
struct net_part {
    unsigned part;
    uint64_t term;
    struct hub *hub;
    struct store *store;
    int64_t proven_ms;
};

/* Strings are borrowed for the life of the net; lists end with NULL. */
struct net_options {
    const char *const *listen; /* "ADDRESS:PORT", "[ADDRESS]:PORT", "unix:PATH"; port 0: any free */
    const char *const *origins;     /* beside those of the same host */
    const char *const *hosts;       /* names of this server (host_name.h); NULL: none */
    const char *const *quiet_hosts; /* of these, where nobody talks; "*": all of them; NULL: none */
    const char *const *proxies;     /* addresses or networks, "unix" for all on Unix sockets */
    const char *web;                /* folder of the web client, or NULL */
    const char *tls_cert, *tls_key; /* PEM files, or both NULL */
    bool metrics_everywhere;        /* else only to this machine */
    const char *admin;              /* the operator's socket, or NULL */
    bool admin_wanted;              /* it is an error if that cannot be listened on */
    const char *audit;              /* the file for what the operator changes */
    /*
     * On the loop's thread: has the text of a document kept durably, and for all nodes, in place of
     * that revision; net_document_kept says what has become of it. False: nothing comes of it.
     * NULL: nobody can.
     */
    bool (*change_document)(void *ctx, const char *name, const char *text, size_t len,
                            int64_t revision);
    /* On the loop's thread: a hub has kept a document, or not (hub_document_next); NULL: no hub
     * does. */
    void (*document_stored)(void *ctx, struct hub *hub, bool stored);
    /* On the loop's thread: that revision holds here now; NULL: nobody asks. */
    void (*document_holds)(void *ctx, const char *name, int64_t revision);
    int64_t bans;       /* how many may hold: the hub's limit */
    const char *server; /* name and version, as the hubs say them */
    const char *node;   /* the name of this one; NULL: it is lone */
    /* What clients are connected to, with any number of parts; it outlives the net, and is called
     * on the loop's thread only. */
    struct site *site;
    /* How it is linked with other nodes. NULL: it has all parts, or nobody. */
    const struct net_relay_options *relay;
    /*
     * Once for each part that was served, on the loop's thread, or in net_destroy: the
     * net uses it no longer, and the site has left it. STORE_OK: it was given back, and everything
     * is stored. STORE_FENCED: another server has it. Anything else: its store is of no use, or
     * there was not time enough. May be NULL.
     */
    void (*part_ended)(void *ctx, const struct net_part *part, enum store_result why);
    /* The names of the nodes that there are links with, each with a space behind it, whenever that
     * changes; NULL: nobody needs to know. */
    void (*links)(void *ctx, const char *names);
    /* On the loop's thread, whenever they have changed; NULL: nobody needs to know. */
    void (*facts)(void *ctx, const struct net_facts *facts);
    /* On the loop's thread. NULL: nothing keeps parts. */
    void (*keeper)(void *ctx, struct net_keeper *keeper);
    void *part_ctx;                /* of these, and of change_document */
    const struct net_push *push;   /* NULL: none are sent */
    int64_t pushes;                /* at once: the hub's limit */
    const struct net_enter *enter; /* NULL: nobody signs in elsewhere */
    int64_t lease_ms; /* so long after the last acknowledged commit; 0: never (net/parts/lease.h) */
    /* On the loop's thread: SIGHUP has come; NULL: nobody else has something to read again. */
    void (*hangup)(void *ctx);
    void *hangup_ctx;
    int64_t connections; /* the hub's limit, for which there must be file descriptors */
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

/* Listens when it returns NET_OK; else *net is NULL and `message` says why. */
enum net_result net_create(const struct net_options *options, struct net_clock *clock,
                           struct net **net, char message[static NET_MESSAGE_MAX]);
void net_destroy(struct net *net);

/*
 * Serves a part of the site that is not served yet, from now on: before net_run, or on the loop's
 * thread. The documents are known (net_document). NET_NO_MEMORY: it is not
 * served.
 */
enum net_result net_serve(struct net *net, const struct net_part *part);

/*
 * From any thread, until net_destroy is called. net_give: net_serve soon; if it cannot
 * be served, or the net is about to end, part_ended says so. net_take_back: everything of the part
 * is stored, its clients are told to come again, and part_ended says that it is done; no effect if
 * it is not served. It is not given again before that. net_lost: another server has opened the part
 * with that term: if it is served with an older one, that ends at once, as if its store had said
 * so.
 */
void net_give(struct net *net, const struct net_part *part);
void net_take_back(struct net *net, unsigned part);
void net_lost(struct net *net, unsigned part, uint64_t term);
/* From any thread: whether clients are better off at other nodes, as this one is cut off from them.
 * At first they are not. */
void net_cut_off(struct net *net, bool cut_off);

/*
 * From any thread, until net_destroy is called: this document (its name is static) holds for all of
 * it from now on, and nothing is served before each is known. It could be read by who brings it.
 * And what became of change_document, after net_document with what was kept.
 */
/* False: no memory, and nothing has changed. */
bool net_document(struct net *net, const char *name, const char *text, size_t len,
                  int64_t revision);
/* The document that is stored under this revision cannot be read: the one before it goes on to
 * hold, and the next change replaces the one that is damaged. */
void net_document_damaged(struct net *net, const char *name, int64_t revision);
void net_document_kept(struct net *net, enum document_kept kept);

/*
 * From any thread, until net_destroy is called: these are the other nodes now, to each of which a
 * link is kept, if options->relay says how.
 */
void net_nodes(struct net *net, const struct net_relay_node nodes[], size_t count);
unsigned net_relay_port(const struct net *net); /* where it is listened for them; 0: nowhere */

/* "http://127.0.0.1:7400" for each of options->listen, NULL behind the last. */
const char *net_url(const struct net *net, size_t at);

enum net_end {
    NET_DRAINED, /* a signal asked for it, and everything is stored */
    NET_CUT,     /* a second signal, or the time was over before everything was done */
    NET_STOPPED, /* net_stop */
};

/* Serves until SIGTERM or SIGINT: then all parts are given back before the clients are closed.
 * SIGHUP reads the TLS files again, and options->hangup what else there is. */
enum net_end net_run(struct net *net);
/* On the loop's thread: net_run returns at once, whatever is under way. */
void net_stop(struct net *net);

#endif
