#include "rotation.h"

#include "invariants.h"
#include <rules/notation.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct taluva_hex rotate(struct taluva_hex hex, unsigned sixths)
{
    for (; sixths > 0; sixths--)
        hex = (struct taluva_hex){(int16_t)-hex.r, (int16_t)(hex.q + hex.r)};
    return hex;
}

struct taluva_placement rotate_placement(struct taluva_placement placement, unsigned sixths)
{
    placement.at = rotate(placement.at, sixths);
    placement.k = (uint8_t)((placement.k + sixths) % 6);
    const bool symmetric = placement.tile == TALUVA_TILE_2JJ || placement.tile == TALUVA_TILE_2VV;
    if (symmetric && placement.k >= 3) {
        placement.at = taluva_hex_step(placement.at, placement.k);
        placement.k = (uint8_t)(placement.k - 3);
    }
    return placement;
}

static int by_hex(const void *a, const void *b)
{
    const struct taluva_cell *const x = a, *const y = b;
    return x->hex.q != y->hex.q ? x->hex.q - y->hex.q : x->hex.r - y->hex.r;
}

/* The island turned, as text; "-" if there is none. */
static void write_island(const struct taluva *game, unsigned sixths, char *out)
{
    static struct taluva_cell cells[TALUVA_HEXES_MAX];
    for (unsigned i = 0; i < game->n_cells; i++) {
        cells[i] = game->cells[i];
        cells[i].hex = rotate(cells[i].hex, sixths);
        if (cells[i].terrain == TALUVA_VOLCANO) {
            const unsigned kind = cells[i].facing / 6 * 6;
            cells[i].facing = (uint8_t)(kind + (cells[i].facing + sixths) % 6);
        }
    }
    qsort(cells, game->n_cells, sizeof cells[0], by_hex);
    size_t len = 0;
    for (unsigned i = 0; i < game->n_cells; i++) {
        len += (size_t)sprintf(out + len, "%s%d,%d=", i == 0 ? "" : "/", cells[i].hex.q,
                               cells[i].hex.r);
        len += taluva_cell_format(&cells[i], out + len);
    }
    (void)strcpy(out + len, len == 0 ? "-" : "");
}

/* A lagoon turned, by what is its smallest hex then. */
static struct taluva_hex rotate_lagoon(const struct taluva *game, struct taluva_hex name,
                                       unsigned sixths)
{
    static struct taluva_hex water[WATER_MAX];
    const size_t n = water_around(game, name, water);
    struct taluva_hex least = rotate(water[0], sixths);
    for (size_t i = 1; i < n; i++) {
        const struct taluva_hex hex = rotate(water[i], sixths);
        if (hex.q < least.q || (hex.q == least.q && hex.r < least.r))
            least = hex;
    }
    return least;
}

static void write_boats(const struct taluva *game, unsigned sixths, char *out)
{
    static struct taluva_cell boats[TALUVA_BOATS_MAX];
    size_t len = 0;
    for (unsigned i = 0; i < game->n_boats; i++) {
        boats[i].hex = rotate_lagoon(game, game->boats[i].lagoon, sixths);
        boats[i].owner = game->boats[i].seat;
    }
    qsort(boats, game->n_boats, sizeof boats[0], by_hex);
    for (unsigned i = 0; i < game->n_boats; i++)
        len += (size_t)sprintf(out + len, "%s%d,%d:%u", i == 0 ? "" : "/", boats[i].hex.q,
                               boats[i].hex.r, boats[i].owner);
    (void)strcpy(out + len, len == 0 ? "-" : "");
}

void rotate_game(const struct taluva *game, unsigned sixths, struct taluva *out)
{
    static char text[TALUVA_POSITION_TEXT], island[TALUVA_POSITION_TEXT], boats[256],
        turned[2 * TALUVA_POSITION_TEXT];
    struct taluva_notation_error error;
    char *rest = NULL;
    taluva_position_format(game, text);
    write_island(game, sixths, island);
    write_boats(game, sixths, boats);
    const char *options = strtok_r(text, " ", &rest);
    (void)strtok_r(NULL, " ", &rest);
    const char *seats = strtok_r(NULL, " ", &rest);
    (void)strtok_r(NULL, " ", &rest);
    (void)snprintf(turned, sizeof turned, "%s %s %s %s %s", options, island, seats, boats, rest);
    if (!taluva_position_parse(turned, strlen(turned), out, &error)) {
        (void)fprintf(stderr, "%s\n%zu: %s\n", turned, error.offset, error.what);
        HOLD(!"the turned position is refused");
    }
}

struct command rotate_command(const struct taluva *turned, const struct command *command,
                              unsigned sixths)
{
    struct command other = *command;
    if (command->kind == COMMAND_PLACE) {
        other.placement = rotate_placement(command->placement, sixths);
    } else if (command->kind == COMMAND_BUILD) {
        other.build.at = rotate(command->build.at, sixths);
        if (command->build.verb == TALUVA_BUILD_EXPAND) {
            struct taluva_settlement settlement;
            taluva_settlement_at(turned, other.build.at, &settlement);
            HOLD(settlement.n_hexes > 0);
            other.build.at = settlement.hexes[0];
        } else if (command->build.verb == TALUVA_BUILD_BOAT) {
            struct taluva_lagoon lagoon;
            HOLD(taluva_lagoon_at(turned, other.build.at, &lagoon));
            other.build.at = lagoon.hex;
        }
    }
    return other;
}
