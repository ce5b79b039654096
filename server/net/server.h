/*
 * What the files of net share: the loop with everything on it, and one link for each socket.
 *
 *     accept --> LINK_HTTP --upgrade--> LINK_WS --close begun--> LINK_CLOSING --> gone
 *                    |  <- keep-alive      |                          |
 *                    +---------------------+---------- cut -----------+
 *
 * HTTP and closing links are on one list, which is looked through at every pulse for those whose
 * time is over. WebSockets are found by the index of their hub_peer, and are visited in turn for
 * pings.
 */
#ifndef NET_SERVER_H
#define NET_SERVER_H

#include "address.h"
#include "address_counts.h"
#include "address_rates.h"
#include "assets.h"
#include "metrics.h"
#include "worker.h"

#include <libwebsockets.h>
#include <net/net.h>
#include <uv.h>

enum {
    LISTENERS_MAX = 8,
    URL_MAX = 160,
    SOCKET_SEND_BYTES = 65536, /* of the kernel's memory for one socket; more waits in the outbox */
    GATHER_BYTES = 16384,
};

enum link_kind { LINK_HTTP, LINK_WS, LINK_CLOSING };

struct answer;

struct link {
    struct net *net;
    struct lws *wsi;
    struct link *next, **back; /* the list of HTTP and closing links */
    struct address address;    /* as far as known, behind proxies */
    struct hub_peer peer;      /* LINK_WS */
    int64_t since_ms;          /* HTTP: the request began; WS: last heard of; closing: began */
    struct answer *answer;     /* HTTP: being sent or waited for */
    char *partial;             /* of a message in pieces */
    uint16_t partial_len, pieces;
    uint16_t close_code; /* to be told when the socket is writable */
    uint8_t kind;
    bool counted, proxied, told;
    bool *gone;                /* set when it is destroyed, while it is being adopted */
    struct link *next_closing; /* the list of those to be closed by the pump */
};

struct listener {
    uv_poll_t poll;
    int fd;
    bool is_unix, open;
    char url[URL_MAX];
    const char *unlink_path; /* within the option */
};

enum net_state { NET_SERVING, NET_DRAINING, NET_CLOSING_ALL, NET_ENDED };

struct net {
    const struct net_options *options;
    struct hub *hub;
    const struct net_store *store;
    struct net_clock *clock;
    struct net_config config;

    uv_loop_t loop;
    uv_prepare_t prepare;
    uv_async_t worker_done;
    uv_timer_t hub_timer, commit_timer, sweep_timer, drain_timer;
    uv_signal_t signals[3];
    int64_t hub_deadline_ms; /* for which hub_timer is set */
    int64_t committed_us;    /* when the last commit began */
    bool committing, dirty;

    struct lws_context *lws;
    struct lws_vhost *vhost; /* for new links; the one before lives until its links are gone */
    int vhosts_made;
    struct vhost_name
        *vhost_names; /* libwebsockets keeps pointers to them, so they live as long as it */
    struct worker *worker;
    struct assets assets;
    struct network *proxies;
    size_t proxies_count;
    bool unix_is_proxy;

    struct listener listeners[LISTENERS_MAX];
    size_t listeners_count;

    struct link *transients; /* HTTP and closing */
    struct link *closing;    /* with a code, not yet told */
    size_t links_count, http_count;
    struct address_counts counts; /* of HTTP links, by address */
    struct address_rates rates;
    struct net_metrics metrics;
    struct link **peers;
    size_t peers_size, ping_cursor;

    enum net_state state;
    enum net_end end;
    unsigned char gather[LWS_PRE + GATHER_BYTES];
};

/* loop.c: the loop's handles and what they do. */
void pump_init(struct net *net);
void pump_close(struct net *net);
void pump_wake(void *net); /* from the worker's thread */
int64_t net_now_ms(const struct net *net);
/* Something was done to the hub: what came of it is fetched before the loop sleeps. */
void net_touch(struct net *net);
/* Nothing is left open, or enough waited for: lets the loop end. */
void net_check_end(struct net *net);

/* listen.c: sockets that wait for connections. */
enum net_result listen_open(struct net *net, const char *where, char message[NET_MESSAGE_MAX]);
void listen_close_all(struct net *net);

/* transport.c: libwebsockets. */
void context_free_names(struct net *net); /* after libwebsockets has ended */
enum net_result context_create(struct net *net, char message[NET_MESSAGE_MAX]);
void context_reload_tls(struct net *net);
enum adoption { ADOPTED, ADOPTION_CLOSED, ADOPTION_FAILED };
/* Takes both over, whatever comes of it. CLOSED: by what the peer had sent already. */
enum adoption context_adopt(struct net *net, struct link *link, int fd);

/* link.c */
struct link *link_create(struct net *net, const struct address *address, bool proxied);
void link_destroy(struct link *link);
void link_list(struct link *link); /* among those whose time is limited */
void link_unlist(struct link *link);
void link_leave_http(struct link *link);
void link_cut(struct link *link); /* without a word */
struct link *link_of(struct lws *wsi);
/* Which address the request came from, if it came through a proxy. False if the proxy's list of
 * addresses cannot be read: then nobody knows whom to count. */
bool link_learn_address(struct link *link);

/* ws.c: the callbacks of a WebSocket, and writing to it. */
int ws_confirm(struct link *link);
int ws_established(struct link *link);
int ws_receive(struct link *link, const char *bytes, size_t len);
int ws_writable(struct link *link);
void ws_closed(struct link *link);
void ws_flush(struct link *link);
void ws_close_some(struct net *net);
void ws_ping_some(struct net *net, int64_t now_ms, int64_t since_last_ms);

/* http.c: requests and answers. Nonzero closes the link. */
int http_request(struct link *link, const char *path);
int http_refuse(struct link *link, unsigned int status); /* of an upgrade */
int http_writable(struct link *link);
void http_answered(struct net *net, uint64_t ticket, struct hub_http_answer *answer);
void http_forget(struct link *link);

#endif
