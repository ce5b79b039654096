#include "traits.h"

#include <string.h>

/* What is added up over a seat's settlements, and what the others ask of it. */
struct summary {
    int small[4];
    int ready, ready_twice, safe;
    int to_large, to_pair, cheapest, tile_to_large;
    int towerless, with_high, with_high_twice;
    int makes_high, makes_high_total, makes_middle, middle;
    int done, done_large;
    int dearest, exact;
    int builds;
    int work, pairs[3];
    int count; /* as the rules count it at the end */
    int kinds_done, one_kind;
};

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int8_t sixteenths(int number, int whole)
{
    const int x = number * TRAIT_ONE / whole;
    return (int8_t)(x > INT8_MAX ? INT8_MAX : x < -INT8_MAX ? -INT8_MAX : x);
}

static void add_expansions(struct summary *sum, const struct settlement *settlement, int huts)
{
    int grows_large = 0, grows_pair = 0, most = 0;
    for (unsigned terrain = 0; terrain < SURVEY_TERRAINS; terrain++) {
        const int cost = settlement->cost[terrain];
        if (cost == 0 || cost > huts)
            continue;
        sum->builds++;
        sum->dearest = cost > sum->dearest ? cost : sum->dearest;
        sum->exact |= cost == huts;
        most = settlement->gain[terrain] > most ? settlement->gain[terrain] : most;
        if (settlement->temples > 0 || settlement->size >= SURVEY_LARGE)
            continue;
        if (settlement->size + settlement->gain[terrain] < SURVEY_LARGE) {
            grows_pair = 1;
            continue;
        }
        grows_large = 1;
        sum->cheapest = least(sum->cheapest, cost);
    }
    if (settlement->temples == 0 && settlement->size < SURVEY_LARGE)
        sum->tile_to_large += settlement->size + most + 1 >= SURVEY_LARGE;
    sum->to_large += grows_large;
    sum->to_pair += grows_pair;
}

static void add_for_temple(struct summary *sum, const struct settlement *settlement)
{
    if (settlement->temples > 0) {
        sum->done++;
        sum->done_large += settlement->size >= 5;
        return;
    }
    sum->small[settlement->size < 3 ? settlement->size - 1 : settlement->size < 5 ? 2 : 3]++;
    if (settlement->size < SURVEY_LARGE || settlement->free == 0)
        return;
    sum->ready++;
    sum->ready_twice += settlement->free >= 2;
    sum->safe += settlement->after_cut >= SURVEY_LARGE;
}

static void add_for_tower(struct summary *sum, const struct settlement *settlement)
{
    if (settlement->towers > 0)
        return;
    sum->towerless++;
    sum->with_high += settlement->high > 0;
    sum->with_high_twice += settlement->high >= 2;
    sum->makes_high += settlement->makes_high > 0;
    sum->makes_high_total += settlement->makes_high;
    sum->makes_middle += settlement->makes_middle > 0;
    sum->middle += settlement->middle > 0;
}

/* Turns that it takes at least, a rough guess: an expansion places four huts. */
static void find_work(struct summary *sum, const struct board *board, unsigned seat)
{
    const uint8_t *const left = board->reserve[seat];
    const int temples = left[TALUVA_TEMPLE], towers = left[TALUVA_TOWER];
    const int huts = (left[TALUVA_HUT] + 3) / 4;
    sum->pairs[0] = temples + towers;
    sum->pairs[1] = temples + huts;
    sum->pairs[2] = towers + huts;
    sum->work = least(sum->pairs[0], least(sum->pairs[1], sum->pairs[2]));
    sum->one_kind = least(temples, least(towers, huts));
    if (board->game->options.boats) {
        sum->work = least(sum->work, left[TALUVA_BOAT] + sum->one_kind);
        sum->one_kind = least(sum->one_kind, left[TALUVA_BOAT]);
    }
    for (unsigned kind = 0; kind < board_kinds(board); kind++) {
        static const int weight[TALUVA_KINDS] = {1, 1 << 8, 1 << 12, 1 << 5};
        sum->kinds_done += left[kind] == 0;
        sum->count -= left[kind] * weight[kind];
    }
}

/* Of all seats. */
static void find_summaries(struct summary *sums, const struct board *board,
                           const struct survey *survey)
{
    const unsigned seats = board->game->options.seats;
    memset(sums, 0, seats * sizeof *sums);
    for (unsigned seat = 0; seat < seats; seat++)
        sums[seat].cheapest = 20;
    for (unsigned i = 1; i <= survey->n; i++) {
        const struct settlement *const settlement = &survey->settlements[i];
        struct summary *const sum = &sums[settlement->owner];
        add_expansions(sum, settlement, board->reserve[settlement->owner][TALUVA_HUT]);
        add_for_temple(sum, settlement);
        add_for_tower(sum, settlement);
    }
    for (unsigned seat = 0; seat < seats; seat++) {
        struct summary *const sum = &sums[seat];
        sum->builds += board->reserve[seat][TALUVA_HUT] > 0 ? survey->spots[seat] : 0;
        sum->builds += board->reserve[seat][TALUVA_TEMPLE] > 0 ? sum->ready : 0;
        sum->builds += board->reserve[seat][TALUVA_TOWER] > 0 ? sum->with_high : 0;
        find_work(sum, board, seat);
    }
}

/* ---- into the list */

static void one_of(int8_t *at, int value, int n)
{
    at[value < 0 ? 0 : value < n ? value : n - 1] = TRAIT_ONE;
}

static void at_most(int8_t *at, int value, const uint8_t *limits, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        at[i] = value <= limits[i] ? TRAIT_ONE : 0;
}

static int turns_left(const struct board *board, int wait)
{
    int n_playing = 0;
    for (unsigned seat = 0; seat < board->game->options.seats; seat++)
        n_playing += board_is_playing(board, seat);
    return (board->stack - wait + n_playing - 1) / (n_playing > 0 ? n_playing : 1);
}

static int wait_of(const struct board *board, unsigned seat)
{
    int wait = 0;
    for (unsigned i = board->seat; i != seat; i = (i + 1) % board->game->options.seats)
        wait += board_is_playing(board, i);
    return wait;
}

static void set_pieces(int8_t *x, const struct board *board, unsigned seat)
{
    static const uint8_t few_huts[] = {0, 2, 4, 7, 11, 15};
    const uint8_t *const left = board->reserve[seat];
    const int huts = left[TALUVA_HUT];
    one_of(&x[TRAIT_TEMPLES], left[TALUVA_TEMPLE], 4);
    one_of(&x[TRAIT_TOWERS], left[TALUVA_TOWER], 3);
    if (board->game->options.boats)
        one_of(&x[TRAIT_BOATS], left[TALUVA_BOAT], 3);
    x[TRAIT_HUTS] = sixteenths(huts, 20);
    x[TRAIT_HUTS + 1] = sixteenths(huts * huts, 400);
    at_most(&x[TRAIT_HUTS + 2], huts, few_huts, sizeof few_huts);
}

static void set_settlements(int8_t *x, const struct summary *sum)
{
    for (unsigned i = 0; i < 4; i++)
        x[TRAIT_SMALL + i] = sixteenths(sum->small[i], 2);
    x[TRAIT_READY] = sixteenths(sum->ready, 2);
    x[TRAIT_READY + 1] = sixteenths(sum->ready > 0, 1);
    x[TRAIT_READY + 2] = sixteenths(sum->ready_twice, 2);
    x[TRAIT_READY + 3] = sixteenths(sum->safe, 2);
    x[TRAIT_GROWING] = sixteenths(sum->to_large, 2);
    x[TRAIT_GROWING + 1] = sixteenths(sum->to_large > 0, 1);
    x[TRAIT_GROWING + 2] = sixteenths(sum->to_pair, 2);
    x[TRAIT_GROWING + 3] = sixteenths(sum->cheapest, 10);
    x[TRAIT_TOWERLESS] = sixteenths(sum->towerless, 4);
    x[TRAIT_TOWERLESS + 1] = sixteenths(sum->with_high, 2);
    x[TRAIT_TOWERLESS + 2] = sixteenths(sum->with_high > 0, 1);
    x[TRAIT_TOWERLESS + 3] = sixteenths(sum->with_high_twice > 0, 1);
    x[TRAIT_HEIGHTS] = sixteenths(sum->makes_high, 2);
    x[TRAIT_HEIGHTS + 1] = sixteenths(sum->makes_high > 0, 1);
    x[TRAIT_HEIGHTS + 2] = sixteenths(sum->makes_high_total, 4);
    x[TRAIT_HEIGHTS + 3] = sixteenths(sum->makes_middle, 4);
    x[TRAIT_HEIGHTS + 4] = sixteenths(sum->makes_middle > 0, 1);
    x[TRAIT_HEIGHTS + 5] = sixteenths(sum->middle, 3);
    x[TRAIT_DONE] = sixteenths(sum->done, 3);
    x[TRAIT_DONE + 1] = sixteenths(sum->done_large, 2);
}

static void set_growth(int8_t *x, const struct summary *sum, const struct board *board,
                       const struct survey *survey, unsigned seat)
{
    const int huts = board->reserve[seat][TALUVA_HUT], spots = survey->spots[seat];
    x[TRAIT_DEAREST] = sixteenths(sum->dearest, huts > 0 ? huts : 1);
    x[TRAIT_DEAREST + 1] = sixteenths(sum->exact, 1);
    x[TRAIT_SPOTS] = sixteenths(spots == 0, 1);
    x[TRAIT_SPOTS + 1] = sixteenths(spots == 1, 1);
    x[TRAIT_SPOTS + 2] = sixteenths(spots, 8);
    x[TRAIT_SPOTS + 3] = sixteenths(survey->fields[seat], 10);
    x[TRAIT_SPOTS + 4] = sixteenths(survey->coverable[seat], 6);
    x[TRAIT_SPOTS + 5] = sixteenths(sum->builds <= 2, 1);
    one_of(&x[TRAIT_WORK], sum->work, 8);
    for (unsigned i = 0; i < 3; i++)
        x[TRAIT_WORK + 8 + i] = sixteenths(sum->pairs[i], 5);
}

/* In teams the mate is no rival. */
static bool is_rival(const struct board *board, unsigned seat, unsigned other)
{
    return other != seat && board_is_playing(board, other) &&
           !(board->game->options.teams && other == (seat + 2) % 4);
}

static void set_more(int8_t *x, const struct summary *sums, const struct board *board,
                     unsigned seat)
{
    const struct summary *const mine = &sums[seat];
    int ready = 0, high = 0;
    for (unsigned other = 0; other < board->game->options.seats; other++) {
        if (!is_rival(board, seat, other))
            continue;
        if (board->reserve[other][TALUVA_TEMPLE] > 0)
            ready = sums[other].ready > ready ? sums[other].ready : ready;
        if (board->reserve[other][TALUVA_TOWER] > 0)
            high |= sums[other].with_high + sums[other].makes_high > 0;
    }
    x[TRAIT_MORE] = sixteenths(mine->tile_to_large, 2);
    x[TRAIT_MORE + 1] = sixteenths(mine->tile_to_large > 0, 1);
    x[TRAIT_MORE + 2] = sixteenths(mine->builds, 10);
    x[TRAIT_MORE + 3] = sixteenths(mine->safe > 0, 1);
    x[TRAIT_MORE + 4] = sixteenths(ready, 2);
    x[TRAIT_MORE + 5] = sixteenths(high, 1);
}

static void set_rivals(int8_t *x, const struct summary *sums, const struct board *board,
                       unsigned seat, int turns)
{
    static const uint8_t few[] = {1, 2, 4, 7};
    int work = 9, count = -(1 << 20), builds = 9, huts = 20;
    for (unsigned other = 0; other < board->game->options.seats; other++) {
        if (!is_rival(board, seat, other))
            continue;
        work = least(work, sums[other].work);
        count = sums[other].count > count ? sums[other].count : count;
        builds = least(builds, sums[other].builds);
        huts = least(huts, board->reserve[other][TALUVA_HUT]);
    }
    one_of(&x[TRAIT_RIVAL_WORK], work, 6);
    const int lead = (sums[seat].count > count) - (sums[seat].count < count);
    for (unsigned i = 0; i < 4; i++)
        x[TRAIT_LEAD + i] = sixteenths(turns <= few[i] ? lead : 0, 1);
    x[TRAIT_RIVAL_OUT] = sixteenths(builds <= 2, 1);
    x[TRAIT_RIVAL_OUT + 1] = sixteenths(huts, 20);
}

static void set_mate(int8_t *x, const struct summary *sums, const struct board *board,
                     unsigned seat)
{
    const unsigned mate = (seat + 2) % 4;
    if (!board->game->options.teams || !board_is_playing(board, mate))
        return;
    x[TRAIT_MATE] = TRAIT_ONE;
    one_of(&x[TRAIT_MATE + 1], sums[mate].kinds_done, 3);
    x[TRAIT_MATE + 4] = sixteenths(sums[mate].one_kind, 3);
    x[TRAIT_MATE + 5] = sixteenths(sums[mate].work, 5);
}

static void set_game(int8_t *x, const struct taluva_options *options)
{
    x[TRAIT_GAME] = sixteenths(options->seats - 2, 2);
    x[TRAIT_GAME + 1] = sixteenths(options->teams, 1);
    x[TRAIT_GAME + 2] = sixteenths(options->ranking, 1);
    x[TRAIT_GAME + 3] = sixteenths(options->boats, 1);
    x[TRAIT_GAME + 4] = sixteenths(options->two_hex != 0, 1);
    x[TRAIT_GAME + 5] = sixteenths(options->zone, 3);
    x[TRAIT_GAME + 6] = sixteenths(options->huts_anywhere, 1);
}

void traits_init(const struct board *board, const struct survey *survey,
                 int8_t traits[TALUVA_SEATS_MAX][TRAITS])
{
    static const uint8_t few_turns[] = {0, 1, 2, 4, 7, 11};
    struct summary sums[TALUVA_SEATS_MAX];
    find_summaries(sums, board, survey);
    for (unsigned seat = 0; seat < board->game->options.seats; seat++) {
        int8_t *const x = traits[seat];
        if (!board_is_playing(board, seat))
            continue;
        const int wait = wait_of(board, seat), turns = turns_left(board, wait);
        memset(x, 0, TRAITS);
        x[TRAIT_BIAS] = TRAIT_ONE;
        one_of(&x[TRAIT_WAIT], wait, 5);
        at_most(&x[TRAIT_TURNS], turns, few_turns, sizeof few_turns);
        x[TRAIT_TURNS + 6] = sixteenths(turns, 24);
        set_pieces(x, board, seat);
        set_settlements(x, &sums[seat]);
        set_growth(x, &sums[seat], board, survey, seat);
        set_rivals(x, sums, board, seat, turns);
        set_more(x, sums, board, seat);
        set_mate(x, sums, board, seat);
        set_game(x, &board->game->options);
    }
}
