#include "form_draw.h"

#include "draw.h"
#include <string.h>

static const struct style PLAIN = {0};
static const struct style BOLD = {TINT_NONE, TINT_NONE, true};
static const struct style FAINT = {TINT_FAINT, TINT_NONE, false};
static const struct style CURSOR = {TINT_INK, TINT_HINT, true};

enum {
    NAME_COLUMNS = 14,
    CELL_COLUMNS = 3,
    AROUND = 2,
    HEAD_ROWS = 2,
    LEAST = AROUND + HEAD_ROWS + 1
};

static void place_box(struct form_place *place, const struct form *form,
                      const struct canvas *canvas)
{
    const int wanted = AROUND + HEAD_ROWS + form->rows;
    place->columns = AROUND + 2 + NAME_COLUMNS + CELL_COLUMNS * form->columns;
    place->columns = place->columns < 32 ? 32 : place->columns;
    place->rows = wanted < canvas->rows - 1 ? wanted : canvas->rows - 1;
    place->x = 0;
    place->y = canvas->rows - place->rows;
    const int shown = place->rows - AROUND - HEAD_ROWS;
    place->first = form->row < shown ? 0 : form->row - shown + 1;
}

static void draw_box(struct canvas *canvas, const struct form_place *place)
{
    for (int y = place->y; y < place->y + place->rows; y++) {
        const bool edge = y == place->y || y == place->y + place->rows - 1;
        for (int x = place->x; x < place->x + place->columns; x++) {
            const bool side = x == place->x || x == place->x + place->columns - 1;
            canvas_put(canvas, x, y,
                       (uint32_t)(edge && side ? '+'
                                  : edge       ? '-'
                                  : side       ? '|'
                                               : ' '),
                       FAINT);
        }
    }
}

static void draw_head(struct canvas *canvas, const struct form *form,
                      const struct form_place *place)
{
    const int x = place->x + 2, y = place->y + 1, columns = place->columns - 4;
    const int used = canvas_printf(canvas, x, y, columns, draw_family_style(form->family), "%s %s",
                                   form->kind, village_family_name(form->family));
    if (form->total_most <= VILLAGE_HUTS * 63)
        canvas_printf(canvas, x + used, y, columns - used, BOLD, "  %d of %s%d", form_total(form),
                      form->exact ? "" : "up to ", form->total_most);
    for (int column = 0; column < form->columns; column++)
        canvas_text(canvas, x + NAME_COLUMNS + CELL_COLUMNS * column, y + 1, 2, BOLD,
                    form->columns_of[column]);
}

static void draw_cell(struct canvas *canvas, int x, int y, const struct form *form, int row,
                      int column)
{
    const bool here = row == form->row && column == form->column;
    const int value = form->value[row][column];
    const struct style style = here ? CURSOR : value > 0 ? BOLD : FAINT;
    char text[16] = ".";
    if (value > 0 && !form_is_of_people(form))
        snprintf(text, sizeof text, "x");
    else if (value > 0)
        snprintf(text, sizeof text, "%d", value);
    else if (form->most[row][column] == 0)
        snprintf(text, sizeof text, " ");
    canvas_printf(canvas, x - 1, y, CELL_COLUMNS, style, here ? "[%s]" : " %s", text);
}

static const char *name_of(const struct form *form, int row)
{
    const char letter = form->letters[row];
    return form_is_of_people(form) ? village_kind_name(letter, 2) : village_spell_name(letter);
}

void form_draw(struct canvas *canvas, const struct form *form, struct form_place *place)
{
    place_box(place, form, canvas);
    if (place->rows < LEAST)
        return;
    draw_box(canvas, place);
    draw_head(canvas, form, place);
    for (int row = place->first; row < form->rows; row++) {
        const int x = place->x + 2, y = place->y + 1 + HEAD_ROWS + row - place->first;
        if (y >= place->y + place->rows - 1)
            return;
        canvas_printf(canvas, x, y, NAME_COLUMNS, PLAIN, "%c %s", form->letters[row],
                      name_of(form, row));
        for (int column = 0; column < form->columns; column++)
            draw_cell(canvas, x + NAME_COLUMNS + CELL_COLUMNS * column, y, form, row, column);
    }
}

bool form_at(const struct form_place *place, const struct form *form, int x, int y, int *row,
             int *column)
{
    const int left = place->x + 1 + NAME_COLUMNS, top = place->y + 1 + HEAD_ROWS;
    if (place->rows < LEAST || x < left || y < top || y >= place->y + place->rows - 1)
        return false;
    *row = y - top + place->first;
    *column = (x - left) / CELL_COLUMNS;
    return *row < form->rows && *column < form->columns;
}
