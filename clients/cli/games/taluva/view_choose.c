/*
 * Choosing a move by keys and mouse: the cursor of the view.
 */
#include "parts.h"
#include "preview.h"
#include "state_map.h"
#include <string.h>

/* The tile in hand, and the places that are marked, are turned as the cursor is. */
static void turn_along(struct game_view *view)
{
    const struct cursor *cursor = taluva_view_chosen(view);
    if (cursor->moves && cursor_now(cursor)->k >= 0)
        taluva_view_turn(view, cursor_now(cursor)->k);
}

static bool open_cursor(struct game_view *view, const struct game_room *room, const char *move)
{
    struct cursor *cursor = taluva_view_cursor(view);
    cursor_close(cursor);
    if (!cursor_open(cursor, json_object_get(room->legal, "moves"), taluva_view_focus(view),
                     taluva_view_rotation(view)))
        return false;
    if (move && !cursor_find(cursor, move)) {
        cursor_close(cursor);
        return false;
    }
    turn_along(view);
    return true;
}

static void close_cursor(struct game_view *view)
{
    cursor_close(taluva_view_cursor(view));
}

static void press_key(struct game_view *view, const struct game_room *room,
                      enum game_choose_key key)
{
    struct cursor *cursor = taluva_view_cursor(view);
    (void)room;
    switch (key) {
    case GAME_CHOOSE_LEFT:
        cursor_step(cursor, CURSOR_LEFT);
        break;
    case GAME_CHOOSE_RIGHT:
        cursor_step(cursor, CURSOR_RIGHT);
        break;
    case GAME_CHOOSE_UP:
        cursor_step(cursor, CURSOR_UP);
        break;
    case GAME_CHOOSE_DOWN:
        cursor_step(cursor, CURSOR_DOWN);
        break;
    case GAME_CHOOSE_TURN:
    case GAME_CHOOSE_TURN_BACK:
        cursor_turn(cursor, key == GAME_CHOOSE_TURN_BACK);
        break;
    case GAME_CHOOSE_NEXT:
    case GAME_CHOOSE_BEFORE:
        cursor_change(cursor, key == GAME_CHOOSE_BEFORE);
        break;
    }
    turn_along(view);
}

/* A settlement or lagoon may be clicked anywhere. */
static bool point_at(struct cursor *cursor, const struct map *map, struct map_at at)
{
    return cursor_point(cursor, at) || cursor_point(cursor, preview_place(map, at));
}

/* Is the hex one of those that the preview shows? */
static bool is_lit(struct map *map, const struct cursor *cursor, int seat, struct map_at at)
{
    preview_move(map, cursor_now(cursor), seat);
    const struct map_hex *hex = map_hex(map, at);
    return hex && (hex->marks & MAP_CURSOR);
}

/* What is seen may be clicked on any of its hexes where nothing else can be chosen. */
static enum game_choose_point click_point(struct game_view *view, const struct game_room *room,
                                          int x, int y, bool seen)
{
    struct cursor *cursor = taluva_view_cursor(view);
    const struct map_at at = map_window_at(taluva_view_window(view), x, y);
    const struct cursor_move before = *cursor_now(cursor);
    struct map map;
    if (!state_map_around(&map, room->state, false, NULL, cursor))
        return GAME_CHOOSE_NOTHING;
    const bool found = point_at(cursor, &map, at);
    const bool same = found ? strcmp(before.text, cursor_now(cursor)->text) == 0
                            : seen && is_lit(&map, cursor, room->seat, at);
    map_release(&map);
    turn_along(view);
    return same ? GAME_CHOOSE_SAME : found ? GAME_CHOOSE_OTHER : GAME_CHOOSE_NOTHING;
}

static bool chosen_move(const struct game_view *view, const struct game_room *room,
                        struct game_move *move)
{
    const struct cursor *cursor = taluva_view_chosen(view);
    (void)room;
    *move = (struct game_move){.text = ""};
    if (!cursor->moves)
        return false;
    snprintf(move->text, sizeof move->text, "%s", cursor_now(cursor)->text);
    return true;
}

const struct game_chooser taluva_chooser = {
    .keys = "Arrows move, t turns, Tab changes, Enter plays, Esc",
    .offer = "Arrows choose, t turns, Enter plays; or type",
    .help = "Or choose: on an empty line an arrow shows a place,\n"
            "t turns the tile or changes the building, Tab shows\n"
            "another kind, Enter plays, Esc ends. A click\n"
            "chooses, a second one plays; the wheel turns.\n",
    .turn = "t ",
    .turn_back = "T",
    .open = open_cursor,
    .close = close_cursor,
    .press = press_key,
    .point = click_point,
    .move = chosen_move,
};
