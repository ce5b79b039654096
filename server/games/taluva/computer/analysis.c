#include <computer/analysis.h>

#include "turns.h"
#include <assert.h>
#include <computer/computer.h>
#include <rules/box.h>
#include <rules/notation.h>
#include <string.h>

bool analysis_move_read(struct analysis_move *move, const char *text, size_t len)
{
    memset(move, 0, sizeof *move);
    if (len == 4 && memcmp(text, "draw", len) == 0)
        move->kind = ANALYSIS_DRAW;
    else if (taluva_placement_parse(text, len, &move->placement, NULL))
        move->kind = ANALYSIS_PLACE;
    else if (taluva_build_parse(text, len, &move->build, NULL))
        move->kind = ANALYSIS_BUILD;
    else
        return false;
    return true;
}

/* ---- what a position is worth */

static void think_about(struct analysis *analysis, const struct taluva *game, const uint8_t *unseen,
                        uint32_t simulations, struct computer_answer *answer)
{
    struct computer_question question = {
        .game = game,
        .simulations = simulations,
        .cancel = analysis->effort.cancel,
        .memory = analysis->effort.memory,
        .memory_bytes = analysis->effort.memory_bytes,
    };
    const struct analysis_thinker *const thinker = &analysis->effort.thinker;
    memcpy(question.unseen, unseen, sizeof question.unseen);
    if (thinker->think)
        thinker->think(thinker->user, &question, answer);
    else
        computer_think(&question, answer);
    analysis->cancelled |= answer->cancelled;
    analysis->simulations += answer->simulations;
}

static void see_tile(struct taluva *game, uint8_t *unseen, taluva_tile tile)
{
    const enum taluva_status status = taluva_draw(game, game->seat, tile, NULL);
    assert(status == TALUVA_OK);
    (void)status;
    unseen[tile]--;
}

/* A position whose cancelled answer is not wanted is not looked at further. */
static bool is_cancelled(struct analysis *analysis)
{
    const atomic_bool *const cancel = analysis->effort.cancel;
    analysis->cancelled |= cancel && atomic_load_explicit(cancel, memory_order_relaxed);
    return analysis->cancelled;
}

/*
 * What a seat can expect that is to choose a turn, fairly: halfway between the turn that was
 * visited most, which is too good to be true for it, as its opponents explored their answers, and
 * the mean over all visits, which is too bad, as it explored itself. Only so is luck nothing on
 * average.
 */
static void rate_choice(const struct computer_answer *answer, int32_t *chances)
{
    int64_t sums[TALUVA_SEATS_MAX] = {0}, visits = 0;
    for (unsigned i = 0; i < answer->n; i++) {
        const struct computer_turn *const turn = &answer->turns[i];
        visits += turn->visits;
        for (unsigned seat = 0; seat < TALUVA_SEATS_MAX; seat++)
            sums[seat] += (int64_t)turn->chances[seat] * turn->visits;
    }
    for (unsigned seat = 0; seat < TALUVA_SEATS_MAX; seat++) {
        const int32_t best = answer->turns[0].chances[seat];
        chances[seat] = visits ? (int32_t)((best + sums[seat] / visits) / 2) : best;
    }
}

/* The mean over all tiles that may come, each with its share of the simulations. */
static void rate_draw(struct analysis *analysis, const struct taluva *game, const uint8_t *unseen,
                      int32_t *chances)
{
    int64_t sums[TALUVA_SEATS_MAX] = {0};
    unsigned n_unseen = 0;
    for (unsigned i = 0; i < TALUVA_TILE_TWO_HEX; i++)
        n_unseen += unseen[i];
    for (unsigned i = 0; i < TALUVA_TILE_TWO_HEX && !is_cancelled(analysis); i++) {
        if (unseen[i] == 0)
            continue;
        struct computer_answer answer;
        struct taluva drawn = *game;
        uint8_t left[TALUVA_TILE_TWO_HEX];
        int32_t expected[TALUVA_SEATS_MAX];
        memcpy(left, unseen, sizeof left);
        see_tile(&drawn, left, (taluva_tile)i);
        think_about(analysis, &drawn, left, analysis->effort.simulations * unseen[i] / n_unseen,
                    &answer);
        rate_choice(&answer, expected);
        for (unsigned seat = 0; seat < TALUVA_SEATS_MAX; seat++)
            sums[seat] += (int64_t)expected[seat] * unseen[i];
    }
    for (unsigned seat = 0; seat < TALUVA_SEATS_MAX; seat++)
        chances[seat] = (int32_t)(sums[seat] / (n_unseen ? n_unseen : 1));
}

/* The best turn with a 2-Hex tile, parts 0 if there is none. */
static void rate_take(struct analysis *analysis, const struct taluva *game, const uint8_t *unseen,
                      struct computer_turn *take)
{
    struct computer_answer answer;
    take->parts = 0;
    if ((taluva_may_take(game) & ~TALUVA_TAKE_DRAW) == 0)
        return;
    think_about(analysis, game, unseen, analysis->effort.simulations, &answer);
    for (unsigned i = 0; i < answer.n && take->parts == 0; i++) {
        if ((answer.turns[i].parts & COMPUTER_PART_DRAW) == 0)
            *take = answer.turns[i];
    }
}

/* Of a position in step draw, or of one that is over. */
static void rate_position(struct analysis *analysis, const struct taluva *game,
                          const uint8_t *unseen, struct analysis_worth *worth)
{
    memset(worth, 0, sizeof *worth);
    if (game->step == TALUVA_STEP_OVER) {
        turns_rate_end(game, worth->chances);
        return;
    }
    const bool may_draw = (taluva_may_take(game) & TALUVA_TAKE_DRAW) != 0;
    if (may_draw)
        rate_draw(analysis, game, unseen, worth->draw);
    rate_take(analysis, game, unseen, &worth->take);
    worth->draws = may_draw && (worth->take.parts == 0 ||
                                worth->draw[game->seat] >= worth->take.chances[game->seat]);
    memcpy(worth->chances, worth->draws ? worth->draw : worth->take.chances, sizeof worth->chances);
}

/* ---- a turn */

static int16_t per_mille(int32_t chance)
{
    return (int16_t)(((int64_t)chance * ANALYSIS_ONE + COMPUTER_CHANCE_ONE / 2) /
                     COMPUTER_CHANCE_ONE);
}

static void per_mille_all(int16_t *out, const int32_t *chances)
{
    for (unsigned seat = 0; seat < TALUVA_SEATS_MAX; seat++)
        out[seat] = per_mille(chances[seat]);
}

static bool same_hex(struct taluva_hex one, struct taluva_hex other)
{
    return one.q == other.q && one.r == other.r;
}

static bool same_turn(const struct analysis_text *one, const struct analysis_text *other)
{
    if (one->parts != other->parts)
        return false;
    if ((one->parts & COMPUTER_PART_PLACE) != 0 &&
        (one->placement.tile != other->placement.tile || one->placement.k != other->placement.k ||
         !same_hex(one->placement.at, other->placement.at)))
        return false;
    return (one->parts & COMPUTER_PART_BUILD) == 0 ||
           (one->build.verb == other->build.verb && one->build.terrain == other->build.terrain &&
            same_hex(one->build.at, other->build.at));
}

static struct analysis_text text_of(const struct computer_turn *turn)
{
    return (struct analysis_text){
        .parts = turn->parts, .placement = turn->placement, .build = turn->build};
}

/*
 * The worth of what a turn leaves, on a copy: what other seats gave up in the meantime is not its
 * merit.
 */
static void rate_after(struct analysis *analysis, const struct taluva *game, const uint8_t *unseen,
                       const struct analysis_text *text, struct analysis_worth *worth)
{
    struct taluva after = *game;
    const struct turn turn = {
        .placement = text->placement, .build = text->build, .parts = text->parts};
    turn_apply(&after, &turn);
    rate_position(analysis, &after, unseen, worth);
}

/* The best of `answer` that is not the turn itself; INT32_MIN if there is no other. */
static int32_t best_other(const struct computer_answer *answer, const struct analysis_text *turn,
                          unsigned seat)
{
    int32_t best = INT32_MIN;
    for (unsigned i = 0; i < answer->n; i++) {
        const struct analysis_text other = text_of(&answer->turns[i]);
        if (!same_turn(&other, turn) && answer->turns[i].chances[seat] > best)
            best = answer->turns[i].chances[seat];
    }
    return best;
}

/* What is known of a turn before it is marked. */
struct rating {
    struct analysis_turn *turn;
    struct analysis_worth best, played;
    struct analysis_text better; /* the best turn with the tile; parts 0: what was played */
    bool only;                   /* every other turn is much worse */
    bool missed;                 /* the best turn won, and this one did not */
};

/* `game` is where the seat chose: with its tile in hand, or before it took one. */
static void compare_turns(struct analysis *analysis, const struct taluva *game,
                          const uint8_t *unseen, const struct computer_turn *found,
                          struct rating *rating)
{
    const struct analysis_text best = text_of(found);
    const uint8_t seat = rating->turn->seat;
    rate_after(analysis, game, unseen, &analysis->turn, &rating->played);
    rating->best = rating->played;
    if (same_turn(&best, &analysis->turn))
        return;
    struct analysis_worth other;
    rate_after(analysis, game, unseen, &best, &other);
    if (other.chances[seat] <= rating->played.chances[seat])
        return;
    rating->best = other;
    rating->better = best;
    rating->missed = other.chances[seat] == COMPUTER_CHANCE_ONE;
}

/* With a tile from the stack. */
static void rate_with_tile(struct analysis *analysis, struct rating *rating)
{
    struct computer_answer answer;
    struct taluva game = analysis->before;
    uint8_t unseen[TALUVA_TILE_TWO_HEX];
    const uint8_t seat = rating->turn->seat;
    memcpy(unseen, analysis->unseen_before, sizeof unseen);
    see_tile(&game, unseen, analysis->drawn);
    think_about(analysis, &game, unseen, analysis->effort.simulations, &answer);
    compare_turns(analysis, &game, unseen, &answer.turns[0], rating);
    const int32_t others = best_other(&answer, &analysis->turn, seat);
    rating->only = others != INT32_MIN && answer.turns[0].chances[seat] - others >=
                                              COMPUTER_CHANCE_ONE / ANALYSIS_ONE * ANALYSIS_GOOD;
    struct analysis_turn *const turn = rating->turn;
    const int32_t drew = per_mille(analysis->worth.draw[seat]);
    const int32_t should = per_mille(analysis->worth.chances[seat]);
    turn->luck = (int16_t)(per_mille(rating->best.chances[seat]) - drew);
    turn->loss = (int16_t)(per_mille(rating->best.chances[seat]) -
                           per_mille(rating->played.chances[seat]) + should - drew);
    if (2 * (should - drew) > turn->loss) /* to draw was the greater fault */
        rating->better = text_of(&analysis->worth.take);
}

/* With a 2-Hex tile that was taken. */
static void rate_with_taken(struct analysis *analysis, struct rating *rating)
{
    const struct analysis_worth *const worth = &analysis->worth;
    const uint8_t seat = rating->turn->seat;
    compare_turns(analysis, &analysis->before, analysis->unseen_before, &worth->take, rating);
    if (worth->draws && worth->draw[seat] > rating->best.chances[seat]) {
        memcpy(rating->best.chances, worth->draw, sizeof worth->draw);
        rating->better = (struct analysis_text){.parts = COMPUTER_PART_DRAW};
    }
    rating->turn->loss =
        (int16_t)(per_mille(rating->best.chances[seat]) - per_mille(rating->played.chances[seat]));
}

static enum analysis_mark mark_of(const struct rating *rating)
{
    if (rating->turn->loss >= ANALYSIS_BLUNDER)
        return ANALYSIS_IS_BLUNDER;
    if (rating->turn->loss >= ANALYSIS_MISTAKE || rating->missed)
        return ANALYSIS_IS_MISTAKE;
    return rating->only && rating->better.parts == 0 ? ANALYSIS_IS_GOOD : ANALYSIS_PLAIN;
}

static void rate_turn(struct analysis *analysis, uint8_t seat)
{
    assert(analysis->n < ANALYSIS_TURNS);
    struct analysis_turn *const turn = &analysis->turns[analysis->n];
    struct rating rating = {.turn = turn};
    memset(turn, 0, sizeof *turn);
    turn->number = (uint16_t)analysis->begun;
    turn->seat = seat;
    turn->turn = analysis->turn;
    if (!analysis->worth_known)
        rate_position(analysis, &analysis->before, analysis->unseen_before, &analysis->worth);
    if (analysis->drawn != TALUVA_TILE_NONE)
        rate_with_tile(analysis, &rating);
    else
        rate_with_taken(analysis, &rating);
    per_mille_all(turn->start, analysis->worth.chances);
    per_mille_all(turn->best, rating.best.chances);
    per_mille_all(turn->played, rating.played.chances);
    turn->mark = (uint8_t)mark_of(&rating);
    if (turn->mark == ANALYSIS_IS_MISTAKE || turn->mark == ANALYSIS_IS_BLUNDER)
        turn->better = rating.better;
    analysis->worth = rating.played;
    analysis->n++;
}

/* ---- the match */

/* Nothing is drawn, and somebody is to move, or the game is over. */
static void begin_turn(struct analysis *analysis)
{
    analysis->before = analysis->game;
    memcpy(analysis->unseen_before, analysis->unseen, sizeof analysis->unseen);
    analysis->drawn = TALUVA_TILE_NONE;
    analysis->turn.parts = 0;
    analysis->left = false;
}

enum taluva_status analysis_begin(struct analysis *analysis, const struct taluva_options *options,
                                  const taluva_tile *deck, const struct analysis_effort *effort)
{
    taluva_tile box[TALUVA_TILES_MAX];
    memset(analysis, 0, sizeof *analysis);
    analysis->effort = *effort;
    const enum taluva_status status = taluva_init(&analysis->game, options);
    if (status != TALUVA_OK)
        return status;
    memcpy(analysis->deck, deck, options->tiles * sizeof deck[0]);
    const size_t n = taluva_box(options->seats == 5, box);
    for (size_t i = 0; i < n; i++)
        analysis->unseen[box[i]]++;
    begin_turn(analysis);
    return TALUVA_OK;
}

/* A tile that the box has no more of is not on the stack. */
static enum taluva_status play_draw(struct analysis *analysis, uint8_t seat)
{
    struct taluva *const game = &analysis->game;
    if (game->stack == 0)
        return TALUVA_STACK_EMPTY;
    const taluva_tile tile = analysis->deck[game->options.tiles - game->stack];
    if (tile >= TALUVA_TILE_TWO_HEX || analysis->unseen[tile] == 0)
        return TALUVA_NO_SUCH_TILE;
    const enum taluva_status status = taluva_draw(game, seat, tile, NULL);
    if (status != TALUVA_OK)
        return status;
    analysis->unseen[tile]--;
    analysis->drawn = tile;
    return TALUVA_OK;
}

/* What a room does without being told to: a tile is drawn where nothing else can be done. */
static enum taluva_status draw_without_choice(struct analysis *analysis)
{
    const struct taluva *const game = &analysis->game;
    if (game->step != TALUVA_STEP_DRAW || taluva_may_take(game) != TALUVA_TAKE_DRAW)
        return TALUVA_OK;
    return play_draw(analysis, game->seat);
}

/* Rates the turn if it is complete. */
static void follow_up(struct analysis *analysis, uint8_t seat, const struct taluva_effects *effects)
{
    if (!effects->turn_passed)
        return;
    if (!is_cancelled(analysis))
        rate_turn(analysis, seat);
    analysis->worth_known = !analysis->cancelled && !analysis->left;
    begin_turn(analysis);
}

static enum taluva_status play_placement(struct analysis *analysis, uint8_t seat,
                                         const struct taluva_placement *placement)
{
    struct taluva *const game = &analysis->game;
    struct taluva_effects effects;
    enum taluva_status status = TALUVA_OK;
    if (game->step == TALUVA_STEP_DRAW && !taluva_tile_is_two_hex(placement->tile))
        status = play_draw(analysis, seat);
    if (status == TALUVA_OK)
        status = taluva_place(game, seat, placement, true, &effects);
    if (status != TALUVA_OK)
        return status;
    analysis->turn = (struct analysis_text){.parts = COMPUTER_PART_PLACE, .placement = *placement};
    analysis->begun++;
    follow_up(analysis, seat, &effects);
    return TALUVA_OK;
}

static enum taluva_status play_build(struct analysis *analysis, uint8_t seat,
                                     const struct taluva_build *build)
{
    struct taluva_effects effects;
    const enum taluva_status status = taluva_build(&analysis->game, seat, build, &effects);
    if (status != TALUVA_OK)
        return status;
    analysis->turn.parts |= COMPUTER_PART_BUILD;
    analysis->turn.build = *build;
    follow_up(analysis, seat, &effects);
    return TALUVA_OK;
}

/*
 * A seat that leaves before its turn is complete has no turn to be rated. If another one leaves,
 * the turn is rated with it gone as long as nothing has been chosen, and else as if it were still
 * there.
 */
static enum taluva_status play_forfeit(struct analysis *analysis, uint8_t seat)
{
    const bool in_turn = analysis->game.seat == seat;
    const enum taluva_status status = taluva_forfeit(&analysis->game, seat, NULL);
    if (status != TALUVA_OK)
        return status;
    if (in_turn)
        begin_turn(analysis);
    else if (analysis->turn.parts == 0)
        (void)taluva_forfeit(&analysis->before, seat, NULL);
    else
        analysis->left = true;
    if (!analysis->left)
        analysis->worth_known = false;
    return TALUVA_OK;
}

enum taluva_status analysis_move(struct analysis *analysis, uint8_t seat,
                                 const struct analysis_move *move)
{
    const enum taluva_status status = draw_without_choice(analysis);
    if (status != TALUVA_OK)
        return status;
    switch ((enum analysis_kind)move->kind) {
    case ANALYSIS_DRAW:
        /* Where it is without a choice it has been done. */
        return analysis->drawn != TALUVA_TILE_NONE ? TALUVA_OK : play_draw(analysis, seat);
    case ANALYSIS_PLACE:
        return play_placement(analysis, seat, &move->placement);
    case ANALYSIS_BUILD:
        return play_build(analysis, seat, &move->build);
    case ANALYSIS_FORFEIT:
        return play_forfeit(analysis, seat);
    }
    return TALUVA_WRONG_STEP;
}

/* ---- the whole */

static int32_t swing_of(const struct analysis_turn *turn)
{
    int32_t most = 0;
    for (unsigned seat = 0; seat < TALUVA_SEATS_MAX; seat++) {
        const int32_t change = turn->played[seat] - turn->start[seat];
        const int32_t size = change < 0 ? -change : change;
        most = size > most ? size : most;
    }
    return most;
}

/* The largest swing of the turns that are not taken, NULL if none is large; the earlier of equals.
 */
static const struct analysis_turn *largest_swing(const struct analysis *analysis, const bool *taken)
{
    const struct analysis_turn *best = NULL;
    int32_t most = ANALYSIS_SWING - 1;
    for (unsigned i = 0; i < analysis->n; i++) {
        if (taken[i] || swing_of(&analysis->turns[i]) <= most)
            continue;
        best = &analysis->turns[i];
        most = swing_of(best);
    }
    return best;
}

static void find_points(struct analysis *analysis)
{
    bool taken[ANALYSIS_TURNS] = {false};
    const struct analysis_turn *next;
    for (unsigned i = 0; i < ANALYSIS_POINTS && (next = largest_swing(analysis, taken)); i++)
        taken[next - analysis->turns] = true;
    for (unsigned i = 0; i < analysis->n; i++) {
        if (taken[i])
            analysis->points[analysis->n_points++] = analysis->turns[i].number;
    }
}

void analysis_finish(struct analysis *analysis)
{
    analysis->n_points = 0;
    memset(analysis->seats, 0, sizeof analysis->seats);
    find_points(analysis);
    for (unsigned i = 0; i < analysis->n; i++) {
        const struct analysis_turn *const turn = &analysis->turns[i];
        struct analysis_seat *const seat = &analysis->seats[turn->seat];
        seat->luck += turn->luck;
        seat->loss += turn->loss;
        seat->good += turn->mark == ANALYSIS_IS_GOOD;
        seat->mistakes += turn->mark == ANALYSIS_IS_MISTAKE;
        seat->blunders += turn->mark == ANALYSIS_IS_BLUNDER;
    }
}
