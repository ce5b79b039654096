#include "robin.h"

#include "sort.h"
#include <pairing/tiebreak.h>
#include <stdlib.h>

enum { DIRECT, WINS, SONNEBORN };

/* Has left before half of it was played: nothing of that counts. */
static void find_who_counts(const struct event *event, struct event_standing standings[])
{
    for (unsigned round = 0; round < event->rounds; round++) {
        for (unsigned i = 0; i < event->round[round].tables; i++) {
            const struct event_table *table = &event->round[round].table[i];
            for (unsigned seat = 0; table->over && seat < table->seats; seat++)
                standings[table->seat[seat] - 1].played += table->place[seat] != 0;
        }
    }
    const unsigned all = event->field > 0 ? event->rules.rounds * (event->field - 1) : 0;
    for (unsigned i = 0; i < event->entrants; i++) {
        const struct event_entrant *entrant = &event->entrant[i];
        const bool was_in = event->field == 0 || entrant->field;
        const bool left_early = !event_is_in(entrant) && 2 * standings[i].played < all;
        standings[i].counts = was_in && !left_early;
    }
}

/* ---- the event as server/pairing knows it */

static char result_of(const struct event_table *table, unsigned seat)
{
    const uint8_t own = table->place[seat], other = table->place[1 - seat];
    if (own == 0)
        return '-';
    if (other == 0)
        return '+';
    return own < other ? '1' : own == other ? '=' : '0';
}

static void note_table(struct pairing_event *played, const struct event_table *table,
                       unsigned round)
{
    for (unsigned seat = 0; seat < 2; seat++)
        played->entrant[table->seat[seat] - 1].meeting[round] =
            (struct pairing_meeting){.opponent = table->seat[1 - seat],
                                     .colour = seat == 0 ? 'w' : 'b',
                                     .result = result_of(table, seat)};
}

static void fill_event(struct pairing_event *played, const struct event *event,
                       const struct event_standing standings[])
{
    played->entrants = event->entrants;
    played->rounds = event->rounds;
    played->points = (struct pairing_points){.win = 10, .draw = 5};
    for (unsigned round = 0; round < event->rounds; round++) {
        for (unsigned i = 0; i < event->entrants; i++)
            played->entrant[i].meeting[round] =
                (struct pairing_meeting){.colour = '-', .result = 'Z'};
        for (unsigned i = 0; i < event->round[round].tables; i++) {
            const struct event_table *table = &event->round[round].table[i];
            if (table->over && standings[table->seat[0] - 1].counts &&
                standings[table->seat[1] - 1].counts)
                note_table(played, table, round);
        }
    }
}

static void fill_standing(const struct pairing_event *played, const unsigned scores[],
                          struct event_standing *standing)
{
    struct pairing_tiebreaks ties;
    pairing_tiebreaks(played, scores, standing->entrant, &ties);
    standing->points = ties.points * (EVENT_POINT / 10);
    standing->tie[SONNEBORN] = ties.sonneborn;
    for (unsigned round = 1; round <= played->rounds; round++)
        standing->tie[WINS] += pairing_meeting_of(played, standing->entrant, round)->result == '1';
}

/* ---- ties */

/* Those with as many points, by the games between them. */
static void rank_equals(const struct pairing_event *played, struct event_standing standings[],
                        unsigned count)
{
    unsigned numbers[EVENT_ROBIN_ENTRANTS_MAX], places[EVENT_ROBIN_ENTRANTS_MAX];
    for (unsigned i = 0; i < count; i++)
        numbers[i] = standings[i].entrant;
    pairing_direct(played, numbers, places, count);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned j = 0; j < count; j++) {
            if (standings[i].entrant == numbers[j])
                standings[i].tie[DIRECT] = -(int64_t)places[j];
        }
    }
}

bool event_rank_robin(const struct event *event, struct event_standing standings[])
{
    struct pairing_event played;
    unsigned scores[EVENT_ROBIN_ENTRANTS_MAX], equals;
    if (!pairing_event_init(&played))
        return false;
    find_who_counts(event, standings);
    fill_event(&played, event, standings);
    for (unsigned i = 0; i < event->entrants; i++)
        scores[i] = pairing_score(&played, i + 1, played.rounds + 1);
    for (unsigned i = 0; i < event->entrants; i++)
        fill_standing(&played, scores, &standings[i]);
    event_sort_standings(standings, event->entrants, 0);
    for (unsigned i = 0; i < event->entrants; i += equals) {
        for (equals = 1; i + equals < event->entrants &&
                         event_standings_equal(&standings[i], &standings[i + equals], 0);)
            equals++;
        rank_equals(&played, standings + i, equals);
    }
    event_sort_standings(standings, event->entrants, EVENT_TIES);
    pairing_event_release(&played);
    return true;
}
