/* What cannot be opened: each reason is told apart, and none tells the password. */
#include "cases.h"
#include "fixture.h"
#include <guest_rows.h>
#include <postgres/store.h>
#include <stdio.h>
#include <string.h>

static void check_refused(const char *url, enum postgres_problem problem, enum store_result result,
                          const char *says)
{
    struct store *store;
    char message[STORE_MESSAGE_MAX];
    ck_assert_int_eq(fixture_open_at(url, &store, message), result);
    ck_assert_msg(postgres_store_problem(store) == problem, "%d: %s",
                  (int)postgres_store_problem(store), message);
    ck_assert_msg(strstr(message, says), "%s", message);
    ck_assert_ptr_null(strstr(message, "secret"));
    ck_assert_ptr_null(strstr(postgres_store_name(store), "secret"));
    fixture_close(store);
}

START_TEST(what_is_no_url_is_not_repeated)
{
    static const char *const bad[] = {
        "postgres://taluva:my/secret@127.0.0.1:5432/taluva",
        "postgres://taluva:my@secret@127.0.0.1:5432/taluva",
        "postgres://taluva:x@127.0.0.1:secret/taluva",
        "postgres://taluva:x@127.0.0.1/taluva?secret=1",
        "postgres://taluva:%zzsecret@127.0.0.1/taluva",
    };
    for (size_t at = 0; at < sizeof bad / sizeof bad[0]; at++)
        check_refused(bad[at], POSTGRES_BAD_URL, STORE_FAILED, "is not understood");
    ck_assert(postgres_is_url("postgresql://"));
    ck_assert(!postgres_is_url("/var/lib/postgres://"));
}
END_TEST

START_TEST(who_does_not_answer_is_told)
{
    char url[FIXTURE_URL];
    fixture_url_at(url, "127.0.0.1", 1, "postgres");
    check_refused(url, POSTGRES_UNREACHABLE, STORE_FAILED, "Connection refused");
}
END_TEST

START_TEST(who_refuses_us_is_told)
{
    char url[FIXTURE_URL];
    snprintf(url, sizeof url, "postgres://taluva:wrongsecret@127.0.0.1:%d/postgres",
             fixture_port());
    check_refused(url, POSTGRES_DENIED, STORE_FAILED, "password authentication failed");
    fixture_url_at(url, "127.0.0.1", fixture_port(), "nosuch");
    check_refused(url, POSTGRES_DENIED, STORE_FAILED, "\"nosuch\" does not exist");
    fixture_sql("DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN PASSWORD 'guest'");
    snprintf(url, sizeof url, "postgres://guest:guest@127.0.0.1:%d/postgres", fixture_port());
    check_refused(url, POSTGRES_DENIED, STORE_FAILED, "permission denied for database");
    fixture_sql("DROP ROLE guest");
}
END_TEST

/* As a standby: what is looked for is not there, and may be soon. */
START_TEST(what_can_only_be_read_is_not_there)
{
    char url[FIXTURE_URL];
    fixture_url_at(url, "127.0.0.1", fixture_port(), "postgres");
    const size_t len = strlen(url);
    snprintf(url + len, sizeof url - len, "?options=-c%%20default_transaction_read_only%%3Don");
    check_refused(url, POSTGRES_UNREACHABLE, STORE_FAILED, "read-only");
}
END_TEST

START_TEST(a_second_server_is_refused)
{
    struct store *first = fixture_open();
    check_refused(fixture_url(), POSTGRES_TAKEN, STORE_FENCED, "another server uses it (taluvad 1");
    fixture_close(first);
    fixture_close(fixture_open());
    ck_assert_uint_eq(fixture_epoch(), 2);
}
END_TEST

START_TEST(a_newer_one_is_left_alone)
{
    fixture_close(fixture_open());
    fixture_sql("UPDATE taluva.version SET version = 99, needs = 98");
    check_refused(fixture_url(), POSTGRES_NEWER, STORE_NEWER,
                  "version 99, for programs that know version 98 or a later one");
    ck_assert_int_eq(fixture_number("SELECT term FROM taluva.server"), 1);
}
END_TEST

/* A newer program has added to it what this one need not know, and is upgraded node by node. */
START_TEST(a_newer_one_that_only_has_more_is_used)
{
    struct store *store = fixture_open();
    const int64_t before = fixture_number("SELECT version - needs FROM taluva.version");
    fixture_sql("CREATE TABLE taluva.more (id bigint);"
                "ALTER TABLE taluva.session ADD COLUMN more text NOT NULL DEFAULT '';"
                "UPDATE taluva.version SET version = version + 1");
    struct store_op op = {.kind = STORE_PUT_SESSION};
    op.u.session = (struct store_session){.id = 7, .name = "Ana"};
    ck_assert_int_eq(fixture_commit(store, &op, 1), STORE_OK); /* who has it goes on */
    fixture_close(store);
    store = fixture_open();
    op.u.session.id = 8;
    ck_assert_int_eq(fixture_commit(store, &op, 1), STORE_OK);
    fixture_close(store);
    ck_assert_int_eq(fixture_number("SELECT version - needs FROM taluva.version"), before + 1);
}
END_TEST

START_TEST(what_is_not_ours_is_left_alone)
{
    fixture_sql("CREATE SCHEMA taluva; CREATE TABLE taluva.islands (name text)");
    check_refused(fixture_url(), POSTGRES_FOREIGN, STORE_CORRUPT, "another program");
    fixture_sql("CREATE TABLE taluva.version (program text, version integer, whole boolean);"
                "INSERT INTO taluva.version VALUES ('other', 1, true)");
    check_refused(fixture_url(), POSTGRES_FOREIGN, STORE_CORRUPT, "another program");
    fixture_begin();
    fixture_sql("DROP DATABASE IF EXISTS old");
    fixture_sql("CREATE DATABASE old TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'");
    char url[FIXTURE_URL];
    fixture_url_at(url, "127.0.0.1", fixture_port(), "old");
    check_refused(url, POSTGRES_FOREIGN, STORE_CORRUPT, "UTF8");
    fixture_sql("DROP DATABASE old");
}
END_TEST

/* Where a role may not make schemas, its administrator makes an empty one for it. */
START_TEST(an_empty_schema_is_filled)
{
    fixture_sql("CREATE SCHEMA taluva");
    fixture_close(fixture_open());
    ck_assert_uint_eq(fixture_epoch(), 1);
}
END_TEST

static bool holds(const struct store *store, const struct postgres_counts *expected)
{
    struct postgres_counts counts;
    char message[STORE_MESSAGE_MAX];
    ck_assert_int_eq(postgres_store_count(store, &counts, message), STORE_OK);
    return memcmp(&counts, expected, sizeof counts) == 0;
}

/* Another store may be copied into it: the schema has a row of what nobody has written yet. */
START_TEST(a_new_one_holds_nothing)
{
    struct store *store = fixture_open();
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.document WHERE revision = 0"), 1);
    ck_assert(holds(store, &(struct postgres_counts){0}));
    struct store_op ops[] = {
        op_document("bans", 3, "Ana"), op_document("days", 1, ""), {.kind = STORE_PUT_SESSION}};
    ops[2].u.session = (struct store_session){.id = 7, .name = "Ana"};
    ck_assert_int_eq(fixture_commit(store, ops, 3), STORE_OK);
    ck_assert(holds(store, &(struct postgres_counts){.sessions = 1, .described = 2}));
    fixture_close(store);
}
END_TEST

START_TEST(commits_are_durable_where_that_is_not_usual)
{
    char url[FIXTURE_URL + 64];
    struct store *store;
    char message[STORE_MESSAGE_MAX];
    snprintf(url, sizeof url, "%s?options=-csynchronous_commit%%3Doff", fixture_url());
    fixture_sql("CREATE TABLE IF NOT EXISTS seen (value text)");
    ck_assert_int_eq(fixture_open_at(url, &store, message), STORE_OK);
    fixture_sql("CREATE OR REPLACE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS"
                " 'BEGIN INSERT INTO public.seen SELECT current_setting(''synchronous_commit'');"
                " RETURN NULL; END'; CREATE TRIGGER see AFTER UPDATE ON taluva.server"
                " EXECUTE FUNCTION see()");
    ck_assert_int_eq(fixture_commit(store, NULL, 0), STORE_OK);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM seen WHERE value = 'on'"), 1);
    fixture_close(store);
    fixture_sql("DROP TABLE seen; DROP FUNCTION see CASCADE");
}
END_TEST

void add_opening_tests(TCase *tests)
{
    tcase_add_test(tests, what_is_no_url_is_not_repeated);
    tcase_add_test(tests, who_does_not_answer_is_told);
    tcase_add_test(tests, who_refuses_us_is_told);
    tcase_add_test(tests, what_can_only_be_read_is_not_there);
    tcase_add_test(tests, a_second_server_is_refused);
    tcase_add_test(tests, a_newer_one_is_left_alone);
    tcase_add_test(tests, a_newer_one_that_only_has_more_is_used);
    tcase_add_test(tests, what_is_not_ours_is_left_alone);
    tcase_add_test(tests, an_empty_schema_is_filled);
    tcase_add_test(tests, a_new_one_holds_nothing);
    tcase_add_test(tests, commits_are_durable_where_that_is_not_usual);
}
