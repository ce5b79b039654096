/* Documents that the one part of a site keeps: in the batch, whole or not at all, and handed out.
 */
#include "../../support/failing_alloc.h"
#include "../../support/guest_book.h"
#include "suites.h"
#include "world.h"
#include <hub/document.h>
#include <hub/store_document.h>
#include <identity/identity.h>
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

/* ---- a feature's own: the welcome of the guest book */

static const struct feature *const features[] = {&feature_identity, &guest_book, NULL};
static void *held; /* what the hub goes by */
static int64_t revision;
static int ana, bo;

static void hold(const char *text)
{
    void *value = guest_book.document->read(text, strlen(text)), *before = held;
    ck_assert_ptr_nonnull(value);
    held = value;
    (void)hub_hold_document(world.hub, guest_book.document, value, revision, world.now_ms);
    guest_book.document->release(before);
}

static void set_up_book(void)
{
    world_init(&world);
    world.env.features = features;
    world_start(&world);
    held = NULL;
    revision = 0;
    ana = world_guest(&world, "Ana");
    bo = world_guest(&world, "Bo");
}

static void tear_down_book(void)
{
    world_release(&world);
    guest_book.document->release(held);
}

static int64_t welcome(int tab, const char *text)
{
    guest_book_set_greeting(world.hub, 0, text);
    const int64_t id = world_post(&world, tab, "games", "{s:s}", "after", GUEST_BOOK_WELCOMES);
    world_settle(&world);
    return id;
}

/* As the one part of a site has it kept: by its own store, as the next revision. */
static enum document_kept keep(void)
{
    struct hub_document_asked asked;
    bool kept = false;
    ck_assert(hub_document_asked(world.hub, &asked));
    ck_assert_str_eq(asked.name, "welcome");
    ck_assert_uint_eq(asked.len, strlen(asked.text));
    if (asked.revision != revision)
        return DOCUMENT_OTHERS;
    if (!hub_document_put(world.hub, asked.name, asked.text, revision + 1, world.now_ms))
        return DOCUMENT_FAILED;
    world_settle(&world);
    ck_assert(hub_document_next(world.hub, &kept));
    revision += kept;
    if (kept)
        hold(asked.text);
    return kept ? DOCUMENT_KEPT : DOCUMENT_FAILED;
}

static void answer(enum document_kept kept)
{
    hub_document_answer(world.hub, kept, world.now_ms);
    world_settle(&world);
}

static void is_welcomed(const char *text)
{
    const int zoe = world_connect(&world);
    json_t *ok = world_ok(&world, zoe, "hello", "{s:s}", "name", "Zoe");
    ck_assert_str_eq(str(ok, "welcome"), text);
    json_decref(ok);
}

START_TEST(a_feature_changes_its_document)
{
    size_t len;
    int64_t id, found;
    hold("");
    id = welcome(ana, "come in");
    ck_assert_uint_eq(world_forget(&world, ana), 0); /* not before it is kept */
    answer(keep());
    world_granted(&world, ana, id);
    is_welcomed("come in");
    id = welcome(bo, "sit down");
    answer(keep());
    world_granted(&world, bo, id);
    is_welcomed("sit down");
    world_restart(&world);
    char *text = hub_document_take(world.hub, "welcome", &len, &found);
    ck_assert_str_eq(text, "welcome 1\nsit down\n");
    ck_assert_int_eq(found, 2);
    hold(text);
    is_welcomed("sit down");
    free(text);
}
END_TEST

START_TEST(of_two_who_change_it_the_second_is_told)
{
    struct hub_document_asked asked;
    hold("");
    const int64_t first = welcome(ana, "come in"), second = welcome(bo, "sit down");
    world_denied(&world, bo, second, "slow_down"); /* one at a time */
    revision = 1; /* another node was quicker, and this one has not heard of it yet */
    ck_assert_int_eq(keep(), DOCUMENT_OTHERS);
    ck_assert(!hub_document_asked(world.hub, &asked));
    hold("welcome 1\nhello\n");
    answer(DOCUMENT_OTHERS);
    world_denied(&world, ana, first, "seat_taken");
    is_welcomed("hello");
    const int64_t again = welcome(ana, "come in");
    answer(keep());
    world_granted(&world, ana, again);
    is_welcomed("come in");
}
END_TEST

START_TEST(what_cannot_be_kept_changes_nothing)
{
    world_denied(&world, ana, welcome(ana, "come in"), "store_failing"); /* none holds yet */
    hold("welcome 1\nhello\n");
    const int64_t id = welcome(ana, "come in");
    struct hub_document_asked asked;
    ck_assert(hub_document_asked(world.hub, &asked));
    answer(DOCUMENT_FAILED);
    world_denied(&world, ana, id, "store_failing");
    is_welcomed("hello");
    const int64_t late = welcome(ana, "come in");
    ck_assert_int_eq(keep(), DOCUMENT_KEPT);
    answer(DOCUMENT_LATE); /* some node has not taken it yet, but it is kept */
    world_granted(&world, ana, late);
}
END_TEST

START_TEST(nobody_is_answered_for_who_is_gone)
{
    struct hub_document_asked asked;
    hold("");
    (void)welcome(ana, "come in");
    ck_assert(hub_document_asked(world.hub, &asked));
    world_cut(&world, ana);
    const int zoe = world_guest(&world, "Zoe");
    answer(DOCUMENT_KEPT);
    ck_assert_uint_eq(world_forget(&world, zoe), 0);
    answer(DOCUMENT_KEPT); /* of a hub that is gone */
    const int64_t id = welcome(zoe, "come in");
    answer(DOCUMENT_KEPT); /* ... while this one waits for its turn */
    answer(keep());
    world_granted(&world, zoe, id);
    (void)welcome(zoe, "sit down"); /* goes with the hub */
}
END_TEST

Suite *documents_suite(void)
{
    Suite *suite = suite_create("documents");
    TCase *tests = tcase_create("of one part"), *own = tcase_create("of a feature");
    tcase_set_tags(own, "near");
    tcase_add_checked_fixture(own, set_up_book, tear_down_book);
    tcase_add_test(own, a_feature_changes_its_document);
    tcase_add_test(own, of_two_who_change_it_the_second_is_told);
    tcase_add_test(own, what_cannot_be_kept_changes_nothing);
    tcase_add_test(own, nobody_is_answered_for_who_is_gone);
    suite_add_tcase(suite, own);
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
