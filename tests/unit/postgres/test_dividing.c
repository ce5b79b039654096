/* Into how many parts a site is divided, and when that can be changed. */
#include "cases.h"
#include "fixture.h"
#include <postgres/parts.h>
#include <string.h>

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

/* Its lock is free, as the database has lost it, and it does not know yet. */
START_TEST(who_had_a_part_does_not_go_on)
{
    struct store *store = fixture_open();
    ck_assert_int_eq(fixture_commit(store, NULL, 0), STORE_OK);
    fixture_sql("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE application_name LIKE 'taluvad %'");
    fixture_divide(1);
    ck_assert_int_eq(fixture_commit(store, NULL, 0), STORE_FENCED);
    fixture_close(store);
}
END_TEST

static void put_session(struct store *store, uint64_t id, uint8_t last)
{
    struct store_op ops[2] = {{.kind = STORE_PUT_SESSION}, {.kind = STORE_PUT_PASS}};
    ops[0].u.session = (struct store_session){.id = id, .name = "Ana"};
    ops[1].u.pass = (struct store_pass){.session = id, .name = ""};
    ops[1].u.pass.secret_hash[31] = last;
    ops[1].u.pass.secret_hash[28] = 0xff; /* a number without a sign */
    ck_assert_int_eq(fixture_commit(store, ops, 2), STORE_OK);
}

/* 0xff000000 is 0 modulo 2 and 4, and UINT64_MAX 3 modulo 4. */
START_TEST(devices_are_found_where_their_sessions_are)
{
    struct store *store = fixture_open();
    put_session(store, 8, 4);
    put_session(store, UINT64_MAX, 7);
    fixture_close(store);
    fixture_divide(4);
    fixture_divide(2);
    check_refused(3, POSTGRES_PARTS, "devices of players would not be found");
    ck_assert_uint_eq(parts_now(), 2);
    fixture_divide(1);
    store = fixture_open();
    put_session(store, 9, 4);
    fixture_close(store);
    check_refused(2, POSTGRES_PARTS, "1 devices");
}
END_TEST

void add_dividing_tests(TCase *tests)
{
    tcase_add_test(tests, a_site_is_one_part_until_it_is_divided);
    tcase_add_test(tests, version_1_is_one_part);
    tcase_add_test(tests, it_is_not_divided_while_a_part_is_taken);
    tcase_add_test(tests, who_had_a_part_does_not_go_on);
    tcase_add_test(tests, devices_are_found_where_their_sessions_are);
}
