#include "hand.h"

#include "queries.sql.h"
#include "row_table.h"
#include <sql/table_sql.h>

/* The rows that the other one has none of, and then those that are left; both read what was there
 * before. */
static void write_lists(struct sql *sql, const struct store_table *table, size_t at)
{
    const char *owner = table->columns[table->owner_at].name;
    const char *room = table->columns[table->room_at].name;
    sql_add(sql,
            ", both%zu AS MATERIALIZED (SELECT %s FROM taluva.%s WHERE %s = $2::bigint"
            " AND %s IN (SELECT room FROM lines)),"
            " moved%zu AS (UPDATE taluva.%s SET %s = $2::bigint WHERE %s = $1::bigint"
            " AND %s IN (SELECT room FROM lines) AND %s NOT IN (SELECT %s FROM both%zu)),"
            " left%zu AS (DELETE FROM taluva.%s WHERE %s = $1::bigint AND %s IN"
            " (SELECT %s FROM both%zu))",
            at, room, table->name, owner, room, at, table->name, owner, owner, room, room, room, at,
            at, table->name, owner, room, room, at);
}

static void write_handing(struct sql *sql)
{
    sql_add(sql, "WITH listed AS MATERIALIZED (");
    pg_row_sql_rooms_of(sql);
    sql_add(sql, ")%s", SQL_HAND_MATCHES);
    for (size_t at = 0; store_tables[at]; at++) {
        if (store_tables[at]->room_at)
            write_lists(sql, store_tables[at], at);
    }
    sql_add(sql, " SELECT 1");
}

/* Seldom, so it is not kept prepared. */
bool hand_send(struct db *db, const struct store_hand *hand)
{
    struct params p = {0};
    struct sql sql = {.len = 0};
    write_handing(&sql);
    params_add_number(&p, (int64_t)hand->from);
    params_add_number(&p, (int64_t)hand->to);
    params_add_number(&p, STORE_HAND_ROOMS);
    return PQsendQueryParams(db->pg, sql.text, p.count, NULL, p.values, p.lengths, p.formats, 1) ==
           1;
}
