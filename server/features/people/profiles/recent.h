/*
 * What a profile says of the last matches that anybody may open (profile.h): which they were, how
 * they ended, and against computers of which level they were won. It is counted anew from a page of
 * rows of the archive, each time that somebody asks.
 */
#ifndef PEOPLE_RECENT_H
#define PEOPLE_RECENT_H

struct buffer;
struct store_query;

enum {
    RECENT_MATCHES = 64, /* that are counted */
    RECENT_SHOWN = 10,   /* of these, one by one */
};

/* Members of an object that is begun, with a comma before. Rows of the archive, the newest first.
 */
void recent_write(const struct store_query *rows, struct buffer *out);

#endif
