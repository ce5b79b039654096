/*
 * A move that is chosen by keys or mouse while the line is empty. Nothing is sent before Enter, or
 * a click on what is chosen already.
 */
#include "table.h"
#include <cli/state.h>
#include <string.h>

enum { PAN_COLUMNS = 12, PAN_ROWS = 4, DOUBLE_CLICK_MS = 400 };

static const struct game_chooser *chooser_of(const struct table *table)
{
    return table->game->chooser;
}

/* ---- beginning and ending */

static bool open_at(struct table *table, const char *move)
{
    const struct game_room room = table_game_room(table);
    return room.legal && chooser_of(table)->open(table->view, &room, move);
}

/* The picture and the prompt show what is chosen. */
static void show_choice(struct table *table)
{
    table_prompt(table);
    table_paint(table);
}

/* Shows nothing yet: a click is meant for the picture as it is. */
static bool open_choice(struct table *table)
{
    if (!table_may_choose(table))
        return false;
    table_close_page(table);
    table->choosing = open_at(table, NULL);
    table->is_sure = false;
    if (!table->choosing)
        table_say(table, table_legal(table) ? "There is nothing to choose: type it."
                                            : "Not known yet, try again.");
    return true;
}

static bool start_choosing(struct table *table)
{
    const bool may = open_choice(table);
    if (may)
        show_choice(table);
    return may;
}

void table_choose_stop(struct table *table)
{
    if (!table->choosing)
        return;
    table->choosing = false;
    table->chosen[0] = '\0';
    chooser_of(table)->close(table->view);
    show_choice(table);
}

/*
 * Something has happened: what is legal is asked anew. Until that is known the choice rests, and
 * then it goes on if it is still possible.
 */
void table_choose_rest(struct table *table)
{
    struct game_move move;
    const struct game_room room = table_game_room(table);
    if (!table->choosing || room.legal)
        return;
    if (!*table->chosen) {
        (void)chooser_of(table)->move(table->view, &room, &move);
        memcpy(table->chosen, move.text, sizeof table->chosen);
    }
    chooser_of(table)->close(table->view);
    if (!table_is_ours(table)) {
        table->choosing = false;
        table->chosen[0] = '\0';
        table_say(table, "It is no longer your move: nothing was played.");
    }
}

static void choose_again(struct table *table)
{
    if (!table->choosing || !*table->chosen)
        return;
    table->choosing = open_at(table, table->chosen);
    table->chosen[0] = '\0';
    table->is_sure = false;
    if (!table->choosing)
        table_say(table, "What was being chosen is no longer possible: nothing was played.");
    show_choice(table);
}

/* ---- what is legal */

static void on_legal(void *user, const json_t *ok, const json_t *error)
{
    struct table *table = user;
    const struct wire_room *room = table_room(table);
    (void)error;
    if (!ok || !room || json_integer_value(json_object_get(ok, "seq")) != room->seq)
        return;
    json_decref(table->legal);
    table->legal = json_deep_copy(ok);
    table->legal_seq = room->seq;
    table->listed = 0;
    choose_again(table);
    table_paint(table);
}

void table_ask_legal(struct table *table)
{
    const struct wire_room *room = table_room(table);
    if (!table_is_ours(table) || table->legal_seq == room->seq)
        return;
    json_decref(table->legal);
    table->legal = NULL;
    table->legal_seq = room->seq;
    wire_client_request(table->online->client, request_make("moves", table->room, NULL, NULL),
                        on_legal, table);
}

/* ---- keys */

static void confirm_choice(struct table *table, bool sure)
{
    struct game_move move;
    if (!table_choice(table, &move)) {
        table_say(table, "%s", *move.problem ? move.problem : "Not known yet, try again.");
        return;
    }
    if (!sure && json_array_has(json_object_get(table_legal(table), "eliminating"), move.text)) {
        table->is_sure = true;
        table_say(table, "That would put you out of the game; y plays it all the same.");
        return;
    }
    table_choose_stop(table);
    table_move(table, move.text, sure);
}

static void press_key(struct table *table, enum game_choose_key key)
{
    const struct game_room room = table_game_room(table);
    table->is_sure = false;
    if (room.legal)
        chooser_of(table)->press(table->view, &room, key);
    table->game->view_follow(table->view);
    show_choice(table);
}

/* Where there is one way alone, nothing changes in the picture: that is said. */
static void turn_choice(struct table *table, enum game_choose_key key)
{
    struct game_move before, after;
    const bool was_move = table_choice(table, &before);
    press_key(table, key);
    if (was_move && table_choice(table, &after) && strcmp(before.text, after.text) == 0)
        table_say(table, "No other way is legal here.");
}

/* A letter that means something here; any other is typed. */
static bool press_letter(struct table *table, char letter)
{
    const struct game_chooser *chooser = chooser_of(table);
    if (letter == 'y' && table->is_sure)
        confirm_choice(table, true);
    else if (letter && strchr(chooser->turn, letter))
        turn_choice(table, GAME_CHOOSE_TURN);
    else if (letter && strchr(chooser->turn_back, letter))
        turn_choice(table, GAME_CHOOSE_TURN_BACK);
    else
        return false;
    return true;
}

/* What was clicked stays under the mouse. */
static void hold_picture(struct table *table)
{
    table->game->view_pan(table->view, 0, 0);
}

/* The wheel and the right button turn; the left one chooses, and plays what is chosen. `seen`: the
 * picture shows what is chosen; else this click has begun it, and chooses what it is meant for or
 * nothing. */
static void click_picture(struct table *table, const struct mouse *mouse, bool seen)
{
    const struct game_room room = table_game_room(table);
    const uint64_t now_ms = uv_now(&table->online->loop);
    const bool again = now_ms - table->clicked_ms < DOUBLE_CLICK_MS;
    if (!room.legal)
        return;
    switch (chooser_of(table)->point(table->view, &room, mouse->x, mouse->y - 1, seen)) {
    case GAME_CHOOSE_NOTHING:
        table_say(table, "Nothing can be chosen there.");
        if (!seen)
            table_choose_stop(table);
        break;
    case GAME_CHOOSE_OTHER:
        table->clicked_ms = now_ms;
        table->is_sure = false;
        hold_picture(table);
        show_choice(table);
        break;
    case GAME_CHOOSE_SAME:
        hold_picture(table);
        if (!again) /* a double click only chooses */
            confirm_choice(table, false);
        break;
    }
}

static void use_mouse(struct table *table, const struct mouse *mouse)
{
    const bool inside =
        mouse->y >= 1 && mouse->y < table->screen.top_rows && mouse->x < table_map_columns(table);
    const bool chose = table->choosing;
    if (mouse->kind == MOUSE_OTHER || !inside || table->page || (!chose && !open_choice(table)))
        return;
    if (!table->choosing) {
        show_choice(table);
        return;
    }
    switch (mouse->kind) {
    case MOUSE_LEFT:
        if (!chose)
            table->clicked_ms = uv_now(&table->online->loop);
        click_picture(table, mouse, chose);
        if (!chose)
            show_choice(table);
        break;
    case MOUSE_RIGHT:
    case MOUSE_WHEEL_DOWN:
        press_key(table, GAME_CHOOSE_TURN);
        break;
    case MOUSE_WHEEL_UP:
        press_key(table, GAME_CHOOSE_TURN_BACK);
        break;
    case MOUSE_OTHER:
        break;
    }
}

static bool arrow_of(enum key_kind kind, enum game_choose_key *key)
{
    switch (kind) {
    case KEY_UP:
        *key = GAME_CHOOSE_UP;
        return true;
    case KEY_DOWN:
        *key = GAME_CHOOSE_DOWN;
        return true;
    case KEY_LEFT:
        *key = GAME_CHOOSE_LEFT;
        return true;
    case KEY_RIGHT:
        *key = GAME_CHOOSE_RIGHT;
        return true;
    case KEY_TEXT:
    case KEY_PAN_UP:
    case KEY_PAN_DOWN:
    case KEY_PAN_LEFT:
    case KEY_PAN_RIGHT:
    case KEY_PAGE_UP:
    case KEY_PAGE_DOWN:
    case KEY_ENTER:
    case KEY_TAB:
    case KEY_BACK_TAB:
    case KEY_ESCAPE:
    case KEY_END:
    case KEY_REDRAW:
    case KEY_MOUSE:
    case KEY_PASTE_BEGIN:
    case KEY_PASTE_END:
    case KEY_UNKNOWN:
        return false;
    }
    return false;
}

/* While something is being chosen. Whatever means nothing here ends that, and is typed. */
static bool press_choosing(struct table *table, const struct key *key)
{
    enum game_choose_key arrow;
    if (key->kind == KEY_TEXT && press_letter(table, key->letter))
        return true;
    if (arrow_of(key->kind, &arrow))
        press_key(table, arrow);
    else if (key->kind == KEY_TAB || key->kind == KEY_BACK_TAB)
        press_key(table, key->kind == KEY_TAB ? GAME_CHOOSE_NEXT : GAME_CHOOSE_BEFORE);
    else if (key->kind == KEY_ENTER)
        confirm_choice(table, false);
    else
        table_choose_stop(table);
    return key->kind != KEY_TEXT && key->kind != KEY_PASTE_BEGIN;
}

/* Where nothing can be chosen the arrows move the picture. */
static bool pan_picture(struct table *table, enum game_choose_key arrow)
{
    static const int columns[] = {[GAME_CHOOSE_LEFT] = -PAN_COLUMNS,
                                  [GAME_CHOOSE_RIGHT] = PAN_COLUMNS,
                                  [GAME_CHOOSE_UP] = 0,
                                  [GAME_CHOOSE_DOWN] = 0};
    static const int rows[] = {[GAME_CHOOSE_LEFT] = 0,
                               [GAME_CHOOSE_RIGHT] = 0,
                               [GAME_CHOOSE_UP] = -PAN_ROWS,
                               [GAME_CHOOSE_DOWN] = PAN_ROWS};
    if (!table->screen.has_picture || table->page || !state_at(table_state(table), "table"))
        return false;
    table->game->view_pan(table->view, columns[arrow], rows[arrow]);
    table_paint(table);
    return true;
}

/* In a page of text. */
static bool press_page(struct table *table, const struct key *key)
{
    if (key->kind == KEY_UP || key->kind == KEY_DOWN)
        return table_scroll_page(table, key->kind == KEY_UP ? -1 : 1);
    if (key->kind == KEY_PAGE_UP || key->kind == KEY_PAGE_DOWN)
        return table_turn_page(table, key->kind == KEY_PAGE_UP ? -1 : 1);
    if (key->kind != KEY_TEXT || key->letter != 'q')
        return false;
    table_close_page(table);
    return true;
}

bool table_press(struct table *table, const struct key *key)
{
    enum game_choose_key arrow;
    if (key->kind == KEY_MOUSE) {
        use_mouse(table, &key->mouse);
        return true;
    }
    if (table->choosing)
        return press_choosing(table, key);
    if (table->page && press_page(table, key))
        return true;
    if (key->kind == KEY_PAGE_UP && table->screen.has_picture && !table->has_curtain) {
        table_show_log(table);
        return true;
    }
    return arrow_of(key->kind, &arrow) && (start_choosing(table) || pan_picture(table, arrow));
}

void table_pan(struct table *table, enum key_kind key)
{
    enum game_choose_key arrow = GAME_CHOOSE_UP;
    if (key == KEY_PAN_DOWN)
        arrow = GAME_CHOOSE_DOWN;
    else if (key == KEY_PAN_LEFT)
        arrow = GAME_CHOOSE_LEFT;
    else if (key == KEY_PAN_RIGHT)
        arrow = GAME_CHOOSE_RIGHT;
    (void)pan_picture(table, arrow);
}
