/*
 * Databases of earlier versions, as pg_dump has written them: never edited and never removed.
 * version1.sql was played on a real server (tests/unit/store/play.mjs): a match that is over and
 * archived, one that is going on, a lobby; the later ones the same. With TALUVA_UPDATE_GOLDEN set
 * versionN.rows are written anew: what is handed out.
 */
#include "cases.h"
#include "fixture.h"
#include <every_table.h>
#include <postgres/membership.h>
#include <postgres/parts.h>
#include <postgres/store.h>
#include <registry/registry.h>
#include <row_ops.h>
#include <scratch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 6 }; /* of this program */

/* A file has no white space at the ends of its lines. */
static void trim_lines(char *text)
{
    char *to = text;
    for (const char *at = text; *at; at++) {
        if (at[0] != ' ' || at[1] != '\n')
            *to++ = *at;
    }
    *to = '\0';
}

static void check_rows(const char *name)
{
    char path[512];
    size_t len;
    char *rows = fixture_rows(NULL);
    trim_lines(rows);
    snprintf(path, sizeof path, "%s/%s", getenv("TALUVA_TEST_DATA"), name);
    if (getenv("TALUVA_UPDATE_GOLDEN"))
        spit(path, rows, strlen(rows));
    unsigned char *golden = slurp(path, &len);
    ck_assert_uint_eq(strlen(rows), len);
    ck_assert_int_eq(memcmp(rows, golden, len), 0);
    free(golden);
    free(rows);
}

START_TEST(version_1_is_brought_to_this_version)
{
    struct store_read read;
    struct store_query page = games_page(3141051665152929949u, "");
    fixture_sql_file("version1.sql");
    struct store *store = fixture_open();
    ck_assert_uint_eq(fixture_epoch(), 2);
    check_rows("version1.rows");
    ck_assert_int_eq(fixture_number("SELECT version FROM taluva.version"), VERSION);
    ck_assert_int_eq(fixture_number("SELECT parts FROM taluva.site"), 1);
    fixture_read(store, &read, "t61d18vg");
    ck_assert_int_eq(read.result, STORE_OK);
    ck_assert_uint_eq(read.rows.count, 87);
    read.release(&read);
    fixture_query(store, &page);
    ck_assert_uint_eq(page.count, 1);
    page.release(&page);
    ck_assert_int_eq(fixture_number("SELECT slot FROM taluva.room WHERE key = 1"), 26 * 32 + 6);
    ck_assert_int_eq(fixture_number("SELECT slot FROM taluva.room WHERE key = 2"), 17 * 32 + 26);
    /* ... and it goes on */
    struct store_op op = {.kind = STORE_APPEND, .room_id = "hth6fyqg"};
    op.u.event.seq = (uint64_t)fixture_number("SELECT max(seq) + 1 FROM taluva.event WHERE room"
                                              " = 2");
    op.u.event.text = "";
    ck_assert_int_eq(fixture_commit(store, &op, 1), STORE_OK);
    fixture_close(store);
    fixture_close(fixture_open());
    ck_assert_uint_eq(fixture_epoch(), 3);
}
END_TEST

/* Not while one has a part that knows version 2 alone: its lease ends later than others may take
 * it. */
START_TEST(version_2_is_brought_to_this_version)
{
    fixture_sql_file("version2.sql");
    fixture_hold("SELECT pg_advisory_xact_lock(1952541813, 1);"
                 "SELECT taluva.fence(0, term, batch + 1) FROM taluva.server",
                 "taluvad 1");
    struct postgres_versions versions;
    struct postgres_said said;
    ck_assert_int_eq(postgres_migrate(fixture_url(), &versions, &said), POSTGRES_TAKEN);
    ck_assert_int_eq(fixture_number("SELECT version FROM taluva.version"), 2);
    fixture_let_through();
    ck_assert_msg(postgres_migrate(fixture_url(), &versions, &said) == POSTGRES_FINE, "%s",
                  said.message);
    ck_assert_int_eq(versions.before, 2);
    fixture_close(fixture_open());
    check_rows("version2.rows");
    ck_assert_int_eq(fixture_number("SELECT needs FROM taluva.version"), 3);
    ck_assert_int_eq(fixture_number("SELECT revision FROM taluva.bans"), 0);
}
END_TEST

/* A server of version 3 goes on: it has the bans as a table, with what rights it had. */
START_TEST(version_3_is_brought_to_this_version)
{
    struct postgres_versions versions;
    struct postgres_said said;
    fixture_sql_file("version3.sql");
    fixture_sql("DROP ROLE IF EXISTS serving; CREATE ROLE serving;"
                "GRANT USAGE ON SCHEMA taluva TO serving;"
                "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA taluva TO serving;"
                "UPDATE taluva.bans SET text = 'one', revision = 7");
    ck_assert_msg(postgres_migrate(fixture_url(), &versions, &said) == POSTGRES_FINE, "%s",
                  said.message);
    ck_assert_int_eq(versions.before, 3);
    ck_assert_int_eq(fixture_number("SELECT needs FROM taluva.version"), 3);
    ck_assert_int_eq(fixture_number("SELECT revision FROM taluva.document"
                                    " WHERE name = 'bans' AND text = 'one'"),
                     7);
    fixture_sql("SET ROLE serving;"
                "UPDATE taluva.bans SET text = 'two', revision = revision + 1 WHERE revision = 7;"
                "UPDATE taluva.bans SET text = 'three', revision = revision + 1 WHERE revision = 7;"
                "DELETE FROM taluva.document");
    ck_assert_int_eq(fixture_number("SELECT revision FROM taluva.bans WHERE text = 'two'"), 8);
    fixture_sql("RESET ROLE");
    fixture_close(fixture_open());
    check_rows("version3.rows");
    fixture_sql("DROP OWNED BY serving; DROP ROLE serving");
}
END_TEST

/* Of which the old program goes on as well: nothing is taken away. Both have the keys of the site
 * as a document; what they know nothing of, letters say, is made beside it. */
START_TEST(version_4_or_5_is_brought_to_this_version)
{
    struct postgres_versions versions;
    struct postgres_said said;
    char name[32];
    snprintf(name, sizeof name, "version%d.sql", _i);
    fixture_sql_file(name);
    const int64_t events = fixture_number("SELECT count(*) FROM taluva.event");
    ck_assert_int_gt(events, 50);
    ck_assert_msg(postgres_migrate(fixture_url(), &versions, &said) == POSTGRES_FINE, "%s",
                  said.message);
    ck_assert_int_eq(versions.before, _i);
    ck_assert_int_eq(fixture_number("SELECT version FROM taluva.version"), VERSION);
    ck_assert_int_eq(fixture_number("SELECT needs FROM taluva.version"), 3);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.letter"), 0);
    fixture_close(fixture_open());
    snprintf(name, sizeof name, "version%d.rows", _i);
    check_rows(name);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.event"), events);
    ck_assert_int_eq(fixture_number("SELECT revision FROM taluva.document WHERE name = 'keys'"), 1);
}
END_TEST

/* A table that is added is added to that database as well (every.py). */
START_TEST(every_table_has_rows_in_the_golden_database)
{
    struct every_table every;
    struct postgres_versions versions;
    struct postgres_said said;
    char name[32], message[STORE_MESSAGE_MAX];
    store_tables_of(registry);
    snprintf(name, sizeof name, "version%d-every.sql", VERSION);
    fixture_sql_file(name);
    ck_assert_msg(postgres_migrate(fixture_url(), &versions, &said) == POSTGRES_FINE, "%s",
                  said.message);
    ck_assert_int_eq(versions.before, VERSION);
    const struct store_sink sink = every_table_sink(&every);
    struct store *store = postgres_store_create(fixture_url(), &(struct postgres_options){0});
    ck_assert_ptr_nonnull(store);
    ck_assert_msg(store->engine->open(store, &sink, message) == STORE_OK, "%s", message);
    for (size_t table = 0; store_tables[table]; table++) {
        for (int which = 0; which < EVERY_ROWS; which++)
            ck_assert_msg(!every_table_makes(store_tables[table], (enum every_which)which) ||
                              every_table_has(&every, store, table, (enum every_which)which),
                          "row %d of table %s is not in %s (every.py makes it)", which,
                          store_tables[table]->name, name);
    }
    fixture_close(store);
}
END_TEST

/* ---- by the operator, before any server */

static void check_migrate(int before)
{
    struct postgres_versions versions;
    struct postgres_said said;
    ck_assert_msg(postgres_migrate(fixture_url(), &versions, &said) == POSTGRES_FINE, "%s",
                  said.message);
    ck_assert_int_eq(versions.before, before);
    ck_assert_int_eq(versions.known, VERSION);
    ck_assert_int_ge(versions.now, VERSION);
    ck_assert_int_eq(fixture_number("SELECT version FROM taluva.version"), versions.now);
}

START_TEST(the_schema_is_made_once)
{
    check_migrate(0);
    check_migrate(VERSION);
    fixture_sql("UPDATE taluva.version SET version = 9");
    check_migrate(9);
    struct postgres_versions versions;
    struct postgres_said said;
    fixture_sql("UPDATE taluva.version SET needs = 9");
    ck_assert_int_eq(postgres_migrate(fixture_url(), &versions, &said), POSTGRES_NEWER);
}
END_TEST

static void check_document(struct membership *membership, const char *name)
{
    char message[STORE_MESSAGE_MAX], *text;
    int64_t revision = -1;
    size_t len;
    ck_assert_msg(membership_document(membership, name, &revision, &text, &len, message) ==
                      STORE_OK,
                  "%s", message);
    ck_assert_int_eq(revision, 0);
    ck_assert_uint_eq(len, 0);
    free(text);
    ck_assert_msg(membership_put_document(membership, name, "one", &revision, message) == STORE_OK,
                  "%s", message);
    ck_assert_int_eq(revision, 1);
}

/* What a server's role needs is in deploy/README.md. */
START_TEST(a_server_needs_no_right_to_make_tables)
{
    char url[FIXTURE_URL], message[STORE_MESSAGE_MAX];
    struct store *store;
    fixture_sql("DROP ROLE IF EXISTS serving; CREATE ROLE serving LOGIN PASSWORD 'serving'");
    snprintf(url, sizeof url, "postgres://serving:serving@127.0.0.1:%d/postgres", fixture_port());
    ck_assert_int_eq(fixture_open_at(url, &store, message), STORE_FAILED);
    ck_assert_int_eq(postgres_store_problem(store), POSTGRES_DENIED);
    fixture_close(store);
    check_migrate(0);
    fixture_sql("GRANT USAGE ON SCHEMA taluva TO serving;"
                "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA taluva TO serving;"
                "GRANT USAGE ON ALL SEQUENCES IN SCHEMA taluva TO serving");
    ck_assert_msg(fixture_open_at(url, &store, message) == STORE_OK, "%s", message);
    struct store_op op = {.kind = STORE_PUT_SESSION};
    op.u.session = (struct store_session){.id = 7, .name = "Ana"};
    ck_assert_int_eq(fixture_commit(store, &op, 1), STORE_OK);
    fixture_close(store);
    const struct membership_self self = {"one", "", "1"};
    struct membership *membership = membership_create(url, NULL, &self);
    ck_assert_msg(membership_join(membership, message) == STORE_OK, "%s", message);
    ck_assert_msg(membership_beat(membership, message) == STORE_OK, "%s", message);
    check_document(membership, "bans");
    check_document(membership, "other");
    membership_leave(membership);
    membership_destroy(membership);
    /* A schema that is to be brought to this version is another matter. */
    fixture_sql("UPDATE taluva.version SET version = 2");
    ck_assert_int_eq(fixture_open_at(url, &store, message), STORE_FAILED);
    ck_assert_int_eq(postgres_store_problem(store), POSTGRES_DENIED);
    fixture_close(store);
    fixture_sql("DROP OWNED BY serving; DROP ROLE serving");
}
END_TEST

/* Whoever has it knows version 1 alone. */
START_TEST(version_1_that_is_in_use_is_left_alone)
{
    struct store *store;
    char message[STORE_MESSAGE_MAX];
    fixture_sql_file("version1.sql");
    fixture_hold("SELECT pg_advisory_lock(1952541813, 1)", "taluvad 1");
    ck_assert_int_eq(fixture_open_at(fixture_url(), &store, message), STORE_FENCED);
    fixture_close(store);
    ck_assert_int_eq(fixture_open_part(1, 2, &store, message), STORE_FENCED);
    ck_assert_msg(strstr(message, "another server uses it (taluvad 1"), "%s", message);
    fixture_close(store);
    ck_assert_int_eq(fixture_number("SELECT version FROM taluva.version"), 1);
    fixture_let_go();
}
END_TEST

void add_version_tests(TCase *tests)
{
    tcase_add_test(tests, version_1_is_brought_to_this_version);
    tcase_add_test(tests, version_1_that_is_in_use_is_left_alone);
    tcase_add_test(tests, version_2_is_brought_to_this_version);
    tcase_add_test(tests, version_3_is_brought_to_this_version);
    tcase_add_loop_test(tests, version_4_or_5_is_brought_to_this_version, 4, 6);
    tcase_add_test(tests, every_table_has_rows_in_the_golden_database);
    tcase_add_test(tests, the_schema_is_made_once);
    tcase_add_test(tests, a_server_needs_no_right_to_make_tables);
}
