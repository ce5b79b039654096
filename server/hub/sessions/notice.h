/*
 * Notices: pushes about the server itself. If there is no memory for a notice it is left out.
 */
#ifndef HUB_NOTICE_H
#define HUB_NOTICE_H

#include <protocol/terms.h>
#include <stddef.h>

struct conn;
struct hub;
struct hub_room;
struct session;

/* To every connection. `text` NULL: the notice's own sentence. */
void notice_to_all(struct hub *hub, enum protocol_notice notice, const char *text);
/* To those alone whose home this part of a site is, or who have no session yet: every client of the
 * site has one such connection. How many. */
size_t notice_to_own(struct hub *hub, enum protocol_notice notice, const char *text);
/* To those of one session, at its home. */
void notice_to_session(struct hub *hub, const struct session *session, enum protocol_notice notice,
                       const char *text);
/* Why a room was closed that had to make place for others. */
#define NOTICE_SERVER_FULL "This room was closed, as the server is full."

/* To every subscriber of the room; the same. */
void notice_to_room(struct hub *hub, const struct hub_room *hub_room, enum protocol_notice notice,
                    const char *text);
/* `hub_room`: what it is about; NULL: the whole server. */
void notice_to_conn(struct hub *hub, struct conn *conn, enum protocol_notice notice,
                    const struct hub_room *hub_room);

#endif
