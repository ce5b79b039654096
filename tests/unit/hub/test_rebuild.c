/* Ratings computed again from their book: what differs is found, and what is put right follows. */
#include "../../support/failing_alloc.h"
#include "rows/rows.h"
#include "suites.h"
#include <ratings/rebuild.h>
#include <string.h>

enum { ANA = 0xa1, BO = 0xb2, LINES = 3 };

/* A store of one match and another one. */
static struct ledger ledger;
static struct book_row book[LINES];
static char texts[LINES][BOOK_LINE_MAX + 1];
static struct rating_row kept[2];
static struct book_end_row end;
static struct ratings_rebuild rebuild;

static void add(struct book_entry *entry)
{
    const size_t at = ledger.n;
    entry->n = at + 1;
    const size_t len = book_write(entry, texts[at]);
    ck_assert_int_eq(ledger_follow(&ledger, entry, texts[at], len), 0);
    book[at] = (struct book_row){.n = entry->n, .line = texts[at], .line_len = (uint16_t)len};
    memcpy(book[at].hash, ledger.hash, sizeof book[at].hash);
}

static void add_match(uint32_t winners)
{
    struct book_entry entry = {.kind = BOOK_MATCH};
    struct book_match *match = &entry.u.match;
    memcpy(match->room, "k3m9x0aq", sizeof match->room);
    match->class = 1;
    match->seats = match->sides = 2;
    match->winners = winners;
    match->seat[0].account = ANA;
    match->seat[1] = (struct book_seat){.account = BO, .side = 1};
    ledger_rate(&ledger, match);
    add(&entry);
}

static void set_up(void)
{
    struct book_entry system = {.kind = BOOK_SYSTEM, .u.system = RATING_SYSTEM};
    ledger_init(&ledger);
    add(&system);
    add_match(1);
    add_match(2);
    kept[0] = rating_row_of(ledger_find(&ledger, BO, 1), "bob");
    kept[1] = rating_row_of(ledger_find(&ledger, ANA, 1), "ana");
    end = (struct book_end_row){.id = 1, .n = ledger.n, .system = RATING_SYSTEM};
    memcpy(end.hash, ledger.hash, sizeof end.hash);
    ratings_rebuild_init(&rebuild);
}

static void tear_down(void)
{
    ratings_rebuild_release(&rebuild);
    ledger_release(&ledger);
}

static void hand_in(size_t ratings)
{
    ck_assert_int_eq(ratings_rebuild_kept(&rebuild, &book_end_table, &end), 0);
    for (size_t at = 0; at < ratings; at++)
        ck_assert_int_eq(ratings_rebuild_kept(&rebuild, &rating_table, &kept[at]), 0);
    for (size_t at = 0; at < LINES; at++)
        ck_assert_int_eq(ratings_rebuild_line(&rebuild, &book[at]), LEDGER_FINE);
    ck_assert_uint_eq(rebuild.matches, 2);
}

/* The one difference that there is. */
struct found {
    size_t count;
    const struct store_table *table;
    bool drop;
    struct rating_row rating;
    struct book_end_row end;
    char why[RATINGS_WHY_MAX];
};

static int take(void *ctx, const struct store_table *table, const void *row, bool drop,
                const char *why)
{
    struct found *found = ctx;
    found->count++;
    found->table = table;
    found->drop = drop;
    memcpy(found->why, why, strlen(why) + 1);
    if (table == &rating_table)
        found->rating = *(const struct rating_row *)row;
    else
        found->end = *(const struct book_end_row *)row;
    return 0;
}

static struct found compare(void)
{
    struct found found = {0};
    ck_assert_int_eq(ratings_rebuild_compare(&rebuild, take, &found), 0);
    return found;
}

START_TEST(what_follows_does_not_differ)
{
    hand_in(2);
    ck_assert_uint_eq(compare().count, 0);
}
END_TEST

/* Each member that can be wrong. */
START_TEST(a_rating_that_does_not_follow_is_put_right)
{
    const struct rating_row right = kept[0];
    struct rating_row *row = &kept[0];
    uint32_t *const members[] = {&row->strength, &row->deviation, &row->matches, &row->listed};
    if (_i < 4)
        ++*members[_i];
    else if (_i == 4)
        row->last_ms++;
    else
        row->n--;
    hand_in(2);
    const struct found found = compare();
    ck_assert_uint_eq(found.count, 1);
    ck_assert_ptr_eq(found.table, &rating_table);
    ck_assert(!found.drop);
    ck_assert_uint_eq(found.rating.account, BO);
    ck_assert_uint_eq(found.rating.strength, right.strength);
    ck_assert_uint_eq(found.rating.listed, right.listed);
    ck_assert_str_eq(found.rating.handle, "bob");
    ck_assert_ptr_nonnull(strstr(found.why, "account 00000000000000b2 in taluva.duel.live: is "));
}
END_TEST

START_TEST(a_rating_that_was_lost_comes_back)
{
    hand_in(1);
    const struct found found = compare();
    ck_assert_uint_eq(found.count, 1);
    ck_assert_uint_eq(found.rating.account, ANA);
    ck_assert_uint_eq(found.rating.strength, kept[1].strength);
    ck_assert(!found.drop);
    ck_assert_ptr_nonnull(strstr(found.why, "is none; by the book 1"));
}
END_TEST

START_TEST(a_rating_of_nothing_goes)
{
    kept[1].class = 2;
    hand_in(2);
    struct found found = compare(); /* and the one that was there before comes back */
    ck_assert_uint_eq(found.count, 2);
    ck_assert(found.drop);
    ck_assert_uint_eq(found.rating.class, 2);
    ck_assert_ptr_nonnull(strstr(found.why, "by the book none"));
}
END_TEST

START_TEST(an_end_that_does_not_follow_is_put_right)
{
    if (_i == 0)
        end.n--;
    else
        end.system = 0;
    hand_in(2);
    ck_assert(!ratings_rebuild_lacks(&rebuild));
    const struct found found = compare();
    ck_assert_uint_eq(found.count, 1);
    ck_assert_ptr_eq(found.table, &book_end_table);
    ck_assert_uint_eq(found.end.id, 1);
    ck_assert_uint_eq(found.end.n, LINES);
    ck_assert_uint_eq(found.end.system, RATING_SYSTEM);
    ck_assert_mem_eq(found.end.hash, ledger.hash, sizeof ledger.hash);
}
END_TEST

START_TEST(entries_that_are_missing_are_told)
{
    if (_i == 0)
        end.n++;
    else if (_i == 1)
        end.hash[5] ^= 1;
    hand_in(2);
    ck_assert_int_eq(ratings_rebuild_lacks(&rebuild), _i < 2);
}
END_TEST

START_TEST(a_book_that_is_wrong_is_told)
{
    ck_assert_int_eq(ratings_rebuild_line(&rebuild, &book[0]), LEDGER_FINE);
    ck_assert_int_eq(ratings_rebuild_line(&rebuild, &book[2]), LEDGER_GAP);
    book[1].hash[0] ^= 1;
    ck_assert_int_eq(ratings_rebuild_line(&rebuild, &book[1]), LEDGER_HASH);
    ck_assert_uint_eq(rebuild.ledger.n, 1);
}
END_TEST

static int refuse(void *ctx, const struct store_table *table, const void *row, bool drop,
                  const char *why)
{
    (void)table, (void)row, (void)drop, (void)why;
    ++*(size_t *)ctx;
    return -7;
}

START_TEST(what_cannot_be_put_right_ends_it)
{
    size_t calls = 0;
    end.n = 1;
    kept[0].strength++;
    kept[1].class = 2;
    hand_in(2);
    ck_assert_int_eq(ratings_rebuild_compare(&rebuild, refuse, &calls), -7);
    ck_assert_uint_eq(calls, 1);
}
END_TEST

/* Who has lost the match gets it back: in the book, at the end, in the ratings and in the curve. */
struct put {
    size_t count;
    const struct store_table *tables[8];
    char line[BOOK_LINE_MAX + 1];
    struct rating_row rating;
    struct rating_step_row step;
};

static int note(void *ctx, const struct store_table *table, const void *row, bool drop,
                const char *why)
{
    struct put *put = ctx;
    (void)why;
    ck_assert(!drop);
    put->tables[put->count++] = table;
    if (table == &book_table)
        memcpy(put->line, ((const struct book_row *)row)->line, strlen(why) + 1);
    else if (table == &rating_table)
        put->rating = *(const struct rating_row *)row;
    else if (table == &rating_step_table)
        put->step = *(const struct rating_step_row *)row;
    return 0;
}

START_TEST(a_match_can_be_annulled_once)
{
    struct put put = {0};
    const struct standing before = *ledger_find(&ledger, BO, 1);
    hand_in(2);
    ck_assert_uint_eq(compare().count, 0);
    for (uint64_t of = 0; of < 2; of++) /* no entry, and no match */
        ck_assert(!ratings_rebuild_annul(&rebuild, of, "one person", 7, note, &put));
    ck_assert(!ratings_rebuild_annul(&rebuild, LINES + 1, "one person", 7, note, &put));
    ck_assert_uint_eq(put.count, 0);
    ck_assert(ratings_rebuild_annul(&rebuild, 2, "one person", 7, note, &put));
    ck_assert_str_eq(put.line,
                     "{\"n\":4,\"at\":7,\"kind\":\"annul\",\"of\":2,\"class\":\"taluva.duel.live\","
                     "\"reason\":\"one person\",\"refunds\":[{\"account\":\"00000000000000b2\","
                     "\"points\":150000}]}");
    ck_assert_uint_eq(put.count, 4);
    ck_assert_ptr_eq(put.tables[1], &book_end_table);
    ck_assert_uint_eq(put.rating.account, BO);
    ck_assert_uint_eq(put.rating.strength, before.rating.strength + BOOK_REFUND_MAX);
    ck_assert_uint_eq(put.rating.matches, before.matches);
    ck_assert_uint_eq(put.rating.n, 4);
    ck_assert_str_eq(put.rating.handle, "bob");
    ck_assert_uint_eq(put.step.before, before.rating.strength);
    ck_assert_uint_eq(put.step.strength, put.rating.strength);
    ck_assert_str_eq(put.step.room, "");
    ck_assert(!ratings_rebuild_annul(&rebuild, 2, "again", 8, note, &put));
    /* Whoever reads the book finds that it follows, and no other refund would. */
    struct ratings_rebuild reader;
    struct book_row row = {.n = 4, .line = put.line, .line_len = (uint16_t)strlen(put.line)};
    ratings_rebuild_init(&reader);
    for (size_t at = 0; at < LINES; at++)
        ck_assert_int_eq(ratings_rebuild_line(&reader, &book[at]), LEDGER_FINE);
    char *points = strstr(put.line, "150000");
    points[0] = '0' + 2;
    book_hash(row.hash, ledger.hash, put.line, row.line_len);
    ck_assert_int_ne(ratings_rebuild_line(&reader, &row), LEDGER_FINE);
    memcpy(points, "149999", 6);
    book_hash(row.hash, ledger.hash, put.line, row.line_len);
    ck_assert_int_eq(ratings_rebuild_line(&reader, &row), LEDGER_NUMBERS);
    memcpy(points, "150000", 6);
    book_hash(row.hash, ledger.hash, put.line, row.line_len);
    ck_assert_int_eq(ratings_rebuild_line(&reader, &row), LEDGER_FINE);
    ck_assert_uint_eq(reader.annulled, 1);
    ratings_rebuild_release(&reader);
}
END_TEST

START_TEST(memory_may_run_out)
{
    failing_alloc_arm(1, true);
    failing_alloc_enter();
    const int taken = ratings_rebuild_kept(&rebuild, &rating_table, &kept[0]);
    const enum ledger_fault fault = ratings_rebuild_line(&rebuild, &book[0]);
    failing_alloc_leave();
    (void)failing_alloc_disarm(NULL);
    ck_assert_int_lt(taken, 0);
    ck_assert_int_eq(fault, LEDGER_NO_MEMORY);
    hand_in(2);
    ck_assert_uint_eq(compare().count, 0);
}
END_TEST

Suite *rebuild_suite(void)
{
    Suite *suite = suite_create("rebuild");
    TCase *tests = tcase_create("rebuild");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, what_follows_does_not_differ);
    tcase_add_loop_test(tests, a_rating_that_does_not_follow_is_put_right, 0, 6);
    tcase_add_test(tests, a_rating_that_was_lost_comes_back);
    tcase_add_test(tests, a_rating_of_nothing_goes);
    tcase_add_loop_test(tests, an_end_that_does_not_follow_is_put_right, 0, 2);
    tcase_add_loop_test(tests, entries_that_are_missing_are_told, 0, 3);
    tcase_add_test(tests, a_book_that_is_wrong_is_told);
    tcase_add_test(tests, what_cannot_be_put_right_ends_it);
    tcase_add_test(tests, a_match_can_be_annulled_once);
    tcase_add_test(tests, memory_may_run_out);
    suite_add_tcase(suite, tests);
    return suite;
}
