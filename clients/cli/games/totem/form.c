#include "form.h"

#include "people.h"
#include <cli/state.h>
#include <string.h>

enum { NO_BOUND = 999 };

static bool is_kind(const struct form *form, const char *kind)
{
    return strcmp(form->kind, kind) == 0;
}

bool form_is_of_people(const struct form *form)
{
    return is_kind(form, "settle") || is_kind(form, "starve") || is_kind(form, "take");
}

/* ---- sums */

static int row_total(const struct form *form, int row)
{
    int total = 0;
    for (int column = 0; column < form->columns; column++)
        total += form->value[row][column];
    return total;
}

static int column_total(const struct form *form, int column)
{
    int total = 0;
    for (int row = 0; row < form->rows; row++)
        total += form->value[row][column];
    return total;
}

int form_total(const struct form *form)
{
    int total = 0;
    for (int row = 0; row < form->rows; row++)
        total += row_total(form, row);
    return total;
}

/* ---- what is asked */

static int row_of(const struct form *form, char letter)
{
    const char *at = letter ? strchr(form->letters, letter) : NULL;
    return at ? (int)(at - form->letters) : -1;
}

static int column_of(const struct form *form, const char *hut)
{
    for (int column = 0; column < form->columns; column++) {
        if (strncmp(form->columns_of[column], hut, 2) == 0)
            return column;
    }
    return -1;
}

static void add_column(struct form *form, const char *hut)
{
    if (form->columns < FORM_COLUMNS)
        snprintf(form->columns_of[form->columns++], sizeof form->columns_of[0], "%.2s", hut);
}

static void own_huts(struct form *form, char family)
{
    for (int hut = 1; hut <= VILLAGE_HUTS; hut++)
        add_column(form, (const char[3]){family, (char)('0' + hut), '\0'});
}

/* A line for each letter of `order` that is among these. */
static void make_rows(struct form *form, const char *order, const char *letters)
{
    for (; *order; order++) {
        if (strchr(letters, *order))
            form->letters[form->rows++] = *order;
    }
}

static void allow_all(struct form *form, int most)
{
    for (int row = 0; row < form->rows; row++) {
        form->row_most[row] = most;
        for (int column = 0; column < form->columns; column++)
            form->most[row][column] = most;
    }
}

static bool ask_settle(struct form *form, const json_t *asked)
{
    const char *people = state_text(asked, "people");
    struct people all = {{0}}, huts[VILLAGE_HUTS] = {{{0}}};
    const int stay = state_number(asked, "stay");
    if (strlen(people) > PEOPLE_HUT_MOST || people[people_add(&all, people)] != '\0')
        return false;
    make_rows(form, village_kinds, people);
    own_huts(form, form->family);
    allow_all(form, NO_BOUND);
    form->column_most = VILLAGE_HUT_ROOM;
    form->total_most = stay;
    form->exact = true;
    people_spread(huts, &all, stay);
    for (int row = 0; row < form->rows; row++) {
        const size_t kind = (size_t)(strchr(village_kinds, form->letters[row]) - village_kinds);
        form->row_most[row] = all.of[kind];
        for (int hut = 0; hut < VILLAGE_HUTS; hut++)
            form->value[row][hut] = huts[hut].of[kind];
    }
    return true;
}

/* Whom the lists have first. */
static void fill_losses(struct form *form)
{
    int left = form->total_most;
    for (int row = 0; row < form->rows; row++) {
        for (int column = 0; column < form->columns; column++) {
            const int most = form->most[row][column];
            form->value[row][column] = most < left ? most : left;
            left -= form->value[row][column];
        }
    }
}

static bool ask_loss(struct form *form, const json_t *asked)
{
    const json_t *people = json_object_get(asked, "people");
    form->from = *state_text(asked, "from");
    if (!village_is_one(village_families, form->from))
        return false;
    own_huts(form, form->from);
    make_rows(form, village_kinds, village_kinds);
    allow_all(form, NO_BOUND);
    for (int column = 0; column < form->columns; column++) {
        struct people here = {{0}};
        people_add(&here, state_text(people, form->columns_of[column]));
        for (int row = 0; row < form->rows; row++)
            form->most[row][column] = here.of[row];
    }
    form->total_most = state_number(asked, "count");
    form->exact = true;
    fill_losses(form);
    return true;
}

static bool ask_set(struct form *form, const json_t *asked)
{
    make_rows(form, village_spells, state_text(asked, "spells"));
    add_column(form, "");
    allow_all(form, 1);
    if (is_kind(form, "choose"))
        form->total_most = state_number(asked, "most");
    return true;
}

static bool ask_put(struct form *form, const json_t *asked)
{
    size_t i;
    json_t *hut;
    make_rows(form, village_spells, state_text(asked, "spells"));
    json_array_foreach(json_object_get(asked, "huts"), i, hut)
        add_column(form, json_is_string(hut) ? json_string_value(hut) : "");
    allow_all(form, 1);
    form->total_most = is_kind(form, "cast") ? 1 : state_number(asked, "most");
    return form->columns > 0;
}

/* Where a list of `cast` is known, what is not in it cannot be done. */
static void keep_listed(struct form *form, const json_t *moves)
{
    bool filled = false;
    char move[24];
    form->may_pass = json_array_size(moves) == 0;
    if (!is_kind(form, "cast") || form->may_pass)
        return;
    snprintf(move, sizeof move, "pass@%c", form->family);
    form->may_pass = json_array_has(moves, move);
    for (int row = 0; row < form->rows; row++) {
        for (int column = 0; column < form->columns; column++) {
            snprintf(move, sizeof move, "cast@%c=%c:%.2s", form->family, form->letters[row],
                     form->columns_of[column]);
            const bool legal = json_array_has(moves, move);
            form->most[row][column] = legal ? 1 : 0;
            form->value[row][column] = legal && !filled ? 1 : 0;
            form->row = legal && !filled ? row : form->row;
            form->column = legal && !filled ? column : form->column;
            filled |= legal;
        }
    }
}

static const struct {
    const char *kind;
    bool (*ask)(struct form *form, const json_t *asked);
} kinds[] = {
    {"settle", ask_settle}, {"choose", ask_set},  {"write", ask_put}, {"cast", ask_put},
    {"reveal", ask_set},    {"starve", ask_loss}, {"take", ask_loss},
};

bool form_open(struct form *form, char family, const json_t *asked, const json_t *moves)
{
    const char *kind = state_text(asked, "kind");
    *form = (struct form){.family = family, .column_most = NO_BOUND, .total_most = NO_BOUND};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kind, kinds[i].kind) != 0)
            continue;
        snprintf(form->kind, sizeof form->kind, "%s", kind);
        if (kinds[i].ask(form, asked)) {
            keep_listed(form, moves);
            return true;
        }
    }
    form->kind[0] = '\0';
    return false;
}

/* ---- changing it */

void form_step(struct form *form, int rows, int columns)
{
    if (form->rows > 0)
        form->row = (form->row + rows + form->rows) % form->rows;
    if (form->columns > 0)
        form->column = (form->column + columns + form->columns) % form->columns;
}

static bool has_cell(const struct form *form)
{
    return form->row < form->rows && form->column < form->columns;
}

/* One fewer in another cell: of the line, or of any. False if all others are empty. */
static bool take_elsewhere(struct form *form, bool any_row)
{
    for (int row = 0; row < form->rows; row++) {
        for (int column = 0; column < form->columns; column++) {
            const bool here = row == form->row && column == form->column;
            if (here || (row != form->row && !any_row) || form->value[row][column] == 0)
                continue;
            form->value[row][column]--;
            return true;
        }
    }
    return false;
}

/* Where one more in the line makes one fewer elsewhere. True: there is room now. */
static bool make_room(struct form *form)
{
    const bool swaps = form->total_most == 1 || (form->exact && !is_kind(form, "settle"));
    if (row_total(form, form->row) >= form->row_most[form->row])
        return take_elsewhere(form, false);
    return form_total(form) < form->total_most || (swaps && take_elsewhere(form, true));
}

void form_more(struct form *form)
{
    if (!has_cell(form))
        return;
    int *value = &form->value[form->row][form->column];
    if (*value > 0 && !form_is_of_people(form))
        *value = 0;
    else if (*value < form->most[form->row][form->column] &&
             column_total(form, form->column) < form->column_most && make_room(form))
        ++*value;
}

void form_fewer(struct form *form)
{
    if (has_cell(form) && form->value[form->row][form->column] > 0)
        form->value[form->row][form->column]--;
}

/* ---- the command */

static size_t write_people(char *text, size_t size, const struct form *form)
{
    char lists[PEOPLE_TEXT];
    struct people huts[VILLAGE_HUTS] = {{{0}}};
    for (int row = 0; row < form->rows; row++) {
        const size_t kind = (size_t)(strchr(village_kinds, form->letters[row]) - village_kinds);
        for (int hut = 0; hut < VILLAGE_HUTS; hut++)
            huts[hut].of[kind] = form->value[row][hut];
    }
    people_write(lists, huts);
    if (is_kind(form, "take"))
        return (size_t)snprintf(text, size, "%c:%s", form->from, lists);
    return (size_t)snprintf(text, size, "%s", lists);
}

static void write_spells(char *text, size_t size, const struct form *form)
{
    size_t len = 0;
    for (int row = 0; row < form->rows; row++) {
        for (int column = 0; column < form->columns && len < size; column++) {
            const char *hut = form->columns_of[column];
            if (form->value[row][column] > 0)
                len +=
                    (size_t)snprintf(text + len, size - len, "%s%c%s%s", len > 0 && *hut ? "," : "",
                                     form->letters[row], *hut ? ":" : "", hut);
        }
    }
    if (len == 0)
        snprintf(text, size, "-");
}

bool form_write(char *text, size_t size, const struct form *form)
{
    char rest[PEOPLE_TEXT + 4];
    const int total = form_total(form);
    if (form_is_of_people(form))
        write_people(rest, sizeof rest, form);
    else
        write_spells(rest, sizeof rest, form);
    if (is_kind(form, "cast") && total == 0) {
        snprintf(text, size, "pass@%c", form->family);
        return form->may_pass;
    }
    snprintf(text, size, "%s@%c=%s", form->kind, form->family, rest);
    return total == form->total_most || (!form->exact && total < form->total_most);
}

/* ---- and back */

static bool set(struct form *form, char letter, int column)
{
    const int row = row_of(form, letter);
    if (row < 0 || column < 0 || column >= form->columns)
        return false;
    form->value[row][column]++;
    return form->value[row][column] <= form->most[row][column] &&
           row_total(form, row) <= form->row_most[row] &&
           column_total(form, column) <= form->column_most && form_total(form) <= form->total_most;
}

static bool read_people(struct form *form, const char *rest)
{
    int column = 0;
    if (is_kind(form, "take") && (*rest != form->from || rest[1] != ':'))
        return false;
    for (rest += is_kind(form, "take") ? 2 : 0; *rest; rest++) {
        if (*rest == '/')
            column++;
        else if (*rest != '-' && !set(form, *rest, column))
            return false;
    }
    return true;
}

static bool read_spells(struct form *form, const char *rest)
{
    const bool with_huts = !is_kind(form, "choose") && !is_kind(form, "reveal");
    if (strcmp(rest, "-") == 0)
        return true;
    for (; *rest; rest += *rest == ',') {
        const bool has_hut = rest[1] == ':';
        if (has_hut != with_huts || !set(form, *rest, has_hut ? column_of(form, rest + 2) : 0))
            return false;
        rest += has_hut ? 4 : 1;
    }
    return true;
}

bool form_read(struct form *form, const char *move)
{
    char begun[16];
    const int len = snprintf(begun, sizeof begun, "%s@%c=", form->kind, form->family);
    memset(form->value, 0, sizeof form->value);
    if (is_kind(form, "cast") && strncmp(move, "pass@", 5) == 0)
        return move[5] == form->family && form->may_pass;
    if (strncmp(move, begun, (size_t)len) != 0)
        return false;
    return form_is_of_people(form) ? read_people(form, move + len) : read_spells(form, move + len);
}
