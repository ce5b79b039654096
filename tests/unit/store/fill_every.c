/*
 * Puts into a store whatever it lacks of the rows of every table (every_table.h); it changes no
 * other. For every.py.
 *
 * usage: fill-every URL|FOLDER
 */
#include "every_table.h"
#include <postgres/store.h>
#include <registry/registry.h>
#include <stdio.h>
#include <store/store.h>
#include <string.h>
#include <sysexits.h>

static bool fill_table(const struct every_table *every, struct store *store, size_t table)
{
    for (int which = 0; which < EVERY_ROWS; which++) {
        if (!every_table_makes(store_tables[table], (enum every_which)which) ||
            every_table_has(every, store, table, (enum every_which)which))
            continue;
        const enum store_result result =
            every_table_put(store, store_tables[table], (enum every_which)which);
        fprintf(stderr, "fill-every: %s, row %d: %d\n", store_tables[table]->name, which,
                (int)result);
        if (result != STORE_OK)
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    struct every_table every;
    char message[STORE_MESSAGE_MAX] = "";
    if (argc != 2) {
        fputs("usage: fill-every URL|FOLDER\n", stderr);
        return EX_USAGE;
    }
    store_tables_of(registry);
    const struct store_sink sink = every_table_sink(&every);
    struct store *store = strstr(argv[1], "://")
                              ? postgres_store_create(argv[1], &(struct postgres_options){0})
                              : sqlite_store_create(argv[1]);
    if (!store || store->engine->open(store, &sink, message) != STORE_OK) {
        fprintf(stderr, "fill-every: %s\n", store ? message : "out of memory");
        return EX_UNAVAILABLE;
    }
    bool done = true;
    for (size_t table = 0; store_tables[table] && done; table++)
        done = fill_table(&every, store, table);
    store->engine->close(store);
    return done ? EX_OK : EX_SOFTWARE;
}
