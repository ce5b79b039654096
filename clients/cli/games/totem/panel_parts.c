/*
 * Parts of the column of players: the supply, the result, what we hold and have hidden.
 */
#include "parts.h"
#include "village.h"
#include <cli/state.h>
#include <string.h>

static const struct style PLAIN = {0};
static const struct style BOLD = {TINT_NONE, TINT_NONE, true};

int totem_draw_sides(struct canvas *canvas, int x, int y, int columns, const json_t *state)
{
    char first = *state_text(state, "table.first");
    if (!state_at(state, "table"))
        return 0;
    canvas_printf(canvas, x, y, columns, PLAIN, "supply %d, first %s",
                  state_number(state, "table.supply"), village_family_name(first));
    return 1;
}

/* ---- the result */

static int draw_winners(struct canvas *canvas, int x, int y, int columns, const json_t *state)
{
    const char *side;
    json_t *value;
    char label[STATE_LABEL];
    int lines = 0;
    json_object_foreach(state_at(state, "result.winners"), side, value)
        canvas_printf(canvas, x, y + lines++, columns, BOLD, "%s wins",
                      state_seat_label(label, state, state_seat_of_key(side)));
    if (lines == 0)
        canvas_text(canvas, x, y + lines++, columns, BOLD, "Nobody wins");
    return lines;
}

/* "with red and green" */
static int draw_families(struct canvas *canvas, int x, int y, int columns, const json_t *state)
{
    size_t i;
    json_t *value;
    int used = 0;
    json_array_foreach(state_at(state, "result.families"), i, value)
    {
        const char *family = json_string_value(value);
        used += canvas_printf(canvas, x + used, y, columns - used, PLAIN, "%s%s",
                              used == 0 ? "with " : " and ",
                              village_family_name(family ? *family : '\0'));
    }
    return used > 0 ? 1 : 0;
}

int totem_draw_result(struct canvas *canvas, int x, int y, int columns, const json_t *state)
{
    const char *side;
    json_t *value;
    char label[STATE_LABEL];
    int lines = draw_winners(canvas, x, y, columns, state);
    lines += draw_families(canvas, x, y + lines, columns, state);
    json_object_foreach(state_at(state, "result.ranks"), side, value)
    {
        canvas_printf(canvas, x, y + lines++, columns, PLAIN, "%d. %s",
                      (int)json_integer_value(value),
                      state_seat_label(label, state, state_seat_of_key(side)));
    }
    return lines;
}

/* ---- what is ours alone */

/* Over several lines, broken behind commas and blanks; how many. */
static int draw_wrapped(struct canvas *canvas, int x, int y, int columns, const char *text)
{
    int lines = 0;
    while (*text) {
        size_t len = strlen(text), most = (size_t)columns;
        if (len > most) {
            len = most;
            while (len > 1 && text[len - 1] != ' ' && text[len - 1] != ',')
                len--;
            len = len > 1 ? len : most;
        }
        canvas_printf(canvas, x, y + lines++, columns, PLAIN, "%.*s", (int)len, text);
        text += len;
    }
    return lines;
}

static int draw_hand_of(struct canvas *canvas, int x, int y, int columns, char family,
                        const json_t *mine)
{
    char text[128];
    const char *hand = state_text(mine, "hand"), *note = state_text(mine, "note"), *spell;
    json_t *hut;
    int lines = 0;
    size_t len = 0;
    if (*hand) {
        snprintf(text, sizeof text, "%c has in hand %s", family, hand);
        lines += draw_wrapped(canvas, x, y + lines, columns, text);
    }
    json_object_foreach(state_at(mine, "down"), spell, hut)
    {
        if (len == 0)
            len = (size_t)snprintf(text, sizeof text, "%c face down", family);
        if (json_is_string(hut) && len + 6 < sizeof text)
            len += (size_t)snprintf(text + len, sizeof text - len, " %.1s:%.2s", spell,
                                    json_string_value(hut));
    }
    if (len > 0)
        lines += draw_wrapped(canvas, x, y + lines, columns, text);
    if (*note) {
        snprintf(text, sizeof text, "%c wrote %s", family, note);
        lines += draw_wrapped(canvas, x, y + lines, columns, text);
    }
    return lines;
}

int totem_draw_hand(const struct game_view *view, struct canvas *canvas, int x, int y, int columns,
                    const json_t *state)
{
    int lines = 0;
    (void)view;
    for (const char *family = village_families; *family; family++) {
        const json_t *mine = village_mine(state, *family);
        if (mine)
            lines += draw_hand_of(canvas, x, y + lines, columns, *family, mine);
    }
    return lines;
}
