/*
 * Keeping the record of the match in a file.
 */
#include "refusal.h"
#include "table.h"
#include <cli/file.h>
#include <errno.h>
#include <string.h>

/* Without a terminal nobody is there to try again. */
static void fail(struct table *table, const char *why)
{
    table_say(table, "%s", why);
    if (!table->screen.terminal.is_terminal)
        online_stop(table->online, EXIT_FILE);
}

static void on_record(void *user, const char *text, const json_t *error)
{
    struct table *table = user;
    const char *path = table->record_path;
    char why[512];
    if (error) {
        refusal_text(why, sizeof why, error);
        fail(table, why);
    } else if (!file_replace(path, text, strlen(text), false)) {
        snprintf(why, sizeof why, "%s: %s", path, strerror(errno));
        fail(table, why);
    } else {
        table_say(table, "The record is in %s; `taluva verify %s` proves it after the end.", path,
                  path);
    }
    table->record_done(table);
}

void table_keep_record(struct table *table, const char *path, void (*done)(struct table *))
{
    if (table->fetch.busy)
        return;
    snprintf(table->record_name, sizeof table->record_name, "%s.taluva", table->room);
    table->record_done = done;
    table->record_path = path ? path : table->record_name;
    if (!wire_client_is_online(table->online->client))
        table_say(table, "It is fetched once the server is back.");
    record_fetch_begin(&table->fetch, table->online->client, table->room, on_record, table);
}
