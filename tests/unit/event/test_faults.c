/* What may come next, and what may not: then nothing has changed. */
#include "../../support/failing_alloc.h"
#include "held.h"
#include "suites.h"
#include <event/due.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How far an event has come: all are of six entrants and three rounds of tables, or of five in a
 * round robin. */
enum stage {
    UNMADE,
    OPEN,
    CHECK_IN,    /* the first three are here */
    ROUND,       /* one of two tables has a result, [1,2,3] */
    BETWEEN,     /* two rounds; 6 has withdrawn */
    LATE_ROUNDS, /* two have been played */
    ROBIN,       /* the first round of a round robin */
    ENDED,
    STAGES,
};

static struct held *held;

static void play_round(void)
{
    const unsigned tables = event_open_round(&held->event)->tables;
    for (unsigned table = 1; table <= tables; table++)
        ck_assert_int_eq(held_result(held, table, "123"), EVENT_FINE);
}

static void come_to(enum stage stage)
{
    struct event_rules rules = held_rules(stage == ROBIN ? EVENT_ROBIN : EVENT_TABLES, 3);
    rules.rounds = stage == ROBIN ? 1 : 3;
    rules.check_in_s = stage == CHECK_IN ? 100 : 0;
    rules.most = 7;
    held_make(held, rules);
    held_join(held, stage == ROBIN ? 5 : 6);
    if (stage == UNMADE)
        event_release(&held->event);
    held->now_ms = START_MS - (stage == CHECK_IN ? 50000 : 100001);
    for (unsigned number = 1; stage == CHECK_IN && number <= 3; number++)
        ck_assert_int_eq(held_change(held, EVENT_HERE, number), EVENT_FINE);
    if (stage <= CHECK_IN)
        return;
    ck_assert(held_wait(held));
    if (stage == ROBIN)
        return;
    ck_assert_int_eq(held_result(held, 1, "123"), EVENT_FINE);
    if (stage == ROUND)
        return;
    ck_assert_int_eq(held_result(held, 2, "123"), EVENT_FINE);
    if (stage == BETWEEN)
        ck_assert_int_eq(held_change(held, EVENT_WITHDREW, 6), EVENT_FINE);
    if (stage == BETWEEN)
        return;
    ck_assert(held_wait(held));
    play_round();
    while (stage == ENDED && held_wait(held)) {
        if (event_open_round(&held->event))
            play_round();
    }
}

#define BY_DIRECTOR "\"by\":\"00000000000000d1\","
#define BY_1        "\"by\":\"000000000000a001\","
#define BY_6        "\"by\":\"000000000000a006\","
#define BY_9        "\"by\":\"000000000000a009\","
#define WHY         ",\"reason\":\"it was so\""
#define SECRET      ",\"secret\":\"0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20\""
#define OTHER_SECRET                                                                               \
    ",\"secret\":\"ff02030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20\""
#define RULES(form, points, rounds, least, most, start, round_s)                                   \
    WAITING(form, points, rounds, least, most, start, round_s, "1")
#define WAITING(form, points, rounds, least, most, start, round_s, wait_s)                         \
    "\"kind\":\"made\",\"event\":\"abcdefgh\",\"title\":\"Friday\",\"game\":\"taluva\","           \
    "\"options\":{},\"clock\":{},\"form\":\"" form "\",\"points\":\"" points                       \
    "\",\"rounds\":" rounds ",\"least\":" least ",\"most\":" most                                  \
    ",\"guests\":false,\"start\":" start ",\"check_in_s\":0,\"break_s\":0,\"round_s\":" round_s    \
    ",\"wait_s\":" wait_s ",\"commitment\":"                                                       \
    "\"0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20\""
#define ALL      ",\"final\":false"
#define FINAL    ",\"final\":true"
#define JOINED_7 "\"kind\":\"joined\",\"entrant\":7,\"account\":\"000000000000a009\""
#define RESULT   "\"kind\":\"result\",\"round\":1,"
#define JUDGED   "\"kind\":\"judged\",\"round\":1,"

static const struct {
    enum stage stage;
    enum event_fault fault;
    const char *tail; /* of an entry, behind its number and time */
} cases[] = {
    /* made */
    {UNMADE, EVENT_FINE, BY_1 RULES("tables", "wins", "16" ALL, "3", "512", "9000000", "1")},
    {UNMADE, EVENT_FINE, BY_1 RULES("tables", "places", "1" ALL, "3", "3", "9000000", "1")},
    {UNMADE, EVENT_FINE, BY_1 RULES("robin", "wins", "2" ALL, "2", "16", "9000000", "1")},
    {UNMADE, EVENT_NOT_ENTITLED, RULES("tables", "wins", "3" ALL, "3", "9", "9000000", "1")},
    {UNMADE, EVENT_BAD_RULES, BY_1 RULES("tables", "wins", "0" ALL, "3", "9", "9000000", "1")},
    {UNMADE, EVENT_BAD_RULES, BY_1 RULES("tables", "wins", "17" ALL, "3", "9", "9000000", "1")},
    {UNMADE, EVENT_BAD_RULES, BY_1 RULES("tables", "wins", "3" ALL, "2", "9", "9000000", "1")},
    {UNMADE, EVENT_BAD_RULES, BY_1 RULES("tables", "wins", "3" ALL, "9", "8", "9000000", "1")},
    {UNMADE, EVENT_BAD_RULES, BY_1 RULES("tables", "wins", "3" ALL, "3", "513", "9000000", "1")},
    {UNMADE, EVENT_BAD_RULES, BY_1 RULES("tables", "wins", "3" ALL, "3", "9", "100", "1")},
    {UNMADE, EVENT_BAD_RULES, BY_1 RULES("tables", "wins", "3" ALL, "3", "9", "9000000", "0")},
    {UNMADE, EVENT_BAD_RULES, BY_1 RULES("robin", "places", "1" ALL, "2", "9", "9000000", "1")},
    {UNMADE, EVENT_BAD_RULES, BY_1 RULES("robin", "wins", "3" ALL, "2", "9", "9000000", "1")},
    {UNMADE, EVENT_BAD_RULES, BY_1 RULES("robin", "wins", "1" ALL, "1", "9", "9000000", "1")},
    {UNMADE, EVENT_BAD_RULES, BY_1 RULES("robin", "wins", "1" ALL, "2", "17", "9000000", "1")},
    {UNMADE, EVENT_FINE, BY_1 RULES("tables", "wins", "16" FINAL, "3", "9", "9000000", "1")},
    {UNMADE, EVENT_BAD_RULES, BY_1 RULES("robin", "wins", "1" FINAL, "2", "9", "9000000", "1")},
    {UNMADE, EVENT_BAD_RULES,
     BY_1 WAITING("tables", "wins", "3" ALL, "3", "9", "9000000", "9", "0")},
    {UNMADE, EVENT_BAD_RULES,
     BY_1 WAITING("tables", "wins", "3" ALL, "3", "9", "9000000", "9", "10")},
    {UNMADE, EVENT_FINE, BY_1 WAITING("tables", "wins", "3" ALL, "3", "9", "9000000", "9", "9")},
    {UNMADE, EVENT_NOT_NOW, BY_9 JOINED_7},
    {UNMADE, EVENT_NOT_NOW, "\"kind\":\"began\""},
    {UNMADE, EVENT_NOT_NOW, BY_1 "\"kind\":\"withdrew\",\"entrant\":1"},
    {OPEN, EVENT_NOT_NOW, BY_1 RULES("tables", "wins", "3" ALL, "3", "9", "9000000", "1")},
    /* joined */
    {OPEN, EVENT_FINE, BY_9 JOINED_7},
    {OPEN, EVENT_NOT_ENTITLED, BY_DIRECTOR JOINED_7},
    {OPEN, EVENT_NOT_ENTITLED, JOINED_7},
    {OPEN, EVENT_NOBODY, BY_9 "\"kind\":\"joined\",\"entrant\":8,\"account\":\"000000000000a009\""},
    {OPEN, EVENT_AGAIN, BY_6 "\"kind\":\"joined\",\"entrant\":7,\"account\":\"000000000000a006\""},
    {ROUND, EVENT_FINE, BY_9 JOINED_7},
    {LATE_ROUNDS, EVENT_LATE, BY_9 JOINED_7},
    {ROBIN, EVENT_LATE, BY_9 "\"kind\":\"joined\",\"entrant\":6,\"account\":\"000000000000a009\""},
    {ENDED, EVENT_NOT_NOW, BY_9 JOINED_7},
    /* here */
    {OPEN, EVENT_NOT_NOW, BY_6 "\"kind\":\"here\",\"entrant\":6"},
    {CHECK_IN, EVENT_FINE, BY_6 "\"kind\":\"here\",\"entrant\":6"},
    {CHECK_IN, EVENT_AGAIN, BY_1 "\"kind\":\"here\",\"entrant\":1"},
    {CHECK_IN, EVENT_NOT_ENTITLED, BY_1 "\"kind\":\"here\",\"entrant\":6"},
    {CHECK_IN, EVENT_NOT_ENTITLED, "\"kind\":\"here\",\"entrant\":6"},
    {ROUND, EVENT_NOT_NOW, BY_6 "\"kind\":\"here\",\"entrant\":6"},
    /* withdrew, returned, removed */
    {OPEN, EVENT_FINE, BY_6 "\"kind\":\"withdrew\",\"entrant\":6"},
    {ROUND, EVENT_FINE, BY_6 "\"kind\":\"withdrew\",\"entrant\":6"},
    {BETWEEN, EVENT_AGAIN, BY_6 "\"kind\":\"withdrew\",\"entrant\":6"},
    {ROUND, EVENT_NOT_ENTITLED, BY_1 "\"kind\":\"withdrew\",\"entrant\":6"},
    {ROUND, EVENT_NOT_ENTITLED, "\"kind\":\"withdrew\",\"entrant\":6"},
    {ENDED, EVENT_NOT_NOW, BY_6 "\"kind\":\"withdrew\",\"entrant\":6"},
    {ROUND, EVENT_NOBODY, BY_1 "\"kind\":\"withdrew\",\"entrant\":0"},
    {ROUND, EVENT_NOBODY, BY_1 "\"kind\":\"withdrew\",\"entrant\":7"},
    {BETWEEN, EVENT_FINE, BY_6 "\"kind\":\"returned\",\"entrant\":6"},
    {BETWEEN, EVENT_AGAIN, BY_1 "\"kind\":\"returned\",\"entrant\":1"},
    {BETWEEN, EVENT_NOT_ENTITLED, BY_DIRECTOR "\"kind\":\"returned\",\"entrant\":6"},
    {BETWEEN, EVENT_FINE, BY_DIRECTOR "\"kind\":\"removed\",\"entrant\":6" WHY},
    {ROUND, EVENT_FINE, BY_DIRECTOR "\"kind\":\"removed\",\"entrant\":1" WHY},
    {ROUND, EVENT_NO_REASON, BY_DIRECTOR "\"kind\":\"removed\",\"entrant\":1"},
    {ROUND, EVENT_NOT_ENTITLED, BY_1 "\"kind\":\"removed\",\"entrant\":1" WHY},
    {ROUND, EVENT_NOT_ENTITLED, "\"kind\":\"removed\",\"entrant\":1" WHY},
    /* began */
    {OPEN, EVENT_NOT_NOW, "\"kind\":\"began\""},
    {ROUND, EVENT_NOT_NOW, "\"kind\":\"began\""},
    /* paired, by hand and by the server */
    {OPEN, EVENT_NOT_NOW, "\"kind\":\"paired\",\"round\":1,\"tables\":[[1,2,3],[4,5,6]]"},
    {ROUND, EVENT_BAD_ROUND, "\"kind\":\"paired\",\"round\":2,\"tables\":[[1,2,3],[4,5,6]]"},
    {BETWEEN, EVENT_FINE, "\"kind\":\"paired\",\"round\":2,\"tables\":[[1,2,3,4,5]]"},
    {BETWEEN, EVENT_FINE,
     BY_DIRECTOR "\"kind\":\"paired\",\"round\":2,\"tables\":[[1,2,3,4,5]]" WHY},
    {BETWEEN, EVENT_NO_REASON,
     BY_DIRECTOR "\"kind\":\"paired\",\"round\":2,\"tables\":[[1,2,3,4,5]]"},
    {BETWEEN, EVENT_NOT_ENTITLED,
     BY_1 "\"kind\":\"paired\",\"round\":2,\"tables\":[[1,2,3,4,5]]" WHY},
    {BETWEEN, EVENT_BAD_ROUND, "\"kind\":\"paired\",\"round\":3,\"tables\":[[1,2,3,4,5]]"},
    {BETWEEN, EVENT_BAD_ROUND, "\"kind\":\"paired\",\"round\":1,\"tables\":[[1,2,3,4,5]]"},
    {BETWEEN, EVENT_BAD_TABLES, "\"kind\":\"paired\",\"round\":2,\"tables\":[[1,2,3,4]]"},
    {BETWEEN, EVENT_BAD_TABLES, "\"kind\":\"paired\",\"round\":2,\"tables\":[[1,2,3,4,4]]"},
    {BETWEEN, EVENT_BAD_TABLES, "\"kind\":\"paired\",\"round\":2,\"tables\":[[1,2,3,4,6]]"},
    {BETWEEN, EVENT_BAD_TABLES, "\"kind\":\"paired\",\"round\":2,\"tables\":[[1,2,3,4,7]]"},
    {BETWEEN, EVENT_BAD_TABLES, "\"kind\":\"paired\",\"round\":2,\"tables\":[[0,2,3,4,5]]"},
    {BETWEEN, EVENT_BAD_TABLES, "\"kind\":\"paired\",\"round\":2,\"tables\":[[1,2,3],[4,5]]"},
    {LATE_ROUNDS, EVENT_FINE, "\"kind\":\"paired\",\"round\":3,\"tables\":[[1,2,3],[4,5,6]]"},
    {ENDED, EVENT_NOT_NOW, "\"kind\":\"paired\",\"round\":4,\"tables\":[[1,2,3],[4,5,6]]"},
    /* result */
    {ROUND, EVENT_FINE, RESULT "\"table\":2,\"places\":[1,2,3]"},
    {ROUND, EVENT_FINE, RESULT "\"table\":2,\"places\":[2,1,2]"},
    {ROUND, EVENT_FINE, RESULT "\"table\":2,\"places\":[1,1,1]"},
    {ROUND, EVENT_FINE, RESULT "\"table\":2,\"places\":[0,1,0]"},
    {ROUND, EVENT_FINE, RESULT "\"table\":2,\"places\":[0,0,0]"},
    {ROUND, EVENT_AGAIN, RESULT "\"table\":1,\"places\":[1,2,3]"},
    {ROUND, EVENT_NOT_ENTITLED, BY_DIRECTOR RESULT "\"table\":2,\"places\":[1,2,3]"},
    {ROUND, EVENT_BAD_PLACES, RESULT "\"table\":3,\"places\":[1,2,3]"},
    {ROUND, EVENT_BAD_PLACES, RESULT "\"table\":0,\"places\":[1,2,3]"},
    {ROUND, EVENT_BAD_PLACES, RESULT "\"table\":2,\"places\":[1,2,3,4]"},
    {ROUND, EVENT_BAD_PLACES, RESULT "\"table\":2,\"places\":[1,2,2,4]"},
    {ROUND, EVENT_BAD_PLACES, RESULT "\"table\":2,\"places\":[1,1,2]"},
    {ROUND, EVENT_BAD_PLACES, RESULT "\"table\":2,\"places\":[2,2,3]"},
    {ROUND, EVENT_BAD_PLACES, RESULT "\"table\":2,\"places\":[2,0,0]"},
    {ROUND, EVENT_BAD_ROUND, "\"kind\":\"result\",\"round\":0,\"table\":2,\"places\":[1,2,3]"},
    {ROUND, EVENT_BAD_ROUND, "\"kind\":\"result\",\"round\":2,\"table\":2,\"places\":[1,2,3]"},
    {OPEN, EVENT_NOT_NOW, RESULT "\"table\":2,\"places\":[1,2,3]"},
    {ENDED, EVENT_NOT_NOW, RESULT "\"table\":2,\"places\":[1,2,3]"},
    /* judged */
    {ROUND, EVENT_FINE, BY_DIRECTOR JUDGED "\"table\":1,\"places\":[0,1,2]" WHY},
    {ROUND, EVENT_FINE, BY_DIRECTOR JUDGED "\"table\":2,\"places\":[1,2,3]" WHY},
    {LATE_ROUNDS, EVENT_FINE, BY_DIRECTOR JUDGED "\"table\":2,\"places\":[3,2,1]" WHY},
    {ROUND, EVENT_NO_REASON, BY_DIRECTOR JUDGED "\"table\":1,\"places\":[0,1,2]"},
    {ROUND, EVENT_NOT_ENTITLED, BY_1 JUDGED "\"table\":1,\"places\":[0,1,2]" WHY},
    {ROUND, EVENT_NOT_ENTITLED, JUDGED "\"table\":1,\"places\":[0,1,2]" WHY},
    {ROUND, EVENT_BAD_PLACES, BY_DIRECTOR JUDGED "\"table\":1,\"places\":[1,1]" WHY},
    {ENDED, EVENT_NOT_NOW, BY_DIRECTOR JUDGED "\"table\":1,\"places\":[0,1,2]" WHY},
    /* over and off */
    {OPEN, EVENT_NOT_NOW, "\"kind\":\"over\"" SECRET},
    {ROUND, EVENT_BAD_ROUND, "\"kind\":\"over\"" SECRET},
    {BETWEEN, EVENT_FINE, "\"kind\":\"over\"" SECRET},
    {BETWEEN, EVENT_BAD_SECRET, "\"kind\":\"over\"" OTHER_SECRET},
    {BETWEEN, EVENT_NOT_ENTITLED, BY_DIRECTOR "\"kind\":\"over\"" SECRET},
    {ENDED, EVENT_NOT_NOW, "\"kind\":\"over\"" SECRET},
    {OPEN, EVENT_FINE, BY_DIRECTOR "\"kind\":\"off\"" SECRET WHY},
    {ROUND, EVENT_FINE, BY_DIRECTOR "\"kind\":\"off\"" SECRET WHY},
    {OPEN, EVENT_FINE, "\"kind\":\"off\"" SECRET WHY},
    {OPEN, EVENT_NO_REASON, BY_DIRECTOR "\"kind\":\"off\"" SECRET},
    {OPEN, EVENT_NOT_ENTITLED, BY_1 "\"kind\":\"off\"" SECRET WHY},
    {OPEN, EVENT_BAD_SECRET, BY_DIRECTOR "\"kind\":\"off\"" OTHER_SECRET WHY},
    {ENDED, EVENT_NOT_NOW, BY_DIRECTOR "\"kind\":\"off\"" SECRET WHY},
};

static void read_tail(struct event_entry *entry, const char *tail)
{
    char line[EVENT_LINE_MAX];
    const int len = snprintf(line, sizeof line, "{\"n\":%u,\"at\":%u,%s}",
                             (unsigned)held->event.n + 1, (unsigned)held->now_ms, tail);
    ck_assert_msg(event_read(entry, line, (size_t)len) == EVENT_READ, "%s", line);
}

START_TEST(each_entry_comes_where_it_may)
{
    struct event_entry entry;
    come_to(cases[_i].stage);
    const struct event before = held->event;
    read_tail(&entry, cases[_i].tail);
    const enum event_fault fault = held_try(held, &entry);
    ck_assert_msg(fault == cases[_i].fault, "%s: %s", cases[_i].tail, event_fault_text(fault));
    if (fault != EVENT_FINE)
        ck_assert_mem_eq(&before, &held->event, sizeof before);
    event_release(&held->event);
}
END_TEST

START_TEST(entries_have_no_gap_and_time_goes_on)
{
    come_to(ROUND);
    struct event_entry entry = held_entry(held, EVENT_WITHDREW, FIRST_ACCOUNT + 1);
    entry.u.who.entrant = 1;
    entry.n++;
    ck_assert_int_eq(held_try(held, &entry), EVENT_GAP);
    entry.n -= 2;
    ck_assert_int_eq(held_try(held, &entry), EVENT_GAP);
    entry.n++;
    entry.at_ms--;
    ck_assert_int_eq(held_try(held, &entry), EVENT_TIME);
    entry.at_ms++;
    ck_assert_int_eq(held_try(held, &entry), EVENT_FINE);
    event_release(&held->event);
}
END_TEST

START_TEST(who_goes_and_comes_has_a_bound)
{
    come_to(OPEN);
    for (unsigned i = 0; i < EVENT_RETURNS_MAX; i++) {
        ck_assert_int_eq(held_change(held, EVENT_WITHDREW, 1), EVENT_FINE);
        ck_assert_int_eq(held_change(held, EVENT_RETURNED, 1), EVENT_FINE);
    }
    ck_assert_int_eq(held_change(held, EVENT_WITHDREW, 1), EVENT_FINE);
    ck_assert_int_eq(held_change(held, EVENT_RETURNED, 1), EVENT_FULL);
    ck_assert_int_eq(held_change(held, EVENT_REMOVED, 2), EVENT_FINE);
    ck_assert_int_eq(held_change(held, EVENT_RETURNED, 2), EVENT_NOT_ENTITLED);
    ck_assert_int_eq(held_change(held, EVENT_REMOVED, 2), EVENT_AGAIN);
    held_join(held, 1);
    struct event_entry entry = held_entry(held, EVENT_JOINED, 5);
    entry.u.who.entrant = 8;
    entry.u.who.account = 5;
    ck_assert_int_eq(held_try(held, &entry), EVENT_FULL);
    event_release(&held->event);
}
END_TEST

/* Of two rounds one has been paired. */
START_TEST(half_of_the_rounds_is_not_too_late)
{
    held_make(held, held_rules(EVENT_TABLES, 2));
    held_join(held, 6);
    ck_assert(held_wait(held));
    held_join(held, 1);
    ck_assert_uint_eq(held->event.entrants, 7);
    event_release(&held->event);
}
END_TEST

/* The first four of six, who are known by their results; the others rest. */
START_TEST(a_final_is_for_four)
{
    struct event_rules rules = held_rules(EVENT_TABLES, 1);
    rules.final = true;
    held_make(held, rules);
    held_join(held, 6);
    ck_assert(held_wait(held));
    const struct event_round first = held->event.round[0];
    play_round();
    ck_assert_uint_eq(event_planned(&held->event), 2);
    struct event_entry entry = held_entry(held, EVENT_PAIRED, 0);
    entry.u.paired = (struct event_seating){
        .round = 2, .tables = 2, .seats = {3, 3}, .seat = {{1, 2, 3}, {4, 5, 6}}};
    ck_assert_int_eq(held_try(held, &entry), EVENT_BAD_TABLES);
    ck_assert(held_wait(held));
    const struct event_round *last = event_open_round(&held->event);
    ck_assert_uint_eq(last->tables, 1);
    ck_assert_uint_eq(last->table[0].seats, 4);
    for (unsigned i = 0; i < 4; i++) {
        ck_assert_uint_ne(last->table[0].seat[i], first.table[0].seat[2]);
        ck_assert_uint_ne(last->table[0].seat[i], first.table[1].seat[2]);
    }
    ck_assert_int_eq(held_result(held, 1, "1234"), EVENT_FINE);
    ck_assert_uint_eq(held_advance(held), 1);
    ck_assert_int_eq(held->event.phase, EVENT_IS_OVER);
    event_release(&held->event);
}
END_TEST

START_TEST(judgements_have_a_bound)
{
    come_to(ROUND);
    struct event_entry entry;
    for (unsigned i = 0; i < EVENT_JUDGED_MAX; i++) {
        read_tail(&entry, BY_DIRECTOR JUDGED "\"table\":1,\"places\":[0,1,2]" WHY);
        ck_assert_int_eq(event_follow(&held->event, &entry), EVENT_FINE);
    }
    read_tail(&entry, BY_DIRECTOR JUDGED "\"table\":1,\"places\":[0,1,2]" WHY);
    ck_assert_int_eq(event_follow(&held->event, &entry), EVENT_FULL);
    event_release(&held->event);
}
END_TEST

START_TEST(whoever_says_nothing_at_the_check_in_is_not_in_it)
{
    come_to(CHECK_IN);
    ck_assert(held_wait(held));
    ck_assert_uint_eq(held->event.field, 3);
    ck_assert_uint_eq(event_open_round(&held->event)->tables, 1);
    ck_assert(!event_is_in(&held->event.entrant[3]));
    ck_assert_int_eq(held_change(held, EVENT_RETURNED, 4), EVENT_FINE);
    event_release(&held->event);
}
END_TEST

START_TEST(too_few_are_told_so)
{
    come_to(OPEN);
    for (unsigned number = 1; number <= 4; number++)
        ck_assert_int_eq(held_change(held, EVENT_WITHDREW, number), EVENT_FINE);
    ck_assert_int_eq(event_due_ms(&held->event), START_MS);
    ck_assert_uint_eq(held_advance(held), 0);
    ck_assert(held_wait(held));
    ck_assert_int_eq(held->event.phase, EVENT_IS_OFF);
    ck_assert(!held_wait(held));
    event_release(&held->event);
}
END_TEST

/* A table of whom all but one have left, and one that lasts too long. */
START_TEST(nobody_is_waited_for)
{
    come_to(ROUND);
    const struct event_table *open = &held->event.round[0].table[1];
    ck_assert_int_eq(event_due_ms(&held->event), START_MS + 3600000);
    ck_assert_int_eq(held_change(held, EVENT_WITHDREW, open->seat[0]), EVENT_FINE);
    ck_assert_uint_eq(held_advance(held), 0);
    ck_assert_int_eq(held_change(held, EVENT_WITHDREW, open->seat[2]), EVENT_FINE);
    ck_assert_uint_eq(held_advance(held), 1);
    ck_assert_mem_eq(open->place, "\0\1\0", 3);
    ck_assert_int_eq(event_due_ms(&held->event), START_MS + 60000);
    ck_assert(held_wait(held));
    ck_assert_int_eq(held->event.round[1].paired_ms, START_MS + 60000);
    ck_assert(held_wait(held));
    ck_assert_int_eq(held->now_ms, START_MS + 60000 + 3600000);
    ck_assert_mem_eq(held->event.round[1].table[0].place, "\1\1\1\1", 4);
    event_release(&held->event);
}
END_TEST

START_TEST(who_stays_away_twice_is_withdrawn)
{
    come_to(OPEN);
    while (held->event.rounds < 2) {
        ck_assert(held_wait(held));
        const struct event_round *round = event_open_round(&held->event);
        for (unsigned table = 1; round && table <= round->tables; table++) {
            char places[EVENT_SEATS_MAX + 1] = "";
            for (unsigned i = 0; i < round->table[table - 1].seats; i++)
                places[i] = round->table[table - 1].seat[i] == 3 ? '0' : '1';
            ck_assert_int_eq(held_result(held, table, places), EVENT_FINE);
        }
    }
    ck_assert(event_is_in(&held->event.entrant[2]));
    ck_assert_uint_eq(held_advance(held), 1);
    ck_assert(!event_is_in(&held->event.entrant[2]));
    ck_assert_int_eq(held_change(held, EVENT_RETURNED, 3), EVENT_FINE);
    ck_assert_uint_eq(held_advance(held), 0);
    event_release(&held->event);
}
END_TEST

/* What is due and what people enter without memory: nothing has changed, and later it is entered.
 */
START_TEST(without_memory_nothing_changes)
{
    struct event_entry entry;
    come_to(BETWEEN);
    held->now_ms += 60000;
    const struct event before = held->event;
    failing_alloc_arm(1, false);
    failing_alloc_enter();
    const enum event_due due = event_due(&held->event, held->now_ms, held->secret, &entry);
    failing_alloc_leave();
    (void)failing_alloc_disarm(NULL);
    ck_assert_int_eq(due, EVENT_DUE_NO_MEMORY);
    ck_assert_int_eq(event_due(&held->event, held->now_ms, held->secret, &entry), EVENT_IS_DUE);
    failing_alloc_arm(1, false);
    failing_alloc_enter();
    const enum event_fault fault = event_follow(&held->event, &entry);
    failing_alloc_leave();
    (void)failing_alloc_disarm(NULL);
    ck_assert_int_eq(fault, EVENT_NO_MEMORY);
    ck_assert_mem_eq(&before, &held->event, sizeof before);
    held_enter(held, &entry);
    event_release(&held->event);
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

Suite *faults_suite(void)
{
    Suite *suite = suite_create("faults");
    TCase *tests = tcase_create("all");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_loop_test(tests, each_entry_comes_where_it_may, 0,
                        (int)(sizeof cases / sizeof cases[0]));
    tcase_add_test(tests, entries_have_no_gap_and_time_goes_on);
    tcase_add_test(tests, who_goes_and_comes_has_a_bound);
    tcase_add_test(tests, half_of_the_rounds_is_not_too_late);
    tcase_add_test(tests, a_final_is_for_four);
    tcase_add_test(tests, judgements_have_a_bound);
    tcase_add_test(tests, whoever_says_nothing_at_the_check_in_is_not_in_it);
    tcase_add_test(tests, too_few_are_told_so);
    tcase_add_test(tests, nobody_is_waited_for);
    tcase_add_test(tests, who_stays_away_twice_is_withdrawn);
    tcase_add_test(tests, without_memory_nothing_changes);
    suite_add_tcase(suite, tests);
    return suite;
}
