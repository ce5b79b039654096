/*
 * By what the clock was set ahead: at the start, as it seems then, and while it runs. Nobody can
 * tell a server that was down for months from one whose clock was months behind and has been set
 * right; so where days are counted, of any such time one counts (kernel_uncounted_ms).
 */
#ifndef HUB_JUMP_H
#define HUB_JUMP_H

#include <stdint.h>

struct hub;

struct jump {
    int64_t since_ms, until_ms;
};

enum { JUMPS_KEPT = 4 /* the latest last */ };

void jump_note(struct hub *hub, int64_t since_ms, int64_t until_ms);
/* How much of it counts for nothing. */
int64_t jump_uncounted_ms(int64_t since_ms, int64_t until_ms);
/* Of all since then. */
int64_t jumps_uncounted_ms(const struct hub *hub, int64_t since_ms);

#endif
