#include "survey.h"

#include "ground.h"
#include <string.h>

/* ---- settlements and free fields */

static void add_settlement(struct survey *survey, const struct board *board, unsigned first)
{
    const unsigned number = ++survey->n;
    struct settlement *const settlement = &survey->settlements[number];
    uint8_t todo[TALUVA_HEXES_MAX];
    unsigned n_todo = 1;
    memset(settlement, 0, sizeof *settlement);
    settlement->owner = board->owner[first];
    todo[0] = (uint8_t)first;
    survey->of[first] = (uint8_t)number;
    while (n_todo > 0) {
        const unsigned cell = todo[--n_todo];
        settlement->size++;
        for (unsigned d = 0; d < 6; d++)
            survey->beside_any[board->near[cell][d]] = 1;
        settlement->towers = (uint8_t)(settlement->towers + (board->kind[cell] == TALUVA_TOWER));
        settlement->temples = (uint8_t)(settlement->temples + (board->kind[cell] == TALUVA_TEMPLE));
        for (unsigned d = 0; d < 6; d++) {
            const unsigned other = board->near[cell][d];
            if (board->owner[other] != settlement->owner || survey->of[other] != 0)
                continue;
            survey->of[other] = (uint8_t)number;
            todo[n_todo++] = (uint8_t)other;
        }
    }
    settlement->after_cut = settlement->size;
}

static bool is_among(const uint8_t *list, unsigned n, unsigned number)
{
    for (unsigned i = 0; i < n; i++) {
        if (list[i] == number)
            return true;
    }
    return false;
}

static void find_beside(struct free_field *field, const struct survey *survey,
                        const struct board *board)
{
    for (unsigned d = 0; d < 6; d++) {
        const unsigned other = board->near[field->cell][d];
        const uint8_t number = survey->of[other];
        if (number == 0 || is_among(field->beside, field->n_beside, number))
            continue;
        field->beside[field->n_beside++] = number;
        field->owners |= (uint8_t)(1u << board->owner[other]);
    }
}

static void count_beside(struct survey *survey, const struct board *board,
                         const struct free_field *field)
{
    const uint8_t level = board->level[field->cell], terrain = board->terrain[field->cell];
    for (unsigned i = 0; i < field->n_beside; i++) {
        struct settlement *const settlement = &survey->settlements[field->beside[i]];
        const unsigned cost = settlement->cost[terrain] + level;
        settlement->free++;
        settlement->high = (uint8_t)(settlement->high + (level >= SURVEY_HIGH));
        settlement->middle = (uint8_t)(settlement->middle + (level == SURVEY_HIGH - 1));
        settlement->cost[terrain] = (uint8_t)(cost > UINT8_MAX ? UINT8_MAX : cost);
        settlement->gain[terrain]++;
    }
}

/* An expansion over the field joins settlements of one owner. */
static void count_joins(struct survey *survey, const struct board *board,
                        const struct free_field *field)
{
    for (unsigned i = 0; i < field->n_beside; i++) {
        struct settlement *const settlement = &survey->settlements[field->beside[i]];
        for (unsigned j = 0; j < field->n_beside; j++) {
            const struct settlement *const other = &survey->settlements[field->beside[j]];
            if (i != j && other->owner == settlement->owner && other->temples > 0)
                settlement->meets_temple |= (uint8_t)(1u << board->terrain[field->cell]);
        }
    }
}

static void count_for_seats(struct survey *survey, const struct board *board,
                            const struct free_field *field)
{
    const bool hut = board->level[field->cell] == 1;
    const bool anywhere = board->game->options.huts_anywhere;
    for (unsigned seat = 0; seat < board->game->options.seats; seat++) {
        const unsigned beside = field->owners >> seat & 1;
        survey->fields[seat] = (uint8_t)(survey->fields[seat] + beside);
        survey->spots[seat] = (uint8_t)(survey->spots[seat] + (hut && (anywhere || !beside)));
    }
}

/* Beside no settlement: most fields are, and any seat may found one there. */
static void add_lonely(struct survey *survey, const struct board *board,
                       const struct free_field *field)
{
    const uint8_t hut = board->level[field->cell] == 1;
    for (unsigned seat = 0; seat < board->game->options.seats; seat++)
        survey->spots[seat] = (uint8_t)(survey->spots[seat] + hut);
}

static void add_free(struct survey *survey, const struct board *board, unsigned cell)
{
    struct free_field *const field = &survey->free[survey->n_free++];
    *field = (struct free_field){.cell = (uint8_t)cell};
    if (survey->beside_any[cell] == 0) {
        add_lonely(survey, board, field);
        return;
    }
    find_beside(field, survey, board);
    count_beside(survey, board, field);
    if (field->n_beside > 1)
        count_joins(survey, board, field);
    count_for_seats(survey, board, field);
}

/* ---- eruptions */

/* An eruption, with the settlements on the two cells that it covers. */
struct eruption {
    const struct opening *opening;
    uint8_t numbers[2]; /* 0: nobody */
};

/* How many of its cells the eruption covers. */
static unsigned count_covered(const struct eruption *eruption, unsigned number)
{
    return (unsigned)(eruption->numbers[0] == number) + (eruption->numbers[1] == number);
}

static bool keeps_settlements(const struct survey *survey, const struct eruption *eruption)
{
    for (unsigned i = 0; i < 2; i++) {
        const unsigned number = eruption->numbers[i];
        if (number != 0 && survey->settlements[number].size == count_covered(eruption, number))
            return false;
    }
    return true;
}

/* What hangs together of a settlement once an eruption has covered some of it. */
struct piece {
    unsigned size, temples, towers;
};

static struct piece find_piece(const struct survey *survey, const struct board *board,
                               unsigned first, uint8_t seen[BOARD_CELLS])
{
    const unsigned number = survey->of[first];
    struct piece piece = {0, 0, 0};
    uint8_t todo[TALUVA_HEXES_MAX];
    unsigned n_todo = 1;
    todo[0] = (uint8_t)first;
    seen[first] = 1;
    while (n_todo > 0) {
        const unsigned cell = todo[--n_todo];
        piece.size++;
        piece.temples += board->kind[cell] == TALUVA_TEMPLE;
        piece.towers += board->kind[cell] == TALUVA_TOWER;
        for (unsigned d = 0; d < 6; d++) {
            const unsigned other = board->near[cell][d];
            if (survey->of[other] != number || seen[other] != 0)
                continue;
            seen[other] = 1;
            todo[n_todo++] = (uint8_t)other;
        }
    }
    return piece;
}

/* What an eruption does to one settlement. */
struct cut {
    unsigned largest;
    bool frees_large, frees_tower;
};

static void add_piece(struct cut *cut, const struct piece *piece, const struct opening *opening)
{
    cut->largest = piece->size > cut->largest ? piece->size : cut->largest;
    cut->frees_large |= piece->temples == 0 && piece->size >= SURVEY_LARGE;
    cut->frees_tower |= piece->towers == 0 && opening->level + 1 >= SURVEY_HIGH;
}

/*
 * The settlement's hexes beside those that are covered, which are free fields now: every piece has
 * one. If they follow each other without a gap it is one piece.
 */
struct rim {
    unsigned n, gaps;
    uint8_t cells[GROUND_RING];
};

static void find_rim(struct rim *rim, const struct survey *survey, const struct eruption *eruption,
                     unsigned number)
{
    const uint8_t *const ring = eruption->opening->ring;
    const unsigned from = eruption->numbers[0] == number ? 0 : 3;
    const unsigned to = eruption->numbers[1] == number ? GROUND_RING : 4;
    unsigned last = to;
    rim->n = 0;
    rim->gaps = 0;
    for (unsigned i = from; i < to; i++) {
        if (survey->of[ring[i]] != number)
            continue;
        rim->gaps += last != to && last + 1 != i;
        rim->cells[rim->n++] = ring[i];
        last = i;
    }
}

static void find_pieces(struct cut *cut, const struct survey *survey, const struct board *board,
                        const struct eruption *eruption, const struct rim *rim)
{
    uint8_t seen[BOARD_CELLS];
    memset(seen, 0, sizeof seen);
    for (unsigned i = 0; i < 2; i++)
        seen[eruption->opening->cells[i]] = 1;
    for (unsigned i = 0; i < rim->n; i++) {
        if (seen[rim->cells[i]] != 0)
            continue;
        const struct piece piece = find_piece(survey, board, rim->cells[i], seen);
        add_piece(cut, &piece, eruption->opening);
    }
}

static void count_pieces(struct survey *survey, const struct board *board,
                         const struct eruption *eruption, unsigned number)
{
    struct settlement *const settlement = &survey->settlements[number];
    struct cut cut = {0, false, false};
    struct rim rim;
    find_rim(&rim, survey, eruption, number);
    if (rim.gaps > 0) {
        find_pieces(&cut, survey, board, eruption, &rim);
    } else {
        const struct piece rest = {settlement->size - count_covered(eruption, number),
                                   settlement->temples, settlement->towers};
        add_piece(&cut, &rest, eruption->opening);
    }
    if (cut.largest < settlement->after_cut)
        settlement->after_cut = (uint8_t)cut.largest;
    settlement->frees_large = (uint8_t)(settlement->frees_large + cut.frees_large);
    settlement->frees_tower = (uint8_t)(settlement->frees_tower + cut.frees_tower);
}

static void count_cuts(struct survey *survey, const struct board *board,
                       const struct eruption *eruption)
{
    enum { LARGE_AND_TEMPLE = SURVEY_LARGE + 2 };
    for (unsigned i = 0; i < 2; i++) {
        const unsigned number = eruption->numbers[i];
        if (number == 0 || (i == 1 && number == eruption->numbers[0]))
            continue;
        const struct settlement *const settlement = &survey->settlements[number];
        if (settlement->temples > 0 ? settlement->size >= LARGE_AND_TEMPLE
                                    : settlement->size >= SURVEY_LARGE)
            count_pieces(survey, board, eruption, number);
    }
}

/* The two new fields, as seen by the settlements beside them that want a tower. */
static void count_new_fields(struct survey *survey, const struct opening *opening)
{
    uint8_t done[GROUND_RING];
    unsigned n_done = 0;
    for (unsigned i = 0; i < GROUND_RING; i++) {
        const uint8_t number = survey->of[opening->ring[i]];
        if (number == 0 || survey->settlements[number].towers > 0 || is_among(done, n_done, number))
            continue;
        struct settlement *const settlement = &survey->settlements[number];
        done[n_done++] = number;
        if (opening->level + 1 >= SURVEY_HIGH)
            settlement->makes_high++;
        else
            settlement->makes_middle++;
    }
}

static void add_eruption(struct survey *survey, const struct board *board,
                         const struct opening *opening, uint8_t covered[BOARD_CELLS])
{
    const struct eruption eruption = {
        opening, {survey->of[opening->cells[0]], survey->of[opening->cells[1]]}};
    if (!keeps_settlements(survey, &eruption))
        return;
    survey->eruptions++;
    for (unsigned i = 0; i < 2; i++) {
        const unsigned cell = opening->cells[i];
        if (eruption.numbers[i] == 0 || covered[cell] != 0)
            continue;
        covered[cell] = 1;
        survey->coverable[board->owner[cell]]++;
    }
    count_cuts(survey, board, &eruption);
    if ((survey->beside_any[opening->cells[0]] | survey->beside_any[opening->cells[1]]) != 0)
        count_new_fields(survey, opening);
}

static void find_eruptions(struct survey *survey, const struct board *board,
                           const struct ground *ground)
{
    uint8_t covered[BOARD_CELLS];
    memset(covered, 0, sizeof covered);
    for (unsigned i = 0; i < ground->n_openings; i++) {
        const struct opening *const opening = &ground->openings[i];
        if (board->kind[opening->cells[0]] == TALUVA_HUT &&
            board->kind[opening->cells[1]] == TALUVA_HUT)
            add_eruption(survey, board, opening, covered);
    }
}

void survey_on(struct survey *survey, const struct board *board, const struct ground *ground)
{
    survey->n = 0;
    survey->n_free = 0;
    survey->eruptions = 0;
    memset(survey->spots, 0, sizeof survey->spots);
    memset(survey->fields, 0, sizeof survey->fields);
    memset(survey->coverable, 0, sizeof survey->coverable);
    memset(survey->of, 0, sizeof survey->of);
    memset(survey->beside_any, 0, sizeof survey->beside_any);
    for (unsigned i = 0; i < ground->n_land; i++) {
        const unsigned cell = ground->land[i];
        if (board->owner[cell] != TALUVA_NO_SEAT && survey->of[cell] == 0)
            add_settlement(survey, board, cell);
    }
    for (unsigned i = 0; i < ground->n_land; i++) {
        if (board->owner[ground->land[i]] == TALUVA_NO_SEAT)
            add_free(survey, board, ground->land[i]);
    }
    find_eruptions(survey, board, ground);
}

void survey_init(struct survey *survey, const struct board *board)
{
    struct ground ground;
    ground_init(&ground, board);
    survey_on(survey, board, &ground);
}
