#include "draw.h"

#include "village.h"
#include <cli/state.h>
#include <string.h>

static const struct style PLAIN = {0};
static const struct style FAINT = {TINT_FAINT, TINT_NONE, false};
static const struct style BOLD = {TINT_NONE, TINT_NONE, true};
static const struct style ASK = {TINT_HINT, TINT_NONE, true};

struct style draw_family_style(char family)
{
    switch (family) {
    case 'R':
        return (struct style){TINT_CHALK, TINT_RED, true};
    case 'G':
        return (struct style){TINT_CHALK, TINT_GREEN, true};
    case 'B':
        return (struct style){TINT_CHALK, TINT_NAVY, true};
    case 'Y':
        return (struct style){TINT_INK, TINT_YELLOW, true};
    default:
        return BOLD;
    }
}

static struct style kind_style(char kind)
{
    if (kind == 'g' || kind == 'b')
        return (struct style){TINT_SKY, TINT_NONE, false};
    return kind == 'W' || kind == 'M' ? BOLD : kind == 'e' ? FAINT : PLAIN;
}

/* ---- one family's line */

/* Pieces of the pole from the left, and dots for those that are missing. */
static void draw_pole(struct canvas *canvas, int x, int y, int pieces, struct style style)
{
    for (int i = 0; i < VILLAGE_PIECES; i++) {
        bool stands = i < pieces;
        uint32_t code = canvas->ascii ? (stands ? '#' : '.') : stands ? 0x25a0 : 0x00b7;
        canvas_put(canvas, x + i, y, code, stands ? style : FAINT);
    }
}

/* "hand 3, mourns": what is to be known besides. */
static void note_text(char *text, size_t size, const json_t *state, char family)
{
    const json_t *row = village_family(state, family);
    int hand = state_number(row, "chosen"), lacks = village_lacks(state, family), len = 0;
    *text = '\0';
    if (hand > 0)
        len = snprintf(text, size, "hand %d", hand);
    else if (json_is_true(state_at(row, "written")))
        len = snprintf(text, size, "written");
    else if (lacks > 0)
        len = snprintf(text, size, "lacks %d", lacks);
    if (json_is_true(state_at(row, "barred")) && len >= 0 && (size_t)len < size)
        snprintf(text + len, size - (size_t)len, "%smourns", len > 0 ? ", " : "");
}

static void draw_heading(struct canvas *canvas, int x, int y, const json_t *state, char family)
{
    const json_t *row = village_family(state, family);
    char note[32];
    bool acts = village_acts(state, family);
    int seat = village_seat(state, family);
    struct style style = draw_family_style(family);
    canvas_put(canvas, x, y, acts ? '>' : ' ', ASK);
    canvas_printf(canvas, x + 1, y, 8, style, "%c %-6s", family, village_family_name(family));
    if (seat >= 0)
        canvas_put(canvas, x + 10, y, (uint32_t)('A' + seat), PLAIN);
    if (village_is_out(state, family)) {
        canvas_text(canvas, x + 12, y, 20, FAINT, "out of the game");
        return;
    }
    draw_pole(canvas, x + 12, y, state_number(row, "pieces"), style);
    canvas_printf(canvas, x + 19, y, 8, PLAIN, "birds %d", state_number(row, "birds"));
    canvas_printf(canvas, x + 28, y, 9, PLAIN, "people %d", village_count(state, family));
    note_text(note, sizeof note, state, family);
    canvas_text(canvas, x + 38, y, 16, BOLD, note);
}

/* ---- a hut */

/* Where the next thing goes, and where there is no more room. */
struct pen {
    struct canvas *canvas;
    int x, y, end;
    bool full;
};

/* What finds no room is a `+`, and so is all behind it. */
static bool pen_has_room(struct pen *pen, int columns)
{
    if (!pen->full && pen->x + columns <= pen->end)
        return true;
    if (!pen->full)
        canvas_put(pen->canvas, pen->x < pen->end ? pen->x : pen->end - 1, pen->y, '+', BOLD);
    pen->full = true;
    return false;
}

static void pen_put(struct pen *pen, char letter, struct style style)
{
    canvas_put(pen->canvas, pen->x++, pen->y, (unsigned char)letter, style);
}

static void draw_people(struct pen *pen, const char *people)
{
    for (; *people; people++) {
        bool last = people[1] == '\0';
        if (!pen_has_room(pen, last ? 1 : 2))
            return;
        pen_put(pen, *people, kind_style(*people));
    }
}

/* "R(TH)" for what we know, "G?2" for what we do not. */
static void draw_down(struct pen *pen, const json_t *state, const char *hut, const json_t *down)
{
    for (const char *owner = village_families; *owner; owner++) {
        const char key[2] = {*owner, '\0'};
        char text[VILLAGE_SPELLS + 8], known[VILLAGE_SPELLS + 1];
        int count = state_number(down, key);
        village_own_down(known, state, *owner, hut);
        if (count < 1)
            continue;
        if (*known)
            snprintf(text, sizeof text, "(%s)", known);
        else
            snprintf(text, sizeof text, count > 1 ? "?%d" : "?", count);
        if (!pen_has_room(pen, 1 + (int)strlen(text)))
            return;
        pen_put(pen, *owner, draw_family_style(*owner));
        for (const char *at = text; *at; at++)
            pen_put(pen, *at, *known ? BOLD : PLAIN);
        pen->x++;
    }
}

/* "T:RG": the spell, and who has uncovered it. */
static void draw_up(struct pen *pen, const json_t *up)
{
    for (const char *spell = village_spells; *spell; spell++) {
        const char key[2] = {*spell, '\0'};
        const char *owners = state_text(up, key);
        if (!*owners)
            continue;
        if (!pen_has_room(pen, 2 + (int)strlen(owners)))
            return;
        pen_put(pen, *spell, ASK);
        pen_put(pen, ':', ASK);
        for (; *owners; owners++)
            pen_put(pen, *owners, draw_family_style(*owners));
        pen->x++;
    }
}

static void draw_hut(struct canvas *canvas, int x, int y, int columns, const struct draw_look *look,
                     const char name[3])
{
    int hut = name[1] - '0', family = (int)(strchr(village_families, name[0]) - village_families);
    const json_t *row = village_hut(look->state, name[0], hut);
    bool touched = look->touched >> (VILLAGE_HUTS * family + hut - 1) & 1;
    struct style style = touched ? draw_family_style(name[0]) : BOLD;
    struct pen people = {canvas, x, y, x + columns - 1, false}, spells = people;
    if (look->small) {
        people.x =
            x + canvas_printf(canvas, x, y, columns, style, "%s%c", name, touched ? '*' : ' ');
    } else {
        canvas_put(canvas, x, y, '/', FAINT);
        canvas_printf(canvas, x + 1, y, columns, style, "%s", name);
        canvas_printf(canvas, x + 3, y, columns, FAINT, "\\%s", touched ? "*" : "");
        people.y = ++y;
    }
    draw_people(&people, state_text(row, "people"));
    spells.y = y + 1;
    draw_up(&spells, state_at(row, "up"));
    draw_down(&spells, look->state, name, state_at(row, "down"));
}

/* ---- all */

static int band_rows(bool small)
{
    return small ? 3 : 4;
}

int draw_rows(const json_t *state, bool small)
{
    int rows = 1;
    for (const char *family = village_families; *family; family++)
        rows += village_family(state, *family) ? band_rows(small) : 0;
    return rows;
}

int draw_acting_row(const json_t *state, bool small)
{
    char acting = village_acting(state, 0);
    int row = 0;
    for (const char *family = village_families; *family && *family != acting; family++)
        row += village_family(state, *family) ? band_rows(small) : 0;
    return acting ? row : 0;
}

static void draw_band(struct canvas *canvas, int x, int y, int columns,
                      const struct draw_look *look, char family)
{
    draw_heading(canvas, x, y, look->state, family);
    if (village_is_out(look->state, family))
        return;
    for (int hut = 1; hut <= VILLAGE_HUTS; hut++) {
        const char name[3] = {family, (char)('0' + hut), '\0'};
        draw_hut(canvas, x + 1 + (hut - 1) * columns, y + 1, columns, look, name);
    }
}

void draw_village(struct canvas *canvas, const struct draw_look *look)
{
    int width = canvas->columns < DRAW_COLUMNS       ? DRAW_COLUMNS
                : canvas->columns > DRAW_COLUMNS_MAX ? DRAW_COLUMNS_MAX
                                                     : canvas->columns;
    int y = 0;
    struct canvas bands;
    if (!canvas_init(&bands, canvas->columns, canvas->rows > 1 ? canvas->rows - 1 : 1,
                     canvas->ascii))
        return;
    for (const char *family = village_families; *family; family++) {
        if (!village_family(look->state, *family))
            continue;
        draw_band(&bands, -look->x, y - look->y, width / VILLAGE_HUTS, look, *family);
        y += band_rows(look->small);
    }
    canvas_stamp(canvas, 0, 1, &bands);
    canvas_release(&bands);
    canvas_text(canvas, 0, 0, canvas->columns, ASK, look->ask);
}
