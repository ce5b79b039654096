#include "survey.h"

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

static void find_beside(struct free_field *field, const struct survey *survey,
                        const struct board *board)
{
    for (unsigned d = 0; d < 6; d++) {
        const unsigned other = board->near[field->cell][d];
        const uint8_t number = survey->of[other];
        if (number == 0 || memchr(field->beside, number, field->n_beside))
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

static void add_free(struct survey *survey, const struct board *board, unsigned cell)
{
    struct free_field *const field = &survey->free[survey->n_free++];
    memset(field, 0, sizeof *field);
    field->cell = (uint8_t)cell;
    if (survey->beside_any[cell] != 0) {
        find_beside(field, survey, board);
        count_beside(survey, board, field);
        if (field->n_beside > 1)
            count_joins(survey, board, field);
    }
    count_for_seats(survey, board, field);
}

/* ---- eruptions */

struct eruption {
    uint8_t cells[3]; /* the volcano first */
    uint8_t level;    /* of what is covered */
};

static bool is_whole(const struct survey *survey, const struct eruption *eruption, unsigned number)
{
    unsigned covered = 0;
    for (unsigned i = 0; i < 3; i++)
        covered += survey->of[eruption->cells[i]] == number;
    return covered == survey->settlements[number].size;
}

static bool keeps_settlements(const struct survey *survey, const struct eruption *eruption)
{
    for (unsigned i = 1; i < 3; i++) {
        const unsigned number = survey->of[eruption->cells[i]];
        if (number != 0 && is_whole(survey, eruption, number))
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

/* Every piece is beside a hex that was covered, which is a free field now. */
static void count_pieces(struct survey *survey, const struct board *board,
                         const struct eruption *eruption, unsigned number)
{
    struct settlement *const settlement = &survey->settlements[number];
    uint8_t seen[BOARD_CELLS];
    unsigned largest = 0;
    bool frees_large = false, frees_tower = false;
    memset(seen, 0, sizeof seen);
    for (unsigned i = 1; i < 3; i++) /* the first is the volcano, on which nobody is */
        seen[eruption->cells[i]] = 1;
    for (unsigned i = 1; i < 3; i++) {
        if (survey->of[eruption->cells[i]] != number)
            continue;
        for (unsigned d = 0; d < 6; d++) {
            const unsigned other = board->near[eruption->cells[i]][d];
            if (survey->of[other] != number || seen[other] != 0)
                continue;
            const struct piece piece = find_piece(survey, board, other, seen);
            largest = piece.size > largest ? piece.size : largest;
            frees_large |= piece.temples == 0 && piece.size >= SURVEY_LARGE;
            frees_tower |= piece.towers == 0 && eruption->level + 1 >= SURVEY_HIGH;
        }
    }
    if (largest < settlement->after_cut)
        settlement->after_cut = (uint8_t)largest;
    settlement->frees_large = (uint8_t)(settlement->frees_large + frees_large);
    settlement->frees_tower = (uint8_t)(settlement->frees_tower + frees_tower);
}

static void count_cuts(struct survey *survey, const struct board *board,
                       const struct eruption *eruption)
{
    enum { LARGE_AND_TEMPLE = SURVEY_LARGE + 2 };
    for (unsigned i = 1; i < 3; i++) {
        const unsigned number = survey->of[eruption->cells[i]];
        if (number == 0 || (i == 2 && number == survey->of[eruption->cells[1]]))
            continue;
        const struct settlement *const settlement = &survey->settlements[number];
        if (settlement->temples > 0 ? settlement->size >= LARGE_AND_TEMPLE
                                    : settlement->size >= SURVEY_LARGE)
            count_pieces(survey, board, eruption, number);
    }
}

/* The two new fields, as seen by the settlements beside them that want a tower. */
static void count_new_fields(struct survey *survey, const struct board *board,
                             const struct eruption *eruption)
{
    uint8_t done[12];
    unsigned n_done = 0;
    for (unsigned i = 1; i < 3; i++) {
        for (unsigned d = 0; d < 6 && survey->beside_any[eruption->cells[i]] != 0; d++) {
            const unsigned other = board->near[eruption->cells[i]][d];
            const uint8_t number = survey->of[other];
            if (number == 0 || survey->settlements[number].towers > 0 ||
                memchr(eruption->cells, (int)other, 3) || memchr(done, number, n_done))
                continue;
            struct settlement *const settlement = &survey->settlements[number];
            done[n_done++] = number;
            if (eruption->level + 1 >= SURVEY_HIGH)
                settlement->makes_high++;
            else
                settlement->makes_middle++;
        }
    }
}

/* Directions in which both hexes beside the volcano are level with it and may be built over. */
static unsigned open_ways(const struct board *board, unsigned volcano)
{
    unsigned fits = 0;
    for (unsigned d = 0; d < 6; d++) {
        const unsigned cell = board->near[volcano][d];
        fits |= (unsigned)(board->level[cell] == board->level[volcano] &&
                           board->kind[cell] == TALUVA_HUT)
                << d;
    }
    fits &= fits >> 1 | fits << 5;
    return board->facing[volcano] < 6 ? fits & ~(1U << board->facing[volcano]) : fits;
}

static void add_eruptions(struct survey *survey, const struct board *board, unsigned volcano,
                          uint8_t covered[BOARD_CELLS])
{
    struct eruption eruption = {.cells = {(uint8_t)volcano}, .level = board->level[volcano]};
    for (unsigned ways = open_ways(board, volcano); ways != 0; ways &= ways - 1) {
        const unsigned k = (unsigned)__builtin_ctz(ways);
        eruption.cells[1] = board->near[volcano][k];
        eruption.cells[2] = board->near[volcano][k == 5 ? 0 : k + 1];
        if (!keeps_settlements(survey, &eruption))
            continue;
        survey->eruptions++;
        covered[eruption.cells[1]] = 1;
        covered[eruption.cells[2]] = 1;
        if ((survey->of[eruption.cells[1]] | survey->of[eruption.cells[2]]) != 0)
            count_cuts(survey, board, &eruption);
        count_new_fields(survey, board, &eruption);
    }
}

static void find_eruptions(struct survey *survey, const struct board *board)
{
    uint8_t covered[BOARD_CELLS];
    memset(covered, 0, sizeof covered);
    for (unsigned cell = 0; cell < board->n_cells; cell++) {
        if (board->terrain[cell] == TALUVA_VOLCANO)
            add_eruptions(survey, board, cell, covered);
    }
    for (unsigned cell = 0; cell < board->n_cells; cell++) {
        if (covered[cell] != 0 && survey->of[cell] != 0)
            survey->coverable[board->owner[cell]]++;
    }
}

void survey_init(struct survey *survey, const struct board *board)
{
    survey->n = 0;
    survey->n_free = 0;
    survey->eruptions = 0;
    memset(survey->spots, 0, sizeof survey->spots);
    memset(survey->fields, 0, sizeof survey->fields);
    memset(survey->coverable, 0, sizeof survey->coverable);
    memset(survey->of, 0, sizeof survey->of);
    memset(survey->beside_any, 0, sizeof survey->beside_any);
    for (unsigned cell = 0; cell < board->n_cells; cell++) {
        if (board->owner[cell] != TALUVA_NO_SEAT && survey->of[cell] == 0)
            add_settlement(survey, board, cell);
    }
    for (unsigned cell = 0; cell < board->n_cells; cell++) {
        if (board_is_free(board, cell))
            add_free(survey, board, cell);
    }
    find_eruptions(survey, board);
}
