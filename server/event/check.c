/* Whether an entry may come next. */
#include "cups.h"
#include "groups.h"
#include "words.h"
#include <event/event.h>
#include <pairing/tables.h>
#include <sodium.h>
#include <string.h>

/* ---- the rules of an event */

static bool contradicts_form(const struct event_rules *rules)
{
    switch (rules->form) {
    case EVENT_TABLES:
        return rules->pairs;
    case EVENT_ROBIN:
    case EVENT_SWISS:
        return rules->points != EVENT_WINS || rules->final;
    case EVENT_GROUPS:
        return rules->points != EVENT_WINS || rules->final;
    case EVENT_CUP:
        return rules->points != EVENT_WINS || rules->rounds == 2;
    }
    return true;
}

static enum event_fault check_rules(const struct event *event, const struct event_entry *entry)
{
    static const struct {
        unsigned rounds, least, most;
    } bounds[EVENT_FORMS] = {
        [EVENT_TABLES] = {EVENT_TABLE_ROUNDS_MAX, TABLE_SEATS_MIN, EVENT_ENTRANTS_MAX},
        [EVENT_ROBIN] = {2, 2, EVENT_ROBIN_ENTRANTS_MAX},
        [EVENT_CUP] = {3, 2, EVENT_ENTRANTS_MAX},
        [EVENT_SWISS] = {EVENT_TABLE_ROUNDS_MAX, 2, EVENT_ENTRANTS_MAX},
        [EVENT_GROUPS] = {2, 2, EVENT_GROUPS_ENTRANTS_MAX},
    };
    const struct event_rules *rules = &entry->u.made;
    if (event->phase != EVENT_UNMADE)
        return EVENT_NOT_NOW;
    if (entry->by == 0)
        return EVENT_NOT_ENTITLED;
    if (rules->rounds == 0 || rules->rounds > bounds[rules->form].rounds ||
        rules->least < bounds[rules->form].least || rules->least > rules->most ||
        rules->most > bounds[rules->form].most || rules->round_s == 0 || rules->wait_s == 0 ||
        rules->wait_s > rules->round_s || rules->start_ms < entry->at_ms ||
        contradicts_form(rules) || (rules->pause_s != 0 && rules->form != EVENT_GROUPS))
        return EVENT_BAD_RULES;
    return EVENT_FINE;
}

/* ---- who is in it */

static bool has_fixed_field(const struct event *event)
{
    const enum event_form form = event->rules.form;
    return form == EVENT_ROBIN || form == EVENT_CUP || form == EVENT_GROUPS;
}

/* Where everybody meets everybody, or whoever loses is out, nobody comes once it has begun. */
static bool is_late(const struct event *event)
{
    if (event->phase != EVENT_IS_RUNNING)
        return false;
    return has_fixed_field(event) || 2 * event->rounds > event->rules.rounds;
}

static unsigned count_named(const struct event *event, uint64_t account)
{
    unsigned count = 0;
    for (unsigned i = 0; i < event->entrants; i++)
        count += event->entrant[i].account == account;
    return count;
}

static enum event_fault check_joined(const struct event *event, const struct event_entry *entry)
{
    const uint64_t account = entry->u.who.account, partner = entry->u.who.partner;
    if (event->phase != EVENT_IS_OPEN && event->phase != EVENT_IS_RUNNING)
        return EVENT_NOT_NOW;
    if (entry->by != account)
        return EVENT_NOT_ENTITLED;
    if (event_find(event, account) != 0)
        return EVENT_AGAIN;
    if (event->rules.pairs ? partner == 0 || partner == account : partner != 0)
        return EVENT_BAD_PARTNER;
    if (is_late(event))
        return EVENT_LATE;
    if (event->entrants == event->rules.most || count_named(event, account) == EVENT_PAIRS_MAX)
        return EVENT_FULL;
    return entry->u.who.entrant == event->entrants + 1 ? EVENT_FINE : EVENT_NOBODY;
}

/* Of a pair: the partner, who is in no other one. */
static enum event_fault check_agreed(const struct event *event, const struct event_entry *entry,
                                     const struct event_entrant *entrant)
{
    if (entrant->agreed || entrant->withdrawn || entrant->removed ||
        event_find(event, entry->by) != 0)
        return EVENT_AGAIN;
    return is_late(event) ? EVENT_LATE : EVENT_FINE;
}

static enum event_fault check_returned(const struct event *event, const struct event_entry *entry,
                                       const struct event_entrant *entrant)
{
    if (entrant->removed)
        return EVENT_NOT_ENTITLED;
    if (!entrant->withdrawn)
        return EVENT_AGAIN;
    if (entrant->partner != 0 && !entrant->agreed)
        return EVENT_BAD_PARTNER;
    if (event->phase == EVENT_IS_RUNNING && has_fixed_field(event) && !entrant->field)
        return EVENT_LATE;
    if (event->phase == EVENT_IS_RUNNING && event->rules.form == EVENT_CUP &&
        event_cup_is_out(event, entry->u.who.entrant))
        return EVENT_LATE;
    return entrant->returned < EVENT_RETURNS_MAX ? EVENT_FINE : EVENT_FULL;
}

/* Everybody for themselves, and as long as the bank has something. */
static enum event_fault check_paused(const struct event *event, const struct event_entrant *entrant)
{
    if (event->phase != EVENT_IS_RUNNING || event->rules.pause_s == 0)
        return EVENT_NOT_NOW;
    if (entrant->paused || !event_is_in(entrant))
        return EVENT_AGAIN;
    return entrant->rested_ms < 1000 * (int64_t)event->rules.pause_s &&
                   entrant->pauses < EVENT_PAUSES_MAX
               ? EVENT_FINE
               : EVENT_FULL;
}

/* Withdrawing is always possible, and nobody needs to be entitled to anything for it. */
static enum event_fault check_state(const struct event *event, const struct event_entry *entry,
                                    const struct event_entrant *entrant)
{
    switch (entry->kind) {
    case EVENT_HERE:
        if (!event_check_in_is_open(event, entry->at_ms))
            return EVENT_NOT_NOW;
        return entrant->here || !event_is_in(entrant) ? EVENT_AGAIN : EVENT_FINE;
    case EVENT_WITHDREW:
        return entrant->withdrawn || entrant->removed ? EVENT_AGAIN : EVENT_FINE;
    case EVENT_RETURNED:
        return check_returned(event, entry, entrant);
    case EVENT_AGREED:
        return check_agreed(event, entry, entrant);
    case EVENT_PAUSED:
        return check_paused(event, entrant);
    case EVENT_RESUMED:
        return entrant->paused ? EVENT_FINE : EVENT_AGAIN;
    case EVENT_REMOVED:
        if (!entry->reason[0])
            return EVENT_NO_REASON;
        return entrant->removed ? EVENT_AGAIN : EVENT_FINE;
    case EVENT_MADE:
    case EVENT_JOINED:
    case EVENT_BEGAN:
    case EVENT_PAIRED:
    case EVENT_RESULT:
    case EVENT_JUDGED:
    case EVENT_OVER:
    case EVENT_OFF:
        break;
    }
    return EVENT_NOT_NOW;
}

/* The server withdraws whoever does not come, and ends pauses. */
static bool may_change_entrant(const struct event *event, const struct event_entry *entry,
                               const struct event_entrant *entrant)
{
    if (entry->kind == EVENT_REMOVED)
        return entry->by == event->director;
    if (entry->by == 0 && entry->kind == EVENT_RESUMED)
        return entrant->paused && entry->at_ms >= event_pause_ends_ms(event, entrant);
    if (entry->by == 0)
        return entry->kind == EVENT_WITHDREW && entrant->missed == EVENT_MISSED_MAX;
    if (entry->kind == EVENT_AGREED)
        return entry->by == entrant->partner;
    return entry->by == entrant->account || entry->by == entrant->partner;
}

static enum event_fault check_entrant(const struct event *event, const struct event_entry *entry)
{
    const unsigned number = entry->u.who.entrant;
    if (event->phase != EVENT_IS_OPEN && event->phase != EVENT_IS_RUNNING)
        return EVENT_NOT_NOW;
    if (number == 0 || number > event->entrants)
        return EVENT_NOBODY;
    const struct event_entrant *entrant = &event->entrant[number - 1];
    if (!may_change_entrant(event, entry, entrant))
        return EVENT_NOT_ENTITLED;
    return check_state(event, entry, entrant);
}

/* ---- rounds */

/* How many are to be seated: nobody rests but an odd one out, and in a final, where four play. */
static unsigned count_seats(const struct event *event)
{
    const unsigned in = event_count_in(event);
    if (event->rules.form == EVENT_ROBIN)
        return event->field - event->field % 2;
    if (event->rules.form == EVENT_SWISS)
        return in - in % 2;
    return event_is_final(event, event->rounds + 1) && in > EVENT_FINALISTS ? EVENT_FINALISTS : in;
}

/* By hand, too, tables have three to five. */
static enum event_fault check_tables(const struct event *event, const struct event_seating *paired)
{
    bool seated[EVENT_ENTRANTS_MAX] = {false};
    const bool two = event->rules.form != EVENT_TABLES;
    const bool swiss = event->rules.form == EVENT_SWISS;
    const bool groups = event->rules.form == EVENT_GROUPS; /* everybody sits at several tables */
    const unsigned least = two ? 2 : TABLE_SEATS_MIN, most = two ? 2 : TABLE_SEATS_MAX;
    unsigned count = 0;
    for (unsigned table = 0; table < paired->tables; table++) {
        if (paired->seats[table] < least || paired->seats[table] > most)
            return EVENT_BAD_TABLES;
        for (unsigned i = 0; i < paired->seats[table]; i++, count++) {
            const unsigned number = paired->seat[table][i];
            if (number == 0 || number > event->entrants || (seated[number - 1] && !groups))
                return EVENT_BAD_TABLES;
            const struct event_entrant *entrant = &event->entrant[number - 1];
            if (two && !swiss ? !entrant->field : !event_is_in(entrant))
                return EVENT_BAD_TABLES;
            seated[number - 1] = true;
        }
    }
    if (groups)
        return event_groups_may_pair(event, paired) ? EVENT_FINE : EVENT_BAD_TABLES;
    if (event->rules.form == EVENT_CUP)
        return event_cup_may_pair(event, paired) ? EVENT_FINE : EVENT_BAD_TABLES;
    return count == count_seats(event) ? EVENT_FINE : EVENT_BAD_TABLES;
}

/* Whom one meets in a round robin and in groups stands in their tables, and in a cup in its
 * bracket; nobody changes that. */
static enum event_fault check_paired(const struct event *event, const struct event_entry *entry)
{
    if (event->phase != EVENT_IS_RUNNING)
        return EVENT_NOT_NOW;
    if (entry->by != 0 && (entry->by != event->director || has_fixed_field(event)))
        return EVENT_NOT_ENTITLED;
    if (entry->by != 0 && !entry->reason[0])
        return EVENT_NO_REASON;
    if (event_open_round(event) || entry->u.paired.round != event->rounds + 1 ||
        event->rounds == event_planned(event))
        return EVENT_BAD_ROUND;
    return check_tables(event, &entry->u.paired);
}

/* As in a race: whoever has place p has p - 1 before them. Those who were not there have none. */
static bool places_are_whole(const struct event_outcome *outcome)
{
    for (unsigned i = 0; i < outcome->seats; i++) {
        unsigned before = 0;
        for (unsigned j = 0; j < outcome->seats; j++)
            before += outcome->place[j] != 0 && outcome->place[j] < outcome->place[i];
        if (outcome->place[i] != 0 && outcome->place[i] != before + 1)
            return false;
    }
    return true;
}

/* Then nobody changes what the next round follows from. */
static bool decides_who_goes_on(const struct event *event)
{
    return event->rules.form == EVENT_CUP || event->rules.form == EVENT_GROUPS;
}

static enum event_fault check_outcome(const struct event *event, const struct event_entry *entry)
{
    const struct event_outcome *outcome = &entry->u.outcome;
    const bool judged = entry->kind == EVENT_JUDGED;
    if (event->phase != EVENT_IS_RUNNING)
        return EVENT_NOT_NOW;
    if (entry->by != (judged ? event->director : 0))
        return EVENT_NOT_ENTITLED;
    if (judged && !entry->reason[0])
        return EVENT_NO_REASON;
    if (outcome->round == 0 || outcome->round > event->rounds ||
        (outcome->round != event->rounds && decides_who_goes_on(event)))
        return EVENT_BAD_ROUND;
    const struct event_round *round = &event->round[outcome->round - 1];
    if (outcome->table == 0 || outcome->table > round->tables ||
        outcome->seats != round->table[outcome->table - 1].seats || !places_are_whole(outcome))
        return EVENT_BAD_PLACES;
    if (!judged && round->table[outcome->table - 1].over)
        return EVENT_AGAIN;
    return judged && event->judged == EVENT_JUDGED_MAX ? EVENT_FULL : EVENT_FINE;
}

/* ---- from one phase to the next */

static enum event_fault check_began(const struct event *event, const struct event_entry *entry)
{
    if (event->phase != EVENT_IS_OPEN)
        return EVENT_NOT_NOW;
    if (entry->by != 0)
        return EVENT_NOT_ENTITLED;
    return entry->at_ms < event->rules.start_ms ? EVENT_NOT_NOW : EVENT_FINE;
}

static bool opens_commitment(const struct event *event, const struct event_entry *entry)
{
    uint8_t commitment[DEAL_COMMITMENT_BYTES];
    deal_commit(commitment, entry->u.secret);
    return sodium_memcmp(commitment, event->rules.commitment, sizeof commitment) == 0;
}

static enum event_fault check_end(const struct event *event, const struct event_entry *entry)
{
    const bool off = entry->kind == EVENT_OFF;
    if (event->phase != EVENT_IS_RUNNING && (!off || event->phase != EVENT_IS_OPEN))
        return EVENT_NOT_NOW;
    if (entry->by != 0 && (!off || entry->by != event->director))
        return EVENT_NOT_ENTITLED;
    if (off && !entry->reason[0])
        return EVENT_NO_REASON;
    if (!off && event_open_round(event))
        return EVENT_BAD_ROUND;
    return opens_commitment(event, entry) ? EVENT_FINE : EVENT_BAD_SECRET;
}

enum event_fault event_check(const struct event *event, const struct event_entry *entry)
{
    if (entry->n != event->n + 1)
        return EVENT_GAP;
    if (entry->at_ms < event->last_ms)
        return EVENT_TIME;
    switch (entry->kind) {
    case EVENT_MADE:
        return check_rules(event, entry);
    case EVENT_JOINED:
        return check_joined(event, entry);
    case EVENT_HERE:
    case EVENT_WITHDREW:
    case EVENT_RETURNED:
    case EVENT_REMOVED:
    case EVENT_AGREED:
    case EVENT_PAUSED:
    case EVENT_RESUMED:
        return check_entrant(event, entry);
    case EVENT_BEGAN:
        return check_began(event, entry);
    case EVENT_PAIRED:
        return check_paired(event, entry);
    case EVENT_RESULT:
    case EVENT_JUDGED:
        return check_outcome(event, entry);
    case EVENT_OVER:
    case EVENT_OFF:
        return check_end(event, entry);
    }
    return EVENT_UNREADABLE;
}
