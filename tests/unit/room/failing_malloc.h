/*
 * The n-th allocation fails. The linker's --wrap sends what rooms and the protocol library allocate
 * through here; jansson is told to use it too.
 */
#ifndef TEST_ROOM_FAILING_MALLOC_H
#define TEST_ROOM_FAILING_MALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* From now on the n-th allocation (from 1) fails, and every one after it; 0: none. */
void malloc_fail_from(size_t n);
/* Only the n-th. */
void malloc_fail_once(size_t n);
/* How many there have been since then. */
size_t malloc_count(void);

void malloc_use_for_json(void);

#endif
