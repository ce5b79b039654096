/* What stands in statements.sql: prepared once for each connection. */
#ifndef POSTGRES_STATEMENTS_H
#define POSTGRES_STATEMENTS_H

enum statement {
    BEGIN,
    FENCE,
    COMMIT,
    PUT_SESSION,
    DROP_SESSION,
    PUT_ROOM,
    APPEND,
    ARCHIVE_ROOM,
    DROP_ROOM,
    LET_IN,
    LET_OUT,
    BOUND_LETTERS,
    BOUND_LETTERS_TO,
    HAND_ROOM,
};
enum { STATEMENTS = HAND_ROOM + 1 };
extern const char *const statements[STATEMENTS];

#endif
