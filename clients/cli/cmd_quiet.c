#include "online.h"
#include "pass_ask.h"
#include <sodium.h>
#include <stdio.h>
#include <string.h>

struct quiet_options {
    bool proves;
};

static const struct option_row rows[] = {
    {.name = "prove",
     .kind = OPTION_FLAG,
     .help = "ask for the recovery phrase first, which the server wants to see if there is one",
     .offset = offsetof(struct quiet_options, proves)},
    {.name = NULL},
};

struct quieting {
    bool on;
    struct pass_text phrase; /* "": none was asked for */
};

static void on_quiet(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    const json_t *account = json_object_get(ok, "account");
    if (error) {
        online_refused(online, error);
        return;
    }
    online_say(online, json_is_true(json_object_get(account, "quiet"))
                           ? "You hear nobody, and nobody hears you, on all your devices."
                           : "You hear others, and they hear you.");
    online_stop(online, EXIT_OK);
}

static void ask_for_quiet(struct online *online)
{
    const struct quieting *quieting = online->user;
    json_t *request = request_make("quiet", NULL, NULL, NULL);
    json_object_set_new(request, "on", json_boolean(quieting->on));
    wire_client_request(online->client, request, on_quiet, online);
}

static void on_proven(void *user, const json_t *ok, const json_t *error)
{
    (void)ok;
    if (error)
        online_refused(user, error);
    else
        ask_for_quiet(user);
}

static void ready_for_quiet(struct online *online)
{
    struct quieting *quieting = online->user;
    if (quieting->phrase.pass[0])
        wire_client_request(online->client,
                            request_make("prove", NULL, "pass", quieting->phrase.pass), on_proven,
                            online);
    else
        ask_for_quiet(online);
}

static int run_quiet(const struct invocation *invocation)
{
    static const struct online_app app = {.ready = ready_for_quiet};
    const struct quiet_options *options = invocation->options;
    const char *whether = invocation->operands[0];
    struct quieting quieting = {.on = strcmp(whether, "on") == 0};
    if (!quieting.on && strcmp(whether, "off") != 0)
        return command_complain(invocation, "on or off, not %s", whether);
    int status =
        options->proves ? pass_ask(invocation, &pass_question_phrase, &quieting.phrase) : EXIT_OK;
    if (status == EXIT_OK)
        status = online_run(invocation, &app, &quieting);
    sodium_memzero(&quieting.phrase, sizeof quieting.phrase);
    return status;
}

const struct command command_quiet = {
    .name = "quiet",
    .operands = "on|off",
    .summary = "Hear and say nothing, or do so again",
    .details =
        "For who has an account (taluva claim): on all devices nobody's words reach it, and its\n"
        "own reach nobody; it plays as ever. As somebody else may have set it, off takes the\n"
        "recovery phrase if there is one (--prove), or a passkey in the page.",
    .operands_min = 1,
    .operands_max = 1,
    .online = true,
    .asks_once = true,
    .rows = rows,
    .options_size = sizeof(struct quiet_options),
    .run = run_quiet,
};
