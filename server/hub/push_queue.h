/* The messages that are to be sent (hub/push.h): a bounded queue by when they are due. */
#ifndef HUB_PUSH_QUEUE_H
#define HUB_PUSH_QUEUE_H

#include <hub/push.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct blob;
struct hub;
struct hub_room;
struct session;

struct push_entry {
    uint64_t session, browser; /* whom: the browser's key */
    char room_id[9];
    uint8_t seat;
    uint8_t tries;
    uint16_t share;  /* of the session's address, in which it is counted; 0: of none */
    bool out;        /* a thread has it */
    uint64_t ticket; /* while it is out */
    int64_t due_ms;
    struct blob *text; /* of a room in another part, from there; NULL: to be written */
};

struct push_queue {
    struct push_entry *entries;
    size_t count, size, out;
    uint64_t tickets;
    int64_t due_ms; /* of those that may go out; INT64_MAX: none */
};

/* Something of the room has become durable, or has been restored (then nobody is told). */
void push_queue_follow(struct hub *hub, struct hub_room *hub_room, bool tell);
/* A message that is due for the session's browsers, of a room in another part. */
void push_queue_tell(struct hub *hub, const struct session *session, const char room_id[static 9],
                     const char *text, size_t len);
/* Is it still the session's turn there, and does it not watch? */
bool push_queue_still(const struct hub *hub, uint64_t session, const struct hub_room *hub_room,
                      uint8_t seat);
/* What is said of that turn, HUB_PUSH_TEXT_MAX bytes at most. False: out of memory. */
bool push_queue_write(const struct hub_room *hub_room, uint8_t seat, char *text, size_t *len);
/* When hub_push_take has something; INT64_MAX: not before one is done. */
int64_t push_queue_deadline_ms(const struct hub *hub);
void push_queue_release(struct hub *hub);

#endif
