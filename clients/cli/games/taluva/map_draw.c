#include "map_draw.h"

#include <stdlib.h>
#include <string.h>

enum {
    RULER = 5, /* columns of the r coordinates, "r-12 " */
    HEX_ROWS = 2,
};

/* Facing, clockwise from east; the ASCII ones are distinguished by the number beside them. */
static const uint32_t arrows[6] = {0x2192, 0x2198, 0x2199, 0x2190, 0x2196, 0x2197};
static const char ascii_arrows[6] = {'>', '\\', '/', '<', '\\', '/'};

static int hex_columns(bool small)
{
    return small ? 4 : 6;
}

static int hex_x(struct map_at at, bool small)
{
    return hex_columns(small) * at.q + hex_columns(small) / 2 * at.r;
}

static int hex_y(struct map_at at)
{
    return HEX_ROWS * at.r;
}

struct style terrain_style(char terrain)
{
    switch (terrain) {
    case 'J':
        return (struct style){TINT_CHALK, TINT_GREEN, false};
    case 'C':
        return (struct style){TINT_INK, TINT_LIME, false};
    case 'S':
        return (struct style){TINT_INK, TINT_SAND, false};
    case 'R':
        return (struct style){TINT_INK, TINT_GREY, false};
    case 'L':
        return (struct style){TINT_INK, TINT_SKY, false};
    default:
        return (struct style){TINT_CHALK, TINT_RUST, false};
    }
}

struct style player_style(const char *colour)
{
    static const struct {
        const char *word;
        uint8_t ink, paper;
    } rows[] = {
        {"red", TINT_CHALK, TINT_RED},     {"white", TINT_INK, TINT_WHITE},
        {"yellow", TINT_INK, TINT_YELLOW}, {"brown", TINT_CHALK, TINT_BROWN},
        {"black", TINT_CHALK, TINT_BLACK},
    };
    for (size_t i = 0; colour && i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].word, colour) == 0)
            return (struct style){rows[i].ink, rows[i].paper, true};
    }
    return (struct style){TINT_NONE, TINT_NONE, true};
}

static struct style owner_style(const struct map *map, uint8_t owner)
{
    uint8_t tint = owner < MAP_SEATS ? map->tint[owner] : (uint8_t)TINT_NONE;
    bool dark = tint == TINT_RED || tint == TINT_BROWN || tint == TINT_BLACK;
    return (struct style){dark ? TINT_CHALK : TINT_INK, tint, true};
}

/* ---- one hex */

struct brush {
    struct canvas *canvas;
    const struct map *map; /* NULL for a tile in hand */
    bool small;
};

/* "Ah3", "Atow", "Atem"; the small form has three characters. */
static void draw_building(const struct brush *brush, int x, int y, const struct map_hex *hex)
{
    char text[8] = {(char)('A' + hex->owner % 26), hex->kind, '\0'};
    if (hex->kind == 'h')
        snprintf(text + 1, sizeof text - 1, "h%d", hex->count);
    else if (!brush->small)
        snprintf(text + 1, sizeof text - 1, "%s", hex->kind == 'w' ? "tow" : "tem");
    struct style style = owner_style(brush->map, hex->owner);
    canvas_text(brush->canvas, x, y, brush->small ? 3 : 4, style, text);
}

static void draw_face(const struct brush *brush, int x, int y, const struct map_hex *hex,
                      struct style style)
{
    style.bold = true;
    if (hex->level > 0)
        x += canvas_printf(brush->canvas, x, y, 2, style, "%d", hex->level);
    canvas_put(brush->canvas, x++, y, (uint32_t)hex->terrain, style);
    if (hex->terrain != 'V' && hex->terrain != 'v')
        return;
    uint32_t arrow =
        brush->canvas->ascii ? (uint32_t)ascii_arrows[hex->facing] : arrows[hex->facing];
    canvas_put(brush->canvas, x++, y, arrow, style);
    if (!brush->small)
        canvas_put(brush->canvas, x, y, (uint32_t)('0' + hex->facing), style);
}

/* The outline: slashes, brackets for the last tile, braces for what the cursor shows. */
static void draw_frame(const struct brush *brush, int x, int y, uint8_t marks, struct style style)
{
    const bool chosen = (marks & MAP_CURSOR) != 0, marked = chosen || (marks & MAP_PLACED) != 0;
    const char *ends = chosen ? "{}" : "[]";
    int right = x + hex_columns(brush->small) - 1;
    struct style edge = chosen ? (struct style){TINT_INK, TINT_HINT, true} : style;
    edge.bold = marked;
    for (int line = 0; line < HEX_ROWS; line++) {
        for (int i = x; i <= right; i++)
            canvas_put(brush->canvas, i, y + line, ' ', style);
        if (brush->small) {
            canvas_put(brush->canvas, x, y + line, (uint32_t)(marked ? ends[0] : '|'), edge);
            continue;
        }
        canvas_put(brush->canvas, x, y + line, (uint32_t)(marked ? ends[0] : "/\\"[line]), edge);
        canvas_put(brush->canvas, right, y + line, (uint32_t)(marked ? ends[1] : "\\/"[line]),
                   edge);
    }
}

/* Coordinates may run over the outline; cut off at the window's side they would be other ones. */
static void draw_at(const struct brush *brush, int x, int y, struct map_at at, struct style style)
{
    char text[32];
    if (x < 0 || x + hex_columns(brush->small) > brush->canvas->columns)
        return;
    if (brush->small) {
        canvas_printf(brush->canvas, x, y, 4, style, "%d,", at.q);
        canvas_printf(brush->canvas, x, y + 1, 4, style, "%d", at.r);
        return;
    }
    int length = snprintf(text, sizeof text, "%d,%d", at.q, at.r);
    canvas_text(brush->canvas, x + (7 - length) / 2, y, 7, style, text);
}

static void draw_land(const struct brush *brush, int x, int y, const struct map_hex *hex)
{
    struct style style = terrain_style(hex->terrain);
    draw_frame(brush, x, y, hex->marks, style);
    draw_face(brush, x + 1, y, hex, style);
    if (hex->kind)
        draw_building(brush, x + 1, y + 1, hex);
    int last = x + hex_columns(brush->small) - (brush->small ? 1 : 2);
    if (hex->marks & MAP_BUILT)
        canvas_put(brush->canvas, last, y, '*', (struct style){style.ink, style.paper, true});
}

/* What is written on a hex that carries nothing: where it is, and whether the tile may go there. */
static void draw_land_note(const struct brush *brush, int x, int y, struct map_at at,
                           const struct map_hex *hex, bool coordinates)
{
    struct style style = terrain_style(hex->terrain);
    bool spot = (hex->marks & MAP_SPOT) != 0;
    if (spot)
        style = (struct style){TINT_INK, TINT_HINT, true};
    if ((spot || coordinates) && !hex->kind && !brush->small)
        draw_at(brush, x, y + 1, at, style);
    if (spot)
        canvas_put(brush->canvas, x + hex_columns(brush->small) - 1, y, '+', style);
}

/* ---- empty table */

static void draw_lagoon(const struct brush *brush, int x, int y, struct map_at at,
                        const struct map_hex *hex)
{
    struct style style = {TINT_CHALK, TINT_NAVY, false};
    for (int i = 0; i < hex_columns(brush->small); i++) {
        canvas_put(brush->canvas, x + i, y, '~', style);
        canvas_put(brush->canvas, x + i, y + 1, ' ', style);
    }
    const bool chosen = (hex->marks & MAP_CURSOR) != 0;
    if (chosen)
        draw_frame(brush, x, y, hex->marks, style);
    if (hex->owner != MAP_NOBODY)
        canvas_printf(brush->canvas, x + (brush->small && !chosen ? 0 : 1), y + 1, 5,
                      owner_style(brush->map, hex->owner), brush->small ? "%cbo" : "%cboat",
                      'A' + hex->owner % 26);
    else if (!brush->small)
        draw_at(brush, x, y + 1, at, style);
}

/* Nothing can lie beyond the zone; hexes on its edge show how many corners are outside. */
static void draw_zone(const struct brush *brush, int x, int y, const struct map_hex *hex)
{
    struct style style = {TINT_ALERT, TINT_NONE, false};
    int last = hex_columns(brush->small) - 1;
    if (hex->points == 6) {
        for (int i = 0; i <= last; i++) {
            canvas_put(brush->canvas, x + i, y, i % 2 ? '.' : ' ', style);
            canvas_put(brush->canvas, x + i, y + 1, i % 2 ? ' ' : '.', style);
        }
    } else if (hex->points > 0 && x >= 0 && x + last < brush->canvas->columns) {
        canvas_printf(brush->canvas, x + 2, y + 1, 3, style, ":%d", hex->points);
    }
}

static void draw_sea(const struct brush *brush, int x, int y, struct map_at at,
                     const struct map_hex *hex)
{
    if (hex->lagoon || hex->owner != MAP_NOBODY) {
        draw_lagoon(brush, x, y, at, hex);
        return;
    }
    if (hex->points > 0)
        draw_zone(brush, x, y, hex);
    bool spot = (hex->marks & MAP_SPOT) != 0;
    bool whole = x >= 0 && x + hex_columns(brush->small) <= brush->canvas->columns;
    if (hex->points < 6 && (map_is_shore(brush->map, at) || spot))
        draw_at(brush, x, y, at, (struct style){spot ? TINT_HINT : TINT_FAINT, TINT_NONE, spot});
    if (spot && whole)
        canvas_put(brush->canvas, x + hex_columns(brush->small) - 2, y + 1, '+',
                   (struct style){TINT_HINT, TINT_NONE, true});
}

/* ---- the whole map */

struct extent {
    int left, top, right, bottom; /* in characters, right and bottom exclusive */
};

static bool is_content(const struct map *map, struct map_at at, const struct map_hex *hex)
{
    if (hex->level > 0 || hex->lagoon || (map->zone_steps > 0 && hex->points < 6))
        return true;
    return map_is_shore(map, at) || (hex->marks & MAP_SPOT);
}

static struct extent content_extent(const struct map *map, bool small)
{
    struct extent e = {0, 0, hex_columns(small), HEX_ROWS};
    bool any = false;
    for (int i = 0; i < map->columns * map->rows; i++) {
        struct map_at at = {map->q_min + i % map->columns, map->r_min + i / map->columns};
        if (!is_content(map, at, &map->hexes[i]))
            continue;
        int x = hex_x(at, small), y = hex_y(at);
        e.left = !any || x < e.left ? x : e.left;
        e.top = !any || y < e.top ? y : e.top;
        e.right = !any || x + hex_columns(small) > e.right ? x + hex_columns(small) : e.right;
        e.bottom = !any || y + HEX_ROWS > e.bottom ? y + HEX_ROWS : e.bottom;
        any = true;
    }
    return e;
}

void map_extent(const struct map *map, bool small, int *columns, int *rows)
{
    struct extent e = content_extent(map, small);
    *columns = e.right - e.left + RULER + 1;
    *rows = e.bottom - e.top + 2;
}

/* One axis of the window: `at` moves as little as needed to keep [low, high) inside. */
static int follow_axis(int at, bool placed, int size, int low, int high, int from, int to)
{
    if (to - from <= size)
        return from - (size - (to - from)) / 2;
    if (!placed)
        at = (low + high - size) / 2;
    if (at > low)
        at = low;
    if (at + size < high)
        at = high - size;
    if (at > to - size)
        at = to - size;
    return at < from ? from : at;
}

void map_window_follow(struct map_window *window, const struct map *map, int columns, int rows,
                       struct map_at focus)
{
    struct extent e = content_extent(map, window->small);
    int x = hex_x(focus, window->small), y = hex_y(focus);
    int margin_x = 2 * hex_columns(window->small), margin_y = 2 * HEX_ROWS;
    window->x = follow_axis(window->x, window->placed, columns - RULER, x - margin_x,
                            x + hex_columns(window->small) + margin_x, e.left, e.right);
    window->y = follow_axis(window->y, window->placed, rows - 2, y - margin_y,
                            y + HEX_ROWS + margin_y, e.top, e.bottom);
    window->y -= ((window->y % HEX_ROWS) + HEX_ROWS) % HEX_ROWS;
    window->placed = true;
}

static int floor_divide(int a, int b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

struct map_at map_window_at(const struct map_window *window, int x, int y)
{
    const int width = hex_columns(window->small);
    const int r = floor_divide(y - 1 + window->y, HEX_ROWS);
    return (struct map_at){floor_divide(x - RULER + window->x - width / 2 * r, width), r};
}

/* The q coordinates above or below row `r`, on line `y` of the canvas. */
static void draw_ruler(struct canvas *canvas, const struct map *map,
                       const struct map_window *window, int r, int y)
{
    struct style style = {TINT_FAINT, TINT_NONE, false};
    int width = hex_columns(window->small);
    for (int q = map->q_min; q < map->q_min + map->columns; q++) {
        int x = RULER + hex_x((struct map_at){q, r}, window->small) - window->x;
        if (x >= RULER && x + width <= canvas->columns)
            canvas_printf(canvas, x + (window->small ? 0 : 1), y, width, style, "q%d", q);
    }
}

/* Close to the island where the window is larger. */
static void draw_rulers(struct canvas *canvas, const struct map *map,
                        const struct map_window *window, int lines)
{
    struct style style = {TINT_FAINT, TINT_NONE, false};
    struct extent e = content_extent(map, window->small);
    int top = e.top > window->y ? e.top : window->y;
    int bottom = e.bottom < window->y + lines ? e.bottom : window->y + lines;
    for (int y = top; y < bottom; y += HEX_ROWS)
        canvas_printf(canvas, 0, 1 + y - window->y, RULER - 1, style, "r%d", y / HEX_ROWS);
    if (top >= bottom)
        return;
    draw_ruler(canvas, map, window, top / HEX_ROWS, top - window->y);
    draw_ruler(canvas, map, window, bottom / HEX_ROWS - 1, 1 + bottom - window->y);
}

/* What is cut off: `^more` and `vmore` beside the rulers, `<` and `>` along the sides. */
static void draw_more(struct canvas *canvas, const struct map *map, const struct map_window *window,
                      const struct canvas *inside)
{
    const struct style style = {TINT_HINT, TINT_NONE, true};
    const struct extent e = content_extent(map, window->small);
    const bool left = e.left<window->x, right = e.right> window->x + inside->columns;
    if (e.top < window->y)
        canvas_text(canvas, 0, 0, RULER, style, "^more");
    if (e.bottom > window->y + inside->rows)
        canvas_text(canvas, 0, inside->rows + 1, RULER, style, "vmore");
    for (int y = 1; y <= inside->rows; y += HEX_ROWS) {
        if (left)
            canvas_put(canvas, RULER - 1, y, '<', style);
        /* A coordinate without its last digit would be another one. */
        if (right && canvas->cells[(y + 1) * canvas->columns - 1].code == ' ')
            canvas_put(canvas, canvas->columns - 1, y, '>', style);
    }
}

void map_draw(struct canvas *canvas, const struct map *map, const struct map_window *window)
{
    struct canvas inside;
    if (canvas->columns <= RULER || canvas->rows < 2 + HEX_ROWS)
        return;
    if (!canvas_init(&inside, canvas->columns - RULER, (canvas->rows - 2) & ~1, canvas->ascii))
        return;
    struct brush brush = {&inside, map, window->small};
    for (int i = 0; i < map->columns * map->rows; i++) {
        struct map_at at = {map->q_min + i % map->columns, map->r_min + i / map->columns};
        const struct map_hex *hex = &map->hexes[i];
        int x = hex_x(at, window->small) - window->x, y = hex_y(at) - window->y;
        if (hex->level == 0) {
            draw_sea(&brush, x, y, at, hex);
            continue;
        }
        draw_land(&brush, x, y, hex);
        draw_land_note(&brush, x, y, at, hex, window->coordinates);
    }
    canvas_stamp(canvas, RULER, 1, &inside);
    draw_rulers(canvas, map, window, inside.rows);
    draw_more(canvas, map, window, &inside);
    canvas_release(&inside);
}

void tile_draw(struct canvas *canvas, int x, int y, const char *tile, int k)
{
    struct brush brush = {canvas, NULL, false};
    bool two_hex = tile[0] == '2';
    char letters[4] = {'V', 0, 0, 0};
    if (strlen(tile) != (two_hex ? 3U : 2U))
        return;
    memcpy(letters + (two_hex ? 0 : 1), tile + (two_hex ? 1 : 0), 2);
    y += k >= 3 ? HEX_ROWS : 0; /* the other hexes lie beside and above the first one */
    for (int i = 0; letters[i]; i++) {
        struct map_at at =
            i == 0 ? (struct map_at){0, 0} : map_step((struct map_at){0, 0}, (k + i - 1) % 6);
        int facing = i == 0 ? k : (k + 3) % 6;
        struct map_hex hex = {
            .terrain = letters[i], .facing = (uint8_t)facing, .owner = MAP_NOBODY};
        draw_land(&brush, x + 6 + hex_x(at, false), y + hex_y(at), &hex);
    }
}
