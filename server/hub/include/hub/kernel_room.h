/*
 * A room that is opened without a request of its players': for who pairs them (hub/kernel.h).
 */
#ifndef HUB_KERNEL_ROOM_H
#define HUB_KERNEL_ROOM_H

#include <protocol/limits.h>
#include <stdbool.h>
#include <stdint.h>

struct protocol_account;
struct request;

struct kernel_seat {
    uint64_t session; /* of this part or another; 0: the seat stays free, or is a computer's */
    const char *name; /* that it is called there */
    const struct protocol_account *account; /* NULL: none, or as it is known in this part */
    bool computer; /* of the level that its game chooses; the others are as of nobody */
};

/* Such a room takes so many operations at most: itself, that it was made, and a seat each. */
enum { KERNEL_ROOM_OPS = 2 + PROTOCOL_SEATS };

struct kernel_room_plan {
    /* What `create` would have: game, options, access, clock, hints, title. Its id does not count.
     */
    const struct request *create;
    uint64_t host;     /* a session, which may change the lobby */
    const char *rated; /* the class by which the match is rated; NULL: it is not */
    struct kernel_seat seat[PROTOCOL_SEATS];
};

#endif
