/*
 * What the clock has jumped by (jump.h) becomes rows of the store, so that the next start counts as
 * this one does.
 */
#ifndef HUB_JUMP_KEEP_H
#define HUB_JUMP_KEEP_H

struct hub;

/* Puts those that are to be kept into the batch that fills; if that may not be now, at the next. */
void jumps_keep(struct hub *hub);

#endif
