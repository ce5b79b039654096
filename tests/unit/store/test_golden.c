/*
 * The files of released versions are never edited and never removed: each is opened by this
 * program, its rooms are replayed, and their states are those that were recorded. A store of rows
 * alone (versionN.sql) has no match in it; versionN-played.sql was played on a real server
 * (play.mjs). With TALUVA_UPDATE_GOLDEN set the recorded states are written anew.
 */
#include "../../support/run_suites.h"
#include "every_table.h"
#include "row_ops.h"
#include "scratch.h"
#include <check.h>
#include <identity/credential_table.h>
#include <notify/browser_table.h>
#include <registry/registry.h>
#include <room/room.h>
#include <schema.h>
#include <stdio.h>
#include <stdlib.h>
#include <store/store.h>
#include <string.h>
#include <sys/stat.h>
#include <taluva/game.h>

static const char *const names[] = {"version1", "version2",        "version3", "version3-played",
                                    "version4", "version4-played", "version5", "version5-played",
                                    "version6", "version6-played", "version7", "version7-played"};

static struct scratch scratch;

static void set_up(void)
{
    store_tables = store_test_tables;
    scratch_init(&scratch);
}

static void tear_down(void)
{
    scratch_release(&scratch);
}

enum { SESSIONS_MAX = 16 };

struct replay {
    FILE *out;
    uint64_t sessions[SESSIONS_MAX];
    size_t session_count;
    struct room *room; /* NULL: none, or it could not be replayed */
};

static void write_state(const struct replay *replay, uint64_t seq)
{
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, 1 << 20);
    writer_init(&writer, &buffer);
    ck_assert_int_eq(room_write_state(replay->room, 0, seq, &writer), 0);
    ck_assert(!buffer.failed);
    fprintf(replay->out, "%s %llu %.*s\n", room_id(replay->room), (unsigned long long)seq,
            (int)buffer.len, buffer.bytes);
    buffer_release(&buffer);
}

/* In the middle, and at the end. */
static void end_room(struct replay *replay)
{
    if (!replay->room)
        return;
    uint64_t seq = room_seq(replay->room);
    if (seq > 1)
        write_state(replay, seq / 2);
    write_state(replay, seq);
    room_destroy(replay->room);
    replay->room = NULL;
}

static int take_epoch(void *ctx, uint64_t epoch)
{
    (void)ctx, (void)epoch;
    return 0;
}

static int take_session(void *ctx, const struct store_session *session)
{
    struct replay *replay = ctx;
    ck_assert_uint_lt(replay->session_count, SESSIONS_MAX);
    replay->sessions[replay->session_count++] = session->id;
    fprintf(replay->out, "session %s\n", session->name);
    return 0;
}

/* The first device's token stood in the session's row up to version 5. */
static int take_pass(const struct replay *replay, const struct credential_row *pass)
{
    if (pass->id != 0)
        fprintf(replay->out, "pass of kind %d '%s'\n", (int)pass->kind, pass->name);
    return 0;
}

static int take_row(void *ctx, const struct store_table *table, const void *row)
{
    const struct replay *replay = ctx;
    if (table == &credential_table)
        return take_pass(replay, row);
    fprintf(replay->out, "push %s\n", ((const struct browser_row *)row)->endpoint);
    return 0;
}

static int take_room(void *ctx, const struct store_room *stored)
{
    static const struct game_type *const games[] = {&game_type_taluva, NULL};
    struct replay *replay = ctx;
    end_room(replay);
    replay->room = room_restore(games, &stored->seed);
    return replay->room ? 0 : STORE_FAILED;
}

static int take_event(void *ctx, const char *room_id_text, const struct room_event *event)
{
    struct replay *replay = ctx;
    if (!replay->room || room_restore_event(replay->room, event) == 0)
        return 0;
    fprintf(replay->out, "%s event %llu cannot be replayed\n", room_id_text,
            (unsigned long long)event->seq);
    room_destroy(replay->room);
    replay->room = NULL;
    return 0;
}

static int take_guest(void *ctx, const char *room_id_text, uint64_t session)
{
    struct replay *replay = ctx;
    end_room(replay);
    fprintf(replay->out, "%s guest %llu\n", room_id_text, (unsigned long long)session);
    return 0;
}

static int take_damaged(void *ctx, const char *room_id_text, const char *why)
{
    struct replay *replay = ctx;
    fprintf(replay->out, "%s %s\n", room_id_text, why);
    return 0;
}

static void replay_archived(struct sqlite_store *store, const struct store_sink *sink)
{
    char id[9] = "";
    char sql[128];
    long long count = scratch_number(&scratch, "SELECT count(*) FROM room WHERE archived = 1");
    for (long long at = 0; at < count; at++) {
        struct sqlite_reading *reading;
        snprintf(sql, sizeof sql,
                 "SELECT id FROM room WHERE archived = 1 ORDER BY key LIMIT 1 OFFSET %lld", at);
        scratch_text(&scratch, sql, id, sizeof id);
        ck_assert_int_eq(sqlite_store_read(store, id, &reading), STORE_OK);
        ck_assert_ptr_nonnull(reading->rows.room);
        take_room(sink->ctx, reading->rows.room);
        for (size_t event = 0; event < reading->rows.count; event++)
            take_event(sink->ctx, id, &reading->rows.events[event]);
        end_room(sink->ctx);
        sqlite_reading_destroy(reading);
    }
}

static char *replay_all(void)
{
    char *text;
    size_t len;
    struct replay replay = {.out = open_memstream(&text, &len)};
    const struct store_sink sink = {take_epoch, take_session, take_row,     take_room,
                                    take_event, take_guest,   take_damaged, &replay};
    struct sqlite_store *store = scratch_open(&scratch);
    ck_assert_int_eq(sqlite_store_load(store, &sink), STORE_OK);
    ck_assert_uint_eq(sqlite_store_left_out(store), 0);
    end_room(&replay);
    replay_archived(store, &sink);
    for (size_t at = 0; at < replay.session_count; at++)
        dump_games(store, replay.sessions[at], replay.out);
    ck_assert_uint_eq(sqlite_store_left_out(store), 0);
    sqlite_store_close(store);
    fclose(replay.out);
    return text;
}

START_TEST(a_store_of_every_version_is_replayed)
{
    char path[512];
    size_t len;
    ck_assert_int_eq(mkdir(scratch.folder, 0700), 0);
    snprintf(path, sizeof path, "%s/%s.sql", getenv("TALUVA_TEST_DATA"), names[_i]);
    unsigned char *sql = slurp(path, &len);
    scratch_sql(&scratch, (const char *)sql);
    free(sql);
    char *text = replay_all();
    snprintf(path, sizeof path, "%s/%s.states", getenv("TALUVA_TEST_DATA"), names[_i]);
    if (getenv("TALUVA_UPDATE_GOLDEN"))
        spit(path, text, strlen(text));
    unsigned char *expected = slurp(path, &len);
    ck_assert_str_eq(text, (const char *)expected);
    free(expected);
    free(text);
}
END_TEST

/* A new version of the store comes with a store that was played on it. */
START_TEST(the_newest_version_was_played)
{
    char name[32];
    snprintf(name, sizeof name, "version%d-played", STORE_VERSION);
    ck_assert_str_eq(names[sizeof names / sizeof names[0] - 1], name);
}
END_TEST

/* ---- every table */

static void open_every(void)
{
    char path[512];
    size_t len;
    store_tables_of(registry);
    ck_assert_int_eq(mkdir(scratch.folder, 0700), 0);
    snprintf(path, sizeof path, "%s/version%d-every.sql", getenv("TALUVA_TEST_DATA"),
             STORE_VERSION);
    unsigned char *sql = slurp(path, &len);
    scratch_sql(&scratch, (const char *)sql);
    free(sql);
}

/* A table that is added is added to that store as well. */
START_TEST(every_table_has_rows_in_the_golden_store)
{
    struct every_table every;
    char message[STORE_MESSAGE_MAX];
    open_every();
    const struct store_sink sink = every_table_sink(&every);
    struct store *store = sqlite_store_create(scratch.folder);
    ck_assert_ptr_nonnull(store);
    ck_assert_msg(store->engine->open(store, &sink, message) == STORE_OK, "%s", message);
    for (size_t table = 0; store_tables[table]; table++) {
        for (int which = 0; which < EVERY_ROWS; which++)
            ck_assert_msg(!every_table_makes(store_tables[table], (enum every_which)which) ||
                              every_table_has(&every, store, table, (enum every_which)which),
                          "row %d of table %s is not in version%d-every.sql (every.py makes it)",
                          which, store_tables[table]->name, STORE_VERSION);
    }
    store->engine->close(store);
}
END_TEST

static void say_finding(void *ctx, const char *what)
{
    (void)ctx;
    ck_abort_msg("%s", what);
}

static int take_counted(void *ctx, const struct store_table *table, const void *row)
{
    (void)row;
    ++*(size_t *)ctx;
    return store_tables_have(table) ? 0 : -1;
}

static int take_any_session(void *ctx, const struct store_session *session)
{
    (void)ctx, (void)session;
    return 0;
}

/* A check reads what is not handed out as well. */
START_TEST(every_table_is_checked)
{
    char message[STORE_MESSAGE_MAX];
    size_t count = 0, expected = 0;
    open_every();
    const struct store_sink sink = {
        .opened = take_epoch, .session = take_any_session, .row = take_counted, .ctx = &count};
    const struct store_check check = {.live = sink, .archived = sink, .finding = say_finding};
    ck_assert_msg(sqlite_store_check(scratch.file, &check, message) == STORE_OK, "%s", message);
    for (size_t table = 0; store_tables[table]; table++)
        expected += 1 + every_table_makes(store_tables[table], EVERY_BARE);
    ck_assert_uint_eq(count, expected);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("golden stores");
    TCase *tests = tcase_create("golden stores");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, a_store_of_every_version_is_replayed, 0,
                        sizeof names / sizeof names[0]);
    tcase_add_test(tests, the_newest_version_was_played);
    tcase_add_test(tests, every_table_has_rows_in_the_golden_store);
    tcase_add_test(tests, every_table_is_checked);
    suite_add_tcase(suite, tests);
    return run_suites(srunner_create(suite));
}
