#include <room/portrait.h>

#include "room_internal.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct room_portrait {
    const struct game_type *game;
    uint8_t colours[PROTOCOL_SEATS];
    void *value;
};

bool room_has_portrait(const struct room *room)
{
    return room->setup.game->portrait && room->match->phase != PROTOCOL_PHASE_LOBBY;
}

struct room_portrait *room_portrait_create(const struct room *room)
{
    const struct game_type *game = room->setup.game;
    assert(room_has_portrait(room));
    struct room_portrait *portrait = calloc(1, sizeof *portrait);
    if (!portrait)
        return NULL;
    portrait->game = game;
    portrait->value = malloc(game->size);
    if (!portrait->value) {
        free(portrait);
        return NULL;
    }
    memcpy(portrait->value, match_game_of(room->match), game->size);
    for (unsigned i = 0; i < room->setup.seats; i++)
        portrait->colours[i] = room->match->seats[i].colour;
    return portrait;
}

void room_portrait_destroy(struct room_portrait *portrait)
{
    if (portrait)
        free(portrait->value);
    free(portrait);
}

size_t room_portrait_draw(const struct room_portrait *portrait, struct game_shape *shapes)
{
    return portrait->game->portrait(portrait->value, portrait->colours, shapes);
}
