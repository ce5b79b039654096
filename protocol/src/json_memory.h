/*
 * Memory that does not run out while jansson reads a message.
 *
 * Its reader ignores that a buffer could not grow, loses a character that way, and may then copy
 * past the end. So, once an allocation fails, the rest of that message is read with memory of a
 * reserve, and what was read is thrown away. One thread at a time.
 */
#ifndef PROTOCOL_JSON_MEMORY_H
#define PROTOCOL_JSON_MEMORY_H

#include <jansson.h>
#include <stddef.h>

/* json_loadb of a message of at most PROTOCOL_MESSAGE_BYTES; NULL too if memory ran out. */
json_t *json_load_message(const char *bytes, size_t len, size_t flags, json_error_t *error);

#endif
