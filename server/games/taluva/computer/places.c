#include "places.h"

#include "around.h"
#include <assert.h>
#include <string.h>

/* Promise by hand, only to choose what is looked at closely. */
enum {
    ON_VOLCANO = 30,
    COVERS_RIVAL = 12,
    COVERS_OWN = -18,
    CUTS_RIVAL = 60,
    CUTS_OWN = -60,
    HIGH_FOR_ME = 90,
    HIGH_FOR_RIVAL = -25,
    MIDDLE_FOR_ME = 12,
    TOUCHES_ME = 8,
    GROWS_LARGE = 70,
    GROWS_PAIR = 15,
    TEMPLE_FIELD = 80, /* for a large settlement that has no free field */
    NEW_SPOT = 10,
    BLOCKS_RIVAL = 2,
};

/* One place being looked at. */
struct place {
    const struct board *board;
    const struct survey *survey;
    unsigned seat;
    struct taluva_placement placement;
    unsigned n;
    bool on_table;
    uint8_t cells[3];               /* not on the table */
    const struct beside *beside[3]; /* what is beside each hex */
};

static void find_hexes(struct place *place, const struct around *around)
{
    struct taluva_hex hexes[3];
    place->n = (unsigned)taluva_placement_hexes(&place->placement, hexes);
    place->on_table = false;
    for (unsigned i = 0; i < place->n; i++) {
        const unsigned at = around_at(around, hexes[i]);
        place->beside[i] = &around->beside[around->hex[at]];
        place->cells[i] = around->cell[at];
        place->on_table |= place->cells[i] == TALUVA_NO_CELL;
    }
}

/* ---- on the table */

static int promise_of_growth(const struct place *place, const struct settlement *settlement,
                             unsigned terrain)
{
    if (settlement->temples > 0)
        return 0;
    if (settlement->size >= SURVEY_LARGE)
        return settlement->free == 0 ? TEMPLE_FIELD : 0;
    const unsigned now = settlement->size + settlement->gain[terrain];
    const unsigned huts = place->board->reserve[place->seat][TALUVA_HUT];
    if (settlement->cost[terrain] + 1U > huts)
        return 0;
    return now < SURVEY_LARGE && now + 1 >= SURVEY_LARGE ? GROWS_LARGE : GROWS_PAIR;
}

static int promise_of_field(const struct place *place, unsigned i)
{
    const unsigned terrain = taluva_tile_terrain(place->placement.tile, i);
    int promise = 0;
    bool mine = false;
    for (unsigned j = 0; j < place->beside[i]->n; j++) {
        const struct settlement *const settlement =
            &place->survey->settlements[place->beside[i]->settlements[j]];
        if (settlement->owner != place->seat) {
            promise += terrain == TALUVA_VOLCANO ? BLOCKS_RIVAL : -BLOCKS_RIVAL;
            continue;
        }
        promise += TOUCHES_ME;
        mine = true;
        if (terrain != TALUVA_VOLCANO)
            promise += promise_of_growth(place, settlement, terrain);
    }
    return promise + (!mine && terrain != TALUVA_VOLCANO ? NEW_SPOT : 0);
}

/* ---- on a volcano */

static int promise_of_covered(const struct place *place, unsigned i)
{
    const unsigned number = place->survey->of[place->cells[i]];
    const struct settlement *const settlement = &place->survey->settlements[number];
    if (number == 0)
        return 0;
    const bool mine = settlement->owner == place->seat;
    unsigned covered = 0;
    for (unsigned j = 0; j < place->n; j++)
        covered += place->survey->of[place->cells[j]] == number;
    int promise = (mine ? COVERS_OWN : COVERS_RIVAL) * place->board->level[place->cells[i]];
    if (settlement->temples == 0 && settlement->size >= SURVEY_LARGE &&
        settlement->size - covered < SURVEY_LARGE)
        promise += mine ? CUTS_OWN : CUTS_RIVAL;
    return promise;
}

static int promise_of_height(const struct place *place, unsigned i)
{
    const unsigned level = place->board->level[place->cells[i]] + 1U;
    int promise = 0;
    if (taluva_tile_terrain(place->placement.tile, i) == TALUVA_VOLCANO)
        return 0;
    for (unsigned j = 0; j < place->beside[i]->n; j++) {
        const struct settlement *const settlement =
            &place->survey->settlements[place->beside[i]->settlements[j]];
        const bool mine = settlement->owner == place->seat;
        if (settlement->towers > 0 || place->board->reserve[settlement->owner][TALUVA_TOWER] == 0)
            continue;
        if (level >= SURVEY_HIGH)
            promise += mine ? HIGH_FOR_ME : HIGH_FOR_RIVAL;
        else
            promise += mine ? MIDDLE_FOR_ME : 0;
    }
    return promise;
}

static int promise_of(const struct place *place)
{
    int promise = place->on_table ? 0 : ON_VOLCANO;
    for (unsigned i = 0; i < place->n && place->on_table; i++)
        promise += promise_of_field(place, i);
    for (unsigned i = 0; i < place->n && !place->on_table; i++)
        promise += promise_of_covered(place, i) + promise_of_height(place, i);
    return promise;
}

/* ---- the list */

/* The same for two places on the table that make no difference to any settlement. */
static uint32_t signature_of(const struct place *place)
{
    uint32_t hash = 2166136261U;
    uint32_t sum = 0;
    for (unsigned i = 0; i < place->n; i++) {
        hash = 2166136261U ^ taluva_tile_terrain(place->placement.tile, i);
        for (unsigned j = 0; j < place->beside[i]->n; j++)
            hash = (hash ^ (place->beside[i]->settlements[j] + 7U)) * 16777619U;
        sum += hash * 2654435761U;
    }
    return sum | 1;
}

struct listed {
    unsigned n, most;
    bool alike;
    uint32_t signatures[PLACES_KEPT];
    int promise[PLACES_KEPT];
    struct taluva_placement *out;
};

static bool is_known(const struct listed *listed, uint32_t wanted)
{
    for (unsigned i = 0; i < listed->n; i++) {
        if (listed->signatures[i] == wanted)
            return true;
    }
    return false;
}

static void add_place(struct listed *listed, const struct place *place)
{
    const uint32_t mark = place->on_table && !listed->alike ? signature_of(place) : 0;
    if (mark != 0 && is_known(listed, mark))
        return;
    const int promise = promise_of(place);
    unsigned at = listed->n;
    while (at > 0 && listed->promise[at - 1] < promise)
        at--;
    if (at == listed->most)
        return;
    if (listed->n < listed->most)
        listed->n++;
    const size_t behind = listed->n - 1 - at;
    memmove(&listed->out[at + 1], &listed->out[at], sizeof listed->out[0] * behind);
    memmove(&listed->promise[at + 1], &listed->promise[at], sizeof listed->promise[0] * behind);
    memmove(&listed->signatures[at + 1], &listed->signatures[at],
            sizeof listed->signatures[0] * behind);
    listed->out[at] = place->placement;
    listed->promise[at] = promise;
    listed->signatures[at] = mark;
}

unsigned places_list(const struct board *board, const struct survey *survey, taluva_tile tile,
                     unsigned most, bool alike, struct taluva_placement *out)
{
    struct taluva_placement all[TALUVA_PLACEMENTS_MAX];
    bool dead_end[TALUVA_PLACEMENTS_MAX];
    const size_t n = taluva_list_placements(board->game, tile, all, dead_end);
    bool any_alive = false;
    assert(n > 0 && most > 0 && most <= PLACES_KEPT);
    for (size_t i = 0; i < n; i++)
        any_alive |= !dead_end[i];
    struct around around;
    struct place place = {.board = board, .survey = survey, .seat = board->game->seat};
    struct listed listed = {.most = most, .alike = alike, .out = out};
    around_init(&around, board, survey);
    for (size_t i = 0; i < n; i++) {
        if (any_alive && dead_end[i])
            continue;
        place.placement = all[i];
        find_hexes(&place, &around);
        add_place(&listed, &place);
    }
    return listed.n;
}
