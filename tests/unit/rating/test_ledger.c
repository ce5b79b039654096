/* What follows from a book, and what is found in one that is wrong. */
#include "../../support/failing_alloc.h"
#include "suites.h"
#include <rating/ledger.h>
#include <stdio.h>
#include <string.h>

enum { ANA = 0xa1, BO = 0xb2, CY = 0xc3, DAY_MS = 86400000 };

static struct ledger ledger, copy; /* the one that adds, and one that follows */
static char line[BOOK_LINE_MAX + 1];
static size_t len;
static unsigned duel, table, slow;

static void set_up(void)
{
    ledger_init(&ledger);
    ledger_init(&copy);
    duel = rating_class_find("taluva.duel.live");
    table = rating_class_find("taluva.table.live");
    slow = rating_class_find("taluva.duel.slow");
}

static void tear_down(void)
{
    ledger_release(&ledger);
    ledger_release(&copy);
}

static enum ledger_fault check_copy(void)
{
    return ledger_check(&copy, line, len, ledger.hash);
}

/* The one adds it, and the other one finds it right. */
static void enter(struct book_entry *entry)
{
    entry->n = ledger.n + 1;
    entry->at_ms = 5;
    len = book_write(entry, line);
    ck_assert_int_eq(ledger_follow(&ledger, entry, line, len), 0);
}

static void add(struct book_entry *entry)
{
    enter(entry);
    ck_assert_int_eq(check_copy(), LEDGER_FINE);
    ck_assert_mem_eq(copy.hash, ledger.hash, sizeof ledger.hash);
}

static void begin_system(void)
{
    struct book_entry entry = {.kind = BOOK_SYSTEM, .u.system = RATING_SYSTEM};
    add(&entry);
}

static struct book_entry match_of(unsigned class, const uint64_t *accounts, unsigned seats,
                                  int64_t ended_ms)
{
    struct book_entry entry = {.kind = BOOK_MATCH};
    struct book_match *match = &entry.u.match;
    memcpy(match->room, "k3m9x0aq", sizeof match->room);
    match->class = (uint8_t) class;
    match->ended_ms = ended_ms;
    match->seats = match->sides = (uint8_t)seats;
    match->winners = 1;
    for (unsigned i = 0; i < seats; i++) {
        match->seat[i].account = accounts[i];
        match->seat[i].side = (uint8_t)i;
    }
    return entry;
}

static void play(unsigned class, uint64_t winner, uint64_t loser, int64_t ended_ms)
{
    struct book_entry entry = match_of(class, (uint64_t[]){winner, loser}, 2, ended_ms);
    ledger_rate(&ledger, &entry.u.match);
    add(&entry);
}

static void is_rated(uint64_t account, unsigned class, uint32_t strength, uint32_t deviation)
{
    const struct standing *standing = ledger_find(&ledger, account, class);
    ck_assert_ptr_nonnull(standing);
    ck_assert_uint_eq(standing->rating.strength, strength);
    ck_assert_uint_eq(standing->rating.deviation, deviation);
}

START_TEST(two_newcomers)
{
    begin_system();
    ck_assert_ptr_null(ledger_find(&ledger, ANA, duel));
    play(duel, ANA, BO, 1000);
    is_rated(ANA, duel, 1662212, 290230);
    is_rated(BO, duel, 1337788, 290230);
    const struct standing *ana = ledger_find(&ledger, ANA, duel);
    ck_assert_uint_eq(ana->matches, 1);
    ck_assert_uint_eq(ana->n, 2);
    ck_assert_int_eq(ana->last_ms, 1000);
    ck_assert_ptr_null(ledger_find(&ledger, ANA, slow));
}
END_TEST

START_TEST(who_was_away_is_less_sure)
{
    struct book_entry entry;
    begin_system();
    for (int match = 0; match < 60; match++)
        play(duel, match % 2 ? ANA : BO, match % 2 ? BO : ANA, match);
    const struct standing was = *ledger_find(&ledger, ANA, duel);
    entry = match_of(duel, (uint64_t[]){ANA, BO}, 2, was.last_ms + INT64_C(365) * DAY_MS);
    ledger_rate(&ledger, &entry.u.match);
    ck_assert_uint_eq(entry.u.match.seat[0].before.strength, was.rating.strength);
    ck_assert_uint_eq(entry.u.match.seat[0].before.deviation,
                      rating_aged(was.rating.deviation, INT64_C(365) * DAY_MS));
    /* One that ended before counts as played at once, and takes no time back. */
    play(duel, ANA, BO, 1);
    ck_assert_int_eq(ledger_find(&ledger, ANA, duel)->last_ms, was.last_ms);
}
END_TEST

/* Half as far from the middle, and less sure; of the best known class of that game. */
START_TEST(another_class_of_the_game_says_something)
{
    struct standing known = {.account = ANA,
                             .class = (uint8_t)table,
                             .rating = {1900000, 80000},
                             .matches = 30,
                             .last_ms = 1000,
                             .n = 1};
    struct book_entry entry = match_of(duel, (uint64_t[]){ANA, BO}, 2, 1000);
    const struct book_seat *seat = &entry.u.match.seat[0];
    ck_assert_int_eq(ledger_put(&ledger, &known), 0);
    ledger_rate(&ledger, &entry.u.match);
    ck_assert_uint_eq(seat->before.strength, 1700000);
    ck_assert_uint_eq(seat->before.deviation, 215406);
    ck_assert_uint_eq(entry.u.match.seat[1].before.strength, RATING_START);
    known.class = (uint8_t)slow;
    known.rating = (struct rating){1100001, 79999};
    ck_assert_int_eq(ledger_put(&ledger, &known), 0);
    ledger_rate(&ledger, &entry.u.match);
    ck_assert_uint_eq(seat->before.strength, 1300000);
    known.class = (uint8_t)rating_class_find("totem.duel.live");
    known.rating = (struct rating){3000000, 50000};
    ck_assert_int_eq(ledger_put(&ledger, &known), 0);
    ledger_rate(&ledger, &entry.u.match);
    ck_assert_uint_eq(seat->before.strength, 1300000);
    /* Too little is known of it. */
    known.class = (uint8_t)slow;
    known.rating.deviation = 110001;
    (void)ledger_put(&ledger, &known);
    known.class = (uint8_t)table;
    (void)ledger_put(&ledger, &known);
    ledger_rate(&ledger, &entry.u.match);
    ck_assert_uint_eq(seat->before.strength, RATING_START);
    ck_assert_uint_eq(seat->before.deviation, RATING_DEVIATION_START);
    known.rating.deviation = 110000;
    (void)ledger_put(&ledger, &known);
    ledger_rate(&ledger, &entry.u.match);
    ck_assert_uint_ne(seat->before.strength, RATING_START);
}
END_TEST

START_TEST(the_scale_is_that_of_the_table)
{
    /* As in the vectors. */
    static const struct rating five[] = {
        {1900000, 60000}, {1700000, 80000}, {1500000, 350000}, {1500000, 50000}, {1200000, 110000}};
    for (uint64_t i = 0; i < 5; i++) {
        const struct standing standing = {
            .account = 1 + i, .class = (uint8_t)table, .rating = five[i], .last_ms = 1, .n = 1};
        (void)ledger_put(&ledger, &standing);
    }
    struct book_entry entry = match_of(table, (uint64_t[]){1, 2, 3, 4, 5}, 5, 1);
    entry.u.match.winners = 1 << 4;
    ledger_rate(&ledger, &entry.u.match);
    ck_assert_uint_eq(entry.u.match.seat[0].after.strength, 1894413);
    ck_assert_uint_eq(entry.u.match.seat[4].after.strength, 1238567);
    entry = match_of(rating_class_find("taluva.ranking.live"), (uint64_t[]){ANA, BO, CY}, 3, 1);
    memcpy(entry.u.match.place, (uint8_t[]){2, 1, 3}, 3);
    ledger_rate(&ledger, &entry.u.match);
    ck_assert_uint_gt(entry.u.match.seat[1].after.strength, 1500000);
    ck_assert_uint_gt(entry.u.match.seat[0].after.strength, entry.u.match.seat[2].after.strength);
}
END_TEST

START_TEST(a_match_may_be_annulled)
{
    begin_system();
    play(duel, ANA, BO, 1000);
    struct book_entry entry = {.kind = BOOK_ANNUL};
    entry.u.annul = (struct book_annul){
        .of = 2, .class = (uint8_t)duel, .reason = "x", .refunds = 1, .refund = {{BO, 150000}}};
    add(&entry);
    is_rated(BO, duel, 1487788, 290230);
    ck_assert_uint_eq(ledger_find(&ledger, BO, duel)->n, 3);
    ck_assert_uint_eq(ledger_find(&ledger, BO, duel)->matches, 1);
    struct standing best = *ledger_find(&ledger, BO, duel);
    best.rating.strength = RATING_MAX - 1;
    (void)ledger_put(&ledger, &best);
    (void)ledger_put(&copy, &best);
    add(&entry);
    is_rated(BO, duel, RATING_MAX, 290230);
    /* Of nobody, or of what is not there yet. */
    entry.u.annul.refund[0].account = CY;
    entry.n = copy.n + 1;
    len = book_write(&entry, line);
    book_hash(ledger.hash, copy.hash, line, len);
    ck_assert_int_eq(check_copy(), LEDGER_NUMBERS);
    entry.u.annul.refund[0].account = BO;
    entry.u.annul.of = entry.n;
    len = book_write(&entry, line);
    book_hash(ledger.hash, copy.hash, line, len);
    ck_assert_int_eq(check_copy(), LEDGER_NUMBERS);
}
END_TEST

/* ---- what is wrong is found */

static void write_anew(const struct book_entry *entry)
{
    len = book_write(entry, line);
    book_hash(ledger.hash, copy.hash, line, len);
}

/* In all classes; it is not there to get anything back, nor twice gone, and may play again. */
START_TEST(an_account_may_be_gone)
{
    struct book_entry entry = {.kind = BOOK_GONE, .u.gone = BO};
    struct book_annul annul = {.class = (uint8_t)duel, .refunds = 2, .refund = {{BO, 1}, {ANA, 2}}};
    begin_system();
    play(duel, ANA, BO, 1000);
    play(slow, ANA, BO, 1000);
    ck_assert(ledger_is_rated(&ledger, BO));
    add(&entry);
    ck_assert(!ledger_is_rated(&ledger, BO) && ledger_is_rated(&ledger, ANA));
    ck_assert_ptr_null(ledger_find(&ledger, BO, duel));
    ck_assert_ptr_null(ledger_find(&ledger, BO, slow));
    size_t at = 0, count = 0;
    for (; ledger_next(&ledger, &at); at++)
        count++;
    ck_assert_uint_eq(count, 2);
    ledger_leave_out_gone(&ledger, &annul);
    ck_assert(annul.refunds == 1 && annul.refund[0].account == ANA && annul.refund[0].points == 2);
    for (uint64_t account = 0; account <= BO; account += BO) {
        entry.n = copy.n + 1;
        entry.u.gone = account;
        write_anew(&entry);
        ck_assert_int_eq(check_copy(), LEDGER_NUMBERS);
    }
    memcpy(ledger.hash, copy.hash, sizeof ledger.hash);
    play(duel, ANA, BO, 2000); /* which was under way */
    ck_assert_uint_eq(ledger_find(&ledger, BO, duel)->matches, 1);
}
END_TEST

START_TEST(each_fault_is_found)
{
    struct book_entry entry = match_of(duel, (uint64_t[]){ANA, BO}, 2, 1000);
    entry.n = 1;
    ledger_rate(&ledger, &entry.u.match);
    write_anew(&entry);
    ck_assert_int_eq(check_copy(), LEDGER_SYSTEM);
    memset(ledger.hash, 0, sizeof ledger.hash);
    begin_system();
    entry.n = 3;
    write_anew(&entry);
    ck_assert_int_eq(check_copy(), LEDGER_GAP);
    entry.n = 2;
    write_anew(&entry);
    ledger.hash[31] ^= 1;
    ck_assert_int_eq(check_copy(), LEDGER_HASH);
    len--;
    ck_assert_int_eq(check_copy(), LEDGER_UNREADABLE);
    struct book_entry other = {.kind = BOOK_SYSTEM, .n = 2, .u.system = RATING_SYSTEM};
    write_anew(&other);
    ck_assert_int_eq(check_copy(), LEDGER_SYSTEM);
    other.u.system = RATING_SYSTEM + 1;
    write_anew(&other);
    ck_assert_int_eq(check_copy(), LEDGER_SYSTEM);
    ck_assert_uint_eq(copy.n, 1);
    write_anew(&entry);
    ck_assert_int_eq(check_copy(), LEDGER_FINE);
}
END_TEST

START_TEST(each_number_is_computed_again)
{
    const struct book_entry right = match_of(duel, (uint64_t[]){ANA, BO}, 2, 1000);
    begin_system();
    for (int wrong = 0; wrong < 9; wrong++) {
        struct book_entry entry = right;
        entry.n = 2;
        ledger_rate(&ledger, &entry.u.match);
        struct book_seat *seat = &entry.u.match.seat[wrong & 1];
        uint32_t *const numbers[] = {&seat->before.strength, &seat->before.deviation,
                                     &seat->after.strength, &seat->after.deviation};
        if (wrong < 8)
            --*numbers[wrong / 2];
        write_anew(&entry);
        ck_assert_int_eq(check_copy(), wrong < 8 ? LEDGER_NUMBERS : LEDGER_FINE);
    }
    struct book_entry twice = match_of(duel, (uint64_t[]){ANA, ANA}, 2, 1000);
    twice.n = 3;
    ledger_rate(&copy, &twice.u.match);
    write_anew(&twice);
    ck_assert_int_eq(check_copy(), LEDGER_NUMBERS);
    twice.u.match.seat[1].account = 0;
    ledger_rate(&copy, &twice.u.match);
    write_anew(&twice);
    ck_assert_int_eq(check_copy(), LEDGER_NUMBERS);
}
END_TEST

START_TEST(faults_have_sentences)
{
    for (int fault = LEDGER_FINE; fault <= LEDGER_NO_MEMORY; fault++)
        ck_assert_str_ne(ledger_fault_text((enum ledger_fault)fault), "");
}
END_TEST

/* ---- many */

START_TEST(many_are_found_again)
{
    enum { MANY = 5000 };
    struct standing standing = {.class = 1, .n = 1, .rating = {1500000, 100000}};
    for (uint64_t account = 1; account <= MANY; account++) {
        standing.account = account * UINT64_C(1000003);
        standing.matches = (uint32_t)account;
        standing.class = (uint8_t)(account % RATING_CLASSES + 1);
        ck_assert_int_eq(ledger_put(&ledger, &standing), 0);
    }
    size_t at = 0, count = 0;
    for (; ledger_next(&ledger, &at); at++)
        count++;
    ck_assert_uint_eq(count, MANY);
    for (uint64_t account = 1; account <= MANY; account++) {
        const unsigned class = (unsigned)(account % RATING_CLASSES + 1);
        const struct standing *found = ledger_find(&ledger, account * UINT64_C(1000003), class);
        ck_assert_uint_eq(found->matches, account);
        ck_assert_ptr_null(ledger_find(&ledger, account * UINT64_C(1000003), class % 12 + 1));
    }
    standing.n = 0; /* it is taken back */
    (void)ledger_put(&ledger, &standing);
    ck_assert_ptr_null(ledger_find(&ledger, standing.account, standing.class));
}
END_TEST

START_TEST(without_memory_nothing_changes)
{
    const struct book_entry entry = {.kind = BOOK_SYSTEM, .n = 1, .u.system = 1};
    bool failed;
    len = book_write(&entry, line);
    failing_alloc_arm(1, false);
    failing_alloc_enter();
    ck_assert_int_lt(ledger_follow(&ledger, &entry, line, len), 0);
    failing_alloc_leave();
    (void)failing_alloc_disarm(&failed);
    ck_assert(failed && ledger.n == 0);
    uint8_t hash[BOOK_HASH_BYTES];
    book_hash(hash, copy.hash, line, len);
    failing_alloc_arm(1, false);
    failing_alloc_enter();
    ck_assert_int_eq(ledger_check(&copy, line, len, hash), LEDGER_NO_MEMORY);
    failing_alloc_leave();
    (void)failing_alloc_disarm(&failed);
    ck_assert_int_eq(ledger_check(&copy, line, len, hash), LEDGER_FINE);
}
END_TEST

Suite *ledger_suite(void)
{
    Suite *suite = suite_create("ledger");
    TCase *tcase = tcase_create("matches");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, two_newcomers);
    tcase_add_test(tcase, who_was_away_is_less_sure);
    tcase_add_test(tcase, another_class_of_the_game_says_something);
    tcase_add_test(tcase, the_scale_is_that_of_the_table);
    tcase_add_test(tcase, a_match_may_be_annulled);
    tcase_add_test(tcase, an_account_may_be_gone);
    tcase_add_test(tcase, each_fault_is_found);
    tcase_add_test(tcase, each_number_is_computed_again);
    tcase_add_test(tcase, faults_have_sentences);
    tcase_add_test(tcase, many_are_found_again);
    tcase_add_test(tcase, without_memory_nothing_changes);
    suite_add_tcase(suite, tcase);
    return suite;
}
