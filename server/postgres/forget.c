/* Rows of nodes that do not come back: there is room for MEMBERSHIP_NODES_MAX names. */
#include "membership_db.h"
#include "queries.sql.h"
#include <postgres/membership.h>
#include <stdio.h>
#include <string.h>

static bool has_part(const struct membership_look *look, const char *name)
{
    for (unsigned part = 0; part < look->parts; part++) {
        if (strcmp(look->part[part].node, name) == 0)
            return true;
    }
    return false;
}

int membership_dead(const struct membership_watch *watch, int64_t dead_ms)
{
    const struct membership_look *look = &watch->look;
    for (size_t at = 0; at < look->nodes; at++) {
        if (look->node[at].away && look->at_ms - watch->node_away_ms[at] >= dead_ms &&
            look->at_ms - watch->node_since_ms[at] >= dead_ms &&
            !has_part(look, look->node[at].name))
            return (int)at;
    }
    return -1;
}

enum store_result membership_forget(struct membership *membership,
                                    const struct membership_node *node,
                                    char message[static STORE_MESSAGE_MAX])
{
    struct db *db = membership_db(membership);
    struct params params = {0};
    PGresult *rows = NULL;
    snprintf(message, STORE_MESSAGE_MAX, "there is no connection");
    if (!db->pg)
        return STORE_FAILED;
    params_add_text(&params, node->name);
    params_add_number(&params, node->life);
    params_add_number(&params, node->beat);
    const enum db_result result = db_ask(db, SQL_NODE_FORGET, &params, &rows);
    const bool gone = result == DB_OK && PQntuples(rows) > 0;
    PQclear(rows);
    snprintf(message, STORE_MESSAGE_MAX, "%s",
             result == DB_OK ? "it has come back, is still connected, or has a part" : db->message);
    return gone ? STORE_OK : result == DB_OK ? STORE_FENCED : STORE_FAILED;
}
