#include "feature_table.h"

#include "hub_private.h"
#include <assert.h>
#include <hub/letter.h>
#include <hub/store_tables.h>
#include <room/result.h>
#include <stdlib.h>
#include <string.h>

static size_t place_of(const struct hub *hub, const struct feature_memory *memory)
{
    size_t at = 0;
    while (hub->features.list[at]->memory != memory) {
        at++;
        assert(hub->features.list[at] && "of a feature of this hub");
    }
    return at;
}

void *feature_state(const struct hub *hub, const struct feature_memory *memory)
{
    return hub->features.states[place_of(hub, memory)];
}

void *feature_session_state(const struct hub *hub, const struct feature_memory *memory,
                            unsigned char *session_states)
{
    return session_states + hub->features.session_at[place_of(hub, memory)];
}

void *feature_room_state(const struct hub *hub, const struct feature_memory *memory,
                         unsigned char *room_states)
{
    return room_states + hub->features.room_at[place_of(hub, memory)];
}

void *feature_conn_state(const struct hub *hub, const struct feature_memory *memory,
                         unsigned char *conn_states)
{
    return conn_states + hub->features.conn_at[place_of(hub, memory)];
}

/* ---- begin and end */

static size_t aligned(size_t bytes)
{
    const size_t step = _Alignof(max_align_t);
    return (bytes + step - 1) / step * step;
}

/* A place for it in each session and room, and beside each connection. */
static void add_states(struct feature_table *table, size_t at)
{
    const struct feature_memory *memory = table->list[at]->memory;
    table->session_at[at] = table->session_bytes;
    table->room_at[at] = table->room_bytes;
    table->conn_at[at] = table->conn_bytes;
    if (!memory)
        return;
    table->session_bytes += aligned(memory->session_bytes);
    table->room_bytes += aligned(memory->room_bytes);
    table->conn_bytes += aligned(memory->conn_bytes);
}

/* Else its rows would not be in any store. */
static void check_tables(const struct feature *feature)
{
    for (const struct store_table *const *table = feature->tables; table && *table; table++)
        assert(store_tables_have(*table) && "store_tables_of was told of the feature");
}

static void add_requests(struct feature_table *table, const struct feature *feature)
{
    for (size_t i = 0; i < feature->request_count; i++) {
        const struct request_row *row = &feature->requests[i];
        assert(!table->rows[row->op] && "one answers it");
        table->rows[row->op] = row;
        table->owners[row->op] = feature;
    }
}

int features_begin(struct hub *hub)
{
    static const struct feature *const none[] = {NULL};
    struct feature_table *table = &hub->features;
    table->list = hub->env.features ? hub->env.features : none;
    for (size_t at = 0; table->list[at]; at++) {
        const struct feature *feature = table->list[at];
        assert(at < FEATURES_MAX);
        check_tables(feature);
        add_requests(table, feature);
        add_states(table, at);
        assert(!table->poster || !feature->poster);
        table->poster = feature->poster ? feature->poster : table->poster;
        assert(!table->hearer || !feature->hear);
        table->hearer = feature->hear ? feature : table->hearer;
        assert(!table->doors || !feature->doors);
        table->doors = feature->doors ? feature->doors : table->doors;
        table->states[at] = feature->memory ? calloc(1, feature->memory->hub_bytes) : NULL;
        if (feature->memory && !table->states[at])
            return -1;
        if (feature->begin && feature->begin(hub) < 0)
            return -1;
    }
    return 0;
}

void features_end(struct hub *hub)
{
    const struct feature_table *table = &hub->features;
    for (size_t at = 0; table->list[at]; at++) {
        const struct feature *feature = table->list[at];
        if (feature->end && (table->states[at] || !feature->memory))
            feature->end(hub);
        free(table->states[at]);
    }
}

/* ---- what they add, and what they are told */

void features_write_hello(const struct hub *hub, const struct session *session, bool owner,
                          struct writer *writer)
{
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        if ((*feature)->write_hello && (owner || !(*feature)->hello_for_owner))
            (*feature)->write_hello(hub, session, writer);
    }
}

void features_write_kept(const struct hub *hub, uint64_t session, bool at_desk,
                         struct writer *writer)
{
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        if ((*feature)->write_kept)
            (*feature)->write_kept(hub, session, at_desk, writer);
    }
}

void features_write_figures(const struct hub *hub, struct buffer *out)
{
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        if ((*feature)->write_figures)
            (*feature)->write_figures(hub, out);
    }
}

enum protocol_error features_allow(const struct hub *hub, const struct session *session,
                                   const struct request *request)
{
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        const enum protocol_error error =
            (*feature)->allows ? (*feature)->allows(hub, session, request) : PROTOCOL_OK;
        if (error != PROTOCOL_OK)
            return error;
    }
    return PROTOCOL_OK;
}

bool features_hide(const struct hub *hub, const struct session *session, uint64_t speaker)
{
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        if ((*feature)->hides && (*feature)->hides(hub, session, speaker))
            return true;
    }
    return false;
}

void features_said(struct hub *hub, struct hub_room *hub_room, const struct feature_line *line)
{
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        if ((*feature)->said)
            (*feature)->said(hub, hub_room, line);
    }
}

int64_t features_barred_until_ms(const struct hub *hub, enum feature_bar bar, uint64_t session,
                                 const struct address_prefix *address)
{
    int64_t until_ms = 0;
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        const int64_t one_ms = (*feature)->barred_until_ms
                                   ? (*feature)->barred_until_ms(hub, bar, session, address)
                                   : 0;
        until_ms = one_ms > until_ms ? one_ms : until_ms;
    }
    return until_ms;
}

void features_session_begun(struct hub *hub, struct session *session)
{
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        if ((*feature)->session_begun)
            (*feature)->session_begun(hub, session);
    }
}

bool features_session_ends(struct hub *hub, const struct session *session)
{
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        if ((*feature)->session_ends && !(*feature)->session_ends(hub, session))
            return false;
    }
    return true;
}

void features_session_gone(struct hub *hub, struct session *session)
{
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        if ((*feature)->session_gone)
            (*feature)->session_gone(hub, session);
    }
}

void features_connection_left(struct hub *hub, struct session *session, uint32_t device)
{
    if (hub->features.doors)
        hub->features.doors->left(hub, session, device);
}

bool features_keep_session(const struct hub *hub, const struct session *session)
{
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        if ((*feature)->keeps_session && (*feature)->keeps_session(hub, session))
            return true;
    }
    return false;
}

size_t features_device_ops_max(const struct hub *hub)
{
    size_t ops = 0;
    for (const struct feature *const *feature = hub->features.list; *feature; feature++)
        ops += (*feature)->devices ? (*feature)->devices->ops_max : 0;
    return ops;
}

size_t features_drop_device(struct hub *hub, const struct session *session, uint32_t device,
                            bool store)
{
    size_t ops = 0;
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        if ((*feature)->devices)
            ops += (*feature)->devices->drop(hub, session, device, store);
    }
    return ops;
}

void features_device_dropped(struct hub *hub, struct session *session, uint32_t device)
{
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        if ((*feature)->devices)
            (*feature)->devices->dropped(hub, session, device);
    }
}

static bool has_table(const struct feature *feature, const struct store_table *table)
{
    const struct store_table *const *at = feature->tables;
    while (at && *at && *at != table)
        at++;
    return at && *at;
}

bool features_restore_row(struct hub *hub, const struct store_table *table, const void *row)
{
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        if (has_table(*feature, table))
            return (*feature)->restore_row(hub, table, row);
    }
    return true;
}

const struct letter_row *features_letter(const struct hub *hub, const char *kind)
{
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        for (size_t i = 0; i < (*feature)->letter_count; i++) {
            if (strcmp((*feature)->letters[i].kind, kind) == 0)
                return &(*feature)->letters[i];
        }
    }
    return NULL;
}

void features_room_durable(struct hub *hub, struct hub_room *hub_room, bool restored)
{
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        if ((*feature)->room_durable)
            (*feature)->room_durable(hub, hub_room, restored);
    }
}

int64_t features_deadline_ms(const struct hub *hub)
{
    int64_t due_ms = INT64_MAX;
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        const int64_t one_ms = (*feature)->deadline_ms ? (*feature)->deadline_ms(hub) : INT64_MAX;
        due_ms = one_ms < due_ms ? one_ms : due_ms;
    }
    return due_ms;
}

void features_match_over(struct hub *hub, const struct room *room)
{
    struct room_result result;
    const bool over = room_result(room, &result);
    assert(over);
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        if ((*feature)->match_over)
            (*feature)->match_over(hub, room, &result);
    }
}

void features_in_play(struct hub *hub, const struct room *room, uint32_t before)
{
    const uint32_t now = room_in_play(room);
    for (const struct feature *const *feature = hub->features.list; *feature && now != before;
         feature++) {
        if ((*feature)->in_play)
            (*feature)->in_play(hub, room, before, now);
    }
}
