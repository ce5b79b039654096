#include <room/drawing.h>

#include "room_internal.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct room_drawing {
    const struct game_type *game;
    uint8_t colours[PROTOCOL_SEATS];
    void *value;
};

bool room_has_drawing(const struct room *room)
{
    return room->setup.game->drawing && room->match->phase != PROTOCOL_PHASE_LOBBY;
}

struct room_drawing *room_drawing_create(const struct room *room)
{
    const struct game_type *game = room->setup.game;
    assert(room_has_drawing(room));
    struct room_drawing *drawing = calloc(1, sizeof *drawing);
    if (!drawing)
        return NULL;
    drawing->game = game;
    drawing->value = malloc(game->size);
    if (!drawing->value) {
        free(drawing);
        return NULL;
    }
    memcpy(drawing->value, match_game_of(room->match), game->size);
    for (unsigned i = 0; i < room->setup.seats; i++)
        drawing->colours[i] = room->match->seats[i].colour;
    return drawing;
}

void room_drawing_destroy(struct room_drawing *drawing)
{
    if (drawing)
        free(drawing->value);
    free(drawing);
}

size_t room_drawing_draw(const struct room_drawing *drawing, struct game_shape *shapes)
{
    return drawing->game->drawing(drawing->value, drawing->colours, shapes);
}
