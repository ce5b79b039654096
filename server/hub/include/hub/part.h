/*
 * Several servers as one: the words, and what belongs where.
 *
 * A site, everything that its people see as one server, is divided into PARTS, 1 to 64 of them.
 * Each part is a whole hub (hub/hub.h) with a store of its own: its rooms, its sessions and what
 * opens them. A server of one process is a site of one part.
 *
 * A room, a session and a secret (the token of a device, a link, a recovery phrase) say by
 * themselves which part they belong to, so that it can be found without asking anybody:
 *
 *     a room      by the first two digits of its id, its slot
 *     a session   by its id
 *     a secret    by its hash (hub/secret.h)
 *
 * A hub draws all three so that they fall into its own part; so what opens a session is where the
 * session is. That part is the HOME of the session: only there are its name, its devices and its
 * browsers kept and changed. In other parts, where it sits at tables too, it is FOREIGN: known by
 * its id, and by the name with which it was announced (hub_connect_as).
 *
 * While nobody serves it, a site can be given another number of parts. Nothing is rewritten: rooms
 * and sessions are of other parts then, by their ids, and so are secrets, by their hashes. But a
 * secret drawn before may fall into another part than its session. It is MISPLACED: the part that
 * it falls into knows it from the store, and sends who says hello with it to the session's home
 * (hub_elsewhere). Secrets that are drawn later are not.
 *
 * Nothing here knows a hub.
 */
#ifndef HUB_PART_H
#define HUB_PART_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

enum { PARTS_MAX = 64, PART_SLOTS = 1024 };

/* The value of a digit in base 32 (protocol/encoding.h); 32: it is none. */
static inline unsigned part_digit(char digit)
{
    static const char digits[] = "0123456789abcdefghjkmnpqrstvwxyz";
    unsigned value = 0;
    while (value < 32 && digits[value] != digit)
        value++;
    return value;
}

/* 0 to 1023. What is no room's id has slot 0: any hub can say that there is no such room. */
static inline unsigned part_slot(const char *room_id)
{
    const unsigned first = part_digit(room_id[0]);
    const unsigned second = first < 32 ? part_digit(room_id[1]) : 32;
    return second < 32 ? first * 32 + second : 0;
}

static inline unsigned part_of_slot(unsigned slot, unsigned parts)
{
    assert(parts > 0);
    return slot % parts;
}

static inline unsigned part_of_room(const char *room_id, unsigned parts)
{
    return parts == 1 ? 0 : part_of_slot(part_slot(room_id), parts);
}

static inline unsigned part_of_session(uint64_t id, unsigned parts)
{
    return (unsigned)(id % parts);
}

/*
 * Two sessions whose ids are the same modulo this are of one part, into however many the site is
 * divided, up to 36, and by most numbers beyond: it is a multiple of all of them.
 */
#define PART_TOGETHER UINT64_C(144403552893600)

/* Of the last bytes, as tables of secrets are kept by the first ones. */
static inline unsigned part_of_secret(const uint8_t hash[static 32], unsigned parts)
{
    const uint32_t last = (uint32_t)hash[28] << 24 | (uint32_t)hash[29] << 16 |
                          (uint32_t)hash[30] << 8 | (uint32_t)hash[31];
    return last % parts;
}

#endif
