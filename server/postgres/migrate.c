#include "command.h"
#include "schema.h"

static enum db_result migrate(struct db *db, void *ctx)
{
    struct postgres_versions *versions = ctx;
    int64_t before, now;
    enum db_result result = schema_look(db, &before);
    if (result == DB_OK)
        result = schema_open(db);
    if (result == DB_OK)
        result = schema_look(db, &now);
    if (result == DB_OK)
        *versions = (struct postgres_versions){(int)before, (int)now, POSTGRES_VERSION};
    return result;
}

enum postgres_problem postgres_migrate(const char *url, struct postgres_versions *versions,
                                       struct postgres_said *said)
{
    return command_run(url, "taluvad migrate", said, migrate, versions);
}
