/* What a search of the archive asks for, as the path of its page has it. */
#ifndef PEOPLE_ARCHIVE_ASKED_H
#define PEOPLE_ARCHIVE_ASKED_H

#include "tables/archive_table.h"
#include <stdbool.h>
#include <stdint.h>

struct archive_asked {
    struct archive_row row; /* of which what is 0 or "" may be anything; no session */
    char handle[PROTOCOL_HANDLE_BYTES + 1]; /* "": anybody's */
    int64_t since_ms, until_ms;             /* ended from then on, and before then */
    char after[PROTOCOL_ROOM_BYTES + 1];    /* behind that room, of those that ended at until_ms */
};

/*
 * "KEY/VALUE/KEY/VALUE", each key once at most, `game` or `handle` among them. False: it is no
 * such text.
 */
bool archive_asked_read(struct archive_asked *asked, const char *text);

/* Is the row one of those, whatever the order in which it was found has seen to? */
bool archive_asked_fits(const struct archive_asked *asked, const struct archive_row *row);

#endif
