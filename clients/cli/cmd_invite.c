#include "online.h"
#include "when.h"
#include <base/program.h>
#include <cli/glyph.h>
#include <cli/state.h>

static void on_invite(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    char day[WHEN_DAY];
    if (error) {
        online_refused(online, error);
        return;
    }
    if (!online->invocation->online.json) {
        glyph_print_text(state_text(ok, "invite"), stdout);
        putchar('\n');
        program_flush_output();
    }
    when_day(day, json_integer_value(json_object_get(ok, "until")));
    online_say(online,
               "Good once, until %s: `taluva claim HANDLE --invitation CODE`, or in the page.",
               day);
    online_stop(online, EXIT_OK);
}

static void on_ready(struct online *online)
{
    wire_client_request(online->client, request_make("invite", NULL, NULL, NULL), on_invite,
                        online);
}

static int run_command(const struct invocation *invocation)
{
    static const struct online_app app = {.ready = on_ready};
    return online_run(invocation, &app, NULL);
}

const struct command command_invite = {
    .name = "invite",
    .operands = "",
    .summary = "Invite somebody to get a handle",
    .details = "On a server that has accounts by invitation: prints a code, with which one person\n"
               "gets a handle, once and within a time. An account can have a few that are good.",
    .online = true,
    .asks_once = true,
    .run = run_command,
};
