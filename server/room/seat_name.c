#include "seat_name.h"

#include "room_internal.h"
#include <protocol/text.h>
#include <room/default_name.h>
#include <stdio.h>
#include <string.h>

static bool is_seated(const struct room *room, const char *name)
{
    for (unsigned i = 0; i < room->setup.seats; i++) {
        const struct seat *seat = &room->match->seats[i];
        if (seat->taken && text_looks_alike(seat->name, name))
            return true;
    }
    return false;
}

/* Another one for each seat and in each room; there are more names than seats. */
const char *seat_name_of_computer(const struct room *room)
{
    size_t n = 0;
    for (const char *id = room->setup.seed.id; *id; id++)
        n = n * 31 + (unsigned char)*id;
    n %= UINT16_MAX; /* and so no overflow below */
    while (is_seated(room, default_name_computer(n)))
        n++;
    return default_name_computer(n);
}

/* Of the name's bytes as many as leave place for a blank and a digit. */
static size_t cut_len(const char *name)
{
    enum { NUMBER_CHARS = 2 };
    const char *at = name, *const end = name + strlen(name);
    for (unsigned chars = 0; at < end && chars < PROTOCOL_NAME_CHARS - NUMBER_CHARS; chars++)
        (void)utf8_next(&at, end);
    return (size_t)(at - name);
}

/* There are fewer seats than digits. */
void seat_name_of_person(const struct room *room, const char *name,
                         char out[PROTOCOL_NAME_BYTES + 1])
{
    (void)snprintf(out, PROTOCOL_NAME_BYTES + 1, "%s", name);
    for (unsigned number = 2; is_seated(room, out); number++)
        (void)snprintf(out, PROTOCOL_NAME_BYTES + 1, "%.*s %u", (int)cut_len(name), name, number);
}
