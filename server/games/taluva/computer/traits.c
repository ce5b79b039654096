#include "traits.h"

#include <string.h>

/*
 * Half turns in which a settlement gives a temple, or a tower: a guess. Two are a turn, which lays
 * a tile and builds; the odd ones lie between, as they ask for a fitting tile.
 */
enum { AT_ONCE = 2, NEXT_TURN = 4, NEXT_WITH_TILE = 5, LATER = 6, LATE = 7, FROM_NOTHING = 8 };

enum { DEAR = 20 }; /* what an expansion costs at most: all huts */

/* How many settlements give one, by half turns. */
struct sources {
    uint8_t n[FROM_NOTHING];
};

/* What is added up over a seat's settlements, and what the others ask of it. */
struct summary {
    int small[4];
    int ready, ready_twice, safe;
    int to_large, to_pair, cheapest, tile_to_large;
    int towerless, with_high, with_high_twice;
    int makes_high, makes_high_total, makes_middle, middle;
    int done, done_large;
    int dearest[2], exact; /* of the two settlements with the dearest expansions */
    int builds;
    int work, pairs[3];
    int frees_large, frees_large_total, frees_tower, frees_tower_total, large_shut;
    struct sources for_temple, safe_temple, for_tower;
    int to_temples, to_towers, to_huts, to_pairs[3], to_two, to_safe;
    int count; /* as the rules count it at the end */
    int kinds_done, one_kind;
};

static int smaller_of(int a, int b)
{
    return a < b ? a : b;
}

static int8_t in_sixteenths(int number, int whole)
{
    const int x = number * TRAIT_ONE / whole;
    return (int8_t)(x > INT8_MAX ? INT8_MAX : x < -INT8_MAX ? -INT8_MAX : x);
}

/* What a settlement may grow to with one expansion; what is wanted is a temple. */
struct growth {
    bool large, pair;
    bool apart;               /* large, and no settlement with a temple becomes part of it */
    bool large_with_tile;     /* one field more would do */
    bool exact;               /* one that takes all huts */
    int n, dearest, cheapest; /* payable ones; the cheapest to large */
};

static struct growth find_growth(const struct settlement *settlement, int huts)
{
    struct growth growth = {.cheapest = DEAR};
    const bool wants = settlement->temples == 0 && settlement->size < SURVEY_LARGE;
    int most = 0;
    for (unsigned terrain = 0; terrain < SURVEY_TERRAINS; terrain++) {
        const int cost = settlement->cost[terrain], gain = settlement->gain[terrain];
        if (cost == 0 || cost > huts)
            continue;
        const bool large = wants && settlement->size + gain >= SURVEY_LARGE;
        growth.n++;
        growth.exact |= cost == huts;
        growth.dearest = cost > growth.dearest ? cost : growth.dearest;
        most = gain > most ? gain : most;
        growth.large |= large;
        growth.pair |= wants && !large;
        growth.apart |= large && (settlement->meets_temple >> terrain & 1) == 0;
        growth.cheapest = large ? smaller_of(growth.cheapest, cost) : growth.cheapest;
    }
    growth.large_with_tile = wants && settlement->size + most + 1 >= SURVEY_LARGE;
    return growth;
}

static void add_expansions(struct summary *sum, const struct growth *growth)
{
    sum->builds += growth->n;
    sum->exact |= growth->exact;
    sum->cheapest = smaller_of(sum->cheapest, growth->cheapest);
    if (growth->dearest > sum->dearest[0]) {
        sum->dearest[1] = sum->dearest[0];
        sum->dearest[0] = growth->dearest;
    } else if (growth->dearest > sum->dearest[1]) {
        sum->dearest[1] = growth->dearest;
    }
    sum->to_large += growth->large;
    sum->to_pair += growth->pair;
    sum->tile_to_large += growth->large_with_tile;
}

static unsigned half_turns_to_temple(const struct settlement *settlement,
                                     const struct growth *growth)
{
    if (settlement->temples > 0)
        return settlement->frees_large > 0 ? AT_ONCE : LATE;
    if (settlement->size >= SURVEY_LARGE)
        return AT_ONCE;
    return growth->apart ? NEXT_TURN : growth->large_with_tile ? NEXT_WITH_TILE : LATER;
}

/* `safe_temple` is after the worst eruption. */
static void add_sources(struct summary *sum, const struct settlement *settlement,
                        const struct growth *growth)
{
    const unsigned half_turns = half_turns_to_temple(settlement, growth);
    const bool may_shrink = half_turns == AT_ONCE && settlement->after_cut < SURVEY_LARGE;
    sum->for_temple.n[half_turns]++;
    sum->safe_temple.n[may_shrink ? NEXT_WITH_TILE : half_turns]++;
    if (settlement->towers > 0)
        sum->for_tower.n[settlement->frees_tower > 0 ? AT_ONCE : LATE]++;
    else if (settlement->high + settlement->makes_high > 0)
        sum->for_tower.n[AT_ONCE]++;
    else if (settlement->middle + settlement->makes_middle > 0)
        sum->for_tower.n[NEXT_TURN]++;
    else
        sum->for_tower.n[LATER]++;
}

static void add_for_temple(struct summary *sum, const struct settlement *settlement)
{
    if (settlement->temples > 0) {
        sum->frees_large += settlement->frees_large > 0;
        sum->frees_large_total += settlement->frees_large;
        sum->done++;
        sum->done_large += settlement->size >= 5;
        return;
    }
    sum->small[settlement->size < 3 ? settlement->size - 1 : settlement->size < 5 ? 2 : 3]++;
    sum->large_shut += settlement->size >= SURVEY_LARGE && settlement->free == 0;
    if (settlement->size < SURVEY_LARGE || settlement->free == 0)
        return;
    sum->ready++;
    sum->ready_twice += settlement->free >= 2;
    sum->safe += settlement->after_cut >= SURVEY_LARGE;
}

static void add_for_tower(struct summary *sum, const struct settlement *settlement)
{
    if (settlement->towers > 0) {
        sum->frees_tower += settlement->frees_tower > 0;
        sum->frees_tower_total += settlement->frees_tower;
        return;
    }
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
    sum->work = smaller_of(sum->pairs[0], smaller_of(sum->pairs[1], sum->pairs[2]));
    sum->one_kind = smaller_of(temples, smaller_of(towers, huts));
    if (board->game->options.boats) {
        sum->work = smaller_of(sum->work, left[TALUVA_BOAT] + sum->one_kind);
        sum->one_kind = smaller_of(sum->one_kind, left[TALUVA_BOAT]);
    }
    for (unsigned kind = 0; kind < board_kinds(board); kind++) {
        static const int weight[TALUVA_KINDS] = {1, 1 << 8, 1 << 12, 1 << 5};
        sum->kinds_done += left[kind] == 0;
        sum->count -= left[kind] * weight[kind];
    }
}

/* The fastest ones first; without a settlement for it, one must be founded. */
static int half_turns_for(int wanted, const struct sources *sources)
{
    int sum = 0;
    for (int each = 0; each < FROM_NOTHING && wanted > 0; each++) {
        const int n = smaller_of(wanted, sources->n[each]);
        sum += n * each;
        wanted -= n;
    }
    return sum + wanted * FROM_NOTHING;
}

static int half_turns_for_huts(const struct summary *sum, int huts)
{
    int turns = 0;
    if (huts == 0)
        return 0;
    if (sum->exact)
        return 2;
    for (unsigned i = 0; i < 2 && sum->dearest[i] > 1 && huts > 0; i++) {
        huts -= sum->dearest[i];
        turns += 2;
    }
    return huts > 0 ? turns + 1 + huts * 2 / 3 : turns;
}

static void find_turns(struct summary *sum, const struct board *board, unsigned seat)
{
    const uint8_t *const left = board->reserve[seat];
    const int temples = half_turns_for(left[TALUVA_TEMPLE], &sum->for_temple);
    const int safe = half_turns_for(left[TALUVA_TEMPLE], &sum->safe_temple);
    const int towers = half_turns_for(left[TALUVA_TOWER], &sum->for_tower);
    const int huts = half_turns_for_huts(sum, left[TALUVA_HUT]);
    sum->to_temples = temples;
    sum->to_towers = towers;
    sum->to_huts = huts;
    sum->to_pairs[0] = temples + towers;
    sum->to_pairs[1] = temples + huts;
    sum->to_pairs[2] = towers + huts;
    sum->to_two = smaller_of(sum->to_pairs[0], smaller_of(sum->to_pairs[1], sum->to_pairs[2]));
    sum->to_safe = smaller_of(safe + towers, smaller_of(safe + huts, towers + huts));
    if (board->game->options.boats) {
        const int boats = 2 * left[TALUVA_BOAT];
        sum->to_two =
            smaller_of(sum->to_two, boats + smaller_of(temples, smaller_of(towers, huts)));
        sum->to_safe = smaller_of(sum->to_safe, boats + smaller_of(safe, smaller_of(towers, huts)));
    }
}

/* Of all seats. */
static void find_summaries(struct summary *sums, const struct board *board,
                           const struct survey *survey)
{
    const unsigned seats = board->game->options.seats;
    memset(sums, 0, seats * sizeof *sums);
    for (unsigned seat = 0; seat < seats; seat++)
        sums[seat].cheapest = DEAR;
    for (unsigned i = 1; i <= survey->n; i++) {
        const struct settlement *const settlement = &survey->settlements[i];
        struct summary *const sum = &sums[settlement->owner];
        const int huts = board->reserve[settlement->owner][TALUVA_HUT];
        const struct growth growth = find_growth(settlement, huts);
        add_expansions(sum, &growth);
        add_sources(sum, settlement, &growth);
        add_for_temple(sum, settlement);
        add_for_tower(sum, settlement);
    }
    for (unsigned seat = 0; seat < seats; seat++) {
        struct summary *const sum = &sums[seat];
        sum->builds += board->reserve[seat][TALUVA_HUT] > 0 ? survey->spots[seat] : 0;
        sum->builds += board->reserve[seat][TALUVA_TEMPLE] > 0 ? sum->ready : 0;
        sum->builds += board->reserve[seat][TALUVA_TOWER] > 0 ? sum->with_high : 0;
        find_work(sum, board, seat);
        find_turns(sum, board, seat);
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
    for (unsigned i = board->seat; i != seat; i = board_next_seat(board, i))
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
    x[TRAIT_HUTS] = in_sixteenths(huts, 20);
    x[TRAIT_HUTS + 1] = in_sixteenths(huts * huts, 400);
    at_most(&x[TRAIT_HUTS + 2], huts, few_huts, sizeof few_huts);
}

static void set_settlements(int8_t *x, const struct summary *sum)
{
    for (unsigned i = 0; i < 4; i++)
        x[TRAIT_SMALL + i] = in_sixteenths(sum->small[i], 2);
    x[TRAIT_READY] = in_sixteenths(sum->ready, 2);
    x[TRAIT_READY + 1] = in_sixteenths(sum->ready > 0, 1);
    x[TRAIT_READY + 2] = in_sixteenths(sum->ready_twice, 2);
    x[TRAIT_READY + 3] = in_sixteenths(sum->safe, 2);
    x[TRAIT_GROWING] = in_sixteenths(sum->to_large, 2);
    x[TRAIT_GROWING + 1] = in_sixteenths(sum->to_large > 0, 1);
    x[TRAIT_GROWING + 2] = in_sixteenths(sum->to_pair, 2);
    x[TRAIT_GROWING + 3] = in_sixteenths(sum->cheapest, 10);
    x[TRAIT_TOWERLESS] = in_sixteenths(sum->towerless, 4);
    x[TRAIT_TOWERLESS + 1] = in_sixteenths(sum->with_high, 2);
    x[TRAIT_TOWERLESS + 2] = in_sixteenths(sum->with_high > 0, 1);
    x[TRAIT_TOWERLESS + 3] = in_sixteenths(sum->with_high_twice > 0, 1);
    x[TRAIT_HEIGHTS] = in_sixteenths(sum->makes_high, 2);
    x[TRAIT_HEIGHTS + 1] = in_sixteenths(sum->makes_high > 0, 1);
    x[TRAIT_HEIGHTS + 2] = in_sixteenths(sum->makes_high_total, 4);
    x[TRAIT_HEIGHTS + 3] = in_sixteenths(sum->makes_middle, 4);
    x[TRAIT_HEIGHTS + 4] = in_sixteenths(sum->makes_middle > 0, 1);
    x[TRAIT_HEIGHTS + 5] = in_sixteenths(sum->middle, 3);
    x[TRAIT_DONE] = in_sixteenths(sum->done, 3);
    x[TRAIT_DONE + 1] = in_sixteenths(sum->done_large, 2);
}

static void set_growth(int8_t *x, const struct summary *sum, const struct board *board,
                       const struct survey *survey, unsigned seat)
{
    const int huts = board->reserve[seat][TALUVA_HUT], spots = survey->spots[seat];
    x[TRAIT_DEAREST] = in_sixteenths(sum->dearest[0], huts > 0 ? huts : 1);
    x[TRAIT_DEAREST + 1] = in_sixteenths(sum->exact, 1);
    x[TRAIT_SPOTS] = in_sixteenths(spots == 0, 1);
    x[TRAIT_SPOTS + 1] = in_sixteenths(spots == 1, 1);
    x[TRAIT_SPOTS + 2] = in_sixteenths(spots, 8);
    x[TRAIT_SPOTS + 3] = in_sixteenths(survey->fields[seat], 10);
    x[TRAIT_SPOTS + 4] = in_sixteenths(survey->coverable[seat], 6);
    x[TRAIT_SPOTS + 5] = in_sixteenths(sum->builds <= 2, 1);
    one_of(&x[TRAIT_WORK], sum->work, 8);
    for (unsigned i = 0; i < 3; i++)
        x[TRAIT_WORK + 8 + i] = in_sixteenths(sum->pairs[i], 5);
}

bool traits_is_rival(const struct board *board, unsigned seat, unsigned other)
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
        if (!traits_is_rival(board, seat, other))
            continue;
        if (board->reserve[other][TALUVA_TEMPLE] > 0)
            ready = sums[other].ready > ready ? sums[other].ready : ready;
        if (board->reserve[other][TALUVA_TOWER] > 0)
            high |= sums[other].with_high + sums[other].makes_high > 0;
    }
    x[TRAIT_MORE] = in_sixteenths(mine->tile_to_large, 2);
    x[TRAIT_MORE + 1] = in_sixteenths(mine->tile_to_large > 0, 1);
    x[TRAIT_MORE + 2] = in_sixteenths(mine->builds, 10);
    x[TRAIT_MORE + 3] = in_sixteenths(mine->safe > 0, 1);
    x[TRAIT_MORE + 4] = in_sixteenths(ready, 2);
    x[TRAIT_MORE + 5] = in_sixteenths(high, 1);
}

static void set_cuts(int8_t *x, const struct summary *sum)
{
    x[TRAIT_CUTS] = in_sixteenths(sum->frees_large, 2);
    x[TRAIT_CUTS + 1] = in_sixteenths(sum->frees_large > 0, 1);
    x[TRAIT_CUTS + 2] = in_sixteenths(sum->frees_large_total, 4);
    x[TRAIT_CUTS + 3] = in_sixteenths(sum->frees_tower > 0, 1);
    x[TRAIT_CUTS + 4] = in_sixteenths(sum->frees_tower_total, 4);
    x[TRAIT_CUTS + 5] = in_sixteenths(sum->large_shut, 2);
}

static void set_turns(int8_t *x, const struct summary *sums, const struct board *board,
                      unsigned seat)
{
    const struct summary *const mine = &sums[seat];
    const int wait = wait_of(board, seat);
    int turns = 30;
    for (unsigned other = 0; other < board->game->options.seats; other++) {
        if (traits_is_rival(board, seat, other))
            turns = smaller_of(turns, sums[other].to_two + (wait_of(board, other) > wait));
    }
    one_of(&x[TRAIT_TO_TEMPLES], mine->to_temples, 14);
    one_of(&x[TRAIT_TO_TOWERS], mine->to_towers, 10);
    one_of(&x[TRAIT_TO_HUTS], mine->to_huts, 12);
    one_of(&x[TRAIT_TO_TWO], mine->to_two, 18);
    one_of(&x[TRAIT_TO_BOTH], mine->to_pairs[0], 16);
    for (unsigned i = 0; i < 3; i++)
        x[TRAIT_PAIRS + i] = in_sixteenths(mine->to_pairs[i], 12);
    x[TRAIT_TO_SAFE] = in_sixteenths(mine->to_safe, 12);
    one_of(&x[TRAIT_RACE], turns - mine->to_two + 6, 13);
}

static void set_rivals(int8_t *x, const struct summary *sums, const struct board *board,
                       unsigned seat, int turns)
{
    static const uint8_t few[] = {1, 2, 4, 7};
    int work = 9, count = -(1 << 20), builds = 9, huts = 20;
    for (unsigned other = 0; other < board->game->options.seats; other++) {
        if (!traits_is_rival(board, seat, other))
            continue;
        work = smaller_of(work, sums[other].work);
        count = sums[other].count > count ? sums[other].count : count;
        builds = smaller_of(builds, sums[other].builds);
        huts = smaller_of(huts, board->reserve[other][TALUVA_HUT]);
    }
    one_of(&x[TRAIT_RIVAL_WORK], work, 6);
    const int lead = (sums[seat].count > count) - (sums[seat].count < count);
    for (unsigned i = 0; i < 4; i++)
        x[TRAIT_LEAD + i] = in_sixteenths(turns <= few[i] ? lead : 0, 1);
    x[TRAIT_RIVAL_OUT] = in_sixteenths(builds <= 2, 1);
    x[TRAIT_RIVAL_OUT + 1] = in_sixteenths(huts, 20);
}

static void set_mate(int8_t *x, const struct summary *sums, const struct board *board,
                     unsigned seat)
{
    const unsigned mate = (seat + 2) % 4;
    if (!board->game->options.teams || !board_is_playing(board, mate))
        return;
    x[TRAIT_MATE] = TRAIT_ONE;
    one_of(&x[TRAIT_MATE + 1], sums[mate].kinds_done, 3);
    x[TRAIT_MATE + 4] = in_sixteenths(sums[mate].one_kind, 3);
    x[TRAIT_MATE + 5] = in_sixteenths(sums[mate].work, 5);
}

static void set_game(int8_t *x, const struct taluva_options *options)
{
    x[TRAIT_GAME] = in_sixteenths(options->seats - 2, 2);
    x[TRAIT_GAME + 1] = in_sixteenths(options->teams, 1);
    x[TRAIT_GAME + 2] = in_sixteenths(options->ranking, 1);
    x[TRAIT_GAME + 3] = in_sixteenths(options->boats, 1);
    x[TRAIT_GAME + 4] = in_sixteenths(options->two_hex != 0, 1);
    x[TRAIT_GAME + 5] = in_sixteenths(options->zone, 3);
    x[TRAIT_GAME + 6] = in_sixteenths(options->huts_anywhere, 1);
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
        x[TRAIT_TURNS + 6] = in_sixteenths(turns, 24);
        set_pieces(x, board, seat);
        set_settlements(x, &sums[seat]);
        set_growth(x, &sums[seat], board, survey, seat);
        set_rivals(x, sums, board, seat, turns);
        set_more(x, sums, board, seat);
        set_cuts(x, &sums[seat]);
        set_turns(x, sums, board, seat);
        set_mate(x, sums, board, seat);
        set_game(x, &board->game->options);
    }
}
