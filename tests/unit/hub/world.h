/*
 * A hub, a model of its store, a clock, and browser tabs. A test calls the functions below and
 * looks at the messages that follow. What must always hold is checked by itself: one reply to each
 * request, and seqs without gaps.
 */
#ifndef WORLD_H
#define WORLD_H

#include "../../support/hub_driver.h"
#include "../../support/model_store.h"
#include <hub/hub.h>
#include <hub/note.h>
#include <hub/push.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

enum { WORLD_TABS = 128, INBOX = 4096, PUSHED = 16, NOTES = 16, CODE_SPACE = 20, TOKEN_SPACE = 44 };

struct tab {
    struct hub_link link;
    bool deaf; /* does not read: its outbox fills */
    int close_code;
    int elsewhere; /* closed: the part where its hello is answered; below 0: it is not */
    FILE *tape;    /* every message is written here, with its time; NULL: none */
    json_t *inbox[INBOX];
    size_t first, count;
    char token[TOKEN_SPACE];
    char session[CODE_SPACE];
};

struct world {
    struct hub_config config;
    struct hub_env env;
    struct hub *hub;
    struct model_store store;
    int64_t now_ms;
    int64_t retry_ms; /* of the last refusal, -1: it said nothing */
    uint64_t random;
    unsigned host; /* the last byte of the address that tabs come from */
    int64_t next_id;
    const struct store_batch *out;
    bool held; /* the store does not answer until it is told */
    enum store_result answer;
    struct hub_push_job pushed[PUSHED]; /* messages to browsers; a test says what became of them */
    size_t pushed_count;
    struct hub_note notes[NOTES]; /* for other parts; a test carries them there */
    size_t note_count;
    struct tab tabs[WORLD_TABS];
};

void world_init(struct world *world);  /* a hub with the default limits */
void world_start(struct world *world); /* creates the hub anew, after a change of world->config */
void world_release(struct world *world);
/* A crash and a restart: what is not in the store is lost, and all tabs are disconnected. */
void world_restart(struct world *world);

/* Runs everything that is due: commits (unless held), reads, output. */
void world_settle(struct world *world);
void world_pass(struct world *world,
                int64_t ms); /* advances the clock from one deadline to the next */
/* The store finishes the pending batch. */
void world_commit(struct world *world, enum store_result result);

/* A connection; `host` is the last byte of its IPv4 address, or above 255 of a /64, and the others
 * say which /48 that is of. Its index. */
int world_connect_from(struct world *world, unsigned host);
int world_connect(struct world *world);
/* A foreign session's, from the same address; -1: refused, and *refused is the close code. */
int world_connect_as(struct world *world, uint64_t session, const char *name, int *refused);
void world_cut(struct world *world, int tab);
/* connect and hello; with token: the one of that tab. */
int world_guest(struct world *world, const char *name);
int world_back(struct world *world, int tab);

/* Sends these bytes. */
void world_send(struct world *world, int tab, const char *text);
/* Sends a request without running anything; members as for json_pack, "" for none. Returns the id.
 */
int64_t world_post(struct world *world, int tab, const char *op, const char *format, ...);
/* The same with an id of the caller's. */
void world_post_id(struct world *world, int tab, int64_t id, const char *op, const char *format,
                   ...);
/* Sends a request, runs everything, and takes the reply: `ok`, a new reference. */
json_t *world_ok(struct world *world, int tab, const char *op, const char *format, ...);
/* The same, without the reply. */
void world_do(struct world *world, int tab, const char *op, const char *format, ...);
/* Sends a request, runs everything, and expects this error. */
void world_refused(struct world *world, int tab, const char *code, const char *op,
                   const char *format, ...);

/* Repeats a request until it is refused with this code; returns how often it was granted. */
int world_until_refused(struct world *world, int tab, const char *code, const char *text);

/* The oldest message that has this `id`, or this push; taken out, a new reference; NULL: none. */
json_t *world_reply(struct world *world, int tab, int64_t id);
json_t *world_push(struct world *world, int tab, const char *push);
/* Removes the reply to `id`, which must be `ok` or an error with this code. */
void world_granted(struct world *world, int tab, int64_t id);
void world_denied(struct world *world, int tab, int64_t id, const char *code);
size_t world_forget(struct world *world,
                    int tab); /* empties the inbox; returns how many messages there were */

const char *str(const json_t *object, const char *key); /* "" if absent */
json_int_t num(const json_t *object, const char *key);  /* -1 if absent */

/* A line of /metrics, without the prefix taluva_; 0: there is none. */
double world_figure(struct world *world, const char *line);

/* ---- rooms */

struct table { /* a room with players in it */
    char room[CODE_SPACE];
    char code[CODE_SPACE];
    int tabs[5];
    int players;
};
/* Created by the first, joined by all, not ready. Options as for json_pack, or "". */
void world_table(struct world *world, struct table *table, int players, const char *format, ...);
void world_begin(struct world *world, struct table *table); /* all ready, started */
/* The seat to move makes its first legal move; returns its tab, or -1 if the match is over. */
int world_move(struct world *world, const struct table *table);
void world_play_out(struct world *world, const struct table *table);

#endif
