/*
 * Leaving the table. A match without a server ends with the program, so that is asked first.
 */
#include "table.h"
#include <cli/state.h>
#include <string.h>

/* Only people at a terminal can be asked. */
static bool loses_match(const struct table *table)
{
    const json_t *state = table_state(table);
    return table->plan->here && table->screen.terminal.is_terminal &&
           (state_is(state, "playing") || state_is(state, "paused"));
}

void table_quit(struct table *table, const char *text)
{
    if (loses_match(table) && strcmp(text, "yes") != 0)
        table_say(table, "The match is not over and would be lost: `quit yes` ends it%s.",
                  hotseat_count(table->online->hotseat) > 1 ? " for everybody here" : "");
    else
        online_stop(table->online, EXIT_OK);
}

bool table_break(struct table *table)
{
    const bool asked = table->break_asked;
    table->break_asked = false;
    if (table->prompt && prompt_clear(table->prompt))
        return true;
    if (table->choosing) {
        table_choose_stop(table);
        return true;
    }
    if (asked || !loses_match(table))
        return false;
    table->break_asked = true;
    table_say(table, "The match is not over and would be lost: Control-C again, or `quit yes`, "
                     "ends it.");
    return true;
}
