#include "event_walk.h"

#include <check.h>

void event_walk_begin(struct event_walk *walk, uint64_t seed, unsigned entrants, unsigned rounds)
{
    *walk = (struct event_walk){.rng = {seed}};
    ck_assert(pairing_event_init(&walk->event));
    walk->event.entrants = entrants;
    walk->event.planned = rounds;
    walk->event.first = rng_below(&walk->rng, 2) == 0 ? 'w' : 'b';
    walk->absent = rng_below(&walk->rng, 3) * 10;
    walk->forfeit = rng_below(&walk->rng, 3) * 5;
    walk->event.baku = seed % 4 == 0;
    for (unsigned i = 0; seed % 8 == 1 && i < entrants; i++)
        walk->event.entrant[i].extra[rng_below(&walk->rng, rounds)] =
            (uint16_t)(5 * rng_below(&walk->rng, 3));
}

void event_walk_end(struct event_walk *walk)
{
    pairing_event_release(&walk->event);
}

void event_walk_choose_away(struct event_walk *walk)
{
    for (unsigned i = 0; i < walk->event.entrants; i++)
        walk->event.entrant[i].away = rng_below(&walk->rng, 100) < walk->absent;
}

static void note_meeting(struct event_walk *walk, unsigned number, unsigned opponent, char colour,
                         char result)
{
    walk->event.entrant[number - 1].meeting[walk->event.rounds] = (struct pairing_meeting){
        .opponent = (uint16_t)opponent, .colour = colour, .result = result};
}

static void play_board(struct event_walk *walk, unsigned white, unsigned black)
{
    static const char played[][3] = {"10", "01", "==", "WL", "10", "01"};
    static const char forfeits[][3] = {"+-", "-+", "--"};
    const char *result = rng_below(&walk->rng, 100) < walk->forfeit
                             ? forfeits[rng_below(&walk->rng, 3)]
                             : played[rng_below(&walk->rng, 6)];
    note_meeting(walk, white, black, 'w', result[0]);
    note_meeting(walk, black, white, 'b', result[1]);
}

void event_walk_play(struct event_walk *walk, const struct pairing_round *round)
{
    for (unsigned number = 1; number <= walk->event.entrants; number++)
        note_meeting(walk, number, 0, '-', "ZHFZ"[rng_below(&walk->rng, 4)]);
    for (unsigned i = 0; i < round->boards; i++) {
        if (round->board[i].black == 0)
            note_meeting(walk, round->board[i].white, 0, '-', 'U');
        else
            play_board(walk, round->board[i].white, round->board[i].black);
    }
    walk->event.rounds++;
}
