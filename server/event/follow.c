/* What is so once an entry has come. */
#include <event/event.h>
#include <stdlib.h>
#include <string.h>

static void add_entrant(struct event *event, const struct event_entry *entry)
{
    event->entrant[event->entrants++] = (struct event_entrant){.account = entry->u.who.account,
                                                               .partner = entry->u.who.partner,
                                                               .rating = entry->u.who.rating};
}

/* Whoever was asked and has not said that they are here is not. */
static void begin_event(struct event *event, int64_t at_ms)
{
    event->phase = EVENT_IS_RUNNING;
    event->began_ms = at_ms;
    for (unsigned i = 0; i < event->entrants; i++) {
        struct event_entrant *entrant = &event->entrant[i];
        entrant->withdrawn |= event->rules.check_in_s > 0 && !entrant->here;
        entrant->field = event_is_in(entrant);
        event->field += entrant->field;
    }
}

/* Who is in it and sits nowhere; an odd one out. */
static uint16_t find_resting(const struct event *event, const struct event_seating *paired)
{
    bool seated[EVENT_ENTRANTS_MAX] = {false};
    for (unsigned i = 0; i < paired->tables; i++) {
        for (unsigned seat = 0; seat < paired->seats[i]; seat++)
            seated[paired->seat[i][seat] - 1] = true;
    }
    for (unsigned i = 0; i < event->entrants; i++) {
        if (!seated[i] && event_is_in(&event->entrant[i]))
            return (uint16_t)(i + 1);
    }
    return 0;
}

static void seat_round(struct event *event, const struct event_entry *entry,
                       struct event_table *table)
{
    const struct event_seating *paired = &entry->u.paired;
    struct event_round *round = &event->round[event->rounds++];
    *round = (struct event_round){.paired_ms = entry->at_ms,
                                  .tables = paired->tables,
                                  .open = paired->tables,
                                  .by_hand = entry->by != 0,
                                  .table = table};
    if (event->rules.form == EVENT_SWISS)
        round->rests = find_resting(event, paired);
    for (unsigned i = 0; i < paired->tables; i++) {
        table[i].seats = paired->seats[i];
        memcpy(table[i].seat, paired->seat[i], sizeof table[i].seat);
        event->entrant[paired->seat[i][0] - 1].began++;
    }
}

static void note_missed(struct event *event, const struct event_table *table)
{
    for (unsigned i = 0; i < table->seats; i++) {
        struct event_entrant *entrant = &event->entrant[table->seat[i] - 1];
        if (table->place[i] != 0)
            entrant->missed = 0;
        else if (entrant->missed < EVENT_MISSED_MAX)
            entrant->missed++;
    }
}

/* A judgement in place of a result says nothing about who stays away. */
static void end_table(struct event *event, const struct event_entry *entry)
{
    const struct event_outcome *outcome = &entry->u.outcome;
    struct event_round *round = &event->round[outcome->round - 1];
    struct event_table *table = &round->table[outcome->table - 1];
    const bool first = !table->over;
    memcpy(table->place, outcome->place, sizeof table->place);
    memcpy(table->room, outcome->room, sizeof table->room);
    table->over = true;
    event->judged += entry->kind == EVENT_JUDGED;
    if (!first)
        return;
    note_missed(event, table);
    if (--round->open == 0)
        round->over_ms = entry->at_ms;
}

static void change_entrant(struct event *event, const struct event_entry *entry)
{
    struct event_entrant *entrant = &event->entrant[entry->u.who.entrant - 1];
    entrant->here |= entry->kind == EVENT_HERE;
    entrant->withdrawn |= entry->kind == EVENT_WITHDREW;
    entrant->removed |= entry->kind == EVENT_REMOVED;
    entrant->agreed |= entry->kind == EVENT_AGREED;
    if (entry->kind == EVENT_PAUSED) {
        entrant->paused = true;
        entrant->paused_ms = entry->at_ms;
        entrant->pauses++;
    }
    if (entry->kind == EVENT_RESUMED) {
        entrant->paused = false;
        entrant->rested_ms += entry->at_ms - entrant->paused_ms;
    }
    if (entry->kind == EVENT_RETURNED) {
        entrant->withdrawn = false;
        entrant->returned++;
        entrant->missed = 0;
    }
}

static void apply_entry(struct event *event, const struct event_entry *entry,
                        struct event_table *tables)
{
    event->n = entry->n;
    event->last_ms = entry->at_ms;
    switch (entry->kind) {
    case EVENT_MADE:
        event->rules = entry->u.made;
        event->director = entry->by;
        event->phase = EVENT_IS_OPEN;
        break;
    case EVENT_JOINED:
        add_entrant(event, entry);
        break;
    case EVENT_HERE:
    case EVENT_WITHDREW:
    case EVENT_RETURNED:
    case EVENT_REMOVED:
    case EVENT_AGREED:
    case EVENT_PAUSED:
    case EVENT_RESUMED:
        change_entrant(event, entry);
        break;
    case EVENT_BEGAN:
        begin_event(event, entry->at_ms);
        break;
    case EVENT_PAIRED:
        seat_round(event, entry, tables);
        break;
    case EVENT_RESULT:
    case EVENT_JUDGED:
        end_table(event, entry);
        break;
    case EVENT_OVER:
    case EVENT_OFF:
        event->phase = entry->kind == EVENT_OVER ? EVENT_IS_OVER : EVENT_IS_OFF;
        memcpy(event->secret, entry->u.secret, sizeof event->secret);
        break;
    }
}

/* Memory that the entry needs, before anything is changed. */
static bool reserve_memory(struct event *event, const struct event_entry *entry,
                           struct event_table **tables)
{
    *tables = NULL;
    if (entry->kind == EVENT_PAIRED) {
        *tables = calloc(entry->u.paired.tables, sizeof **tables);
        return *tables;
    }
    if (entry->kind == EVENT_JOINED && (event->entrants & (event->entrants - 1)) == 0) {
        const size_t size = event->entrants ? 2 * event->entrants : 1;
        struct event_entrant *grown = realloc(event->entrant, size * sizeof *grown);
        if (!grown)
            return false;
        event->entrant = grown;
    }
    return true;
}

enum event_fault event_follow(struct event *event, const struct event_entry *entry)
{
    struct event_table *tables;
    const enum event_fault fault = event_check(event, entry);
    if (fault != EVENT_FINE)
        return fault;
    if (!reserve_memory(event, entry, &tables))
        return EVENT_NO_MEMORY;
    apply_entry(event, entry, tables);
    return EVENT_FINE;
}
