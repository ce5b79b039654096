/*
 * Clients of a site: one connection each, and what it has under way.
 *
 *     NEW --hello is sent on--> GREETING --its home has answered--> KNOWN
 *      ^                           |
 *      '--------- refused ---------'
 *
 * What is to be sent is in two places: messages that the site holds itself, in `held`, and those
 * that are still in the outbox of a hub. The held ones are older, and go first.
 */
#ifndef SITE_CLIENT_H
#define SITE_CLIENT_H

#include "output_queue.h"
#include <hub/hub.h>
#include <protocol/account.h>
#include <protocol/limits.h>
#include <protocol/request.h>
#include <site/site.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gather;
struct greeting;
struct port;
struct shown;

enum client_state { CLIENT_NEW, CLIENT_GREETING, CLIENT_KNOWN };

/* What a client has sent, decoded: once, however long it waits. */
struct decoded {
    struct request request; /* of what could not be read: its id, and the op REQUEST_OPS */
    enum protocol_error error;
};
void decoded_read(struct decoded *decoded, const char *bytes, size_t len);
/* Nothing of it stays in memory: of hello it is what opens an account. */
void decoded_release(struct decoded *decoded);

/* A message: to a client (with headroom for a frame), or of one, to a part that nobody has. */
struct message {
    struct message *next;
    int64_t due_ms;          /* of one that waits: when it is refused; */
    struct decoded *decoded; /* of the first one of them; NULL: it is not decoded yet */
    size_t len;
    struct hub_head head;  /* of one to a client, */
    size_t facts_len;      /* and what one that a port was told says beside its text */
    unsigned char bytes[]; /* HUB_OUTPUT_HEADROOM, then len, then facts_len */
};

struct messages {
    struct message *first, **last;
    size_t bytes;
};

struct client {
    struct hub_peer peer;
    uint8_t address[16];
    enum client_state state;
    int close_code;    /* 0: stays open */
    bool incomplete;   /* gets nothing any more: something before it is missing (site_fail) */
    bool waits;        /* in the list of those who wait for something that has an end */
    bool misses_parts; /* an answer left some out: it is told when all are served */
    struct output_entry output; /* it has something to be written, or is to be closed */
    struct client *waits_next, **waits_self;
    unsigned home;
    uint64_t session;
    char name[PROTOCOL_NAME_BYTES + 1];
    struct protocol_account account; /* as its home has said */
    uint64_t owner;                  /* of a program's: hub_owner */
    uint8_t scopes;                  /* the same: what it may ask (protocol/scope.h) */
    bool account_quiet;              /* the same: it says and hears nothing, */
    bool connection_quiet;           /* or by where it has come to (site_set_quiet) */
    uint8_t secret_hash[32];    /* of its device's token; before, of what its hello came with, */
    bool answers_challenge;     /* or this, which it answers in the part that it was sent to */
    int64_t challenge_until_ms; /* then the hello that answers it waits no longer for that part */
    unsigned sent_home; /* the home of this secret, and 1, which the part of its hash has named: the
                           session was made before the site was divided anew; 0: it has not */
    struct greeting *greeting; /* the hello that is under way */
    struct port *ports;        /* the one that was written from last is the last */
    struct messages held, waiting;
    struct gather *gather; /* one at a time */
    int64_t answer_due_ms; /* when no more of either is waited for; INT64_MAX: none is */
    int64_t resume_due_ms; /* when something is to be done about a lost part; INT64_MAX: none is */
    struct shown *shown;   /* of the list of rooms; NULL: nothing yet */
};

/* In one piece, which is too large for the heap: what was never used takes no memory. */
struct client_slot {
    struct client *client; /* NULL: free */
    uint32_t generation;
    uint32_t spare; /* of slot i: the i-th index of a slot that was used and is free */
};

struct clients {
    struct client_slot *slots;
    size_t size, count, spare_count; /* of spares the last is used first */
    struct output_queue outputs;
    uint8_t groups_key[ADDRESS_GROUPS_KEY_BYTES];
    struct client *waits_first;
};

int clients_init(struct clients *clients, const struct site_config *config); /* <0: out of memory */
void clients_release(struct clients *clients); /* there are none any more */

struct client *client_of(const struct clients *clients, struct hub_peer peer); /* NULL: gone */
/* All: `*at` starts as 0. */
struct client *client_next(const struct clients *clients, size_t *at);
/* NULL: as many as there may be, or out of memory. */
struct client *client_add(struct clients *clients, const uint8_t address[static 16]);
/* Its ports, its greeting, its gather and what it was shown have been ended. */
void client_remove(struct clients *clients, struct client *client);

/* Closes it when what it has still to get is written; the first code counts. */
void client_close(struct clients *clients, struct client *client, int code);

/* To be called when what it waits for has changed. INT64_MAX: it waits for nothing. */
int64_t client_note_wait(struct clients *clients, struct client *client);
/* `hurries`: it waits for what is there for it, or is to be closed (output_queue.h). */
void client_mark_ready(struct clients *clients, struct client *client, bool hurries);
struct client *client_pop_ready(struct clients *clients);

/* With headroom, to be filled in. NULL: out of memory. */
struct message *message_new(size_t len);
struct message *message_copy(const void *bytes, size_t len);
struct message *message_told(const void *bytes, size_t len, const struct hub_head *head,
                             struct facts facts);
void messages_add(struct messages *messages, struct message *message);
void messages_add_first(struct messages *messages, struct message *message);
struct message *messages_pop(struct messages *messages); /* NULL: none */
void messages_clear(struct messages *messages);
void message_free(struct message *message); /* takes NULL */

static inline unsigned char *message_bytes(struct message *message)
{
    return message->bytes + HUB_OUTPUT_HEADROOM;
}

static inline struct facts message_facts(struct message *message)
{
    return (struct facts){message_bytes(message) + message->len, message->facts_len};
}

#endif
