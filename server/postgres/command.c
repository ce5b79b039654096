#include "command.h"

#include <stdio.h>

/* For locks of others: servers have none for longer than a moment. */
enum { LOCK_MS = 10000 };

enum postgres_problem command_run(const char *text, const char *name, struct postgres_said *said,
                                  enum db_result (*work)(struct db *db, void *ctx), void *ctx)
{
    struct url url;
    struct db db = {.url = &url, .timeouts = postgres_timeouts_alone};
    const bool known = url_parse(&url, text, db.timeouts.connect_ms);
    snprintf(said->name, sizeof said->name, "%s", url.name);
    snprintf(said->message, sizeof said->message, "%s", url.trouble);
    enum db_result result = DB_FAILED;
    db.problem = url.problem;
    if (known) {
        db.timeouts.answer_ms = POSTGRES_LOAD_MS;
        result = db_connect(&db, name);
        if (result == DB_OK)
            result = db_bound_waits(&db, LOCK_MS, 0);
        if (result == DB_OK)
            result = work(&db, ctx);
        snprintf(said->message, sizeof said->message, "%s", db.message);
    }
    db_disconnect(&db);
    url_release(&url);
    return result == DB_OK ? POSTGRES_FINE : db.problem;
}
