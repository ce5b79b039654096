#include "taluva_reference.h"

#include "taluva_island.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum step { STEP_DRAW, STEP_PLACE, STEP_BUILD, STEP_OVER };
enum { TWO_HEX_TILES = 5, TILE_TEXT = 4 };

static const char *const two_hex_tiles[TWO_HEX_TILES] = {"2VL", "2VJ", "2VS", "2VV", "2JJ"};
static const struct stock all_pieces = {20, 2, 3, 2};

struct game {
    struct island island;
    struct stock stock[ISLAND_SEATS];
    bool offer[TWO_HEX_TILES];
    int taken[ISLAND_SEATS];
    int out[ISLAND_SEATS], out_count;   /* the first one eliminated first */
    int done[ISLAND_SEATS], done_count; /* in the ranking variant, the best first */
    int stack, number, seat;
    enum step step;
    char tile[TILE_TEXT]; /* in the hand of who is in turn, "" if there is none */
    char last[ISLAND_SEATS][2 * ISLAND_TEXT];
    const char *why; /* it ended; NULL: it goes on */
    unsigned won;    /* who won before any count: a set of seats, or of teams */
};

struct reference {
    int seats;
    bool teams, ranking, boats, two_hex;
    struct game now, before; /* `before`: the placement that can be taken back */
};

/* ---- who plays */

static bool is_in(const int *list, int count, int seat)
{
    for (int i = 0; i < count; i++) {
        if (list[i] == seat)
            return true;
    }
    return false;
}

static bool plays(const struct game *game, int seat)
{
    return !is_in(game->out, game->out_count, seat) && !is_in(game->done, game->done_count, seat);
}

static int kinds_built(const struct reference *reference, int seat)
{
    const struct stock *stock = &reference->now.stock[seat];
    return (stock->huts == 0) + (stock->towers == 0) + (stock->temples == 0) +
           (reference->boats && stock->boats == 0);
}

/* ---- the turn */

static bool may_take(const struct reference *reference, int tile)
{
    const struct game *game = &reference->now;
    int limit = game->stack > 0 ? 1 : 2;
    return game->offer[tile] && game->taken[game->seat] < limit &&
           island_has_room(&game->island, two_hex_tiles[tile]);
}

static bool may_draw(const struct reference *reference)
{
    return reference->now.stack > 0 && island_has_room(&reference->now.island, "JC");
}

static bool may_take_any(const struct reference *reference)
{
    bool any = false;
    for (int i = 0; i < TWO_HEX_TILES; i++)
        any = any || may_take(reference, i);
    return any;
}

static void end(struct game *game, const char *why, unsigned won)
{
    game->why = why;
    game->won = won;
    game->step = STEP_OVER;
    game->tile[0] = 0;
}

static void draw(struct game *game)
{
    game->step = STEP_PLACE;
    game->stack--;
    game->tile[0] = 0; /* reference_drawn says which one it is */
}

static void turn_begin(struct reference *reference)
{
    struct game *game = &reference->now;
    bool take = may_take_any(reference), may = may_draw(reference);
    game->step = STEP_DRAW;
    game->tile[0] = 0;
    if (!take && !may)
        end(game, "no-room", 0);
    else if (!take)
        draw(game);
}

static bool is_last_standing(const struct reference *reference, unsigned *winner)
{
    const struct game *game = &reference->now;
    unsigned teams = 0, seats = 0;
    int count = 0;
    for (int i = 0; i < reference->seats; i++) {
        if (!plays(game, i))
            continue;
        teams |= 1u << i % 2;
        seats |= 1u << i;
        count++;
    }
    *winner = reference->teams ? teams : reference->ranking ? 0 : seats;
    return reference->teams ? teams != 3 : count == 1;
}

/* To the next seat that plays and, without a stack, may still take a 2-Hex tile. */
static void turn_pass(struct reference *reference)
{
    struct game *game = &reference->now;
    bool offered = false;
    for (int i = 0; i < TWO_HEX_TILES; i++)
        offered |= game->offer[i];
    for (int i = 1; i <= reference->seats; i++) {
        int seat = (game->seat + i) % reference->seats;
        if (!plays(game, seat) || (game->stack == 0 && (!offered || game->taken[seat] >= 2)))
            continue;
        game->seat = seat;
        game->number++;
        turn_begin(reference);
        return;
    }
    end(game, "exhausted", 0);
}

static void turn_end(struct reference *reference)
{
    unsigned winner;
    if (is_last_standing(reference, &winner))
        end(&reference->now, "last-standing", winner);
    else
        turn_pass(reference);
}

static bool has_two_kinds(const struct reference *reference, int seat)
{
    int mine = kinds_built(reference, seat), mate = (seat + 2) % 4;
    if (!reference->teams)
        return mine >= 2;
    if (!plays(&reference->now, mate))
        return false;
    int theirs = kinds_built(reference, mate);
    return (mine >= 2 && theirs >= 1) || (mine >= 1 && theirs >= 2);
}

static void after_build(struct reference *reference)
{
    struct game *game = &reference->now;
    int seat = game->seat;
    if (!has_two_kinds(reference, seat)) {
        turn_end(reference);
    } else if (reference->ranking) {
        game->done[game->done_count++] = seat;
        turn_end(reference);
    } else {
        end(game, "two-kinds", 1u << (reference->teams ? seat % 2 : seat));
    }
}

/* ---- moves */

json_t *reference_moves(const struct reference *reference)
{
    const struct game *game = &reference->now;
    json_t *moves = json_object();
    assert(moves);
    switch (game->step) {
    case STEP_DRAW:
        if (may_draw(reference))
            json_object_set_new(moves, "draw", json_true());
        for (int i = 0; i < TWO_HEX_TILES; i++) {
            if (may_take(reference, i))
                island_placements(&game->island, two_hex_tiles[i], moves);
        }
        break;
    case STEP_PLACE:
        island_placements(&game->island, game->tile, moves);
        break;
    case STEP_BUILD:
        island_builds(&game->island, game->seat, &game->stock[game->seat], moves);
        break;
    case STEP_OVER:
        break;
    }
    return moves;
}

static bool is_legal(const struct reference *reference, const char *text)
{
    json_t *moves = reference_moves(reference);
    bool legal = json_object_get(moves, text) != NULL;
    json_decref(moves);
    return legal;
}

static bool can_build(const struct reference *reference)
{
    json_t *builds = reference_moves(reference);
    bool can = json_object_size(builds) > 0;
    json_decref(builds);
    return can;
}

static void place(struct reference *reference, const char *text)
{
    struct game *game = &reference->now;
    reference->before = *game;
    for (int i = 0; i < TWO_HEX_TILES && game->step == STEP_DRAW; i++) {
        if (strncmp(text, two_hex_tiles[i], 3) != 0)
            continue;
        game->offer[i] = false;
        game->taken[game->seat]++;
    }
    island_place(&game->island, text);
    (void)snprintf(game->last[game->seat], sizeof game->last[0], "%s", text);
    game->tile[0] = 0;
    game->step = STEP_BUILD;
}

static void eliminate(struct game *game, int seat)
{
    game->out[game->out_count++] = seat;
    if (seat == game->seat && game->step == STEP_BUILD)
        strncat(game->last[seat], " none", sizeof game->last[0] - strlen(game->last[seat]) - 1);
}

static void build(struct game *game, const char *text)
{
    char *last = game->last[game->seat];
    size_t len = strlen(last);
    (void)snprintf(last + len, sizeof game->last[0] - len, " %s", text);
    island_build(&game->island, game->seat, &game->stock[game->seat], text);
}

bool reference_move(struct reference *reference, unsigned seat, const char *text)
{
    struct game *game = &reference->now;
    if ((int)seat != game->seat || !is_legal(reference, text))
        return false;
    if (strcmp(text, "draw") == 0) {
        draw(game);
    } else if (game->step == STEP_BUILD) {
        build(game, text);
        after_build(reference);
    } else {
        place(reference, text);
        if (!can_build(reference)) {
            eliminate(game, game->seat);
            turn_end(reference);
        }
    }
    return true;
}

bool reference_forfeit(struct reference *reference, unsigned seat)
{
    struct game *game = &reference->now;
    unsigned winner;
    if (game->step == STEP_OVER || (int)seat >= reference->seats || !plays(game, (int)seat))
        return false;
    eliminate(game, (int)seat);
    if ((int)seat == game->seat)
        turn_end(reference);
    else if (is_last_standing(reference, &winner))
        end(game, "last-standing", winner);
    return true;
}

/* Only one's own placement, and only before the build. */
bool reference_undo(struct reference *reference, unsigned seat)
{
    if (reference->now.step != STEP_BUILD || (int)seat != reference->now.seat)
        return false;
    struct game before = reference->before;
    /* Who resigned meanwhile stays out. */
    memcpy(before.out, reference->now.out, sizeof before.out);
    before.out_count = reference->now.out_count;
    reference->now = before;
    return true;
}

bool reference_drawn(struct reference *reference, const json_t *state)
{
    struct game *game = &reference->now;
    if (game->step != STEP_PLACE || game->tile[0])
        return true;
    const json_t *turn = json_object_get(json_object_get(state, "table"), "turn");
    const char *tile = json_string_value(json_object_get(turn, "tile"));
    if (!tile || strlen(tile) != 2 || strspn(tile, "JCSRL") != 2)
        return false;
    memcpy(game->tile, tile, 3);
    return true;
}

/* ---- the beginning */

struct reference *reference_create(const json_t *state)
{
    const json_t *options = json_object_get(state, "options");
    const json_t *table = json_object_get(state, "table");
    const json_t *offer = json_object_get(table, "two_hex");
    const char *zone = json_string_value(json_object_get(options, "zone"));
    const char *huts = json_string_value(json_object_get(options, "huts"));
    struct reference *reference = calloc(1, sizeof *reference);
    assert(reference && zone && huts);
    struct game *game = &reference->now;
    reference->seats = (int)json_integer_value(json_object_get(options, "players"));
    reference->teams = json_is_true(json_object_get(options, "teams"));
    reference->ranking = json_is_true(json_object_get(options, "ranking"));
    reference->boats = json_is_true(json_object_get(options, "boats"));
    reference->two_hex = json_is_true(json_object_get(options, "two_hex"));
    assert(reference->seats >= 2 && reference->seats <= ISLAND_SEATS);
    game->island.huts_anywhere = strcmp(huts, "anywhere") == 0;
    game->island.zone_radius = zone[0] == 'b' ? 6 : zone[0] == 'p' ? 5 : zone[0] == 'e' ? 4 : 0;
    game->stack = (int)json_integer_value(json_object_get(options, "tiles"));
    for (int i = 0; i < reference->seats; i++) {
        game->stock[i] = all_pieces;
        game->stock[i].boats = reference->boats ? all_pieces.boats : 0;
    }
    for (int i = 0; i < TWO_HEX_TILES; i++)
        game->offer[i] = json_object_get(offer, two_hex_tiles[i]) != NULL;
    game->seat = (int)json_integer_value(json_object_get(json_object_get(table, "turn"), "seat"));
    game->number = 1;
    turn_begin(reference);
    return reference;
}

void reference_destroy(struct reference *reference)
{
    free(reference);
}

/* ---- the table */

static void set(json_t *object, const char *key, json_t *value)
{
    int failed = json_object_set_new(object, key, value);
    assert(!failed);
}

static void set_of_seat(json_t *object, int seat, json_t *value)
{
    char key[2] = {(char)('0' + seat), 0};
    set(object, key, value);
}

static void cell_text(const struct cell *cell, char text[ISLAND_TEXT])
{
    int len = snprintf(text, ISLAND_TEXT, "%d%c", cell->level, cell->terrain);
    if (cell->terrain == 'V')
        (void)snprintf(text, ISLAND_TEXT, "%d%c%d", cell->level, cell->facing < 6 ? 'V' : 'v',
                       cell->facing % 6);
    else if (cell->owner >= 0 && cell->kind == 'h')
        (void)snprintf(text + len, ISLAND_TEXT - (size_t)len, ":%dh%d", cell->owner, cell->level);
    else if (cell->owner >= 0)
        (void)snprintf(text + len, ISLAND_TEXT - (size_t)len, ":%d%c", cell->owner, cell->kind);
}

static json_t *hexes(const struct island *island)
{
    json_t *object = json_object();
    for (int i = 0; i < island->count; i++) {
        const struct cell *cell = &island->cells[i];
        char key[ISLAND_TEXT], text[ISLAND_TEXT];
        (void)snprintf(key, sizeof key, "%d,%d", cell->at.q, cell->at.r);
        cell_text(cell, text);
        set(object, key, json_string(text));
    }
    return object;
}

static json_t *pieces(const struct reference *reference, struct stock stock)
{
    json_t *object = json_pack("{s:i,s:i,s:i}", "huts", stock.huts, "towers", stock.towers,
                               "temples", stock.temples);
    if (reference->boats)
        set(object, "boats", json_integer(stock.boats));
    return object;
}

static json_t *players(const struct reference *reference)
{
    const struct game *game = &reference->now;
    json_t *object = json_object();
    for (int i = 0; i < reference->seats; i++)
        set_of_seat(object, i, pieces(reference, game->stock[i]));
    for (int i = 0; i < game->out_count; i++) {
        char key[2] = {(char)('0' + game->out[i]), 0};
        set(json_object_get(object, key), "out", json_integer(i + 1));
    }
    for (int i = 0; i < game->done_count; i++) {
        char key[2] = {(char)('0' + game->done[i]), 0};
        set(json_object_get(object, key), "done", json_integer(i + 1));
    }
    return object;
}

static json_t *turn(const struct game *game)
{
    static const char *const names[] = {"draw", "place", "build", NULL};
    json_t *object = json_pack("{s:i,s:i,s:s}", "number", game->number, "seat", game->seat, "step",
                               names[game->step]);
    if (game->tile[0])
        set(object, "tile", json_string(game->tile));
    return object;
}

static void set_offer(const struct reference *reference, json_t *table)
{
    json_t *offer = json_object(), *took = json_object();
    for (int i = 0; i < TWO_HEX_TILES; i++) {
        if (reference->now.offer[i])
            set(offer, two_hex_tiles[i], json_true());
    }
    for (int i = 0; i < reference->seats; i++) {
        if (reference->now.taken[i])
            set_of_seat(took, i, json_integer(reference->now.taken[i]));
    }
    set(table, "two_hex", offer);
    set(table, "took", took);
}

static json_t *boats(const struct island *island)
{
    json_t *object = json_object();
    for (int i = 0; i < island->boat_count; i++) {
        char key[ISLAND_TEXT];
        (void)snprintf(key, sizeof key, "%d,%d", island->boats[i].lagoon.q,
                       island->boats[i].lagoon.r);
        set(object, key, json_integer(island->boats[i].seat));
    }
    return object;
}

json_t *reference_table(const struct reference *reference)
{
    const struct game *game = &reference->now;
    json_t *table = json_object(), *last = json_object();
    for (int i = 0; i < reference->seats; i++) {
        if (game->last[i][0])
            set_of_seat(last, i, json_string(game->last[i]));
    }
    set(table, "hexes", hexes(&game->island));
    set(table, "players", players(reference));
    set(table, "stack", json_integer(game->stack));
    set(table, "last", last);
    if (game->step != STEP_OVER)
        set(table, "turn", turn(game));
    if (reference->two_hex)
        set_offer(reference, table);
    if (reference->boats)
        set(table, "boats", boats(&game->island));
    return table;
}

/* ---- the result */

static void add_built(struct stock *sum, const struct reference *reference, int seat)
{
    const struct stock *left = &reference->now.stock[seat];
    sum->huts += all_pieces.huts - left->huts;
    sum->towers += all_pieces.towers - left->towers;
    sum->temples += all_pieces.temples - left->temples;
    sum->boats += reference->boats ? all_pieces.boats - left->boats : 0;
}

static int compared(const struct stock *a, const struct stock *b)
{
    if (a->temples != b->temples)
        return a->temples - b->temples;
    if (a->towers != b->towers)
        return a->towers - b->towers;
    if (a->boats != b->boats)
        return a->boats - b->boats;
    return a->huts - b->huts;
}

static json_t *seat_set(unsigned seats)
{
    json_t *object = json_object();
    for (int i = 0; i < ISLAND_SEATS; i++) {
        if (seats >> i & 1)
            set_of_seat(object, i, json_true());
    }
    return object;
}

static json_t *team_result(const struct reference *reference)
{
    const struct game *game = &reference->now;
    struct stock sums[2] = {{0}, {0}};
    for (int i = 0; i < reference->seats; i++) {
        if (plays(game, i))
            add_built(&sums[i % 2], reference, i);
    }
    int order = compared(&sums[0], &sums[1]);
    unsigned won = game->won ? game->won : (order >= 0 ? 1u : 0u) | (order <= 0 ? 2u : 0u);
    return json_pack("{s:s,s:o,s:{s:o,s:o}}", "why", game->why, "winners", seat_set(won), "totals",
                     "0", pieces(reference, sums[0]), "1", pieces(reference, sums[1]));
}

/* What ranks a seat before any count; 0 if the count decides. */
static int standing(const struct game *game, int seat)
{
    for (int i = 0; i < game->done_count; i++) {
        if (game->done[i] == seat)
            return 200 - i;
    }
    for (int i = 0; i < game->out_count; i++) {
        if (game->out[i] == seat)
            return i - 100; /* the last one out is the best of them */
    }
    return game->won >> seat & 1 ? 100 : 0;
}

/* Is `a` to be ranked above `b`? They share a rank if neither is above the other. */
static bool is_above(const struct reference *reference, int a, int b)
{
    int first = standing(&reference->now, a), second = standing(&reference->now, b);
    struct stock built[2] = {{0}, {0}};
    if (first != 0 || second != 0)
        return first > second;
    add_built(&built[0], reference, a);
    add_built(&built[1], reference, b);
    return compared(&built[0], &built[1]) > 0;
}

static json_t *seat_result(const struct reference *reference)
{
    json_t *ranks = json_object();
    unsigned winners = 0;
    for (int i = 0; i < reference->seats; i++) {
        int rank = 1;
        for (int k = 0; k < reference->seats; k++)
            rank += is_above(reference, k, i);
        set_of_seat(ranks, i, json_integer(rank));
        winners |= rank == 1 ? 1u << i : 0;
    }
    return json_pack("{s:s,s:o,s:o}", "why", reference->now.why, "winners", seat_set(winners),
                     "ranks", ranks);
}

json_t *reference_result(const struct reference *reference)
{
    if (!reference->now.why)
        return NULL;
    return reference->teams ? team_result(reference) : seat_result(reference);
}
