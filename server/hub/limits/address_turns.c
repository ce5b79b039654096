#include <hub/address_turns.h>

#include <assert.h>
#include <hub/address_prefix.h>
#include <sodium.h>

uint8_t address_group_of(const uint8_t key[static ADDRESS_GROUPS_KEY_BYTES],
                         const uint8_t ip[static 16])
{
    const struct address_prefix prefix = address_network_of(ip);
    uint8_t hash[crypto_shorthash_BYTES];
    static_assert((int)crypto_shorthash_KEYBYTES == (int)ADDRESS_GROUPS_KEY_BYTES, "its key");
    static_assert(ADDRESS_GROUPS == UINT8_MAX + 1, "a byte of the hash is a group");
    crypto_shorthash(hash, prefix.bytes, sizeof prefix.bytes, key);
    return hash[0];
}

static void list_group(struct address_turns *turns, struct address_group *group)
{
    group->listed = true;
    group->next = NULL;
    *(turns->first ? &turns->last->next : &turns->first) = group;
    turns->last = group;
}

static struct address_group *next_group(struct address_turns *turns)
{
    struct address_group *group = turns->first;
    turns->first = group->next;
    group->listed = false;
    return group;
}

void address_turns_add(struct address_turns *turns, struct address_turn *turn)
{
    struct address_group *group = &turns->groups[turn->group];
    assert(!turn->self);
    turn->next = NULL;
    turn->self = group->first ? group->last : &group->first;
    *turn->self = turn;
    group->last = &turn->next;
    turns->count++;
    if (!group->listed)
        list_group(turns, group);
}

void address_turns_remove(struct address_turns *turns, struct address_turn *turn)
{
    assert(turn->self);
    *turn->self = turn->next;
    if (turn->next)
        turn->next->self = turn->self;
    else
        turns->groups[turn->group].last = turn->self;
    turn->self = NULL;
    turns->count--;
}

struct address_turn *address_turns_pop(struct address_turns *turns)
{
    if (turns->count == 0)
        return NULL;
    struct address_group *group = next_group(turns);
    while (!group->first)
        group = next_group(turns);
    struct address_turn *turn = group->first;
    address_turns_remove(turns, turn);
    if (group->first)
        list_group(turns, group);
    return turn;
}
