/*
 * Any bytes, as options and then commands: most of them one of what is legal, so that games get
 * somewhere, the others whatever the bytes say. Instead of options, the bytes may choose one of
 * some games that have already got somewhere: so few bytes are enough for every hour of a game.
 */
#include "../unit/rules/invariants.h"
#include "fuzz.h"
#include "play.h"
#include <rules/notation.h>
#include <string.h>

enum { BEGUN = 48, STEPS_APART = 3, CHOOSES_BEGUN = 0x80 };

struct tape {
    const uint8_t *at;
    size_t left;
    bool round_trip, lists; /* have been looked at */
};

static unsigned pull(struct tape *tape)
{
    if (tape->left == 0)
        return 0;
    tape->left--;
    return *tape->at++;
}

static unsigned pull_two(struct tape *tape)
{
    const unsigned high = pull(tape);
    return high << 8 | pull(tape);
}

static struct taluva_hex pull_hex(struct tape *tape, const struct taluva *game)
{
    const unsigned how = pull(tape);
    if (how >= 250 || game->n_cells == 0)
        return (struct taluva_hex){(int16_t)pull_two(tape), (int16_t)pull_two(tape)};
    struct taluva_hex hex = game->cells[how % game->n_cells].hex;
    for (unsigned steps = pull(tape); steps > 0; steps /= 7) {
        if (steps % 7 < 6)
            hex = taluva_hex_step(hex, steps % 7);
    }
    return hex;
}

static struct taluva_options pull_options(struct tape *tape, unsigned flags)
{
    return (struct taluva_options){
        .seats = (uint8_t)(pull(tape) % 7),
        .first = (uint8_t)(pull(tape) % 6),
        .tiles = (uint8_t)pull(tape) % 64,
        .two_hex = (uint8_t)(pull(tape) % 33),
        .zone = (uint8_t)(pull(tape) % 5),
        .huts_anywhere = flags & 1,
        .teams = flags >> 1 & 1,
        .ranking = flags >> 2 & 1,
        .boats = flags >> 3 & 1,
    };
}

/* One of what is legal; like the others, its status is told. */
static enum taluva_status place_listed(struct tape *tape, struct taluva *game, taluva_tile tile,
                                       bool confirm, struct taluva_effects *effects)
{
    static struct taluva_placement all[TALUVA_PLACEMENTS_MAX];
    const size_t n = taluva_list_placements(game, tile, all, NULL);
    HOLD(n > 0 && n <= TALUVA_PLACEMENTS_MAX);
    return taluva_place(game, game->seat, &all[pull_two(tape) % n], confirm, effects);
}

static enum taluva_status go_on(struct tape *tape, struct taluva *game, unsigned op,
                                struct taluva_effects *effects)
{
    static struct taluva_build all[TALUVA_BUILDS_MAX];
    if (game->step == TALUVA_STEP_PLACE)
        return place_listed(tape, game, game->tile, (op & 7) != 0, effects);
    if (game->step == TALUVA_STEP_BUILD) {
        const size_t n = taluva_list_builds(game, all);
        HOLD(n > 0 && n <= TALUVA_BUILDS_MAX);
        return taluva_build(game, game->seat, &all[pull_two(tape) % n], effects);
    }
    const unsigned take = taluva_may_take(game);
    for (unsigned i = 0; i < TALUVA_TWO_HEX_MAX && (op & 8) != 0; i++) {
        if ((take >> i & 1) != 0)
            return place_listed(tape, game, (taluva_tile)(TALUVA_TILE_TWO_HEX + i), true, effects);
    }
    return taluva_draw(game, game->seat, (taluva_tile)(pull(tape) % TALUVA_TILE_TWO_HEX), effects);
}

static enum taluva_status whatever(struct tape *tape, struct taluva *game, unsigned op,
                                   struct taluva_effects *effects)
{
    const unsigned who = pull(tape);
    const uint8_t seat = who < 224 ? game->seat : (uint8_t)who;
    if (op % 4 == 0)
        return taluva_draw(game, seat, (taluva_tile)pull(tape), effects);
    if (op % 4 == 1) {
        struct taluva_placement placement = {.at = pull_hex(tape, game)};
        placement.k = (uint8_t)(pull(tape) % 8);
        placement.tile = (op & 8) != 0 ? game->tile : (taluva_tile)pull(tape);
        return taluva_place(game, seat, &placement, (op & 4) != 0, effects);
    }
    if (op % 4 == 2) {
        struct taluva_build build = {.at = pull_hex(tape, game)};
        build.verb = (uint8_t)(pull(tape) % 7);
        build.terrain = (uint8_t)(pull(tape) % 8);
        return taluva_build(game, seat, &build, effects);
    }
    return who < 16 ? taluva_forfeit(game, (uint8_t)(who % 6), effects) : TALUVA_NOT_YOUR_TURN;
}

/* What costs more than a move is looked at when the bytes say so; what costs most, but once. */
static void look(struct tape *tape, const struct taluva *game, unsigned op)
{
    if (op % 8 == 0)
        hold_invariants(game);
    if (op % 64 == 32 && !tape->round_trip) {
        tape->round_trip = true;
        hold_round_trip(game);
    }
    if (op == 33 && game->n_cells < 60 && !tape->lists) {
        tape->lists = true;
        hold_lists(game);
    }
}

static void step(struct tape *tape, struct taluva *game)
{
    const struct taluva before = *game;
    struct taluva_effects effects;
    const unsigned op = pull(tape);
    const bool over = game->step == TALUVA_STEP_OVER;
    const enum taluva_status status =
        op < 192 && !over ? go_on(tape, game, op, &effects) : whatever(tape, game, op, &effects);
    if (status != TALUVA_OK) {
        HOLD(taluva_status_code(status) && memcmp(&before, game, sizeof before) == 0);
        return;
    }
    HOLD(!over);
    hold_effects(&before, game, &effects);
    look(tape, game, op);
}

/* Few huts are left, so that eruptions and expansions eliminate. */
static void impoverish(struct taluva *game)
{
    char text[TALUVA_POSITION_TEXT];
    struct taluva poor = *game;
    for (unsigned seat = 0; seat < poor.options.seats; seat++) {
        if (poor.reserve[seat][TALUVA_HUT] > seat)
            poor.reserve[seat][TALUVA_HUT] = (uint8_t)seat;
    }
    const size_t len = taluva_position_format(&poor, text);
    if (taluva_position_parse(text, len, &poor, NULL))
        *game = poor;
}

static void begin(struct taluva *game, unsigned n)
{
    const unsigned seats = 2 + n % 4;
    const struct taluva_options options = {
        .seats = (uint8_t)seats,
        .tiles = TALUVA_TILES_MAX,
        .two_hex = (uint8_t)(n % 3 == 0 ? (1u << seats) - 1 : 0),
        .zone = (uint8_t)(n % 7 % TALUVA_ZONES),
        .huts_anywhere = n % 5 == 0,
        .teams = n % 8 == 2,
        .ranking = n % 4 == 1,
        .boats = n % 2 == 0,
    };
    uint32_t state = n;
    const enum taluva_status status = taluva_init(game, &options);
    HOLD(status == TALUVA_OK);
    for (unsigned i = 0; i < n * STEPS_APART && game->step != TALUVA_STEP_OVER; i++)
        play_something(game, &state);
    if (n % 3 == 1)
        impoverish(game);
}

static const struct taluva *begun(unsigned n)
{
    static struct taluva games[BEGUN];
    if (games[0].options.seats == 0) {
        for (unsigned i = 0; i < BEGUN; i++)
            begin(&games[i], i);
    }
    return &games[n % BEGUN];
}

static enum taluva_status pull_game(struct tape *tape, struct taluva *game)
{
    const unsigned flags = pull(tape);
    memset(game, 0, sizeof *game);
    if (flags >= CHOOSES_BEGUN) {
        *game = *begun(pull(tape));
        return TALUVA_OK;
    }
    const struct taluva_options options = pull_options(tape, flags);
    const enum taluva_status status = taluva_init(game, &options);
    HOLD(status == taluva_check_options(&options));
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tape tape = {.at = data, .left = size};
    static struct taluva game;
    invariant_about(NULL);
    if (pull_game(&tape, &game) != TALUVA_OK)
        return 0;
    invariant_about(&game);
    while (tape.left > 0)
        step(&tape, &game);
    hold_invariants(&game);
    if (size % 4 == 0)
        hold_round_trip(&game);
    return 0;
}
