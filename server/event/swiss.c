#include "swiss.h"

#include "lots.h"
#include "sort.h"
#include <event/report.h>
#include <inttypes.h>
#include <pairing/dutch.h>
#include <pairing/tiebreak.h>
#include <stdio.h>
#include <stdlib.h>

enum { CUT, BUCHHOLZ, SONNEBORN, WINS };

/* Which entrant has which number: numbers from 1, in their order. */
struct numbering {
    unsigned count;
    uint16_t entrant[EVENT_ENTRANTS_MAX];
    uint16_t number[EVENT_ENTRANTS_MAX + 1]; /* of each entrant */
    char first;                              /* colour of the first number in the first round */
};

/* ---- numbers */

static void add_number(struct numbering *numbering, unsigned entrant)
{
    numbering->entrant[numbering->count++] = (uint16_t)entrant;
    numbering->number[entrant] = (uint16_t)numbering->count;
}

/* Seeds of those who were there at the beginning; whoever came later is behind them. */
static void draw_numbers(struct numbering *numbering, const struct event *event,
                         const uint8_t secret[static DEAL_SECRET_BYTES])
{
    uint16_t seeds[EVENT_ENTRANTS_MAX];
    struct deal_stream stream;
    const unsigned count = event_draw_seeds(event, secret, seeds, &stream);
    numbering->count = 0;
    numbering->first = event_draw_lot(&stream, 2) == 0 ? 'w' : 'b';
    for (unsigned i = 0; i < count; i++)
        add_number(numbering, seeds[i]);
    for (unsigned i = 0; i < event->entrants; i++) {
        if (!event->entrant[i].field)
            add_number(numbering, i + 1);
    }
}

/* Tie-breaks do not ask who has which. */
static void keep_numbers(struct numbering *numbering, const struct event *event)
{
    numbering->count = 0;
    numbering->first = 'w';
    for (unsigned i = 0; i < event->entrants; i++)
        add_number(numbering, i + 1);
}

/* ---- the event as the Dutch system knows it */

static char result_of(const struct event_table *table, unsigned seat)
{
    const uint8_t own = table->place[seat], other = table->place[1 - seat];
    if (own == 0)
        return '-';
    if (other == 0)
        return '+';
    return own < other ? '1' : own == other ? '=' : '0';
}

static struct pairing_meeting *meeting_of(const struct pairing_event *played,
                                          const struct numbering *numbering, unsigned entrant,
                                          unsigned round)
{
    return &played->entrant[numbering->number[entrant] - 1].meeting[round];
}

static void fill_round(struct pairing_event *played, const struct event *event,
                       const struct numbering *numbering, unsigned round)
{
    const struct event_round *from = &event->round[round];
    for (unsigned i = 0; i < event->entrants; i++)
        *meeting_of(played, numbering, i + 1, round) =
            (struct pairing_meeting){.colour = '-', .result = from->rests == i + 1 ? 'U' : 'Z'};
    for (unsigned i = 0; i < from->tables; i++) {
        const struct event_table *table = &from->table[i];
        for (unsigned seat = 0; seat < 2; seat++)
            *meeting_of(played, numbering, table->seat[seat], round) =
                (struct pairing_meeting){.opponent = numbering->number[table->seat[1 - seat]],
                                         .colour = seat == 0 ? 'w' : 'b',
                                         .result = result_of(table, seat)};
    }
}

/* Of rounds that are over. */
static bool fill_event(struct pairing_event *played, const struct event *event,
                       const struct numbering *numbering)
{
    if (!pairing_event_init(played))
        return false;
    played->entrants = event->entrants;
    played->rounds = event->rounds - (event_open_round(event) != NULL);
    played->planned = event->rules.rounds;
    played->first = numbering->first;
    for (unsigned round = 0; round < played->rounds; round++)
        fill_round(played, event, numbering, round);
    for (unsigned i = 0; i < event->entrants; i++) {
        struct pairing_entrant *entrant = &played->entrant[numbering->number[i + 1] - 1];
        entrant->rating = event->entrant[i].rating;
        entrant->away = !event_is_in(&event->entrant[i]);
        if (entrant->away)
            entrant->meeting[played->rounds] =
                (struct pairing_meeting){.colour = '-', .result = 'Z'};
    }
    return true;
}

bool event_report(struct pairing_event *report, const struct event *event,
                  const uint8_t secret[static DEAL_SECRET_BYTES])
{
    struct numbering numbering;
    draw_numbers(&numbering, event, secret);
    if (!fill_event(report, event, &numbering))
        return false;
    (void)snprintf(report->title, sizeof report->title, "%s", event->rules.title);
    for (unsigned i = 0; i < event->entrants; i++) {
        struct pairing_entrant *entrant = &report->entrant[numbering.number[i + 1] - 1];
        const struct event_entrant *from = &event->entrant[i];
        int len = snprintf(entrant->name, sizeof entrant->name, "%016" PRIx64, from->account);
        if (from->partner != 0)
            (void)snprintf(entrant->name + len, sizeof entrant->name - (size_t)len, "/%016" PRIx64,
                           from->partner);
    }
    return true;
}

/* ---- a round */

static void write_tables(const struct pairing_round *round, const struct numbering *numbering,
                         struct event_seating *paired)
{
    for (unsigned i = 0; i < round->boards; i++) {
        if (round->board[i].black == 0)
            continue;
        paired->seats[paired->tables] = 2;
        paired->seat[paired->tables][0] = numbering->entrant[round->board[i].white - 1];
        paired->seat[paired->tables++][1] = numbering->entrant[round->board[i].black - 1];
    }
}

bool event_pair_swiss(const struct event *event, const uint8_t secret[static DEAL_SECRET_BYTES],
                      struct event_seating *paired, bool *memory)
{
    struct numbering numbering;
    struct pairing_event played;
    struct pairing_round round;
    draw_numbers(&numbering, event, secret);
    *memory = fill_event(&played, event, &numbering);
    if (!*memory)
        return false;
    const enum pairing_outcome outcome = pairing_dutch(&played, played.rounds + 1, &round);
    pairing_event_release(&played);
    *memory = outcome != PAIRING_OUT_OF_MEMORY;
    if (outcome != PAIRING_DONE)
        return false;
    write_tables(&round, &numbering, paired);
    return true;
}

/* ---- standings */

static void count_played(const struct event *event, struct event_standing standings[])
{
    for (unsigned round = 0; round < event->rounds; round++) {
        for (unsigned i = 0; i < event->round[round].tables; i++) {
            const struct event_table *table = &event->round[round].table[i];
            for (unsigned seat = 0; table->over && seat < 2; seat++) {
                struct event_standing *standing = &standings[table->seat[seat] - 1];
                standing->played += table->place[seat] != 0;
                standing->tie[WINS] += result_of(table, seat) == '1';
            }
        }
    }
}

bool event_rank_swiss(const struct event *event, struct event_standing standings[])
{
    struct numbering numbering;
    struct pairing_event played;
    unsigned scores[EVENT_ENTRANTS_MAX];
    keep_numbers(&numbering, event);
    if (!fill_event(&played, event, &numbering))
        return false;
    count_played(event, standings);
    pairing_adjusted_scores(&played, scores);
    for (unsigned i = 0; i < event->entrants; i++) {
        struct pairing_tiebreaks ties;
        pairing_tiebreaks(&played, scores, i + 1, &ties);
        standings[i].tie[CUT] = ties.buchholz_cut;
        standings[i].tie[BUCHHOLZ] = ties.buchholz;
        standings[i].tie[SONNEBORN] = ties.sonneborn;
    }
    pairing_event_release(&played);
    event_sort_standings(standings, event->entrants, EVENT_TIES);
    return true;
}
