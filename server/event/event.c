#include <event/event.h>

#include <pairing/berger.h>
#include <pairing/cup.h>
#include <stdlib.h>
#include <string.h>

void event_release(struct event *event)
{
    for (unsigned round = 0; round < event->rounds; round++)
        free(event->round[round].table);
    free(event->entrant);
    *event = (struct event){0};
}

/* In the sizes of follow.c: the next power of 2. */
static bool copy_entrants(struct event *copy, const struct event *event)
{
    size_t size = 1;
    while (size < event->entrants)
        size *= 2;
    copy->entrant = event->entrants ? malloc(size * sizeof *copy->entrant) : NULL;
    if (event->entrants == 0)
        return true;
    if (copy->entrant)
        memcpy(copy->entrant, event->entrant, event->entrants * sizeof *copy->entrant);
    return copy->entrant;
}

bool event_copy(struct event *copy, const struct event *event)
{
    *copy = *event;
    copy->rounds = 0;
    bool copied = copy_entrants(copy, event);
    for (unsigned round = 0; copied && round < event->rounds; round++) {
        const size_t size = event->round[round].tables * sizeof *copy->round[round].table;
        copy->round[round].table = malloc(size);
        copied = copy->round[round].table;
        if (!copied)
            break;
        memcpy(copy->round[round].table, event->round[round].table, size);
        copy->rounds++;
    }
    if (!copied)
        event_release(copy);
    return copied;
}

const char *event_fault_text(enum event_fault fault)
{
    static const char *const texts[] = {
        [EVENT_FINE] = "nothing is wrong",
        [EVENT_GAP] = "its number is not the next one",
        [EVENT_TIME] = "it is earlier than the one before",
        [EVENT_BAD_RULES] = "the rules contradict themselves or are out of bounds",
        [EVENT_NOT_NOW] = "that cannot be at this time of the event",
        [EVENT_NOT_ENTITLED] = "that is not for that account to do",
        [EVENT_NO_REASON] = "the reason is missing",
        [EVENT_NOBODY] = "there is no such entrant",
        [EVENT_AGAIN] = "that is so already",
        [EVENT_FULL] = "there are as many as there may be",
        [EVENT_LATE] = "it is too late to come into it",
        [EVENT_BAD_PARTNER] = "a pair is two who want to play together, and others are one",
        [EVENT_BAD_ROUND] = "it is not for that round",
        [EVENT_BAD_TABLES] = "somebody is missing at the tables, or should not be there",
        [EVENT_BAD_PLACES] = "there is no such table, or there are no such places at it",
        [EVENT_BAD_SECRET] = "the secret is not the one that was committed to",
        [EVENT_NO_MEMORY] = "out of memory",
        [EVENT_UNREADABLE] = "it is no entry of an event, or not in its one form",
        [EVENT_NOT_DUE] = "it does not follow from what is before it",
    };
    return texts[fault];
}

/* ---- what there is */

bool event_is_in(const struct event_entrant *entrant)
{
    return !entrant->withdrawn && !entrant->removed && (entrant->partner == 0 || entrant->agreed);
}

unsigned event_count_in(const struct event *event)
{
    unsigned count = 0;
    for (unsigned i = 0; i < event->entrants; i++)
        count += event_is_in(&event->entrant[i]);
    return count;
}

static bool belongs_to(const struct event_entrant *entrant, uint64_t account)
{
    if (entrant->partner == 0 || entrant->agreed)
        return entrant->account == account || entrant->partner == account;
    return entrant->account == account && (!entrant->withdrawn || entrant->removed);
}

unsigned event_find(const struct event *event, uint64_t account)
{
    unsigned number = event->entrants;
    while (number > 0 && !belongs_to(&event->entrant[number - 1], account))
        number--;
    return number;
}

/* Rounds that groups of so many can need. */
static unsigned group_stages(unsigned entrants)
{
    unsigned stages = entrants > 1;
    for (; entrants > EVENT_GROUP_MAX; stages++)
        entrants = (entrants + EVENT_GROUP_MAX - 1) / EVENT_GROUP_MAX;
    return stages;
}

unsigned event_planned(const struct event *event)
{
    switch (event->rules.form) {
    case EVENT_TABLES:
    case EVENT_SWISS:
        break;
    case EVENT_ROBIN:
        return event->field < 2 ? 0 : event->rules.rounds * pairing_berger_rounds(event->field);
    case EVENT_CUP:
        return event->rules.rounds * pairing_cup_rounds(event->field);
    case EVENT_GROUPS:
        return group_stages(event->field);
    }
    return event->rules.rounds + event->rules.final;
}

bool event_is_final(const struct event *event, unsigned round)
{
    return event->rules.form == EVENT_TABLES && event->rules.final && round == event_planned(event);
}

const struct event_round *event_open_round(const struct event *event)
{
    const struct event_round *last = event->rounds > 0 ? &event->round[event->rounds - 1] : NULL;
    return last && last->open > 0 ? last : NULL;
}

int64_t event_pause_ends_ms(const struct event *event, const struct event_entrant *entrant)
{
    return entrant->paused_ms + 1000 * (int64_t)event->rules.pause_s - entrant->rested_ms;
}

bool event_check_in_is_open(const struct event *event, int64_t now_ms)
{
    return event->phase == EVENT_IS_OPEN && event->rules.check_in_s > 0 &&
           now_ms >= event->rules.start_ms - 1000 * (int64_t)event->rules.check_in_s;
}
