/* Pictures of a match, turn by turn: when there is one, and the line above it. */
#include "event_text.h"
#include <cli/game.h>
#include <cli/glyph.h>
#include <string.h>

enum { HEADING_BYTES = 4096 };

/* Counts it, and says whether it is the one. */
static bool is_in_window(struct replay_window *window, const struct record_line *line)
{
    const int64_t at = window->count++;
    if (window->turns)
        window->turns[at] = line && line->number ? line->number
                            : at > 0             ? window->turns[at - 1]
                                                 : 0;
    return at == window->wanted;
}

bool replay_wants_picture(const struct replay *replay, const struct record *record,
                          const struct record_line *line)
{
    const struct replay_pictures *pictures = replay->pictures;
    if (!pictures || (pictures->viewer < PROTOCOL_SEATS && pictures->viewer >= record->seat_count))
        return false;
    if (pictures->window)
        return is_in_window(pictures->window, line);
    if (pictures->turn == REPLAY_EVERY_TURN)
        return true;
    return !line ? pictures->turn == 0 : line->number && pictures->turn == line->number;
}

/* As much of the room's state as sentences need: who sits where. */
static json_t *seats_state(const struct record *record)
{
    json_t *seats = json_object();
    for (unsigned i = 0; i < record->seat_count; i++) {
        char key[16];
        snprintf(key, sizeof key, "%u", i);
        if (record->seats[i].name)
            json_object_set_new(seats, key, json_pack("{s:s}", "name", record->seats[i].name));
    }
    return json_pack("{s:o}", "seats", seats);
}

static void event_sentence(char text[HEADING_BYTES], const struct record *record,
                           const struct record_line *line, json_t *event)
{
    json_t *state = seats_state(record);
    json_object_set_new(event, "kind", json_string(line->number ? "move" : line->text));
    json_object_set_new(event, "seat", json_integer(line->seat));
    event_text(text, HEADING_BYTES, games_find(record->game), state, event);
    json_decref(state);
    const json_t *const words = json_object_get(event, "words");
    const size_t len = strlen(text);
    if (words)
        (void)snprintf(text + len, HEADING_BYTES - len, " (%s)", json_string_value(words));
}

static int held(int pan, int size, int window)
{
    const int most = size > window ? size - window : 0;
    return pan < 0 ? 0 : pan > most ? most : pan;
}

bool replay_crop(struct canvas *canvas, struct replay_window *window, const struct canvas *picture)
{
    if (!canvas_init(canvas, window->columns, window->rows, picture->ascii))
        return false;
    window->pan_x = held(window->pan_x, picture->columns, window->columns);
    window->pan_y = held(window->pan_y, picture->rows, window->rows);
    canvas_stamp(canvas, -window->pan_x, -window->pan_y, picture);
    return true;
}

/* Keeps a copy. */
static void show_in_window(struct replay_window *window, const char *heading,
                           const struct canvas *picture)
{
    size_t len = strlen(heading);
    len = len < sizeof window->heading ? len : sizeof window->heading - 1;
    memcpy(window->heading, heading, len);
    window->heading[len] = '\0';
    window->drawn = canvas_init(&window->canvas, picture->columns, picture->rows, picture->ascii);
    if (window->drawn)
        canvas_stamp(&window->canvas, 0, 0, picture);
}

void replay_print_picture(struct replay *replay, const struct record *record,
                          const struct record_line *line, json_t *event,
                          const struct canvas *picture)
{
    char text[HEADING_BYTES] = "The match begins.";
    if (line)
        event_sentence(text, record, line, event);
    if (replay->pictures->window) {
        show_in_window(replay->pictures->window, text, picture);
        return;
    }
    if (replay->printed++ > 0)
        fputc('\n', replay->out);
    if (line && line->number)
        fprintf(replay->out, "Turn %u: ", line->number);
    glyph_print_text(text, replay->out);
    fputc('\n', replay->out);
    canvas_print(picture, replay->pictures->colours, replay->out);
}
