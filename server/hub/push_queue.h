/* The messages that are to be sent (hub/push.h): a bounded queue by when they are due. */
#ifndef HUB_PUSH_QUEUE_H
#define HUB_PUSH_QUEUE_H

#include <hub/push.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;
struct hub_room;

struct push_entry {
    uint64_t session, browser; /* whom: the browser's key */
    char room_id[9];
    uint8_t seat;
    uint8_t tries;
    uint16_t share;  /* of the session's address, in which it is counted; 0: of none */
    bool out;        /* a thread has it */
    uint64_t ticket; /* while it is out */
    int64_t due_ms;
};

struct push_queue {
    struct push_entry *entries;
    size_t count, size, out;
    uint64_t tickets;
    int64_t due_ms; /* of those that may go out; INT64_MAX: none */
};

/* Something of the room has become durable, or has been restored (then nobody is told). */
void push_queue_follow(struct hub *hub, struct hub_room *hub_room, bool tell);
/* When hub_push_take has something; INT64_MAX: not before one is done. */
int64_t push_queue_deadline_ms(const struct hub *hub);
void push_queue_release(struct hub *hub);

#endif
