#include "panel.h"

#include "map_draw.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

static const struct style PLAIN = {0};
static const struct style FAINT = {TINT_FAINT, TINT_NONE, false};
static const struct style BOLD = {TINT_NONE, TINT_NONE, true};

static bool phase_is(const struct panel *panel, const char *phase)
{
    return strcmp(state_text(panel->state, "phase"), phase) == 0;
}

static const json_t *of_seat(const struct panel *panel, const char *path, int seat)
{
    char full[64];
    snprintf(full, sizeof(full), "%s.%d", path, seat);
    return state_at(panel->state, full);
}

static const char *seat_name(const struct panel *panel, int seat)
{
    const json_t *who = of_seat(panel, "seats", seat);
    return who ? state_text(who, "name") : "(free)";
}

static int acting_seat(const struct panel *panel)
{
    for (int seat = 0; seat < MAP_SEATS; seat++) {
        if (state_acts(panel->state, seat))
            return seat;
    }
    return -1;
}

/* --- what happens now --- */

static void playing_now(char *text, size_t size, const struct panel *panel)
{
    int seat = acting_seat(panel);
    const char *step = state_text(panel->state, "table.turn.step");
    const char *tile = state_text(panel->state, "table.turn.tile");
    bool ours = seat >= 0 && seat == panel->seat;
    const char *who = ours ? "You" : seat >= 0 ? seat_name(panel, seat) : "Nobody";
    if (strcmp(step, "draw") == 0)
        snprintf(text, size, "%s: draw, or take a 2-Hex tile", who);
    else if (strcmp(step, "place") == 0)
        snprintf(text, size, "%s: place %s", who, tile);
    else if (strcmp(step, "build") == 0)
        snprintf(text, size, "%s: build", who);
    else
        snprintf(text, size, "%s: move", who);
}

void panel_now(char *text, size_t size, const struct panel *panel)
{
    if (phase_is(panel, "lobby"))
        snprintf(text, size, "Waiting for players");
    else if (phase_is(panel, "paused"))
        snprintf(text, size, "Paused");
    else if (phase_is(panel, "over"))
        snprintf(text, size, "Over: %s", state_text(panel->state, "result.why"));
    else if (phase_is(panel, "playing"))
        playing_now(text, size, panel);
    else
        snprintf(text, size, "...");
}

/* --- the title --- */

void panel_title(struct canvas *canvas, const struct panel *panel, const char *status)
{
    char now[128];
    const char *title = state_text(panel->state, "title");
    struct style style = {TINT_INK, TINT_GREY, true};
    for (int x = 0; x < canvas->columns; x++)
        canvas_put(canvas, x, 0, ' ', style);
    panel_now(now, sizeof(now), panel);
    int room = canvas->columns - (int)strlen(status) - 3;
    int x = 1 + canvas_printf(canvas, 1, 0, room, style, "%s", panel->room);
    if (*title)
        x += canvas_printf(canvas, x, 0, room - x, style, " \"%s\"", title);
    if (state_at(panel->state, "table.turn"))
        x += canvas_printf(canvas, x, 0, room - x, style, "  turn %d",
                           state_number(panel->state, "table.turn.number"));
    if (state_at(panel->state, "table"))
        x += canvas_printf(canvas, x, 0, room - x, style, "  stack %d",
                           state_number(panel->state, "table.stack"));
    canvas_printf(canvas, x, 0, room - x, style, "  %s", now);
    canvas_text(canvas, canvas->columns - (int)strlen(status) - 1, 0, canvas->columns, style,
                status);
}

/* --- players --- */

/* The time left of a seat, running if it is to move; "" without a clock. */
static void clock_text(char *text, size_t size, const struct panel *panel, int seat)
{
    const json_t *clock = of_seat(panel, "clock.seats", seat);
    int64_t left = json_integer_value(json_object_get(clock, "left_ms"));
    *text = '\0';
    if (!clock)
        return;
    if (state_acts(panel->state, seat) && phase_is(panel, "playing"))
        left -= panel->spent_ms;
    left = (left < 0 ? 0 : left + 999) / 1000;
    if (left >= 2 * 24 * 3600)
        snprintf(text, size, "%dd", (int)(left / (24 * 3600)));
    else if (left >= 3600)
        snprintf(text, size, "%d:%02d:%02d", (int)(left / 3600), (int)(left / 60 % 60),
                 (int)(left % 60));
    else
        snprintf(text, size, "%d:%02d", (int)(left / 60), (int)(left % 60));
}

static bool is_online(const struct panel *panel, int seat)
{
    char key[16];
    snprintf(key, sizeof(key), "%d", seat);
    return json_is_true(json_object_get(panel->online, key));
}

/* One word about a seat beside its name. */
static const char *seat_word(const struct panel *panel, int seat)
{
    const json_t *who = of_seat(panel, "seats", seat),
                 *pieces = of_seat(panel, "table.players", seat);
    if (!who)
        return "";
    if (state_at(pieces, "out"))
        return "out";
    if (state_at(pieces, "done"))
        return "done";
    if (json_is_true(state_at(who, "replaced")))
        return "stand-in";
    if (json_is_true(state_at(who, "bot")))
        return "computer";
    if (!is_online(panel, seat))
        return "away";
    if (phase_is(panel, "lobby"))
        return json_is_true(state_at(who, "ready")) ? "ready" : "not ready";
    return "";
}

static void pieces_text(char *text, size_t size, const struct panel *panel, int seat)
{
    const json_t *pieces = of_seat(panel, "table.players", seat);
    *text = '\0';
    if (!pieces)
        return;
    int len = snprintf(text, size, "hut%d tow%d tem%d", state_number(pieces, "huts"),
                       state_number(pieces, "towers"), state_number(pieces, "temples"));
    if (state_at(pieces, "boats") && len > 0 && (size_t)len < size)
        snprintf(text + len, size - (size_t)len, " boat%d", state_number(pieces, "boats"));
}

/* Name, and at the right how the seat is doing and its time. */
static void draw_name(struct canvas *canvas, int x, int y, const struct panel *panel, int seat)
{
    bool acting = state_acts(panel->state, seat);
    const char *word = seat_word(panel, seat);
    char time[16];
    clock_text(time, sizeof(time), panel, seat);
    int at = PANEL_COLUMNS - (int)strlen(time);
    canvas_text(canvas, x + at, y, PANEL_COLUMNS, acting ? BOLD : FAINT, time);
    at -= (int)strlen(word) + (*time && *word ? 1 : 0);
    canvas_text(canvas, x + at, y, (int)strlen(word), FAINT, word);
    int used = canvas_text(canvas, x + 3, y, at - 4, acting ? BOLD : PLAIN, seat_name(panel, seat));
    if (seat == panel->seat && used + 4 < at - 3)
        canvas_text(canvas, x + 3 + used, y, 4, FAINT, " you");
}

static int draw_player(struct canvas *canvas, int x, int y, const struct panel *panel, int seat)
{
    const json_t *who = of_seat(panel, "seats", seat);
    bool acting = state_acts(panel->state, seat);
    char pieces[64];
    pieces_text(pieces, sizeof(pieces), panel, seat);
    canvas_put(canvas, x, y, acting ? '>' : ' ', BOLD);
    canvas_put(canvas, x + 1, y, (uint32_t)('A' + seat),
               player_style(who ? state_text(who, "colour") : NULL));
    draw_name(canvas, x, y, panel, seat);
    canvas_text(canvas, x + 3, y + 1, PANEL_COLUMNS - 3, *pieces ? PLAIN : FAINT,
                *pieces ? pieces
                : who   ? state_text(who, "colour")
                        : "");
    return 2;
}

/* --- the rest of the column --- */

/* "2VL" and so on, separated by blanks. */
static void offer_text(char *text, size_t size, const struct panel *panel)
{
    const char *tile;
    json_t *value;
    size_t len = 0;
    *text = '\0';
    json_object_foreach(state_at(panel->state, "table.two_hex"), tile, value)
    {
        if (len + 5 < size)
            len += (size_t)snprintf(text + len, size - len, " %.3s", tile);
    }
}

static int draw_teams(struct canvas *canvas, int x, int y, const struct panel *panel)
{
    if (!json_is_true(state_at(panel->state, "options.teams")))
        return 0;
    canvas_text(canvas, x, y, PANEL_COLUMNS, PLAIN, "A and C against B and D");
    return 1;
}

static int draw_offer(struct canvas *canvas, int x, int y, const struct panel *panel)
{
    char text[64];
    offer_text(text, sizeof(text), panel);
    if (*text == '\0')
        return 0;
    canvas_printf(canvas, x, y, PANEL_COLUMNS, PLAIN, "2-Hex:%s", text);
    return 1;
}

static int draw_hand(struct canvas *canvas, int x, int y, const struct panel *panel)
{
    const char *tile = state_text(panel->state, "table.turn.tile");
    if (*tile == '\0')
        return 0;
    canvas_printf(canvas, x, y, PANEL_COLUMNS, BOLD, "Tile %s, turned :%d", tile, panel->rotation);
    tile_draw(canvas, x + 2, y + 1, tile, panel->rotation);
    return 1 + TILE_ROWS;
}

static int draw_offers_made(struct canvas *canvas, int x, int y, const struct panel *panel)
{
    const char *what, *seat;
    json_t *seats, *value;
    int lines = 0;
    json_object_foreach(state_at(panel->state, "offers"), what, seats)
    {
        int used =
            canvas_printf(canvas, x, y + lines, PANEL_COLUMNS,
                          (struct style){TINT_ALERT, TINT_NONE, false}, "Offered: %s by", what);
        json_object_foreach(seats, seat, value)
        {
            used += canvas_printf(canvas, x + used, y + lines, PANEL_COLUMNS - used, PLAIN, " %c",
                                  'A' + seat_of_key(seat) % 26);
        }
        lines++;
    }
    return lines;
}

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

static int draw_result(struct canvas *canvas, int x, int y, const struct panel *panel)
{
    const char *side;
    json_t *value;
    int lines = 0;
    if (!phase_is(panel, "over"))
        return 0;
    lines++;
    canvas_printf(canvas, x, y + lines++, PANEL_COLUMNS, BOLD, "Over: %s",
                  state_text(panel->state, "result.why"));
    bool teams = json_is_true(state_at(panel->state, "options.teams"));
    json_object_foreach(state_at(panel->state, "result.winners"), side, value)
    {
        if (teams)
            canvas_printf(canvas, x, y + lines++, PANEL_COLUMNS, BOLD, "Team %s wins",
                          seat_of_key(side) == 0 ? "A and C" : "B and D");
        else
            canvas_printf(canvas, x, y + lines++, PANEL_COLUMNS, BOLD, "%s wins",
                          seat_name(panel, seat_of_key(side)));
    }
    json_object_foreach(state_at(panel->state, "result.ranks"), side, value)
    {
        canvas_printf(canvas, x, y + lines++, PANEL_COLUMNS, PLAIN, "%d. %s",
                      (int)json_integer_value(value), seat_name(panel, seat_of_key(side)));
    }
    json_object_foreach(state_at(panel->state, "result.totals"), side, value)
    {
        char text[96];
        total_text(text, sizeof(text), value);
        canvas_printf(canvas, x, y + lines++, PANEL_COLUMNS, PLAIN, "%s%s",
                      seat_of_key(side) == 0 ? "AC" : "BD", text);
    }
    return lines;
}

void panel_draw(struct canvas *canvas, int x, int y, int rows, const struct panel *panel)
{
    int players = state_number(panel->state, "options.players"), end = y + rows;
    for (int seat = 0; seat < players && seat < MAP_SEATS && y < end; seat++)
        y += draw_player(canvas, x, y, panel, seat);
    if (y < end)
        y += draw_teams(canvas, x, y, panel);
    if (y < end)
        y += draw_result(canvas, x, y, panel);
    if (y < end)
        y += draw_offers_made(canvas, x, y, panel);
    if (y < end)
        y += draw_offer(canvas, x, y, panel);
    if (y < end)
        draw_hand(canvas, x, y, panel);
}

void panel_print(const struct panel *panel, FILE *out)
{
    struct canvas canvas;
    int rows = 2 + 2 * MAP_SEATS + TILE_ROWS + 16;
    if (!canvas_init(&canvas, PANEL_COLUMNS + 2, rows, true))
        return;
    panel_draw(&canvas, 1, 0, rows, panel);
    while (canvas.rows > 1) {
        int last = canvas.rows - 1, x = 0;
        while (x < canvas.columns && canvas.cells[last * canvas.columns + x].code == ' ')
            x++;
        if (x < canvas.columns)
            break;
        canvas.rows--;
    }
    canvas_print(&canvas, CANVAS_MONO, out);
    canvas_release(&canvas);
}
