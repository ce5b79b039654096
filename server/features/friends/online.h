/*
 * `friends`: whom an account follows, and of those who follow it too, who is connected, and plays.
 *
 *     the home of who asks:  rows --> notes to each part with some of them --> the answer
 *                                        |                          ^
 *     their homes:                       '-- ids: who is seen by it '
 *
 * Each home decides by itself who of its own is seen: who is connected, follows whoever asks, has
 * not blocked them and does not want to be unseen. Of those alone all parts are asked after that in
 * which room they play, as people sit at tables of any part; which room it is is told where anybody
 * may watch it. Notes may be lost (hub/note.h), so it is waited for them no longer than
 * ONLINE_WAIT_MS; then the answer says that it is not complete.
 */
#ifndef FRIENDS_ONLINE_H
#define FRIENDS_ONLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call;
struct hub;
struct store_query;

enum {
    ONLINE_WAIT_MS = 1000,
    LISTINGS_MAX = 256,        /* that wait for other parts at once; for more those are not asked */
    LISTINGS_PER_ADDRESS = 16, /* of these; and one of a session: a later one ends it */
};

void op_friends(struct call *call);
/* A page of rows of whom the account follows. */
void friends_queried(struct call *call, const struct store_query *query);

/* What another part asks or answers. */
void online_hear(struct hub *hub, const char *text, size_t len);
int64_t online_deadline_ms(const struct hub *hub);
void online_tick(struct hub *hub);
void online_release(struct hub *hub);

#endif
