#include "online.h"
#include <cli/state.h>
#include <protocol/account.h>
#include <string.h>

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

static void ready(struct online *online)
{
    const char *handle = online->user;
    wire_client_request(online->client, request_make("claim", NULL, "handle", handle), on_claimed,
                        online);
}

static int run(const struct invocation *invocation)
{
    static const struct online_app app = {.ready = ready};
    char *handle = invocation->operands[0];
    if (!handle_valid(handle, strlen(handle)))
        return command_complain(invocation,
                                "a handle has 3 to 20 letters and digits, a letter first, and "
                                "single - or _ between them");
    return online_run(invocation, &app, handle);
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
        "at any time.",
    .operands_min = 1,
    .operands_max = 1,
    .online = true,
    .asks_once = true,
    .run = run,
};
