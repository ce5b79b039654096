/* Into how many parts a site is divided, when that can be changed, and where all is then. */
#include "cases.h"
#include "fixture.h"
#include <identity/credential_table.h>
#include <inttypes.h>
#include <postgres/parts.h>
#include <row_ops.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct postgres_said said;

static unsigned parts_now(void)
{
    unsigned parts = 0;
    ck_assert_int_eq(postgres_parts_get(fixture_url(), &parts, &said), POSTGRES_FINE);
    return parts;
}

static void check_refused(unsigned parts, enum postgres_problem problem, const char *why)
{
    ck_assert_int_eq(postgres_parts_set(fixture_url(), parts, &said), problem);
    ck_assert_msg(strstr(said.message, why), "%s", said.message);
    ck_assert_ptr_null(strstr(said.message, "secret"));
    ck_assert_ptr_null(strstr(said.name, "secret"));
}

START_TEST(a_site_is_one_part_until_it_is_divided)
{
    ck_assert_uint_eq(parts_now(), 1); /* and nothing was made */
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM pg_namespace WHERE nspname = 'taluva'"),
                     0);
    fixture_divide(64);
    ck_assert_uint_eq(parts_now(), 64);
    ck_assert_int_eq(fixture_number("SELECT count(DISTINCT term) FROM taluva.server"
                                    " WHERE part BETWEEN 0 AND 63"),
                     64);
    fixture_divide(1);
    ck_assert_uint_eq(parts_now(), 1);
    fixture_close(fixture_open());
}
END_TEST

START_TEST(version_1_is_one_part)
{
    fixture_sql_file("version1.sql");
    ck_assert_uint_eq(parts_now(), 1);
    ck_assert_int_eq(fixture_number("SELECT version FROM taluva.version"), 1);
}
END_TEST

START_TEST(it_is_not_divided_while_a_part_is_taken)
{
    char message[STORE_MESSAGE_MAX];
    struct store *store;
    fixture_divide(3);
    ck_assert_int_eq(fixture_open_part(2, 3, &store, message), STORE_OK);
    check_refused(2, POSTGRES_TAKEN, "another server uses it (taluvad 4 part 2");
    ck_assert_uint_eq(parts_now(), 3);
    fixture_close(store);
    fixture_divide(2);
}
END_TEST

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Its lock is free, as the database has lost it, and it does not know yet. It is given the time to
 * lose its lease: more than that does no harm, less would. */
START_TEST(who_had_a_part_does_not_go_on)
{
    struct store *store = fixture_open();
    const int64_t begun_ms = now_ms();
    ck_assert_int_eq(fixture_commit(store, NULL, 0), STORE_OK);
    fixture_sql("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE application_name LIKE 'taluvad %'");
    fixture_divide(1);
    ck_assert(now_ms() - begun_ms >= POSTGRES_SILENT_MS);
    ck_assert_int_eq(fixture_commit(store, NULL, 0), STORE_FENCED);
    fixture_close(store);
}
END_TEST

static void put_session(struct store *store, uint64_t id, uint8_t last)
{
    struct credential_row pass = {.session = id, .name = ""};
    pass.secret_hash[31] = last;
    pass.secret_hash[28] = 0xff; /* a number without a sign */
    struct store_op ops[2] = {{.kind = STORE_PUT_SESSION}, op_put_row(&credential_table, &pass)};
    ops[0].u.session = (struct store_session){.id = id, .name = "Ana"};
    ck_assert_int_eq(fixture_commit(store, ops, 2), STORE_OK);
}

/* How often it is handed out by that part. */
static size_t count_row(unsigned part, unsigned parts, const char *beginning)
{
    char message[STORE_MESSAGE_MAX], begin[64];
    struct store *store;
    size_t count = 0;
    ck_assert_msg(fixture_open_part(part, parts, &store, message) == STORE_OK, "%s", message);
    fixture_close(store);
    char *rows = fixture_rows(NULL);
    snprintf(begin, sizeof begin, "%s ", beginning);
    for (const char *row = rows; row && *row; row = strchr(row, '\n') + 1)
        count += strncmp(row, begin, strlen(begin)) == 0;
    free(rows);
    return count;
}

/* A session is handed out by its part, and what opens it by that one and by that of its hash. */
static void check_divided(unsigned parts, uint64_t session, uint32_t secret)
{
    char row[2][32];
    snprintf(row[0], sizeof row[0], "session %" PRIu64, session);
    snprintf(row[1], sizeof row[1], "pass %" PRIu64, session);
    for (unsigned part = 0; part < parts; part++) {
        const bool home = session % parts == part, place = secret % parts == part;
        ck_assert_uint_eq(count_row(part, parts, row[0]), home);
        ck_assert_uint_eq(count_row(part, parts, row[1]), home || place);
    }
}

START_TEST(secrets_are_handed_out_where_they_are_looked_for)
{
    static const unsigned divisions[] = {4, 7, 3, 1};
    struct store *store = fixture_open();
    put_session(store, 8, 4);
    put_session(store, UINT64_MAX, 7);
    fixture_close(store);
    for (size_t at = 0; at < 4; at++) {
        fixture_divide(divisions[at]);
        check_divided(divisions[at], 8, 0xff000004);
        check_divided(divisions[at], UINT64_MAX, 0xff000007);
    }
}
END_TEST

/* ... all or nothing. */
START_TEST(a_division_that_fails_has_changed_nothing)
{
    fixture_divide(3);
    fixture_sql(
        "CREATE FUNCTION taluva.fail() RETURNS trigger LANGUAGE plpgsql AS"
        " 'BEGIN RAISE EXCEPTION ''no''; END';"
        "CREATE TRIGGER fail BEFORE INSERT ON taluva.server FOR EACH ROW WHEN (NEW.part = 4)"
        " EXECUTE FUNCTION taluva.fail()");
    const long long term = fixture_number("SELECT term FROM taluva.site");
    check_refused(5, POSTGRES_FAILED, "no");
    ck_assert_uint_eq(parts_now(), 3);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.server"), 3);
    ck_assert_int_eq(fixture_number("SELECT term FROM taluva.site"), term);
}
END_TEST

static void put_room(struct store *store, const char *id, uint64_t host, uint64_t seated)
{
    struct store_op ops[2] = {{.kind = STORE_PUT_ROOM}, {.kind = STORE_APPEND}};
    for (int at = 0; at < 2; at++)
        snprintf(ops[at].room_id, sizeof ops[at].room_id, "%s", id);
    memcpy(ops[0].u.room.seed.id, ops[0].room_id, sizeof ops[0].room_id);
    ops[0].u.room.seed.host = host;
    ops[1].u.event = (struct room_event){.seq = 1, .text = "", .origin.session = seated};
    ck_assert_int_eq(fixture_commit(store, ops, 2), STORE_OK);
}

/* Their homes would take them for visitors, as their tables may be elsewhere; others stay ones. */
START_TEST(who_plays_is_no_visitor)
{
    struct store *store = fixture_open();
    const struct store_op archive = {.kind = STORE_ARCHIVE_ROOM, .room_id = "0kaaaaaa"};
    for (uint64_t id = 1; id <= 5; id++)
        put_session(store, id, (uint8_t)id);
    put_room(store, "0jaaaaaa", 1, 2);
    put_room(store, "0kaaaaaa", 3, 4);
    ck_assert_int_eq(fixture_commit(store, &archive, 1), STORE_OK);
    fixture_close(store);
    fixture_sql("UPDATE taluva.session SET seen_ms = 900, created_ms = 100 WHERE id = 2");
    fixture_divide(2);
    ck_assert_int_eq(fixture_number("SELECT seen_ms FROM taluva.session WHERE id = 1"), 1);
    ck_assert_int_eq(fixture_number("SELECT seen_ms FROM taluva.session WHERE id = 2"), 900);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.session"
                                    " WHERE id > 2 AND seen_ms = 0 AND created_ms = 0"),
                     3);
}
END_TEST

void add_dividing_tests(TCase *tests)
{
    tcase_add_test(tests, a_site_is_one_part_until_it_is_divided);
    tcase_add_test(tests, version_1_is_one_part);
    tcase_add_test(tests, it_is_not_divided_while_a_part_is_taken);
    tcase_add_test(tests, who_had_a_part_does_not_go_on);
    tcase_add_test(tests, secrets_are_handed_out_where_they_are_looked_for);
    tcase_add_test(tests, a_division_that_fails_has_changed_nothing);
    tcase_add_test(tests, who_plays_is_no_visitor);
}
