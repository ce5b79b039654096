/* A batch that fills, and has few places left before it grows. */
#ifndef FULL_BATCH_H
#define FULL_BATCH_H

#include <stddef.h>

struct hub;

void leave_ops(struct hub *hub, size_t left);
void leave_pending(struct hub *hub, size_t left);

#endif
