#include "erase.h"

#include "queries.sql.h"
#include "row_table.h"
#include <room/erased.h>
#include <sql/table_sql.h>

static void write_erasing(struct sql *sql)
{
    sql_add(sql, "WITH listed AS MATERIALIZED (");
    pg_row_sql_rooms_of(sql);
    sql_add(sql, ")%s", SQL_ERASE_NAMES);
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
    params_add_number(&p, STORE_ERASE_ROOMS);
    params_add_text(&p, ROOM_ERASED_NAME);
    params_add_text(&p, ROOM_ERASED_AGENT);
    params_add_number(&p, STORE_GAME_TEXT_MAX);
    return PQsendQueryParams(db->pg, sql.text, p.count, NULL, p.values, p.lengths, p.formats, 1) ==
           1;
}
