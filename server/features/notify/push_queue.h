/* The messages that are to be sent (hub/push.h): a bounded queue by when they are due. */
#ifndef NOTIFY_PUSH_QUEUE_H
#define NOTIFY_PUSH_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;
struct hub_push_job;
struct hub_room;
struct session;

void push_queue_init(struct hub *hub);
void push_queue_release(struct hub *hub);
/* Something of the room has become durable, or has been restored (then nobody is told). */
void push_queue_follow(struct hub *hub, struct hub_room *hub_room, bool restored);
/* A message that is due for the session's browsers, of a room in another part. */
void push_queue_tell(struct hub *hub, struct session *session, const char *room_id,
                     const char *text, size_t len);
/* What is said of that turn; false: it is over, its owner watches, or there is no memory. */
bool push_queue_write_turn(struct hub *hub, const struct hub_room *hub_room, uint8_t seat,
                           char *text, size_t *len);
/* The next message that is due; and what has become of it. */
bool push_queue_take(struct hub *hub, struct hub_push_job *job);
void push_queue_done(struct hub *hub, uint64_t ticket, int outcome, int64_t retry_after_ms);
/* When push_queue_take has something; INT64_MAX: not before one is done. */
int64_t push_queue_deadline_ms(const struct hub *hub);

#endif
