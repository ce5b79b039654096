#include "handle_ask.h"
#include "online.h"
#include <cli/glyph.h>
#include <cli/state.h>
#include <stdio.h>

static int run_block(const struct invocation *invocation)
{
    static const struct handle_ask ask = {
        .op = "block",
        .said = "is blocked: you do not meet at a table, nor hear what they say.",
    };
    return handle_ask_run(invocation, &ask);
}

static int run_unblock(const struct invocation *invocation)
{
    static const struct handle_ask ask = {.op = "unblock", .said = "is not blocked any more."};
    return handle_ask_run(invocation, &ask);
}

/* ---- whom */

static void on_blocks(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    const json_t *block;
    size_t at;
    if (error) {
        online_refused(online, error);
        return;
    }
    json_array_foreach(json_object_get(ok, "blocks"), at, block)
    {
        putchar('@');
        glyph_print_text(state_text(block, "handle"), stdout);
        putchar('\n');
    }
    online_stop(online, EXIT_OK);
}

static void ask_blocks(struct online *online)
{
    wire_client_request(online->client, request_make("blocks", NULL, NULL, NULL), on_blocks,
                        online);
}

static int run_blocks(const struct invocation *invocation)
{
    static const struct online_app app = {.ready = ask_blocks};
    return online_run(invocation, &app, NULL);
}

const struct command command_block = {
    .name = "block",
    .operands = "HANDLE",
    .summary = "Have nothing to do with somebody any more",
    .details =
        "For who has an account (taluva claim): HANDLE and you do not sit at one table any more,\n"
        "are not put together, and you do not get what they say. They are not told. taluva\n"
        "unblock takes it back.",
    .operands_min = 1,
    .operands_max = 1,
    .online = true,
    .asks_once = true,
    .run = run_block,
};

const struct command command_unblock = {
    .name = "unblock",
    .operands = "HANDLE",
    .summary = "Take a block back",
    .details = "HANDLE, whom you have blocked (taluva block), may sit where you do again.",
    .operands_min = 1,
    .operands_max = 1,
    .online = true,
    .asks_once = true,
    .run = run_unblock,
};

const struct command command_blocks = {
    .name = "blocks",
    .operands = "",
    .summary = "List whom you have blocked",
    .details = "The handles of all whom you have blocked (taluva block), one a line.",
    .online = true,
    .asks_once = true,
    .run = run_blocks,
};
