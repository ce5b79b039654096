/* What a feature tells of a session that is dropped: with that, or not at all. */
#include "../../support/failing_alloc.h"
#include "../../support/guest_book.h"
#include "../../support/guest_table.h"
#include "site.h"
#include "suites.h"
#include <hub/kernel_others.h>
#include <identity/identity.h>
#include <string.h>

enum { DAY_MS = 24 * 3600 * 1000 };

static const struct feature *const features[] = {&feature_identity, &guest_book, NULL};
static int ana, bo;
static uint64_t anas, bos;

static void know_book(struct world *world)
{
    world->env.features = features;
    world_start(world);
    guest_book_set_farewell(world->hub, "bye");
}

static void set_up(void)
{
    world_init(&home);
    home.config.letters = 1;
    know_book(&home);
    ana = world_guest(&home, "Ana");
    bo = world_guest(&home, "Bo");
    anas = site_session(&home, ana);
    bos = site_session(&home, bo);
}

static void tear_down(void)
{
    world_release(&home);
}

static size_t letters(void)
{
    return model_rows(&home.store, &store_letter_table);
}

/* What the desk has been told. */
static size_t pages(void)
{
    const size_t count = model_rows(&home.store, &guest_page_table);
    for (size_t at = 0; at < count; at++) {
        const struct guest_page *page = model_nth(&home.store, &guest_page_table, at);
        ck_assert_uint_eq(page->text_len, 3);
        ck_assert_int_eq(memcmp(page->text, "bye", 3), 0);
    }
    return count;
}

static bool is_kept(const struct world *world, uint64_t session)
{
    return model_session(&world->store, session) != NULL;
}

/* Ana, who has left; Bo, whose connection has idled first, does not at once. */
static void let_expire(void)
{
    world_pass(&home, INT64_C(1) * home.config.visitor_idle_days * DAY_MS + 1000);
}

static void end_ana(void)
{
    kernel_end_session(home.hub, anas);
    world_settle(&home);
}

START_TEST(the_desk_is_told_of_who_is_ended)
{
    world_cut(&home, ana);
    end_ana();
    ck_assert(!is_kept(&home, anas) && is_kept(&home, bos));
    ck_assert_uint_eq(pages(), 1);
    ck_assert_uint_eq(letters(), 0);
}
END_TEST

START_TEST(the_desk_is_told_of_who_expires)
{
    world_cut(&home, ana);
    let_expire();
    ck_assert(!is_kept(&home, anas) && is_kept(&home, bos));
    ck_assert_uint_eq(pages(), 1);
}
END_TEST

START_TEST(the_desk_is_told_of_who_makes_room)
{
    home.config.sessions = 2;
    world_restart(&home);
    guest_book_set_farewell(home.hub, "bye");
    world_guest(&home, "Chi");
    ck_assert_uint_eq(home.store.session_count, 2);
    ck_assert_uint_eq(pages(), 1);
}
END_TEST

/* It is a beginning that is told of, and an end, once each. */
START_TEST(nobody_is_told_of_a_hub_that_ends)
{
    world_restart(&home);
    world_settle(&home);
    ck_assert_uint_eq(pages(), 0);
    ck_assert_uint_eq(letters(), 0);
}
END_TEST

START_TEST(what_cannot_be_stored_is_not_told)
{
    world_cut(&home, ana);
    home.held = true;
    end_ana();
    world_commit(&home, STORE_FULL);
    home.held = false;
    world_pass(&home, home.config.store_retry_max_ms);
    ck_assert(is_kept(&home, anas));
    ck_assert_uint_eq(pages() + letters(), 0);
    end_ana();
    ck_assert(!is_kept(&home, anas));
    ck_assert_uint_eq(pages(), 1);
}
END_TEST

/* Not only after it would have expired once more: letters to it wait until it has ended. */
START_TEST(who_expires_in_vain_does_so_again_soon)
{
    world_cut(&home, ana);
    home.held = true;
    let_expire();
    ck_assert_ptr_nonnull(home.out);
    world_commit(&home, STORE_FULL);
    home.held = false;
    ck_assert(is_kept(&home, anas));
    world_pass(&home, home.config.store_retry_max_ms + 2000);
    ck_assert(!is_kept(&home, anas) && is_kept(&home, bos));
    ck_assert_uint_eq(pages(), 1);
}
END_TEST

/* It is told of with its end; there is a place for both or it ends later. */
START_TEST(there_is_a_place_for_all_that_it_leads_to)
{
    enum { VISITORS = 40, PLACES = 17 };
    world_release(&home);
    world_init(&home);
    home.config.batch_ops = PLACES;
    know_book(&home);
    for (unsigned i = 0; i < VISITORS; i++) {
        const int tab = world_connect_from(&home, i);
        world_do(&home, tab, "hello", "");
        world_cut(&home, tab);
    }
    home.held = true;
    let_expire();
    ck_assert_ptr_nonnull(home.out);
    while (home.store.session_count > 0) {
        ck_assert_uint_le(home.out->count, PLACES);
        world_commit(&home, STORE_OK);
        world_pass(&home, 1000);
        if (!home.out)
            break;
    }
    ck_assert_uint_eq(home.store.session_count, 0);
}
END_TEST

static int64_t greet(int tab, uint64_t whom, const char *text)
{
    guest_book_set_greeting(home.hub, whom, text);
    return world_post(&home, tab, "games", "{s:s}", "after", GUEST_BOOK_GREETS);
}

/* A session ends, however many letters there are. */
START_TEST(there_may_be_too_many_letters)
{
    const int64_t id = greet(bo, bos, GUEST_BOOK_WAITS);
    world_settle(&home);
    world_granted(&home, bo, id);
    ck_assert_uint_eq(letters(), 1);
    world_cut(&home, ana);
    end_ana();
    ck_assert(!is_kept(&home, anas));
    ck_assert_uint_eq(pages(), 1);
}
END_TEST

/* What it asked for last is refused, and with that all that is its own, until it is tried again. */
START_TEST(it_is_refused_with_its_session)
{
    (void)greet(bo, bos, GUEST_BOOK_WAITS);
    world_settle(&home);
    home.held = true;
    (void)greet(ana, bos, "hail");
    world_settle(&home);
    world_cut(&home, ana);
    let_expire();
    world_commit(&home, STORE_OK);
    home.held = false;
    world_settle(&home);
    ck_assert(is_kept(&home, anas));
    ck_assert_uint_eq(pages(), 0);
    let_expire();
    ck_assert(!is_kept(&home, anas));
    ck_assert_uint_eq(pages(), is_kept(&home, bos) ? 1 : 2);
}
END_TEST

/* Who is to be dropped is perhaps there again, and then has all letters. */
START_TEST(a_letter_waits_for_an_end_that_is_not_durable)
{
    (void)greet(bo, anas, GUEST_BOOK_WAITS);
    world_settle(&home);
    ck_assert_uint_eq(letters(), 1);
    world_cut(&home, ana);
    home.held = true;
    end_ana();
    guest_book_set_waiting(home.hub, false);
    world_pass(&home, 2000);
    world_commit(&home, STORE_FULL);
    home.held = false;
    world_pass(&home, home.config.store_retry_max_ms);
    ck_assert(is_kept(&home, anas));
    world_restart(&home);
    guest_book_set_waiting(home.hub, false);
    world_pass(&home, 2000);
    ck_assert_uint_eq(letters(), 0);
    ck_assert_ptr_nonnull(model_row(&home.store, &guest_word_table, anas, 0));
}
END_TEST

START_TEST(without_memory_it_ends_later)
{
    uint64_t nth = 0;
    while (is_kept(&home, anas)) {
        world_restart(&home);
        guest_book_set_farewell(home.hub, "bye");
        world_settle(&home);
        failing_alloc_arm(++nth, false);
        failing_alloc_enter();
        kernel_end_session(home.hub, anas);
        failing_alloc_leave();
        (void)failing_alloc_disarm(NULL);
        world_settle(&home);
        ck_assert_uint_eq(pages(), is_kept(&home, anas) ? 0 : 1);
        ck_assert_uint_eq(letters(), 0);
    }
    ck_assert_uint_gt(nth, 1);
}
END_TEST

/* ---- two parts */

static void set_up_site(void)
{
    site_setup();
    know_book(&home);
    know_book(&away);
    bo = world_guest(&away, "Bo");
    bos = site_session(&away, bo);
}

START_TEST(the_desk_is_told_by_another_part)
{
    world_cut(&away, bo);
    kernel_end_session(away.hub, bos);
    world_settle(&away);
    site_carry();
    ck_assert(!is_kept(&away, bos));
    ck_assert_uint_eq(pages(), 1);
    ck_assert_uint_eq(model_rows(&away.store, &store_letter_table), 0);
}
END_TEST

/* Who is only here for a while is at home elsewhere, and ends there. */
START_TEST(nobody_is_told_of_who_only_leaves)
{
    ana = world_guest(&home, "Ana");
    const int there = site_go(site_session(&home, ana), "Ana");
    world_cut(&away, there);
    world_settle(&away);
    site_carry();
    ck_assert_uint_eq(site_foreign(&away), 0);
    ck_assert_uint_eq(pages(), 0);
}
END_TEST

Suite *session_ends_suite(void)
{
    Suite *suite = suite_create("who ends");
    TCase *one = tcase_create("who ends"), *two = tcase_create("who ends in another part");
    tcase_add_checked_fixture(one, set_up, tear_down);
    tcase_set_tags(one, "near");
    tcase_add_test(one, the_desk_is_told_of_who_is_ended);
    tcase_add_test(one, the_desk_is_told_of_who_expires);
    tcase_add_test(one, the_desk_is_told_of_who_makes_room);
    tcase_add_test(one, nobody_is_told_of_a_hub_that_ends);
    tcase_add_test(one, what_cannot_be_stored_is_not_told);
    tcase_add_test(one, who_expires_in_vain_does_so_again_soon);
    tcase_add_test(one, there_is_a_place_for_all_that_it_leads_to);
    tcase_add_test(one, there_may_be_too_many_letters);
    tcase_add_test(one, it_is_refused_with_its_session);
    tcase_add_test(one, a_letter_waits_for_an_end_that_is_not_durable);
    tcase_add_test(one, without_memory_it_ends_later);
    suite_add_tcase(suite, one);
    tcase_add_checked_fixture(two, set_up_site, site_teardown);
    tcase_set_tags(two, "near");
    tcase_add_test(two, the_desk_is_told_by_another_part);
    tcase_add_test(two, nobody_is_told_of_who_only_leaves);
    suite_add_tcase(suite, two);
    return suite;
}
