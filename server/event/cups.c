#include "cups.h"

#include "lots.h"
#include "sort.h"
#include <pairing/cup.h>
#include <string.h>

/* ---- what the tables have decided */

/* By what has been played of it, and where nothing tells the sides apart in the last round, by who
 * was there, and by the seed. 0 or 1; 2: both are, as neither ever came. */
static unsigned find_loser(const struct cup_tie *tie)
{
    if (tie->won[0] != tie->won[1])
        return tie->won[0] > tie->won[1];
    if (!tie->there[0] && !tie->there[1])
        return 2;
    return tie->there[0];
}

/* Somebody has won more than half of the tables that there can be, or all have been played. */
static bool is_decided(const struct cup *cup, const struct event *event, const struct cup_tie *tie)
{
    const unsigned legs = event->rules.rounds;
    return cup->legs >= legs || 2U * tie->won[0] > legs || 2U * tie->won[1] > legs;
}

static void note_loser(struct cup *cup, const struct cup_tie *tie)
{
    const unsigned loser = find_loser(tie);
    for (unsigned i = 0; i < 2; i++) {
        const bool lost = loser == i || loser == 2;
        if (tie->third)
            cup->third[tie->side[i] - 1] = lost ? 1 : 2;
        else if (lost)
            cup->out[tie->side[i] - 1] = (uint8_t)cup->stages;
    }
}

static struct cup_tie *find_tie(struct cup *cup, unsigned number)
{
    unsigned i = 0;
    while (cup->tie[i].side[0] != number && cup->tie[i].side[1] != number)
        i++;
    return &cup->tie[i];
}

static void note_table(struct cup *cup, const struct event_table *table)
{
    struct cup_tie *tie = find_tie(cup, table->seat[0]);
    for (unsigned seat = 0; table->over && seat < 2; seat++) {
        const unsigned own = table->place[seat], other = table->place[1 - seat];
        const unsigned side = table->seat[seat] == tie->side[0] ? 0 : 1;
        tie->there[side] |= own != 0;
        if (own != 0 && (other == 0 || own < other))
            tie->won[side]++;
    }
}

/* Those who are out play for the third place alone. */
static void begin_stage(struct cup *cup, const struct event_round *round)
{
    cup->stages++;
    cup->legs = 0;
    cup->ties = round->tables;
    for (unsigned i = 0; i < round->tables; i++) {
        const struct event_table *table = &round->table[i];
        cup->tie[i] = (struct cup_tie){.side = {table->seat[0], table->seat[1]},
                                       .third = cup->out[table->seat[0] - 1] != 0};
    }
}

void event_read_cup(struct cup *cup, const struct event *event)
{
    memset(cup, 0, sizeof *cup);
    for (unsigned i = 0; i < event->rounds; i++) {
        const struct event_round *round = &event->round[i];
        if (!event_cup_goes_on(cup, event))
            begin_stage(cup, round);
        cup->legs++;
        for (unsigned table = 0; table < round->tables; table++)
            note_table(cup, &round->table[table]);
        const bool ended = round->open == 0 && !event_cup_goes_on(cup, event);
        for (unsigned tie = 0; ended && tie < cup->ties; tie++)
            note_loser(cup, &cup->tie[tie]);
    }
}

bool event_cup_goes_on(const struct cup *cup, const struct event *event)
{
    for (unsigned i = 0; i < cup->ties; i++) {
        if (!is_decided(cup, event, &cup->tie[i]))
            return true;
    }
    return false;
}

/* ---- who plays next */

static unsigned count_left(const struct cup *cup, const struct event *event, bool in)
{
    unsigned left = 0;
    for (unsigned i = 0; i < event->entrants; i++) {
        const struct event_entrant *entrant = &event->entrant[i];
        left += entrant->field && cup->out[i] == 0 && (!in || event_is_in(entrant));
    }
    return left;
}

static void add_table(struct event_seating *paired, unsigned first, unsigned second)
{
    paired->seats[paired->tables] = 2;
    paired->seat[paired->tables][0] = (uint16_t)first;
    paired->seat[paired->tables++][1] = (uint16_t)second;
}

void event_pair_legs(const struct cup *cup, const struct event *event, struct event_seating *paired)
{
    for (unsigned i = 0; i < cup->ties; i++) {
        const struct cup_tie *tie = &cup->tie[i];
        if (!is_decided(cup, event, tie))
            add_table(paired, tie->side[cup->legs % 2], tie->side[1 - cup->legs % 2]);
    }
}

static bool has_tie(const struct pairing_round *boards)
{
    bool has = false;
    for (unsigned i = 0; i < boards->boards; i++)
        has |= boards->board[i].black != 0;
    return has;
}

/* The ties of the next stage, of the bracket that is drawn. Rounds of the bracket in which nobody
 * has an opponent are none. */
static void find_boards(const struct cup *cup, const uint16_t seeds[], unsigned count,
                        struct pairing_round *boards)
{
    uint8_t out[EVENT_ENTRANTS_MAX] = {0};
    unsigned stage = 0;
    for (unsigned round = 1; round <= pairing_cup_rounds(count); round++) {
        pairing_cup(count, out, round, boards);
        if (!has_tie(boards))
            continue;
        if (++stage > cup->stages)
            break;
        for (unsigned i = 0; i < count; i++) {
            if (cup->out[seeds[i] - 1] == stage)
                out[i] = (uint8_t)round;
        }
    }
}

/* The two who have just missed the last tie, the better seed first. */
static void pair_third(const struct cup *cup, const uint16_t seeds[], unsigned count,
                       struct event_seating *paired)
{
    uint16_t side[2] = {0};
    unsigned found = 0;
    for (unsigned i = 0; i < count; i++) {
        if (cup->stages == 0 || cup->out[seeds[i] - 1] != cup->stages)
            continue;
        if (found < 2)
            side[found] = seeds[i];
        found++;
    }
    if (found == 2)
        add_table(paired, side[0], side[1]);
}

void event_pair_stage(const struct cup *cup, const struct event *event,
                      const uint8_t secret[static DEAL_SECRET_BYTES], struct event_seating *paired)
{
    uint16_t seeds[EVENT_ENTRANTS_MAX];
    struct deal_stream stream;
    struct pairing_round boards;
    const unsigned count = event_draw_seeds(event, secret, seeds, &stream);
    find_boards(cup, seeds, count, &boards);
    for (unsigned i = 0; i < boards.boards; i++) {
        if (boards.board[i].black != 0)
            add_table(paired, seeds[boards.board[i].white - 1], seeds[boards.board[i].black - 1]);
    }
    if (event->rules.final && count_left(cup, event, false) == 2)
        pair_third(cup, seeds, count, paired);
}

bool event_cup_can_pair(const struct event *event)
{
    struct cup cup;
    event_read_cup(&cup, event);
    return event_cup_goes_on(&cup, event) || count_left(&cup, event, true) >= 2;
}

bool event_cup_is_out(const struct event *event, unsigned number)
{
    struct cup cup;
    event_read_cup(&cup, event);
    return !event->entrant[number - 1].field || cup.out[number - 1] != 0;
}

/* ---- tables that somebody else has made */

static bool are_next_legs(const struct cup *cup, const struct event *event,
                          const struct event_seating *paired)
{
    struct event_seating next = {0};
    event_pair_legs(cup, event, &next);
    if (next.tables != paired->tables)
        return false;
    for (unsigned i = 0; i < next.tables; i++) {
        if (paired->seat[i][0] != next.seat[i][0] || paired->seat[i][1] != next.seat[i][1])
            return false;
    }
    return true;
}

/* The last of two tables may be for the third place, of two who went out in the stage before. */
static bool may_meet(const struct cup *cup, const struct event *event,
                     const struct event_seating *paired, unsigned table)
{
    const unsigned a = paired->seat[table][0] - 1U, b = paired->seat[table][1] - 1U;
    const bool third = event->rules.final && paired->tables == 2 && table == 1;
    return event->entrant[a].field && event->entrant[b].field && cup->out[a] == cup->out[b] &&
           (cup->out[a] == 0 || (third && cup->out[a] == cup->stages));
}

bool event_cup_may_pair(const struct event *event, const struct event_seating *paired)
{
    struct cup cup;
    event_read_cup(&cup, event);
    if (event_cup_goes_on(&cup, event))
        return are_next_legs(&cup, event, paired);
    for (unsigned table = 0; table < paired->tables; table++) {
        if (!may_meet(&cup, event, paired, table))
            return false;
    }
    return true;
}

/* ---- standings */

/* Whoever is still in the cup is first; whoever has left it without having lost comes next, and
 * then who went out last. */
static unsigned measure_way(const struct cup *cup, const struct event_entrant *entrant,
                            unsigned out)
{
    if (!entrant->field)
        return 0;
    return out != 0 ? 2 * out : 2 * cup->stages + 1 + event_is_in(entrant);
}

void event_rank_cup(const struct event *event, struct event_standing standings[])
{
    struct cup cup;
    event_read_cup(&cup, event);
    for (unsigned i = 0; i < event->entrants; i++) {
        standings[i].points = 0;
        standings[i].final = (uint8_t)measure_way(&cup, &event->entrant[i], cup.out[i]);
        standings[i].tie[0] = cup.third[i];
    }
    for (unsigned round = 0; round < event->rounds; round++) {
        for (unsigned i = 0; i < event->round[round].tables; i++) {
            const struct event_table *table = &event->round[round].table[i];
            for (unsigned seat = 0; table->over && seat < 2; seat++)
                standings[table->seat[seat] - 1].played += table->place[seat] != 0;
        }
    }
    event_sort_standings(standings, event->entrants, EVENT_TIES);
}
