#include "erase.h"

#include "row_table.h"
#include <room/erased.h>
#include <sql/table_sql.h>

/*
 * As room/erased.h says it: in SQL, as a batch is sent at once and nothing is read in between. Rows
 * are read before they change. The line of a seat is that of its last event of who sits there.
 */
static const char erase_in_log[] =
    "), sat AS (SELECT DISTINCT ON (room, seat) room, seat, seq FROM taluva.event"
    "  WHERE room IN (SELECT key FROM rooms) AND kind IN (1, 2)"
    "  ORDER BY room, seat, seq DESC),"
    " places AS (SELECT DISTINCT ON (e.room) e.room, e.seat, e.seq FROM taluva.event e"
    "  WHERE e.room IN (SELECT key FROM rooms) AND e.session = $1::bigint AND e.kind = 1"
    "  AND e.text ~ '^[^ ]+ (human(:[^ ]*)?|agent:[^ ]*) ' ORDER BY e.room, e.seq DESC),"
    " log AS (UPDATE taluva.event SET text = regexp_replace(regexp_replace(text,"
    "   '^([^ ]+) human(:[^ ]*)? .*$', '\\1 human " ROOM_ERASED_NAME "'),"
    "   '^([^ ]+) agent:[^ ]* .*$', '\\1 agent:" ROOM_ERASED_AGENT " " ROOM_ERASED_NAME "')"
    "  WHERE room IN (SELECT key FROM rooms) AND session = $1::bigint AND kind = 1),"
    " lists AS (UPDATE taluva.game g SET text = regexp_replace(g.text,"
    "   '(\"seats\":\\{.*?\"' || p.seat || '\":\\{\"name\":\")(?:[^\"\\\\]|\\\\.)*\""
    "(?:,\"handle\":\"[^\"]*\")?(?=,\"colour\":)', '\\1" ROOM_ERASED_NAME "\"')"
    "  FROM rooms r JOIN places p ON p.room = r.key"
    "   JOIN sat s ON s.room = p.room AND s.seat = p.seat AND s.seq = p.seq"
    "  WHERE g.room = r.id AND g.session <> $1::bigint"
    "   AND g.session IN (SELECT session FROM taluva.event WHERE room = r.key))";

static void write_erasing(struct sql *sql)
{
    sql_add(sql, "WITH rooms AS (SELECT key, id FROM taluva.room WHERE archived AND id IN (");
    pg_row_sql_rooms_of(sql);
    sql_add(sql, ") ORDER BY key LIMIT %d%s", STORE_ERASE_ROOMS, erase_in_log);
    for (size_t at = 0; store_tables[at]; at++) {
        const struct store_table *table = store_tables[at];
        if (table->room_at)
            sql_add(sql,
                    ", own%zu AS (DELETE FROM taluva.%s WHERE %s = $1::bigint AND %s IN"
                    " (SELECT id FROM rooms))",
                    at, table->name, table->columns[table->owner_at].name,
                    table->columns[table->room_at].name);
    }
    sql_add(sql, " DELETE FROM taluva.game WHERE session = $1::bigint"
                 " AND room IN (SELECT id FROM rooms)");
}

/* Seldom, so it is not kept prepared. */
bool erase_send(struct db *db, uint64_t session)
{
    struct params p = {0};
    struct sql sql = {.len = 0};
    write_erasing(&sql);
    params_add_number(&p, (int64_t)session);
    return PQsendQueryParams(db->pg, sql.text, p.count, NULL, p.values, p.lengths, p.formats, 1) ==
           1;
}
