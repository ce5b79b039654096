/*
 * One session's matches become another one's, for the feature that knows why (hub/kernel.h): seats,
 * rooms that it has made, and its list. Nobody at a table sees a difference (room/hand.h).
 */
#ifndef HUB_KERNEL_HAND_H
#define HUB_KERNEL_HAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;
struct session;

/* A room in which both have done something is neither's to have whole: it stays as it is. */
bool kernel_hand_meets(const struct hub *hub, uint64_t from, uint64_t to); /* in one under way? */

/*
 * The rooms here become the other one's with the batch that fills, for which KERNEL_HAND_OPS have
 * been reserved: so many at once, and which they are is known when that is durable. How many;
 * `*busy`: others are not durable, or on their way to the store. Looks at all rooms.
 */
enum { KERNEL_HAND_OPS = 4 };
size_t kernel_hand_rooms(struct hub *hub, uint64_t from, uint64_t to, bool *busy);

/*
 * Of the list of a session that is at home here the next STORE_HAND_ROOMS (hub/store.h) become the
 * other one's, with their matches, with the batch that fills, for which one op has been reserved.
 */
void kernel_hand_list(struct hub *hub, uint64_t from, uint64_t to);

/* Until when it is kept from connecting, or from speaking, by whatever; 0: it is not. */
int64_t kernel_barred_until_ms(const struct hub *hub, const struct session *session);

#endif
