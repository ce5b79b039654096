/*
 * Who waits, where addresses take turns, and of one address whoever came first.
 *
 * Addresses count by a hash of their prefix (address_prefix.h), of IPv6 by that of their /48, as
 * one customer may have so much; that is their group: two with the same one share its turns. Its
 * key is random, as somebody with many prefixes could choose those that share with another one.
 *
 * Nothing is allocated; zeros are an empty queue. What waits is kept by whoever adds it.
 */
#ifndef HUB_ADDRESS_TURNS_H
#define HUB_ADDRESS_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ADDRESS_GROUPS = 256, ADDRESS_GROUPS_KEY_BYTES = 16 };

/* Of somebody who may wait; zeros at first but for the group, which is kept while it waits. */
struct address_turn {
    struct address_turn *next, **self; /* in its group; self is NULL: it does not wait */
    uint8_t group;
};

struct address_group {
    struct address_turn *first, **last; /* last is of no meaning while first is NULL */
    struct address_group *next;
    bool listed; /* among those that have a turn; one that is empty is passed over */
};

struct address_turns {
    struct address_group groups[ADDRESS_GROUPS];
    struct address_group *first, *last; /* by turns; last is of no meaning while first is NULL */
    size_t count;
};

uint8_t address_group_of(const uint8_t key[static ADDRESS_GROUPS_KEY_BYTES],
                         const uint8_t ip[static 16]);

/* Of one that does not wait. */
void address_turns_add(struct address_turns *turns, struct address_turn *turn);
/* Of one that waits. */
void address_turns_remove(struct address_turns *turns, struct address_turn *turn);
/* Whose turn it is, which waits no longer; NULL: nobody waits. */
struct address_turn *address_turns_pop(struct address_turns *turns);

#endif
