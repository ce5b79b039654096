#include "totem_match.h"
#include <assert.h>
#include <string.h>

/* ---- the deal */

static unsigned match_seats(const void *value)
{
    const struct totem_match *match = value;
    return match->options.players;
}

static void match_reset(void *value)
{
    struct totem_match *match = value;
    memset(match->key, 0, sizeof match->key);
    memset(&match->game, 0, sizeof match->game);
}

/* Only the first family is drawn now. Births are drawn round by round, from the key. */
static void match_deal(void *value, struct deal_stream *stream)
{
    struct totem_match *match = value;
    struct totem_options options = match->options;
    if (match->first_drawn)
        options.first = (uint8_t)deal_stream_below(stream, totem_families(&options));
    memcpy(match->key, stream->key, sizeof match->key);
    totem_init(&match->game, &options);
}

enum {
    BIRTH_BLOCKS = 16, /* of the stream, for each round */
    BIRTH_BITS = 1024, /* ten bits for each hut */
};

void totem_match_births(const struct totem_match *match, struct totem_births *births)
{
    struct deal_stream stream;
    deal_stream_init_at(&stream, match->key, (uint64_t)BIRTH_BLOCKS * match->game.round);
    for (unsigned hut = 0; hut < TOTEM_HUTS_ALL; hut++)
        births->words[hut] = (uint16_t)deal_stream_below(&stream, BIRTH_BITS);
}

/* Phase 3 comes when the last family that must act in a step before it has acted. */
void totem_match_births_of_command(const struct totem_match *match, struct totem_births *births)
{
    if (match->game.n_queue <= 1 && match->game.step <= TOTEM_STEP_REVEAL_BIRTHS)
        totem_match_births(match, births);
    else
        memset(births, 0, sizeof *births);
}

/* ---- play */

static uint32_t match_acting(const void *value)
{
    const struct totem_match *match = value;
    return totem_acting_seats(&match->game);
}

static uint32_t match_in_play(const void *value)
{
    const struct totem_match *match = value;
    return totem_seats_in_play(&match->game);
}

/* Ranks count seats, the rules' groups of equals. */
static void fill_ranks(const struct totem_outcome *result, unsigned seats,
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
    const struct totem_match *match = value;
    enum totem_end end = (enum totem_end)match->game.end;
    if (end == TOTEM_END_NONE || !outcome)
        return end != TOTEM_END_NONE;
    struct totem_outcome result;
    totem_outcome(&match->game, &result);
    *outcome = (struct game_outcome){.reason = totem_end_name(end), .winners = result.winners};
    fill_ranks(&result, match->options.players, outcome);
    return true;
}

static const char *const codes[TOTEM_STATUSES] = {
    [TOTEM_OK] = "ok",
    [TOTEM_BAD_COMMAND] = "bad_command",
    [TOTEM_OVER] = "over",
    [TOTEM_NOT_YOURS] = "not_yours",
    [TOTEM_NOT_NOW] = "not_now",
    [TOTEM_NOT_YOUR_TURN] = "not_your_turn",
    [TOTEM_UNKNOWN_PEOPLE] = "unknown_people",
    [TOTEM_HUT_FULL] = "hut_full",
    [TOTEM_PEOPLE_LEFT] = "people_left",
    [TOTEM_NO_COUPLE] = "no_couple",
    [TOTEM_TOO_MANY_SPELLS] = "too_many_spells",
    [TOTEM_NOT_CHOSEN] = "not_chosen",
    [TOTEM_SPELL_USED] = "spell_used",
    [TOTEM_NO_SUCH_HUT] = "no_such_hut",
    [TOTEM_NOT_CAST] = "not_cast",
    [TOTEM_WRONG_PHASE] = "wrong_phase",
    [TOTEM_WRONG_FAMILY] = "wrong_family",
    [TOTEM_ELDER_SPARED] = "elder_spared",
    [TOTEM_WRONG_COUNT] = "wrong_count",
    [TOTEM_BAD_PLAYERS] = "bad_players",
    [TOTEM_BAD_FIRST] = "bad_first",
    [TOTEM_BAD_ROUNDS] = "bad_rounds",
    [TOTEM_BAD_VARIANT] = "bad_variant",
};

static bool refuse_move(struct refusal *refusal, enum totem_status status)
{
    *refusal = (struct refusal){.code = codes[status], .text = totem_status_text(status)};
    return false;
}

/* The seats of families whose note was read, or lapsed: they are done only now. */
static uint32_t seats_read(const struct totem *before, const struct totem *after)
{
    uint32_t seats = 0;
    for (unsigned family = 0; family < totem_families(&after->options); family++) {
        if (before->families[family].note.written && !after->families[family].note.written)
            seats |= UINT32_C(1) << totem_seat_of(&after->options, family);
    }
    return seats;
}

/*
 * Each command is a turn of its seat. But what can be taken back ends no turn before it is read:
 * else a player could gain time by writing it again and again.
 */
static bool match_act(void *value, unsigned seat, const char *text, size_t len, bool confirm,
                      struct game_change *change, struct refusal *refusal)
{
    struct totem_match *match = value;
    struct totem_command command;
    struct totem_births births;
    (void)confirm; /* no command of this game asks for it */
    if (!totem_command_parse(text, len, &command))
        return refuse_move(refusal, TOTEM_BAD_COMMAND);
    const struct totem before = match->game;
    totem_match_births_of_command(match, &births);
    enum totem_status status = totem_play(&match->game, seat, &command, &births, NULL);
    if (status != TOTEM_OK)
        return refuse_move(refusal, status);
    change->turned = seats_read(&before, &match->game);
    if (!match->game.families[command.family].note.written)
        change->turned |= UINT32_C(1) << seat;
    return true;
}

static bool match_forfeit(void *value, unsigned seat, struct game_change *change)
{
    struct totem_match *match = value;
    const struct totem before = match->game;
    struct totem_births births;
    totem_match_births(match, &births);
    if (totem_forfeit(&match->game, seat, &births, NULL) != TOTEM_OK)
        return false;
    change->turned = seats_read(&before, &match->game) & ~(UINT32_C(1) << seat);
    return true;
}

static bool match_may_undo(const void *value, unsigned seat)
{
    const struct totem_match *match = value;
    for (unsigned family = 0; family < totem_families(&match->options); family++) {
        if (totem_seat_of(&match->options, family) == seat &&
            totem_may_take_back(&match->game, family))
            return true;
    }
    return false;
}

const struct game_rules totem_rules = {
    .create = totem_match_create,
    .write_options = totem_match_write_options,
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
