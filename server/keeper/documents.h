/*
 * The documents that a keeper follows, on the thread that decides: what is new is told, and what is
 * to be changed is put into the database.
 */
#ifndef KEEPER_DOCUMENTS_H
#define KEEPER_DOCUMENTS_H

#include <stdbool.h>
#include <stdint.h>

struct keeper;
struct membership_watch;

/* None is known yet. */
void documents_begin(struct keeper *keeper);
/* Also of a node that is leaving: what it still has is to know them as well. */
void documents_follow(struct keeper *keeper);
/* A beat was acknowledged. True: they are to be followed now. */
bool documents_said(struct keeper *keeper);
/*
 * Every one has been taken, the others can see that it holds here, and it was read once more after
 * that. Then no change can be answered without this node that it does not know.
 */
bool documents_are_known(const struct keeper *keeper);
/* Does that revision hold at all other nodes that live? A node that has said nothing of it yet
 * reads it before it serves anything, or is of the version before. Who is silent says nothing of
 * what it has to anybody. */
bool documents_hold_elsewhere(const struct membership_watch *watch, const char *self,
                              int64_t silent_ms, const char *name, int64_t revision);
/* With the mutex held: is there something to be changed, or to be said? */
bool documents_wait(const struct keeper *keeper);
/* What holds here goes with the next beat; true: it is something new. */
bool documents_say(struct keeper *keeper);
/* After a look: tells whoever has changed one when it holds at all nodes. */
void documents_spread(struct keeper *keeper);
/* What keeper_change_document has left. Without a connection it is not tried: whoever asks can ask
 * again. */
void documents_change(struct keeper *keeper);

#endif
