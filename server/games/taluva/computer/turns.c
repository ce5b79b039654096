#include "turns.h"

#include "board.h"
#include "builds.h"
#include "ground.h"
#include "net.h"
#include "places.h"
#include "survey.h"
#include <assert.h>
#include <string.h>

/* What all turns of one position have in common. */
struct rating {
    struct turns *turns;
    const struct net *net;
    const struct taluva *game;
    unsigned seat;
    struct turns_width width;
    uint64_t *rated;
    struct board board;
    struct ground ground; /* of the board, with the tile that is looked at */
    struct net_memory memory;
};

/* ---- chances */

static void rate_teams(const struct taluva_outcome *outcome, int32_t *chances)
{
    for (unsigned seat = 0; seat < 4; seat++) {
        if ((outcome->winners >> seat % 2 & 1) != 0)
            chances[seat] = outcome->winners == 3 ? CHANCE_ONE / 2 : CHANCE_ONE;
    }
}

/* Of the others, those left behind count whole and those on the same rank half. */
static void rate_ranks(const struct taluva_outcome *outcome, unsigned seats, int32_t *chances)
{
    assert(seats > 1);
    for (unsigned seat = 0; seat < seats; seat++) {
        int32_t halves = 0;
        for (unsigned other = 0; other < seats; other++) {
            if (other == seat)
                continue;
            halves += outcome->rank_of[seat] < outcome->rank_of[other]    ? 2
                      : outcome->rank_of[seat] == outcome->rank_of[other] ? 1
                                                                          : 0;
        }
        chances[seat] = CHANCE_ONE / 2 * halves / (int32_t)(seats - 1);
    }
}

void turns_rate_end(const struct taluva *game, int32_t chances[TALUVA_SEATS_MAX])
{
    struct taluva_outcome outcome;
    int32_t winners = 0;
    taluva_outcome(game, &outcome);
    memset(chances, 0, sizeof chances[0] * TALUVA_SEATS_MAX);
    if (game->options.teams) {
        rate_teams(&outcome, chances);
        return;
    }
    if (game->options.ranking) {
        rate_ranks(&outcome, game->options.seats, chances);
        return;
    }
    for (unsigned seat = 0; seat < game->options.seats; seat++)
        winners += outcome.winners >> seat & 1;
    for (unsigned seat = 0; seat < game->options.seats; seat++)
        chances[seat] = (outcome.winners >> seat & 1) != 0 ? CHANCE_ONE / winners : 0;
}

static void rate_board(const struct net *net, struct net_memory *memory, const struct board *board,
                       const struct ground *ground, int32_t *chances, uint64_t *rated)
{
    struct survey survey;
    survey_on(&survey, board, ground);
    net_chances(net, memory, board, &survey, chances);
    if (rated)
        ++*rated;
}

void turns_rate_now(const struct net *net, const struct taluva *game,
                    int32_t chances[TALUVA_SEATS_MAX], uint64_t *rated)
{
    struct board board;
    struct ground ground;
    struct net_memory memory;
    board_init(&board, game);
    ground_init(&ground, &board);
    net_memory_init(&memory);
    rate_board(net, &memory, &board, &ground, chances, rated);
}

/* ---- turns */

void turn_apply(struct taluva *game, const struct turn *turn)
{
    enum taluva_status status = TALUVA_OK;
    const uint8_t seat = game->seat;
    if ((turn->parts & TURN_PLACE) != 0)
        status = taluva_place(game, seat, &turn->placement, true, NULL);
    assert(status == TALUVA_OK);
    if ((turn->parts & TURN_BUILD) != 0)
        status = taluva_build(game, seat, &turn->build, NULL);
    assert(status == TALUVA_OK);
    (void)status;
}

/* What really is won comes before what the net takes for won. */
static bool is_better(const struct turn_rated *one, const struct turn_rated *other, unsigned seat)
{
    if (one->chances[seat] != other->chances[seat])
        return one->chances[seat] > other->chances[seat];
    return one->chances[seat] == CHANCE_ONE && one->final && !other->final;
}

/* Would turns_add() keep it? */
static bool is_kept(const struct turns *turns, unsigned seat, unsigned kept,
                    const struct turn_rated *one)
{
    return turns->n < kept || is_better(one, &turns->list[turns->n - 1], seat);
}

void turns_add(struct turns *turns, unsigned seat, unsigned kept, const struct turn_rated *one)
{
    unsigned at = turns->n;
    while (at > 0 && is_better(one, &turns->list[at - 1], seat))
        at--;
    if (at == kept)
        return;
    if (turns->n < kept)
        turns->n++;
    memmove(&turns->list[at + 1], &turns->list[at], sizeof turns->list[0] * (turns->n - 1 - at));
    turns->list[at] = *one;
}

/* The rules say what comes of it: the game may be over. */
static void add_by_rules(struct rating *rating, struct turn_rated *one)
{
    struct taluva after = *rating->game;
    turn_apply(&after, &one->turn);
    one->final = after.step == TALUVA_STEP_OVER;
    if (one->final)
        turns_rate_end(&after, one->chances);
    else
        turns_rate_now(rating->net, &after, one->chances, rating->rated);
    turns_add(rating->turns, rating->seat, rating->width.kept, one);
}

static void name_turn(const struct rating *rating, const struct survey *survey,
                      const struct taluva_placement *placement, const struct choice *choice,
                      struct turn *turn)
{
    turn->parts = TURN_BUILD;
    if (placement) {
        turn->parts |= TURN_PLACE;
        turn->placement = *placement;
    }
    builds_name(&rating->board, survey, placement, choice, &turn->build);
}

/* Most turns are worse than all that are kept: those need no name. */
static void add_turn(struct rating *rating, const struct survey *survey,
                     const struct taluva_placement *placement, const struct choice *choice)
{
    struct board *const board = &rating->board;
    struct turn_rated one = {.final = false};
    struct board_built built;
    builds_plan(board, survey, rating->seat, choice, &built);
    board_put(board, &built);
    board_end_turn(board, rating->seat);
    const bool over = board->over;
    if (!over)
        rate_board(rating->net, &rating->memory, board, &rating->ground, one.chances,
                   rating->rated);
    board_take(board, &built);
    board_begin_turn(board);
    if (!over && !is_kept(rating->turns, rating->seat, rating->width.kept, &one))
        return;
    name_turn(rating, survey, placement, choice, &one.turn);
    if (over)
        add_by_rules(rating, &one);
    else
        turns_add(rating->turns, rating->seat, rating->width.kept, &one);
}

/* Only with boats, which are rare: the lagoons where one may be placed, as the rules list them. */
static unsigned list_boats(const struct rating *rating, const struct taluva_placement *placement,
                           struct taluva_hex *out, unsigned most)
{
    struct taluva_build builds[TALUVA_BUILDS_MAX];
    struct taluva after = *rating->game;
    unsigned n = 0;
    if (after.reserve[rating->seat][TALUVA_BOAT] == 0)
        return 0;
    if (placement)
        (void)taluva_place(&after, (uint8_t)rating->seat, placement, true, NULL);
    if (after.step != TALUVA_STEP_BUILD)
        return 0;
    const size_t n_builds = taluva_list_builds(&after, builds);
    for (size_t i = 0; i < n_builds && n < most; i++) {
        if (builds[i].verb == TALUVA_BUILD_BOAT)
            out[n++] = builds[i].at;
    }
    return n;
}

/* A two-Hex tile that was taken is used up. */
static void take_tile(struct rating *rating, taluva_tile tile)
{
    if (!taluva_tile_is_two_hex(tile))
        return;
    rating->board.two_hex &= (uint8_t) ~(1u << (tile - TALUVA_TILE_TWO_HEX));
    rating->board.two_hex_used[rating->seat]++;
}

static void add_builds(struct rating *rating, const struct taluva_placement *placement)
{
    enum { BOATS = 4 };
    struct taluva_hex boats[BOATS];
    struct choice choices[BUILDS_KEPT];
    struct survey survey;
    ground_init(&rating->ground, &rating->board);
    survey_on(&survey, &rating->board, &rating->ground);
    const unsigned n_boats = list_boats(rating, placement, boats, BOATS);
    const unsigned n = builds_list(&rating->board, &survey, rating->seat, boats, n_boats,
                                   rating->width.builds, choices);
    for (unsigned i = 0; i < n; i++) {
        if (placement)
            take_tile(rating, placement->tile);
        add_turn(rating, &survey, placement, &choices[i]);
    }
    if (n == 0) {
        assert(placement); /* the rules give nobody a step build with nothing to build */
        struct turn_rated one = {.turn = {.placement = *placement, .parts = TURN_PLACE}};
        add_by_rules(rating, &one);
    }
}

static void rating_init(struct rating *rating, struct turns *turns, const struct net *net,
                        const struct taluva *game, struct turns_width width, uint64_t *rated)
{
    assert(width.kept > 0 && width.kept <= TURNS_KEPT && width.builds <= BUILDS_KEPT);
    rating->turns = turns;
    rating->net = net;
    rating->game = game;
    rating->seat = game->seat;
    rating->width = width;
    rating->rated = rated;
    board_init(&rating->board, game);
    net_memory_init(&rating->memory);
}

void turns_with_tile(struct turns *turns, const struct net *net, const struct taluva *game,
                     taluva_tile tile, struct turns_width width, uint64_t *rated)
{
    struct rating rating;
    struct survey survey;
    struct taluva_placement places[PLACES_KEPT];
    rating_init(&rating, turns, net, game, width, rated);
    survey_init(&survey, &rating.board);
    const unsigned n = places_list(&rating.board, &survey, tile, width.places, width.alike, places);
    for (unsigned i = 0; i < n; i++) {
        struct board_covered covered;
        board_lay(&rating.board, &places[i], &covered);
        add_builds(&rating, &places[i]);
        board_lift(&rating.board, &covered);
    }
}

void turns_building(struct turns *turns, const struct net *net, const struct taluva *game,
                    struct turns_width width, uint64_t *rated)
{
    struct rating rating;
    rating_init(&rating, turns, net, game, width, rated);
    add_builds(&rating, NULL);
}
