/*
 * Views: what join and watch answer, whether a client is new or resumes: a snapshot of the room, or
 * the pushes that the client has missed.
 *
 * What depends on the log (a snapshot, or the pushes that were missed) is encoded when it is asked
 * for; presence and the time are encoded when it is sent.
 */
#ifndef HUB_VIEW_H
#define HUB_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct blob;
struct conn;
struct hub;
struct hub_room;
struct pending;
struct subscription;

/* A snapshot or what was missed, encoded when it was asked for. */
struct view {
    struct subscription *subscription; /* made beforehand */
    struct blob *state;                /* NULL: `missed` instead */
    size_t encoded_bytes;              /* what had to be encoded for it */
    const char *room;                  /* while it is made: of which room, */
    int64_t have;                      /* and what is there already */
    uint32_t count;
    uint32_t size;
    struct blob *missed[];
};

/*
 * As of the room's last event. `have` 0: the whole match, if it is short enough; below 0: a
 * snapshot. `exact`: what was missed, if it can be had, though a snapshot may be shorter. NULL: out
 * of memory.
 */
struct view *view_create(struct hub *hub, struct hub_room *hub_room, uint8_t seat, int64_t have,
                         bool exact);
void view_free(struct view *view);
size_t view_bytes(const struct view *view);
/* The reply, and the missed pushes behind it, to a connection that is subscribed already. */
void view_send(struct hub *hub, struct conn *conn, const struct pending *pending);

#endif
