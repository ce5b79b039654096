/*
 * Putting a command together by keys and mouse: the form of the view.
 */
#include "form_draw.h"
#include "parts.h"
#include <cli/state.h>
#include <string.h>

static const json_t *asked_of(const struct game_room *room, char family)
{
    const char key[2] = {family, '\0'};
    return json_object_get(state_at(room->legal, "asked"), key);
}

static bool open_family(struct game_view *view, const struct game_room *room, char family)
{
    const json_t *asked = asked_of(room, family);
    return asked &&
           form_open(totem_view_form(view), family, asked, json_object_get(room->legal, "moves"));
}

static void close_form(struct game_view *view)
{
    totem_view_form(view)->kind[0] = '\0';
}

/* A family after this one that is asked, all around; the same if there is no other. */
static void next_family(struct game_view *view, const struct game_room *room, int step)
{
    const struct form before = *totem_view_form(view);
    const char *at = strchr(village_families, before.family);
    int place = at ? (int)(at - village_families) : 0;
    for (int i = 0; i < VILLAGE_FAMILIES; i++) {
        place = (place + step + VILLAGE_FAMILIES) % VILLAGE_FAMILIES;
        if (village_families[place] != before.family &&
            open_family(view, room, village_families[place]))
            return;
    }
    *totem_view_form(view) = before;
}

static bool open_form(struct game_view *view, const struct game_room *room, const char *move)
{
    const char *at = move ? strchr(move, '@') : NULL;
    if (at) {
        if (at[1] && open_family(view, room, at[1]) && form_read(totem_view_form(view), move))
            return true;
        close_form(view);
        return false;
    }
    for (const char *family = village_families; *family; family++) {
        if (open_family(view, room, *family))
            return true;
    }
    close_form(view);
    return false;
}

static void press_key(struct game_view *view, const struct game_room *room,
                      enum game_choose_key key)
{
    struct form *form = totem_view_form(view);
    switch (key) {
    case GAME_CHOOSE_LEFT:
        form_step(form, 0, -1);
        break;
    case GAME_CHOOSE_RIGHT:
        form_step(form, 0, 1);
        break;
    case GAME_CHOOSE_UP:
        form_step(form, -1, 0);
        break;
    case GAME_CHOOSE_DOWN:
        form_step(form, 1, 0);
        break;
    case GAME_CHOOSE_TURN:
        form_more(form);
        break;
    case GAME_CHOOSE_TURN_BACK:
        form_fewer(form);
        break;
    case GAME_CHOOSE_NEXT:
        next_family(view, room, 1);
        break;
    case GAME_CHOOSE_BEFORE:
        next_family(view, room, -1);
        break;
    }
}

/* A click goes to a cell, and there it is one more. Enter alone plays. The first one, wherever it
 * is, only shows the form. */
static enum game_choose_point click_point(struct game_view *view, const struct game_room *room,
                                          int x, int y, bool seen)
{
    struct form *form = totem_view_form(view);
    int row, column;
    (void)room;
    if (!seen)
        return GAME_CHOOSE_OTHER;
    if (!form_at(totem_view_form_place(view), form, x, y, &row, &column))
        return GAME_CHOOSE_NOTHING;
    if (row == form->row && column == form->column)
        form_more(form);
    form->row = row;
    form->column = column;
    return GAME_CHOOSE_OTHER;
}

static bool chosen_move(const struct game_view *view, const struct game_room *room,
                        struct game_move *move)
{
    const struct form *form = totem_view_chosen(view);
    (void)room;
    *move = (struct game_move){.text = ""};
    if (!form->kind[0])
        return false;
    if (form_write(move->text, sizeof move->text, form))
        return true;
    const int missing = form->total_most - form_total(form);
    if (missing > 0 && form->exact)
        snprintf(move->problem, sizeof move->problem, "%d more must be named; + adds one.",
                 missing);
    else if (missing < 0)
        snprintf(move->problem, sizeof move->problem, "%d too many are named; - takes one away.",
                 -missing);
    else
        snprintf(move->problem, sizeof move->problem, "A spell must be placed; + places it.");
    return false;
}

const struct game_chooser totem_chooser = {
    .keys = "Arrows move, + and - change, Enter plays, Esc ends",
    .help = "Or choose: on an empty line an arrow shows a table;\n"
            "arrows move in it, + (or a blank) and - change it,\n"
            "Tab shows another family of yours,\n"
            "Enter plays, Esc ends. Clicks and the wheel as well.\n",
    .offer = "Arrows choose, + and - change, Enter plays; or type",
    .turn = "+ ",
    .turn_back = "-",
    .open = open_form,
    .close = close_form,
    .press = press_key,
    .point = click_point,
    .move = chosen_move,
};
