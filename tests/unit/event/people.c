#include "people.h"

#include <event/due.h>
#include <event/pair.h>
#include <string.h>

void people_make_event(struct held *held, struct rng *rng)
{
    const enum event_form form = (enum event_form)rng_below(rng, EVENT_GROUPS + 1);
    struct event_rules rules = held_rules(form, 1 + rng_below(rng, 2));
    if (form == EVENT_TABLES) {
        rules.rounds = (uint16_t)(1 + rng_below(rng, 6));
        rules.points = rng_below(rng, 2) ? EVENT_WINS : EVENT_PLACES;
    }
    if (form == EVENT_SWISS)
        rules.rounds = (uint16_t)(1 + rng_below(rng, 9));
    if (form == EVENT_CUP)
        rules.rounds = rng_below(rng, 2) ? 3 : 1;
    rules.final = (form == EVENT_TABLES || form == EVENT_CUP) && rng_below(rng, 2);
    rules.pairs = form != EVENT_TABLES && rng_below(rng, 3) == 0;
    rules.pause_s = form == EVENT_GROUPS ? rng_below(rng, 3) * 1000 : 0;
    rules.check_in_s = rng_below(rng, 2) * 300;
    rules.break_s = rng_below(rng, 2) * 60;
    held_make(held, rules);
    held_join(held, rng_below(rng, form == EVENT_ROBIN ? 10 : 30));
}

static void give_result(struct held *held, struct rng *rng)
{
    const struct event_round *round = event_open_round(&held->event);
    char places[EVENT_SEATS_MAX + 1] = "";
    if (!round)
        return;
    const unsigned table = 1 + rng_below(rng, round->tables), seats = round->table[table - 1].seats;
    for (unsigned i = 0; i < seats; i++)
        places[i] = (char)('0' + rng_below(rng, seats + 1));
    (void)held_result(held, table, places);
}

static void judge(struct held *held, struct rng *rng)
{
    struct event_entry entry = held_entry(held, EVENT_JUDGED, DIRECTOR);
    struct event_outcome *outcome = &entry.u.outcome;
    if (held->event.rounds == 0)
        return;
    outcome->round = (uint16_t)(1 + rng_below(rng, held->event.rounds));
    const struct event_round *round = &held->event.round[outcome->round - 1];
    outcome->table = (uint16_t)(1 + rng_below(rng, round->tables));
    outcome->seats = round->table[outcome->table - 1].seats;
    outcome->place[rng_below(rng, outcome->seats)] = 1;
    strcpy(entry.reason, "saw it");
    (void)held_try(held, &entry);
}

static void pair_by_hand(struct held *held)
{
    struct event_entry entry = held_entry(held, EVENT_PAIRED, DIRECTOR);
    bool memory;
    if (held->event.phase != EVENT_IS_RUNNING || event_open_round(&held->event) ||
        !event_pair(&held->event, held->secret, &entry.u.paired, &memory))
        return;
    const unsigned last = entry.u.paired.tables - 1u;
    const uint16_t moved = entry.u.paired.seat[0][0];
    entry.u.paired.seat[0][0] = entry.u.paired.seat[last][1];
    entry.u.paired.seat[last][1] = moved;
    strcpy(entry.reason, "sisters");
    (void)held_try(held, &entry);
}

static void call_off(struct held *held, struct rng *rng)
{
    struct event_entry entry = held_entry(held, EVENT_OFF, DIRECTOR);
    memcpy(entry.u.secret, held->secret, sizeof entry.u.secret);
    strcpy(entry.reason, "no light");
    if (rng_below(rng, 40) == 0)
        (void)held_try(held, &entry);
}

/* Of those who ever do anything: of each world a share of people who never do. */
static unsigned draw_entrant(struct held *held, struct rng *rng)
{
    return held->event.entrants ? 1 + rng_below(rng, (held->event.entrants + 1) / 2) : 0;
}

void people_do_something(struct held *held, struct rng *rng)
{
    switch (rng_below(rng, 22)) {
    case 0:
        (void)held_change(held, EVENT_WITHDREW, draw_entrant(held, rng));
        break;
    case 1:
        (void)held_change(held, EVENT_RETURNED, draw_entrant(held, rng));
        break;
    case 2:
        if (rng_below(rng, 8) == 0)
            (void)held_change(held, EVENT_REMOVED, draw_entrant(held, rng));
        break;
    case 3:
        judge(held, rng);
        break;
    case 4:
        pair_by_hand(held);
        break;
    case 5:
        (void)held_come(held);
        (void)held_change(held, EVENT_AGREED, draw_entrant(held, rng));
        break;
    case 6:
        call_off(held, rng);
        break;
    case 7:
    case 8:
    case 9:
        (void)held_change(held, EVENT_HERE, draw_entrant(held, rng));
        break;
    case 10:
        (void)held_change(held, EVENT_PAUSED, draw_entrant(held, rng));
        break;
    case 11:
        (void)held_change(held, EVENT_RESUMED, draw_entrant(held, rng));
        break;
    default:
        give_result(held, rng);
        break;
    }
}

bool people_wait(struct held *held, struct rng *rng)
{
    const int64_t due_ms = event_due_ms(&held->event), left_ms = due_ms - held->now_ms;
    if (due_ms == INT64_MAX)
        return false;
    if (left_ms <= 0)
        held->now_ms += rng_below(rng, 5000);
    else
        held->now_ms += rng_below(rng, 3) ? left_ms : left_ms / 2;
    (void)held_advance(held);
    return true;
}
