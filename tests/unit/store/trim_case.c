#include "trim_case.h"

#include "row_ops.h"
#include <check.h>
#include <history/game_table.h>
#include <identity/credential_table.h>
#include <notify/browser_table.h>
#include <stdio.h>
#include <string.h>

static const char line[] = "{\"title\":\"caf\xc3\xa9\"}";

static struct store_op op_of(enum store_op_kind kind, const char *room_id)
{
    struct store_op op = {.kind = kind};
    snprintf(op.room_id, sizeof op.room_id, "%s", room_id);
    return op;
}

/* A row that goes with its room. */
struct seen_room {
    uint64_t session;
    char room[9];
    int64_t at_ms;
};

static const struct store_table seen_room_table = {
    .name = "seen_room",
    .what = "a room that somebody has seen",
    .number = 1003,
    .size = sizeof(struct seen_room),
    .owner = STORE_OF_SESSION,
    .unloaded = true,
    .room_at = 1,
    .keys = 2,
    .count = 3,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct seen_room, session)},
                {"room", STORE_STRING, STORE_MEMBER(struct seen_room, room)},
                {"at_ms", STORE_NUMBER, STORE_MEMBER(struct seen_room, at_ms)}},
};

const struct store_table *const trim_tables[] = {
    &credential_table,     &browser_table,      &game_table, &seen_room_table,
    &store_document_table, &store_letter_table, NULL};

static struct store_op seen_of(const char *room_id, uint64_t session)
{
    struct seen_room row = {.session = session, .at_ms = 1};
    snprintf(row.room, sizeof row.room, "%s", room_id);
    return op_put_row(&seen_room_table, &row);
}

static struct store_op event_of(const char *room_id, uint64_t seq, uint64_t session, int64_t at_ms)
{
    struct store_op op = op_of(STORE_APPEND, room_id);
    op.u.event = (struct room_event){.seq = seq,
                                     .at_ms = at_ms,
                                     .origin = {.session = session, .request_id = 1},
                                     .kind = ROOM_MOVE,
                                     .text = "draw",
                                     .text_len = 4};
    return op;
}

static struct store_op game_of(const char *room_id, uint64_t session, uint8_t seat, int64_t at_ms)
{
    struct game_row row = {.session = session,
                           .at_ms = at_ms,
                           .seat = seat,
                           .text_len = (uint16_t)(sizeof line - 1),
                           .text = line};
    snprintf(row.room, sizeof row.room, "%s", room_id);
    return op_put_game(&row, 100);
}

static size_t begin(const struct trim_case *c, struct store_op ops[static 9], const char *room_id)
{
    ops[0] = (struct store_op){.kind = STORE_PUT_SESSION,
                               .u.session = {.id = c->sessions[0], .name = "Ana"}};
    ops[1] = (struct store_op){.kind = STORE_PUT_SESSION,
                               .u.session = {.id = c->sessions[1], .name = "Bo"}};
    ops[2] = op_of(STORE_PUT_ROOM, room_id);
    snprintf(ops[2].u.room.seed.id, sizeof ops[2].u.room.seed.id, "%s", room_id);
    return 3;
}

void trim_case_put(const struct trim_case *c, const char *room_id, int sessions, int64_t ended_ms)
{
    struct store_op ops[9];
    const uint64_t first = c->sessions[0], second = c->sessions[1];
    size_t count = begin(c, ops, room_id);
    ops[count++] = event_of(room_id, 1, first, ended_ms - 100);
    ops[count++] = event_of(room_id, 2, sessions == 2 ? second : first, ended_ms - 50);
    ops[count++] = event_of(room_id, 3, 0, ended_ms); /* the room's own */
    ops[count++] = game_of(room_id, first, 0, ended_ms);
    if (sessions == 2)
        ops[count++] = game_of(room_id, second, 1, ended_ms);
    ops[count++] = op_of(STORE_ARCHIVE_ROOM, room_id);
    c->commit(c->ctx, ops, count);
}

void trim_case_rows(const struct trim_case *c)
{
    struct store_trim all = {.before_ms = {2500, 2500}};
    trim_case_put(c, "room000a", 2, 2000);
    trim_case_put(c, "room000b", 1, 3000);
    const struct store_op ops[] = {seen_of("room000a", c->sessions[0]),
                                   seen_of("room000a", c->sessions[1]),
                                   seen_of("room000b", c->sessions[0])};
    c->commit(c->ctx, ops, 3);
    c->trim(c->ctx, &all);
    ck_assert(!c->has(c->ctx, "room000a"));
    ck_assert(c->has(c->ctx, "room000b"));
}

void trim_case_put_live(const struct trim_case *c, const char *room_id, int64_t last_ms)
{
    struct store_op ops[9];
    size_t count = begin(c, ops, room_id);
    ops[count++] = event_of(room_id, 1, c->sessions[0], last_ms);
    c->commit(c->ctx, ops, count);
}

static struct store_trim bounds_of(int64_t solo_ms, int64_t people_ms)
{
    return (struct store_trim){.before_ms = {solo_ms, people_ms}};
}

static void expect(const struct store_trim *trim, const uint64_t kept[static 2],
                   const uint64_t dropped[static 2])
{
    for (int match = 0; match < STORE_MATCHES; match++) {
        ck_assert_uint_eq(trim->kept[match], kept[match]);
        ck_assert_uint_eq(trim->dropped[match], dropped[match]);
    }
    ck_assert(trim->end);
}

static void put_some(const struct trim_case *c)
{
    trim_case_put(c, "room000a", 1, 1000);
    trim_case_put(c, "room000b", 2, 2000);
    trim_case_put_live(c, "room000d", 500);
    trim_case_put(c, "room000c", 1, 3000);
    trim_case_put(c, "room000e", 2, 4000);
}

static void drop_by_age(const struct trim_case *c)
{
    struct store_trim trim = bounds_of(3000, INT64_MIN); /* what ended just then stays */
    c->trim(c->ctx, &trim);
    expect(&trim, (uint64_t[]){1, 2}, (uint64_t[]){1, 0});
    ck_assert(!c->has(c->ctx, "room000a"));
    ck_assert(c->has(c->ctx, "room000b"));
    ck_assert_uint_eq(c->listed(c->ctx, c->sessions[0]), 3);
    ck_assert_uint_eq(c->listed(c->ctx, c->sessions[1]), 2);
}

static void drop_what_is_too_many(const struct trim_case *c)
{
    struct store_trim trim = bounds_of(INT64_MIN, INT64_MIN);
    trim.excess[STORE_MATCH_PEOPLE] = 1;
    c->trim(c->ctx, &trim);
    expect(&trim, (uint64_t[]){1, 1}, (uint64_t[]){0, 1});
    ck_assert_uint_eq(trim.excess[STORE_MATCH_PEOPLE], 0);
    ck_assert(!c->has(c->ctx, "room000b"));
    ck_assert_uint_eq(c->listed(c->ctx, c->sessions[0]), 2);
    ck_assert_uint_eq(c->listed(c->ctx, c->sessions[1]), 1);
}

void trim_case_bounds(const struct trim_case *c)
{
    struct store_trim trim = bounds_of(INT64_MIN, INT64_MIN);
    c->trim(c->ctx, &trim);
    expect(&trim, (uint64_t[]){0, 0}, (uint64_t[]){0, 0});
    put_some(c);
    trim = bounds_of(INT64_MIN, INT64_MIN);
    c->trim(c->ctx, &trim);
    expect(&trim, (uint64_t[]){2, 2}, (uint64_t[]){0, 0});
    ck_assert_int_eq(trim.latest_ms, 4000);
    drop_by_age(c);
    drop_what_is_too_many(c);
    ck_assert(c->has(c->ctx, "room000c"));
    ck_assert(c->has(c->ctx, "room000e"));
    trim_case_put(c, "room000a", 1, 5000); /* nothing is left of the one before */
    ck_assert(c->has(c->ctx, "room000a"));
}

static uint64_t drop_named(const struct trim_case *c, const char *room_id)
{
    struct store_trim trim = bounds_of(INT64_MIN, INT64_MIN);
    snprintf(trim.room_id, sizeof trim.room_id, "%s", room_id);
    c->trim(c->ctx, &trim);
    return trim.dropped[STORE_MATCH_SOLO] + trim.dropped[STORE_MATCH_PEOPLE];
}

void trim_case_named(const struct trim_case *c)
{
    put_some(c);
    ck_assert_uint_eq(drop_named(c, "room000b"), 1);
    ck_assert(!c->has(c->ctx, "room000b"));
    ck_assert_uint_eq(c->listed(c->ctx, c->sessions[0]), 3);
    ck_assert_uint_eq(c->listed(c->ctx, c->sessions[1]), 1);
    ck_assert_uint_eq(drop_named(c, "room000b"), 0); /* it is gone */
    ck_assert_uint_eq(drop_named(c, "room000d"), 0); /* is played */
    ck_assert(c->has(c->ctx, "room000a") && c->has(c->ctx, "room000c"));
    ck_assert(c->has(c->ctx, "room000e"));
    trim_case_put(c, "room000b", 1, 5000); /* nothing is left of the one before */
}

void trim_case_steps(const struct trim_case *c)
{
    enum { ROOMS = 2 * STORE_TRIM_LOOKS + 3 };
    char room_id[9];
    struct store_trim trim = bounds_of(1500, INT64_MIN);
    size_t steps = 0, dropped = 0, kept = 0;
    for (int at = 0; at < ROOMS; at++) {
        snprintf(room_id, sizeof room_id, "room%04d", at);
        trim_case_put(c, room_id, 1, at < STORE_TRIM_LOOKS ? 1000 + at : 2000 + at);
    }
    do {
        c->trim(c->ctx, &trim);
        ck_assert_uint_le(trim.dropped[STORE_MATCH_SOLO], STORE_TRIM_DROPS);
        dropped += trim.dropped[STORE_MATCH_SOLO];
        kept += trim.kept[STORE_MATCH_SOLO];
        ck_assert_uint_lt(++steps, ROOMS);
    } while (!trim.end);
    ck_assert_uint_eq(dropped, STORE_TRIM_LOOKS);
    ck_assert_uint_eq(kept, ROOMS - STORE_TRIM_LOOKS);
    ck_assert(!c->has(c->ctx, "room0000") && !c->has(c->ctx, "room0015"));
    ck_assert(c->has(c->ctx, "room0016") && c->has(c->ctx, "room0034"));
}
