#include "position.h"

#include <cli/canvas.h>
#include <cli/command.h>
#include <cli/file.h>
#include <rules/notation.h>
#include <stdlib.h>
#include <string.h>

static bool join(struct file *text, int count, char *const *words)
{
    size_t len = 1;
    for (int i = 0; i < count; i++)
        len += strlen(words[i]) + 1;
    *text = (struct file){.bytes = malloc(len)};
    if (!text->bytes)
        return false;
    for (int i = 0; i < count; i++) {
        if (i > 0)
            text->bytes[text->len++] = ' ';
        size_t word = strlen(words[i]);
        memcpy(text->bytes + text->len, words[i], word);
        text->len += word;
    }
    text->bytes[text->len] = '\0';
    return true;
}

/* Where reading stopped, with a caret below a line that may be long. */
static void explain(const struct file *text, const struct taluva_notation_error *error)
{
    enum { AROUND = 30 };
    size_t from = error->offset > AROUND ? error->offset - AROUND : 0;
    size_t len = text->len - from > 2 * AROUND ? 2 * AROUND : text->len - from;
    fprintf(stderr, "taluva: this position cannot be read: %s\n  %.*s\n  %*s\n",
            error->what ? error->what : taluva_notation_status_code(error->status), (int)len,
            text->bytes + from, (int)(error->offset - from) + 1, "^");
}

int position_read(struct taluva *game, int count, char *const *words)
{
    struct file text;
    struct taluva_notation_error error;
    if (count == 1 && strcmp(words[0], "-") == 0) {
        if (!file_read(&text, "-"))
            return EXIT_FILE;
        while (text.len > 0 && strchr("\r\n", text.bytes[text.len - 1]))
            text.len--;
    } else if (!join(&text, count, words)) {
        return EXIT_MEMORY;
    }
    bool done = taluva_position_parse(text.bytes, text.len, game, &error);
    if (!done)
        explain(&text, &error);
    file_release(&text);
    return done ? EXIT_OK : EXIT_FILE;
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
