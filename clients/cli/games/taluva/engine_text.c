#include "engine_text.h"

#include <cli/engine.h>
#include <cli/text.h>
#include <rules/box.h>
#include <string.h>

/* ---- positions */

static const char unseen_word[] = " unseen";

void engine_position_format(const struct engine_position *position, char out[ENGINE_POSITION_TEXT])
{
    struct text text = {.bytes = out, .size = ENGINE_POSITION_TEXT};
    text.len = taluva_position_format(&position->game, out);
    text_add(&text, "%s", unseen_word);
    for (unsigned tile = 0; tile < TALUVA_TILE_TWO_HEX; tile++) {
        char word[TALUVA_TILE_TEXT];
        taluva_tile_format((taluva_tile)tile, word);
        for (unsigned i = 0; i < position->unseen[tile]; i++)
            text_add(&text, " %s", word);
    }
}

/* No more of a tile than the box has beside the one in hand. */
static bool is_of_the_box(const struct engine_position *position)
{
    taluva_tile box[TALUVA_TILES_MAX];
    uint8_t left[TALUVA_TILE_TWO_HEX] = {0};
    const struct taluva *const game = &position->game;
    const size_t count = taluva_box(game->options.seats == 5, box);
    for (size_t i = 0; i < count; i++)
        left[box[i]]++;
    if (game->step == TALUVA_STEP_PLACE && game->tile < TALUVA_TILE_TWO_HEX) {
        if (left[game->tile] == 0)
            return false;
        left[game->tile]--;
    }
    for (size_t i = 0; i < TALUVA_TILE_TWO_HEX; i++) {
        if (position->unseen[i] > left[i])
            return false;
    }
    return true;
}

static bool read_unseen(const char *text, struct engine_position *out, const char **why)
{
    unsigned count = 0;
    memset(out->unseen, 0, sizeof out->unseen);
    while (*text == ' ') {
        const size_t len = strcspn(++text, " ");
        taluva_tile tile;
        *why = "what stands behind `unseen` is no list of volcanic tiles";
        if (!taluva_tile_parse(text, len, &tile) || taluva_tile_is_two_hex(tile) ||
            ++count > TALUVA_TILES_MAX)
            return false;
        out->unseen[tile]++;
        text += len;
    }
    *why = "fewer tiles are unseen than there are in the stack";
    if (count < out->game.stack)
        return false;
    *why = "more tiles are unseen than the box has";
    return is_of_the_box(out);
}

bool engine_position_parse(const char *text, struct engine_position *out, const char **why)
{
    struct taluva_notation_error error;
    const char *const unseen = strstr(text, unseen_word);
    *why = "`unseen` and the tiles are missing";
    if (!unseen)
        return false;
    if (!taluva_position_parse(text, (size_t)(unseen - text), &out->game, &error)) {
        *why = error.what ? error.what : taluva_notation_status_code(error.status);
        return false;
    }
    return read_unseen(unseen + sizeof unseen_word - 1, out, why);
}

/* ---- turns */

static bool puts_out(const struct taluva *game, const struct taluva_placement *placement)
{
    return taluva_check_place(game, game->seat, placement, false, NULL) == TALUVA_ELIMINATES_YOU;
}

void engine_turn_format(const struct computer_turn *turn, const struct taluva *game,
                        char out[ENGINE_TURN_TEXT])
{
    char placement[TALUVA_PLACEMENT_TEXT] = "", build[TALUVA_BUILD_TEXT] = "";
    const bool places = (turn->parts & COMPUTER_PART_PLACE) != 0;
    struct text text = {.bytes = out, .size = ENGINE_TURN_TEXT};
    if (places)
        taluva_placement_format(&turn->placement, placement);
    if (turn->parts & COMPUTER_PART_BUILD)
        taluva_build_format(&turn->build, build);
    else if (places && puts_out(game, &turn->placement))
        text_add(&text, "%s none", placement);
    if (text.len > 0)
        return;
    if (turn->parts & COMPUTER_PART_DRAW)
        text_add(&text, "draw");
    else
        text_add(&text, "%s%s%s", placement, *placement && *build ? " " : "", build);
}

static bool is_refused(enum taluva_status status, const char **why)
{
    *why = taluva_status_text(status);
    return status != TALUVA_OK;
}

static bool read_build(const char *text, const struct taluva *game, struct computer_turn *out,
                       const char **why)
{
    *why = "it is not written as a build is";
    if (!taluva_build_parse(text, strlen(text), &out->build, NULL) ||
        is_refused(taluva_check_build(game, game->seat, &out->build, NULL), why))
        return false;
    out->parts |= COMPUTER_PART_BUILD;
    return true;
}

static bool read_placement(const char *text, const struct taluva *game, struct computer_turn *out,
                           const char **why)
{
    const size_t len = strcspn(text, " ");
    struct taluva after = *game;
    *why = "it is not written as a turn is";
    if (!taluva_placement_parse(text, len, &out->placement, NULL) ||
        is_refused(taluva_place(&after, game->seat, &out->placement, true, NULL), why))
        return false;
    out->parts = COMPUTER_PART_PLACE;
    const bool is_out = puts_out(game, &out->placement);
    const char *const build = text[len] == ' ' ? text + len + 1 : "";
    if (!is_out)
        return read_build(build, &after, out, why);
    *why = "this placement leaves nothing to build";
    return strcmp(build, "none") == 0;
}

bool engine_turn_parse(const char *text, const struct taluva *game, struct computer_turn *out,
                       const char **why)
{
    *out = (struct computer_turn){.parts = 0};
    if (game->step == TALUVA_STEP_BUILD)
        return read_build(text, game, out, why);
    if (strcmp(text, "draw") != 0)
        return read_placement(text, game, out, why);
    *why = "there is nothing to draw now";
    out->parts = COMPUTER_PART_DRAW;
    return game->step == TALUVA_STEP_DRAW && (taluva_may_take(game) & TALUVA_TAKE_DRAW) != 0;
}

/* ---- lines */

enum { PER_MILLE = 1000 };

/* "512/488": a number for each seat, up to the blank. */
static bool read_chances(const char *text, unsigned seats, int32_t *out)
{
    for (unsigned seat = 0; seat < seats; seat++) {
        char *end;
        const size_t digits = strspn(text, "0123456789");
        const unsigned long chance = strtoul(text, &end, 10);
        if (digits == 0 || digits > 4 || (*text == '0' && digits > 1) || chance > PER_MILLE)
            return false;
        out[seat] = (int32_t)((chance * COMPUTER_CHANCE_ONE + PER_MILLE / 2) / PER_MILLE);
        if (*end != (seat + 1 < seats ? '/' : ' '))
            return false;
        text = end + 1;
    }
    return true;
}

/* What is said of the turn before it: a word, and what follows on it, again and again. */
static bool read_known(const char **text, unsigned seats, struct engine_line *out)
{
    while (!engine_behind(*text, "turn")) {
        const char *const value = strchr(*text, ' ');
        const char *rest = value ? strchr(value + 1, ' ') : NULL;
        const char *visits = engine_behind(*text, "visits");
        uint64_t number;
        if (!rest)
            return false;
        if (engine_behind(*text, "chances")) {
            out->has_chances = read_chances(value + 1, seats, out->turn.chances);
            if (!out->has_chances)
                return false;
        }
        if (visits) {
            if (!engine_take_number(&visits, UINT32_MAX, &number))
                return false;
            out->turn.visits = (uint32_t)number;
        }
        *text = rest + 1;
    }
    *text = engine_behind(*text, "turn");
    return true;
}

bool engine_line_parse(const char *text, const struct taluva *game, struct engine_line *out,
                       const char **why)
{
    uint64_t number;
    struct computer_turn turn;
    *out = (struct engine_line){.number = 0};
    *why = "it is not written as a line is";
    if (!engine_take_number(&text, ENGINE_LINES_MAX, &number) ||
        !read_known(&text, game->options.seats, out) || !engine_turn_parse(text, game, &turn, why))
        return false;
    out->number = (unsigned)number;
    out->turn.parts = turn.parts;
    out->turn.placement = turn.placement;
    out->turn.build = turn.build;
    return true;
}
