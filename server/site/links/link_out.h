/*
 * The link to another node, as the site knows it: frames (frame.h) out and in. Both ends have
 * proven who they are, so a frame is believed; one that cannot be read ends the link.
 *
 *     clients here  -- ports -->  link  ==>  link  -- channels -->  hubs there
 *
 * Frames wait in `out`. While there are many, messages stay in the outboxes of the hubs, which
 * have bounds of their own, and clients' messages are refused.
 */
#ifndef SITE_LINK_OUT_H
#define SITE_LINK_OUT_H

#include "clients/client.h"
#include "frame.h"
#include "link_answer.h"
#include <base/table.h>
#include <hub/bucket.h>
#include <hub/part.h>
#include <site/site.h>

enum { SITE_NODE_BYTES = 64 };

struct port;

/* A client of the other node in a hub of this one. */
struct channel {
    struct site_link *link;
    uint64_t number;
    unsigned part;
    struct hub_peer peer;
    bool blocked; /* has more to tell than there is room for */
    bool owned;   /* the other node knows whose program it is */
    bool closing; /* the other node knows that the hub wants it closed */
};

/* A message for several channels that is being put together. */
struct spread {
    uint64_t *numbers;
    size_t count, size;
    struct hub_head head;
    unsigned char *bytes; /* len, then facts_len */
    size_t len, facts_len, bytes_size;
};

struct site_link {
    struct site *site;
    struct site_link *next;
    struct messages out;
    struct link_answers answers;  /* to questions */
    size_t asked;                 /* questions of the other node that are not answered yet */
    struct table ports, channels; /* by number */
    uint64_t serves[PARTS_MAX];   /* what the other node says: the term of each part, 0: not */
    uint64_t last_number;
    struct spread spread;
    /* Of the message that comes next, as the other node says: */
    enum hub_about about;
    enum protocol_error error;
    bool followed;
    struct message *facts;            /* NULL: none */
    char node[SITE_NODE_BYTES];       /* at the other end; "": nobody has said it */
    uint64_t relayed_out, relayed_in; /* messages of clients */
    struct bucket announced;          /* by the other node */
    bool works;                       /* the other node, as it says */
    bool broken;  /* no memory, much too full, or no frame that can be read: it is to be closed */
    bool blocked; /* a channel is */
};

/* ---- to the other node */

/* `spare` bytes behind the head, to be filled in. NULL: no memory, or much too full; broken. */
unsigned char *link_add_frame(struct site_link *link, enum frame_kind kind, uint64_t number,
                              size_t spare);
bool link_add_number(struct site_link *link, enum frame_kind kind, uint64_t number, size_t bytes,
                     uint64_t value);
void link_tell_serve(struct site_link *link, unsigned part, uint64_t term);
void link_tell_leave(struct site_link *link, unsigned part);
void link_tell_works(struct site_link *link, bool works);
/* How many questions of the other node may wait: some more than it has inquiries at once. */
size_t link_asked_most(const struct site_link *link);
/* The first frame is out: there may be room again. */
void link_sent(struct site_link *link);

/* ---- of clients here; false: there is no room now, or no memory */

/* The number of a channel to that part; 0: there is none. `port` is who is told. */
uint64_t link_open_port(struct site_link *link, struct port *port, const struct client *client,
                        unsigned part);
bool link_say(struct site_link *link, uint64_t number, const char *bytes, size_t len);
void link_follow(struct site_link *link, uint64_t number, int64_t follow, const char *room,
                 int64_t have);
void link_set_quiet(struct site_link *link, uint64_t number, bool quiet);
/* `owner` 0: it is no program's. */
void link_set_account(struct site_link *link, uint64_t number,
                      const struct protocol_account *account, uint64_t owner);
/* FRAME_CHALLENGE, or FRAME_CHALLENGED. */
bool link_add_challenge(struct site_link *link, enum frame_kind kind, uint64_t number,
                        const uint8_t challenge[static HUB_CHALLENGE_BYTES]);
void link_keep(struct site_link *link, uint64_t number, bool keep);
void link_end_port(struct site_link *link, uint64_t number);
/* Seats in all parts that the other node has, but for one. */
bool link_ask_seats(struct site_link *link, uint64_t question, uint64_t session, unsigned except);
struct port *link_port(const struct site_link *link, uint64_t number); /* NULL: ended */
/* A GET request to a part; `address`: who pays, or NULL. */
bool link_ask(struct site_link *link, uint64_t question, unsigned part, const uint8_t *address,
              const char *path);
bool link_post(struct site_link *link, uint64_t question, unsigned part, const uint8_t *address,
               const struct hub_http_post *post);

/* False: there is no room. */
bool link_announce(struct site_link *link, const char *text);

struct hub_note;
void link_note(struct site_link *link, const struct hub_note *note);

/* ---- answers to questions of the other node, by the number of the question */

/* Takes the answer over; if there is no room for it, only its status is brought, and if too many
 * wait nothing is. */
void link_answer(struct site_link *link, uint64_t question, struct hub_http_answer *answer);

/* ---- of clients there */

struct channel *link_channel(const struct site_link *link, uint64_t number); /* NULL: ended */
/* Takes over the peer, but on failure: NULL, out of memory. */
struct channel *link_new_channel(struct site_link *link, uint64_t number, unsigned part,
                                 struct hub_peer peer);
void link_end_channel(struct channel *channel);
/* The hub of a part is about to go: its peers that are channels are ended. */
void link_drop_channels(struct site_link *link, unsigned part);
/* Takes what the hub has for a channel; link_flush after all of them. */
void link_fetch(struct site_link *link, struct channel *channel);
void link_fetch_all(struct site_link *link, unsigned part); /* of a part */
void link_flush(struct site_link *link);

/* ---- beginning and end */

struct site_link *link_make(struct site *site); /* NULL: out of memory */
void link_free(struct site_link *link);         /* has no ports and channels any more */

#endif
