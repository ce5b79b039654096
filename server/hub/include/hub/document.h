/*
 * Documents of the site (features/feature.h) in the hub of a part. Whoever has the parts reads one
 * once, for all of them.
 */
#ifndef HUB_DOCUMENT_H
#define HUB_DOCUMENT_H

#include <features/feature.h>
#include <hub/store_document.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;

/* It holds from now on, as that revision; `value` is borrowed until the next one does, or the hub
 * goes. How many connections were closed by that, of those whose home the hub is. */
size_t hub_hold_document(struct hub *hub, const struct feature_document *document,
                         const void *value, int64_t revision, int64_t now_ms);

/* What a feature wants its document to be (hub/kernel.h), in place of that revision. */
struct hub_document_asked {
    const char *name;
    const char *text; /* borrowed until it is answered, or the hub goes */
    size_t len;
    int64_t revision;
};
/* False: nothing is to be changed. Else whoever keeps documents is asked, and the answer given: if
 * the text is kept, after it holds. */
bool hub_document_asked(struct hub *hub, struct hub_document_asked *asked);
/* Of a hub that has asked for nothing this is of no account. */
void hub_document_answer(struct hub *hub, enum document_kept kept, int64_t now_ms);

/*
 * Where the one part of a site keeps them (hub/store_document.h), its hub has what the store has
 * handed out: the text of that name, for free(), and 0-terminated; NULL: there is none, or it was
 * taken before.
 */
char *hub_document_take(struct hub *hub, const char *name, size_t *len, int64_t *revision);
/*
 * Puts the text into the batch that fills, as that revision. hub_document_next says once whether it
 * is kept. False: the store fails, there is no memory, or one waits.
 */
bool hub_document_put(struct hub *hub, const char *name, const char *text, int64_t revision,
                      int64_t now_ms);
/* False: none waits, or it waits still. */
bool hub_document_next(struct hub *hub, bool *kept);

#endif
