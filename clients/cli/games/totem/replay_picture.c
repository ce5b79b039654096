/* The village after a turn of a recorded match, as a viewer saw it. */
#include "parts.h"
#include "position.h"
#include "replay_parts.h"
#include <string.h>

static unsigned audience_of(const struct replay *replay)
{
    switch (replay->pictures->viewer) {
    case REPLAY_SERVER:
        return TOTEM_SERVER;
    case REPLAY_WATCHER:
        return TOTEM_WATCHER;
    }
    return replay->pictures->viewer;
}

/* The command, if there is one, and what followed from it, as the server tells them. */
static json_t *event_of(const struct totem_options *options, const struct totem_command *command,
                        const struct totem_effects *effects, unsigned audience)
{
    char text[TOTEM_EVENT_TEXT];
    json_t *event = json_object(), *words = json_array();
    totem_event_format(options, command, effects, audience, text);
    for (const char *word = text; *word;) {
        int len = (int)strcspn(word, " ");
        json_t *value = json_sprintf("%.*s", len, word);
        if (command && word == text)
            json_object_set_new(event, "move", value);
        else
            json_array_append_new(words, value);
        word += len + (word[len] == ' ');
    }
    json_object_set_new(event, "effects", words);
    return event;
}

/* The village, and below it what families hide that the viewer may know. */
static bool draw_state(const json_t *state, const struct replay_pictures *pictures,
                       struct canvas *canvas)
{
    enum { HAND_ROWS = 3 * TOTEM_FAMILIES };
    struct canvas village, hands;
    struct game_room room = {.state = state, .seat = -1};
    struct game_view *view = totem_view_create(pictures->small);
    bool done = view && totem_view_draw_all(view, &room, &village, pictures->ascii);
    totem_view_destroy(view);
    if (!done)
        return false;
    done = canvas_init(&hands, village.columns, HAND_ROWS, pictures->ascii);
    int lines = done ? totem_draw_hand(NULL, &hands, 0, 0, village.columns, state) : 0;
    done = done && canvas_init(canvas, village.columns, village.rows + lines, pictures->ascii);
    if (done) {
        canvas_stamp(canvas, 0, village.rows, &hands);
        canvas_stamp(canvas, 0, 0, &village);
    }
    canvas_release(&hands);
    canvas_release(&village);
    return done;
}

static bool draw_wanted(const json_t *state, const struct replay_pictures *pictures,
                        struct canvas *canvas)
{
    struct canvas whole;
    if (!pictures->window)
        return draw_state(state, pictures, canvas);
    if (!draw_state(state, pictures, &whole))
        return false;
    const bool done = replay_crop(canvas, pictures->window, &whole);
    canvas_release(&whole);
    return done;
}

void totem_replay_picture(struct replay *replay, const struct record *record,
                          const struct totem_played *played, const struct totem *game)
{
    const struct record_line *line = played ? played->line : NULL;
    struct canvas canvas;
    if (!replay_wants_picture(replay, record, line))
        return;
    unsigned audience = audience_of(replay);
    json_t *state = totem_state_of(game, audience);
    json_t *event =
        played ? event_of(&game->options, played->command, &played->effects, audience) : NULL;
    if (state && draw_wanted(state, replay->pictures, &canvas)) {
        replay_print_picture(replay, record, line, event, &canvas);
        canvas_release(&canvas);
    }
    json_decref(event);
    json_decref(state);
}
