/*
 * What features go by that pass on what people say (hub/kernel.h): the same that tables go by.
 */
#ifndef HUB_KERNEL_TALK_H
#define HUB_KERNEL_TALK_H

#include <stdbool.h>
#include <stdint.h>

struct call;
struct hub;
struct session;

/* Neither says nor hears anything: the account is quiet, or the connection (hub_set_quiet). */
bool kernel_is_quiet(const struct call *call);
/* Until when whoever asks may not speak; 0: they may. */
int64_t kernel_silenced_until_ms(const struct call *call);
/* Takes a line from what the session and the address may say. False: not now, and nothing is taken.
 */
bool kernel_take_say(const struct call *call);
/* Is the session not to hear what that one says? Of a foreign one: as far as is known here. */
bool kernel_hides(const struct hub *hub, const struct session *session, uint64_t speaker);
/*
 * Whom somebody has blocked who is at home elsewhere has to be asked of the store, once in each
 * part. True: it is known from now on, as long as they are here. False: the request waits for it,
 * and comes to its handler again, or it is refused. Not of one with `options` or a `passkey`.
 */
bool kernel_knows_blocks(struct call *call);

#endif
