#include <rules/box.h>

#include "reader.h"

/* §1: [first field][second field], J C S R L. */
static const uint8_t base[5][5] = {
    {1, 5, 4, 2, 1}, {6, 1, 2, 2, 1}, {4, 2, 1, 1, 1}, {2, 2, 2, 1, 1}, {2, 1, 1, 1, 1},
};
static const uint8_t fifth_player[5][5] = {
    {0, 2, 2, 0, 0}, {1, 0, 0, 1, 0}, {2, 0, 0, 0, 0}, {0, 2, 0, 0, 0}, {2, 0, 0, 0, 0},
};

enum { TILES_24 = 1, TILES_36 = 2, TILES_48 = 4, TILES_60 = 8 };

static const struct taluva_preset presets[] = {
    {"ferti-2014", false, {0, 0, 48, 48, 48, 60}, {0, 0, TILES_24 | TILES_36, TILES_36, 0, 0}},
    {"ferti-2013", false, {0, 0, 24, 36, 48, 60}, {0, 0, TILES_48, TILES_48, 0, 0}},
    {"original-2006", true, {0, 0, 48, 48, 48, 60}, {0, 0, 0, 0, 0, 0}},
};

size_t taluva_box(bool fifth, taluva_tile out[TALUVA_TILES_MAX])
{
    size_t n = 0;
    for (unsigned tile = 0; tile < TALUVA_TILE_TWO_HEX; tile++) {
        unsigned copies = base[tile / 5][tile % 5];
        copies += fifth ? fifth_player[tile / 5][tile % 5] : 0u;
        for (; copies > 0; copies--)
            out[n++] = (taluva_tile)tile;
    }
    return n;
}

bool taluva_tiles_allowed(unsigned seats, unsigned tiles)
{
    return tiles == 24 || tiles == 36 || tiles == 48 || (tiles == 60 && seats == 5);
}

const struct taluva_preset *taluva_preset_at(size_t i)
{
    return i < sizeof presets / sizeof presets[0] ? &presets[i] : NULL;
}

const struct taluva_preset *taluva_preset_find(const char *name)
{
    for (size_t i = 0; i < sizeof presets / sizeof presets[0]; i++) {
        if (rules_text_equal(presets[i].name, name))
            return &presets[i];
    }
    return NULL;
}

bool taluva_preset_allows(const struct taluva_preset *preset, unsigned seats, unsigned tiles,
                          bool huts_anywhere)
{
    if (seats < 2 || seats > 4 || !taluva_tiles_allowed(seats, tiles) ||
        huts_anywhere != preset->huts_anywhere)
        return false;
    return preset->tiles[seats] == tiles ||
           (preset->tiles_also[seats] >> (tiles / 12 - 2) & 1) != 0;
}

/* Makes the first `wanted` of n tiles a random choice in random order. */
static void shuffle_front(taluva_tile *tiles, uint32_t n, uint32_t wanted,
                          uint32_t (*uniform)(void *ctx, uint32_t n), void *ctx)
{
    for (uint32_t i = 0; i < wanted && n - i > 1; i++) {
        const uint32_t j = i + uniform(ctx, n - i);
        const taluva_tile tile = tiles[i];
        tiles[i] = tiles[j];
        tiles[j] = tile;
    }
}

static uint8_t draw_two_hex(unsigned seats, uint32_t (*uniform)(void *ctx, uint32_t n), void *ctx)
{
    taluva_tile tiles[TALUVA_TWO_HEX_MAX];
    uint8_t set = 0;
    for (unsigned i = 0; i < TALUVA_TWO_HEX_MAX; i++)
        tiles[i] = (taluva_tile)i;
    shuffle_front(tiles, TALUVA_TWO_HEX_MAX, seats, uniform, ctx);
    for (unsigned i = 0; i < seats; i++)
        set |= (uint8_t)(1u << tiles[i]);
    return set;
}

enum taluva_status taluva_deal(struct taluva_options *options, struct taluva_deal deal,
                               uint32_t (*uniform)(void *ctx, uint32_t n), void *ctx,
                               taluva_tile deck[TALUVA_TILES_MAX])
{
    struct taluva_options dealt = *options;
    dealt.first = deal.draw_first ? 0 : dealt.first;
    dealt.two_hex = deal.draw_two_hex ? 0 : dealt.two_hex;
    const enum taluva_status status = taluva_check_options(&dealt);
    if (status != TALUVA_OK)
        return status;
    taluva_tile box[TALUVA_TILES_MAX];
    const uint32_t n = (uint32_t)taluva_box(dealt.seats == 5, box);
    if (dealt.tiles > n)
        return TALUVA_BAD_TILES;
    if (deal.draw_first)
        dealt.first = (uint8_t)uniform(ctx, dealt.seats);
    if (deal.draw_two_hex)
        dealt.two_hex = draw_two_hex(dealt.seats, uniform, ctx);
    shuffle_front(box, n, dealt.tiles, uniform, ctx);
    for (unsigned i = 0; i < dealt.tiles; i++)
        deck[i] = box[i];
    *options = dealt;
    return TALUVA_OK;
}
