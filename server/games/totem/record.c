/* Totem's words in a record: protocol/totem.md, section 7.3. A turn is one command. */
#include "totem_match.h"
#include <string.h>

/* Births are not written: they follow from the secret. */
static void record_deal(const void *value, struct game_pairs *pairs)
{
    const struct totem_match *match = value;
    game_pairs_add(pairs, "first", totem_family_name(match->game.options.first).text);
}

static size_t record_words(const void *before, const void *after, unsigned seat, const char *text,
                           size_t len, char words[RECORD_TEXT_BYTES])
{
    (void)before;
    (void)after;
    (void)seat;
    memcpy(words, text, len);
    return len;
}

const struct game_record totem_record = {
    .options = totem_match_record_options,
    .deal = record_deal,
    .words = record_words,
    .turn_each_move = true,
};
