#include <event/due.h>

#include <event/pair.h>
#include <stdio.h>
#include <string.h>

/* The next thing, and since when it is due. */
struct next {
    enum event_kind kind;
    int64_t at_ms;
    unsigned number; /* EVENT_WITHDREW, EVENT_RESUMED: an entrant; EVENT_RESULT: a table; from 1 */
    const char *reason; /* NULL: none */
};

static int64_t add_seconds(int64_t ms, uint32_t seconds)
{
    return ms + 1000 * (int64_t)seconds;
}

/* ---- tables */

static unsigned count_in_at(const struct event *event, const struct event_table *table)
{
    unsigned in = 0;
    for (unsigned i = 0; i < table->seats; i++)
        in += event_is_in(&event->entrant[table->seat[i] - 1]);
    return in;
}

/* A table at which nobody is left to play against; else the first one that is open, when the time
 * of the round is over. */
static struct next find_table(const struct event *event, const struct event_round *round)
{
    struct next next = {.kind = EVENT_RESULT,
                        .at_ms = add_seconds(round->paired_ms, event->rules.round_s),
                        .reason = "time"};
    for (unsigned i = 0; i < round->tables; i++) {
        const struct event_table *table = &round->table[i];
        if (table->over)
            continue;
        if (next.number == 0)
            next.number = i + 1;
        if (count_in_at(event, table) < 2)
            return (struct next){EVENT_RESULT, event->last_ms, i + 1, "nobody to play against"};
    }
    return next;
}

/* Who is still in it was there, and they share the first place. */
static void fill_outcome(const struct event *event, unsigned table, struct event_outcome *outcome)
{
    const struct event_table *played = &event->round[event->rounds - 1].table[table - 1];
    *outcome = (struct event_outcome){
        .round = (uint16_t)event->rounds, .table = (uint16_t)table, .seats = played->seats};
    for (unsigned i = 0; i < played->seats; i++)
        outcome->place[i] = event_is_in(&event->entrant[played->seat[i] - 1]);
}

/* ---- what is next */

static struct next find_beginning(const struct event *event)
{
    unsigned here = 0;
    for (unsigned i = 0; i < event->entrants; i++)
        here += event_is_in(&event->entrant[i]) &&
                (event->entrant[i].here || event->rules.check_in_s == 0);
    if (here < event->rules.least)
        return (struct next){EVENT_OFF, event->rules.start_ms, 0, "too few entrants"};
    return (struct next){.kind = EVENT_BEGAN, .at_ms = event->rules.start_ms};
}

static unsigned find_absent(const struct event *event)
{
    unsigned number = event->entrants;
    while (number > 0 && (event->entrant[number - 1].missed < EVENT_MISSED_MAX ||
                          !event_is_in(&event->entrant[number - 1])))
        number--;
    return number;
}

static struct next find_round(const struct event *event)
{
    const struct event_round *last = event->rounds ? &event->round[event->rounds - 1] : NULL;
    const unsigned absent = find_absent(event);
    if (absent)
        return (struct next){EVENT_WITHDREW, event->last_ms, absent, "was not there"};
    if (event->rounds == event_planned(event) || !event_can_pair(event))
        return (struct next){.kind = EVENT_OVER, .at_ms = event->last_ms};
    return (struct next){.kind = EVENT_PAIRED,
                         .at_ms = last ? add_seconds(last->over_ms, event->rules.break_s)
                                       : event->began_ms};
}

/* Whose pause ends first, as the bank is used up. */
static struct next find_pause(const struct event *event)
{
    struct next next = {.kind = EVENT_RESUMED, .at_ms = INT64_MAX, .reason = "used up"};
    for (unsigned i = 0; i < event->entrants; i++) {
        const struct event_entrant *entrant = &event->entrant[i];
        if (!entrant->paused || event_pause_ends_ms(event, entrant) >= next.at_ms)
            continue;
        next.at_ms = event_pause_ends_ms(event, entrant);
        next.number = i + 1;
    }
    return next;
}

static struct next find_running(const struct event *event)
{
    const struct event_round *open = event_open_round(event);
    const struct next next = open ? find_table(event, open) : find_round(event);
    const struct next pause = find_pause(event);
    return pause.at_ms <= next.at_ms ? pause : next;
}

static struct next find_next(const struct event *event)
{
    switch (event->phase) {
    case EVENT_IS_OPEN:
        return find_beginning(event);
    case EVENT_IS_RUNNING:
        return find_running(event);
    case EVENT_UNMADE:
    case EVENT_IS_OVER:
    case EVENT_IS_OFF:
        break;
    }
    return (struct next){.at_ms = INT64_MAX};
}

int64_t event_due_ms(const struct event *event)
{
    return find_next(event).at_ms;
}

/* ---- its entry */

static bool fill_entry(const struct event *event, const struct next *next,
                       const uint8_t secret[static DEAL_SECRET_BYTES], struct event_entry *entry)
{
    bool memory = true;
    switch (next->kind) {
    case EVENT_PAIRED:
        if (event_pair(event, secret, &entry->u.paired, &memory))
            break;
        entry->kind = EVENT_OVER; /* whoever may meet has */
        memcpy(entry->u.secret, secret, DEAL_SECRET_BYTES);
        return memory;
    case EVENT_RESULT:
        fill_outcome(event, next->number, &entry->u.outcome);
        break;
    case EVENT_WITHDREW:
    case EVENT_RESUMED:
        entry->u.who.entrant = (uint16_t)next->number;
        break;
    case EVENT_OVER:
    case EVENT_OFF:
        memcpy(entry->u.secret, secret, DEAL_SECRET_BYTES);
        break;
    case EVENT_BEGAN:
    case EVENT_MADE:
    case EVENT_JOINED:
    case EVENT_HERE:
    case EVENT_RETURNED:
    case EVENT_REMOVED:
    case EVENT_AGREED:
    case EVENT_PAUSED:
    case EVENT_JUDGED:
        break;
    }
    return true;
}

enum event_due event_due(const struct event *event, int64_t now_ms,
                         const uint8_t secret[static DEAL_SECRET_BYTES], struct event_entry *entry)
{
    const struct next next = find_next(event);
    if (next.at_ms > now_ms)
        return EVENT_NOT_YET;
    *entry = (struct event_entry){
        .n = event->n + 1,
        .at_ms = now_ms > event->last_ms ? now_ms : event->last_ms,
        .kind = next.kind,
    };
    if (next.reason)
        (void)snprintf(entry->reason, sizeof entry->reason, "%s", next.reason);
    return fill_entry(event, &next, secret, entry) ? EVENT_IS_DUE : EVENT_DUE_NO_MEMORY;
}
