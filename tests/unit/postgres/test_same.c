/* Held against the embedded store: the same batches, the same answers, the same rows. */
#include "../../support/rng.h"
#include "cases.h"
#include "fixture.h"
#include <erase_case.h>
#include <guest_rows.h>
#include <identity/credential_table.h>
#include <inttypes.h>
#include <notify/browser_table.h>
#include <row_ops.h>
#include <scenario.h>
#include <scratch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct scratch scratch;

/* ---- one as the other */

struct both {
    struct sqlite_store *embedded;
    struct store *store;
};

static struct both open_both(void)
{
    return (struct both){scratch_open_loaded(&scratch), fixture_open()};
}

static void commit_both(const struct both *both, const struct store_batch *batch)
{
    enum store_result results[64], embedded[64] = {STORE_OK};
    struct store_op ops[64];
    const enum store_result result =
        fixture_commit_as(both->store, batch, fixture_epoch(), results);
    ck_assert_msg(result == STORE_OK, "%d: %s", (int)result, fixture_said());
    ck_assert_uint_le(batch->count, 64);
    for (size_t at = 0; at < batch->count; at++) {
        ops[at] = batch->ops[at];
        /* An epoch that is not the store's is none of the other's either. */
        ops[at].epoch = sqlite_store_epoch(both->embedded);
    }
    const struct store_batch same = {batch->count, ops, embedded};
    ck_assert_int_eq(sqlite_store_commit(both->embedded, &same), STORE_OK);
    for (size_t at = 0; at < batch->count; at++)
        ck_assert_msg(results[at] == embedded[at], "op %zu of kind %d: %d, and %d embedded", at,
                      (int)batch->ops[at].kind, (int)results[at], (int)embedded[at]);
}

static char *games_of(struct store *store, uint64_t session)
{
    char *text;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    struct store_query page = games_page(session, "");
    for (bool more = true; more;) {
        fixture_query(store, &page);
        ck_assert_int_eq(page.result, STORE_OK);
        dump_games_page(out, &page);
        more = page.more;
        const struct game_row *last = more ? store_query_row(&page, page.count - 1) : NULL;
        const struct store_query next = games_page(session, last ? last->room : "");
        page.release(&page);
        page = next;
    }
    fclose(out);
    return text;
}

static void compare_games(const struct both *both, uint64_t session)
{
    char *text, *games = games_of(both->store, session);
    size_t len;
    FILE *out = open_memstream(&text, &len);
    dump_games(both->embedded, session, out);
    fclose(out);
    ck_assert_str_eq(games, text);
    free(games);
    free(text);
}

static void compare_archived(const struct both *both, const char *room_id)
{
    char *text = NULL, *other = NULL;
    size_t len;
    struct store_read read;
    struct sqlite_reading *reading;
    fixture_read(both->store, &read, room_id);
    ck_assert_int_eq(read.result, STORE_OK);
    ck_assert_int_eq(sqlite_store_read(both->embedded, room_id, &reading), STORE_OK);
    ck_assert_int_eq(read.rows.room != NULL, reading->rows.room != NULL);
    if (read.rows.room) {
        FILE *out = open_memstream(&text, &len);
        dump_rows(out, &read.rows);
        fclose(out);
        out = open_memstream(&other, &len);
        dump_rows(out, &reading->rows);
        fclose(out);
        ck_assert_str_eq(text, other);
    }
    free(text);
    free(other);
    read.release(&read);
    sqlite_reading_destroy(reading);
}

/* Closes both and opens them again. */
static void compare_rows(struct both *both)
{
    sqlite_store_close(both->embedded);
    char *embedded = dump_folder(&scratch), *rows = fixture_rows(both->store);
    ck_assert_str_eq(rows, embedded);
    free(embedded);
    free(rows);
    *both = open_both();
}

static void close_both(const struct both *both)
{
    sqlite_store_close(both->embedded);
    fixture_close(both->store);
}

START_TEST(the_scenario_leaves_the_same_rows)
{
    static struct scenario scenario;
    scratch_init(&scratch);
    struct both both = open_both();
    scenario_init(&scenario);
    for (int at = 0; at < SCENARIO_BATCHES; at++) {
        commit_both(&both, scenario_batch(&scenario, at));
        compare_rows(&both);
        compare_games(&both, 7);
        compare_games(&both, UINT64_MAX);
        compare_archived(&both, "room000c");
        compare_archived(&both, "room000a");
    }
    close_both(&both);
    scratch_release(&scratch);
}
END_TEST

/* ---- anything, in any order */

enum { ROOMS = 5, OPS_MAX = 12, BATCHES = 120, COMPARE_EVERY = 10 };

static void name_room(char id[9], uint64_t number)
{
    snprintf(id, 9, "room%04u", (unsigned)(number % ROOMS));
}

static struct store_op any_row(struct rng *rng, uint64_t session,
                               struct store_op (*make)(const struct store_table *, const void *))
{
    const struct browser_row push = {session, rng_below(rng, 3), 1, (int64_t)rng_below(rng, 9), {4},
                                     {1},     "https://p/1"};
    const struct credential_row pass = {.session = session,
                                        .id = (uint32_t)rng_below(rng, 3),
                                        .kind = (enum credential_kind)rng_below(rng, 3),
                                        .since_ms = (int64_t)rng_below(rng, 9),
                                        .name = "Tablet"};
    return rng_below(rng, 2) == 0 ? make(&browser_table, &push) : make(&credential_table, &pass);
}

static struct store_op any_game(struct rng *rng, uint64_t session, uint64_t room)
{
    struct game_row row = {.session = session,
                           .at_ms = (int64_t)rng_below(rng, 50),
                           .seat = (uint8_t)rng_below(rng, 4),
                           .text_len = 4,
                           .text = "{\"b\"}"};
    name_room(row.room, room);
    return op_put_game(&row, 3);
}

static struct store_op any_op(struct rng *rng, uint64_t seq[ROOMS])
{
    static const enum store_op_kind kinds[] = {
        STORE_PUT_SESSION, STORE_DROP_SESSION, STORE_PUT_ROOM,    STORE_PUT_ROOM,
        STORE_APPEND,      STORE_APPEND,       STORE_APPEND,      STORE_APPEND,
        STORE_APPEND,      STORE_APPEND,       STORE_APPEND,      STORE_ARCHIVE_ROOM,
        STORE_DROP_ROOM,   STORE_LET_IN,       STORE_LET_IN,      STORE_PUT_ROW,
        STORE_DROP_ROW,    STORE_PUT_ROW,      STORE_PUT_ROW,     STORE_DROP_ROW,
        STORE_PUT_ROW,     STORE_PUT_ROW,      STORE_PUT_ROW,     STORE_PUT_SESSION,
        STORE_ERASE_NAMES, STORE_HAND_ROOM,    STORE_HAND_MATCHES};
    struct store_op op = {.kind = kinds[rng_below(rng, sizeof kinds / sizeof kinds[0])]};
    const uint64_t room = rng_below(rng, ROOMS), session = 1 + rng_below(rng, 4);
    name_room(op.room_id, room);
    switch (op.kind) {
    case STORE_PUT_SESSION:
        op.u.session = (struct store_session){session, "Zo\xc3\xab", (int64_t)rng_below(rng, 9) - 4,
                                              (int64_t)rng_below(rng, 9)};
        break;
    case STORE_DROP_SESSION:
    case STORE_ERASE_NAMES:
        op.u.session_id = session;
        break;
    case STORE_HAND_ROOM:
    case STORE_HAND_MATCHES:
        op.u.hand = (struct store_hand){session, 1 + session % 4};
        break;
    case STORE_PUT_ROOM:
        memcpy(op.u.room.seed.id, op.room_id, sizeof op.room_id);
        memset(op.u.room.seed.secret, (int)rng_below(rng, 256), sizeof op.u.room.seed.secret);
        op.u.room.seed.host = UINT64_MAX - session;
        name_room(op.with_id, rng_below(rng, 3) == 0 ? room + 1 : room);
        if (rng_below(rng, 2) == 0)
            op.with_id[0] = '\0';
        seq[room] = 0;
        break;
    case STORE_APPEND:
        seq[room] += rng_below(rng, 40) != 0;
        op.u.event = (struct room_event){.seq = seq[room],
                                         .at_ms = (int64_t)rng_below(rng, 1000),
                                         .origin = {session, -1, UINT64_MAX - session},
                                         .kind = ROOM_MOVE,
                                         .seat = (uint8_t)rng_below(rng, 5),
                                         .text_len = (uint16_t)rng_below(rng, 9),
                                         .text = "{\"a\":123}"};
        break;
    case STORE_LET_IN:
        op.u.guest = (struct store_guest){session, rng_below(rng, 3)};
        break;
    case STORE_PUT_ROW:
        if (rng_below(rng, 2) == 0)
            return any_game(rng, session, room);
        return rng_below(rng, 2) == 0 ? op_any_guest(rng) : any_row(rng, session, op_put_row);
    case STORE_DROP_ROW:
        return any_row(rng, session, op_drop_row);
    case STORE_ARCHIVE_ROOM:
    case STORE_DROP_ROOM:
        break;
    }
    return op;
}

/* Where the logs end. */
static void read_ends(uint64_t seq[ROOMS])
{
    for (uint64_t room = 0; room < ROOMS; room++) {
        char sql[160], id[9];
        name_room(id, room);
        snprintf(sql, sizeof sql,
                 "SELECT coalesce(max(seq), 0) FROM taluva.event e JOIN taluva.room r"
                 " ON r.key = e.room WHERE id = '%s' AND NOT archived",
                 id);
        seq[room] = (uint64_t)fixture_number(sql);
    }
}

static void compare_page(const struct both *both, const struct store_query *query)
{
    char *text, *other;
    size_t len;
    struct store_query mine = *query, embedded = *query;
    FILE *out = open_memstream(&text, &len);
    fixture_query(both->store, &mine);
    dump_query(out, &mine);
    fclose(out);
    out = open_memstream(&other, &len);
    embedded.result = sqlite_store_query(both->embedded, &embedded);
    dump_query(out, &embedded);
    fclose(out);
    ck_assert_str_eq(text, other);
    free(text);
    free(other);
}

START_TEST(anything_is_answered_as_by_the_embedded_store)
{
    struct rng rng = {20261123};
    store_tables = guest_tables;
    scratch_init(&scratch);
    struct both both = open_both();
    uint64_t seq[ROOMS] = {0};
    for (int number = 1; number <= BATCHES; number++) {
        struct store_op ops[OPS_MAX];
        const size_t count = rng_below(&rng, OPS_MAX + 1);
        read_ends(seq);
        for (size_t at = 0; at < count; at++)
            ops[at] = any_op(&rng, seq);
        commit_both(&both, &(struct store_batch){count, ops, NULL});
        const struct store_query query = any_query(&rng);
        compare_page(&both, &query);
        if (number % COMPARE_EVERY != 0)
            continue;
        compare_rows(&both);
        for (uint64_t session = 1; session <= 4; session++)
            compare_games(&both, session);
        for (uint64_t room = 0; room < ROOMS; room++) {
            char id[9];
            name_room(id, room);
            compare_archived(&both, id);
        }
    }
    close_both(&both);
    scratch_release(&scratch);
}
END_TEST

/* ---- what the scenario has not */

static void commit_to_both(const struct both *both, const struct store_op *ops, size_t count)
{
    commit_both(both, &(struct store_batch){count, ops, NULL});
}

/* Whether a room or a letter may still be; by the embedded store as well. */
START_TEST(letters_have_a_bound)
{
    static const struct store_letter_bound bound = {.per_addressee = 2, .all = 3}, none;
    scratch_init(&scratch);
    struct both both = open_both();
    struct store_op room = {.kind = STORE_PUT_ROOM, .room_id = "aaaaaaaa", .within = bound};
    memcpy(room.u.room.seed.id, room.room_id, sizeof room.u.room.seed.id);
    struct store_op letters[] = {op_letter(6, 1, 1, ""), op_letter(6, 2, 1, ""),
                                 op_letter(6, 3, 1, ""), op_letter(7, 1, 1, ""),
                                 op_letter(8, 1, 1, "")};
    for (size_t at = 0; at < 5; at++)
        letters[at].within = bound;
    commit_to_both(&both, letters, 5); /* the third is one too many for 6, the fifth for all */
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.letter"), 3);
    commit_to_both(&both, &room, 1);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.room"), 0);
    letters[4].within = none;
    letters[0].kind = letters[1].kind = STORE_DROP_ROW;
    letters[0].within = letters[1].within = none;
    commit_to_both(&both, &letters[4], 1);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.letter"), 4);
    commit_to_both(&both, letters, 2);
    commit_to_both(&both, &room, 1);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.room"), 1);
    compare_rows(&both);
    close_both(&both);
    scratch_release(&scratch);
}
END_TEST

static void commit_case(void *ctx, const struct store_op *ops, size_t count)
{
    commit_to_both(ctx, ops, count);
}

/* In SQL, as the embedded store does it. */
START_TEST(names_are_erased)
{
    scratch_init(&scratch);
    struct both both = open_both();
    const struct erase_case c = {&both, commit_case};
    erase_case_begin(&c);
    erase_case_put(&c, "room0001", 1000, true);
    erase_case_put(&c, "room0002", 1001, false);
    for (int number = 3; number < STORE_ERASE_ROOMS + 4; number++) {
        char id[9];
        (void)snprintf(id, sizeof id, "room%04d", number);
        erase_case_put(&c, id, 1000 + number, true);
    }
    erase_case_put_long(&c, "room0003", 1003);
    for (int step = 0; step < 3; step++) {
        erase_case_erase(&c);
        compare_rows(&both);
        compare_archived(&both, "room0001");
        compare_archived(&both, "room0034");
        compare_games(&both, ERASED_SESSION);
        compare_games(&both, OTHER_SESSION);
    }
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.event e JOIN taluva.room r"
                                    " ON r.key = room WHERE text LIKE '%Ana%' AND archived"
                                    " AND kind <> 5"),
                     0);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.game WHERE text LIKE '%ana%'"), 2);
    close_both(&both);
    scratch_release(&scratch);
}
END_TEST

static struct store_op hand_to(enum store_op_kind kind, uint64_t to)
{
    struct store_op op = {.kind = kind, .u.hand = {ERASED_SESSION, to}, .epoch = fixture_epoch()};
    (void)snprintf(op.room_id, sizeof op.room_id, "%s", kind == STORE_HAND_ROOM ? "room0002" : "");
    return op;
}

static struct store_op let_in(const char *room_id)
{
    struct store_op op = {.kind = STORE_LET_IN, .u.guest = {ERASED_SESSION, 0}};
    (void)snprintf(op.room_id, sizeof op.room_id, "%s", room_id);
    return op;
}

/* In SQL, as the embedded store does it: to somebody who was there, then to somebody else. */
START_TEST(matches_are_handed_over)
{
    enum { HEIR = 7 };
    scratch_init(&scratch);
    struct both both = open_both();
    const struct erase_case c = {&both, commit_case};
    const struct store_op heir = {.kind = STORE_PUT_SESSION,
                                  .u.session = {.id = HEIR, .name = "Chi"}};
    const struct store_op ops[] = {heir,
                                   let_in("room0001"),
                                   let_in("room0002"),
                                   hand_to(STORE_HAND_ROOM, HEIR),
                                   hand_to(STORE_HAND_MATCHES, 99),
                                   hand_to(STORE_HAND_MATCHES, HEIR)};
    const struct store_op to_other = hand_to(STORE_HAND_MATCHES, OTHER_SESSION);
    erase_case_begin(&c);
    erase_case_put(&c, "room0001", 1000, true);
    erase_case_put(&c, "room0002", 1001, false);
    commit_to_both(&both, ops, 6);
    erase_case_put(&c, "room0003", 1002, true);
    commit_to_both(&both, &to_other, 1);
    compare_rows(&both);
    compare_archived(&both, "room0001");
    compare_archived(&both, "room0003");
    compare_games(&both, ERASED_SESSION);
    compare_games(&both, OTHER_SESSION);
    compare_games(&both, HEIR);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.game WHERE session = 7"), 2);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.guest WHERE session = 7"), 2);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.event e JOIN taluva.room r"
                                    " ON r.key = room WHERE session = 5 AND id < 'room0003'"),
                     0);
    close_both(&both);
    scratch_release(&scratch);
}
END_TEST

/* A program that does not know it goes on beside it. */
START_TEST(a_table_that_is_not_there_yet_is_made)
{
    const struct store_table *const *before = store_tables;
    const struct store_op page = op_page(1, "x");
    fixture_close(fixture_open());
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM pg_class WHERE relname = 'guest_page'"),
                     0);
    store_tables = guest_tables;
    struct store *store = fixture_open();
    ck_assert_int_eq(fixture_commit(store, &page, 1), STORE_OK);
    fixture_close(store);
    store_tables = before;
    char *rows = fixture_rows(fixture_open());
    ck_assert_str_eq(rows, "");
    free(rows);
    store_tables = guest_tables;
    rows = fixture_rows(fixture_open());
    ck_assert_str_eq(rows, "guest_page 1 1 'x'\n");
    free(rows);
}
END_TEST

static void fill_room(struct store *store)
{
    struct store_op ops[4] = {{.kind = STORE_PUT_ROOM, .room_id = "roomfull"}};
    memcpy(ops[0].u.room.seed.id, "roomfull", 9);
    for (size_t at = 1; at < 4; at++) {
        ops[at] = (struct store_op){.kind = STORE_APPEND, .room_id = "roomfull"};
        ops[at].u.event = (struct room_event){.seq = at, .text = "{}", .text_len = 2};
    }
    ck_assert_int_eq(fixture_commit(store, ops, 4), STORE_OK);
}

START_TEST(a_damaged_room_is_set_apart)
{
    struct store *store = fixture_open();
    fill_room(store);
    fixture_sql("DELETE FROM taluva.event WHERE seq = 2");
    char *rows = fixture_rows(store);
    ck_assert_ptr_nonnull(strstr(rows, "damaged roomfull: its log has a gap at event 2"));
    free(rows);
    store = fixture_open();
    struct store_op op = {.kind = STORE_APPEND, .room_id = "roomfull"};
    op.u.event = (struct room_event){.seq = 4, .text = "{}", .text_len = 2};
    ck_assert_int_eq(fixture_commit(store, &op, 1), STORE_REFUSED);
    ck_assert_str_eq(fixture_warnings(), "store_refused:-6 ");
    fixture_sql("UPDATE taluva.room SET archived = true");
    struct store_read read;
    fixture_read(store, &read, "roomfull");
    ck_assert_int_eq(read.result, STORE_CORRUPT);
    ck_assert_ptr_null(read.rows.room);
    read.release(&read);
    ck_assert_str_eq(fixture_said(), "roomfull: its log has a gap at event 2");
    fixture_close(store);
}
END_TEST

/* More than are read at once, every fourth without events. */
enum { MANY = 700, EVENTS_OF = 4 };

START_TEST(many_rooms_are_each_followed_by_their_events)
{
    char *wanted;
    size_t len;
    FILE *out = open_memstream(&wanted, &len);
    struct store *store = fixture_open();
    fixture_sql(
        "INSERT INTO taluva.room (key, id, code, secret, host, created_ms)"
        " SELECT number * 64, 'r' || to_char(number, 'FM0000000'), '', repeat('x', 32)::bytea,"
        " 1, number FROM generate_series(1, 700) number");
    fixture_sql("INSERT INTO taluva.event SELECT number * 64, seq, seq, 0, 1, 2, 3, 5, 0, number"
                " FROM generate_series(1, 700) number, generate_series(1, number % 4) seq"
                " ORDER BY seq, number");
    for (int room = 1; room <= MANY; room++) {
        fprintf(out, "room r%07d code '' ", room);
        for (int at = 0; at < 32; at++)
            fputs("78", out);
        fprintf(out, " host 1 at %d\n", room);
        for (int seq = 1; seq <= room % EVENTS_OF; seq++)
            fprintf(out, "event r%07d %d at %d+0 by 1/2/3 5 0 %d\n", room, seq, seq, room);
    }
    fclose(out);
    char *rows = fixture_rows(store), *first = strstr(rows, "room ");
    ck_assert_ptr_nonnull(first);
    ck_assert_str_eq(first, wanted);
    free(rows);
    free(wanted);
}
END_TEST

/* One event of several that go in one statement; only its room is refused. */
START_TEST(an_event_that_is_there_is_refused_alone)
{
    struct store *store = fixture_open();
    enum store_result results[3];
    fill_room(store);
    struct store_op ops[3] = {{.kind = STORE_PUT_ROOM, .room_id = "roomnew1"},
                              {.kind = STORE_APPEND, .room_id = "roomnew1"},
                              {.kind = STORE_APPEND, .room_id = "roomfull"}};
    memcpy(ops[0].u.room.seed.id, "roomnew1", 9);
    ops[1].u.event = (struct room_event){.seq = 1, .text = "{}", .text_len = 2};
    ops[2].u.event = (struct room_event){.seq = 4, .text = "{}", .text_len = 2};
    fixture_sql("INSERT INTO taluva.event SELECT room, 4, 0, 0, 0, 0, 0, 0, 0, ''"
                " FROM taluva.event WHERE seq = 1");
    const struct store_batch batch = {3, ops, NULL};
    ck_assert_int_eq(fixture_commit_as(store, &batch, fixture_epoch(), results), STORE_OK);
    ck_assert_int_eq(results[0], STORE_OK);
    ck_assert_int_eq(results[1], STORE_OK);
    ck_assert_int_eq(results[2], STORE_REFUSED);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.event"), 5);
    fixture_close(store);
}
END_TEST

START_TEST(an_event_under_another_epoch_is_refused)
{
    struct store *store = fixture_open();
    enum store_result results[1];
    fill_room(store);
    struct store_op op = {.kind = STORE_APPEND, .room_id = "roomfull"};
    op.u.event = (struct room_event){.seq = 4, .text = "{}", .text_len = 2};
    const struct store_batch batch = {1, &op, NULL};
    ck_assert_int_eq(fixture_commit_as(store, &batch, fixture_epoch() + 1, results), STORE_OK);
    ck_assert_int_eq(results[0], STORE_REFUSED);
    ck_assert_int_eq(fixture_commit(store, &op, 1), STORE_OK);
    fixture_close(store);
}
END_TEST

void add_same_tests(TCase *tests)
{
    tcase_add_test(tests, letters_have_a_bound);
    tcase_add_test(tests, names_are_erased);
    tcase_add_test(tests, matches_are_handed_over);
    tcase_add_test(tests, the_scenario_leaves_the_same_rows);
    tcase_add_test(tests, anything_is_answered_as_by_the_embedded_store);
    tcase_add_test(tests, a_table_that_is_not_there_yet_is_made);
    tcase_add_test(tests, a_damaged_room_is_set_apart);
    tcase_add_test(tests, many_rooms_are_each_followed_by_their_events);
    tcase_add_test(tests, an_event_that_is_there_is_refused_alone);
    tcase_add_test(tests, an_event_under_another_epoch_is_refused);
}
