/* The computer players of computer/, as a room asks for them. */
#include <totem_computer/computer.h>

#include "totem_match.h"
#include <assert.h>
#include <string.h>

static const char *const levels[] = {"beginner", "simple", "skilled", "strong", NULL};
_Static_assert(sizeof levels / sizeof *levels == TOTEM_LEVELS + 1, "a word for each level");

static void copy_known(const void *value, unsigned seat, void *known)
{
    struct totem_match *copy = known;
    memcpy(copy, value, sizeof *copy);
    memset(copy->key, 0, sizeof copy->key);
    totem_computer_hide(&copy->game, seat);
}

static size_t write_command(const struct totem *game, unsigned seat,
                            const struct totem_command *command, char move[PROTOCOL_MOVE_BYTES])
{
    char text[TOTEM_COMMAND_TEXT];
    size_t len = totem_command_format(command, text);
    assert(totem_check(game, seat, command) == TOTEM_OK);
    memcpy(move, text, len);
    return len;
}

static size_t choose_move(const void *known, unsigned seat, unsigned level, uint64_t seed,
                          struct game_thinking *thinking, char move[PROTOCOL_MOVE_BYTES])
{
    const struct totem_match *match = known;
    struct totem_command command;
    (void)thinking; /* every level is quick */
    totem_computer_choose(&match->game, totem_computer_family(&match->game, seat),
                          (enum totem_level)level, seed, &command);
    return write_command(&match->game, seat, &command, move);
}

/* Section 6.3. */
static size_t stand_in(const void *known, unsigned seat, uint64_t seed,
                       char move[PROTOCOL_MOVE_BYTES])
{
    const struct totem_match *match = known;
    struct totem_command command;
    (void)seed;
    totem_default_command(&match->game, totem_computer_family(&match->game, seat), &command);
    return write_command(&match->game, seat, &command, move);
}

const struct game_computer totem_computer = {
    .levels = levels,
    .level_default = TOTEM_LEVEL_SKILLED,
    .level_unnamed = TOTEM_LEVEL_SIMPLE,
    .know = copy_known,
    .choose = choose_move,
    .stand_in = stand_in,
};
