/*
 * A whole game in one line:
 *
 *   2/0/48/boats 0,0=1V0/0,1=1C/1,0=1J:0h1 h19w2t3b2/h20w2t3b2 - - 46 place:1:RS
 *   options      island                    seats               | | |  turn
 *                                                   boats, 2-Hex tiles left, stack
 */
#include "lagoon.h"
#include "position_check.h"
#include "reader.h"
#include "tile.h"
#include <assert.h>
#include <string.h>

static const char *const flags[] = {"anywhere", "teams",  "ranking", "boats",
                                    "beginner", "player", "expert"};
enum { FLAG_ANYWHERE, FLAG_TEAMS, FLAG_RANKING, FLAG_BOATS, FLAG_BEGINNER, FLAGS = 7 };

static const char *const steps[] = {"draw", "place", "build", "over"};
static const char *const ends[] = {"none", "two-kinds", "last-standing", "exhausted", "no-room"};

/* ---- writing */

static void write_tiles(struct rules_writer *out, unsigned set)
{
    for (unsigned i = 0; i < TALUVA_TWO_HEX_MAX; i++) {
        if ((set >> i & 1) != 0)
            rules_write_tile(out, (taluva_tile)(TALUVA_TILE_TWO_HEX + i));
    }
}

static void write_options(struct rules_writer *out, const struct taluva_options *options)
{
    const bool chosen[FLAGS] = {
        options->huts_anywhere,
        options->teams,
        options->ranking,
        options->boats,
        options->zone == TALUVA_ZONE_BEGINNER,
        options->zone == TALUVA_ZONE_PLAYER,
        options->zone == TALUVA_ZONE_EXPERT,
    };
    rules_write_number(out, options->seats);
    rules_write_char(out, '/');
    rules_write_number(out, options->first);
    rules_write_char(out, '/');
    rules_write_number(out, options->tiles);
    for (unsigned i = 0; i < FLAGS; i++) {
        if (chosen[i]) {
            rules_write_char(out, '/');
            rules_write_text(out, flags[i]);
        }
    }
    if (options->two_hex != 0) {
        rules_write_char(out, '/');
        write_tiles(out, options->two_hex);
    }
}

/* Cells in the order of their hexes. */
static void sort_cells(const struct taluva *game, uint8_t order[TALUVA_HEXES_MAX])
{
    for (unsigned i = 0; i < game->n_cells; i++) {
        unsigned j = i;
        for (; j > 0 && rules_hex_less(game->cells[i].hex, game->cells[order[j - 1]].hex); j--)
            order[j] = order[j - 1];
        order[j] = (uint8_t)i;
    }
}

static void write_island(struct rules_writer *out, const struct taluva *game)
{
    uint8_t order[TALUVA_HEXES_MAX];
    sort_cells(game, order);
    for (unsigned i = 0; i < game->n_cells; i++) {
        if (i > 0)
            rules_write_char(out, '/');
        rules_write_hex(out, game->cells[order[i]].hex);
        rules_write_char(out, '=');
        rules_write_cell(out, &game->cells[order[i]]);
    }
    if (game->n_cells == 0)
        rules_write_char(out, '-');
}

static unsigned place_in(const uint8_t *order, unsigned n, unsigned seat)
{
    unsigned i = 0;
    while (i < n && order[i] != seat)
        i++;
    return i + 1;
}

static void write_counted(struct rules_writer *out, char letter, unsigned number)
{
    rules_write_char(out, letter);
    rules_write_number(out, (int)number);
}

static void write_seat(struct rules_writer *out, const struct taluva *game, unsigned seat)
{
    write_counted(out, 'h', game->reserve[seat][TALUVA_HUT]);
    write_counted(out, 'w', game->reserve[seat][TALUVA_TOWER]);
    write_counted(out, 't', game->reserve[seat][TALUVA_TEMPLE]);
    if (game->options.boats)
        write_counted(out, 'b', game->reserve[seat][TALUVA_BOAT]);
    if (game->options.two_hex != 0)
        write_counted(out, 'u', game->two_hex_used[seat]);
    if (game->state[seat] == TALUVA_SEAT_FINISHED)
        write_counted(out, 'f', place_in(game->finished, game->n_finished, seat));
    else if (game->state[seat] == TALUVA_SEAT_ELIMINATED)
        write_counted(out, 'e', place_in(game->eliminated, game->n_eliminated, seat));
}

static void write_boats(struct rules_writer *out, const struct taluva *game)
{
    struct taluva_hex lagoons[TALUVA_BOATS_MAX];
    for (unsigned i = 0; i < game->n_boats; i++)
        lagoons[i] = game->boats[i].lagoon;
    rules_hexes_sort(lagoons, game->n_boats);
    for (unsigned i = 0; i < game->n_boats; i++) {
        if (i > 0)
            rules_write_char(out, '/');
        rules_write_hex(out, lagoons[i]);
        write_counted(out, ':', rules_boat_in(game, lagoons[i])->seat);
    }
    if (game->n_boats == 0)
        rules_write_char(out, '-');
}

static void write_turn(struct rules_writer *out, const struct taluva *game)
{
    rules_write_text(out, steps[game->step]);
    rules_write_char(out, ':');
    if (game->step == TALUVA_STEP_OVER) {
        rules_write_text(out, ends[game->end]);
        return;
    }
    rules_write_number(out, game->seat);
    if (game->step == TALUVA_STEP_PLACE) {
        rules_write_char(out, ':');
        rules_write_tile(out, game->tile);
    }
}

size_t taluva_position_format(const struct taluva *game, char text[TALUVA_POSITION_TEXT])
{
    struct rules_writer out = {text, 0, TALUVA_POSITION_TEXT};
    write_options(&out, &game->options);
    rules_write_char(&out, ' ');
    write_island(&out, game);
    for (unsigned seat = 0; seat < game->options.seats; seat++) {
        rules_write_char(&out, seat == 0 ? ' ' : '/');
        write_seat(&out, game, seat);
    }
    rules_write_char(&out, ' ');
    write_boats(&out, game);
    rules_write_char(&out, ' ');
    if (game->two_hex != 0)
        write_tiles(&out, game->two_hex);
    else
        rules_write_char(&out, '-');
    write_counted(&out, ' ', game->stack);
    rules_write_char(&out, ' ');
    write_turn(&out, game);
    return rules_writer_done(&out);
}

/* ---- reading */

static void set_flag(struct taluva_options *options, unsigned flag)
{
    if (flag >= FLAG_BEGINNER) {
        options->zone = (uint8_t)(TALUVA_ZONE_BEGINNER + flag - FLAG_BEGINNER);
        return;
    }
    options->huts_anywhere |= flag == FLAG_ANYWHERE;
    options->teams |= flag == FLAG_TEAMS;
    options->ranking |= flag == FLAG_RANKING;
    options->boats |= flag == FLAG_BOATS;
}

static unsigned read_tiles(struct rules_reader *in)
{
    unsigned set = 0;
    do {
        const size_t start = in->at;
        const taluva_tile tile = rules_read_tile(in);
        if (!taluva_tile_is_two_hex(tile)) {
            rules_reader_fail(in, start, TALUVA_NOTATION_SYNTAX, "a 2-Hex tile");
            return 0;
        }
        set |= 1u << (tile - TALUVA_TILE_TWO_HEX);
    } while (rules_peek(in) == '2');
    return set;
}

static void read_options(struct rules_reader *in, struct taluva_options *options)
{
    options->seats = (uint8_t)rules_read_number(in, TALUVA_SEATS_MAX, "a number of seats");
    rules_expect(in, '/', "/ after the seats");
    options->first = (uint8_t)rules_read_number(in, TALUVA_SEATS_MAX, "the seat that starts");
    rules_expect(in, '/', "/ after the seat that starts");
    options->tiles = (uint8_t)rules_read_number(in, TALUVA_TILES_MAX, "a number of tiles");
    while (rules_accept(in, '/')) {
        if (rules_peek(in) == '2')
            options->two_hex = (uint8_t)read_tiles(in);
        else
            set_flag(options, rules_read_word(in, flags, FLAGS, "an option"));
    }
}

/* No island has hexes beyond this, and sums of them cannot overflow. */
static bool is_far(struct taluva_hex hex)
{
    return hex.q >= TALUVA_SPAN_MAX || hex.q <= -TALUVA_SPAN_MAX || hex.r >= TALUVA_SPAN_MAX ||
           hex.r <= -TALUVA_SPAN_MAX;
}

static void read_island_hex(struct rules_reader *in, struct taluva *game)
{
    const size_t start = in->at;
    struct taluva_cell cell;
    const struct taluva_hex hex = rules_read_hex(in);
    rules_expect(in, '=', "= after a hex");
    rules_read_cell(in, &cell);
    if (is_far(hex) || game->n_cells == TALUVA_HEXES_MAX)
        rules_reader_fail(in, start, TALUVA_NOTATION_IMPOSSIBLE, "the island is too large");
    if (game->n_cells > 0 && !rules_hex_less(game->cells[game->n_cells - 1].hex, hex))
        rules_reader_fail(in, start, TALUVA_NOTATION_NOT_CANONICAL, "hexes go by q, then r");
    if (cell.owner != TALUVA_NO_SEAT && cell.owner >= game->options.seats)
        rules_reader_fail(in, start, TALUVA_NOTATION_RANGE, "there is no such seat");
    if (rules_reader_ok(in)) {
        cell.hex = hex;
        game->cells[rules_grid_add(game, hex.q, hex.r)] = cell;
    }
}

static void read_island(struct rules_reader *in, struct taluva *game)
{
    /* A hex west of q = 0 begins with a hyphen too. */
    if (in->at + 1 < in->len && in->text[in->at + 1] == ' ' && rules_accept(in, '-'))
        return;
    const size_t start = in->at;
    do {
        read_island_hex(in, game);
    } while (rules_accept(in, '/'));
    if (rules_island_span(game) >= TALUVA_SPAN_MAX)
        rules_reader_fail(in, start, TALUVA_NOTATION_IMPOSSIBLE, "the island is too large");
}

static uint8_t read_counted(struct rules_reader *in, char letter, unsigned max, const char *what)
{
    rules_expect(in, letter, what);
    return (uint8_t)rules_read_number(in, max, what);
}

/* A place in an order of those that left: 1 is first. */
static void read_place(struct rules_reader *in, unsigned seat, uint8_t *order, uint8_t *n)
{
    const size_t start = in->at;
    const unsigned place = rules_read_number(in, TALUVA_SEATS_MAX, "a place");
    if (place == 0 || (rules_reader_ok(in) && order[place - 1] != TALUVA_NO_SEAT)) {
        rules_reader_fail(in, start, TALUVA_NOTATION_IMPOSSIBLE, "each place is taken once");
        return;
    }
    order[place - 1] = (uint8_t)seat;
    (*n)++;
}

static void read_seat(struct rules_reader *in, struct taluva *game, unsigned seat)
{
    uint8_t *const reserve = game->reserve[seat];
    reserve[TALUVA_HUT] = read_counted(in, 'h', 20, "h and the huts in reserve");
    reserve[TALUVA_TOWER] = read_counted(in, 'w', 2, "w and the towers in reserve");
    reserve[TALUVA_TEMPLE] = read_counted(in, 't', 3, "t and the temples in reserve");
    if (game->options.boats)
        reserve[TALUVA_BOAT] = read_counted(in, 'b', 2, "b and the boats in reserve");
    if (game->options.two_hex != 0)
        game->two_hex_used[seat] = read_counted(in, 'u', 2, "u and the 2-Hex tiles used");
    if (rules_accept(in, 'f')) {
        game->state[seat] = TALUVA_SEAT_FINISHED;
        read_place(in, seat, game->finished, &game->n_finished);
    } else if (rules_accept(in, 'e')) {
        game->state[seat] = TALUVA_SEAT_ELIMINATED;
        read_place(in, seat, game->eliminated, &game->n_eliminated);
    }
}

/* n seats must be in places 1 to n; what is beyond them is wiped. */
static void close_order(struct rules_reader *in, uint8_t *order, unsigned n)
{
    for (unsigned i = 0; i < TALUVA_SEATS_MAX; i++) {
        if (i < n && order[i] == TALUVA_NO_SEAT)
            rules_reader_fail(in, in->at, TALUVA_NOTATION_IMPOSSIBLE, "a place is missing");
        if (i >= n)
            order[i] = 0;
    }
}

static void read_seats(struct rules_reader *in, struct taluva *game)
{
    memset(game->finished, TALUVA_NO_SEAT, sizeof game->finished);
    memset(game->eliminated, TALUVA_NO_SEAT, sizeof game->eliminated);
    for (unsigned seat = 0; seat < game->options.seats; seat++) {
        if (seat > 0)
            rules_expect(in, '/', "/ between seats");
        read_seat(in, game, seat);
    }
    close_order(in, game->finished, game->n_finished);
    close_order(in, game->eliminated, game->n_eliminated);
}

static void read_boat(struct rules_reader *in, struct taluva *game)
{
    const size_t start = in->at;
    struct taluva_lagoon lagoon;
    const struct taluva_hex hex = rules_read_hex(in);
    rules_expect(in, ':', ": after a lagoon");
    const unsigned seat = rules_read_number(in, TALUVA_SEATS_MAX - 1, "a seat");
    if (!rules_reader_ok(in))
        return;
    if (game->n_boats == TALUVA_BOATS_MAX || seat >= game->options.seats) {
        rules_reader_fail(in, start, TALUVA_NOTATION_RANGE, "there is no such boat");
    } else if (!taluva_lagoon_at(game, hex, &lagoon)) {
        rules_reader_fail(in, start, TALUVA_NOTATION_IMPOSSIBLE, "a boat needs a lagoon");
    } else if (!rules_hex_equal(lagoon.hex, hex) || lagoon.boat != TALUVA_NO_SEAT) {
        rules_reader_fail(in, start, TALUVA_NOTATION_NOT_CANONICAL,
                          "one boat a lagoon, on its smallest hex");
    } else {
        struct taluva_boat *const boat = &game->boats[game->n_boats++];
        boat->lagoon = hex;
        boat->n_hexes = lagoon.n_hexes;
        boat->seat = (uint8_t)seat;
    }
}

static void read_boats(struct rules_reader *in, struct taluva *game)
{
    if (in->at + 1 < in->len && in->text[in->at + 1] == ' ' && rules_accept(in, '-'))
        return;
    do {
        read_boat(in, game);
    } while (rules_accept(in, '/'));
}

static void read_turn(struct rules_reader *in, struct taluva *game)
{
    game->step = (uint8_t)rules_read_word(in, steps, TALUVA_STEPS, "draw, place, build or over");
    rules_expect(in, ':', ": after the step");
    if (game->step == TALUVA_STEP_OVER) {
        game->seat = TALUVA_NO_SEAT;
        game->end = (uint8_t)(1 + rules_read_word(in, ends + 1, TALUVA_ENDS - 1, "why it ended"));
        return;
    }
    const size_t start = in->at;
    game->seat = (uint8_t)rules_read_number(in, TALUVA_SEATS_MAX - 1, "a seat");
    if (game->seat >= game->options.seats)
        rules_reader_fail(in, start, TALUVA_NOTATION_RANGE, "there is no such seat");
    if (game->step == TALUVA_STEP_PLACE) {
        rules_expect(in, ':', ": before the tile in hand");
        const size_t tile = in->at;
        game->tile = rules_read_tile(in);
        if (taluva_tile_is_two_hex(game->tile))
            rules_reader_fail(in, tile, TALUVA_NOTATION_RANGE, "2-Hex tiles are not held");
    }
}

static bool read_options_or_refuse(struct rules_reader *in, struct taluva *game)
{
    struct taluva_options options;
    memset(&options, 0, sizeof options);
    read_options(in, &options);
    if (!rules_reader_ok(in))
        return false;
    const enum taluva_status status = taluva_init(game, &options);
    return status == TALUVA_OK ||
           rules_reader_fail(in, 0, TALUVA_NOTATION_RANGE, taluva_status_text(status));
}

static void read_position(struct rules_reader *in, struct taluva *game)
{
    if (!read_options_or_refuse(in, game))
        return;
    rules_expect(in, ' ', "a space before the island");
    read_island(in, game);
    rules_expect(in, ' ', "a space before the seats");
    read_seats(in, game);
    rules_expect(in, ' ', "a space before the boats");
    read_boats(in, game);
    rules_expect(in, ' ', "a space before the 2-Hex tiles");
    game->two_hex = 0;
    if (!rules_accept(in, '-'))
        game->two_hex = (uint8_t)read_tiles(in);
    rules_expect(in, ' ', "a space before the stack");
    game->stack = (uint8_t)rules_read_number(in, TALUVA_TILES_MAX, "tiles in the stack");
    rules_expect(in, ' ', "a space before the turn");
    read_turn(in, game);
}

/* Refuses any other spelling that the reader has accepted. */
static void require_canonical(struct rules_reader *in, const struct taluva *game)
{
    char text[TALUVA_POSITION_TEXT];
    const size_t len = taluva_position_format(game, text);
    size_t same = 0;
    while (same < len && same < in->len && text[same] == in->text[same])
        same++;
    if (same < len || same < in->len)
        rules_reader_fail(in, same, TALUVA_NOTATION_NOT_CANONICAL, "there is another spelling");
}

bool taluva_position_parse(const char *text, size_t len, struct taluva *out,
                           struct taluva_notation_error *error)
{
    struct rules_reader in;
    struct taluva game;
    rules_reader_init(&in, text, len);
    read_position(&in, &game);
    if (rules_reader_ok(&in) && in.at == in.len) {
        const char *const what = rules_position_check(&game);
        if (what)
            rules_reader_fail(&in, in.at, TALUVA_NOTATION_IMPOSSIBLE, what);
        else
            require_canonical(&in, &game);
    }
    if (!rules_reader_done(&in, error))
        return false;
    *out = game;
    return true;
}
