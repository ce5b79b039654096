/*
 * The list of open rooms that the request `rooms` and GET /api/rooms show: rooms that are durable,
 * open to all and not over. Lobbies come first, then rooms that have begun; each kind by id.
 */
#ifndef HUB_ROOM_LIST_H
#define HUB_ROOM_LIST_H

#include <protocol/json_writer.h>
#include <stddef.h>

struct hub;
struct hub_room;
struct session;

struct room_list {
    struct hub_room **rooms;
    size_t count, size;
};

/* To be called when something of the room has become durable, or was taken back. */
void room_list_update(struct hub *hub, struct hub_room *hub_room);
/* No effect if it is not in the list. */
void room_list_remove(struct hub *hub, struct hub_room *hub_room);
/* All of them at once, which takes as long as few one by one. */
void room_list_release(struct hub *hub);

/*
 * The members of one page: the rooms behind the id `after` ("" for the first page). `*latest` is
 * the room on it whose events become durable last, which the page has to wait for; NULL: none.
 * `facts`: where each of them is, for whom lists of several parts are one; NULL: nobody.
 */
void room_list_write(const struct hub *hub, const char *after, struct writer *writer,
                     struct buffer *facts, const struct hub_room **latest);
/*
 * The member "mine": the rooms in which the session has a seat and which are not over. `*latest`,
 * as room_list_write left it, becomes that of all.
 */
void room_list_write_own(const struct session *session, struct writer *writer, struct buffer *facts,
                         const struct hub_room **latest);

#endif
