/* Somebody who has been erased is in nobody's list of blocked people any more. */
#ifndef OTHERS_FORGET_H
#define OTHERS_FORGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;

size_t forget_blocked(struct hub *hub, uint64_t session, size_t max, bool *more);

#endif
