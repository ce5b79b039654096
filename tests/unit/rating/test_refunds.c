/* What is given back for a match that does not count: what was lost by it, once. */
#include "../../support/failing_alloc.h"
#include "suites.h"
#include <rating/ledger.h>
#include <rating/refunds.h>
#include <string.h>

enum { ENTRIES = 3000 };

static struct refunds refunds;
static struct ledger ledger; /* who is there: of each match those who have lost */

static void set_up(void)
{
    refunds = (struct refunds){0};
    ledger_init(&ledger);
}

static void tear_down(void)
{
    ledger_release(&ledger);
    refunds_release(&refunds);
}

/* The one with this number, of three: the first wins, the others lose so much and little. */
static struct book_entry match_of(uint64_t n, uint32_t points)
{
    struct book_entry entry = {.n = n, .kind = BOOK_MATCH};
    struct book_match *match = &entry.u.match;
    match->class = 3;
    match->seats = match->sides = 3;
    for (unsigned i = 0; i < 3; i++)
        match->seat[i] = (struct book_seat){.account = 10 * n + i,
                                            .side = (uint8_t)i,
                                            .before = {1500000, 350000},
                                            .after = {1500000, 300000}};
    match->seat[0].after.strength += 9;
    match->seat[1].after.strength -= points;
    const struct standing loser = {.account = 10 * n + 1, .class = 3, .matches = 1, .n = n};
    ck_assert_int_eq(ledger_put(&ledger, &loser), 0);
    return entry;
}

static void follow(const struct book_entry *entry)
{
    ck_assert(ledger_gives_back(&ledger, &refunds, entry));
    ck_assert_int_eq(refunds_follow(&refunds, entry), 0);
}

START_TEST(what_was_lost_is_given_back_once)
{
    struct book_entry entry = {.n = 1, .kind = BOOK_SYSTEM}, annul = {.kind = BOOK_ANNUL};
    follow(&entry);
    for (uint64_t n = 2; n <= ENTRIES; n++) {
        entry = match_of(n, (uint32_t)n * 100);
        follow(&entry);
    }
    annul.u.annul.of = 1; /* no match */
    ck_assert(!refunds_fill(&refunds, &annul.u.annul));
    annul.u.annul.of = ENTRIES + 1;
    ck_assert(!refunds_fill(&refunds, &annul.u.annul));
    ck_assert(!ledger_gives_back(&ledger, &refunds, &annul));
    annul.u.annul.of = 1000;
    ck_assert(refunds_fill(&refunds, &annul.u.annul));
    ck_assert_uint_eq(annul.u.annul.class, 3);
    ck_assert_uint_eq(annul.u.annul.refunds, 1); /* neither who won nor who has lost nothing */
    ck_assert_uint_eq(annul.u.annul.refund[0].account, 10001);
    ck_assert_uint_eq(annul.u.annul.refund[0].points, 100000);
    struct book_entry wrong = annul;
    wrong.u.annul.refund[0].points++;
    ck_assert(!ledger_gives_back(&ledger, &refunds, &wrong));
    wrong = annul;
    wrong.u.annul.refund[0].account++;
    ck_assert(!ledger_gives_back(&ledger, &refunds, &wrong));
    wrong = annul;
    wrong.u.annul.class = 4;
    ck_assert(!ledger_gives_back(&ledger, &refunds, &wrong));
    wrong = annul;
    wrong.u.annul.refunds = 0;
    ck_assert(!ledger_gives_back(&ledger, &refunds, &wrong));
    const struct standing gone = {.account = 10001, .class = 3};
    const struct standing there = *ledger_find(&ledger, 10001, 3);
    (void)ledger_put(&ledger, &gone);
    ck_assert(!ledger_gives_back(&ledger, &refunds, &annul));
    ck_assert(ledger_gives_back(&ledger, &refunds, &wrong)); /* nobody is there to get it */
    (void)ledger_put(&ledger, &there);
    follow(&annul);
    ck_assert(!ledger_gives_back(&ledger, &refunds, &annul)); /* it does not count already */
    annul.u.annul.of = 2000;
    ck_assert(refunds_fill(&refunds, &annul.u.annul));
    ck_assert_uint_eq(annul.u.annul.refund[0].points, BOOK_REFUND_MAX);
}
END_TEST

/* Each of the two allocations. */
START_TEST(without_memory_no_entry_is_followed)
{
    const struct book_entry entry = match_of(1, 5);
    struct book_annul annul = {.of = 1};
    failing_alloc_arm((uint64_t)_i, false);
    failing_alloc_enter();
    const int result = refunds_follow(&refunds, &entry);
    failing_alloc_leave();
    (void)failing_alloc_disarm(NULL);
    ck_assert_int_lt(result, 0);
    ck_assert(!refunds_fill(&refunds, &annul));
    follow(&entry);
    ck_assert(refunds_fill(&refunds, &annul));
    ck_assert_uint_eq(annul.refund[0].points, 5);
}
END_TEST

Suite *refunds_suite(void)
{
    Suite *suite = suite_create("refunds");
    TCase *tcase = tcase_create("refunds");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, what_was_lost_is_given_back_once);
    tcase_add_loop_test(tcase, without_memory_no_entry_is_followed, 1, 3);
    suite_add_tcase(suite, tcase);
    return suite;
}
