/*
 * The features that this hub has (features/feature.h): their states, and who answers which
 * operation.
 */
#ifndef HUB_FEATURE_TABLE_H
#define HUB_FEATURE_TABLE_H

#include <features/feature.h>
#include <protocol/request.h>

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
};

/* Once the hub's own rows are there. <0: out of memory; to be ended all the same. */
int features_begin(struct hub *hub);
void features_end(struct hub *hub);
void *feature_state(const struct hub *hub, const struct feature *feature);

void features_write_hello(const struct hub *hub, const struct session *session,
                          struct writer *writer);
void features_write_figures(const struct hub *hub, struct buffer *out);
/* NULL: it is none of theirs. `*rest` is what stands behind the page's path. */
const struct feature_page *features_page(const struct hub *hub, const char *path,
                                         const char **rest);
const struct operator_row *features_operation(const struct hub *hub, int op);
void features_session_begun(struct hub *hub, struct session *session);
void features_session_gone(struct hub *hub, struct session *session);
int64_t features_deadline_ms(const struct hub *hub);
void features_tick(struct hub *hub);
/* With the event that ends it in the batch that fills. */
void features_match_over(struct hub *hub, const struct room *room);

#endif
