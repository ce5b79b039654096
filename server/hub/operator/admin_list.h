/*
 * What the operator is shown of rooms, sessions and addresses: who, since when, how many
 * connections and bytes, and how a room stands. Written as members of the object that the caller
 * has begun. Nothing of it waits for the store: what is not durable yet is told as well.
 */
#ifndef HUB_ADMIN_LIST_H
#define HUB_ADMIN_LIST_H

#include <hub/admin.h>
#include <protocol/json_writer.h>

struct hub_room;

/* Of all parts together. A client is counted where its session is at home. */
void admin_list_status(const struct admin_hubs *hubs, struct writer *writer);
/* Pages: "rooms", "sessions" or "addresses", and "next" if there are more. */
void admin_list_rooms(const struct admin_hubs *hubs, const struct admin_request *request,
                      struct writer *writer);
void admin_list_sessions(const struct admin_hubs *hubs, const struct admin_request *request,
                         struct writer *writer);
void admin_list_addresses(const struct admin_hubs *hubs, const struct admin_request *request,
                          struct writer *writer);
/* One room, with those who are in it. */
void admin_list_room(const struct hub *hub, const struct hub_room *hub_room, struct writer *writer);

#endif
