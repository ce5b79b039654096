/*
 * The table as it is shown: title, island or lobby or a page of text, players; or lines of text
 * where there is no picture.
 */
#include "lobby.h"
#include "table.h"
#include "wrap.h"
#include <cli/state.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PAGE_COLUMNS = 52 }; /* of the longest line of a page of help */

static int64_t spent_ms(const struct wire_room *room)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t spent =
        (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 + room->ahead_ms - room->at_ms;
    return spent < 0 ? 0 : spent;
}

struct panel table_panel(const struct table *table)
{
    const struct wire_room *room = table_room(table);
    struct panel panel = {
        .game = table->game, .view = table->view, .room = table->room, .seat = table_seat(table)};
    if (room) {
        panel.state = room->state;
        panel.online = room->online;
        panel.spent_ms = spent_ms(room);
    }
    return panel;
}

void table_prompt_anew(struct table *table)
{
    char asked[48] = "", chosen[PROTOCOL_MOVE_BYTES + 8] = "", text[PROMPT_TEXT];
    struct game_move move;
    const struct game_room room = table_game_room(table);
    const char *name = table_person_name(table);
    if (!table->prompt)
        return;
    if (table->has_curtain)
        snprintf(asked, sizeof asked, "press Enter");
    else if (table_is_ours(table))
        table->game->prompt(asked, sizeof asked, &room);
    (void)table_choice(table, &move);
    if (*move.text)
        table->game->move_write(chosen, sizeof chosen, move.text, "", &room);
    /* of a long choice its beginning */
    snprintf(text, sizeof text, "%s%s%s%s%.128s> ", name ? name : "", name && *asked ? ": " : "",
             asked, *chosen ? ": " : "", chosen);
    prompt_hide(table->prompt);
    prompt_text(table->prompt, text);
}

void table_prompt(struct table *table)
{
    table_prompt_anew(table);
    if (table->prompt)
        prompt_show(table->prompt);
}

int table_map_columns(const struct table *table)
{
    return table->screen.terminal.columns - PANEL_COLUMNS - 1;
}

/* What the keys do, below the picture, as far as whole phrases have room; how many rows that takes.
 */
static int paint_keys(struct table *table, struct canvas *canvas)
{
    static const struct style style = {TINT_FAINT, TINT_NONE, false};
    const struct game_chooser *chooser = table->game->chooser;
    if (!table_may_choose(table))
        return 0;
    const char *keys = table->choosing ? chooser->keys : chooser->offer;
    const int most = table_map_columns(table);
    int columns = (int)strlen(keys);
    while (columns > most || (keys[columns] && !strchr(",;", keys[columns])))
        columns--;
    canvas_text(canvas, 0, canvas->rows - 1, columns, style, keys);
    return 1;
}

static void paint_game(struct table *table, struct canvas *canvas)
{
    struct canvas inside;
    struct game_room room = table_game_room(table);
    int columns = table_map_columns(table), rows = canvas->rows - 1 - paint_keys(table, canvas);
    if (!canvas_init(&inside, columns, rows, canvas->ascii))
        return;
    if (table->game->view_draw(table->view, &room, &inside))
        canvas_stamp(canvas, 0, 1, &inside);
    canvas_release(&inside);
}

/* Beside the players, or over all where there is no room for both. */
static bool page_is_wide(const struct table *table)
{
    return table_map_columns(table) - 1 < PAGE_COLUMNS;
}

static int page_columns(const struct table *table)
{
    return page_is_wide(table) ? table->screen.terminal.columns - 2 : table_map_columns(table) - 1;
}

/* Below the title and above what leaves it, with a blank line between. */
static int page_rows(const struct table *table)
{
    return table->screen.top_rows - 3;
}

static void paint_text(struct table *table, struct canvas *canvas, const char *text)
{
    char line[256];
    for (int y = 2; *text && y < canvas->rows; y++) {
        size_t len = strcspn(text, "\n"), kept = len < sizeof line ? len : sizeof line - 1;
        memcpy(line, text, kept);
        line[kept] = '\0';
        canvas_text(canvas, 1, y, page_columns(table), (struct style){0}, line);
        text += len + (text[len] == '\n');
    }
}

static void paint_lobby(struct table *table, struct canvas *canvas)
{
    const struct wire_room *room = table_room(table);
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    if (!out)
        return;
    lobby_print(table->game, room->state, room->id, table->online->server, table_seat(table), out);
    if (fclose(out) == 0)
        paint_text(table, canvas, text);
    free(text);
}

/* NULL if memory ran out. */
static char *wrapped(const char *text, int columns, int *rows)
{
    char *page = NULL;
    size_t len;
    FILE *out = open_memstream(&page, &len);
    if (!out)
        return NULL;
    *rows = wrap_text(text, columns, out);
    if (fclose(out) == 0)
        return page;
    free(page);
    return NULL;
}

static void print_page(const struct table *table, const char *text)
{
    if (table->screen.terminal.is_terminal)
        (void)wrap_text(text, table->screen.terminal.columns, stdout);
    else
        fputs(text, stdout);
    fflush(stdout);
}

void table_show_page(struct table *table, const char *text)
{
    if (!table->screen.has_picture) {
        print_page(table, text);
        return;
    }
    free(table->page);
    table->page = strdup(text);
    table->page_from = 0;
    table_paint(table);
}

void table_close_page(struct table *table)
{
    if (!table->page)
        return;
    free(table->page);
    table->page = NULL;
    table_paint(table);
}

/* How many rows of the page there are above what can be seen at its end. */
static int rows_above(const struct table *table, int rows)
{
    return rows > page_rows(table) ? rows - page_rows(table) : 0;
}

/* The bottom row says how to go on in it, and how to leave it. */
static void paint_page(struct table *table, struct canvas *canvas)
{
    static const struct style faint = {TINT_FAINT, TINT_NONE, false};
    int all;
    char *text = wrapped(table->page, page_columns(table), &all);
    const char *from = text;
    if (!text)
        return;
    const int above = rows_above(table, all), rows = canvas->rows--;
    table->page_from = table->page_from < above ? table->page_from : above;
    for (int row = 0; row < table->page_from; row++)
        from = strchr(from, '\n') + 1;
    paint_text(table, canvas, from);
    canvas->rows = rows;
    canvas_text(canvas, 1, rows - 1, page_columns(table), faint,
                above > 0 ? "Arrows show more; q or Enter leaves this page."
                          : "q or Enter leaves this page.");
    free(text);
}

void table_show_log(struct table *table)
{
    const struct screen *screen = &table->screen;
    const unsigned count =
        screen->kept_count < SCREEN_LINES_KEPT ? screen->kept_count : SCREEN_LINES_KEPT;
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    if (!out)
        return;
    for (unsigned i = screen->kept_count - count; i < screen->kept_count; i++)
        fprintf(out, "%s\n", screen->kept[i % SCREEN_LINES_KEPT]);
    if (fclose(out) == 0 && count > 0) {
        table_show_page(table, text);
        table->page_from = INT_MAX;
        table_paint(table);
    } else {
        table_say(table, "All that has happened stands above.");
    }
    free(text);
}

bool table_scroll_page(struct table *table, int rows)
{
    int all;
    char *text = table->page ? wrapped(table->page, page_columns(table), &all) : NULL;
    const int above = text ? rows_above(table, all) : 0;
    free(text);
    if (above == 0)
        return false;
    const int from = table->page_from + rows;
    table->page_from = from < 0 ? 0 : from < above ? from : above;
    table_paint(table);
    return true;
}

bool table_turn_page(struct table *table, int pages)
{
    return table_scroll_page(table, pages * page_rows(table));
}

static void paint_curtain(struct table *table, struct canvas *canvas)
{
    char text[256];
    snprintf(text, sizeof text,
             "%s, it is your turn.\n\nPress Enter once nobody else looks at the screen.\n",
             table_person_name(table));
    paint_text(table, canvas, text);
    screen_paint(&table->screen, canvas);
}

void table_paint(struct table *table)
{
    struct canvas canvas;
    const struct terminal *terminal = &table->screen.terminal;
    struct panel panel = table_panel(table);
    if (!table->screen.has_picture ||
        !canvas_init(&canvas, terminal->columns, table->screen.top_rows, terminal->ascii))
        return;
    if (table->has_curtain) {
        paint_curtain(table, &canvas);
        canvas_release(&canvas);
        return;
    }
    if (table->page)
        paint_page(table, &canvas);
    else if (panel.state && state_at(panel.state, "table"))
        paint_game(table, &canvas);
    else if (panel.state)
        paint_lobby(table, &canvas);
    panel_title(&canvas, &panel, table->status);
    if (!table->page || !page_is_wide(table))
        panel_draw(&canvas, canvas.columns - PANEL_COLUMNS, 1, canvas.rows - 1, &panel);
    screen_paint(&table->screen, &canvas);
    canvas_release(&canvas);
}

static void print_game(struct table *table)
{
    struct canvas canvas;
    struct game_room room = table_game_room(table);
    if (!table->game->view_draw_all(table->view, &room, &canvas, table->screen.terminal.ascii))
        return;
    canvas_print(&canvas, table->screen.terminal.colours, stdout);
    canvas_release(&canvas);
}

void table_print(struct table *table)
{
    struct panel panel = table_panel(table);
    if (panel.state && state_at(panel.state, "table"))
        print_game(table);
    else if (panel.state)
        lobby_print(table->game, panel.state, panel.room, table->online->server, panel.seat,
                    stdout);
    panel_print(&panel, stdout);
    fflush(stdout);
}

void table_show(struct table *table)
{
    table_paint(table);
    if (!table->screen.has_picture)
        table_print(table);
}
