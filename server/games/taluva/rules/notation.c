#include "reader.h"
#include "tile.h"
#include <assert.h>
#include <string.h>

static const char letters[] = "JCSRLV";
static const char *const kinds[] = {"hut", "tower", "temple", "boat"};
static const char *const verbs[] = {"hut", "tower", "temple", "expand", "boat"};
static const char *const zones[] = {"none", "beginner", "player", "expert"};
static const char *const ends[] = {"none", "two-kinds", "last-standing", "exhausted", "no-room"};
static const char *const steps[] = {"draw", "place", "build", "over"};
static const char kind_letters[] = "hwtb";

const char *taluva_zone_name(enum taluva_zone zone)
{
    return (unsigned)zone < TALUVA_ZONES ? zones[zone] : NULL;
}

const char *taluva_end_name(enum taluva_end end)
{
    return (unsigned)end < TALUVA_ENDS ? ends[end] : NULL;
}

const char *taluva_step_name(enum taluva_step step)
{
    return (unsigned)step < TALUVA_STEPS ? steps[step] : NULL;
}

const char *taluva_kind_name(enum taluva_kind kind)
{
    return (unsigned)kind < TALUVA_KINDS ? kinds[kind] : NULL;
}

char taluva_terrain_letter(enum taluva_terrain terrain)
{
    assert((unsigned)terrain <= TALUVA_VOLCANO);
    return letters[terrain];
}

const char *taluva_notation_status_code(enum taluva_notation_status status)
{
    switch (status) {
    case TALUVA_NOTATION_OK:
        return "ok";
    case TALUVA_NOTATION_SYNTAX:
        return "syntax";
    case TALUVA_NOTATION_RANGE:
        return "range";
    case TALUVA_NOTATION_NOT_CANONICAL:
        return "not_canonical";
    case TALUVA_NOTATION_TRAILING:
        return "trailing";
    case TALUVA_NOTATION_IMPOSSIBLE:
        return "impossible";
    }
    return NULL;
}

/* 0..4, or 5 for a volcano if `also_volcano`. */
static unsigned read_letter(struct rules_reader *in, bool also_volcano)
{
    const char c = rules_peek(in);
    const char *const found = c == '\0' ? NULL : memchr(letters, c, also_volcano ? 6 : 5);
    if (!found) {
        rules_reader_fail(in, in->at, TALUVA_NOTATION_SYNTAX, "a terrain is one of J C S R L");
        return 0;
    }
    in->at++;
    return (unsigned)(found - letters);
}

unsigned rules_read_terrain(struct rules_reader *in)
{
    return read_letter(in, false);
}

static taluva_tile read_two_hex(struct rules_reader *in, size_t start)
{
    const unsigned first = read_letter(in, true), second = read_letter(in, true);
    for (unsigned tile = TALUVA_TILE_TWO_HEX; rules_reader_ok(in) && tile < TALUVA_TILES; tile++) {
        if (taluva_tile_terrain((taluva_tile)tile, 0) == first &&
            taluva_tile_terrain((taluva_tile)tile, 1) == second)
            return (taluva_tile)tile;
    }
    rules_reader_fail(in, start, TALUVA_NOTATION_RANGE, "there is no such 2-Hex tile");
    return 0;
}

taluva_tile rules_read_tile(struct rules_reader *in)
{
    const size_t start = in->at;
    if (rules_accept(in, '2'))
        return read_two_hex(in, start);
    const unsigned first = rules_read_terrain(in), second = rules_read_terrain(in);
    return (taluva_tile)(5 * first + second);
}

static int read_signed(struct rules_reader *in)
{
    const size_t start = in->at;
    const bool negative = rules_accept(in, '-');
    const unsigned number = rules_read_number(in, negative ? 32768 : 32767, "a coordinate");
    if (negative && number == 0)
        rules_reader_fail(in, start, TALUVA_NOTATION_NOT_CANONICAL, "zero has no sign");
    return negative ? -(int)number : (int)number;
}

struct taluva_hex rules_read_hex(struct rules_reader *in)
{
    struct taluva_hex hex;
    hex.q = (int16_t)read_signed(in);
    rules_expect(in, ',', "a comma between q and r");
    hex.r = (int16_t)read_signed(in);
    return hex;
}

static void read_facing(struct rules_reader *in, struct taluva_cell *cell, bool two_hex)
{
    const unsigned facing = rules_read_number(in, 5, "a volcano faces 0 to 5");
    cell->terrain = TALUVA_VOLCANO;
    cell->facing = (uint8_t)(two_hex ? 6 + facing : facing);
}

static void read_building(struct rules_reader *in, struct taluva_cell *cell)
{
    cell->owner = (uint8_t)rules_read_number(in, TALUVA_SEATS_MAX - 1, "a seat");
    const char c = rules_peek(in);
    const char *const kind = c == '\0' ? NULL : memchr(kind_letters, c, TALUVA_BOAT);
    if (!kind) {
        rules_reader_fail(in, in->at, TALUVA_NOTATION_SYNTAX, "a building is h, w or t");
        return;
    }
    in->at++;
    cell->kind = (uint8_t)(kind - kind_letters);
    cell->count = 1;
    if (cell->kind != TALUVA_HUT)
        return;
    const size_t start = in->at;
    cell->count = (uint8_t)rules_read_number(in, 20, "a number of huts");
    if (cell->count != cell->level)
        rules_reader_fail(in, start, TALUVA_NOTATION_IMPOSSIBLE,
                          "a hex carries as many huts as its level");
}

void rules_read_cell(struct rules_reader *in, struct taluva_cell *cell)
{
    memset(cell, 0, sizeof *cell);
    cell->owner = TALUVA_NO_SEAT;
    const size_t start = in->at;
    cell->level = (uint8_t)rules_read_number(in, TALUVA_TILES_MAX, "a level");
    if (cell->level == 0)
        rules_reader_fail(in, start, TALUVA_NOTATION_RANGE, "levels begin at 1");
    if (rules_accept(in, 'V')) {
        read_facing(in, cell, false);
    } else if (rules_accept(in, 'v')) {
        read_facing(in, cell, true);
    } else {
        cell->terrain = (uint8_t)rules_read_terrain(in);
        if (rules_accept(in, ':'))
            read_building(in, cell);
    }
}

static void read_placement(struct rules_reader *in, struct taluva_placement *placement)
{
    placement->tile = rules_read_tile(in);
    rules_expect(in, '@', "@ after the tile");
    placement->at = rules_read_hex(in);
    rules_expect(in, ':', ": before the direction");
    const size_t start = in->at;
    placement->k = (uint8_t)rules_read_number(in, 5, "a direction is 0 to 5");
    if (rules_reader_ok(in) && placement->k >= rules_tile_turns(placement->tile))
        rules_reader_fail(in, start, TALUVA_NOTATION_NOT_CANONICAL,
                          "a tile with two like halves is turned 0 to 2");
}

static void read_build(struct rules_reader *in, struct taluva_build *build)
{
    build->verb = (uint8_t)rules_read_word(in, verbs, TALUVA_VERBS, "a way to build");
    rules_expect(in, '@', "@ after the way to build");
    build->at = rules_read_hex(in);
    build->terrain = 0;
    if (build->verb == TALUVA_BUILD_EXPAND) {
        rules_expect(in, '=', "= before the terrain");
        build->terrain = (uint8_t)rules_read_terrain(in);
    }
}

bool taluva_tile_parse(const char *text, size_t len, taluva_tile *out)
{
    struct rules_reader in;
    rules_reader_init(&in, text, len);
    const taluva_tile tile = rules_read_tile(&in);
    if (!rules_reader_done(&in, NULL))
        return false;
    *out = tile;
    return true;
}

bool taluva_hex_parse(const char *text, size_t len, struct taluva_hex *out,
                      struct taluva_notation_error *error)
{
    struct rules_reader in;
    rules_reader_init(&in, text, len);
    const struct taluva_hex hex = rules_read_hex(&in);
    if (!rules_reader_done(&in, error))
        return false;
    *out = hex;
    return true;
}

bool taluva_placement_parse(const char *text, size_t len, struct taluva_placement *out,
                            struct taluva_notation_error *error)
{
    struct rules_reader in;
    struct taluva_placement placement;
    rules_reader_init(&in, text, len);
    read_placement(&in, &placement);
    if (!rules_reader_done(&in, error))
        return false;
    *out = placement;
    return true;
}

bool taluva_build_parse(const char *text, size_t len, struct taluva_build *out,
                        struct taluva_notation_error *error)
{
    struct rules_reader in;
    struct taluva_build build;
    rules_reader_init(&in, text, len);
    read_build(&in, &build);
    if (!rules_reader_done(&in, error))
        return false;
    *out = build;
    return true;
}

bool taluva_cell_parse(const char *text, size_t len, struct taluva_cell *out,
                       struct taluva_notation_error *error)
{
    struct rules_reader in;
    struct taluva_cell cell;
    rules_reader_init(&in, text, len);
    rules_read_cell(&in, &cell);
    if (!rules_reader_done(&in, error))
        return false;
    cell.hex = out->hex;
    *out = cell;
    return true;
}

void rules_write_tile(struct rules_writer *out, taluva_tile tile)
{
    if (taluva_tile_is_two_hex(tile)) {
        rules_write_char(out, '2');
        rules_write_char(out, letters[taluva_tile_terrain(tile, 0)]);
        rules_write_char(out, letters[taluva_tile_terrain(tile, 1)]);
    } else {
        rules_write_char(out, letters[taluva_tile_terrain(tile, 1)]);
        rules_write_char(out, letters[taluva_tile_terrain(tile, 2)]);
    }
}

void rules_write_hex(struct rules_writer *out, struct taluva_hex hex)
{
    rules_write_number(out, hex.q);
    rules_write_char(out, ',');
    rules_write_number(out, hex.r);
}

void rules_write_cell(struct rules_writer *out, const struct taluva_cell *cell)
{
    rules_write_number(out, cell->level);
    if (cell->terrain == TALUVA_VOLCANO) {
        rules_write_char(out, cell->facing >= 6 ? 'v' : 'V');
        rules_write_number(out, cell->facing % 6);
        return;
    }
    rules_write_char(out, letters[cell->terrain]);
    if (cell->owner == TALUVA_NO_SEAT)
        return;
    rules_write_char(out, ':');
    rules_write_number(out, cell->owner);
    rules_write_char(out, kind_letters[cell->kind]);
    if (cell->kind == TALUVA_HUT)
        rules_write_number(out, cell->count);
}

size_t taluva_tile_format(taluva_tile tile, char text[TALUVA_TILE_TEXT])
{
    struct rules_writer out = {text, 0, TALUVA_TILE_TEXT};
    rules_write_tile(&out, tile);
    return rules_writer_done(&out);
}

size_t taluva_hex_format(struct taluva_hex hex, char text[TALUVA_HEX_TEXT])
{
    struct rules_writer out = {text, 0, TALUVA_HEX_TEXT};
    rules_write_hex(&out, hex);
    return rules_writer_done(&out);
}

size_t taluva_placement_format(const struct taluva_placement *placement,
                               char text[TALUVA_PLACEMENT_TEXT])
{
    struct rules_writer out = {text, 0, TALUVA_PLACEMENT_TEXT};
    rules_write_tile(&out, placement->tile);
    rules_write_char(&out, '@');
    rules_write_hex(&out, placement->at);
    rules_write_char(&out, ':');
    rules_write_number(&out, placement->k);
    return rules_writer_done(&out);
}

size_t taluva_build_format(const struct taluva_build *build, char text[TALUVA_BUILD_TEXT])
{
    struct rules_writer out = {text, 0, TALUVA_BUILD_TEXT};
    rules_write_text(&out, verbs[build->verb]);
    rules_write_char(&out, '@');
    rules_write_hex(&out, build->at);
    if (build->verb == TALUVA_BUILD_EXPAND) {
        rules_write_char(&out, '=');
        rules_write_char(&out, letters[build->terrain]);
    }
    return rules_writer_done(&out);
}

size_t taluva_cell_format(const struct taluva_cell *cell, char text[TALUVA_CELL_TEXT])
{
    struct rules_writer out = {text, 0, TALUVA_CELL_TEXT};
    rules_write_cell(&out, cell);
    return rules_writer_done(&out);
}

bool taluva_zone_find(const char *name, enum taluva_zone *out)
{
    for (unsigned zone = 0; zone < TALUVA_ZONES; zone++) {
        if (rules_text_equal(zones[zone], name)) {
            *out = (enum taluva_zone)zone;
            return true;
        }
    }
    return false;
}
