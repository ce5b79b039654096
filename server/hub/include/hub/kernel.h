/*
 * The hub as features see it (features/feature.h), beside the calls that they answer (hub/call.h):
 * what it knows, and the ways to keep something.
 *
 * Handles are borrowed: a session is there until `session_gone`, everything else for the call.
 */
#ifndef HUB_KERNEL_H
#define HUB_KERNEL_H

#include <hub/store.h>
#include <stddef.h>
#include <stdint.h>

struct feature;
struct hub;
struct hub_config;
struct hub_env;
struct session;

/* ---- what there is */

/* Of that feature in this hub; asserts that it is one of the hub's. */
void *kernel_state(const struct hub *hub, const struct feature *feature);
const struct hub_config *kernel_config(const struct hub *hub);
const struct hub_env *kernel_env(const struct hub *hub);
int64_t kernel_now_ms(const struct hub *hub);

uint64_t kernel_session_id(const struct session *session);
const char *kernel_session_name(const struct session *session);

/* ---- keeping something */

/*
 * The lines of a match that is over for all who sat in it, to the batch that fills, of which the
 * caller's event is. Copies the text. <0: out of memory.
 */
int kernel_put_games(struct hub *hub, const char *room_id, const struct store_games *row);

#endif
