/*
 * What the files of net share: the loop with everything on it. Only data and the two calls that
 * everything needs; each file's functions are in a header of its own. Who calls whom, of the files
 * here and of the rooms below:
 *
 *     net -> loop -> listen -> transport -> http/ -> ws/ -> connection
 *     loop -> rest -> parts/;  loop -> write_turn -> ws/, parts/
 *     loop, transport -> read_turn -> connection
 *     net, loop -> admin/ -> relay/, parts/, listen
 *     net, loop -> relay/ -> parts/, sockets/;  http/ -> relay/, parts/
 *     all -> parts/ -> threads/;  connection, listen -> sockets/
 */
#ifndef NET_NET_PRIVATE_H
#define NET_NET_PRIVATE_H

#include "admin/admin_audit.h"
#include "audit_moderators.h"
#include "http/assets.h"
#include "metrics.h"
#include "sockets/acceptor.h"
#include "sockets/address_counts.h"
#include "sockets/address_rates.h"
#include "threads/bell.h"
#include <hub/address_turns.h>
#include <hub/admin_request.h>
#include <hub/part.h>
#include <hub/store_document.h>
#include <net/facts.h>
#include <net/net.h>
#include <uv.h>

enum {
    LISTENERS_MAX = 8,
    URL_MAX = 160,
    GATHER_BYTES = 16384,
    /*
     * Read of a socket at once: the longest record of TLS. With less the rest of it lies in the
     * library for TLS, of which no socket tells, and libwebsockets looks for it only when another
     * one has something.
     */
    READ_BYTES = 16384,
};

struct connection;
struct lws_context;
struct lws_vhost;
struct thinkers;
struct pushers;
struct enter;
struct served_part;
struct neighbours;

struct listener {
    struct acceptor acceptor;
    bool is_unix, open;
    char url[URL_MAX];
    const char *unlink_path; /* within the option */
};

/*
 *     NET_SERVING --signal--> NET_DRAINING --all is stored--> NET_CLOSING_ALL --all gone-->
 * NET_ENDED
 *
 * From every state to NET_ENDED: a second signal, time is over, or the store is of no use.
 */
enum net_state { NET_SERVING, NET_DRAINING, NET_CLOSING_ALL, NET_ENDED };

/* The parts of struct net, each for the file that is named. */
struct net_run { /* loop.c */
    uv_prepare_t prepare;
    uv_check_t check;
    uv_idle_t no_sleep; /* while it is active the loop looks at its sockets and does not wait */
    uv_async_t worker_done, pushed, asked;
    uv_poll_t thought; /* if there are threads that think */
    uv_timer_t hub_timer, sweep_timer, drain_timer;
    uv_signal_t signals[3];
    int64_t hub_deadline_ms; /* for which hub_timer is set */
    uint64_t rested_us;      /* in all, see rest() */
    bool dirty;
    unsigned writes;       /* to sockets, in this turn: write_turn.c */
    uint64_t thought_last; /* serial of the part whose question was given last */
    bool unread; /* has rested since it polled: the next commit is to have what came meanwhile */
    enum net_state state;
    enum net_end end;
};

struct net_parts {             /* parts.c */
    struct served_part *first; /* as they came, but for those whose threads are being ended */
    size_t count;              /* with those */
    uint64_t served;           /* ever */
    uv_async_t mail;
    uv_mutex_t mutex; /* all below */
    uint64_t given_set, back_set;
    struct net_part given[PARTS_MAX];
    uint64_t lost_set, lost_term[PARTS_MAX];
    bool cut_off;
};

struct net_transport { /* transport.c */
    struct lws_context *lws;
    struct lws_vhost *vhost; /* for new connections; the one before lives until its own are gone */
    int vhosts_made;
    struct vhost_name *vhost_names; /* live as long as lws, which keeps pointers to them */
};

struct net_listen { /* listen.c */
    struct listener listeners[LISTENERS_MAX];
    size_t count;
    struct network *proxies;
    size_t proxies_count;
    bool unix_is_proxy;
    int64_t files, files_kept; /* descriptors there may be; of them for other things than sockets */
    size_t sockets_most;
    struct log_limit said; /* that there is no room for a socket */
};

struct net_connections { /* connection.c: all but WebSockets */
    struct connection *first;
    size_t count, http_count;
    size_t http_bytes;            /* made for answers of HTTP that are not yet sent, and for bodies
                                     that are not all here */
    struct address_counts counts; /* of HTTP connections */
    struct address_turns unread;  /* who has sent something that is not read: read_turn.c */
    size_t unread_bytes;          /* of that, in all */
    uint32_t unread_of_group[ADDRESS_GROUPS];
    struct address_rates rates;
};

struct net_reads {                     /* read_turn.c: in this turn */
    uint16_t of_group[ADDRESS_GROUPS]; /* at once */
    uint16_t late;                     /* of what was set aside */
    uint8_t key[ADDRESS_GROUPS_KEY_BYTES];
};

struct net_peers {                   /* ws.c */
    struct connection **connections; /* WebSockets, by the index of their hub_peer */
    size_t size, ping_cursor;
    struct bucket_rule control_rule;
    unsigned char gather[GATHER_BYTES]; /* frames that are written together */
};

struct admin_peer;
struct admin_change {
    struct admin_peer *peer; /* NULL: it is gone */
    struct admin_who who;
    struct admin_request request;
};

struct document_mail {
    const char *name;
    char *text; /* NULL: there is none */
    size_t len;
    int64_t revision;
    int64_t damaged; /* a later revision that cannot be read; 0: none */
};

struct net_documents { /* parts/documents.c */
    uv_async_t wake;
    bool late;        /* there was no memory to read one of them */
    uv_mutex_t mutex; /* all below */
    size_t count;
    struct document_mail mail[STORE_DOCUMENTS_MAX];
    bool said;
    enum document_kept kept;
};

struct net_admin { /* admin.c */
    struct acceptor acceptor;
    const char *unlink_path; /* NULL: it is not open */
    struct admin_peer *first;
    size_t count;
    bool waits;                  /* for the site: */
    struct admin_change waiting; /* the one change that does */
    bool drains;                 /* of a site: this node, whatever parts it has */
    struct audit_left left;      /* audit_moderators.c: what they have decided, and waits */
};

struct net {
    const struct net_options *options;
    struct site *site; /* of the options */
    struct net_clock *clock;
    struct net_config config;
    uv_loop_t loop;
    struct bell bell;
    struct thinkers *thinkers;     /* NULL: none */
    struct pushers *pushers;       /* NULL: no messages are sent to browsers */
    struct enter *enter;           /* NULL: nobody signs in elsewhere */
    struct neighbours *neighbours; /* NULL: there are no others */
    struct assets assets;
    struct net_metrics metrics;

    struct net_run run;
    struct net_parts parts;
    struct net_transport transport;
    struct net_listen listen;
    struct net_connections connections;
    struct net_reads reads;
    struct net_peers peers;
    struct net_admin admin;
    struct net_documents documents;
    struct net_facts facts; /* tell_facts.c: as they were told last */
};

static inline int64_t net_now_ms(const struct net *net)
{
    return net_clock_ms(net->clock);
}

static inline size_t net_think_bytes(const struct net *net)
{
    return (size_t)net->config.think_memory_mb << 20;
}

/*
 * To be called after each call of the hub that may leave something to fetch: it is fetched before
 * the loop sleeps. A deadline is looked at in any case.
 */
static inline void net_touch(struct net *net)
{
    net->run.dirty = true;
}

#endif
