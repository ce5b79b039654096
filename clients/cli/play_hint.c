#include "play_hint.h"

#include <cli/state.h>
#include <protocol/limits.h>

enum { PER_CENT = 10 }; /* of a chance per mille */

static void print_moves(const struct game *game, const struct game_room *room, const json_t *moves,
                        FILE *out)
{
    size_t i;
    json_t *move;
    json_array_foreach(moves, i, move)
    {
        char text[PROTOCOL_MOVE_BYTES + 8] = "";
        if (json_is_string(move))
            game->move_write(text, sizeof text, json_string_value(move), "", room);
        fprintf(out, "%s%s", i > 0 ? ", then " : "", text);
    }
    fputc('\n', out);
}

static void print_chances(const json_t *state, const json_t *chances, FILE *out)
{
    size_t i;
    json_t *chance;
    char label[STATE_LABEL];
    json_array_foreach(chances, i, chance)
    {
        int value = (int)json_integer_value(chance);
        fprintf(out, "%s%s %d.%d %%", i > 0 ? ", " : "   ", state_seat_label(label, state, (int)i),
                value / PER_CENT, value % PER_CENT);
    }
    fputc('\n', out);
}

static void print_words(const struct game *game, const struct game_room *room, const json_t *moves,
                        FILE *out)
{
    char words[512] = "";
    if (game->turn_words)
        game->turn_words(words, sizeof words, room, moves);
    if (*words)
        fprintf(out, "   %s\n", words);
}

void hint_print(const struct game *game, const struct game_room *room, const json_t *turns,
                FILE *out)
{
    size_t i;
    json_t *turn;
    fputs("The best turns, and the chances after them:\n\n", out);
    json_array_foreach(turns, i, turn)
    {
        fprintf(out, "%zu. ", i + 1);
        print_moves(game, room, json_object_get(turn, "moves"), out);
        print_chances(room->state, json_object_get(turn, "chances"), out);
        print_words(game, room, json_object_get(turn, "moves"), out);
    }
}
