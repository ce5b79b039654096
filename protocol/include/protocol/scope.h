/*
 * What a program's token is for: a set of scopes, on the wire words between blanks, and which of
 * them an operation takes. Whoever has come with a device's token may do everything.
 */
#ifndef PROTOCOL_SCOPE_H
#define PROTOCOL_SCOPE_H

#include <protocol/limits.h>
#include <protocol/request.h>
#include <stdbool.h>
#include <stddef.h>

enum protocol_scope {
    SCOPE_PLAY = 1 << 0,   /* take seats, and play */
    SCOPE_ROOM = 1 << 1,   /* make rooms, and be their host */
    SCOPE_GAMES = 1 << 2,  /* read which matches one has played */
    SCOPE_PEOPLE = 1 << 3, /* have to do with others: block, follow */
    SCOPE_GIVEN = SCOPE_PLAY | SCOPE_ROOM | SCOPE_GAMES | SCOPE_PEOPLE, /* that a token can have */
    SCOPE_LOOK = 1 << 4,   /* what everybody may read; each token has it */
    SCOPE_OWNER = 1 << 5,  /* of who came with a device alone */
    SCOPE_APPEAL = 1 << 6, /* of who came to appeal alone, banned or not */
    SCOPE_EXPORT = 1 << 7, /* what is kept of the account; no token that is asked for has it */
    SCOPE_ALL = SCOPE_GIVEN | SCOPE_LOOK | SCOPE_OWNER,
};

/* One word or more, each once, in any order, with one blank between two. False: it is no such text.
 */
bool scopes_read(unsigned *scopes, const char *text, size_t len);
/* Those that have a word, in their order. */
void scopes_write(char text[PROTOCOL_SCOPE_BYTES + 1], unsigned scopes);

/* Any of these is enough for the operation. */
unsigned scopes_of_request(enum request_op op);
/* The word for the first of those that would be enough and can be given; NULL: no token's is. */
const char *scope_needed(enum request_op op);

#endif
