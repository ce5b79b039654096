#include "handle_ask.h"

#include "online.h"
#include <protocol/account.h>
#include <string.h>

struct asked {
    const struct handle_ask *ask;
    const char *handle;
};

static void on_done(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    const struct asked *asked = online->user;
    (void)ok;
    if (error) {
        online_refused(online, error);
        return;
    }
    online_say(online, "@%s %s", asked->handle, asked->ask->said);
    online_stop(online, EXIT_OK);
}

static void on_ready(struct online *online)
{
    const struct asked *asked = online->user;
    wire_client_request(online->client, request_make(asked->ask->op, NULL, "handle", asked->handle),
                        on_done, online);
}

int handle_ask_run(const struct invocation *invocation, const struct handle_ask *ask)
{
    static const struct online_app app = {.ready = on_ready};
    struct asked asked = {ask, invocation->operands[0]};
    if (!handle_valid(asked.handle, strlen(asked.handle)))
        return command_complain(invocation, "%s is no handle", asked.handle);
    return online_run(invocation, &app, &asked);
}
