#include "own_news.h"

#include <cli/state.h>
#include <stdio.h>
#include <string.h>

static void write_challenge(char *line, size_t size, const json_t *push)
{
    const bool teams = json_is_true(state_at(push, "teams"));
    (void)snprintf(
        line, size, "@%s wants to play %s with you%s: `taluva seek --game %s%s --with %s`.",
        state_text(push, "handle"), state_text(push, "game"), teams ? " as a partner" : "",
        state_text(push, "game"), teams ? " --teams" : "", state_text(push, "handle"));
}

static void write_refund(char *line, size_t size, const json_t *push)
{
    (void)snprintf(line, size,
                   "A rated match does not count after all: %s. Your rating in %s: %d -> %d.",
                   state_text(push, "reason"), state_text(push, "class"),
                   (int)json_integer_value(state_at(push, "before")),
                   (int)json_integer_value(state_at(push, "after")));
}

bool own_news_write(char *line, size_t size, const json_t *push)
{
    const char *kind = state_text(push, "push");
    const bool challenged = strcmp(kind, "challenged") == 0;
    if (challenged)
        write_challenge(line, size, push);
    else if (strcmp(kind, "refunded") == 0)
        write_refund(line, size, push);
    else
        return false;
    return true;
}
