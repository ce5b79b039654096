/*
 * Events in which people do what they like, some nothing at all: each ends, and its log proves
 * itself. Whoever reads the log anew has the same event; whoever changes a byte of it is found out.
 */
#include "../../support/failing_alloc.h"
#include "people.h"
#include "suites.h"
#include <event/audit.h>
#include <event/due.h>
#include <event/standings.h>
#include <stdlib.h>
#include <string.h>

enum { WORLDS = 200, STEPS = 4000, FORMS = EVENT_GROUPS + 1 };

static struct held *held;
static struct rng rng;
static struct event_audit audit;

/* ---- what holds */

/* Everybody who is in it sits at one table of the round that has just been paired; but of a final.
 */
static void check_round(const struct event_round *round)
{
    const bool robin = held->event.rules.form == EVENT_ROBIN;
    const bool two = held->event.rules.form != EVENT_TABLES;
    const bool groups = held->event.rules.form == EVENT_GROUPS;
    unsigned seats[EVENT_ENTRANTS_MAX + 1] = {0}, resting = 0;
    for (unsigned i = 0; i < round->tables; i++) {
        ck_assert_uint_ge(round->table[i].seats, two ? 2 : 3);
        ck_assert_uint_le(round->table[i].seats, two ? 2 : 5);
        for (unsigned seat = 0; seat < round->table[i].seats; seat++)
            ck_assert(seats[round->table[i].seat[seat]]++ == 0 || groups);
    }
    for (unsigned i = 0; i < held->event.entrants; i++) {
        const struct event_entrant *entrant = &held->event.entrant[i];
        if (robin ? entrant->field : event_is_in(entrant))
            resting += seats[i + 1] == 0;
    }
    if (event_is_final(&held->event, held->event.rounds))
        ck_assert_uint_eq(round->tables, 1);
    else if (held->event.rules.form == EVENT_SWISS)
        ck_assert_uint_eq(resting, event_count_in(&held->event) % 2);
    else if (held->event.rules.form != EVENT_CUP && !groups)
        ck_assert_uint_eq(resting, robin ? held->event.field % 2 : 0);
}

/* In a whole round robin all who were there have met all others, so often and on both sides. */
static void check_meetings(void)
{
    const struct event *event = &held->event;
    static uint8_t met[EVENT_ROBIN_ENTRANTS_MAX + 1][EVENT_ROBIN_ENTRANTS_MAX + 1];
    if (event->rules.form != EVENT_ROBIN || event->rounds < event_planned(event) ||
        event->rounds == 0)
        return;
    memset(met, 0, sizeof met);
    for (unsigned round = 0; round < event->rounds; round++) {
        for (unsigned i = 0; i < event->round[round].tables; i++)
            met[event->round[round].table[i].seat[0]][event->round[round].table[i].seat[1]]++;
    }
    for (unsigned a = 1; a <= event->entrants; a++) {
        for (unsigned b = 1; b < a; b++) {
            const bool both = event->entrant[a - 1].field && event->entrant[b - 1].field;
            ck_assert_uint_eq(met[a][b] + met[b][a], both ? event->rules.rounds : 0);
            ck_assert(event->rules.rounds == 1 || met[a][b] == met[b][a]);
        }
    }
}

static bool has_lost(const struct event_table *table, unsigned seat)
{
    const unsigned own = table->place[seat], other = table->place[1 - seat];
    return own == 0 || (other != 0 && (own > other || (own == other && seat == 1)));
}

/* Whoever has lost a match of a cup does not play again, but for the third place; of the best of
 * three it is no more than three matches of the same two, from both sides. */
static void check_cup(void)
{
    const struct event *event = &held->event;
    static uint8_t met[EVENT_ENTRANTS_MAX + 1][EVENT_ENTRANTS_MAX + 1];
    bool lost[EVENT_ENTRANTS_MAX + 1] = {false};
    if (event->rules.form != EVENT_CUP)
        return;
    ck_assert_uint_le(event->rounds, event_planned(event));
    memset(met, 0, sizeof met);
    for (unsigned round = 0; round < event->rounds; round++) {
        for (unsigned i = 0; i < event->round[round].tables; i++) {
            const struct event_table *table = &event->round[round].table[i];
            const unsigned a = table->seat[0], b = table->seat[1];
            met[a][b]++;
            ck_assert_uint_le(met[a][b] + met[b][a], event->rules.rounds);
            ck_assert_int_le(abs(met[a][b] - met[b][a]), 1);
            ck_assert(event->rules.rounds == 3 || (!lost[a] && !lost[b]) ||
                      (event->rules.final && i == 1 && lost[a] && lost[b]));
        }
        for (unsigned i = 0; i < event->round[round].tables; i++) {
            for (unsigned seat = 0; seat < 2; seat++)
                lost[event->round[round].table[i].seat[seat]] |=
                    has_lost(&event->round[round].table[i], seat);
        }
    }
}

/* Nobody meets anybody twice in a Swiss event, nor has two byes; where people pair by hand, they
 * see to it themselves. */
static void check_swiss(void)
{
    const struct event *event = &held->event;
    static uint8_t met[EVENT_ENTRANTS_MAX + 1][EVENT_ENTRANTS_MAX + 1];
    bool had_bye[EVENT_ENTRANTS_MAX + 1] = {false};
    if (event->rules.form != EVENT_SWISS)
        return;
    memset(met, 0, sizeof met);
    for (unsigned round = 0; round < event->rounds; round++) {
        const struct event_round *one = &event->round[round];
        ck_assert(one->by_hand || one->rests == 0 || !had_bye[one->rests]);
        had_bye[one->rests] = one->rests != 0;
        for (unsigned i = 0; i < one->tables; i++) {
            const struct event_table *table = &one->table[i];
            const unsigned a = table->seat[0], b = table->seat[1];
            ck_assert(one->by_hand || met[a][b] + met[b][a] == 0);
            met[a][b] = table->place[0] != 0 && table->place[1] != 0;
        }
    }
}

/* Nobody rests, and nobody meets anybody whom they have met in an earlier stage; each stage has no
 * more than half of those before. */
static void check_groups(void)
{
    const struct event *event = &held->event;
    static uint8_t met[EVENT_ENTRANTS_MAX + 1][EVENT_ENTRANTS_MAX + 1];
    unsigned before = 2 * event->entrants + 1;
    if (event->rules.form != EVENT_GROUPS)
        return;
    memset(met, 0, sizeof met);
    for (unsigned round = 0; round < event->rounds; round++) {
        bool there[EVENT_ENTRANTS_MAX + 1] = {false};
        unsigned count = 0;
        for (unsigned i = 0; i < event->round[round].tables; i++) {
            const unsigned a = event->round[round].table[i].seat[0];
            const unsigned b = event->round[round].table[i].seat[1];
            count += !there[a];
            there[a] = true;
            count += !there[b];
            there[b] = true;
            ck_assert(met[a][b] == 0 || met[a][b] == round + 1);
            met[a][b] = met[b][a] = (uint8_t)(round + 1);
        }
        ck_assert_uint_le(2 * count, before);
        before = count + 1;
    }
}

/* What all have is what all tables gave; places are those of a race. */
static void check_standings(void)
{
    static struct event_standing standings[EVENT_ENTRANTS_MAX];
    uint32_t points[EVENT_ENTRANTS_MAX], sum = 0, given = 0;
    ck_assert(event_standings(&held->event, standings));
    event_sum_points(&held->event, points);
    for (unsigned i = 0; i < held->event.entrants; i++) {
        sum += points[i];
        ck_assert_uint_le(standings[i].place, i + 1);
        if (i > 0 && standings[i].counts == standings[i - 1].counts &&
            standings[i].final == standings[i - 1].final)
            ck_assert_uint_ge(standings[i - 1].points, standings[i].points);
    }
    for (unsigned round = 0; round < held->event.rounds; round++) {
        if (event_is_final(&held->event, round + 1))
            continue;
        given += held->event.round[round].rests ? EVENT_POINT : 0;
        for (unsigned i = 0; i < held->event.round[round].tables; i++) {
            uint32_t each[EVENT_SEATS_MAX];
            const struct event_table *table = &held->event.round[round].table[i];
            event_table_points(held->event.rules.points, table, each);
            for (unsigned seat = 0; seat < table->seats; seat++)
                given += each[seat];
        }
    }
    ck_assert_uint_eq(sum, given);
}

/* Member by member, as between them there may be anything. */
static bool is_same_entrant(const struct event_entrant *a, const struct event_entrant *b)
{
    return a->account == b->account && a->partner == b->partner && a->rating == b->rating &&
           a->agreed == b->agreed && a->here == b->here && a->withdrawn == b->withdrawn &&
           a->removed == b->removed && a->field == b->field && a->returned == b->returned &&
           a->paused == b->paused && a->pauses == b->pauses && a->paused_ms == b->paused_ms &&
           a->rested_ms == b->rested_ms && a->missed == b->missed && a->began == b->began;
}

static bool is_same_table(const struct event_table *a, const struct event_table *b)
{
    return a->seats == b->seats && a->over == b->over &&
           memcmp(a->seat, b->seat, sizeof a->seat) == 0 &&
           memcmp(a->place, b->place, sizeof a->place) == 0 &&
           memcmp(a->room, b->room, sizeof a->room) == 0;
}

static void check_same(const struct event *one, const struct event *other)
{
    ck_assert_uint_eq(one->n, other->n);
    ck_assert_int_eq(one->phase, other->phase);
    ck_assert_uint_eq(one->entrants, other->entrants);
    for (unsigned i = 0; i < one->entrants; i++)
        ck_assert(is_same_entrant(&one->entrant[i], &other->entrant[i]));
    ck_assert_uint_eq(one->rounds, other->rounds);
    for (unsigned round = 0; round < one->rounds; round++) {
        ck_assert_uint_eq(one->round[round].tables, other->round[round].tables);
        for (unsigned i = 0; i < one->round[round].tables; i++)
            ck_assert(is_same_table(&one->round[round].table[i], &other->round[round].table[i]));
    }
}

static void check_audit(bool ended)
{
    event_audit(&audit, held->text, held->len);
    ck_assert_msg(audit.fault == EVENT_FINE, "line %u: %s", (unsigned)audit.line,
                  event_fault_text(audit.fault));
    ck_assert(audit.is_ended == ended);
    check_same(&audit.event, &held->event);
    event_release(&audit.event);
}

/* What has been seen of all of them, so that no kind is missing. */
struct seen {
    unsigned over[FORMS], off, by_hand, judged, finals;
};

/* To its end, while people do something in between, or nothing at all. */
static void run_event(unsigned busy)
{
    unsigned rounds = 0, steps = 0;
    do {
        ck_assert_uint_lt(steps++, STEPS);
        if (held->event.rounds > rounds)
            check_round(&held->event.round[rounds++]);
        for (unsigned i = rng_below(&rng, busy + 1); i > 0; i--) {
            people_do_something(held, &rng);
            if (held->event.rounds > rounds)
                check_round(&held->event.round[rounds++]);
        }
    } while (people_wait(held, &rng));
}

static void note_event(struct seen *seen)
{
    if (held->event.phase == EVENT_IS_OVER)
        seen->over[held->event.rules.form]++;
    seen->finals += event_is_final(&held->event, held->event.rounds);
    seen->off += held->event.phase == EVENT_IS_OFF;
    seen->by_hand += audit.by_hand;
    seen->judged += audit.judged;
}

START_TEST(every_event_ends_and_proves_itself)
{
    struct seen seen = {0};
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        rng = (struct rng){seed};
        people_make_event(held, &rng);
        if (seed % 10 == 0)
            check_audit(false);
        run_event(seed % 5 ? 8 : 0);
        ck_assert(held->event.phase == EVENT_IS_OVER || held->event.phase == EVENT_IS_OFF);
        check_meetings();
        check_cup();
        check_swiss();
        check_groups();
        check_standings();
        check_audit(true);
        note_event(&seen);
        event_release(&held->event);
    }
    for (unsigned form = 0; form < FORMS; form++)
        ck_assert_uint_gt(seen.over[form], WORLDS / 25);
    ck_assert_uint_gt(seen.finals, WORLDS / 100);
    ck_assert_uint_gt(seen.off, WORLDS / 10);
    ck_assert_uint_gt(seen.by_hand, 4);
    ck_assert_uint_gt(seen.judged, WORLDS / 10);
}
END_TEST

/* As many as there may be: its longest entries have lines, and nobody meets twice. */
START_TEST(the_largest_event_is_held)
{
    static uint8_t met[EVENT_ENTRANTS_MAX + 1][EVENT_ENTRANTS_MAX + 1];
    memset(met, 0, sizeof met);
    held_make(held, held_rules(EVENT_TABLES, 3));
    held_join(held, EVENT_ENTRANTS_MAX);
    while (held_wait(held)) {
        const struct event_round *round = event_open_round(&held->event);
        for (unsigned i = 0; round && i < round->tables; i++) {
            const struct event_table *table = &round->table[i];
            for (unsigned a = 0; a < table->seats; a++) {
                for (unsigned b = 0; b < table->seats; b++)
                    ck_assert(a == b || met[table->seat[a]][table->seat[b]]++ == 0);
            }
            ck_assert_int_eq(held_result(held, i + 1, "1234"), EVENT_FINE);
        }
    }
    ck_assert_uint_eq(held->event.rounds, 3);
    check_standings();
    check_audit(true);
    event_release(&held->event);
}
END_TEST

/* ---- a copy */

static bool copy_without(struct event *copy, uint64_t nth, bool *failed)
{
    failing_alloc_arm(nth, false);
    failing_alloc_enter();
    const bool copied = event_copy(copy, &held->event);
    failing_alloc_leave();
    (void)failing_alloc_disarm(failed);
    return copied;
}

/* It is the same, and goes on by itself; without memory there is none. */
START_TEST(a_copy_is_an_event_of_its_own)
{
    struct event copy;
    bool failed = true;
    held_make(held, held_rules(EVENT_TABLES, 4));
    ck_assert(event_copy(&copy, &held->event)); /* of nobody */
    event_release(&copy);
    held_join(held, 5);
    held_join(held, 4);
    while (held->event.rounds < 2)
        ck_assert(held_wait(held));
    for (uint64_t nth = 1; failed; nth++) {
        const bool copied = copy_without(&copy, nth, &failed);
        ck_assert(copied == !failed);
    }
    check_same(&copy, &held->event);
    struct event_entry entry = held_entry(held, EVENT_JOINED, 0xb1);
    entry.u.who.entrant = 10;
    entry.u.who.account = 0xb1;
    ck_assert_int_eq(event_follow(&copy, &entry), EVENT_FINE);
    ck_assert_uint_eq(held->event.entrants, 9);
    event_release(&copy);
    check_audit(false);
    event_release(&held->event);
}
END_TEST

/* ---- a log that somebody has changed */

static void play_out(uint64_t seed)
{
    rng = (struct rng){seed};
    people_make_event(held, &rng);
    held_join(held, 6);
    run_event(0);
}

/* Another secret, or tables that it does not give. */
START_TEST(other_tables_are_found_out)
{
    held_make(held, held_rules(EVENT_TABLES, 2));
    held_join(held, 9);
    held->now_ms = START_MS;
    struct event_entry entry = held_entry(held, EVENT_BEGAN, 0);
    held_enter(held, &entry);
    ck_assert_int_eq(event_due(&held->event, held->now_ms, held->secret, &entry), EVENT_IS_DUE);
    const uint16_t moved = entry.u.paired.seat[0][2];
    entry.u.paired.seat[0][2] = entry.u.paired.seat[1][2];
    entry.u.paired.seat[1][2] = moved;
    held_enter(held, &entry);
    event_audit(&audit, held->text, held->len);
    ck_assert_int_eq(audit.fault, EVENT_FINE); /* nobody can know yet */
    event_release(&audit.event);
    while (held_wait(held))
        continue;
    event_audit(&audit, held->text, held->len);
    ck_assert_int_eq(audit.fault, EVENT_NOT_DUE);
    ck_assert_uint_eq(audit.line, 1 + 9 + 1 + 1);
    event_release(&audit.event);
    event_release(&held->event);
}
END_TEST

/* One bit of what the server has done by itself. When something was done is nobody's to prove, nor
 * what the rules were to be, nor how somebody was rated. */
START_TEST(a_changed_log_is_found_out)
{
    static char text[HELD_TEXT_BYTES];
    for (uint64_t seed = 1; seed <= 6; seed++) {
        play_out(seed);
        for (unsigned i = 0; i < 60; i++) {
            const size_t at = rng_below(&rng, (unsigned)held->len);
            size_t begin = at;
            while (begin > 0 && held->text[begin - 1] != '\n')
                begin--;
            const char *kind = strstr(held->text + begin, "\"kind\"");
            const char *rating = strstr(held->text + begin, "\"rating\"");
            if (begin == 0 || held->text + at < kind || (rating && rating < held->text + at))
                continue;
            memcpy(text, held->text, held->len);
            text[at] = (char)(text[at] ^ (1 << rng_below(&rng, 5)));
            event_audit(&audit, text, held->len);
            ck_assert_msg(audit.fault != EVENT_FINE, "byte %u", (unsigned)at);
            event_release(&audit.event);
        }
        event_release(&held->event);
    }
}
END_TEST

START_TEST(what_is_no_log_is_told)
{
    static const char *const texts[] = {"", "\n", "{}\n", "\n\n",
                                        "{\"n\":1,\"at\":1,\"kind\":\"began\"}"};
    for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        event_audit(&audit, texts[i], strlen(texts[i]));
        ck_assert_int_ne(audit.fault, EVENT_FINE);
        event_release(&audit.event);
    }
}
END_TEST

static void begin(void)
{
    held = malloc(sizeof *held);
}

static void end(void)
{
    free(held);
}

Suite *worlds_suite(void)
{
    Suite *suite = suite_create("worlds");
    TCase *cases = tcase_create("all");
    tcase_set_timeout(cases, 120);
    tcase_add_checked_fixture(cases, begin, end);
    tcase_add_test(cases, every_event_ends_and_proves_itself);
    tcase_add_test(cases, the_largest_event_is_held);
    tcase_add_test(cases, a_copy_is_an_event_of_its_own);
    tcase_add_test(cases, other_tables_are_found_out);
    tcase_add_test(cases, a_changed_log_is_found_out);
    tcase_add_test(cases, what_is_no_log_is_told);
    suite_add_tcase(suite, cases);
    return suite;
}
