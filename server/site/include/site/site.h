/*
 * The parts of a site (hub/part.h) as one server: what clients are connected to.
 *
 *     client 1 --+                 +--> part 0: a hub of this process
 *     client 2 --+-- struct site --+--> part 1: a hub of this process
 *     client 3 --+                 +--> part 2: a hub of another node, over a link
 *                                  +--> part 3: nobody has it at the moment
 *
 * A client has one connection, and talks with the part that is its session's home and with the
 * parts of the rooms that it names. Which part a message is for is in the message: the room's id,
 * the token. What a client would have to ask of all parts (the list of rooms, its seats at hello)
 * is asked for it, and the answers are made one. In a part that is not its home a client is known
 * by what its home says of it.
 *
 * A part may change hands at any time. Its clients stay connected and notice a pause: whoever has
 * it next is asked for what each has not seen yet, and once more for what was not answered
 * (resume.h).
 *
 * The protocol is that of a single hub, and a client cannot tell how many parts there are. The
 * order of events of each room is kept; there is none between rooms.
 *
 * As in the hub, nothing here knows sockets, clocks or threads, and nothing calls back. The caller
 * keeps the hubs: it ticks them, brings their batches to the store, and takes everything else from
 * them but peers, which are the site's.
 */
#ifndef SITE_SITE_H
#define SITE_SITE_H

#include <hub/address_turns.h>
#include <hub/hub.h>
#include <site/page.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct feature;
struct site;

struct site_config {
    unsigned parts;         /* 1 to PARTS_MAX */
    bool lone;              /* no other node will ever have the part, of which there is one */
    size_t clients;         /* at once */
    size_t message_bytes;   /* of a client's message, as the hubs have it */
    size_t waiting_bytes;   /* of a client's messages for parts that nobody has */
    size_t held_bytes;      /* of what the site itself has for a client, as the outbox of a hub */
    size_t link_bytes;      /* of frames that wait for a link, about */
    int64_t part_wait_ms;   /* how long they wait before they are refused */
    int64_t resume_wait_ms; /* how long a client waits for a part that it was in; 0: nobody else
                               ever has it, and nothing is kept to go on there */
    int64_t gather_wait_ms; /* for what all parts are asked for, before it is left out */
    size_t http_waits;      /* HTTP requests that wait */
    int64_t http_wait_ms;   /* how long */
    int64_t list_ms;        /* how long the list of rooms is shown again by HTTP as it is */
    const struct feature *const *features; /* as the hubs have them; NULL at the end */
    /* Random, but in tests: nobody outside may tell which addresses share turns. */
    uint8_t groups_key[ADDRESS_GROUPS_KEY_BYTES];
};
extern const struct site_config site_usual; /* of one part */

/*
 * A lone site is a server without other nodes. Nobody else can go on with a part that is
 * not here any more, so its clients are closed (1012) when it is left; and what is asked by HTTP is
 * answered as the hub of the part answers it. NULL: out of memory.
 */
struct site *site_create(const struct site_config *config);
void site_destroy(struct site *site); /* its links have been closed */

/*
 * The hub of a part is in this process from now on, and gets what has waited for it. It is restored
 * and has no peers; it must outlive the site, or be taken away before. `term` is the store's: of
 * two that serve the same part the later one counts.
 */
void site_serve(struct site *site, unsigned part, uint64_t term, struct hub *hub, int64_t now_ms);
/*
 * It is not any more: clients that were there go on in it when somebody serves it again, and notice
 * a pause; if nobody does in time they are closed (1012), come again and ask again. The hub has no
 * peers when this returns.
 */
void site_leave(struct site *site, unsigned part, int64_t now_ms);

/*
 * Nothing is fetched from a part that is held: what its hub has for clients stays there. It is
 * served all the same, and site_leave ends that too.
 */
void site_hold(struct site *site, unsigned part, bool held, int64_t now_ms);

/* As hub_connect, hub_receive, hub_reject and hub_disconnect, of the whole site. */
int site_connect(struct site *site, const uint8_t address[static 16], int64_t now_ms,
                 struct hub_peer *peer);
void site_receive(struct site *site, struct hub_peer peer, const char *bytes, size_t len,
                  int64_t now_ms);
void site_reject(struct site *site, struct hub_peer peer, int close_code);
void site_disconnect(struct site *site, struct hub_peer peer, int64_t now_ms);
/* As hub_set_quiet, for good, before anything is received of it. */
void site_set_quiet(struct site *site, struct hub_peer peer);

/*
 * This process ends soon: all who are connected to it are told, but for those whom the hub of a
 * lone server tells, which is drained next. When its parts are served elsewhere, nobody is told any
 * more that no restart is to come.
 */
void site_end(struct site *site, int64_t now_ms);

/*
 * After any call of the site or of one of its hubs that is given a time, before the next one:
 * fetches what the hubs have for clients. Then output as from a hub: those who hurry (hub_hurries)
 * first, and addresses in turns, so that not all has to be written before something else is done.
 */
void site_pump(struct site *site, int64_t now_ms);
bool site_next_ready(struct site *site, struct hub_peer *peer);
bool site_is_ready(const struct site *site); /* would site_next_ready give one? */
unsigned char *site_output(struct site *site, struct hub_peer peer, size_t *len);
/* Of what site_output gives, and as long as that; a push from another node has its room only if it
 * is an event or a notice. NULL: there is none. */
const struct hub_head *site_output_head(const struct site *site, struct hub_peer peer);
void site_sent(struct site *site, struct hub_peer peer); /* what site_output has given */
int site_close_code(const struct site *site, struct hub_peer peer);
/* As hub_take_probe and hub_heard, of the parts that are here; others think that it is alive. */
bool site_take_probe(struct site *site, struct hub_peer peer);
void site_heard(struct site *site, struct hub_peer peer);

/* When site_tick has something to do; INT64_MAX: never. */
int64_t site_deadline_ms(const struct site *site);
void site_tick(struct site *site, int64_t now_ms);

/*
 * HTTP, as of a hub (hub_http_get and the others), of the whole site; answers are released as a
 * hub's. What is asked of other nodes goes over the links.
 *
 *     /api/rooms             of all parts, made anew after `list_ms` at the earliest; of one part
 *                            what that has
 *     /api/records/ROOM      of the part that has it; nobody has it: 503
 *     /readyz                200: clients can be served here. 503: it ends, is drained, has no part
 *                            whose store works while another node has one, reaches no part, or is
 *                            cut off from the other nodes
 *     /metrics               of the parts here, and of the site
 *     /.well-known/taluva-keys.json
 *     pages of features      of the part that each says (features/feature.h)
 */
bool site_http_get(struct site *site, const char *path, const uint8_t address[static 16],
                   int64_t now_ms, struct hub_http_answer *answer, uint64_t *ticket);
/* What can be asked of a page, but of `/metrics`; false: there is none at that path. */
bool site_http_page(const struct site *site, const char *path, struct site_page *page);
/* The same for what is sent (hub_http_post); a node of an earlier version takes none: 503. */
bool site_http_post(struct site *site, const struct hub_http_post *post,
                    const uint8_t address[static 16], int64_t now_ms,
                    struct hub_http_answer *answer, uint64_t *ticket);
bool site_http_next(struct site *site, uint64_t *ticket, struct hub_http_answer *answer);
void site_http_cancel(struct site *site, uint64_t ticket);

/* ---- for the operator of this node */

/* It is to get no new clients: until this is taken back /readyz says so. The hubs are the caller's.
 */
void site_drain(struct site *site, bool drains);

struct site_part {
    bool here;
    const char *node;    /* who has it, if it is another one that can be reached; else NULL */
    uint64_t term;       /* of who has it, or had it last */
    uint64_t newer_term; /* with which another node says it has what is here; 0: none does */
};
struct site_part site_part_seen(const struct site *site, unsigned part);
unsigned site_count_parts(const struct site *site);
bool site_is_lone(const struct site *site);
const struct feature *const *site_features(const struct site *site); /* of its config */
size_t site_clients(const struct site *site);                        /* connected to this node */

/* Whether clients are better off at other nodes, as this one does not reach them or is not reached
 * by them; until it is said they are not. */
void site_cut_off(struct site *site, bool cut_off);

/*
 * A link to another node, which has proven that it is one: frames, each a message of its own, to be
 * brought to the other end in their order, once. site_link_receive: false if the link is to be
 * closed. The output is as that of a peer. After site_link_close the link is gone.
 */
struct site_link;
struct site_link *site_link_open(struct site *site, int64_t now_ms); /* NULL: out of memory */
bool site_link_receive(struct site_link *link, const unsigned char *bytes, size_t len,
                       int64_t now_ms);
/* Whose it is, for site_part. The name is cut to what fits. */
void site_link_set_node(struct site_link *link, const char *node);
/* Messages of clients since it was opened: of this node, and of the other one. */
void site_link_relayed(const struct site_link *link, uint64_t *out, uint64_t *in);
unsigned char *site_link_output(struct site_link *link, size_t *len);
void site_link_sent(struct site_link *link);
size_t site_link_waiting(const struct site_link *link); /* bytes that are to be sent */
bool site_link_broken(const struct site_link *link);    /* it is to be closed */
void site_link_close(struct site_link *link, int64_t now_ms);

#endif
