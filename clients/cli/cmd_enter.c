#include "online.h"
#include "pass_ask.h"
#include <cli/glyph.h>
#include <cli/state.h>
#include <sodium.h>

struct enter_options {
    bool replace;
};

static const struct option_row rows[] = {
    {.name = "replace",
     .kind = OPTION_FLAG,
     .help = "even if the profile has a session: it is left behind, with its seats",
     .offset = offsetof(struct enter_options, replace)},
    {.name = NULL},
};

static void on_ready(struct online *online)
{
    const size_t seats = json_array_size(json_object_get(online->hello, "seats"));
    if (!online->invocation->online.json) {
        fputs("You are ", stdout);
        glyph_print_text(state_text(online->hello, "name"), stdout);
        fputs(" here too.\n", stdout);
        if (seats > 0)
            printf("You sit in %zu room%s: `taluva rooms` lists them first.\n", seats,
                   seats > 1 ? "s" : "");
    }
    online_stop(online, EXIT_OK);
}

static int enter_server(const struct invocation *invocation, const struct pass_text *text)
{
    static const struct online_app app = {.ready = on_ready};
    const struct enter_options *options = invocation->options;
    const struct online_entry entry = {.pass = text->pass, .replace = options->replace};
    struct invocation there = *invocation;
    if (!there.online.server && *text->server)
        there.online.server = text->server;
    return online_run_entering(&there, &entry, &app, NULL);
}

static int ask_pass(const struct invocation *invocation, struct pass_text *text)
{
    static const struct pass_question question = {
        .prompt = "Link or recovery phrase (it is not shown): ",
        .again = "That is neither, or there is a slip in it. Once more: ",
        .none = "no link and no recovery phrase was given",
        .unclear = "that is no link and no recovery phrase, or there is a slip in it",
    };
    return pass_ask(invocation, &question, text);
}

static int run_command(const struct invocation *invocation)
{
    struct pass_text text;
    int status = ask_pass(invocation, &text);
    if (status == EXIT_OK)
        status = enter_server(invocation, &text);
    sodium_memzero(&text, sizeof text);
    return status;
}

const struct command command_enter = {
    .name = "enter",
    .operands = "",
    .summary = "Go on here as a player from elsewhere",
    .details =
        "Takes a link that another device has made (`taluva link`, or the page), or a recovery\n"
        "phrase, and makes this profile one more device of that player. It is typed at the\n"
        "terminal, where it is not shown, or read from the standard input: on a command line\n"
        "other users of this machine could see it. A link also says which server it is for,\n"
        "unless --server does. Capitals, spaces and hyphens do not matter.\n\n"
        "    taluva enter < FILE",
    .online = true,
    .asks_once = true,
    .rows = rows,
    .options_size = sizeof(struct enter_options),
    .run = run_command,
};
