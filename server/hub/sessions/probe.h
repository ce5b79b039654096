/*
 * Connections that are gone without a word: a phone that has lost its network sends nothing that
 * would end them, so they count until they have been silent for a minute. When a session is opened
 * once more, those that it has are asked for a sign of life, and one that gives none in a few
 * seconds makes room for the next. One that answers is never taken for silent, nor is one that
 * nobody could ask.
 */
#ifndef HUB_PROBE_H
#define HUB_PROBE_H

#include <hub/hub.h>
#include <stdbool.h>
#include <stdint.h>

struct conn;
struct hub;
struct session;

/* Each connection of the session is to be asked, if it is not being asked already. */
void probe_session(struct hub *hub, struct session *session);

/* The silent connection that was opened first, of that device if there is one; NULL: none is. */
struct conn *probe_find_silent(const struct hub *hub, const struct session *session,
                               uint32_t device);
/* When the first of those that have not answered yet is silent; INT64_MAX: all have. */
int64_t probe_due_ms(const struct hub *hub, const struct session *session);

/* It has been asked; it has given a sign of life. */
void probe_sent(const struct hub *hub, struct conn *conn);
void probe_answered(struct conn *conn);

#endif
