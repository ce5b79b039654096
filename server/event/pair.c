#include <event/pair.h>

#include "cups.h"
#include "groups.h"
#include "lots.h"
#include "swiss.h"
#include <assert.h>
#include <event/standings.h>
#include <pairing/berger.h>
#include <pairing/tables.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables of three to five */

/* Of those who are paired, in the order of the standings. */
struct field {
    unsigned count;
    uint16_t number[EVENT_ENTRANTS_MAX];
    uint32_t points[EVENT_ENTRANTS_MAX];
    uint16_t at[EVENT_ENTRANTS_MAX]; /* of each entrant: its place from 1; 0: is not paired */
    struct pairing_seeker seeker[EVENT_ENTRANTS_MAX];
    uint8_t met[];
};

static void gather_field(struct field *field, const struct event *event)
{
    uint32_t points[EVENT_ENTRANTS_MAX];
    event_sum_points(event, points);
    for (unsigned i = 0; i < event->entrants; i++) {
        if (!event_is_in(&event->entrant[i]))
            continue;
        field->number[field->count] = (uint16_t)(i + 1);
        field->points[field->count++] = points[i];
    }
}

/* Most points first; equals by their numbers, as pairing_tables draws among them. */
static void sort_field(struct field *field)
{
    for (unsigned i = 1; i < field->count; i++) {
        const uint16_t number = field->number[i];
        const uint32_t points = field->points[i];
        unsigned j = i;
        for (; j > 0 && (field->points[j - 1] < points ||
                         (field->points[j - 1] == points && field->number[j - 1] > number));
             j--) {
            field->number[j] = field->number[j - 1];
            field->points[j] = field->points[j - 1];
        }
        field->number[j] = number;
        field->points[j] = points;
    }
}

/* Two have met at a table to which both came. */
static void note_table(struct field *field, const struct event_table *table)
{
    for (unsigned i = 0; i < table->seats; i++) {
        const unsigned a = field->at[table->seat[i] - 1];
        for (unsigned j = 0; j < table->seats; j++) {
            const unsigned b = field->at[table->seat[j] - 1];
            if (i != j && a && b && table->place[i] && table->place[j])
                field->met[(a - 1) * field->count + b - 1]++;
        }
    }
}

static void shuffle_equals(struct event_standing standings[], unsigned count,
                           struct deal_stream *stream)
{
    for (unsigned from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && standings[to].place == standings[from].place;)
            to++;
        for (unsigned i = to - from; i > 1; i--) {
            const unsigned other = from + deal_stream_below(stream, i);
            const struct event_standing moved = standings[from + i - 1];
            standings[from + i - 1] = standings[other];
            standings[other] = moved;
        }
    }
}

/* The first of those who are in it, by all that tells equals apart, and then by lot. False: no
 * memory. */
static bool keep_finalists(struct field *field, const struct event *event,
                           struct deal_stream *stream)
{
    struct event_standing *standings = calloc(event->entrants, sizeof *standings);
    const bool known = standings && event_standings(event, standings);
    unsigned count = 0;
    for (unsigned i = 0; known && i < event->entrants; i++) {
        if (event_is_in(&event->entrant[standings[i].entrant - 1]))
            standings[count++] = standings[i];
    }
    shuffle_equals(standings, count, stream);
    field->count = count < EVENT_FINALISTS ? count : EVENT_FINALISTS;
    for (unsigned i = 0; i < field->count; i++) {
        field->number[i] = standings[i].entrant;
        field->points[i] = standings[i].points;
    }
    free(standings);
    return known;
}

static void fill_seekers(struct field *field, const struct event *event)
{
    for (unsigned i = 0; i < field->count; i++) {
        const struct event_entrant *entrant = &event->entrant[field->number[i] - 1];
        field->at[field->number[i] - 1] = (uint16_t)(i + 1);
        field->seeker[i] =
            (struct pairing_seeker){.points = field->points[i], .began = entrant->began};
    }
    for (unsigned round = 0; round < event->rounds; round++) {
        for (unsigned i = 0; i < event->round[round].tables; i++)
            note_table(field, &event->round[round].table[i]);
    }
}

static bool seat_field(const struct field *field, struct deal_stream *stream,
                       struct event_seating *paired)
{
    const struct pairing_lots lots = {event_draw_lot, stream};
    const struct pairing_met met = {field->met};
    struct pairing_tables tables;
    if (!pairing_tables(field->seeker, field->count, &met, &lots, &tables))
        return false;
    paired->tables = (uint16_t)tables.tables;
    for (unsigned i = 0; i < tables.tables; i++) {
        paired->seats[i] = tables.seats[i];
        for (unsigned seat = 0; seat < tables.seats[i]; seat++)
            paired->seat[i][seat] = field->number[tables.seat[i][seat]];
    }
    return true;
}

static bool pair_tables(const struct event *event, const uint8_t secret[static DEAL_SECRET_BYTES],
                        struct event_seating *paired)
{
    const size_t in = event_count_in(event);
    struct deal_stream stream;
    struct field *field = calloc(1, sizeof *field + in * in);
    if (!field)
        return false;
    gather_field(field, event);
    event_begin_lots(&stream, event, paired->round, secret, field->number, field->points,
                     field->count);
    bool seated = !event_is_final(event, paired->round) || keep_finalists(field, event, &stream);
    if (seated) {
        sort_field(field);
        fill_seekers(field, event);
        seated = seat_field(field, &stream, paired);
    }
    free(field);
    return seated;
}

/* ---- round robin */

/* Who has which number in its tables is drawn once, of all who were there. */
static void pair_robin(const struct event *event, const uint8_t secret[static DEAL_SECRET_BYTES],
                       struct event_seating *paired)
{
    uint16_t numbers[EVENT_ROBIN_ENTRANTS_MAX] = {0};
    struct pairing_round round;
    struct deal_stream stream;
    const unsigned count = event_draw_field(event, secret, numbers, &stream);
    pairing_berger(count, paired->round, &round);
    for (unsigned i = 0; i < round.boards; i++) {
        if (round.board[i].black == 0)
            continue;
        paired->seats[paired->tables] = 2;
        paired->seat[paired->tables][0] = numbers[round.board[i].white - 1];
        paired->seat[paired->tables++][1] = numbers[round.board[i].black - 1];
    }
}

static void pair_cup(const struct event *event, const uint8_t secret[static DEAL_SECRET_BYTES],
                     struct event_seating *paired)
{
    struct cup cup;
    event_read_cup(&cup, event);
    if (event_cup_goes_on(&cup, event))
        event_pair_legs(&cup, event, paired);
    else
        event_pair_stage(&cup, event, secret, paired);
}

bool event_can_pair(const struct event *event)
{
    switch (event->rules.form) {
    case EVENT_TABLES:
        break;
    case EVENT_ROBIN:
    case EVENT_SWISS:
        return event_count_in(event) >= 2;
    case EVENT_CUP:
        return event_cup_can_pair(event);
    case EVENT_GROUPS:
        return event_groups_can_pair(event);
    }
    return event_count_in(event) >= TABLE_SEATS_MIN;
}

bool event_pair(const struct event *event, const uint8_t secret[static DEAL_SECRET_BYTES],
                struct event_seating *paired, bool *memory)
{
    assert(event->phase == EVENT_IS_RUNNING && !event_open_round(event));
    *paired = (struct event_seating){.round = (uint16_t)(event->rounds + 1)};
    *memory = true;
    if (!event_can_pair(event) || event->rounds >= event_planned(event))
        return false;
    switch (event->rules.form) {
    case EVENT_TABLES:
        *memory = pair_tables(event, secret, paired);
        break;
    case EVENT_ROBIN:
        pair_robin(event, secret, paired);
        break;
    case EVENT_CUP:
        pair_cup(event, secret, paired);
        break;
    case EVENT_SWISS:
        return event_pair_swiss(event, secret, paired, memory);
    case EVENT_GROUPS:
        event_pair_groups(event, secret, paired);
        break;
    }
    return *memory;
}
