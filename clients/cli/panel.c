#include "panel.h"

#include <cli/glyph.h>
#include <cli/state.h>
#include <stdlib.h>
#include <string.h>

enum { PANEL_ROWS_MAX = 64 }; /* where there is no screen to bound it */

static const struct style PLAIN = {0};
static const struct style FAINT = {TINT_FAINT, TINT_NONE, false};
static const struct style BOLD = {TINT_NONE, TINT_NONE, true};

static bool phase_is(const struct panel *panel, const char *phase)
{
    return state_is(panel->state, phase);
}

/* ---- what happens now */

/* Who may move and what; several seats may be asked at once. */
static void playing_now(char *text, size_t size, const struct panel *panel)
{
    int seat = state_first_acting(panel->state);
    bool ours = panel->seat >= 0 && state_acts(panel->state, panel->seat);
    char label[STATE_LABEL] = "Nobody";
    if (seat >= 0)
        state_seat_label(label, panel->state, seat);
    const char *who = ours ? "You" : label;
    int len = snprintf(text, size, "%s: ", who);
    if (len > 0 && (size_t)len < size)
        panel->game->task(text + len, size - (size_t)len, panel->state);
}

static const char *end_words(const struct panel *panel)
{
    return game_end_words(panel->game, state_text(panel->state, "result.why"));
}

void panel_now(char *text, size_t size, const struct panel *panel)
{
    if (phase_is(panel, "lobby"))
        snprintf(text, size, "Waiting for players");
    else if (phase_is(panel, "paused"))
        snprintf(text, size, "Paused");
    else if (phase_is(panel, "over"))
        snprintf(text, size, "Over: %s", end_words(panel));
    else if (phase_is(panel, "playing"))
        playing_now(text, size, panel);
    else
        snprintf(text, size, "...");
}

/* ---- the title */

/* A part of the title behind two blanks, as far as it finds room; how many columns it took. */
static int title_part(struct canvas *canvas, int x, int end, struct style style, const char *text)
{
    if (!*text)
        return 0;
    return canvas_printf(canvas, x, 0, end - x, style, "  %s", text);
}

/*
 * Whose turn it is counts most: where there is little room the match's name is cut, and left out
 * where hardly anything of it would be left.
 */
void panel_title(struct canvas *canvas, const struct panel *panel, const char *status)
{
    enum { NAME_LEAST = 8 };
    char now[160], progress[64], name[192];
    const char *title = state_text(panel->state, "title");
    struct style style = {TINT_INK, TINT_GREY, true};
    for (int x = 0; x < canvas->columns; x++)
        canvas_put(canvas, x, 0, ' ', style);
    snprintf(name, sizeof name, "\"%s\"", title);
    panel_now(now, sizeof now, panel);
    panel->game->title(progress, sizeof progress, panel->state);
    const int end = canvas->columns - (int)strlen(status) - 2;
    int x = 1 + canvas_text(canvas, 1, 0, end - 1, style, panel->room);
    const int others = glyph_columns(now) + 2 + (*progress ? glyph_columns(progress) + 2 : 0);
    const int left = end - x - others - 2;
    if (*title && left >= NAME_LEAST)
        x += title_part(canvas, x, x + 2 + left, style, name);
    x += title_part(canvas, x, end, style, progress);
    (void)title_part(canvas, x, end, style, now);
    canvas_text(canvas, canvas->columns - (int)strlen(status) - 1, 0, canvas->columns, style,
                status);
}

/* ---- players */

/* The time left of a seat, running if it is to move; "" without a clock. */
static void clock_text(char *text, size_t size, const struct panel *panel, int seat)
{
    const json_t *clock = state_of_seat(panel->state, "clock.seats", seat);
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
    snprintf(key, sizeof key, "%d", seat);
    return json_is_true(json_object_get(panel->online, key));
}

/* How well a computer plays: the word for its level. */
static const char *level_word(const struct panel *panel, const json_t *who)
{
    json_int_t level = json_integer_value(state_at(who, "level"));
    for (int i = 0; panel->game->levels[i]; i++) {
        if (level == i + 1)
            return panel->game->levels[i];
    }
    return "computer";
}

/* One word about a seat beside its name. */
static const char *seat_word(const struct panel *panel, int seat)
{
    const json_t *who = state_seat(panel->state, seat);
    const char *word = panel->game->seat_word(panel->state, seat);
    if (!who || *word)
        return who ? word : "";
    if (json_is_true(state_at(who, "replaced")))
        return "stand-in";
    if (json_is_true(state_at(who, "bot")))
        return level_word(panel, who);
    if (!is_online(panel, seat))
        return "away";
    if (phase_is(panel, "lobby"))
        return json_is_true(state_at(who, "ready")) ? "ready" : "not ready";
    return "";
}

/* Name, and at the right how the seat is doing and its time. */
static void draw_name(struct canvas *canvas, int x, int y, const struct panel *panel, int seat)
{
    bool acting = state_acts(panel->state, seat);
    const char *word = seat_word(panel, seat);
    char time[16];
    clock_text(time, sizeof time, panel, seat);
    int at = PANEL_COLUMNS - (int)strlen(time);
    canvas_text(canvas, x + at, y, PANEL_COLUMNS, acting ? BOLD : FAINT, time);
    at -= (int)strlen(word) + (*time && *word ? 1 : 0);
    canvas_text(canvas, x + at, y, (int)strlen(word), FAINT, word);
    int used = canvas_text(canvas, x + 3, y, at - 4, acting ? BOLD : PLAIN,
                           state_seat_name(panel->state, seat));
    if (seat == panel->seat && used + 4 < at - 3)
        canvas_text(canvas, x + 3 + used, y, 4, FAINT, " you");
}

static int draw_player(struct canvas *canvas, int x, int y, const struct panel *panel, int seat)
{
    const json_t *who = state_seat(panel->state, seat);
    bool acting = state_acts(panel->state, seat);
    char pieces[64];
    panel->game->seat_line(pieces, sizeof pieces, panel->state, seat);
    canvas_put(canvas, x, y, acting ? '>' : ' ', BOLD);
    canvas_put(canvas, x + 1, y, (uint32_t)('A' + seat),
               panel->game->colour_style(who ? state_text(who, "colour") : NULL));
    draw_name(canvas, x, y, panel, seat);
    canvas_text(canvas, x + 3, y + 1, PANEL_COLUMNS - 3, *pieces ? PLAIN : FAINT,
                *pieces ? pieces
                : who   ? state_text(who, "colour")
                        : "");
    return 2;
}

/* ---- the rest of the column */

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
                                  'A' + state_seat_of_key(seat) % 26);
        }
        lines++;
    }
    return lines;
}

/* Below a blank line where there is room for that. */
static int draw_result(struct canvas *canvas, int x, int y, const struct panel *panel, bool tight)
{
    const int blank = tight ? 0 : 1;
    if (!phase_is(panel, "over"))
        return 0;
    canvas_printf(canvas, x, y + blank, PANEL_COLUMNS, BOLD, "Over: %s", end_words(panel));
    return blank + 1 +
           panel->game->draw_result(canvas, x, y + blank + 1, PANEL_COLUMNS, panel->state);
}

void panel_draw(struct canvas *canvas, int x, int y, int rows, const struct panel *panel)
{
    int players = state_players(panel->state), end = y + rows;
    for (int seat = 0; seat < players && seat < panel->game->seats_max && y < end; seat++)
        y += draw_player(canvas, x, y, panel, seat);
    if (y < end)
        y += panel->game->draw_sides(canvas, x, y, PANEL_COLUMNS, panel->state);
    if (y < end)
        y += draw_result(canvas, x, y, panel, end - y < players + 3);
    if (y < end)
        y += draw_offers_made(canvas, x, y, panel);
    if (y < end)
        panel->game->draw_hand(panel->view, canvas, x, y, PANEL_COLUMNS, panel->state);
}

void panel_print(const struct panel *panel, FILE *out)
{
    struct canvas canvas;
    int rows = PANEL_ROWS_MAX;
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
