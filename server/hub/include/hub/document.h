/*
 * Documents of the site (features/feature.h) in the hub of a part. Whoever has the parts reads one
 * once, for all of them.
 */
#ifndef HUB_DOCUMENT_H
#define HUB_DOCUMENT_H

#include <features/feature.h>

struct hub;

/* It holds from now on; `value` is borrowed until the next one does, or the hub goes. How many
 * connections were closed by that, of those whose home the hub is. */
size_t hub_hold_document(struct hub *hub, const struct feature_document *document,
                         const void *value, int64_t now_ms);

#endif
