/*
 * By what the clock was set ahead: at the start, as it seems then, and while it runs. Nobody can
 * tell a server that was down for months from one whose clock was months behind and has been set
 * right; so where days are counted, of any such time one counts (kernel_uncounted_ms).
 *
 * The latest of more than a day are kept durably, so that the next start counts as this one does.
 */
#ifndef HUB_JUMP_H
#define HUB_JUMP_H

#include <stdbool.h>
#include <stdint.h>

struct hub;
struct store_jump;

/*
 *     (none) --jump_note--> to be kept --jump_keep--> kept --another takes its place--> (none)
 *                               '<---not stored--------'
 */
struct jump {
    int64_t since_ms, until_ms; /* 0: none */
    bool kept;                  /* its row is in the store, or in a batch */
};

enum { JUMPS_KEPT = 8 };

/* Those of a part that there is no more, as the site is divided otherwise, are other parts' own. */
void jump_restore(struct hub *hub, const struct store_jump *row);
/* One of a day or less is nothing, and so is what an earlier one has of it. */
void jump_note(struct hub *hub, int64_t since_ms, int64_t until_ms);
/* Some could not be stored: they are put again. */
void jumps_not_kept(struct hub *hub);
/* How much of it counts for nothing. */
int64_t jump_uncounted_ms(int64_t since_ms, int64_t until_ms);
/* Of all since then. */
int64_t jumps_uncounted_ms(const struct hub *hub, int64_t since_ms);

#endif
