/*
 * A room under test with its clients: requests go in as JSON text, pushes come out to one client
 * state for each audience, and after every event the laws are checked:
 *
 *     patch(state(n), push(n+1).patch) == state(n+1) for every audience
 *     no null and no array in a state
 *     nothing secret in any byte before it may be seen
 *     views, pushes and the computer do not depend on what their seat may not know
 *     a refusal changes no byte of the room
 */
#ifndef TEST_ROOM_TABLE_H
#define TEST_ROOM_TABLE_H

#include "room_internal.h"
#include <check.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum { ANA = 101, BO = 102, CHI = 103, DEE = 104, EVA = 105, FAY = 106 };

struct table {
    struct room *room;
    int64_t now_ms;
    int64_t next_id;
    struct room_limits limits;
    bool kept_at_once; /* every event is durable in the same millisecond (the default) */
    uint64_t seq;      /* of the last answer */
    const struct protocol_account *account; /* of who asks now; NULL: none */
    json_t *event;                          /* of the last push to audience 0 */
    struct refusal refusal;
    json_t *state[ROOM_AUDIENCES_MAX]; /* what clients hold */
    size_t push_bytes;                 /* of the last push to audience 0 */
    unsigned blind_pushes;             /* of Totem, written twice: see totem_pushes.h */
};

/* `create` is the members of a create request: "\"options\":{\"players\":3}", or "". */
void table_open(struct table *table, const char *create);
void table_open_game(struct table *table, const struct game_type *const games[],
                     const char *create);
/* Of a match that is rated by that class, with Ana, Bo, ... in their seats. */
void table_open_rated(struct table *table, const char *create, const char *rated);
void table_close(struct table *table);

const char *table_name(uint64_t session);

/*
 * A request: `members` after id, op and room, "" for none. "ok", "same" (accepted, nothing to
 * change), "repeat", or the code of the refusal. table_send_id sends with an id of its own.
 */
const char *table_send(struct table *table, uint64_t session, const char *op, const char *members);
const char *table_send_id(struct table *table, uint64_t session, int64_t id, const char *op,
                          const char *members);
const char *table_move(struct table *table, uint64_t session, const char *move);
/* Decides alone: with "ok" there is an event for table_apply. */
const char *table_decide(struct table *table, uint64_t session, int64_t id, const char *op,
                         const char *members, struct room_event *event, struct room_draft *draft);

/* As `check`: "ok" or the refusal. */
const char *table_check(struct table *table, uint64_t session, const char *move);

/* Lets `ms` go by, doing what is due at its time. */
void table_wait(struct table *table, int64_t ms);
/* Does what is due now; how many events. */
unsigned table_due(struct table *table);
void table_apply(struct table *table, const struct room_event *event);

/* Everybody joins and is ready, and it starts. */
void table_start(struct table *table);
/* The same of those who sit there already. */
void table_start_seated(struct table *table);

/* The session to move (Taluva), 0 if nobody. */
uint64_t table_mover(const struct table *table);
/* A legal move of whoever is to move, by the computer player, with `seed`. */
const char *table_any_move(const struct table *table, uint64_t seed);
/* Moves until it is over, or `moves` have been made. */
void table_play(struct table *table, uint64_t seed, unsigned moves);

/* Looks into the state that audience 0 holds: "clock.seats.0.left_ms". NULL if absent. */
const json_t *table_look(const struct table *table, const char *path);
bool table_acts(const struct table *table, unsigned seat);
int64_t table_look_int(const struct table *table, const char *path);
const char *table_look_string(const struct table *table, const char *path);

json_t *table_state(const struct table *table, unsigned audience, uint64_t seq);

/* The room as bytes: to see that nothing changed. */
uint64_t table_fingerprint(const struct room *room);

/* A second room grown from the seed and the log, as after a restart. */
struct room *table_regrow(const struct table *table);
/* Every law of replay, for every seq: costly. */
void table_check_replay(const struct table *table);

/* Any random number of 0..n-1 out of a state of the caller's. */
uint32_t test_random(uint64_t *state, uint32_t n);

#define expect_code(expression, code) ck_assert_str_eq((expression), (code))
#define expect_ok(expression)         ck_assert_str_eq((expression), "ok")

#endif
