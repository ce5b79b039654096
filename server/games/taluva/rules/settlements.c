#include "settlements.h"

#include <assert.h>
#include <string.h>

/* Notes what one cell of settlement s has around it; its own colour goes onto the stack. */
static unsigned add_neighbours(struct rules_settlements *settlements, const struct taluva *game,
                               unsigned cell, unsigned s, bool *found, uint8_t *todo,
                               unsigned n_todo)
{
    const unsigned seat = game->cells[cell].owner;
    for (unsigned d = 0; d < 6; d++) {
        const unsigned i = game->near[cell][d];
        if (i == TALUVA_NO_CELL)
            continue;
        const struct taluva_cell *const other = &game->cells[i];
        if (other->owner == seat) {
            if (!found[i]) {
                found[i] = true;
                todo[n_todo++] = (uint8_t)i;
            }
        } else if (rules_is_free_field(other) && (settlements->beside[i] >> s & 1) == 0) {
            settlements->beside[i] |= (uint32_t)1 << s;
            settlements->cost[s][other->terrain] =
                (uint16_t)(settlements->cost[s][other->terrain] + other->level);
        }
    }
    return n_todo;
}

static void add_settlement(struct rules_settlements *settlements, const struct taluva *game,
                           unsigned start, bool *found)
{
    const unsigned s = settlements->n++;
    assert(s < SETTLEMENTS_MAX);
    const uint32_t bit = (uint32_t)1 << s;
    uint8_t todo[SETTLEMENTS_MAX + 6];
    unsigned n_todo = 1, size = 0, first = start;
    todo[0] = (uint8_t)start;
    found[start] = true;
    memset(settlements->cost[s], 0, sizeof settlements->cost[s]);
    while (n_todo > 0) {
        const unsigned cell = todo[--n_todo];
        settlements->of[cell] = (uint8_t)s;
        size++;
        if (rules_hex_less(game->cells[cell].hex, game->cells[first].hex))
            first = cell;
        settlements->with_tower |= game->cells[cell].kind == TALUVA_TOWER ? bit : 0;
        settlements->with_temple |= game->cells[cell].kind == TALUVA_TEMPLE ? bit : 0;
        n_todo = add_neighbours(settlements, game, cell, s, found, todo, n_todo);
    }
    settlements->first[s] = (uint8_t)first;
    settlements->size[s] = (uint8_t)size;
    settlements->large |= size >= 3 ? bit : 0;
}

void rules_settlements_init(struct rules_settlements *settlements, const struct taluva *game,
                            unsigned seat)
{
    bool found[TALUVA_HEXES_MAX];
    settlements->n = 0;
    settlements->with_tower = 0;
    settlements->with_temple = 0;
    settlements->large = 0;
    memset(found, 0, game->n_cells);
    memset(settlements->of, 0, game->n_cells);
    memset(settlements->beside, 0, game->n_cells * sizeof settlements->beside[0]);
    for (unsigned cell = 0; cell < game->n_cells; cell++) {
        if (game->cells[cell].owner == seat && !found[cell])
            add_settlement(settlements, game, cell, found);
    }
}

uint32_t rules_settlements_beside(const struct rules_settlements *settlements,
                                  const struct taluva *game, unsigned seat, int q, int r)
{
    uint32_t beside = 0;
    for (unsigned d = 0; d < 6; d++) {
        const unsigned cell = rules_find(game, q + rules_dq[d], r + rules_dr[d]);
        if (cell != TALUVA_NO_CELL && game->cells[cell].owner == seat)
            beside |= (uint32_t)1 << settlements->of[cell];
    }
    return beside;
}

void taluva_settlement_at(const struct taluva *game, struct taluva_hex hex,
                          struct taluva_settlement *out)
{
    memset(out, 0, sizeof *out);
    out->seat = TALUVA_NO_SEAT;
    const unsigned at = rules_find(game, hex.q, hex.r);
    if (at == TALUVA_NO_CELL || game->cells[at].owner == TALUVA_NO_SEAT)
        return;
    struct rules_settlements settlements;
    out->seat = game->cells[at].owner;
    rules_settlements_init(&settlements, game, out->seat);
    const unsigned s = settlements.of[at];
    out->has_tower = settlements.with_tower >> s & 1;
    out->has_temple = settlements.with_temple >> s & 1;
    for (unsigned cell = 0; cell < game->n_cells; cell++) {
        /* rules_settlements_init has set it for every cell of this owner. */
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
        if (game->cells[cell].owner == out->seat && settlements.of[cell] == s)
            out->hexes[out->n_hexes++] = game->cells[cell].hex;
    }
    rules_hexes_sort(out->hexes, out->n_hexes);
}
