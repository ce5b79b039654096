#include "play.h"

static int run_command(const struct invocation *invocation)
{
    struct play_plan plan = {.room = invocation->operands[0], .watch = true, .seat = SEAT_ANY};
    return play_run(invocation, &plan);
}

const struct command command_watch = {
    .name = "watch",
    .operands = "ROOM",
    .summary = "Watch a match",
    .details =
        "Shows the table without taking a seat. Nothing that is typed there is a player's, also\n"
        "where the session has a seat in the room: `taluva join` plays.",
    .operands_min = 1,
    .operands_max = 1,
    .online = true,
    .enters = true,
    .draws = true,
    .run = run_command,
};
