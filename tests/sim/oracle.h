/*
 * The expected state: every room as a replay of the events that have become durable. The replay
 * uses the server's rules; each event is held against an independent reading of them as well.
 */
#ifndef SIM_ORACLE_H
#define SIM_ORACLE_H

#include "behaved.h"
#include "guests.h"
#include "handles.h"
#include "letters.h"
#include "measured.h"
#include "placed.h"
#include "rated.h"
#include <hub/store.h>
#include <jansson.h>
#include <protocol/state.h>
#include <room/room.h>
#include <stdbool.h>

struct fact {                                /* one durable event */
    uint64_t state_hash[ROOM_AUDIENCES_MAX]; /* of the state after it, for each audience */
    uint64_t push_hash[ROOM_AUDIENCES_MAX];  /* of what each is told of it, where that differs */
    uint64_t session;
    int64_t request_id;
    enum room_event_kind kind;
};

struct truth { /* one room */
    char id[9];
    char secret[65]; /* hex */
    struct room *room;
    struct reference *reference;   /* of a match of Taluva; NULL before it is dealt */
    struct totem_reference *totem; /* the same of a match of Totem */
    json_t *state;                 /* after the last fact, for audience 0 */
    struct fact *facts;            /* facts[seq - 1] */
    size_t count, size;
    uint64_t round_seq; /* of Totem: the event with which the round began */
    bool dropped;
    uint64_t analysis_hash; /* 0: not worked out */
    int analysed;           /* last by the server that started as the n-th; 0: by none */
};

struct oracle {
    struct truth *rooms;
    size_t count, size;
    struct letters letters;
    struct handles handles;
    struct guests guests;
    struct rated rated;
    struct placed placed;
    struct behaved behaved;
    struct measured measured;
    char complaint[200]; /* "" while all is well */
};

void oracle_release(struct oracle *oracle);
/* What the batch says has become durable, but for what the store has refused of it. */
void oracle_apply(struct oracle *oracle, const struct store_batch *batch);
/* NULL: there never was one. */
const struct truth *oracle_room(const struct oracle *oracle, const char *id);

/* Of all rated matches that are over each is in the book. NULL: all is well. */
const char *oracle_check_rated(const struct oracle *oracle);

/* Whoever plays, as the store has it, does. NULL: all is well. */
const char *oracle_check_placed(const struct oracle *oracle, const struct model_store *store);

/* The state of a room as it is told to this audience, a new reference. */
json_t *oracle_state(const struct room *room, unsigned audience);

/* The answer to `moves` for the owner of this session, a new reference; NULL: it is refused. */
json_t *oracle_moves(const struct truth *truth, uint64_t session);

/* A number that equal JSON values have in common. */
uint64_t json_hash(const json_t *value);

#endif
