/*
 * The documents of a site of one part in its hub (hub/document.h): those that the store has handed
 * out, until somebody takes them, and the one that is being kept.
 */
#ifndef HUB_DOCUMENT_ROWS_H
#define HUB_DOCUMENT_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct document_copy;
struct hub;
struct store_document;

/*
 *     NOTHING --put--> WAITING --stored, or not--> ANSWERED --asked for--> NOTHING
 */
enum document_wait { DOCUMENT_NOTHING, DOCUMENT_WAITING, DOCUMENT_ANSWERED };

struct document_rows {
    struct document_copy *first;
    enum document_wait state;
    bool stored;
};

/* False: out of memory. */
bool document_rows_restore(struct hub *hub, const struct store_document *row);
/* As hub_document_take and hub_document_next (hub/document.h). */
char *document_rows_take(struct hub *hub, const char *name, size_t *len, int64_t *revision);
bool document_rows_next(struct hub *hub, bool *kept);
/* What was waited for is durable, or could not be stored. */
void document_rows_done(struct hub *hub, bool stored);
void document_rows_release(struct hub *hub);

#endif
