/*
 * Rooms that the store holds and that cannot be served, because their rows are damaged or cannot be
 * replayed, or because the store refuses one change of them after another: it knows more or less of
 * their logs than the hub. They stay in the store as they are, for repair; requests for one are
 * refused with `room_damaged`. A restart reads them again.
 */
#ifndef HUB_DAMAGED_H
#define HUB_DAMAGED_H

#include <stdbool.h>
#include <stddef.h>

struct hub;

struct damaged_room {
    struct damaged_room *next;
    char id[9];
    char why[96];
};

struct damaged_rooms {
    struct damaged_room *first;
    size_t count;
};

/* No effect if it is known to be. <0: out of memory. */
int damaged_add(struct hub *hub, const char *id, const char *why);
bool damaged_has(const struct hub *hub, const char *id);
void damaged_release(struct hub *hub);

#endif
