/*
 * Databases of earlier versions, as pg_dump has written them: never edited and never removed.
 * version1.sql was played on a real server (tests/unit/store/play.mjs): a match that is over and
 * archived, one that is going on, a lobby. With TALUVA_UPDATE_GOLDEN set version1.rows is written
 * anew: what is handed out.
 */
#include "cases.h"
#include "fixture.h"
#include <postgres/store.h>
#include <scratch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    struct store_list list = {0};
    fixture_sql_file("version1.sql");
    struct store *store = fixture_open();
    ck_assert_uint_eq(fixture_epoch(), 2);
    check_rows("version1.rows");
    ck_assert_int_eq(fixture_number("SELECT version FROM taluva.version"), 2);
    ck_assert_int_eq(fixture_number("SELECT parts FROM taluva.site"), 1);
    fixture_read(store, &read, "t61d18vg");
    ck_assert_int_eq(read.result, STORE_OK);
    ck_assert_uint_eq(read.rows.count, 87);
    read.release(&read);
    fixture_list(store, &list, 3141051665152929949u);
    ck_assert_uint_eq(list.count, 1);
    list.release(&list);
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
}
