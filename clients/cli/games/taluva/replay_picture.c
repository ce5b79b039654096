/* The island after a turn of a recorded match. */
#include "explain_words.h"
#include "map_draw.h"
#include "position.h"
#include "replay_parts.h"
#include "state_map.h"
#include <string.h>

/* The words of a turn but for `none`, which says that its player could not build. */
static json_t *event_of(const struct record_line *line)
{
    size_t len = strlen(line->text);
    bool out = len >= 5 && strcmp(line->text + len - 5, " none") == 0;
    if (!line->number)
        return json_object();
    return json_pack("{s:o,s:b}", "move",
                     json_sprintf("%.*s", (int)(len - (out ? 5 : 0)), line->text), "eliminated",
                     out);
}

/* What the turn did, behind the sentence, which tells by itself that its player is out. */
static void add_words(json_t *event, const struct record *record, const struct record_line *line,
                      const struct taluva *before)
{
    char words[512] = "";
    struct text text = {.bytes = words, .size = sizeof words};
    const struct explain_names names = {.add = explain_add_recorded, .user = record};
    struct explain explain;
    if (before && !json_is_true(json_object_get(event, "eliminated")) &&
        explain_written(before, line->text, &explain))
        explain_words(&explain, line->seat, &names, &text);
    if (*words)
        json_object_set_new(event, "words", json_string(words));
}

static bool draw_map(const struct map *map, const struct replay_pictures *pictures,
                     struct canvas *canvas)
{
    struct map_window window = {.small = pictures->small};
    int columns, lines;
    map_extent(map, pictures->small, &columns, &lines);
    if (!canvas_init(canvas, columns, lines, pictures->ascii))
        return false;
    map_window_follow(&window, map, columns, lines, (struct map_at){0, 0});
    map_draw(canvas, map, &window);
    return true;
}

/* As much as the window shows, around the hex where something happened. */
static bool draw_in_window(const struct map *map, const struct replay_pictures *pictures,
                           struct canvas *canvas, struct map_at focus)
{
    const struct replay_window *wanted = pictures->window;
    struct map_window window = {.small = pictures->small};
    if (!canvas_init(canvas, wanted->columns, wanted->rows, pictures->ascii))
        return false;
    map_window_follow(&window, map, wanted->columns, wanted->rows, focus);
    window.x += wanted->pan_x;
    window.y += wanted->pan_y;
    map_draw(canvas, map, &window);
    return true;
}

static bool draw_wanted(struct map *map, const struct replay_pictures *pictures,
                        const struct record_line *line, struct canvas *canvas)
{
    struct map_at focus = {0, 0};
    if (!pictures->window)
        return draw_map(map, pictures, canvas);
    if (line && line->number)
        state_mark_turn(map, line->text, &focus);
    return draw_in_window(map, pictures, canvas, focus);
}

static void paint_seats(struct map *map, const struct record *record)
{
    for (size_t seat = 0; seat < record->seat_count && seat < MAP_SEATS; seat++) {
        if (record->seats[seat].colour)
            map->tint[seat] = player_style(record->seats[seat].colour).paper;
    }
}

void taluva_replay_picture(struct replay *replay, const struct record *record,
                           const struct record_line *line, const struct taluva *before,
                           const struct taluva *game)
{
    struct map map;
    struct canvas canvas;
    if (!replay_wants_picture(replay, record, line) || !position_map(&map, game))
        return;
    paint_seats(&map, record);
    if (draw_wanted(&map, replay->pictures, line, &canvas)) {
        json_t *event = line ? event_of(line) : NULL;
        add_words(event, record, line, before);
        replay_print_picture(replay, record, line, event, &canvas);
        json_decref(event);
        canvas_release(&canvas);
    }
    map_release(&map);
}
