/* Nodes of a membership, in a real database. */
#include "cases.h"
#include "fixture.h"
#include <postgres/membership.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct postgres_timeouts timeouts = {
    .connect_ms = 30000, .answer_ms = 30000, .settle_ms = 2000, .lock_ms = 2000, .silent_ms = 3000};
static char message[STORE_MESSAGE_MAX];
static struct membership_look look;

static struct membership *a_node(const char *name)
{
    const struct membership_self self = {name, "192.0.2.1:7401", "1.0"};
    struct membership *membership = membership_create(fixture_url(), &timeouts, &self);
    ck_assert_ptr_nonnull(membership);
    return membership;
}

static struct membership *join(const char *name)
{
    struct membership *membership = a_node(name);
    ck_assert_msg(membership_join(membership, message) == STORE_OK, "%s", message);
    return membership;
}

static void beat(struct membership *membership)
{
    ck_assert_msg(membership_beat(membership, message) == STORE_OK, "%s", message);
}

static void see(struct membership *membership)
{
    ck_assert_msg(membership_see(membership, &look, message) == STORE_OK, "%s", message);
}

START_TEST(nodes_say_what_holds_there)
{
    struct membership *one = join("one"), *two = join("two");
    see(one);
    ck_assert_int_eq(membership_says(&look.node[1], "bans"), -1);
    membership_say(two, "bans=12 an=3 ban=4");
    beat(two);
    see(one);
    ck_assert_int_eq(membership_says(&look.node[0], "bans"), -1);
    ck_assert_int_eq(membership_says(&look.node[1], "bans"), 12);
    ck_assert_int_eq(membership_says(&look.node[1], "an"), 3);
    ck_assert_int_eq(membership_says(&look.node[1], "ban"), 4);
    ck_assert_int_eq(membership_says(&look.node[1], "s"), -1);
    /* A database that no version has brought to this one is looked at as well. */
    fixture_sql("ALTER TABLE taluva.node DROP COLUMN documents");
    see(one);
    ck_assert_int_eq(membership_says(&look.node[1], "bans"), -1);
    membership_destroy(one);
    membership_destroy(two);
}
END_TEST

/* Of two who change it at once one is told, and only what is another revision is read. */
START_TEST(a_document_is_changed_in_place_of_a_revision)
{
    struct membership *one = join("one"), *two = join("two");
    int64_t mine = -1, theirs = 0;
    char *text;
    size_t len;
    ck_assert_int_eq(membership_document(one, "guests", &mine, &text, &len, message), STORE_OK);
    ck_assert_int_eq(mine, 0);
    ck_assert_str_eq(text, "");
    free(text);
    ck_assert_int_eq(membership_put_document(one, "guests", "Ana\nBea", &mine, message), STORE_OK);
    ck_assert_int_eq(membership_put_document(two, "guests", "Bo", &theirs, message), STORE_FENCED);
    ck_assert_str_eq(message, "guests: it was changed by somebody else");
    ck_assert_int_eq(membership_document(two, "guests", &theirs, &text, &len, message), STORE_OK);
    ck_assert_int_eq(theirs, 1);
    ck_assert_str_eq(text, "Ana\nBea");
    ck_assert_uint_eq(len, 7);
    free(text);
    ck_assert_int_eq(membership_document(two, "guests", &theirs, &text, &len, message), STORE_OK);
    ck_assert_ptr_null(text);
    ck_assert_int_eq(membership_put_document(two, "guests", "Ana, Bo", &theirs, message), STORE_OK);
    ck_assert_int_eq(theirs, 2);
    membership_destroy(one);
    membership_destroy(two);
}
END_TEST

/* What is no text of a document is told, and never taken for an empty one. */
START_TEST(a_document_that_cannot_be_read_is_told)
{
    struct membership *one = join("one");
    int64_t revision = 4;
    char *text;
    size_t len;
    ck_assert_int_eq(membership_document(one, "guests", &revision, &text, &len, message),
                     STORE_FAILED);
    ck_assert_str_eq(message, "guests: it is missing");
    fixture_sql("INSERT INTO taluva.document VALUES ('guests', 5, repeat('x', 1048577))");
    ck_assert_int_eq(membership_document(one, "guests", &revision, &text, &len, message),
                     STORE_FAILED);
    ck_assert_str_eq(message, "guests: it is too long");
    ck_assert_int_eq(revision, 4);
    ck_assert_ptr_null(text);
    fixture_sql("UPDATE taluva.document SET text = repeat('x', 1048576)");
    ck_assert_int_eq(membership_document(one, "guests", &revision, &text, &len, message), STORE_OK);
    ck_assert_uint_eq(len, 1048576);
    free(text);
    membership_destroy(one);
}
END_TEST

START_TEST(one_look_tells_all)
{
    struct store *store;
    fixture_divide(3);
    struct membership *one = join("one"), *two = join("two");
    ck_assert_int_eq(fixture_open_part(1, 3, &store, message), STORE_OK);
    ck_assert_int_eq(fixture_commit(store, NULL, 0), STORE_OK);
    beat(two);
    beat(two);
    see(one);
    ck_assert_uint_eq(look.nodes, 2);
    ck_assert(!look.node[0].away && !look.node[1].away);
    ck_assert_str_eq(look.node[0].name, "one");
    ck_assert_str_eq(look.node[1].name, "two");
    ck_assert_str_eq(look.node[1].relay, "192.0.2.1:7401");
    ck_assert_str_eq(look.node[1].version, "1.0");
    ck_assert_int_eq(look.node[0].beat, 0);
    ck_assert_int_eq(look.node[1].beat, 2);
    ck_assert_int_ne(look.node[0].life, look.node[1].life);
    ck_assert_uint_eq(look.parts, 3);
    ck_assert_int_eq(look.part[1].term, 4);
    ck_assert_int_eq(look.part[1].batch, 1);
    ck_assert_str_eq(look.part[1].node, "here");
    ck_assert_str_eq(look.part[1].relay, "[::1]:7");
    ck_assert(look.part[1].held && !look.part[0].held && !look.part[2].held);
    ck_assert_str_eq(look.part[0].node, "");
    fixture_close(store);
    do /* the database notices it a moment later */
        see(one);
    while (look.part[1].held);
    ck_assert_str_eq(look.part[1].node, "");
    membership_leave(two);
    see(one);
    ck_assert_uint_eq(look.nodes, 1);
    membership_destroy(two);
    /* Gone without a word. */
    two = join("two");
    membership_destroy(two);
    do
        see(one);
    while (!look.node[1].away);
    ck_assert_uint_eq(look.nodes, 2);
    ck_assert(!look.node[0].away);
    membership_destroy(one);
}
END_TEST

static volatile bool beating;

static void *keep_beating(void *ctx)
{
    char ignored[STORE_MESSAGE_MAX];
    while (beating) {
        ck_assert_int_eq(membership_beat(ctx, ignored), STORE_OK);
        nanosleep(&(struct timespec){0, 100 * 1000000}, NULL);
    }
    return NULL;
}

START_TEST(a_name_is_one_processes)
{
    struct membership *first = join("one"), *second = a_node("one");
    pthread_t thread;
    beating = true;
    ck_assert_int_eq(pthread_create(&thread, NULL, keep_beating, first), 0);
    ck_assert_int_eq(membership_join(second, message), STORE_FENCED);
    ck_assert_str_eq(message, "another process is the node one of this site");
    beating = false;
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    /* When it has gone the name is free at once. */
    membership_destroy(first);
    ck_assert_msg(membership_join(second, message) == STORE_OK, "%s", message);
    beat(second);
    membership_leave(second);
    membership_destroy(second);
}
END_TEST

START_TEST(who_is_silent_loses_its_name)
{
    struct membership *first = join("one"), *second = join("two"), *third = a_node("one");
    see(second);
    const int64_t life = look.node[0].life;
    ck_assert_msg(membership_join(third, message) == STORE_OK, "%s", message);
    see(second);
    ck_assert_int_gt(look.node[0].life, life);
    ck_assert_int_eq(membership_beat(first, message), STORE_FENCED);
    beat(third);
    /* It does not take the row of the other one away. */
    membership_leave(first);
    see(second);
    ck_assert_uint_eq(look.nodes, 2);
    membership_destroy(first);
    membership_destroy(second);
    membership_destroy(third);
}
END_TEST

START_TEST(a_lost_connection_is_made_again_and_keeps_the_name)
{
    struct membership *first = join("one"), *second = a_node("one");
    fixture_sql("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE application_name = 'taluvad node one'");
    beat(first);
    see(first);
    ck_assert_int_eq(look.node[0].beat, 1);
    pthread_t thread;
    beating = true;
    ck_assert_int_eq(pthread_create(&thread, NULL, keep_beating, first), 0);
    ck_assert_int_eq(membership_join(second, message), STORE_FENCED);
    beating = false;
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    membership_destroy(first);
    membership_destroy(second);
}
END_TEST

static void follow(struct membership *membership, struct membership_watch *watch, int64_t ms)
{
    see(membership);
    look.at_ms = watch->look.at_ms + ms;
    membership_follow(watch, &look);
}

/* Somebody else is alive meanwhile: where nobody writes anything nobody is silent. */
static void live_a_second(struct membership *looker, struct membership *alive,
                          struct membership_watch *watch)
{
    beat(alive);
    follow(looker, watch, 1000);
}

START_TEST(dead_names_are_forgotten)
{
    struct membership *one = a_node(""), *two = join("two"), *three = join("three");
    static struct membership_watch watch;
    struct store *store;
    ck_assert_msg(membership_open(one, message) == STORE_OK, "%s", message);
    follow(one, &watch, 1);
    const struct membership_node seen = look.node[1]; /* three, two */
    ck_assert_str_eq(seen.name, "two");
    /* While it is connected it is not, however silent. */
    ck_assert_int_eq(membership_forget(one, &seen, message), STORE_FENCED);
    membership_destroy(two);
    do
        live_a_second(one, three, &watch);
    while (!look.node[1].away);
    for (int at = 0; at < 5; at++) {
        ck_assert_int_eq(membership_dead(&watch, 4500), -1);
        live_a_second(one, three, &watch);
    }
    ck_assert_int_eq(membership_dead(&watch, 4500), 1);
    /* It has come back and gone since. */
    two = join("two");
    membership_destroy(two);
    do
        live_a_second(one, three, &watch);
    while (!look.node[1].away);
    ck_assert_int_eq(membership_forget(one, &seen, message), STORE_FENCED);
    /* A part is still its own. */
    ck_assert_int_eq(fixture_open_part(0, 1, &store, message), STORE_OK);
    fixture_sql("UPDATE taluva.server SET node = 'two'");
    live_a_second(one, three, &watch);
    for (int at = 0; at < 6; at++)
        live_a_second(one, three, &watch);
    ck_assert_int_eq(membership_dead(&watch, 4500), -1);
    ck_assert_int_eq(membership_forget(one, &look.node[1], message), STORE_FENCED);
    fixture_sql("UPDATE taluva.server SET node = ''");
    ck_assert_msg(membership_forget(one, &look.node[1], message) == STORE_OK, "%s", message);
    see(three);
    ck_assert_uint_eq(look.nodes, 1);
    fixture_close(store);
    membership_destroy(one);
    membership_destroy(three);
}
END_TEST

START_TEST(who_only_looks_makes_nothing)
{
    struct membership *looker = a_node("");
    ck_assert_int_eq(membership_open(looker, message), STORE_CORRUPT);
    ck_assert_str_eq(message, "the database holds no site yet");
    struct membership *one = join("one");
    ck_assert_msg(membership_open(looker, message) == STORE_OK, "%s", message);
    see(looker);
    ck_assert_uint_eq(look.nodes, 1);
    membership_destroy(one);
    membership_destroy(looker);
}
END_TEST

START_TEST(what_cannot_be_reached_is_said)
{
    char url[FIXTURE_URL];
    const struct membership_self self = {"one", "", ""};
    fixture_url_at(url, "127.0.0.1", 1, "postgres");
    struct membership *membership = membership_create(url, &timeouts, &self);
    ck_assert_int_eq(membership_join(membership, message), STORE_FAILED);
    ck_assert_ptr_nonnull(strstr(message, "Connection refused"));
    ck_assert_ptr_null(strstr(message, "secret"));
    ck_assert_int_eq(membership_beat(membership, message), STORE_FAILED);
    ck_assert_int_eq(membership_see(membership, &look, message), STORE_FAILED);
    membership_leave(membership);
    membership_destroy(membership);
}
END_TEST

void add_site_tests(TCase *tests)
{
    tcase_add_test(tests, nodes_say_what_holds_there);
    tcase_add_test(tests, a_document_is_changed_in_place_of_a_revision);
    tcase_add_test(tests, a_document_that_cannot_be_read_is_told);
    tcase_add_test(tests, one_look_tells_all);
    tcase_add_test(tests, a_name_is_one_processes);
    tcase_add_test(tests, who_is_silent_loses_its_name);
    tcase_add_test(tests, a_lost_connection_is_made_again_and_keeps_the_name);
    tcase_add_test(tests, dead_names_are_forgotten);
    tcase_add_test(tests, who_only_looks_makes_nothing);
    tcase_add_test(tests, what_cannot_be_reached_is_said);
}
