/*
 * Taluva in words: what is played, what is to be done, what somebody has left.
 */
#include "parts.h"
#include <cli/state.h>
#include <string.h>

const char *const taluva_colours[] = {"red", "white", "yellow", "brown", "black", NULL};

void taluva_options_print(const json_t *options, FILE *out)
{
    static const struct {
        const char *key, *word;
    } flags[] = {{"teams", "two teams"},
                 {"ranking", "ranking"},
                 {"boats", "boats"},
                 {"two_hex", "2-Hex tiles"}};
    const char *zone = state_text(options, "zone");
    fprintf(out, "%s, %d tiles, %s huts", state_text(options, "preset"),
            state_number(options, "tiles"),
            strcmp(state_text(options, "huts"), "anywhere") == 0 ? "free" : "isolated");
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (json_is_true(state_at(options, flags[i].key)))
            fprintf(out, ", %s", flags[i].word);
    }
    if (*zone && strcmp(zone, "none") != 0)
        fprintf(out, ", %s board", zone);
}

void taluva_title(char *text, size_t size, const json_t *state)
{
    int len = 0;
    *text = '\0';
    if (state_at(state, "table.turn"))
        len = snprintf(text, size, "turn %d  ", state_number(state, "table.turn.number"));
    if (state_at(state, "table") && len >= 0 && (size_t)len < size)
        snprintf(text + len, size - (size_t)len, "stack %d", state_number(state, "table.stack"));
}

void taluva_task(char *text, size_t size, const json_t *state)
{
    const char *step = state_text(state, "table.turn.step");
    if (strcmp(step, "draw") == 0)
        snprintf(text, size, "draw, or take a 2-Hex tile");
    else if (strcmp(step, "place") == 0)
        snprintf(text, size, "place %s", state_text(state, "table.turn.tile"));
    else
        snprintf(text, size, "%s", strcmp(step, "build") == 0 ? "build" : "move");
}

void taluva_prompt(char *text, size_t size, const struct game_room *room)
{
    const char *step = state_text(room->state, "table.turn.step");
    snprintf(text, size, "%s",
             strcmp(step, "draw") == 0    ? "draw or take"
             : strcmp(step, "place") == 0 ? "place"
                                          : "build");
}

void taluva_move_sentence(char *text, size_t size, const char *who, const json_t *event)
{
    const char *move = state_text(event, "move");
    bool out = json_is_true(state_at(event, "eliminated"));
    if (strcmp(move, "draw") == 0)
        snprintf(text, size, "%s draws a tile.", who);
    else
        snprintf(text, size, "%s: %s%s", who, move,
                 out ? ", has nothing to build and is out of the game." : "");
}

void taluva_seat_line(char *text, size_t size, const json_t *state, int seat)
{
    const json_t *pieces = state_of_seat(state, "table.players", seat);
    *text = '\0';
    if (!pieces)
        return;
    int len = snprintf(text, size, "hut%d tow%d tem%d", state_number(pieces, "huts"),
                       state_number(pieces, "towers"), state_number(pieces, "temples"));
    if (state_at(pieces, "boats") && len > 0 && (size_t)len < size)
        snprintf(text + len, size - (size_t)len, " boat%d", state_number(pieces, "boats"));
}

const char *taluva_seat_word(const json_t *state, int seat)
{
    const json_t *pieces = state_of_seat(state, "table.players", seat);
    if (state_at(pieces, "out"))
        return "out";
    return state_at(pieces, "done") ? "done" : "";
}
