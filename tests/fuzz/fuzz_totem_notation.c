/*
 * Any text, to the readers of Totem's commands and positions. What is read is written back the
 * same, and a position that is read can be played on to its end: whoever wrote it may be hostile.
 */
#include "fuzz.h"
#include "totem_play.h"
#include <string.h>
#include <totem_rules/notation.h>

enum { ROUNDS_PLAYED = 2 };

static void hold_same(const char *text, size_t len, const char *written, size_t written_len)
{
    HOLD(written_len == len && memcmp(text, written, len) == 0);
}

static void read_command(const char *text, size_t len)
{
    char out[TOTEM_COMMAND_TEXT];
    struct totem_command command;
    if (!totem_command_parse(text, len, &command))
        return;
    HOLD(len <= TOTEM_COMMAND_BYTES);
    hold_same(text, len, out, totem_command_format(&command, out));
}

/* What each audience is told can be written, and depends on nothing that others hide. */
static void hold_views(const struct totem *game)
{
    char out[TOTEM_POSITION_TEXT];
    struct totem_outcome outcome;
    for (unsigned seat = 0; seat < game->options.players; seat++)
        HOLD(totem_position_format(game, seat, out) < TOTEM_POSITION_TEXT);
    hold_totem_hidden(game);
    totem_outcome(game, &outcome);
    HOLD(outcome.n_ranks <= TOTEM_SEATS_MAX);
}

/* The bytes choose; a few rounds are enough for every step there is. */
static void play_on(struct totem *game, struct choices *choices)
{
    if (game->options.rounds > game->round + ROUNDS_PLAYED)
        game->options.rounds = (uint8_t)(game->round + ROUNDS_PLAYED);
    while (game->step != TOTEM_STEP_OVER) {
        play_legal(choices, game);
        hold_totem(game);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct totem game;
    const char *const text = (const char *)data, *what = NULL;
    char out[TOTEM_POSITION_TEXT];
    size_t offset = 0;
    totem_broken_about(NULL);
    read_command(text, size);
    if (!totem_position_parse(text, size, &game, &offset, &what)) {
        HOLD(what && offset <= size);
        return 0;
    }
    totem_broken_about(&game);
    hold_same(text, size, out, totem_position_format(&game, TOTEM_SERVER, out));
    hold_totem(&game);
    hold_totem_round_trip(&game);
    hold_views(&game);
    struct choices choices = {.at = data, .left = size};
    play_on(&game, &choices);
    return 0;
}
