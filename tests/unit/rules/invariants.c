#include "invariants.h"

#include <rules/notation.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct taluva *about;

void invariant_about(const struct taluva *game)
{
    about = game;
}

_Noreturn void invariant_broken(const char *file, int line, const char *condition)
{
    char text[TALUVA_POSITION_TEXT] = "";
    if (about)
        taluva_position_format(about, text);
    (void)fprintf(stderr, "%s:%d: %s\n%s\n", file, line, condition, text);
    abort();
}

static bool is_playing(const struct taluva *game, unsigned seat)
{
    return game->state[seat] == TALUVA_SEAT_PLAYING;
}

static void hold_links(const struct taluva *game)
{
    for (unsigned i = 0; i < game->n_cells; i++) {
        const struct taluva_cell *const cell = &game->cells[i];
        HOLD(taluva_cell_at(game, cell->hex) == cell);
        HOLD(cell->level >= 1 && cell->terrain <= TALUVA_VOLCANO);
        HOLD(cell->terrain == TALUVA_VOLCANO ? cell->facing < 12 && cell->owner == TALUVA_NO_SEAT
                                             : cell->facing == 0);
        HOLD(cell->owner == TALUVA_NO_SEAT ? cell->kind == 0 && cell->count == 0
                                           : cell->owner < game->options.seats);
        for (unsigned d = 0; d < 6; d++) {
            const struct taluva_cell *const other =
                taluva_cell_at(game, taluva_hex_step(cell->hex, d));
            HOLD(game->near[i][d] == (!other ? TALUVA_NO_CELL : (unsigned)(other - game->cells)));
        }
    }
}

/* Every hex of the settlement is reached from every other, and no neighbour of it is left out. */
static void hold_settlement(const struct taluva *game, const struct taluva_cell *start)
{
    struct taluva_settlement settlement;
    bool in[TALUVA_HEXES_MAX] = {false};
    in[start - game->cells] = true;
    unsigned n = 1;
    for (bool grew = true; grew;) {
        grew = false;
        for (unsigned i = 0; i < game->n_cells; i++) {
            for (unsigned d = 0; d < 6 && in[i]; d++) {
                const unsigned other = game->near[i][d];
                if (other != TALUVA_NO_CELL && !in[other] &&
                    game->cells[other].owner == start->owner) {
                    in[other] = true;
                    grew = true;
                    n++;
                }
            }
        }
    }
    taluva_settlement_at(game, start->hex, &settlement);
    HOLD(settlement.seat == start->owner && settlement.n_hexes == n);
    bool tower = false, temple = false;
    for (unsigned i = 0; i < n; i++) {
        const struct taluva_cell *const cell = taluva_cell_at(game, settlement.hexes[i]);
        HOLD(cell && in[cell - game->cells]);
        HOLD(i == 0 || settlement.hexes[i - 1].q < cell->hex.q ||
             (settlement.hexes[i - 1].q == cell->hex.q && settlement.hexes[i - 1].r < cell->hex.r));
        tower |= cell->kind == TALUVA_TOWER;
        temple |= cell->kind == TALUVA_TEMPLE;
    }
    HOLD(settlement.has_tower == tower && settlement.has_temple == temple);
}

static void hold_pieces(const struct taluva *game)
{
    unsigned on_table[TALUVA_SEATS_MAX][TALUVA_KINDS] = {{0}};
    for (unsigned i = 0; i < game->n_cells; i++) {
        const struct taluva_cell *const cell = &game->cells[i];
        if (cell->owner != TALUVA_NO_SEAT) {
            HOLD(cell->count == (cell->kind == TALUVA_HUT ? cell->level : 1));
            on_table[cell->owner][cell->kind] += cell->count;
            hold_settlement(game, cell);
        }
    }
    for (unsigned i = 0; i < game->n_boats; i++)
        on_table[game->boats[i].seat][TALUVA_BOAT]++;
    for (uint8_t seat = 0; seat < game->options.seats; seat++) {
        for (unsigned kind = 0; kind < TALUVA_KINDS; kind++) {
            const unsigned supply = taluva_supply(&game->options, (enum taluva_kind)kind);
            const unsigned built = taluva_built(game, seat, (enum taluva_kind)kind);
            HOLD(game->reserve[seat][kind] + built == supply);
            HOLD(kind == TALUVA_HUT ? on_table[seat][kind] <= built
                                    : on_table[seat][kind] == built);
        }
    }
}

/* The island with a rim of sea; a lagoon is the water that a walk from the rim does not reach. */
enum { SIDE = TALUVA_SPAN_MAX + 2 };
static struct {
    int q, r, columns, rows; /* q, r: the rim's first */
    uint8_t marks[SIDE][SIDE];
} table;

static void draw_land(const struct taluva *game)
{
    int low_q = 0, high_q = 0, low_r = 0, high_r = 0;
    for (unsigned i = 0; i < game->n_cells; i++) {
        const struct taluva_hex hex = game->cells[i].hex;
        low_q = hex.q < low_q ? hex.q : low_q;
        high_q = hex.q > high_q ? hex.q : high_q;
        low_r = hex.r < low_r ? hex.r : low_r;
        high_r = hex.r > high_r ? hex.r : high_r;
    }
    table.q = low_q - 1;
    table.r = low_r - 1;
    table.columns = high_q - low_q + 3;
    table.rows = high_r - low_r + 3;
    HOLD(table.columns <= SIDE && table.rows <= SIDE);
    for (int q = 0; q < table.columns; q++)
        memset(table.marks[q], 0, (size_t)table.rows);
    for (unsigned i = 0; i < game->n_cells; i++)
        table.marks[game->cells[i].hex.q - table.q][game->cells[i].hex.r - table.r] = 1;
}

/* All water that is reached from here is marked; how many hexes. */
static unsigned flood(int q, int r, uint8_t mark)
{
    static const int dq[] = {1, 0, -1, -1, 0, 1}, dr[] = {0, 1, 1, 0, -1, -1};
    static int16_t todo[SIDE * SIDE][2];
    unsigned n = 0, n_todo = 1;
    todo[0][0] = (int16_t)q;
    todo[0][1] = (int16_t)r;
    table.marks[q][r] = mark;
    while (n_todo > 0) {
        q = todo[--n_todo][0];
        r = todo[n_todo][1];
        n++;
        for (int d = 0; d < 6; d++) {
            const int a = q + dq[d], b = r + dr[d];
            if (a >= 0 && a < table.columns && b >= 0 && b < table.rows && table.marks[a][b] == 0) {
                table.marks[a][b] = mark;
                todo[n_todo][0] = (int16_t)a;
                todo[n_todo++][1] = (int16_t)b;
            }
        }
    }
    return n;
}

size_t water_around(const struct taluva *game, struct taluva_hex hex, struct taluva_hex *out)
{
    size_t n = 0;
    draw_land(game);
    (void)flood(hex.q - table.q, hex.r - table.r, 2);
    for (int q = 0; q < table.columns; q++) {
        for (int r = 0; r < table.rows; r++) {
            if (table.marks[q][r] == 2)
                out[n++] = (struct taluva_hex){(int16_t)(q + table.q), (int16_t)(r + table.r)};
        }
    }
    return n;
}

static void hold_lagoons(const struct taluva *game)
{
    static struct taluva_lagoon lagoons[TALUVA_LAGOONS_MAX];
    const size_t n = taluva_list_lagoons(game, lagoons);
    size_t found = 0;
    unsigned boats = 0;
    draw_land(game);
    (void)flood(0, 0, 2);
    for (int q = 0; q < table.columns; q++) {
        for (int r = 0; r < table.rows; r++) {
            if (table.marks[q][r] == 0) {
                HOLD(found < n && lagoons[found].hex.q == q + table.q &&
                     lagoons[found].hex.r == r + table.r);
                HOLD(lagoons[found].n_hexes == flood(q, r, 3));
                boats += lagoons[found++].boat != TALUVA_NO_SEAT;
            }
        }
    }
    HOLD(found == n && boats == game->n_boats);
}

static void hold_seats(const struct taluva *game)
{
    unsigned playing = 0, finished = 0, eliminated = 0;
    for (unsigned seat = 0; seat < game->options.seats; seat++) {
        playing += is_playing(game, seat);
        finished += game->state[seat] == TALUVA_SEAT_FINISHED;
        eliminated += game->state[seat] == TALUVA_SEAT_ELIMINATED;
    }
    HOLD(playing > 0 && finished == game->n_finished && eliminated == game->n_eliminated);
    HOLD((game->step == TALUVA_STEP_OVER) == (game->end != TALUVA_END_NONE));
    HOLD((game->step == TALUVA_STEP_PLACE) == (game->tile != TALUVA_TILE_NONE));
    if (game->step == TALUVA_STEP_OVER)
        HOLD(taluva_acting(game) == 0 && game->seat == TALUVA_NO_SEAT);
    else
        HOLD(is_playing(game, game->seat) && taluva_acting(game) == 1u << game->seat);
    HOLD((game->step == TALUVA_STEP_DRAW) == (taluva_may_take(game) != 0));
}

static void hold_outcome(const struct taluva *game)
{
    struct taluva_outcome outcome;
    taluva_outcome(game, &outcome);
    HOLD(outcome.winners != 0 && outcome.end == game->end);
    unsigned ranked = 0;
    for (unsigned i = 0; i < outcome.n_ranks; i++) {
        HOLD(outcome.ranks[i] != 0 && (ranked & outcome.ranks[i]) == 0);
        ranked |= outcome.ranks[i];
        for (unsigned seat = 0; seat < game->options.seats; seat++)
            HOLD((outcome.ranks[i] >> seat & 1) == 0 || outcome.rank_of[seat] == i);
    }
    if (game->options.teams)
        HOLD(outcome.n_ranks == 0 && outcome.winners < 4);
    else
        HOLD(ranked == (1u << game->options.seats) - 1 && outcome.winners == outcome.ranks[0]);
}

void hold_invariants(const struct taluva *game)
{
    hold_links(game);
    hold_pieces(game);
    hold_lagoons(game);
    hold_seats(game);
    hold_outcome(game);
}

/* ---- notation */

static void hold_same_lists(const struct taluva *a, const struct taluva *b, taluva_tile tile)
{
    static struct taluva_placement of_a[TALUVA_PLACEMENTS_MAX], of_b[TALUVA_PLACEMENTS_MAX];
    const size_t n = taluva_list_placements(a, tile, of_a, NULL);
    HOLD(taluva_list_placements(b, tile, of_b, NULL) == n);
    HOLD(memcmp(of_a, of_b, n * sizeof of_a[0]) == 0);
}

static void hold_same_builds(const struct taluva *a, const struct taluva *b)
{
    static struct taluva_build of_a[TALUVA_BUILDS_MAX], of_b[TALUVA_BUILDS_MAX];
    const size_t n = taluva_list_builds(a, of_a);
    HOLD(taluva_list_builds(b, of_b) == n);
    HOLD(memcmp(of_a, of_b, n * sizeof of_a[0]) == 0);
}

void hold_round_trip(const struct taluva *game)
{
    char text[TALUVA_POSITION_TEXT], again[TALUVA_POSITION_TEXT];
    static struct taluva read;
    struct taluva_notation_error error;
    const size_t len = taluva_position_format(game, text);
    HOLD(len == strlen(text));
    if (!taluva_position_parse(text, len, &read, &error)) {
        (void)fprintf(stderr, "%zu: %s\n", error.offset, error.what);
        HOLD(!"its own position is refused");
    }
    HOLD(taluva_position_format(&read, again) == len && memcmp(text, again, len) == 0);
    hold_same_lists(game, &read, 0);
    hold_same_lists(game, &read, TALUVA_TILE_2VV);
    hold_same_builds(game, &read);
    HOLD(taluva_may_take(game) == taluva_may_take(&read));
}

/* ---- lists */

static bool same_placement(const struct taluva_placement *a, const struct taluva_placement *b)
{
    return a->at.q == b->at.q && a->at.r == b->at.r && a->k == b->k && a->tile == b->tile;
}

/* Every hex that could matter, in the order of the list. */
static void hold_list_of(const struct taluva *game, taluva_tile tile)
{
    static struct taluva_placement all[TALUVA_PLACEMENTS_MAX];
    const size_t n = taluva_list_placements(game, tile, all, NULL);
    int low_q = 0, high_q = 0, low_r = 0, high_r = 0;
    HOLD(n <= TALUVA_PLACEMENTS_MAX && taluva_list_placements(game, tile, NULL, NULL) == n);
    for (unsigned i = 0; i < game->n_cells; i++) {
        const struct taluva_hex hex = game->cells[i].hex;
        low_q = hex.q < low_q ? hex.q : low_q;
        high_q = hex.q > high_q ? hex.q : high_q;
        low_r = hex.r < low_r ? hex.r : low_r;
        high_r = hex.r > high_r ? hex.r : high_r;
    }
    size_t at = 0;
    for (unsigned k = 0; k < 6; k++) {
        for (int q = low_q - 3; q <= high_q + 3; q++) {
            for (int r = low_r - 3; r <= high_r + 3; r++) {
                const struct taluva_placement placement = {
                    {(int16_t)q, (int16_t)r}, (uint8_t)k, tile};
                const bool fits = taluva_check_fit(game, &placement, NULL) == TALUVA_OK;
                const bool listed = at < n && same_placement(&all[at], &placement);
                HOLD(fits == listed);
                at += listed;
            }
        }
    }
    HOLD(at == n);
}

/* Each flag against the placement made. */
static void hold_flags(const struct taluva *game, taluva_tile tile)
{
    static struct taluva_placement all[TALUVA_PLACEMENTS_MAX];
    static bool dead_end[TALUVA_PLACEMENTS_MAX];
    const size_t n = taluva_list_placements(game, tile, all, dead_end);
    for (size_t i = 0; i < n; i++) {
        struct taluva after = *game;
        struct taluva_effects effects;
        HOLD(taluva_check_place(game, game->seat, &all[i], false, NULL) ==
             (dead_end[i] ? TALUVA_ELIMINATES_YOU : TALUVA_OK));
        HOLD(taluva_place(&after, game->seat, &all[i], true, &effects) == TALUVA_OK);
        HOLD((effects.eliminated != 0) == dead_end[i]);
        HOLD(dead_end[i] || taluva_list_builds(&after, NULL) > 0);
    }
}

static void hold_build_list(const struct taluva *game)
{
    static struct taluva_build all[TALUVA_BUILDS_MAX];
    const size_t n = taluva_list_builds(game, all);
    size_t found = 0;
    HOLD(n <= TALUVA_BUILDS_MAX && n > 0 && taluva_list_builds(game, NULL) == n);
    for (size_t i = 0; i < n; i++) {
        struct taluva_build_plan plan;
        HOLD(taluva_check_build(game, game->seat, &all[i], NULL) == TALUVA_OK);
        HOLD(taluva_plan_build(game, game->seat, &all[i], &plan) == TALUVA_OK);
        HOLD(plan.cost > 0 && plan.cost <= game->reserve[game->seat][plan.kind]);
        HOLD(i == 0 || memcmp(&all[i - 1], &all[i], sizeof all[i]) != 0);
    }
    for (unsigned i = 0; i < game->n_cells; i++) {
        for (unsigned what = 0; what < 8; what++) {
            const struct taluva_build build = {game->cells[i].hex,
                                               (uint8_t)(what < 3 ? what : TALUVA_BUILD_EXPAND),
                                               (uint8_t)(what < 3 ? 0 : what - 3)};
            found += taluva_check_build(game, game->seat, &build, NULL) == TALUVA_OK;
        }
    }
    struct taluva_lagoon lagoons[TALUVA_LAGOONS_MAX];
    const size_t n_lagoons = taluva_list_lagoons(game, lagoons);
    for (size_t i = 0; i < n_lagoons; i++) {
        const struct taluva_build build = {lagoons[i].hex, TALUVA_BUILD_BOAT, 0};
        found += taluva_check_build(game, game->seat, &build, NULL) == TALUVA_OK;
    }
    HOLD(found == n);
}

void hold_lists(const struct taluva *game)
{
    if (game->step == TALUVA_STEP_BUILD) {
        hold_build_list(game);
    } else if (game->step == TALUVA_STEP_PLACE) {
        hold_list_of(game, game->tile);
        hold_flags(game, game->tile);
    } else if (game->step == TALUVA_STEP_DRAW) {
        for (unsigned i = 0; i < TALUVA_TWO_HEX_MAX; i++) {
            if ((taluva_may_take(game) >> i & 1) != 0) {
                hold_list_of(game, (taluva_tile)(TALUVA_TILE_TWO_HEX + i));
                hold_flags(game, (taluva_tile)(TALUVA_TILE_TWO_HEX + i));
            }
        }
    }
}

/* ---- effects */

static int huts_on_table(const struct taluva *game, unsigned seat)
{
    int huts = 0;
    for (unsigned i = 0; i < game->n_cells; i++) {
        const struct taluva_cell *const cell = &game->cells[i];
        huts += cell->owner == seat && cell->kind == TALUVA_HUT ? cell->count : 0;
    }
    return huts;
}

static void hold_huts(const struct taluva *before, const struct taluva *after,
                      const struct taluva_effects *effects)
{
    for (unsigned seat = 0; seat < after->options.seats; seat++) {
        const int built = before->reserve[seat][TALUVA_HUT] - after->reserve[seat][TALUVA_HUT];
        HOLD(huts_on_table(before, seat) + built - effects->huts_covered[seat] ==
             huts_on_table(after, seat));
    }
}

void hold_effects(const struct taluva *before, const struct taluva *after,
                  const struct taluva_effects *effects)
{
    unsigned out = 0;
    for (unsigned seat = 0; seat < after->options.seats; seat++) {
        const bool changed = before->state[seat] != after->state[seat];
        out |= changed && after->state[seat] == TALUVA_SEAT_ELIMINATED ? 1u << seat : 0;
    }
    HOLD(effects->eliminated == out);
    HOLD(effects->turn_passed ==
         (before->seat != after->seat ||
          (before->step != TALUVA_STEP_DRAW && after->step == TALUVA_STEP_DRAW)));
    hold_huts(before, after, effects);
}
