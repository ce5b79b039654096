/* Totem's words in a record: protocol/totem.md, section 7.3. A turn is one command. */
#include "totem_match.h"
#include <string.h>

/*
 * The longest match has a record. In a round a family settles, chooses or passes, casts its ten
 * spells, and uncovers four times; of at most 48 people ten may starve, each taken by a command.
 */
enum { COMMANDS_OF_A_ROUND = TOTEM_FAMILIES * (1 + 1 + TOTEM_SPELLS + 4 + 10) };
_Static_assert(TOTEM_ROUNDS_MAX *COMMANDS_OF_A_ROUND <= RECORD_LINES / 4 * 3,
               "every command has a line, and there is space for what happens beside");
_Static_assert(TOTEM_ROUNDS_MAX *COMMANDS_OF_A_ROUND *(TOTEM_COMMAND_BYTES + 26) <= RECORD_BYTES,
               "a line has a number, a seat, a command and the time it took");

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
