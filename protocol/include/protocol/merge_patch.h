/*
 * RFC 7396: what a client does with `patch`. For clients, tests and tools; the server writes
 * patches and applies none.
 */
#ifndef PROTOCOL_MERGE_PATCH_H
#define PROTOCOL_MERGE_PATCH_H

#include <jansson.h>
#include <stdbool.h>

/*
 * Patches `*target` in place where it can, otherwise puts another value there (and releases the old
 * one). `*target` may be NULL for "nothing yet". Values of the patch that are no objects are shared
 * with it, not copied: neither may be changed in place afterwards, only replaced. False when memory
 * runs out: `*target` is then half patched and can only be released.
 */
bool merge_patch(json_t **target, json_t *patch);

#endif
