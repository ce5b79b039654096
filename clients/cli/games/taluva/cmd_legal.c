#include "move_list.h"
#include "parts.h"
#include "position.h"
#include <cli/command.h>
#include <string.h>

struct legal_options {
    const char *tile, *after;
    bool count;
};

static const struct option_row rows[] = {
    {.name = "tile",
     .letter = 't',
     .kind = OPTION_TEXT,
     .value = "TILE",
     .help = "the placements of this tile, whatever is in hand",
     .offset = offsetof(struct legal_options, tile)},
    {.name = "after",
     .kind = OPTION_NAME,
     .value = "PLACEMENT",
     .help = "the builds once the tile in hand, or one that may be taken, lies there; `none` if "
             "that puts its player out",
     .offset = offsetof(struct legal_options, after)},
    {.name = "count",
     .kind = OPTION_FLAG,
     .help = "only how many there are and their checksum (sorted, CRC-32)",
     .offset = offsetof(struct legal_options, count)},
    {.name = NULL},
};

static void print_list(struct move_list *list, bool count, const char *what)
{
    if (count) {
        uint32_t crc = move_list_crc(list);
        printf("%zu %s %08x\n", list->count, what, crc);
        return;
    }
    for (size_t i = 0; i < list->count; i++)
        printf("%s%s\n", list->lines[i], list->dead_end[i] ? " eliminates" : "");
}

static bool print_placements(const struct taluva *game, taluva_tile tile, bool count)
{
    struct move_list list;
    if (!move_list_placements(&list, game, tile))
        return false;
    print_list(&list, count, "placements");
    move_list_release(&list);
    return true;
}

static bool print_builds(const struct taluva *game, bool count)
{
    struct move_list list;
    if (!move_list_builds(&list, game))
        return false;
    print_list(&list, count, "builds");
    move_list_release(&list);
    return true;
}

/* What may be built after the placement: an exit code. */
static int print_after(const struct taluva *game, const char *text, bool count)
{
    struct taluva after = *game;
    struct taluva_placement placement;
    enum taluva_status status = TALUVA_OK;
    if (!taluva_placement_parse(text, strlen(text), &placement, NULL)) {
        fprintf(stderr, "taluva legal: '%s' is not written as a placement is\n", text);
        return EXIT_USAGE;
    }
    status = taluva_check_place(game, game->seat, &placement, false, NULL);
    if (status == TALUVA_ELIMINATES_YOU) {
        puts("none");
        return EXIT_OK;
    }
    if (status == TALUVA_OK)
        status = taluva_place(&after, game->seat, &placement, false, NULL);
    if (status != TALUVA_OK) {
        fprintf(stderr, "taluva legal: %s: %s\n", text, taluva_status_text(status));
        return EXIT_DIFFERS;
    }
    return print_builds(&after, count) ? EXIT_OK : EXIT_MEMORY;
}

static bool print_choices(const struct taluva *game, bool count)
{
    uint8_t may = taluva_may_take(game);
    if (may & TALUVA_TAKE_DRAW)
        puts("draw");
    for (int number = TALUVA_TILE_TWO_HEX; number < TALUVA_TILES; number++) {
        taluva_tile tile = (taluva_tile)number;
        if (may & 1 << (tile - TALUVA_TILE_TWO_HEX) && !print_placements(game, tile, count))
            return false;
    }
    return true;
}

static bool print_step(const struct taluva *game, bool count)
{
    switch ((enum taluva_step)game->step) {
    case TALUVA_STEP_DRAW:
        return print_choices(game, count);
    case TALUVA_STEP_PLACE:
        return print_placements(game, game->tile, count);
    case TALUVA_STEP_BUILD:
        return print_builds(game, count);
    case TALUVA_STEP_OVER:
        return true;
    }
    return true;
}

static int run_command(const struct invocation *invocation)
{
    const struct legal_options *options = invocation->options;
    struct taluva game;
    taluva_tile tile = TALUVA_TILE_NONE;
    if (options->tile && options->after) {
        fputs("taluva legal: --tile and --after exclude each other\n", stderr);
        return EXIT_USAGE;
    }
    if (options->tile && !taluva_tile_parse(options->tile, strlen(options->tile), &tile)) {
        fprintf(stderr, "taluva legal: there is no tile '%s'\n", options->tile);
        return EXIT_USAGE;
    }
    int status = position_read(&game, invocation->operand_count, invocation->operands);
    if (status != EXIT_OK)
        return status;
    if (options->after)
        return print_after(&game, options->after, options->count);
    bool done = tile != TALUVA_TILE_NONE ? print_placements(&game, tile, options->count)
                                         : print_step(&game, options->count);
    return done ? EXIT_OK : EXIT_MEMORY;
}

const struct command taluva_command_legal = {
    .name = "legal",
    .operands = "POSITION",
    .summary = "List the legal moves of a position",
    .details =
        "The position is one line in the notation of protocol/notation.md, as one argument or\n"
        "several, or `-` to read it from the standard input. Placements after which their player\n"
        "could build nothing are followed by `eliminates`.",
    .operands_min = 1,
    .operands_max = -1,
    .rows = rows,
    .options_size = sizeof(struct legal_options),
    .run = run_command,
};
