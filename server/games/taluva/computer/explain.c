#include <computer/explain.h>

#include <string.h>

/* ---- what a seat could build */

enum { PROSPECTS = EXPLAIN_TOWER + 1 };

/* One build that does it, of each of the first three. */
struct prospects {
    bool has[PROSPECTS];
    struct taluva_build build[PROSPECTS];
};

static void note_build(struct prospects *prospects, enum explain_what what,
                       const struct taluva_build *build)
{
    if (!prospects->has[what])
        prospects->build[what] = *build;
    prospects->has[what] = true;
}

/* By its own build nobody ends a game otherwise than by two kinds, but by the last tile. */
static bool wins_with(const struct taluva *game, const struct taluva_build *build)
{
    struct taluva after = *game;
    if (taluva_build(&after, game->seat, build, NULL) != TALUVA_OK)
        return false;
    return after.end == TALUVA_END_TWO_KINDS || after.state[game->seat] == TALUVA_SEAT_FINISHED;
}

static void look_ahead(const struct taluva *game, uint8_t seat, struct prospects *prospects)
{
    struct taluva building;
    struct taluva_build builds[TALUVA_BUILDS_MAX];
    memset(prospects, 0, sizeof *prospects);
    if (!taluva_let_build(game, seat, &building))
        return;
    const size_t n = taluva_list_builds(&building, builds);
    for (size_t i = 0; i < n; i++) {
        if (builds[i].verb == TALUVA_BUILD_TEMPLE)
            note_build(prospects, EXPLAIN_TEMPLE, &builds[i]);
        if (builds[i].verb == TALUVA_BUILD_TOWER)
            note_build(prospects, EXPLAIN_TOWER, &builds[i]);
        if (!prospects->has[EXPLAIN_WIN] && wins_with(&building, &builds[i]))
            note_build(prospects, EXPLAIN_WIN, &builds[i]);
    }
}

static void look_all(const struct taluva *game, struct prospects prospects[TALUVA_SEATS_MAX])
{
    for (uint8_t seat = 0; seat < TALUVA_SEATS_MAX; seat++)
        look_ahead(game, seat, &prospects[seat]);
}

/* ---- the turn */

struct played {
    const struct taluva *before;
    struct taluva after;
    uint8_t seat;
    const struct taluva_build *build;
    uint8_t huts[TALUVA_SEATS_MAX]; /* covered */
    struct prospects could[TALUVA_SEATS_MAX], can[TALUVA_SEATS_MAX];
};

static bool play_turn(struct played *played, const struct taluva_placement *placement)
{
    struct taluva *const game = &played->after;
    struct taluva_effects effects;
    const uint8_t seat = played->seat;
    if (placement && game->step == TALUVA_STEP_DRAW && !taluva_tile_is_two_hex(placement->tile) &&
        taluva_draw(game, seat, placement->tile, NULL) != TALUVA_OK)
        return false;
    if (placement) {
        if (taluva_place(game, seat, placement, true, &effects) != TALUVA_OK)
            return false;
        memcpy(played->huts, effects.huts_covered, sizeof played->huts);
    }
    return !played->build || taluva_build(game, seat, played->build, NULL) == TALUVA_OK;
}

static bool is_rival(const struct played *played, uint8_t seat)
{
    const struct taluva_options *const options = &played->before->options;
    return seat != played->seat && (!options->teams || (seat + played->seat) % 2 != 0);
}

/* ---- facts */

static struct explain_fact *add_fact(struct explain *out, enum explain_verb verb,
                                     enum explain_what what, uint8_t seat)
{
    struct explain_fact *const fact = &out->facts[out->n++];
    *fact = (struct explain_fact){.verb = (uint8_t)verb, .what = (uint8_t)what, .seat = seat};
    return fact;
}

static void add_prospect(struct explain *out, enum explain_verb verb, enum explain_what what,
                         uint8_t seat, const struct prospects *prospects)
{
    add_fact(out, verb, what, seat)->build = prospects->build[what];
}

/* A win is a threat also where it was one before. */
static void tell_own(const struct played *played, enum explain_what what, struct explain *out)
{
    const uint8_t seat = played->seat;
    if (played->can[seat].has[what] && (!played->could[seat].has[what] || what == EXPLAIN_WIN))
        add_prospect(out, EXPLAIN_THREATENS, what, seat, &played->can[seat]);
}

static void tell_rival(const struct played *played, uint8_t seat, enum explain_what what,
                       struct explain *out)
{
    const struct prospects *const could = &played->could[seat], *const can = &played->can[seat];
    if (could->has[what] && !can->has[what])
        add_prospect(out, EXPLAIN_PREVENTS, what, seat, could);
    else if (can->has[what] && !could->has[what])
        add_prospect(out, EXPLAIN_ALLOWS, what, seat, can);
    else if (can->has[what] && what == EXPLAIN_WIN)
        add_prospect(out, EXPLAIN_LEAVES, what, seat, can);
}

/* What all could build of one kind. */
static void tell_prospects(const struct played *played, enum explain_what what, struct explain *out)
{
    if (played->after.step == TALUVA_STEP_OVER)
        return;
    tell_own(played, what, out);
    for (uint8_t seat = 0; seat < TALUVA_SEATS_MAX; seat++) {
        if (is_rival(played, seat))
            tell_rival(played, seat, what, out);
    }
}

static void tell_win(const struct played *played, struct explain *out)
{
    const struct taluva *const after = &played->after;
    struct taluva_outcome outcome;
    bool won = after->state[played->seat] == TALUVA_SEAT_FINISHED;
    if (after->step == TALUVA_STEP_OVER && !after->options.ranking) {
        taluva_outcome(after, &outcome);
        won =
            (outcome.winners >> (after->options.teams ? played->seat % 2 : played->seat) & 1) != 0;
    }
    if (won)
        add_fact(out, EXPLAIN_DOES, EXPLAIN_WIN, played->seat);
}

static void tell_done(const struct played *played, struct explain *out)
{
    const struct taluva *const before = played->before, *const after = &played->after;
    if (after->state[played->seat] == TALUVA_SEAT_ELIMINATED)
        add_fact(out, EXPLAIN_DOES, EXPLAIN_OUT, played->seat);
    for (uint8_t seat = 0; seat < TALUVA_SEATS_MAX; seat++) {
        if (played->huts[seat] > 0)
            add_fact(out, EXPLAIN_DOES, EXPLAIN_HUTS, seat)->n = played->huts[seat];
    }
    for (uint8_t kind = 0; kind < TALUVA_KINDS; kind++) {
        if (before->reserve[played->seat][kind] > 0 && after->reserve[played->seat][kind] == 0)
            add_fact(out, EXPLAIN_DOES, EXPLAIN_LAST, played->seat)->n = kind;
    }
}

bool explain_turn(const struct taluva *game, const struct taluva_placement *placement,
                  const struct taluva_build *build, struct explain *out)
{
    struct played played = {.before = game, .after = *game, .seat = game->seat, .build = build};
    out->n = 0;
    if (!play_turn(&played, placement))
        return false;
    look_all(game, played.could);
    look_all(&played.after, played.can);
    tell_win(&played, out);
    tell_prospects(&played, EXPLAIN_WIN, out);
    tell_done(&played, out);
    tell_prospects(&played, EXPLAIN_TEMPLE, out);
    tell_prospects(&played, EXPLAIN_TOWER, out);
    return true;
}

static bool has_fact(const struct explain *explain, const struct explain_fact *fact)
{
    for (unsigned i = 0; i < explain->n; i++) {
        const struct explain_fact *const one = &explain->facts[i];
        if (one->verb == fact->verb && one->what == fact->what && one->seat == fact->seat &&
            one->n == fact->n)
            return true;
    }
    return false;
}

void explain_without(struct explain *explain, const struct explain *other)
{
    unsigned n = 0;
    for (unsigned i = 0; i < explain->n; i++) {
        if (!has_fact(other, &explain->facts[i]))
            explain->facts[n++] = explain->facts[i];
    }
    explain->n = n;
}
