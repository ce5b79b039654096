#include "position.h"

#include <cli/canvas.h>
#include <cli/command.h>
#include <cli/line.h>
#include <rules/notation.h>
#include <stdlib.h>
#include <string.h>

int position_read(struct taluva *game, int count, char *const *words)
{
    struct file line;
    struct taluva_notation_error error;
    int status = line_read(&line, count, words);
    if (status != EXIT_OK)
        return status;
    bool done = taluva_position_parse(line.bytes, line.len, game, &error);
    if (!done)
        line_explain(&line, error.offset,
                     error.what ? error.what : taluva_notation_status_code(error.status));
    file_release(&line);
    return done ? EXIT_OK : EXIT_DATA;
}

static struct map_at at_of(struct taluva_hex hex)
{
    return (struct map_at){hex.q, hex.r};
}

static void set_hex(struct map *map, const struct taluva_cell *cell)
{
    static const char kinds[TALUVA_KINDS] = {'h', 'w', 't', 0};
    struct map_hex *hex = map_hex(map, at_of(cell->hex));
    bool two_hex = cell->terrain == TALUVA_VOLCANO && cell->facing >= 6;
    hex->level = cell->level;
    hex->terrain = two_hex ? 'v' : taluva_terrain_letter((enum taluva_terrain)cell->terrain);
    hex->facing = cell->facing % 6;
    if (cell->owner == TALUVA_NO_SEAT)
        return;
    hex->owner = cell->owner;
    hex->kind = kinds[cell->kind];
    hex->count = cell->count;
}

bool position_map(struct map *map, const struct taluva *game)
{
    struct map_bounds bounds = {0};
    for (size_t i = 0; i < game->n_cells; i++)
        map_bounds_add(&bounds, at_of(game->cells[i].hex));
    if (!map_init(map, &bounds, taluva_zone_radius((enum taluva_zone)game->options.zone)))
        return false;
    for (size_t i = 0; i < game->n_cells; i++)
        set_hex(map, &game->cells[i]);
    for (size_t i = 0; i < game->n_boats; i++)
        map_hex(map, at_of(game->boats[i].lagoon))->owner = game->boats[i].seat;
    for (int seat = 0; seat < MAP_SEATS; seat++)
        map->tint[seat] = (uint8_t)(TINT_RED + seat);
    return map_finish(map);
}
