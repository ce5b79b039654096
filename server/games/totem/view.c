/* Events and the result of Totem on the wire: what a command brought about, as each may hear it. */
#include "totem_match.h"
#include <assert.h>
#include <string.h>

/* The words from `at` on, one string each. */
static void write_words(const char *at, struct writer *writer)
{
    writer_key_array(writer, "effects");
    while (*at) {
        size_t len = strcspn(at, " ");
        writer_string_n(writer, at, len);
        at += len + (at[len] == ' ');
    }
    writer_end(writer);
}

/* What followed from a command is not kept: it is played once more, on a copy. */
static void write_move(const void *before_value, const void *after_value, unsigned seat,
                       const char *move, size_t len, unsigned viewer, struct writer *writer)
{
    const struct totem_match *before = before_value;
    struct totem game = before->game;
    struct totem_command command;
    struct totem_births births;
    struct totem_effects effects;
    char text[TOTEM_EVENT_TEXT];
    (void)after_value;
    totem_match_births_of_command(before, &births);
    bool read = totem_command_parse(move, len, &command);
    assert(read);
    enum totem_status status = totem_play(&game, seat, &command, &births, &effects);
    assert(status == TOTEM_OK);
    totem_event_format(&game.options, &command, &effects, totem_match_audience(viewer), text);
    size_t first = strcspn(text, " ");
    writer_key(writer, "move");
    writer_string_n(writer, text, first);
    write_words(text + first + (text[first] == ' '), writer);
}

static void write_forfeit(const void *before_value, const void *after_value, unsigned seat,
                          unsigned viewer, struct writer *writer)
{
    const struct totem_match *before = before_value;
    struct totem game = before->game;
    struct totem_births births;
    struct totem_effects effects;
    char text[TOTEM_EVENT_TEXT];
    (void)after_value;
    totem_match_births(before, &births);
    enum totem_status status = totem_forfeit(&game, seat, &births, &effects);
    assert(status == TOTEM_OK);
    totem_event_format(&game.options, NULL, &effects, totem_match_audience(viewer), text);
    write_words(text, writer);
}

static void write_result(const void *value, struct writer *writer)
{
    const struct totem_match *match = value;
    writer_key_array(writer, "families");
    for (unsigned i = 0; i < match->game.n_winners; i++)
        writer_string(writer, totem_family_name(match->game.winners[i]).text);
    writer_end(writer);
}

const struct game_views totem_views = {
    .table = totem_match_write_table,
    .move = write_move,
    .forfeit = write_forfeit,
    .result = write_result,
    .moves = totem_match_write_moves,
};
