/*
 * A site of several nodes: hubs and models of their stores, links between the nodes, and clients
 * that are connected to one of them. A test calls the functions below and looks at the messages
 * that follow.
 */
#ifndef NODES_H
#define NODES_H

#include "../../support/model_store.h"
#include <hub/hub.h>
#include <jansson.h>
#include <protocol/limits.h>
#include <site/site.h>
#include <stdbool.h>

enum { NODES = 3, PARTS = 4, CLIENTS = 64, INBOX = 512 };

struct node {
    struct site *site; /* NULL: it is gone */
    struct site_link
        *links[NODES];          /* its end of the link to each of the others; NULL: there is none */
    bool delayed[NODES];        /* what is for that node waits */
    size_t frames, frame_bytes; /* sent to others */
};

/* What becomes of a batch. */
enum storing { STORED, NOT_STORED, STORED_UNKNOWN /* ... to the hub */, FENCED, FAILED };

struct place { /* of a part */
    struct model_store store;
    struct hub *hub; /* NULL: nobody has it */
    int node;
    uint64_t term;
    enum storing storing;
    const struct store_batch *out;
};

struct guest {
    int node;
    struct hub_peer peer;
    bool open;
    bool deaf; /* does not read */
    int close_code;
    json_t *inbox[INBOX];
    size_t count;
    char token[PROTOCOL_TOKEN_BYTES + 1];
    char session[17];
};

struct nodes {
    struct hub_config config;
    struct site_config site_config;
    struct hub_env env;
    unsigned parts;
    bool made_up; /* what is told to guests is the test's own */
    struct node nodes[NODES];
    struct place places[PARTS];
    struct guest guests[CLIENTS];
    int64_t now_ms;
    int64_t next_id;
    uint64_t random;
    bool programs; /* who is no guest is a program, whose output the test takes */
};

/* All joined; part k is on node k modulo `count`. */
void nodes_init(struct nodes *nodes, int count, unsigned parts);
/* With these features, and not those that a server has. */
void nodes_init_with(struct nodes *nodes, int count, unsigned parts,
                     const struct feature *const *features);
/* One lone node, with one part. */
void nodes_init_lone(struct nodes *nodes);
void nodes_release(struct nodes *nodes);

void nodes_kill(struct nodes *nodes, int node); /* with the hubs that it has */
void nodes_start(struct nodes *nodes, int node);
/* Kills it and starts it with other limits of its site; it serves again what it served. */
void nodes_limit(struct nodes *nodes, int node, size_t held_bytes, size_t link_bytes);
void nodes_cut(struct nodes *nodes, int one, int other);  /* the link between them is lost */
void nodes_join(struct nodes *nodes, int one, int other); /* ... and made again */
/* The hub of a part, restored from its store, which nobody has. */
void nodes_serve(struct nodes *nodes, unsigned part, int node);
void nodes_leave(struct nodes *nodes, unsigned part);
void nodes_lose(struct nodes *nodes, unsigned part); /* at once, with what is under way */

/* Runs everything that is due. */
void nodes_settle(struct nodes *nodes);
void nodes_pass(struct nodes *nodes, int64_t ms);

/* A connection to that node; its index. Refused: -1. */
int nodes_connect(struct nodes *nodes, int node);
void nodes_disconnect(struct nodes *nodes, int guest);
/* connect and hello; nodes_back: with the token of another guest. */
int nodes_guest(struct nodes *nodes, int node, const char *name);
/* `host`: the last byte of its address, 1 of all others. */
int nodes_guest_from(struct nodes *nodes, int node, const char *name, uint8_t host);
int nodes_back(struct nodes *nodes, int node, int guest);

void nodes_send(struct nodes *nodes, int guest, const char *text);
/* A request; members as for json_pack, "" for none. Its id. */
int64_t nodes_post(struct nodes *nodes, int guest, const char *op, const char *format, ...);
/* The same, then everything is run; the reply's `ok`, a new reference. */
json_t *nodes_ok(struct nodes *nodes, int guest, const char *op, const char *format, ...);
void nodes_do(struct nodes *nodes, int guest, const char *op, const char *format, ...);
void nodes_refused(struct nodes *nodes, int guest, const char *code, const char *op,
                   const char *format, ...);
/* Takes the reply to that request out of the inbox; NULL: there is none. */
json_t *nodes_reply(struct nodes *nodes, int guest, int64_t id);
void nodes_forget(struct nodes *nodes, int guest); /* all messages */

const char *text_of(const json_t *object, const char *key);  /* "" if absent */
json_int_t number_of(const json_t *object, const char *key); /* -1 if absent */

/* The part that a guest is at home in, and one that it is not. */
unsigned home_of(const struct nodes *nodes, int guest);

/* A room of `guest`, by its home; its id. */
void nodes_room(struct nodes *nodes, int guest, char room[static 9]);
/* Both sit down in it, and the match begins. */
void nodes_begin(struct nodes *nodes, const int players[2], const char *room);
/* Whoever is to move makes a legal move. False: the match is over. */
bool nodes_move(struct nodes *nodes, const int players[2], const char *room);

/* All nodes are stopped, the site is given another number of parts, and they are started again. */
void nodes_divide(struct nodes *nodes, unsigned parts);

#endif
