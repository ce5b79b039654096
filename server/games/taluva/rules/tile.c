#include "tile.h"

#include <assert.h>

uint8_t taluva_tile_terrain(taluva_tile tile, unsigned i)
{
    static const uint8_t two_hex[TALUVA_TWO_HEX_MAX][2] = {
        {TALUVA_JUNGLE, TALUVA_JUNGLE},   {TALUVA_VOLCANO, TALUVA_JUNGLE},
        {TALUVA_VOLCANO, TALUVA_LAKE},    {TALUVA_VOLCANO, TALUVA_SAND},
        {TALUVA_VOLCANO, TALUVA_VOLCANO},
    };
    assert(tile < TALUVA_TILES);
    if (tile >= TALUVA_TILE_TWO_HEX) {
        assert(i < 2);
        return two_hex[tile - TALUVA_TILE_TWO_HEX][i];
    }
    assert(i < 3);
    return i == 0 ? TALUVA_VOLCANO : (uint8_t)(i == 1 ? tile / 5 : tile % 5);
}

unsigned rules_tile_facing(taluva_tile tile, unsigned i, unsigned k)
{
    if (taluva_tile_terrain(tile, i) != TALUVA_VOLCANO)
        return 0;
    if (!taluva_tile_is_two_hex(tile))
        return k;
    return 6 + (i == 0 ? k : rules_turn(k, 3));
}
