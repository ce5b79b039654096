/*
 * `hint` at the table: the turns that the server thinks best, with what each player can hope for.
 */
#include "play_table.h"
#include <cli/state.h>
#include <stdio.h>
#include <stdlib.h>

enum { PER_CENT = 10 }; /* of a chance per mille */

static void print_moves(const struct table *table, const json_t *moves, FILE *out)
{
    struct game_room room = table_game_room(table);
    size_t i;
    json_t *move;
    json_array_foreach(moves, i, move)
    {
        char text[PROTOCOL_MOVE_BYTES + 8] = "";
        if (json_is_string(move))
            table->game->move_write(text, sizeof text, json_string_value(move), "", &room);
        fprintf(out, "%s%s", i > 0 ? ", then " : "", text);
    }
    fputc('\n', out);
}

static void print_chances(const struct table *table, const json_t *chances, FILE *out)
{
    size_t i;
    json_t *chance;
    json_array_foreach(chances, i, chance)
    {
        int value = (int)json_integer_value(chance);
        fprintf(out, "%s%s %d.%d %%", i > 0 ? ", " : "   ",
                state_seat_name(table_state(table), (int)i), value / PER_CENT, value % PER_CENT);
    }
    fputc('\n', out);
}

static void print_turns(const struct table *table, const json_t *turns, FILE *out)
{
    size_t i;
    json_t *turn;
    fputs("The best turns, and the chances after them:\n\n", out);
    json_array_foreach(turns, i, turn)
    {
        fprintf(out, "%zu. ", i + 1);
        print_moves(table, json_object_get(turn, "moves"), out);
        print_chances(table, json_object_get(turn, "chances"), out);
    }
}

static void on_hint(void *user, const json_t *ok, const json_t *error)
{
    struct table *table = user;
    char *page = NULL, text[512];
    size_t len;
    if (!ok) {
        refusal_text(text, sizeof text, error);
        table_say(table, "%s", text);
        return;
    }
    FILE *out = open_memstream(&page, &len);
    if (!out)
        return;
    print_turns(table, json_object_get(ok, "turns"), out);
    if (fclose(out) == 0)
        table_show_page(table, page);
    free(page);
}

void table_hint(struct table *table)
{
    wire_client_request(table->online->client, request_make("hint", table->room, NULL, NULL),
                        on_hint, table);
}
