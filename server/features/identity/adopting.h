/* The guest's home, and what all parts do for it; see adopt.h. */
#ifndef IDENTITY_ADOPTING_H
#define IDENTITY_ADOPTING_H

#include <hub/kernel_hand.h>
#include <hub/letter.h>
#include <protocol/error.h>
#include <stdbool.h>
#include <stdint.h>

struct session;

extern const char adopting_letter[], hand_letter[], handed_letter[];
enum { ADOPTING_OPS = 2, HAND_OPS = KERNEL_HAND_OPS + 1, HANDED_OPS = 0 };
enum letter_fate adopting_apply(struct hub *hub, const struct store_letter *letter);
enum letter_fate hand_apply(struct hub *hub, const struct store_letter *letter);
enum letter_fate handed_apply(struct hub *hub, const struct store_letter *letter);

/* May a guest that is at home here be adopted by that account? PROTOCOL_OK, or why not. */
enum protocol_error adopting_allowed(const struct hub *hub, const struct session *guest,
                                     uint64_t heir);
/* The first of its letters. <0: no memory. */
int adopting_begin(struct hub *hub, const struct session *guest, uint64_t heir);

/* It ends for certain, and nothing opens it any more. */
bool adopting_is_ending(const struct hub *hub, const struct session *session);

void adoptings_init(struct hub *hub);
void adoptings_release(struct hub *hub);
int64_t adoptings_deadline_ms(const struct hub *hub);
void adoptings_tick(struct hub *hub);
void adopting_gone(struct hub *hub, const struct session *session);

#endif
