/* Somebody who has been erased is followed by nobody any more. */
#ifndef FRIENDS_FORGET_H
#define FRIENDS_FORGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;

size_t forget_followed(struct hub *hub, uint64_t session, size_t max, bool *more);

#endif
