/*
 * Placements listed.
 */
#include <string.h>

#include "build.h"
#include "placements.h"
#include "tile.h"
#include "trial.h"

size_t taluva_list_placements(const struct taluva *game, taluva_tile tile,
                              struct taluva_placement *out, bool *dead_end)
{
    if (game->step == TALUVA_STEP_OVER || tile >= TALUVA_TILES) {
        return 0;
    }
    struct rules_places places;
    rules_places_init(&places, game, tile);
    size_t n = 0;
    for (unsigned k = 0; k < rules_tile_turns(tile); k++) {
        for (unsigned i = 0; i < places.map.n_words; i++) {
            uint64_t left = places.fits[k].words[MAP_GUARD + i];
            if (out == NULL) {
                n += rules_popcount(left);
                continue;
            }
            for (; left != 0; left &= left - 1) {
                const unsigned bit = 64 * i + (unsigned)__builtin_ctzll(left);
                out[n++] =
                    (struct taluva_placement){rules_map_hex(&places.map, bit), (uint8_t)k, tile};
            }
        }
    }
    for (size_t i = 0; dead_end != NULL && out != NULL && i < n; i++) {
        dead_end[i] = rules_is_dead_end(game, game->seat, &out[i]);
    }
    return n;
}
