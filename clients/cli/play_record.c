/*
 * Keeping the record of the match in a file.
 */
#include "refusal.h"
#include "table.h"
#include <cli/file.h>
#include <cli/state.h>
#include <errno.h>
#include <string.h>

/* Without a terminal nobody is there to try again. */
static void say_problem(struct table *table, const char *why)
{
    table_say(table, "%s", why);
    if (!table->screen.terminal.is_terminal)
        online_stop(table->online, EXIT_FILE);
}

/* A file that somebody named is not overwritten; the usual one is this match's own. */
static bool write_record(const struct table *table, const char *text)
{
    const char *path = table->record_path;
    return strcmp(path, table->record_name) == 0 ? file_replace(path, text, strlen(text), false)
                                                 : file_create(path, text, strlen(text));
}

static void on_record(void *user, const char *text, const json_t *error)
{
    struct table *table = user;
    const char *path = table->record_path;
    char why[1280];
    if (error) {
        refusal_text(why, sizeof why, error);
        say_problem(table, why);
    } else if (!write_record(table, text)) {
        snprintf(why, sizeof why,
                 "%s: %s. The record is not saved; `record` or `record FILE` saves it.", path,
                 strerror(errno));
        say_problem(table, why);
    } else {
        table->record_kept = state_is(table_state(table), "over");
        table_say(table, "The record is in %s; `taluva verify %s` proves it after the end.", path,
                  path);
    }
    table->record_done(table);
}

void table_keep_record(struct table *table, const char *path, void (*done)(struct table *))
{
    if (table->fetch.busy)
        return;
    if (path && strlen(path) >= sizeof table->record_path) {
        table_say(table, "That name of a file is too long.");
        return;
    }
    snprintf(table->record_name, sizeof table->record_name, "%s.taluva", table->room);
    table->record_done = done;
    snprintf(table->record_path, sizeof table->record_path, "%s", path ? path : table->record_name);
    if (!wire_client_is_online(table->online->client))
        table_say(table, "It is fetched once the server is back.");
    record_fetch_begin(&table->fetch, table->online->client, table->room, on_record, table);
}
