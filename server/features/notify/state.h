/*
 * What the feature has in memory, of a hub and of each session and room there.
 *
 *     notify                 the feature: hooks, hello, figures
 *     op_notify  push_queue  what clients ask; the messages
 *     browser  push_text     where browsers take them; what they say
 *     browser_table          and as they are kept
 *     state                  this
 */
#ifndef NOTIFY_STATE_H
#define NOTIFY_STATE_H

#include <features/feature.h>
#include <hub/bucket.h>
#include <hub/kernel.h>
#include <hub/push.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct browser;
struct push_text;

/* A message that is to be sent, to one browser. */
struct push_entry {
    uint64_t session, browser; /* whom: the browser's key */
    char room_id[9];
    uint8_t seat;
    uint8_t tries;
    uint16_t share;  /* of the session's address, in which it is counted; 0: of none */
    bool out;        /* a thread has it */
    uint64_t ticket; /* while it is out */
    int64_t due_ms;
    struct push_text *text; /* of a room in another part, from there; NULL: to be written */
};

struct push_queue {
    struct push_entry *entries;
    size_t count, size, out;
    uint64_t tickets;
    int64_t due_ms; /* of those that may go out; INT64_MAX: none */
};

struct notify {
    struct push_queue queue;
    uint8_t sending[KERNEL_SHARES]; /* messages of each address that threads have */
    uint64_t outcomes[HUB_PUSH_OUTCOMES], lost, needless;
};

struct notify_session {
    struct browser *browsers; /* see browser.h; the oldest first */
    struct bucket changes;
};

struct notify_room {
    uint32_t turn; /* bit set of people's seats whose turn it durably is */
};

extern const struct feature_memory notify_memory;

struct notify *notify_of(const struct hub *hub);
struct notify_session *notify_of_session(const struct hub *hub, const struct session *session);
struct notify_room *notify_of_room(const struct hub *hub, const struct hub_room *hub_room);

#endif
