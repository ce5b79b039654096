#include "builds.h"

#include <string.h>

/* Worth by hand; the net decides among those that are kept. */
enum {
    WORTH_TEMPLE = 1000,
    WORTH_TOWER = 900,
    WORTH_BOAT = 300,
    WORTH_LARGE = 250, /* a settlement grows to SURVEY_LARGE */
    WORTH_PAIR = 100,
    WORTH_HUT = 70,
    WORTH_FREE = 8,  /* each free field around */
    WORTH_HIGH = 20, /* beside one of level 2 and more */
    COST_HUT = 9,
    COST_HIGH_FIELD = 15, /* a temple on a field where a tower could stand */
};

struct list {
    const struct board *board;
    const struct survey *survey;
    unsigned seat;
    unsigned n, most;
    struct choice *out;
};

/* Would `cost` pieces of a kind end the seat's game with a win? */
static bool wins_game(const struct list *list, enum taluva_kind kind, unsigned cost)
{
    const struct board *const board = list->board;
    unsigned mine = 0, theirs = 3;
    for (unsigned i = 0; i < board_kinds(board); i++) {
        const unsigned left = board->reserve[list->seat][i];
        mine += i == (unsigned)kind ? left == cost : left == 0;
    }
    if (board->game->options.teams) {
        const unsigned mate = (list->seat + 2) % 4;
        theirs = 0;
        for (unsigned i = 0; i < board_kinds(board) && board_is_playing(board, mate); i++)
            theirs += board->reserve[mate][i] == 0;
    }
    return mine >= 1 && theirs >= 1 && mine + theirs >= (list->board->game->options.teams ? 3 : 5);
}

static void add_build(struct list *list, struct choice choice, enum taluva_kind kind, unsigned cost)
{
    if (wins_game(list, kind, cost))
        choice.promise += BUILDS_SURE;
    unsigned at = list->n;
    while (at > 0 && list->out[at - 1].promise < choice.promise)
        at--;
    if (at == list->most)
        return;
    if (list->n < list->most)
        list->n++;
    memmove(&list->out[at + 1], &list->out[at], sizeof list->out[0] * (list->n - 1 - at));
    list->out[at] = choice;
}

/* Settlements of the seat beside a field that want a temple, or a tower. */
static void count_wanting(const struct list *list, const struct free_field *field,
                          unsigned *for_temple, unsigned *for_tower)
{
    *for_temple = *for_tower = 0;
    for (unsigned i = 0; i < field->n_beside; i++) {
        const struct settlement *const settlement = &list->survey->settlements[field->beside[i]];
        if (settlement->owner != list->seat)
            continue;
        *for_temple += settlement->size >= SURVEY_LARGE && settlement->temples == 0;
        *for_tower += settlement->towers == 0;
    }
}

static int32_t worth_of_hut(const struct list *list, unsigned cell)
{
    const struct board *const board = list->board;
    int32_t worth = WORTH_HUT;
    for (unsigned d = 0; d < 6; d++) {
        const unsigned other = board->near[cell][d];
        if (!board_is_free(board, other))
            continue;
        worth += WORTH_FREE;
        worth += board->level[other] >= 2 ? WORTH_HIGH : 0;
    }
    return worth;
}

static void add_on_field(struct list *list, const struct free_field *field)
{
    const struct board *const board = list->board;
    const uint8_t *const left = board->reserve[list->seat];
    const unsigned level = board->level[field->cell];
    struct choice choice = {.cell = field->cell};
    unsigned for_temple, for_tower;
    count_wanting(list, field, &for_temple, &for_tower);
    if (for_temple > 0 && left[TALUVA_TEMPLE] > 0) {
        choice.verb = TALUVA_BUILD_TEMPLE;
        choice.promise = WORTH_TEMPLE - (level >= SURVEY_HIGH ? COST_HIGH_FIELD : 0) -
                         COST_HIGH_FIELD * (int32_t)(for_temple - 1);
        add_build(list, choice, TALUVA_TEMPLE, 1);
    }
    if (for_tower > 0 && level >= SURVEY_HIGH && left[TALUVA_TOWER] > 0) {
        choice.verb = TALUVA_BUILD_TOWER;
        choice.promise = WORTH_TOWER - COST_HIGH_FIELD * (int32_t)(for_tower - 1);
        add_build(list, choice, TALUVA_TOWER, 1);
    }
    if (level == 1 && left[TALUVA_HUT] > 0 &&
        (board->game->options.huts_anywhere || (field->owners >> list->seat & 1) == 0)) {
        choice.verb = TALUVA_BUILD_HUT;
        choice.promise = worth_of_hut(list, field->cell);
        add_build(list, choice, TALUVA_HUT, 1);
    }
}

static void add_expansions(struct list *list, unsigned number)
{
    const struct settlement *const settlement = &list->survey->settlements[number];
    const unsigned huts = list->board->reserve[list->seat][TALUVA_HUT];
    for (unsigned terrain = 0; terrain < SURVEY_TERRAINS; terrain++) {
        const unsigned cost = settlement->cost[terrain], gain = settlement->gain[terrain];
        if (cost == 0 || cost > huts)
            continue;
        struct choice choice = {.verb = TALUVA_BUILD_EXPAND,
                                .terrain = (uint8_t)terrain,
                                .settlement = (uint8_t)number};
        if (settlement->temples == 0 && settlement->size < SURVEY_LARGE)
            choice.promise = settlement->size + gain >= SURVEY_LARGE ? WORTH_LARGE : WORTH_PAIR;
        choice.promise -= COST_HUT * (int32_t)cost;
        add_build(list, choice, TALUVA_HUT, cost);
    }
}

unsigned builds_list(const struct board *board, const struct survey *survey, unsigned seat,
                     const struct taluva_hex *boats, unsigned n_boats, unsigned most,
                     struct choice *out)
{
    struct list list = {board, survey, seat, 0, most, out};
    for (unsigned i = 0; i < survey->n_free; i++)
        add_on_field(&list, &survey->free[i]);
    for (unsigned i = 1; i <= survey->n; i++) {
        if (survey->settlements[i].owner == seat)
            add_expansions(&list, i);
    }
    for (unsigned i = 0; i < n_boats; i++) {
        const struct choice choice = {
            .verb = TALUVA_BUILD_BOAT, .promise = WORTH_BOAT, .lagoon = boats[i]};
        add_build(&list, choice, TALUVA_BOAT, 1);
    }
    return list.n;
}

static void plan_expansion(const struct board *board, const struct survey *survey,
                           const struct choice *choice, struct board_built *built)
{
    built->cost = survey->settlements[choice->settlement].cost[choice->terrain];
    for (unsigned i = 0; i < survey->n_free; i++) {
        const struct free_field *const field = &survey->free[i];
        if (board->terrain[field->cell] == choice->terrain &&
            memchr(field->beside, choice->settlement, field->n_beside))
            built->cells[built->n++] = field->cell;
    }
}

void builds_plan(const struct board *board, const struct survey *survey, unsigned seat,
                 const struct choice *choice, struct board_built *built)
{
    memset(built, 0, sizeof *built);
    built->seat = (uint8_t)seat;
    built->cost = 1;
    switch ((enum taluva_verb)choice->verb) {
    case TALUVA_BUILD_EXPAND:
        plan_expansion(board, survey, choice, built);
        return;
    case TALUVA_BUILD_BOAT:
        built->kind = TALUVA_BOAT;
        return;
    case TALUVA_BUILD_TOWER:
        built->kind = TALUVA_TOWER;
        break;
    case TALUVA_BUILD_TEMPLE:
        built->kind = TALUVA_TEMPLE;
        break;
    case TALUVA_BUILD_HUT:
        break;
    }
    built->cells[built->n++] = choice->cell;
}

static struct taluva_hex hex_of(const struct board *board, unsigned cell,
                                const struct taluva_placement *placement)
{
    struct taluva_hex hexes[3];
    if (cell < board->game->n_cells)
        return board->game->cells[cell].hex;
    taluva_placement_hexes(placement, hexes);
    return hexes[cell - board->game->n_cells];
}

static bool is_before(struct taluva_hex a, struct taluva_hex b)
{
    return a.q != b.q ? a.q < b.q : a.r < b.r;
}

void builds_name(const struct board *board, const struct survey *survey,
                 const struct taluva_placement *placement, const struct choice *choice,
                 struct taluva_build *out)
{
    memset(out, 0, sizeof *out);
    out->verb = choice->verb;
    out->terrain = choice->terrain;
    if (choice->verb == TALUVA_BUILD_BOAT) {
        out->at = choice->lagoon;
        return;
    }
    if (choice->verb != TALUVA_BUILD_EXPAND) {
        out->at = hex_of(board, choice->cell, placement);
        return;
    }
    bool any = false;
    for (unsigned cell = 0; cell < board->game->n_cells; cell++) {
        const struct taluva_hex hex = board->game->cells[cell].hex;
        if (survey->of[cell] != choice->settlement || (any && !is_before(hex, out->at)))
            continue;
        out->at = hex;
        any = true;
    }
}
