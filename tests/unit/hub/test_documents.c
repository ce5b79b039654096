/* Documents that the one part of a site keeps: in the batch, whole or not at all, and handed out.
 */
#include "../../support/failing_alloc.h"
#include "suites.h"
#include "world.h"
#include <hub/document.h>
#include <hub/store_document.h>
#include <stdlib.h>
#include <string.h>

static struct world world;

static void set_up(void)
{
    world_init(&world);
}

static void tear_down(void)
{
    world_release(&world);
}

static bool put(const char *name, const char *text, int64_t revision)
{
    return hub_document_put(world.hub, name, text, revision, world.now_ms);
}

static void is_answered(bool expected)
{
    bool kept = !expected;
    world_settle(&world);
    ck_assert(hub_document_next(world.hub, &kept));
    ck_assert_int_eq(kept, expected);
    ck_assert(!hub_document_next(world.hub, &kept));
}

/* NULL: there is none. Once. */
static void is_handed_out(const char *name, const char *text, int64_t revision)
{
    size_t len = 0;
    int64_t found = 0;
    char *taken = hub_document_take(world.hub, name, &len, &found);
    ck_assert_int_eq(taken != NULL, text != NULL);
    if (taken) {
        ck_assert_str_eq(taken, text);
        ck_assert_uint_eq(len, strlen(text));
        ck_assert_int_eq(found, revision);
    }
    free(taken);
    ck_assert_ptr_null(hub_document_take(world.hub, name, &len, &found));
}

START_TEST(a_document_is_kept_and_handed_out_once)
{
    is_handed_out("bans", NULL, 0);
    ck_assert(put("bans", "one", 1));
    is_answered(true);
    ck_assert(put("days", "", 1));
    is_answered(true);
    ck_assert(put("bans", "two", 2));
    is_answered(true);
    world_restart(&world);
    is_handed_out("days", "", 1);
    is_handed_out("bans", "two", 2);
    world_restart(&world); /* what nobody takes is let go of */
}
END_TEST

START_TEST(one_waits_at_a_time)
{
    bool kept;
    world.held = true;
    ck_assert(put("bans", "one", 1));
    ck_assert(!put("bans", "two", 2));
    world_settle(&world);
    ck_assert(!hub_document_next(world.hub, &kept));
    world_commit(&world, STORE_OK);
    ck_assert(!put("bans", "two", 2)); /* nobody has heard of the first */
    world.held = false;
    is_answered(true);
    ck_assert(put("bans", "two", 2));
    is_answered(true);
}
END_TEST

START_TEST(a_store_that_fails_keeps_none)
{
    bool kept = true;
    ck_assert(put("bans", "one", 1));
    is_answered(true);
    world.held = true;
    ck_assert(put("bans", "two", 2));
    world_settle(&world);
    world_commit(&world, STORE_FULL);
    ck_assert(hub_document_next(world.hub, &kept));
    ck_assert(!kept);
    ck_assert(!put("bans", "two", 2)); /* while it fails */
    world_restart(&world);
    is_handed_out("bans", "one", 1);
}
END_TEST

START_TEST(what_is_too_long_is_refused_and_what_just_fits_is_not)
{
    char *text = malloc(STORE_DOCUMENT_BYTES_MAX + 2);
    memset(text, 'x', STORE_DOCUMENT_BYTES_MAX + 1);
    text[STORE_DOCUMENT_BYTES_MAX + 1] = '\0';
    ck_assert(!put("bans", text, 1));
    text[STORE_DOCUMENT_BYTES_MAX] = '\0';
    ck_assert(put("bans", text, 1));
    is_answered(true);
    world_restart(&world);
    is_handed_out("bans", text, 1);
    free(text);
}
END_TEST

START_TEST(without_memory_it_is_refused_whole)
{
    bool put_at_last = false;
    for (unsigned nth = 1; !put_at_last; nth++) {
        bool failed;
        failing_alloc_arm(nth, false);
        failing_alloc_enter();
        put_at_last = put("bans", "one", 1);
        failing_alloc_leave();
        (void)failing_alloc_disarm(&failed);
        ck_assert(put_at_last || failed);
        ck_assert_uint_lt(nth, 20);
    }
    is_answered(true);
}
END_TEST

Suite *documents_suite(void)
{
    Suite *suite = suite_create("documents");
    TCase *tests = tcase_create("of one part");
    tcase_set_tags(tests, "near");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_document_is_kept_and_handed_out_once);
    tcase_add_test(tests, one_waits_at_a_time);
    tcase_add_test(tests, a_store_that_fails_keeps_none);
    tcase_add_test(tests, what_is_too_long_is_refused_and_what_just_fits_is_not);
    tcase_add_test(tests, without_memory_it_is_refused_whole);
    suite_add_tcase(suite, tests);
    return suite;
}
