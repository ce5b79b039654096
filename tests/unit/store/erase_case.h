/* Names that are erased, as every engine does it: what is committed before. */
#ifndef STORE_ERASE_CASE_H
#define STORE_ERASE_CASE_H

#include <hub/store.h>

enum { ERASED_SESSION = 5, OTHER_SESSION = 6 }; /* Ana Nym, whose handle is ana; and Bo */

struct erase_case {
    void *ctx;
    void (*commit)(void *ctx, const struct store_op *ops, size_t count);
};

/* Both are there. */
void erase_case_begin(const struct erase_case *c);
/* They have sat in that room, Ana in two seats of it, and have it in their lists. */
void erase_case_put(const struct erase_case *c, const char *room_id, int64_t at_ms, bool archived);
/* Bo's line of it is as long as may be, and would be longer without Ana's name. */
void erase_case_put_long(const struct erase_case *c, const char *room_id, int64_t at_ms);
/* One step of it. */
void erase_case_erase(const struct erase_case *c);

#endif
