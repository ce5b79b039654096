/*
 * The documents that a keeper follows, on the thread that decides: what is new is told, and what is
 * to be changed is put into the database.
 */
#ifndef KEEPER_DOCUMENTS_H
#define KEEPER_DOCUMENTS_H

#include <stdbool.h>

struct keeper;

/* None is known yet. */
void documents_begin(struct keeper *keeper);
/* Also of a node that is leaving: what it still has is to know them as well. */
void documents_follow(struct keeper *keeper);
/* Every one has been taken once. */
bool documents_are_known(const struct keeper *keeper);
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
