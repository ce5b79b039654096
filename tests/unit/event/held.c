#include "held.h"

#include <assert.h>
#include <event/due.h>
#include <stdio.h>
#include <string.h>

struct event_rules held_rules(enum event_form form, unsigned rounds)
{
    const bool two = form != EVENT_TABLES;
    const uint16_t most = form == EVENT_ROBIN    ? EVENT_ROBIN_ENTRANTS_MAX
                          : form == EVENT_GROUPS ? EVENT_GROUPS_ENTRANTS_MAX
                                                 : EVENT_ENTRANTS_MAX;
    return (struct event_rules){.id = "abcdefgh",
                                .title = "Friday",
                                .game = "taluva",
                                .options = "{}",
                                .clock = "{\"kind\":\"none\"}",
                                .form = form,
                                .points = EVENT_WINS,
                                .rounds = (uint16_t)rounds,
                                .least = two ? 2 : 3,
                                .most = most,
                                .start_ms = START_MS,
                                .break_s = 60,
                                .round_s = 3600,
                                .wait_s = 300};
}

void held_make(struct held *held, struct event_rules rules)
{
    for (unsigned i = 0; i < sizeof held->secret; i++)
        held->secret[i] = (uint8_t)(i + 1);
    held->event = (struct event){0};
    held->now_ms = 0;
    held->len = 0;
    deal_commit(rules.commitment, held->secret);
    struct event_entry entry = held_entry(held, EVENT_MADE, DIRECTOR);
    entry.u.made = rules;
    held_enter(held, &entry);
}

struct event_entry held_entry(const struct held *held, enum event_kind kind, uint64_t by)
{
    return (struct event_entry){
        .n = held->event.n + 1, .at_ms = held->now_ms, .by = by, .kind = kind};
}

enum event_fault held_try(struct held *held, const struct event_entry *entry)
{
    char line[EVENT_LINE_MAX + 1];
    const enum event_fault fault = event_follow(&held->event, entry);
    if (fault != EVENT_FINE)
        return fault;
    const size_t len = event_write(entry, line);
    assert(held->len + len + 2 < sizeof held->text);
    memcpy(held->text + held->len, line, len);
    held->len += len;
    held->text[held->len++] = '\n';
    held->text[held->len] = '\0';
    return fault;
}

void held_enter(struct held *held, const struct event_entry *entry)
{
    const enum event_fault fault = held_try(held, entry);
    assert(fault == EVENT_FINE);
}

/* Of every four one has no rating, and many have the same. */
enum event_fault held_come(struct held *held)
{
    const unsigned number = held->event.entrants + 1;
    struct event_entry entry = held_entry(held, EVENT_JOINED, FIRST_ACCOUNT + number);
    entry.u.who.entrant = (uint16_t)number;
    entry.u.who.account = FIRST_ACCOUNT + number;
    entry.u.who.partner = held->event.rules.pairs ? FIRST_PARTNER + number : 0;
    entry.u.who.rating = (uint16_t)(number % 4 == 0 ? 0 : 1500 + number % 8);
    return held_try(held, &entry);
}

void held_join(struct held *held, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        enum event_fault fault = held_come(held);
        assert(fault == EVENT_FINE);
        if (held->event.rules.pairs)
            fault = held_change(held, EVENT_AGREED, held->event.entrants);
        assert(fault == EVENT_FINE);
    }
}

enum event_fault held_change(struct held *held, enum event_kind kind, unsigned number)
{
    const bool removed = kind == EVENT_REMOVED;
    const uint64_t own = (kind == EVENT_AGREED ? FIRST_PARTNER : FIRST_ACCOUNT) + number;
    struct event_entry entry = held_entry(held, kind, removed ? DIRECTOR : own);
    entry.u.who.entrant = (uint16_t)number;
    if (removed)
        (void)snprintf(entry.reason, sizeof entry.reason, "was rude");
    return held_try(held, &entry);
}

enum event_fault held_result(struct held *held, unsigned table, const char *places)
{
    struct event_entry entry = held_entry(held, EVENT_RESULT, 0);
    struct event_outcome *outcome = &entry.u.outcome;
    *outcome = (struct event_outcome){.round = (uint16_t)held->event.rounds,
                                      .table = (uint16_t)table,
                                      .seats = (uint8_t)strlen(places),
                                      .room = "rrrrrrrr"};
    for (unsigned i = 0; i < outcome->seats; i++)
        outcome->place[i] = (uint8_t)(places[i] - '0');
    return held_try(held, &entry);
}

unsigned held_advance(struct held *held)
{
    struct event_entry entry;
    unsigned entered = 0;
    for (; event_due(&held->event, held->now_ms, held->secret, &entry) == EVENT_IS_DUE; entered++)
        held_enter(held, &entry);
    return entered;
}

bool held_wait(struct held *held)
{
    const int64_t due_ms = event_due_ms(&held->event);
    if (due_ms == INT64_MAX)
        return false;
    if (due_ms > held->now_ms)
        held->now_ms = due_ms;
    const unsigned entered = held_advance(held);
    assert(entered > 0);
    return true;
}
