/* People who seek a match at one server, `home`. */
#ifndef SEEK_STAGE_H
#define SEEK_STAGE_H

#include <stddef.h>

/* A fixture. */
void stage_seek(void);
void stage_seek_ended(void);

/* Somebody with an account. */
int stage_guest(const char *name, const char *handle);
/* As after a restart, which these do not outlive. */
void stage_account(int tab, const char *handle);
/* That one is told of a room. */
void stage_room_found(int tab, const char *class, char room[static 16]);
/* Rows in the store. */
size_t stage_seeks(void);
size_t stage_offers(void);
void stage_nobody_seeks(void);
/* Sits down, and is ready. */
void stage_accept(int tab, const char *room);
/* What has become of their seek; or nothing, but that they wait. */
void stage_is_told(int tab, const char *state);
void stage_seeks_on(int tab);

#endif
