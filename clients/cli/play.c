#include "play.h"

#include "play_enter.h"
#include <string.h>

/* ---- only making the room */

static void not_made(struct online *online, const char *room, const json_t *error)
{
    (void)room;
    online_refused(online, error);
}

static void on_ready(struct online *online)
{
    play_enter(online, online->user, not_made);
}

static int make_only(const struct invocation *invocation, struct play_plan *plan)
{
    static const struct online_app app = {.ready = on_ready};
    return online_run(invocation, &app, plan);
}

int play_run(const struct invocation *invocation, struct play_plan *plan)
{
    int code = EXIT_USAGE;
    if (plan->leave_at_once)
        code = make_only(invocation, plan);
    else
        code =
            invocation->online.json ? play_script(invocation, plan) : play_table(invocation, plan);
    json_decref(plan->create);
    json_decref(plan->seek);
    return code;
}
