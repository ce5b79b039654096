#include "play.h"

struct join_options {
    bool ready;
};

static const struct option_row rows[] = {
    {.name = "ready",
     .kind = OPTION_FLAG,
     .help = "be ready at once",
     .offset = offsetof(struct join_options, ready)},
    {.name = NULL},
};

static int run_command(const struct invocation *invocation)
{
    const struct join_options *options = invocation->options;
    struct play_plan plan = {
        .room = invocation->operands[0],
        .seat = (int)invocation->where.seat,
        .colour = invocation->where.colour,
        .ready = options->ready,
    };
    return play_run(invocation, &plan);
}

const struct command command_join = {
    .name = "join",
    .operands = "ROOM",
    .summary = "Take a seat and play",
    .details =
        "Takes a seat in the room, or comes back to it: a player gets the same seat again. At\n"
        "the table `help` lists what can be typed. With --json every message of the server is a\n"
        "line out, and every line in is a request without its id, as protocol/README.md has them;\n"
        "lines with \"local\" are the client's own. {\"local\":\"quit\"} ends.",
    .operands_min = 1,
    .operands_max = 1,
    .online = true,
    .enters = true,
    .draws = true,
    .takes_seat = true,
    .rows = rows,
    .options_size = sizeof(struct join_options),
    .run = run_command,
};
