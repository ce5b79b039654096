/*
 * Letters and pages of rows, by the guest book of the tests: in a site of one part and of two, with
 * a store that fails, a server that dies between any two steps, and letters that nobody can apply.
 */
#include "../../support/guest_book.h"
#include "../../support/guest_table.h"
#include "../../support/model_divide.h"
#include "site.h"
#include "suites.h"
#include <history/game_table.h>
#include <identity/identity.h>
#include <inttypes.h>
#include <string.h>

static const struct feature *const features[] = {&feature_identity, &guest_book, NULL};
static const struct feature *const no_features[] = {&feature_identity, NULL};
static int ana, bo;
static uint64_t bos;

static void know_book(struct world *world)
{
    world->env.features = features;
    world_start(world);
}

static void set_up(void)
{
    world_init(&home);
    know_book(&home);
    ana = world_guest(&home, "Ana");
    bo = world_guest(&home, "Bo");
    bos = site_session(&home, bo);
}

static void tear_down(void)
{
    world_release(&home);
}

/* Ana greets whoever that is. */
static void greet(uint64_t whom, const char *text)
{
    guest_book_set_greeting(home.hub, whom, text);
    world_do(&home, ana, "games", "{s:s}", "after", GUEST_BOOK_GREETS);
}

static size_t rows_of(const struct world *world, uint64_t session)
{
    size_t count = 0;
    while (model_row(&world->store, &guest_word_table, session, count))
        count++;
    return count;
}

static size_t letters(void)
{
    return model_rows(&home.store, &store_letter_table);
}

static const struct store_letter *letter(void)
{
    ck_assert_uint_eq(letters(), 1);
    return model_nth(&home.store, &store_letter_table, 0);
}

static json_int_t own_words(struct world *world, int tab)
{
    const int again = world_connect(world);
    json_t *ok = world_ok(world, again, "hello", "{s:s}", "token", world->tabs[tab].token);
    const json_int_t words = num(ok, "own_words");
    json_decref(ok);
    return words;
}

/* Something of this part becomes durable. */
static void leave_a_word(struct world *world, int tab)
{
    world_do(world, tab, "games", "{s:s}", "after", GUEST_BOOK_KEEPS);
}

/* ---- one part */

START_TEST(a_letter_is_applied_once)
{
    greet(bos, "hail");
    ck_assert_uint_eq(rows_of(&home, bos), 1);
    ck_assert_uint_eq(letters(), 0);
    ck_assert_int_eq(own_words(&home, bo), 1);
    ck_assert_double_eq(world_figure(&home, "letters_sent_total"), 1);
    ck_assert_double_eq(world_figure(&home, "letters_applied_total"), 1);
    world_restart(&home);
    world_settle(&home);
    ck_assert_uint_eq(rows_of(&home, bos), 1);
    ck_assert_int_eq(own_words(&home, bo), 1);
}
END_TEST

START_TEST(a_letter_to_nobody_does_nothing)
{
    greet(99, "hail");
    ck_assert_uint_eq(letters(), 0);
    ck_assert_uint_eq(rows_of(&home, 99), 0);
    ck_assert_double_eq(world_figure(&home, "letters_applied_total"), 1);
}
END_TEST

/* More than a page, and than a batch has a place for. */
START_TEST(many_letters_are_all_applied)
{
    enum { MANY = 100 };
    home.config.batch_ops = _i ? 16 : 4096;
    world_restart(&home);
    ana = world_guest(&home, "Ana");
    bo = world_guest(&home, "Bo");
    bos = site_session(&home, bo);
    world_settle(&home);
    for (int i = 0; i < MANY; i++) {
        const struct store_letter sent = {.addressee = bos,
                                          .id = (uint64_t)i,
                                          .kind = "book.greeting",
                                          .text = "hail",
                                          .text_len = 4};
        model_put_row(&home.store, &(struct store_row){.table = &store_letter_table, .row = &sent});
    }
    greet(bos, "hail");
    ck_assert_uint_eq(letters(), 0);
    ck_assert_uint_eq(rows_of(&home, bos), MANY + 1);
}
END_TEST

START_TEST(a_store_that_fails_takes_cause_and_letter_back)
{
    home.held = true;
    guest_book_set_greeting(home.hub, bos, "hail");
    const int64_t id = world_post(&home, ana, "games", "{s:s}", "after", GUEST_BOOK_GREETS);
    world_settle(&home);
    world_commit(&home, STORE_FULL);
    world_denied(&home, ana, id, "store_failing");
    home.held = false;
    world_pass(&home, home.config.store_retry_max_ms);
    ck_assert_uint_eq(letters(), 0);
    ck_assert_uint_eq(rows_of(&home, bos), 0);
}
END_TEST

/* Until the letter has come back from the store, until it is in a batch, and until that is durable.
 */
static void die_at(int step)
{
    const bool fails = step == 4;
    struct store_query query;
    home.held = true;
    guest_book_set_greeting(home.hub, bos, "hail");
    (void)world_post(&home, ana, "games", "{s:s}", "after", GUEST_BOOK_GREETS);
    world_settle(&home);
    if (step-- == 0)
        return;
    (void)model_commit(&home.store, home.out);
    hub_batch_done(home.hub, STORE_OK, 1, home.now_ms);
    home.out = NULL;
    if (step-- == 0)
        return;
    ck_assert(hub_query_take(home.hub, &query));
    ck_assert(!hub_query_take(home.hub, &query)); /* one page at a time */
    if (step-- == 0)
        return;
    model_query(&home.store, home.hub, &query, home.now_ms);
    ck_assert(!hub_query_take(home.hub, &query));
    const struct store_batch *out = hub_batch_take(home.hub);
    ck_assert_ptr_nonnull(out);
    ck_assert(!hub_query_take(home.hub, &query));
    if (!fails)
        (void)model_commit(&home.store, out);
}

START_TEST(whoever_dies_between_two_steps_applies_it_once)
{
    die_at(_i);
    home.held = false;
    world_restart(&home);
    world_settle(&home);
    ck_assert_uint_eq(letters(), 0);
    ck_assert_uint_eq(rows_of(&home, bos), _i == 0 ? 0 : 1);
    ck_assert_int_eq(own_words(&home, bo), _i == 0 ? 0 : 1);
}
END_TEST

START_TEST(an_effect_that_is_not_durable_is_tried_again)
{
    die_at(4);
    hub_batch_done(home.hub, STORE_FAILED, 1, home.now_ms);
    home.held = false;
    world_pass(&home, home.config.store_retry_max_ms);
    ck_assert_uint_eq(letters(), 0);
    ck_assert_uint_eq(rows_of(&home, bos), 1);
    ck_assert_int_eq(own_words(&home, bo), 1);
}
END_TEST

/* ---- what nobody can apply */

START_TEST(one_that_its_feature_refuses_is_set_aside)
{
    greet(bos, GUEST_BOOK_POISON);
    ck_assert_int_eq(letter()->state, STORE_LETTER_UNREADABLE);
    ck_assert_double_eq(world_figure(&home, "letters_set_aside_total"), 1);
    greet(bos, "hail");
    ck_assert_uint_eq(rows_of(&home, bos), 1);
    world_restart(&home);
    ck_assert_int_eq(letter()->state, STORE_LETTER_UNREADABLE);
}
END_TEST

/* A server of another version may know it. */
START_TEST(one_that_nobody_knows_is_set_aside_until_somebody_does)
{
    greet(bos, GUEST_BOOK_WAITS);
    home.env.features = no_features;
    world_restart(&home);
    ck_assert_int_eq(letter()->state, STORE_LETTER_UNKNOWN);
    world_restart(&home);
    ck_assert_int_eq(letter()->state, STORE_LETTER_UNKNOWN);
    home.env.features = features;
    world_restart(&home);
    guest_book_set_waiting(home.hub, false);
    world_pass(&home, 1000);
    ck_assert_uint_eq(letters(), 0);
    ck_assert_uint_eq(rows_of(&home, bos), 1);
}
END_TEST

START_TEST(one_that_has_to_wait_stops_no_other)
{
    greet(bos, GUEST_BOOK_WAITS);
    greet(bos, "hail");
    ck_assert_uint_eq(rows_of(&home, bos), 1);
    ck_assert_int_eq(letter()->state, STORE_LETTER_WAITS);
    greet(bos, GUEST_BOOK_WAITS);
    world_pass(&home, 2000);
    ck_assert_double_eq(world_figure(&home, "letters_waiting"), 2);
    ck_assert_double_ge(world_figure(&home, "letters_oldest_seconds"), 2);
    ck_assert_double_lt(world_figure(&home, "letters_oldest_seconds"), 3);
    guest_book_set_waiting(home.hub, false);
    world_pass(&home, 1000);
    ck_assert_uint_eq(letters(), 0);
    ck_assert_uint_eq(rows_of(&home, bos), 3);
    ck_assert_double_eq(world_figure(&home, "letters_waiting"), 0);
    ck_assert_double_eq(world_figure(&home, "letters_oldest_seconds"), 0);
}
END_TEST

/* The model's complaints are what is tried here. */
static void run_with_refusals(void)
{
    const struct store_batch *batch;
    struct store_query query;
    bool more = true;
    home.held = true;
    while (more) {
        more = false;
        while (hub_query_take(home.hub, &query)) {
            model_query(&home.store, home.hub, &query, home.now_ms);
            more = true;
        }
        batch = home.out ? home.out : hub_batch_take(home.hub);
        home.out = NULL;
        if (!batch)
            continue;
        (void)model_commit(&home.store, batch);
        hub_batch_done(home.hub, STORE_OK, 1, home.now_ms);
        more = true;
    }
    home.store.complaint[0] = '\0';
    home.held = false;
    world_settle(&home);
}

/* The store does not know the session, of which the hub does. */
START_TEST(one_whose_effect_is_refused_is_set_aside_after_some_tries)
{
    const struct store_op drop = {.kind = STORE_DROP_SESSION, .u.session_id = bos};
    enum store_result result = STORE_OK;
    home.held = true;
    guest_book_set_greeting(home.hub, bos, "hail");
    (void)world_post(&home, ana, "games", "{s:s}", "after", GUEST_BOOK_GREETS);
    (void)model_commit(&home.store, &(struct store_batch){1, &drop, &result});
    run_with_refusals();
    ck_assert_int_eq(letter()->state, STORE_LETTER_INEFFECTIVE);
    ck_assert_double_eq(world_figure(&home, "letters_refused_total"), 3);
    ck_assert_double_eq(world_figure(&home, "letters_set_aside_total"), 1);
}
END_TEST

/* ---- two parts */

static void set_up_site(void)
{
    site_setup();
    know_book(&home);
    know_book(&away);
    ana = world_guest(&home, "Ana");
    bo = world_guest(&away, "Bo");
    bos = site_session(&away, bo);
    world_settle(&home);
}

static void tear_down_site(void)
{
    site_teardown();
}

START_TEST(a_letter_goes_to_another_part)
{
    greet(bos, "hail");
    ck_assert_uint_eq(letters(), 1);
    ck_assert_uint_eq(home.note_count, 1);
    ck_assert_int_eq(home.notes[0].kind, HUB_NOTE_LETTER);
    world_settle(&away); /* it has not been told yet */
    ck_assert_uint_eq(rows_of(&away, bos), 0);
    site_carry();
    ck_assert_uint_eq(letters(), 0);
    ck_assert_uint_eq(rows_of(&away, bos), 1);
    ck_assert_int_eq(own_words(&away, bo), 1);
    site_carry();
    ck_assert_uint_eq(rows_of(&away, bos), 1);
}
END_TEST

/* Whoever was to tell of it is gone. */
START_TEST(a_letter_is_found_with_the_heartbeat)
{
    const int zoe = world_guest(&away, "Zoe");
    greet(bos, "hail");
    home.note_count = 0;
    away.now_ms += away.config.mail_look_ms - 1;
    leave_a_word(&away, zoe);
    ck_assert_uint_eq(rows_of(&away, bos), 0);
    away.now_ms++;
    leave_a_word(&away, zoe);
    ck_assert_uint_eq(rows_of(&away, bos), 1);
    ck_assert_uint_eq(letters(), 0);
}
END_TEST

START_TEST(a_letter_waits_for_a_part_that_nobody_serves)
{
    greet(bos, "hail");
    greet(bos, "hail");
    home.note_count = 0;
    ck_assert_uint_eq(letters(), 2);
    world_restart(&away);
    world_settle(&away);
    ck_assert_uint_eq(letters(), 0);
    ck_assert_uint_eq(rows_of(&away, bos), 2);
}
END_TEST

/* ---- a site that is divided anew */

/* It is addressed to a number, whichever part that falls to by then. */
START_TEST(a_letter_finds_its_addressee_in_another_division)
{
    enum { PARTS = 3 };
    struct model_store stores[PARTS];
    greet(bos, GUEST_BOOK_WAITS);
    ck_assert_uint_eq(letters(), 1);
    model_divide(&home.store, 1, stores, PARTS);
    for (unsigned part = 0; part < PARTS; part++) {
        world_init(&away);
        away.env.part = part;
        away.env.parts = PARTS;
        away.env.features = features;
        model_release(&away.store);
        away.store = stores[part];
        world_restart(&away);
        guest_book_set_waiting(away.hub, false);
        world_pass(&away, 1000);
        ck_assert_uint_eq(rows_of(&away, bos), part == bos % PARTS);
        ck_assert_uint_eq(model_rows(&away.store, &store_letter_table), 0);
        world_release(&away);
    }
}
END_TEST

/* ---- pages */

static json_t *page(int tab, const char *words, bool more)
{
    json_t *ok = world_ok(&home, tab, "games", "{s:s}", "after", GUEST_BOOK_PAGES);
    char text[256] = "";
    size_t at;
    const json_t *word;
    json_array_foreach(json_object_get(ok, "words"), at, word)
    {
        strcat(text, json_string_value(word));
        strcat(text, " ");
    }
    ck_assert_str_eq(text, words);
    ck_assert_int_eq(json_is_true(json_object_get(ok, "more")), more);
    return ok;
}

START_TEST(pages_of_the_book_follow_each_other)
{
    greet(bos, "one");
    greet(site_session(&home, ana), "two");
    greet(bos, "three");
    json_decref(page(ana, "three two ", true));
    json_decref(page(ana, "one ", false));
    json_decref(page(bo, "three two ", true)); /* each connection for itself */
}
END_TEST

START_TEST(a_page_is_of_the_whole_site)
{
    greet(bos, "one");
    greet(site_session(&home, ana), "two");
    site_carry();
    json_decref(page(ana, "one two ", false));
}
END_TEST

START_TEST(too_many_pages_are_refused_and_a_failure_is_told)
{
    struct store_query query;
    home.config.queries = 1;
    world_restart(&home);
    ana = world_guest(&home, "Ana");
    bo = world_guest(&home, "Bo");
    const int64_t id = world_post(&home, ana, "games", "{s:s}", "after", GUEST_BOOK_PAGES);
    const int64_t other = world_post(&home, bo, "games", "{s:s}", "after", GUEST_BOOK_PAGES);
    ck_assert(hub_query_take(home.hub, &query) && query.ticket != 0);
    query.result = STORE_FAILED;
    hub_query_done(home.hub, &query, home.now_ms);
    world_settle(&home);
    world_denied(&home, ana, id, "store_failing");
    world_denied(&home, bo, other, "slow_down");
}
END_TEST

/* Whoever has asked is gone, and their number is another's. */
START_TEST(nobody_gets_the_page_of_who_is_gone)
{
    struct store_query query;
    (void)world_post(&home, ana, "games", "{s:s}", "after", GUEST_BOOK_PAGES);
    ck_assert(hub_query_take(home.hub, &query));
    world_cut(&home, ana);
    const int zoe = world_guest(&home, "Zoe");
    model_query(&home.store, home.hub, &query, home.now_ms);
    world_settle(&home);
    ck_assert_uint_eq(world_forget(&home, zoe), 0);
}
END_TEST

/* ---- claims */

/* Who has caused it is told, and nobody else; what else they keep is kept. */
START_TEST(who_claims_what_another_has_is_told)
{
    guest_book_set_greeting(home.hub, 0, "ana");
    world_do(&home, ana, "games", "{s:s}", "after", GUEST_BOOK_CLAIMS);
    home.held = true;
    const int64_t claimed = world_post(&home, bo, "games", "{s:s}", "after", GUEST_BOOK_CLAIMS);
    const int64_t kept = world_post(&home, ana, "games", "{s:s}", "after", GUEST_BOOK_KEEPS);
    home.held = false;
    world_settle(&home);
    world_denied(&home, bo, claimed, "seat_taken");
    world_granted(&home, ana, kept);
    ck_assert_uint_eq(rows_of(&home, bos), 0);
    ck_assert_int_eq(own_words(&home, bo), 1); /* "taken" */
    ck_assert_int_eq(own_words(&home, ana), 2);
    guest_book_set_greeting(home.hub, 0, "bo");
    world_do(&home, bo, "games", "{s:s}", "after", GUEST_BOOK_CLAIMS);
    ck_assert_uint_eq(rows_of(&home, bos), 1);
}
END_TEST

/* ---- finished matches */

static size_t games_of(const struct world *world, uint64_t session)
{
    size_t count = 0;
    while (model_row(&world->store, &game_table, session, count))
        count++;
    return count;
}

/* Each list is its owner's part's, and is told once, whoever dies in between. */
START_TEST(a_match_comes_into_the_lists_of_other_parts)
{
    struct site site;
    site_table(&site, "");
    world_begin(&away, &site.table);
    const uint64_t zoe = site_session(&away, site.table.tabs[0]);
    world_do(&away, site.table.tabs[0], "resign", "{s:s}", "room", site.table.room);
    ck_assert_uint_eq(games_of(&away, zoe), 1);
    ck_assert_uint_eq(games_of(&away, site.ana), 0);
    if (_i)
        world_restart(&home);
    site_carry();
    world_settle(&home);
    ck_assert_uint_eq(games_of(&home, site.ana), 1);
    const struct game_row *game = model_row(&home.store, &game_table, site.ana, 0);
    ck_assert_uint_eq(game->seat, 1);
    ck_assert_str_eq(game->room, site.table.room);
    site_carry();
    ck_assert_uint_eq(games_of(&home, site.ana), 1);
    ck_assert_uint_eq(model_rows(&away.store, &store_letter_table), 0);
}
END_TEST

/* Whatever it says, it is set aside or kept; a list is never broken by it. */
START_TEST(a_line_that_cannot_be_read_is_set_aside)
{
    static const char *const wrong[] = {"",
                                        "k3m9x0aq 1 5",
                                        "k3m9x0a 1 5 {}",
                                        "K3m9x0aq 1 5 {}",
                                        "k3m9x0aq 16 5 {}",
                                        "k3m9x0aq x 5 {}",
                                        "k3m9x0aq -1 5 {}",
                                        "k3m9x0aq 1 x {}",
                                        "k3m9x0aq 1 99999999999999999999 {}",
                                        "k3m9x0aq 1 5{}"};
    const uint64_t zoe = site_session(&home, world_guest(&home, "Zoe"));
    struct store_letter line = {.addressee = zoe,
                                .id = 1,
                                .kind = "history.match",
                                .text = wrong[_i],
                                .text_len = (uint16_t)strlen(wrong[_i])};
    model_put_row(&home.store, &(struct store_row){.table = &store_letter_table, .row = &line});
    world_restart(&home);
    world_settle(&home);
    ck_assert_int_eq(letter()->state, STORE_LETTER_UNREADABLE);
    ck_assert_uint_eq(games_of(&home, zoe), 0);
}
END_TEST

Suite *letters_suite(void)
{
    Suite *suite = suite_create("letters");
    TCase *one = tcase_create("letters"), *two = tcase_create("letters to another part");
    tcase_add_checked_fixture(one, set_up, tear_down);
    tcase_add_checked_fixture(two, set_up_site, tear_down_site);
    tcase_set_tags(two, "near");
    tcase_add_test(one, a_letter_is_applied_once);
    tcase_add_test(one, a_letter_to_nobody_does_nothing);
    tcase_add_test(one, a_store_that_fails_takes_cause_and_letter_back);
    tcase_add_loop_test(one, whoever_dies_between_two_steps_applies_it_once, 0, 4);
    tcase_add_test(one, an_effect_that_is_not_durable_is_tried_again);
    tcase_add_test(one, one_that_its_feature_refuses_is_set_aside);
    tcase_add_test(one, one_that_nobody_knows_is_set_aside_until_somebody_does);
    tcase_add_test(one, one_that_has_to_wait_stops_no_other);
    tcase_add_test(one, one_whose_effect_is_refused_is_set_aside_after_some_tries);
    tcase_add_test(one, pages_of_the_book_follow_each_other);
    tcase_add_test(one, too_many_pages_are_refused_and_a_failure_is_told);
    tcase_add_test(one, nobody_gets_the_page_of_who_is_gone);
    tcase_add_test(two, a_letter_goes_to_another_part);
    TCase *divided = tcase_create("letters in another division");
    tcase_add_checked_fixture(divided, set_up, tear_down);
    tcase_set_tags(divided, "near");
    tcase_add_test(divided, a_letter_finds_its_addressee_in_another_division);
    suite_add_tcase(suite, divided);
    tcase_add_test(two, a_letter_is_found_with_the_heartbeat);
    tcase_add_test(two, a_letter_waits_for_a_part_that_nobody_serves);
    tcase_add_test(two, a_page_is_of_the_whole_site);
    tcase_add_test(one, who_claims_what_another_has_is_told);
    TCase *lists = tcase_create("lists of other parts");
    tcase_add_checked_fixture(lists, site_setup, site_teardown);
    tcase_set_tags(lists, "near");
    tcase_add_loop_test(lists, a_match_comes_into_the_lists_of_other_parts, 0, 2);
    tcase_add_loop_test(lists, a_line_that_cannot_be_read_is_set_aside, 0, 10);
    suite_add_tcase(suite, one);
    TCase *model = model_case(suite, set_up, tear_down);
    tcase_add_loop_test(model, many_letters_are_all_applied, 0, 2);
    suite_add_tcase(suite, lists);
    suite_add_tcase(suite, two);
    return suite;
}
