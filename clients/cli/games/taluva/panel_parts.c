/*
 * Parts of the column of players: teams, the result, the tiles on offer, the tile in hand.
 */
#include "map_draw.h"
#include "parts.h"
#include <cli/state.h>
#include <string.h>

static const struct style PLAIN = {0};
static const struct style BOLD = {TINT_NONE, TINT_NONE, true};

int taluva_draw_sides(struct canvas *canvas, int x, int y, int columns, const json_t *state)
{
    if (!json_is_true(state_at(state, "options.teams")))
        return 0;
    canvas_text(canvas, x, y, columns, PLAIN, "A and C against B and D");
    return 1;
}

/* ---- the result */

/* " tem2 tow1 hut14" of a team. */
static void total_text(char *text, size_t size, const json_t *total)
{
    static const char *const kinds[] = {"temples", "towers", "boats", "huts"};
    static const char *const words[] = {"tem", "tow", "boat", "hut"};
    size_t len = 0;
    *text = '\0';
    for (size_t i = 0; i < 4 && len < size; i++) {
        if (state_at(total, kinds[i]))
            len += (size_t)snprintf(text + len, size - len, " %s%d", words[i],
                                    state_number(total, kinds[i]));
    }
}

/* Who has won, on one line: several by their letters. */
static int draw_winners(struct canvas *canvas, int x, int y, int columns, const json_t *state)
{
    const bool teams = json_is_true(state_at(state, "options.teams"));
    json_t *winners = state_at(state, "result.winners"), *value;
    const size_t count = json_object_size(winners);
    const char *side;
    char label[STATE_LABEL];
    int used = 0;
    json_object_foreach(winners, side, value)
    {
        const int number = state_seat_of_key(side);
        if (teams)
            used = canvas_printf(canvas, x, y, columns, BOLD, "Team %s",
                                 number == 0 ? "A and C" : "B and D");
        else if (count == 1)
            used = canvas_text(canvas, x, y, columns, BOLD, state_seat_label(label, state, number));
        else
            used += canvas_printf(canvas, x + used, y, columns - used, BOLD, "%s%c",
                                  used > 0 ? " and " : "", state_seat_letter(number));
    }
    if (count > 0)
        canvas_text(canvas, x + used, y, columns - used, BOLD,
                    count == 1 || teams ? " wins" : " win");
    return count > 0 ? 1 : 0;
}

int taluva_draw_result(struct canvas *canvas, int x, int y, int columns, const json_t *state)
{
    const char *side;
    json_t *value;
    char label[STATE_LABEL];
    int lines = draw_winners(canvas, x, y, columns, state);
    json_object_foreach(state_at(state, "result.ranks"), side, value)
    {
        canvas_printf(canvas, x, y + lines++, columns, PLAIN, "%d. %s",
                      (int)json_integer_value(value),
                      state_seat_label(label, state, state_seat_of_key(side)));
    }
    json_object_foreach(state_at(state, "result.totals"), side, value)
    {
        char text[96];
        total_text(text, sizeof text, value);
        canvas_printf(canvas, x, y + lines++, columns, PLAIN, "%s%s",
                      state_seat_of_key(side) == 0 ? "AC" : "BD", text);
    }
    return lines;
}

/* ---- tiles */

/* "2VL" and so on, separated by blanks; all five find room. */
static void offer_text(char *text, size_t size, const json_t *state)
{
    const char *tile;
    json_t *value;
    size_t len = 0;
    *text = '\0';
    json_object_foreach(state_at(state, "table.two_hex"), tile, value)
    {
        if (len + 5 < size)
            len += (size_t)snprintf(text + len, size - len, "%s%.3s", len > 0 ? " " : "", tile);
    }
}

static int draw_two_hex(struct canvas *canvas, int x, int y, int columns, const json_t *state)
{
    char text[64];
    offer_text(text, sizeof text, state);
    if (*text == '\0')
        return 0;
    canvas_printf(canvas, x, y, columns, PLAIN, "Offer %s", text);
    return 1;
}

int taluva_draw_hand(const struct game_view *view, struct canvas *canvas, int x, int y, int columns,
                     const json_t *state)
{
    int rotation = taluva_view_rotation(view);
    int lines = draw_two_hex(canvas, x, y, columns, state);
    const char *tile = state_text(state, "table.turn.tile");
    if (*tile == '\0')
        return lines;
    canvas_printf(canvas, x, y + lines, columns, BOLD, "Tile %s, turned :%d", tile, rotation);
    tile_draw(canvas, x + 2, y + lines + 1, tile, rotation);
    return lines + 1 + TILE_ROWS;
}
