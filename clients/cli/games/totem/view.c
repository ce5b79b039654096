/*
 * The village as one person looks at it: which part, how large, the latest event marked.
 */
#include "draw.h"
#include "parts.h"
#include "village.h"
#include <cli/state.h>
#include <stdlib.h>
#include <string.h>

struct game_view {
    bool small;
    bool panned; /* the person looks elsewhere */
    int x, y;
    unsigned touched; /* huts, as in draw.h */
    struct form form; /* what is being put together by keys */
    struct form_place form_place;
};

struct form *totem_view_form(struct game_view *view)
{
    return &view->form;
}

const struct form *totem_view_chosen(const struct game_view *view)
{
    return &view->form;
}

const struct form_place *totem_view_form_place(const struct game_view *view)
{
    return &view->form_place;
}

struct game_view *totem_view_create(bool small)
{
    struct game_view *view = calloc(1, sizeof *view);
    if (view)
        view->small = small;
    return view;
}

void totem_view_destroy(struct game_view *view)
{
    free(view);
}

void totem_view_reset(struct game_view *view)
{
    view->touched = 0;
}

/* Huts that a word of an event names: behind `@` or `:`, such as "born@R1=g", "put@R=T:R1,?:G2". */
static unsigned huts_in(const char *word)
{
    unsigned huts = 0;
    for (; *word; word++) {
        if ((*word == '@' || *word == ':') && village_is_one(village_families, word[1]) &&
            word[2] >= '1' && word[2] <= '3')
            huts |= 1U << (3 * (strchr(village_families, word[1]) - village_families) +
                           (word[2] - '1'));
    }
    return huts;
}

void totem_view_event(struct game_view *view, const json_t *push)
{
    size_t i;
    json_t *effect;
    if (strcmp(state_text(push, "event.kind"), "move") != 0)
        return;
    view->touched = huts_in(state_text(push, "event.move"));
    json_array_foreach(state_at(push, "event.effects"), i, effect)
    {
        const char *word = json_string_value(effect);
        view->touched |= word ? huts_in(word) : 0;
    }
    view->panned = false;
}

void totem_view_pan(struct game_view *view, int columns, int rows)
{
    view->x += columns;
    view->y += rows;
    view->panned = true;
}

void totem_view_follow(struct game_view *view)
{
    view->panned = false;
}

/* ---- drawing */

static int at_most(int number, int most)
{
    most = most < 0 ? 0 : most;
    return number < 0 ? 0 : number > most ? most : number;
}

/* Where all bands do not find room the one that acts is shown, unless the person looks elsewhere.
 */
static void place(struct game_view *view, const json_t *state, bool small, int columns, int rows)
{
    if (!view->panned) {
        view->x = 0;
        view->y = draw_acting_row(state, small);
    }
    view->x = at_most(view->x, DRAW_COLUMNS - columns);
    view->y = at_most(view->y, draw_rows(state, small) - rows);
}

bool totem_view_draw(struct game_view *view, const struct game_room *room, struct canvas *canvas)
{
    char ask[128];
    if (!state_at(room->state, "table"))
        return false;
    bool small = view->small || draw_rows(room->state, false) > canvas->rows;
    place(view, room->state, small, canvas->columns, canvas->rows);
    totem_ask(ask, sizeof ask, room);
    struct draw_look look = {room->state, ask, view->touched, small, view->x, view->y};
    draw_village(canvas, &look);
    if (view->form.kind[0])
        form_draw(canvas, &view->form, &view->form_place);
    else
        view->form_place = (struct form_place){0}; /* nobody can click what is not shown */
    return true;
}

bool totem_view_draw_all(struct game_view *view, const struct game_room *room,
                         struct canvas *canvas, bool ascii)
{
    char ask[128];
    if (!state_at(room->state, "table") ||
        !canvas_init(canvas, DRAW_COLUMNS_MAX, draw_rows(room->state, view->small), ascii))
        return false;
    totem_ask(ask, sizeof ask, room);
    struct draw_look look = {room->state, ask, view->touched, view->small, 0, 0};
    draw_village(canvas, &look);
    return true;
}

/* ---- commands */

static bool run_small(struct game_view *view, const struct game_room *room, const char *text,
                      char *answer, size_t size)
{
    (void)room;
    (void)text;
    (void)answer;
    (void)size;
    view->small = !view->small;
    view->panned = false;
    return true;
}

static bool run_hut(struct game_view *view, const struct game_room *room, const char *text,
                    char *answer, size_t size)
{
    (void)view;
    if (!totem_hut_text(answer, size, room->state, text))
        snprintf(answer, size, "Which hut? `hut R1` says what is there.");
    return false;
}

const struct game_view_command totem_view_commands[] = {
    {"hut", "HUT", "says in words who is in it and what lies on it", run_hut},
    {"small", "", "a line less for each family, or all again", run_small},
    {NULL, NULL, NULL, NULL},
};
