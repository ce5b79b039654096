#include "replay_viewer.h"

#include "key.h"
#include <cli/game.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEAD_ROWS = 3,
    FOOT_ROWS = 1,
    COLUMNS_LEAST = 20,
    PAGE = 10,
    PAN_COLUMNS = 12,
    PAN_ROWS = 4
};

/* ---- the match */

/* Plays the match up to its end, with one picture on the way. */
static void play_match(struct replay_viewer *viewer, int64_t wanted)
{
    struct replay replay = {
        .out = viewer->nowhere, .where = viewer->name, .pictures = &viewer->pictures};
    viewer->window.wanted = wanted;
    viewer->window.count = 0;
    viewer->window.drawn = false;
    replay_parsed(&replay, viewer->record);
    viewer->differences = replay.differences;
}

bool replay_viewer_init(struct replay_viewer *viewer, const char *name, const struct record *record,
                        const struct replay_pictures *pictures)
{
    *viewer = (struct replay_viewer){.name = name, .record = record, .pictures = *pictures};
    viewer->pictures.window = &viewer->window;
    viewer->nowhere = fopen("/dev/null", "w");
    viewer->window.turns = calloc(record->line_count + 1, sizeof *viewer->window.turns);
    if (!viewer->nowhere || !viewer->window.turns)
        return false;
    play_match(viewer, REPLAY_NONE);
    viewer->count = viewer->window.count;
    if (viewer->count > 0)
        viewer->last_turn = viewer->window.turns[viewer->count - 1];
    return viewer->count > 0;
}

void replay_viewer_release(struct replay_viewer *viewer)
{
    if (viewer->nowhere)
        (void)fclose(viewer->nowhere);
    free(viewer->window.turns);
}

/* ---- keys */

static void go_to(struct replay_viewer *viewer, int64_t at)
{
    viewer->at = at < 0 ? 0 : at >= viewer->count ? viewer->count - 1 : at;
    viewer->window.pan_x = viewer->window.pan_y = 0;
}

void replay_viewer_go_to(struct replay_viewer *viewer, unsigned turn)
{
    int64_t at = 0;
    while (at + 1 < viewer->count && viewer->window.turns[at] < turn)
        at++;
    go_to(viewer, at);
}

static void pan_picture(struct replay_viewer *viewer, int columns, int rows)
{
    viewer->window.pan_x += columns;
    viewer->window.pan_y += rows;
}

static void type_digit(struct replay_viewer *viewer, char digit)
{
    const size_t len = strlen(viewer->digits);
    if (len < VIEWER_DIGITS) {
        viewer->digits[len] = digit;
        viewer->digits[len + 1] = '\0';
    }
}

static void press_enter(struct replay_viewer *viewer)
{
    if (*viewer->digits)
        replay_viewer_go_to(viewer, (unsigned)strtoul(viewer->digits, NULL, 10));
    else
        go_to(viewer, viewer->at + 1);
    viewer->digits[0] = '\0';
}

/* Backspace takes a digit away; where there is none it goes back. */
static void press_backspace(struct replay_viewer *viewer)
{
    const size_t len = strlen(viewer->digits);
    if (len > 0)
        viewer->digits[len - 1] = '\0';
    else
        go_to(viewer, viewer->at - 1);
}

static void press_letter(struct replay_viewer *viewer, char letter)
{
    if (letter >= '0' && letter <= '9') {
        type_digit(viewer, letter);
        return;
    }
    viewer->digits[0] = '\0';
    if (strchr("n l", letter))
        go_to(viewer, viewer->at + 1);
    else if (strchr("ph", letter))
        go_to(viewer, viewer->at - 1);
    else if (letter == 'g')
        go_to(viewer, 0);
    else if (letter == 'G')
        go_to(viewer, viewer->count - 1);
    else if (letter == 's')
        viewer->pictures.small = !viewer->pictures.small;
    else if (letter == 'f')
        viewer->window.pan_x = viewer->window.pan_y = 0;
    else if (letter == 'q')
        viewer->over = true;
}

/* Keys that key_read does not tell apart: what terminals send for them. */
static const struct {
    const char *bytes;
    enum { TO_START, TO_END, PAGE_BACK, PAGE_ON, ERASE } what;
} more_keys[] = {
    {"\033[H", TO_START},   {"\033OH", TO_START}, {"\033[1~", TO_START}, {"\033[7~", TO_START},
    {"\033[F", TO_END},     {"\033OF", TO_END},   {"\033[4~", TO_END},   {"\033[8~", TO_END},
    {"\033[5~", PAGE_BACK}, {"\033[6~", PAGE_ON}, {"\177", ERASE},       {"\b", ERASE},
};

static bool press_bytes(struct replay_viewer *viewer, size_t len)
{
    for (size_t i = 0; i < sizeof more_keys / sizeof more_keys[0]; i++) {
        if (strlen(more_keys[i].bytes) != len ||
            memcmp(more_keys[i].bytes, viewer->begun, len) != 0)
            continue;
        switch (more_keys[i].what) {
        case TO_START:
            go_to(viewer, 0);
            break;
        case TO_END:
            go_to(viewer, viewer->count - 1);
            break;
        case PAGE_BACK:
            go_to(viewer, viewer->at - PAGE);
            break;
        case PAGE_ON:
            go_to(viewer, viewer->at + PAGE);
            break;
        case ERASE:
            press_backspace(viewer);
            break;
        }
        return true;
    }
    return false;
}

static void press_key(struct replay_viewer *viewer, const struct key *key)
{
    switch (key->kind) {
    case KEY_TEXT:
        press_letter(viewer, key->letter ? key->letter : '\033');
        break;
    case KEY_RIGHT:
        go_to(viewer, viewer->at + 1);
        break;
    case KEY_LEFT:
        go_to(viewer, viewer->at - 1);
        break;
    case KEY_UP:
    case KEY_PAN_UP:
        pan_picture(viewer, 0, -PAN_ROWS);
        break;
    case KEY_DOWN:
    case KEY_PAN_DOWN:
        pan_picture(viewer, 0, PAN_ROWS);
        break;
    case KEY_PAN_LEFT:
        pan_picture(viewer, -PAN_COLUMNS, 0);
        break;
    case KEY_PAN_RIGHT:
        pan_picture(viewer, PAN_COLUMNS, 0);
        break;
    case KEY_ENTER:
        press_enter(viewer);
        break;
    case KEY_END: /* Control-D */
        viewer->over = true;
        break;
    case KEY_TAB:
    case KEY_BACK_TAB:
    case KEY_ESCAPE:
    case KEY_REDRAW:
    case KEY_MOUSE:
    case KEY_PAGE_UP: /* as bytes, above */
    case KEY_PAGE_DOWN:
    case KEY_PASTE_BEGIN:
    case KEY_PASTE_END:
    case KEY_UNKNOWN:
        break;
    }
}

static void press_first(struct replay_viewer *viewer, const struct key *key, size_t len)
{
    if (!press_bytes(viewer, len))
        press_key(viewer, key);
    viewer->begun_count -= len;
    memmove(viewer->begun, viewer->begun + len, viewer->begun_count);
}

void replay_viewer_type(struct replay_viewer *viewer, const char *bytes, size_t count)
{
    struct key key;
    size_t len;
    for (size_t i = 0; i < count; i++) {
        viewer->begun[viewer->begun_count++] = bytes[i];
        len = key_read(&key, (const unsigned char *)viewer->begun, viewer->begun_count);
        if (len > 0)
            press_first(viewer, &key, len);
        else if (viewer->begun_count == sizeof viewer->begun)
            viewer->begun_count = 0; /* no key is so long */
    }
}

/* ---- the screen */

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void draw_title(const struct replay_viewer *viewer, struct canvas *canvas)
{
    const struct style strong = {.bold = true};
    const struct record *record = viewer->record;
    int x =
        canvas_printf(canvas, 0, 0, canvas->columns, strong, "%s: turn %u of %u",
                      last_part(viewer->name), viewer->window.turns[viewer->at], viewer->last_turn);
    if (viewer->differences > 0)
        x += canvas_text(canvas, x, 0, canvas->columns - x, (struct style){.ink = TINT_ALERT},
                         ", which breaks the rules");
    for (unsigned seat = 0; seat < record->seat_count; seat++) {
        const struct game *game = games_find(record->game);
        x += 2;
        x += canvas_printf(canvas, x, 0, canvas->columns - x,
                           game->colour_style(record->seats[seat].colour), "%c", 'a' + (int)seat);
        x += canvas_printf(canvas, x, 0, canvas->columns - x, (struct style){0}, " %s",
                           record->seats[seat].name ? record->seats[seat].name : "-");
    }
}

/* In two rows, broken at a blank. */
static void draw_heading(const struct replay_viewer *viewer, struct canvas *canvas)
{
    const char *text = viewer->window.heading;
    const size_t columns = (size_t)canvas->columns;
    size_t first = strlen(text);
    if (first > columns) {
        first = columns;
        while (first > 0 && text[first] != ' ')
            first--;
        if (first == 0)
            first = columns;
    }
    canvas_printf(canvas, 0, 1, canvas->columns, (struct style){0}, "%.*s", (int)first, text);
    canvas_text(canvas, 0, 2, canvas->columns, (struct style){0},
                text + first + (text[first] == ' '));
}

static void draw_foot(const struct replay_viewer *viewer, struct canvas *canvas)
{
    static const char keys[] = "q quit  n next  p back  Home End  12 Enter: turn 12  s size  "
                               "Shift+arrow: scroll";
    const int y = canvas->rows - 1;
    if (*viewer->digits)
        canvas_printf(canvas, 0, y, canvas->columns, (struct style){.bold = true},
                      "turn %s, then Enter", viewer->digits);
    else
        canvas_text(canvas, 0, y, canvas->columns, (struct style){.ink = TINT_FAINT}, keys);
}

void replay_viewer_draw(struct replay_viewer *viewer, struct canvas *canvas)
{
    if (canvas->columns < COLUMNS_LEAST || canvas->rows <= HEAD_ROWS + FOOT_ROWS) {
        canvas_text(canvas, 0, 0, canvas->columns, (struct style){0}, "too small");
        return;
    }
    viewer->window.columns = canvas->columns;
    viewer->window.rows = canvas->rows - HEAD_ROWS - FOOT_ROWS;
    play_match(viewer, viewer->at);
    draw_title(viewer, canvas);
    if (viewer->window.drawn) {
        draw_heading(viewer, canvas);
        canvas_stamp(canvas, 0, HEAD_ROWS, &viewer->window.canvas);
        canvas_release(&viewer->window.canvas);
    }
    draw_foot(viewer, canvas);
}
