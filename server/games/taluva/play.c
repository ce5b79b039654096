#include "taluva_match.h"
#include <assert.h>
#include <rules/notation.h>
#include <rules/status.h>
#include <string.h>

/* ---- moves as text */

void taluva_move_parse(struct taluva_move *move, const char *text, size_t len)
{
    *move = (struct taluva_move){.kind = TALUVA_MOVE_BAD};
    if (len == strlen(TALUVA_DRAW_TEXT) && memcmp(text, TALUVA_DRAW_TEXT, len) == 0)
        move->kind = TALUVA_MOVE_DRAW;
    else if (taluva_placement_parse(text, len, &move->placement, NULL))
        move->kind = TALUVA_MOVE_PLACE;
    else if (taluva_build_parse(text, len, &move->build, NULL))
        move->kind = TALUVA_MOVE_BUILD;
}

/* ---- the deal */

static unsigned match_seats(const void *value)
{
    const struct taluva_match *match = value;
    return match->options.seats;
}

static void match_reset(void *value)
{
    struct taluva_match *match = value;
    struct taluva_match fresh;
    memset(&fresh, 0, sizeof fresh);
    fresh.preset = match->preset;
    fresh.first_drawn = match->first_drawn;
    fresh.two_hex = match->two_hex;
    fresh.options = match->options;
    memcpy(match, &fresh, sizeof fresh);
}

static uint32_t draw_uniform(void *ctx, uint32_t n)
{
    return deal_stream_below(ctx, n);
}

/*
 * The tile that comes up next. The stack's size is all that the rules know of it; it is dealt from
 * the front, so that size tells how far it has been drawn.
 */
static taluva_tile next_tile(const struct taluva_match *match)
{
    assert(match->game.stack > 0 && match->game.stack <= match->options.tiles);
    return match->deck[match->options.tiles - match->game.stack];
}

/* Draws without a request if drawing is all that can be done. */
static void draw_without_choice(struct taluva_match *match)
{
    while (match->game.step == TALUVA_STEP_DRAW &&
           taluva_may_take(&match->game) == TALUVA_TAKE_DRAW) {
        enum taluva_status status =
            taluva_draw(&match->game, match->game.seat, next_tile(match), NULL);
        assert(status == TALUVA_OK);
    }
}

static void match_deal(void *value, struct deal_stream *stream)
{
    struct taluva_match *match = value;
    struct taluva_options options = match->options;
    struct taluva_deal deal = {.draw_first = match->first_drawn, .draw_two_hex = match->two_hex};
    enum taluva_status status = taluva_deal(&options, deal, draw_uniform, stream, match->deck);
    assert(status == TALUVA_OK);
    status = taluva_init(&match->game, &options);
    assert(status == TALUVA_OK);
    match->turn = 1;
    draw_without_choice(match);
}

/* ---- play */

static uint32_t match_acting(const void *value)
{
    const struct taluva_match *match = value;
    return taluva_acting(&match->game);
}

static uint32_t match_in_play(const void *value)
{
    const struct taluva_match *match = value;
    uint32_t set = 0;
    for (unsigned i = 0; i < match->options.seats; i++) {
        if (match->game.state[i] == TALUVA_SEAT_PLAYING)
            set |= UINT32_C(1) << i;
    }
    return set;
}

/* Ranks count seats, the rules' groups of equals. */
static void fill_ranks(const struct taluva_outcome *result, unsigned seats,
                       struct game_outcome *outcome)
{
    uint8_t rank = 1;
    for (unsigned group = 0; group < result->n_ranks; group++) {
        uint8_t next = rank;
        for (unsigned seat = 0; seat < seats; seat++) {
            if ((result->ranks[group] >> seat) & 1) {
                outcome->ranks[seat] = rank;
                next++;
            }
        }
        rank = next;
    }
}

static bool match_over(const void *value, struct game_outcome *outcome)
{
    const struct taluva_match *match = value;
    enum taluva_end end = (enum taluva_end)match->game.end;
    if (end == TALUVA_END_NONE || !outcome)
        return end != TALUVA_END_NONE;
    struct taluva_outcome result;
    taluva_outcome(&match->game, &result);
    *outcome = (struct game_outcome){
        .reason = taluva_end_name(end),
        .teams = match->options.teams ? 2 : 0,
        .winners = result.winners,
    };
    fill_ranks(&result, match->options.seats, outcome);
    return true;
}

static void refuse_move(struct refusal *refusal, enum taluva_status status,
                        const struct taluva_detail *detail)
{
    *refusal = (struct refusal){
        .code = taluva_status_code(status),
        .text = taluva_status_text(status),
        .has_number = detail->has_number,
        .number = detail->number,
    };
    if (detail->has_hex) {
        char text[TALUVA_HEX_TEXT];
        taluva_hex_format(detail->hex, text);
        memcpy(refusal->at, text, sizeof text);
    }
}

/* To be called after every change: the turn may have passed, and the next tile may be drawn. */
static void follow_up(struct taluva_match *match, uint8_t seat,
                      const struct taluva_effects *effects, struct game_change *change)
{
    change->turned = 0;
    if (effects->turn_passed) {
        change->turned = UINT32_C(1) << seat;
        if (match->game.end == TALUVA_END_NONE)
            match->turn++;
    }
    draw_without_choice(match);
}

static void note_placement(struct taluva_match *match, unsigned seat,
                           const struct taluva_placement *placement,
                           const struct taluva_effects *effects)
{
    memset(&match->last[seat], 0, sizeof match->last[seat]);
    match->last[seat].placed = true;
    match->last[seat].ended = (effects->eliminated >> seat) & 1;
    match->last[seat].placement = *placement;
}

/* The functions that do a move do not say where it is wrong: a refused one is checked for that. */
static enum taluva_status act_place(struct taluva_match *match, uint8_t seat,
                                    const struct taluva_placement *placement, bool confirm,
                                    struct taluva_effects *effects, struct taluva_detail *detail)
{
    enum taluva_status status = taluva_place(&match->game, seat, placement, confirm, effects);
    if (status != TALUVA_OK)
        return taluva_check_place(&match->game, seat, placement, confirm, detail);
    note_placement(match, seat, placement, effects);
    return TALUVA_OK;
}

static enum taluva_status act_build(struct taluva_match *match, uint8_t seat,
                                    const struct taluva_build *build,
                                    struct taluva_effects *effects, struct taluva_detail *detail)
{
    enum taluva_status status = taluva_build(&match->game, seat, build, effects);
    if (status != TALUVA_OK)
        return taluva_check_build(&match->game, seat, build, detail);
    match->last[seat].built = true;
    match->last[seat].build = *build;
    return TALUVA_OK;
}

static bool match_act(void *value, unsigned seat, const char *text, size_t len, bool confirm,
                      struct game_change *change, struct refusal *refusal)
{
    struct taluva_match *match = value;
    struct taluva *game = &match->game;
    struct taluva_effects effects = {0};
    struct taluva_detail detail = {0};
    struct taluva_move move;
    enum taluva_status status = TALUVA_OK;
    uint8_t player = (uint8_t)seat;
    taluva_move_parse(&move, text, len);
    switch (move.kind) {
    case TALUVA_MOVE_DRAW:
        status = taluva_draw(game, player, game->stack > 0 ? next_tile(match) : TALUVA_TILE_NONE,
                             &effects);
        break;
    case TALUVA_MOVE_PLACE:
        status = act_place(match, player, &move.placement, confirm, &effects, &detail);
        break;
    case TALUVA_MOVE_BUILD:
        status = act_build(match, player, &move.build, &effects, &detail);
        break;
    case TALUVA_MOVE_BAD:
        *refusal = (struct refusal){.error = PROTOCOL_BAD_FIELD, .field = "move"};
        return false;
    }
    if (status == TALUVA_OK)
        follow_up(match, player, &effects, change);
    else
        refuse_move(refusal, status, &detail);
    return status == TALUVA_OK;
}

static bool match_forfeit(void *value, unsigned seat, struct game_change *change)
{
    struct taluva_match *match = value;
    struct taluva_effects effects = {0};
    bool in_turn = match->game.seat == seat;
    bool in_build = in_turn && match->game.step == TALUVA_STEP_BUILD;
    if (taluva_forfeit(&match->game, (uint8_t)seat, &effects) != TALUVA_OK)
        return false;
    if (in_build)
        match->last[seat].ended = true;
    follow_up(match, (uint8_t)seat, &effects, change);
    if (!in_turn)
        change->turned = 0;
    return true;
}

static bool match_may_undo(const void *value, unsigned seat)
{
    const struct taluva_match *match = value;
    return match->game.step == TALUVA_STEP_BUILD && match->game.seat == seat;
}

const struct game_rules taluva_rules = {
    .create = taluva_match_create,
    .write_options = taluva_match_write_options,
    .seats = match_seats,
    .reset = match_reset,
    .deal = match_deal,
    .acting = match_acting,
    .in_play = match_in_play,
    .over = match_over,
    .act = match_act,
    .forfeit = match_forfeit,
    .may_undo = match_may_undo,
};
