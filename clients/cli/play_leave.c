/*
 * Leaving the table. A match without a server ends with the program, so that is asked first.
 */
#include "play_seek.h"
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

/* Once: that nobody has kept the record. */
static bool asks_for_record(struct table *table)
{
    if (!table->plan->here || !table->screen.terminal.is_terminal || table->record_kept ||
        table->record_asked || !state_is(table_state(table), "over"))
        return false;
    table->record_asked = true;
    table_say(table, "The record is not saved: `record` saves it, `quit` again leaves.");
    return true;
}

void table_stop(struct table *table)
{
    if (!seek_leaves(EXIT_OK))
        online_stop(table->online, EXIT_OK);
}

void table_quit(struct table *table, const char *text)
{
    const bool sure = strcmp(text, "yes") == 0;
    if (loses_match(table) && !sure)
        table_say(table, "The match is not over and would be lost: `quit yes` ends it%s.",
                  hotseat_count(table->online->hotseat) > 1 ? " for everybody here" : "");
    else if (sure || !asks_for_record(table))
        table_stop(table);
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
    if (!loses_match(table))
        return asks_for_record(table);
    if (asked)
        return false;
    table->break_asked = true;
    table_say(table, "The match is not over and would be lost: Control-C again, or `quit yes`, "
                     "ends it.");
    return true;
}
