#include "known.h"

#include <cli/state.h>
#include <rules/box.h>
#include <rules/notation.h>
#include <string.h>

uint8_t known_two_hex(json_t *tiles)
{
    const char *name;
    json_t *left;
    taluva_tile tile;
    unsigned set = 0;
    json_object_foreach(tiles, name, left)
    {
        if (taluva_tile_parse(name, strlen(name), &tile) && taluva_tile_is_two_hex(tile))
            set |= 1U << (tile - TALUVA_TILE_TWO_HEX);
    }
    return (uint8_t)set;
}

static void hear_turn(struct known *known, const json_t *patch)
{
    const json_t *seat = state_at(patch, "table.turn.seat");
    const json_t *tile = state_at(patch, "table.turn.tile");
    const char *text = json_string_value(tile);
    if (json_is_integer(seat) && !known->started) {
        known->started = true;
        known->first = (uint8_t)json_integer_value(seat);
    }
    if (tile)
        known->in_hand = text && taluva_tile_parse(text, strlen(text), &known->tile) &&
                         !taluva_tile_is_two_hex(known->tile);
}

void known_hear(struct known *known, const json_t *push)
{
    const json_t *patch = json_object_get(push, "patch");
    const json_t *tiles = state_at(patch, "options.tiles");
    const json_t *stack = state_at(patch, "table.stack");
    if (json_is_integer(tiles))
        known->stack = (int)json_integer_value(tiles);
    known->two_hex |= known_two_hex(state_at(patch, "table.two_hex"));
    hear_turn(known, patch);
    if (!json_is_integer(stack))
        return;
    /* One fewer: somebody has drawn the tile that is in hand now, though it may be like the last.
     */
    if (json_integer_value(stack) == known->stack - 1 && known->in_hand &&
        known->seen[known->tile] < UINT8_MAX)
        known->seen[known->tile]++;
    known->stack = (int)json_integer_value(stack);
}

void known_unseen(const struct known *known, unsigned seats, uint8_t unseen[TALUVA_TILE_TWO_HEX])
{
    taluva_tile box[TALUVA_TILES_MAX];
    const size_t count = taluva_box(seats == 5, box);
    memset(unseen, 0, TALUVA_TILE_TWO_HEX);
    for (size_t i = 0; i < count; i++)
        unseen[box[i]]++;
    for (size_t i = 0; i < TALUVA_TILE_TWO_HEX; i++)
        unseen[i] -= known->seen[i] < unseen[i] ? known->seen[i] : unseen[i];
}
