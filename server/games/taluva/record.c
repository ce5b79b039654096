/* Taluva's words in a record: protocol/record.md, "The words of Taluva". */
#include "taluva_match.h"
#include <assert.h>
#include <rules/notation.h>
#include <stdio.h>
#include <string.h>

/* Words with one space between, up to a bound. */
struct words {
    char text[RECORD_VALUE_BYTES];
    size_t len;
};

static void words_add(struct words *words, const char *word)
{
    size_t len = strlen(word);
    assert(words->len + 1 + len < sizeof words->text);
    if (words->len > 0)
        words->text[words->len++] = ' ';
    memcpy(words->text + words->len, word, len + 1);
    words->len += len;
}

static void words_add_tile(struct words *words, taluva_tile tile)
{
    char text[TALUVA_TILE_TEXT];
    taluva_tile_format(tile, text);
    words_add(words, text);
}

static void record_deal(const void *value, struct game_pairs *pairs)
{
    const struct taluva_match *match = value;
    struct words words = {.len = 0};
    game_pairs_add_number(pairs, "first", match->game.options.first);
    for (unsigned i = 0; i < TALUVA_TWO_HEX_MAX; i++) {
        if ((match->game.options.two_hex >> i) & 1)
            words_add_tile(&words, (taluva_tile)(TALUVA_TILE_TWO_HEX + i));
    }
    if (words.len > 0)
        game_pairs_add(pairs, "two_hex", words.text);
    words = (struct words){.len = 0};
    for (unsigned i = 0; i < match->options.tiles; i++)
        words_add_tile(&words, match->deck[i]);
    game_pairs_add(pairs, "deck", words.text);
}

static void record_result(const void *value, struct game_pairs *pairs)
{
    const struct taluva_match *match = value;
    struct taluva_outcome outcome;
    taluva_outcome(&match->game, &outcome);
    for (unsigned team = 0; match->options.teams && team < 2; team++) {
        static const char *const names[] = {"totals_0", "totals_1"};
        const uint8_t *totals = outcome.totals[team];
        char text[32];
        snprintf(text, sizeof text, "%u %u %u %u", totals[TALUVA_TEMPLE], totals[TALUVA_TOWER],
                 totals[TALUVA_BOAT], totals[TALUVA_HUT]);
        game_pairs_add(pairs, names[team], text);
    }
}

static size_t record_words(const void *before_value, const void *after_value, unsigned seat,
                           const char *text, size_t len, char words[RECORD_TEXT_BYTES])
{
    const struct taluva_match *before = before_value, *after = after_value;
    struct taluva_move move;
    taluva_move_parse(&move, text, len);
    if (move.kind == TALUVA_MOVE_DRAW)
        return 0;
    memcpy(words, text, len);
    bool now_out = before->game.state[seat] != TALUVA_SEAT_ELIMINATED &&
                   after->game.state[seat] == TALUVA_SEAT_ELIMINATED;
    if (move.kind == TALUVA_MOVE_PLACE && now_out) {
        memcpy(words + len, " none", 5);
        len += 5;
    }
    return len;
}

/* Where players may take a 2-Hex tile instead, a draw alone takes a tile off the stack as well. */
static size_t record_cut_short(const void *value, unsigned seat, char words[RECORD_TEXT_BYTES])
{
    const struct taluva_match *match = value;
    const size_t len = sizeof TALUVA_DRAW_TEXT - 1;
    if (!match->two_hex || match->game.seat != seat || match->game.step != TALUVA_STEP_PLACE)
        return 0;
    memcpy(words, TALUVA_DRAW_TEXT, len);
    return len;
}

const struct game_record taluva_record = {
    .options = taluva_match_record_options,
    .deal = record_deal,
    .result = record_result,
    .words = record_words,
    .cut_short = record_cut_short,
};
