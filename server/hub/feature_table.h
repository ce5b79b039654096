/*
 * The features that this hub has (features/feature.h): their states, and who answers which
 * operation.
 */
#ifndef HUB_FEATURE_TABLE_H
#define HUB_FEATURE_TABLE_H

#include <features/feature.h>
#include <protocol/request.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buffer;
struct hub;
struct room;
struct session;
struct writer;

struct feature_table {
    const struct feature *const *list; /* NULL at the end */
    void *states[FEATURES_MAX];
    const struct request_row *rows[REQUEST_OPS]; /* NULL: nobody answers it */
    const struct feature *owners[REQUEST_OPS];   /* NULL: the hub itself */
    size_t session_bytes, room_bytes;            /* of all, behind each session and room */
    size_t conn_bytes;                           /* of all, beside each connection */
    /* Where each has its own there. */
    size_t session_at[FEATURES_MAX], room_at[FEATURES_MAX], conn_at[FEATURES_MAX];
    const struct feature_poster *poster; /* NULL: nobody */
    const struct feature_doors *doors;   /* the same */
    const struct feature *hearer;        /* the same, of feature.hear */
};

/* Once the hub's own rows are there. <0: out of memory; to be ended all the same. */
int features_begin(struct hub *hub);
void features_end(struct hub *hub);
void *feature_state(const struct hub *hub, const struct feature_memory *memory);
/* Behind what `session_states`, `room_states` or `conn_states` points to. */
void *feature_session_state(const struct hub *hub, const struct feature_memory *memory,
                            unsigned char *session_states);
void *feature_room_state(const struct hub *hub, const struct feature_memory *memory,
                         unsigned char *room_states);
void *feature_conn_state(const struct hub *hub, const struct feature_memory *memory,
                         unsigned char *conn_states);

void features_write_hello(const struct hub *hub, const struct session *session, bool owner,
                          struct writer *writer);
void features_write_kept(const struct hub *hub, uint64_t session, bool at_desk,
                         struct writer *writer);
void features_write_figures(const struct hub *hub, struct buffer *out);
/* PROTOCOL_OK, or why one of them does not let the session ask that. */
enum protocol_error features_allow(const struct hub *hub, const struct session *session,
                                   const struct request *request);
bool features_hide(const struct hub *hub, const struct session *session, uint64_t speaker);
void features_said(struct hub *hub, struct hub_room *hub_room, const struct feature_line *line);
/* Until when that session (0: none) or address (NULL: any) is kept from it; 0: it is not. */
int64_t features_barred_until_ms(const struct hub *hub, enum feature_bar bar, uint64_t session,
                                 const struct address_prefix *address);
void features_session_begun(struct hub *hub, struct session *session);
/* False: out of memory, and the batch may hold some of what they have sent. */
bool features_session_ends(struct hub *hub, const struct session *session);
void features_session_gone(struct hub *hub, struct session *session);
void features_connection_left(struct hub *hub, struct session *session, uint32_t device);
bool features_keep_session(const struct hub *hub, const struct session *session);
size_t features_device_ops_max(const struct hub *hub);
size_t features_drop_device(struct hub *hub, const struct session *session, uint32_t device,
                            bool store);
void features_device_dropped(struct hub *hub, struct session *session, uint32_t device);
/* Of a feature that this hub does not have it stays in the store alone. False: out of memory. */
bool features_restore_row(struct hub *hub, const struct store_table *table, const void *row);
/* Who takes letters of that kind; NULL: nobody. */
const struct letter_row *features_letter(const struct hub *hub, const char *kind);
void features_room_durable(struct hub *hub, struct hub_room *hub_room, bool restored);
int64_t features_deadline_ms(const struct hub *hub);
/* With the event that ends it in the batch that fills. */
void features_match_over(struct hub *hub, const struct room *room);
/* The same: `before` were in play until then. */
void features_in_play(struct hub *hub, const struct room *room, uint32_t before);

#endif
