/*
 * A second engine behind the interface of hub/store.h: a store in memory, the hub's counterpart in
 * the unit tests and the simulator. It checks its input: operations that break the contract (an
 * event that is not the next, a room put twice) are refused and described in `complaint`.
 *
 * Closing and opening it again is a restart: its content stays until model_release.
 */
#ifndef SUPPORT_MODEL_STORE_H
#define SUPPORT_MODEL_STORE_H

#include <hub/hub.h>
#include <hub/store.h>
#include <identity/credential_table.h>
#include <notify/browser_table.h>
#include <stdbool.h>

struct model_room {
    struct store_room row;
    struct room_event *events;
    size_t count, size;
    uint64_t *guests; /* by the code of invitation */
    size_t guest_count, guest_size;
    bool archived;
};

struct model_row {
    const struct store_table *table;
    void *row; /* its copy, which borrows from the one below */
    char *borrowed;
};

struct model_store {
    struct store store;
    struct model_store *next; /* in a ring of all stores of a site; NULL: it is alone */
    uint64_t epoch;
    bool ends_pages;    /* no page of rows says that there are more */
    bool gives_twice;   /* does not look whether another row has what one claims */
    const char *refuse; /* also refuse this room, once it has ops in a batch; NULL: none */
    struct store_session *sessions;
    size_t session_count, session_size;
    struct model_row *rows; /* described ones, as they came */
    size_t row_count, row_size;
    struct model_room *rooms;
    size_t room_count, room_size;
    char complaint[160];
};

void model_init(struct model_store *model);
void model_release(struct model_store *model);

/* Commits a batch through the interface; done when it returns. */
enum store_result model_commit(struct model_store *model, const struct store_batch *batch);
/* Loads its content into a hub that has just been created, as a server does at start. */
int model_restore(struct model_store *model, struct hub *hub, int64_t now_ms);
/* Reads a room and answers one hub_read_take. */
void model_read(struct model_store *model, struct hub *hub, const char *room_id, int64_t now_ms);
/* The same for a page of described rows and hub_query_take. */
void model_query(struct model_store *model, struct hub *hub, struct store_query *query,
                 int64_t now_ms);

const struct model_room *model_room(const struct model_store *model, const char *id);
/* How many rows the table has, and the at-th of them all. */
size_t model_rows(const struct model_store *model, const struct store_table *table);
const void *model_nth(const struct model_store *model, const struct store_table *table, size_t at);
/* Puts a copy of it. */
void model_put_row(struct model_store *model, const struct store_row *row);
/* The at-th row of the table that belongs to the session; NULL: it has fewer. */
const void *model_row(const struct model_store *model, const struct store_table *table,
                      uint64_t session, size_t at);
/* The at-th pass of that kind of the session; NULL: it has fewer. */
const struct credential_row *model_pass(const struct model_store *model, uint64_t session,
                                        enum credential_kind kind, size_t at);
/* The at-th browser of the session; NULL: it has fewer. */
static inline const struct browser_row *model_push(const struct model_store *model,
                                                   uint64_t session, size_t at)
{
    return model_row(model, &browser_table, session, at);
}
const struct store_session *model_session(const struct model_store *model, uint64_t id);

#endif
