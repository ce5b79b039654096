/*
 * Any bytes, as the options of a game of Totem and then commands: most of them one of what is
 * legal, so that games get somewhere, the others whatever the bytes say. Instead of options, the
 * bytes may choose one of some games that have already got somewhere.
 */
#include "fuzz.h"
#include "totem_play.h"
#include <string.h>
#include <totem_rules/notation.h>

enum { BEGUN = 54, STEPS_APART = 5, CHOOSES_BEGUN = 0x80, COMMANDS_MAX = 600 };

static unsigned pull(struct choices *tape)
{
    return choices_below(tape, 256);
}

/* ---- a game */

static struct totem_options pull_options(struct choices *tape, unsigned flags)
{
    return (struct totem_options){
        .players = (uint8_t)(pull(tape) % 6),
        .first = (uint8_t)(pull(tape) % 5),
        .rounds = (uint8_t)(pull(tape) % 101),
        .spells = (uint8_t)(pull(tape) % 4),
        .meals = (uint8_t)(pull(tape) % 4),
        .village = flags & 1,
        .totem_a = flags >> 1 & 1,
        .totem_b = flags >> 2 & 1,
    };
}

static void begin(struct totem *game, unsigned n)
{
    const struct totem_options options = {
        .players = (uint8_t)(2 + n % 3),
        .rounds = TOTEM_ROUNDS_MAX,
        .spells = (uint8_t)(n / 3 % 3),
        .meals = (uint8_t)(n / 9 % 3),
        .village = n % 2,
        .totem_a = n % 5 == 0,
        .totem_b = n % 4 == 0,
    };
    struct choices choices = {.state = n};
    totem_init(game, &options);
    for (unsigned i = 0; i < n * STEPS_APART && game->step != TOTEM_STEP_OVER; i++)
        play_legal(&choices, game);
}

static const struct totem *begun(unsigned n)
{
    static struct totem games[BEGUN];
    if (games[0].round == 0) {
        for (unsigned i = 0; i < BEGUN; i++)
            begin(&games[i], i);
    }
    return &games[n % BEGUN];
}

static bool pull_game(struct choices *tape, struct totem *game)
{
    const unsigned flags = pull(tape);
    if (flags >= CHOOSES_BEGUN) {
        *game = *begun(pull(tape));
        return true;
    }
    const struct totem_options options = pull_options(tape, flags);
    const enum totem_status status = totem_check_options(&options);
    HOLD(totem_status_code(status));
    if (status == TOTEM_OK)
        totem_init(game, &options);
    return status == TOTEM_OK;
}

/* ---- commands */

static void pull_people(struct choices *tape, struct totem_people huts[TOTEM_HUTS])
{
    for (unsigned i = pull(tape) % 24; i > 0; i--) {
        const unsigned cell = pull(tape) % (TOTEM_HUTS * TOTEM_KINDS);
        huts[cell / TOTEM_KINDS].of[cell % TOTEM_KINDS]++;
    }
}

static void pull_puts(struct choices *tape, struct totem_puts *puts)
{
    for (unsigned i = pull(tape) % (TOTEM_SPELLS + 1); i > 0; i--) {
        const unsigned spell = pull(tape) % TOTEM_SPELLS;
        puts->hut[spell] = (uint8_t)(pull(tape) % TOTEM_HUTS_ALL);
    }
}

/* Anything that can be written as a command (6.1), and nothing else in it than is written. */
static struct totem_command pull_command(struct choices *tape)
{
    struct totem_command command = {.verb = (uint8_t)(pull(tape) % TOTEM_VERBS)};
    memset(&command.puts, TOTEM_NONE, sizeof command.puts);
    command.family = (uint8_t)(pull(tape) % TOTEM_FAMILIES);
    switch ((enum totem_verb)command.verb) {
    case TOTEM_VERB_TAKE:
        command.victim = (uint8_t)(pull(tape) % TOTEM_FAMILIES);
        pull_people(tape, command.people);
        break;
    case TOTEM_VERB_SETTLE:
    case TOTEM_VERB_STARVE:
        pull_people(tape, command.people);
        break;
    case TOTEM_VERB_CHOOSE:
    case TOTEM_VERB_REVEAL:
        command.set = (uint16_t)((pull(tape) << 8 | pull(tape)) & ((1u << TOTEM_SPELLS) - 1));
        break;
    case TOTEM_VERB_CAST:
        command.spell = (uint8_t)(pull(tape) % TOTEM_SPELLS);
        command.hut = (uint8_t)(pull(tape) % TOTEM_HUTS_ALL);
        break;
    case TOTEM_VERB_WRITE:
        pull_puts(tape, &command.puts);
        break;
    case TOTEM_VERB_PASS:
        break;
    }
    return command;
}

static bool is_listed(const struct totem *game, const struct totem_command *command)
{
    static struct totem_command list[2048];
    const size_t count = totem_list(game, command->family, list, 2048);
    for (size_t i = 0; i < count && count <= 2048; i++) {
        if (memcmp(&list[i], command, sizeof *command) == 0)
            return true;
    }
    return count > 2048;
}

/* What is accepted can be said on the wire, and is one of what is listed where there is a list. */
static void hold_command(const struct totem *game, const struct totem_command *command)
{
    char text[TOTEM_COMMAND_TEXT];
    struct totem_command read;
    const size_t len = totem_command_format(command, text);
    HOLD(len <= TOTEM_COMMAND_BYTES && totem_command_parse(text, len, &read));
    HOLD(memcmp(&read, command, sizeof read) == 0);
    HOLD(game->step == TOTEM_STEP_SETTLE || game->step == TOTEM_STEP_WRITE ||
         is_listed(game, command));
}

static void hold_taking_back(const struct totem *game, const struct totem_command *command,
                             const struct totem_births *births)
{
    struct totem other = *game;
    if (!totem_may_take_back(game, command->family))
        return;
    totem_take_back(&other, command->family);
    hold_totem(&other);
    hold_totem_hidden(&other);
    HOLD((totem_acting(&other) >> command->family & 1) != 0);
    const unsigned seat = totem_seat_of(&other.options, command->family);
    HOLD(totem_play(&other, seat, command, births, NULL) == TOTEM_OK);
    HOLD(memcmp(&other, game, sizeof other) == 0);
}

static void give(struct totem *game, unsigned seat, const struct totem_command *command)
{
    const struct totem before = *game;
    struct totem_births births;
    struct totem_effects effects;
    make_births(game, &births);
    const enum totem_status checked = totem_check(game, seat, command);
    const enum totem_status status = totem_play(game, seat, command, &births, &effects);
    HOLD(status == checked && totem_status_code(status));
    if (status != TOTEM_OK) {
        HOLD(memcmp(&before, game, sizeof before) == 0);
        return;
    }
    hold_command(&before, command);
    hold_totem_effects(&before, command, game, &effects);
    hold_taking_back(game, command, &births);
}

static void leave(struct totem *game, unsigned seat)
{
    const struct totem before = *game;
    struct totem_births births;
    struct totem_effects effects;
    make_births(game, &births);
    if (totem_forfeit(game, seat, &births, &effects) == TOTEM_OK)
        hold_totem_effects(&before, NULL, game, &effects);
    else
        HOLD(memcmp(&before, game, sizeof before) == 0);
}

static void step(struct choices *tape, struct totem *game)
{
    const unsigned op = pull(tape);
    if (op < 200 && game->step != TOTEM_STEP_OVER) {
        struct totem_command command;
        const unsigned family = choose_family(tape, game);
        const unsigned seat = totem_seat_of(&game->options, family);
        choose_legal(tape, game, family, &command);
        HOLD(totem_check(game, seat, &command) == TOTEM_OK);
        give(game, seat, &command);
    } else if (op < 250) {
        const struct totem_command command = pull_command(tape);
        const unsigned who = pull(tape);
        give(game, who < 224 ? totem_seat_of(&game->options, command.family) : who, &command);
    } else {
        leave(game, pull(tape) % (TOTEM_SEATS_MAX + 1));
    }
    hold_totem_played(game);
    if (op % 8 == 0) {
        hold_totem_round_trip(game);
        hold_totem_hidden(game);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct choices tape = {.at = data, .left = size};
    static struct totem game;
    totem_broken_about(NULL);
    if (!pull_game(&tape, &game))
        return 0;
    totem_broken_about(&game);
    for (unsigned i = 0; i < COMMANDS_MAX && tape.left > 0; i++)
        step(&tape, &game);
    hold_totem_round_trip(&game);
    hold_totem_hidden(&game);
    return 0;
}
