#include "online.h"
#include <cli/state.h>
#include <protocol/account.h>
#include <protocol/encoding.h>
#include <string.h>

struct claim_options {
    const char *invitation;
};

static const struct option_row rows[] = {
    {.name = "invitation",
     .kind = OPTION_NAME,
     .value = "CODE",
     .help = "where accounts are by invitation: the code that you were given",
     .offset = offsetof(struct claim_options, invitation)},
    {.name = NULL},
};

static void on_claimed(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    const json_t *account = json_object_get(ok, "account");
    if (error) {
        online_refused(online, error);
        return;
    }
    online_say(online, "@%s is yours: nobody else here has it, or ever gets it.%s",
               state_text(account, "handle"),
               json_object_get(account, "rename_until")
                   ? " You can change it once, in the first seven days."
                   : "");
    online_stop(online, EXIT_OK);
}

static void claim_handle(struct online *online)
{
    const char *handle = online->invocation->operands[0];
    wire_client_request(online->client, request_make("claim", NULL, "handle", handle), on_claimed,
                        online);
}

static void on_redeemed(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    (void)ok;
    if (error)
        online_refused(online, error);
    else
        claim_handle(online);
}

static void on_ready(struct online *online)
{
    const struct claim_options *options = online->invocation->options;
    if (options->invitation)
        wire_client_request(online->client,
                            request_make("redeem", NULL, "invite", options->invitation),
                            on_redeemed, online);
    else
        claim_handle(online);
}

static int run_command(const struct invocation *invocation)
{
    static const struct online_app app = {.ready = on_ready};
    const struct claim_options *options = invocation->options;
    const char *handle = invocation->operands[0];
    if (!handle_valid(handle, strlen(handle)))
        return command_complain(invocation,
                                "a handle has 3 to 20 letters and digits, a letter first, and "
                                "single - or _ between them");
    if (options->invitation && !pass_valid(options->invitation, strlen(options->invitation)))
        return command_complain(invocation, "an invitation has 28 letters and digits");
    return online_run(invocation, &app, NULL);
}

const struct command command_claim = {
    .name = "claim",
    .operands = "HANDLE",
    .summary = "Get a handle that nobody else has",
    .details =
        "On a server that has accounts: your session is known by HANDLE from now on, beside its\n"
        "name, and stays all that it is: there is no e-mail address and no password. A handle\n"
        "has 3 to 20 letters and digits, a letter first, and single - or _ between them. Nobody\n"
        "else ever gets it, even if you stop using it, nor one that looks like it. In the first\n"
        "seven days you can change it once, by the same command; its capital letters, - and _\n"
        "at any time. Where accounts are by invitation, --invitation is the code that the "
        "operator\n"
        "or somebody who has one gave you: good once.",
    .operands_min = 1,
    .operands_max = 1,
    .online = true,
    .asks_once = true,
    .rows = rows,
    .options_size = sizeof(struct claim_options),
    .run = run_command,
};
