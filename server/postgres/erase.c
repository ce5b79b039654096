#include "erase.h"

#include "queries.sql.h"
#include "row_table.h"
#include <room/erased.h>
#include <sql/table_sql.h>

/* The lines that others have of these rooms, if the table has any (STORE_LINE). */
static void write_lines(struct sql *sql, size_t at)
{
    const struct store_table *table = store_tables[at];
    for (size_t column = 0; column < table->count; column++) {
        const struct store_column *line = &table->columns[column];
        if (line->flags & STORE_LINE)
            sql_add(sql,
                    ", lines%zu AS (UPDATE taluva.%s g SET %s ="
                    " (WITH was AS (SELECT g.%s AS text, %u AS most) %s)"
                    " %s WHERE g.%s = a.session AND g.%s = r.id)",
                    at, table->name, line->name, line->name, line->max, SQL_ERASED_LINE,
                    SQL_ERASED_ROWS, table->columns[table->owner_at].name,
                    table->columns[table->room_at].name);
    }
}

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
    for (size_t at = 0; store_tables[at]; at++)
        write_lines(sql, at);
    sql_add(sql, " SELECT count(*) FROM rooms");
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
    return PQsendQueryParams(db->pg, sql.text, p.count, NULL, p.values, p.lengths, p.formats, 1) ==
           1;
}
