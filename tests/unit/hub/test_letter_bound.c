/* As many letters as may be: who asks for more is refused, what has been acknowledged goes on. */
#include "../../support/guest_book.h"
#include "../../support/guest_table.h"
#include "site.h"
#include "suites.h"
#include <features/feature.h>
#include <history/game_table.h>
#include <history/history.h>
#include <hub/letter.h>
#include <identity/identity.h>
#include <registry/registry.h>

static const struct feature *const with_book[] = {&feature_identity, &guest_book, NULL};
static const struct feature *const with_history[] = {&feature_identity, &feature_history, NULL};
static int ana, bo;
static uint64_t bos;

static enum hub_accounts accounts;

static void set_bound(const struct feature *const *features, int letters, int per_addressee)
{
    world_init(&home);
    home.env.features = features;
    home.env.accounts = accounts;
    home.config.letters = letters;
    home.config.letters_per_addressee = per_addressee;
    world_start(&home);
    ana = world_guest(&home, "Ana");
    bo = world_guest(&home, "Bo");
    bos = site_session(&home, bo);
    world_settle(&home);
}

static int64_t try_to_greet(int tab, uint64_t whom, const char *text)
{
    guest_book_set_greeting(home.hub, whom, text);
    const int64_t id = world_post(&home, tab, "games", "{s:s}", "after", GUEST_BOOK_GREETS);
    world_settle(&home);
    return id;
}

/* One that waits is enough. What was refused left nothing, and is granted when there is a place. */
START_TEST(who_asks_for_a_letter_too_many_is_refused)
{
    set_bound(with_book, _i ? 1 : 9, _i ? 9 : 1);
    const uint64_t zoe = site_session(&home, world_guest(&home, "Zoe"));
    world_granted(&home, ana, try_to_greet(ana, bos, GUEST_BOOK_WAITS));
    world_denied(&home, ana, try_to_greet(ana, bos, "hail"), "store_failing");
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), 1);
    ck_assert_double_eq(world_figure(&home, "letters_crowded_total"), 1);
    const int64_t other = try_to_greet(ana, zoe, "hail");
    if (_i)
        world_denied(&home, ana, other, "store_failing");
    else
        world_granted(&home, ana, other);
    guest_book_set_waiting(home.hub, false);
    world_pass(&home, 1000);
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), 0);
    world_granted(&home, ana, try_to_greet(ana, bos, "hail"));
    ck_assert_ptr_nonnull(model_row(&home.store, &guest_word_table, bos, 1));
    ck_assert_double_eq(world_figure(&home, "letters_set_aside_total"), 0);
}
END_TEST

/* People of one address ask for no more than their share; others, and what nobody asks for, are not
 * concerned. */
START_TEST(who_asks_for_more_than_a_share_is_refused)
{
    set_bound(with_book, 9, 9);
    home.config.letters_per_sender = 2;
    world_restart(&home);
    home.host = 7;
    const int cat = world_guest(&home, "Cat"), dan = world_guest(&home, "Dan");
    home.host = 8;
    const int eve = world_guest(&home, "Eve");
    world_granted(&home, cat, try_to_greet(cat, bos, GUEST_BOOK_WAITS));
    world_granted(&home, dan, try_to_greet(dan, bos, GUEST_BOOK_WAITS));
    world_denied(&home, cat, try_to_greet(cat, bos, "hail"), "store_failing");
    world_denied(&home, dan, try_to_greet(dan, bos, "hail"), "store_failing");
    world_granted(&home, eve, try_to_greet(eve, bos, "hail"));
}
END_TEST

static const struct store_letter aside = {
    .addressee = 7, .id = 1, .kind = "history.match", .text = "x", .text_len = 1};

static void put_letter(void)
{
    model_put_row(&home.store, &(struct store_row){.table = &store_letter_table, .row = &aside});
}

static int64_t try_rematch(const struct table *table)
{
    const int64_t id = world_post(&home, table->tabs[0], "rematch", "{s:s}", "room", table->room);
    world_settle(&home);
    return id;
}

static void drop_letter(void)
{
    const struct store_op op = {.kind = STORE_DROP_ROW,
                                .u.row = {.table = &store_letter_table, .row = &aside}};
    enum store_result result = STORE_OK;
    (void)model_commit(&home.store, &(struct store_batch){1, &op, &result});
}

/* Those that are there end, and who has played them gets the letters. */
START_TEST(with_too_many_letters_no_match_is_begun_and_each_ends)
{
    struct table table;
    set_bound(with_history, 1, 9);
    world_table(&home, &table, 2, "");
    world_begin(&home, &table);
    put_letter();
    const int64_t created = world_post(&home, bo, "create", "");
    world_settle(&home);
    world_denied(&home, bo, created, "store_failing");
    world_do(&home, table.tabs[0], "resign", "{s:s}", "room", table.room);
    for (int seat = 0; seat < 2; seat++)
        ck_assert_ptr_nonnull(
            model_row(&home.store, &game_table, site_session(&home, table.tabs[seat]), 0));
    for (int again = 0; again < 4; again++) /* the room that is over stays as it is */
        world_denied(&home, table.tabs[0], try_rematch(&table), "store_failing");
    ck_assert_double_eq(world_figure(&home, "letters_crowded_total"), 5);
    drop_letter();
    world_granted(&home, table.tabs[0], try_rematch(&table));
}
END_TEST

static int64_t try_report(const char *room)
{
    const int64_t id =
        world_post(&home, ana, "report", "{s:s,s:i,s:s}", "room", room, "seat", 0, "why", "talk");
    world_settle(&home);
    return id;
}

START_TEST(with_too_many_letters_nobody_is_reported)
{
    struct table table;
    accounts = HUB_ACCOUNTS_OPEN;
    set_bound(registry, 1, 9);
    world_table(&home, &table, 2, "");
    world_do(&home, ana, "claim", "{s:s}", "handle", "ana-1");
    world_do(&home, ana, "watch", "{s:s}", "room", table.room);
    put_letter();
    world_denied(&home, ana, try_report(table.room), "store_failing");
    ck_assert_double_eq(world_figure(&home, "reports_waiting"), 0);
    drop_letter();
    world_granted(&home, ana, try_report(table.room));
    ck_assert_double_eq(world_figure(&home, "reports_waiting"), 1);
}
END_TEST

/* The longest letter of any feature, and its end. */
START_TEST(test_a_letter_goes_into_the_smallest_batch)
{
    for (const struct feature *const *feature = registry; *feature; feature++) {
        for (size_t at = 0; at < (*feature)->letter_count; at++)
            ck_assert_uint_lt((*feature)->letters[at].ops_max, BATCH_OPS_LEAST);
    }
}
END_TEST

static void tear_down(void)
{
    world_release(&home);
    accounts = HUB_ACCOUNTS_OFF;
}

Suite *letter_bound_suite(void)
{
    Suite *suite = suite_create("the bound of letters");
    TCase *tests = tcase_create("bound"), *batch = tcase_create("batch");
    tcase_add_checked_fixture(tests, NULL, tear_down);
    tcase_add_loop_test(tests, who_asks_for_a_letter_too_many_is_refused, 0, 2);
    tcase_add_test(tests, who_asks_for_more_than_a_share_is_refused);
    tcase_add_test(tests, with_too_many_letters_no_match_is_begun_and_each_ends);
    tcase_add_test(tests, with_too_many_letters_nobody_is_reported);
    tcase_add_test(batch, test_a_letter_goes_into_the_smallest_batch);
    suite_add_tcase(suite, tests);
    suite_add_tcase(suite, batch);
    return suite;
}
