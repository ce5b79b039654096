#include "own_news.h"

#include <cli/state.h>
#include <string.h>

static void say_challenge(struct online *online, const json_t *push)
{
    const bool teams = json_is_true(state_at(push, "teams"));
    online_say(online, "@%s wants to play %s with you%s: `taluva seek --game %s%s --with %s`.",
               state_text(push, "handle"), state_text(push, "game"), teams ? " as a partner" : "",
               state_text(push, "game"), teams ? " --teams" : "", state_text(push, "handle"));
}

static void say_refund(struct online *online, const json_t *push)
{
    online_say(online, "A rated match does not count after all: %s. Your rating in %s: %d -> %d.",
               state_text(push, "reason"), state_text(push, "class"),
               (int)json_integer_value(state_at(push, "before")),
               (int)json_integer_value(state_at(push, "after")));
}

void own_news_say(struct online *online, const json_t *push)
{
    const char *kind = state_text(push, "push");
    if (online->invocation->online.json) /* which has the push itself */
        return;
    if (strcmp(kind, "challenged") == 0)
        say_challenge(online, push);
    else if (strcmp(kind, "refunded") == 0)
        say_refund(online, push);
}
