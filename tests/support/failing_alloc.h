/*
 * Makes allocations fail: malloc, calloc and realloc of statically linked code (the program needs
 * -Wl,--wrap for each), and jansson's.
 *
 * realloc always moves the memory, so that a use of the old address is found.
 *
 * Only allocations between enter and leave, while armed, are counted.
 */
#ifndef SUPPORT_FAILING_ALLOC_H
#define SUPPORT_FAILING_ALLOC_H

#include <stdbool.h>
#include <stdint.h>

/* Once, before anything has been allocated by jansson. */
void failing_alloc_init(void);

/* The n-th allocation from now on (1 is the next) fails, and if `all_after` every later one. */
void failing_alloc_arm(uint64_t nth, bool all_after);
/* How many there were since; *failed, if not NULL: did one fail? */
uint64_t failing_alloc_disarm(bool *failed);

void failing_alloc_enter(void);
void failing_alloc_leave(void);

#endif
