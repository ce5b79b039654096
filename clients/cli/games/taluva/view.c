/*
 * The island as one person looks at it: which part, how large, the latest turn marked, and how the
 * tile in hand is turned.
 */
#include "parts.h"
#include "preview.h"
#include "state_map.h"
#include <cli/state.h>
#include <stdlib.h>
#include <string.h>

struct game_view {
    struct map_window window;
    struct map_at focus;    /* where something happened last */
    bool panned;            /* the person looks elsewhere */
    int rotation;           /* of the tile in hand, for the picture and for places without one */
    json_t *placed, *built; /* hexes of the latest turn, as keys; NULL: as the state has them */
    struct cursor cursor;   /* what is being chosen by keys */
};

struct cursor *taluva_view_cursor(struct game_view *view)
{
    return &view->cursor;
}

const struct cursor *taluva_view_chosen(const struct game_view *view)
{
    return &view->cursor;
}

const struct map_window *taluva_view_window(const struct game_view *view)
{
    return &view->window;
}

struct map_at taluva_view_focus(const struct game_view *view)
{
    return view->focus;
}

void taluva_view_turn(struct game_view *view, int rotation)
{
    view->rotation = rotation;
}

int taluva_view_rotation(const struct game_view *view)
{
    return view->rotation;
}

struct game_view *taluva_view_create(bool small)
{
    struct game_view *view = calloc(1, sizeof *view);
    if (view)
        view->window.small = small;
    return view;
}

void taluva_view_destroy(struct game_view *view)
{
    if (!view)
        return;
    taluva_view_reset(view);
    cursor_close(&view->cursor);
    free(view);
}

void taluva_view_reset(struct game_view *view)
{
    json_decref(view->placed);
    json_decref(view->built);
    view->placed = view->built = NULL;
}

/* Which hexes a move touched, for the marks. */
static void note_move(struct game_view *view, const json_t *push)
{
    const char *move = state_text(push, "event.move");
    const json_t *hexes = state_at(push, "patch.table.hexes");
    struct map_at at;
    const char *where = strchr(move, '@');
    bool placement = where && strchr(where, ':');
    if (!hexes || !where || !map_at_parse(where + 1, &at))
        return;
    json_t **marks = placement ? &view->placed : &view->built;
    if (placement) {
        json_decref(view->built);
        view->built = NULL;
    }
    json_decref(*marks);
    *marks = json_deep_copy(hexes);
    view->focus = at;
}

void taluva_view_event(struct game_view *view, const json_t *push)
{
    if (strcmp(state_text(push, "event.kind"), "move") != 0)
        return;
    note_move(view, push);
    view->panned = false;
}

void taluva_view_pan(struct game_view *view, int columns, int rows)
{
    view->window.x += columns;
    view->window.y += rows;
    view->panned = true;
}

void taluva_view_follow(struct game_view *view)
{
    view->panned = false;
}

/* ---- drawing */

static bool make_map(struct game_view *view, const struct game_room *room, struct map *map)
{
    bool known = view->placed || view->built;
    struct map_at focus;
    if (!state_at(room->state, "table") ||
        !state_map_around(map, room->state, !known, &focus, &view->cursor))
        return false;
    if (!known)
        view->focus = focus;
    state_mark_hexes(map, view->placed, MAP_PLACED);
    state_mark_hexes(map, view->built, MAP_BUILT);
    if (strcmp(state_text(room->legal, "step"), "place") == 0)
        state_mark_spots(map, json_object_get(room->legal, "moves"), view->rotation);
    if (view->cursor.moves)
        preview_move(map, cursor_now(&view->cursor), room->seat);
    return true;
}

/* What is being chosen is in sight, else where something happened last. */
static struct map_at in_sight(const struct game_view *view)
{
    if (!view->cursor.moves || !cursor_now(&view->cursor)->has_place)
        return view->focus;
    return cursor_now(&view->cursor)->at;
}

bool taluva_view_draw(struct game_view *view, const struct game_room *room, struct canvas *canvas)
{
    struct map map;
    if (!make_map(view, room, &map))
        return false;
    if (!view->panned)
        map_window_follow(&view->window, &map, canvas->columns, canvas->rows, in_sight(view));
    map_draw(canvas, &map, &view->window);
    map_release(&map);
    return true;
}

bool taluva_view_draw_all(struct game_view *view, const struct game_room *room,
                          struct canvas *canvas, bool ascii)
{
    struct map map;
    struct map_window whole = {.small = view->window.small};
    int columns, rows;
    if (!make_map(view, room, &map))
        return false;
    map_extent(&map, whole.small, &columns, &rows);
    bool done = canvas_init(canvas, columns, rows, ascii);
    if (done) {
        map_window_follow(&whole, &map, columns, rows, view->focus);
        map_draw(canvas, &map, &whole);
    }
    map_release(&map);
    return done;
}

/* ---- commands */

static bool run_centre(struct game_view *view, const struct game_room *room, const char *text,
                       char *answer, size_t size)
{
    (void)room;
    struct map_at at;
    const char *end = map_at_parse(text, &at);
    if (*text && (!end || *end)) {
        snprintf(answer, size, "`centre 2,-1` shows that hex, `centre` follows the play again.");
        return false;
    }
    if (*text)
        view->focus = at;
    view->panned = false;
    return true;
}

static bool run_small(struct game_view *view, const struct game_room *room, const char *text,
                      char *answer, size_t size)
{
    (void)room;
    (void)text;
    (void)answer;
    (void)size;
    view->window.small = !view->window.small;
    view->window.placed = false;
    view->panned = false;
    return true;
}

static bool run_coordinates(struct game_view *view, const struct game_room *room, const char *text,
                            char *answer, size_t size)
{
    (void)room;
    (void)text;
    (void)answer;
    (void)size;
    view->window.coordinates = !view->window.coordinates;
    view->panned = false;
    return true;
}

static bool run_turn(struct game_view *view, const struct game_room *room, const char *text,
                     char *answer, size_t size)
{
    (void)room;
    text += *text == ':';
    if (*text >= '0' && *text <= '5' && text[1] == '\0')
        view->rotation = *text - '0';
    else if (*text == '\0')
        view->rotation = (view->rotation + 1) % 6;
    else
        snprintf(answer, size, "A tile is turned in directions 0 (east, then clockwise) to 5.");
    return false;
}

const struct game_view_command taluva_view_commands[] = {
    {"centre", "[Q,R]", "shows that part of the island; alone: follows the play again", run_centre},
    {"coordinates", "", "writes them on the land too, or no longer", run_coordinates},
    {"small", "", "small hexes, or large ones again", run_small},
    {"turn", "[K]", "turns the tile in the picture", run_turn},
    {NULL, NULL, NULL, NULL},
};
