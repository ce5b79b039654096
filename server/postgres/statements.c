#include "statements.h"

#include "statements.sql.h"

const char *const statements[STATEMENTS] = {
    [BEGIN] = SQL_BEGIN,
    [FENCE] = SQL_FENCE,
    [COMMIT] = SQL_COMMIT,
    [PUT_SESSION] = SQL_PUT_SESSION,
    [DROP_SESSION] = SQL_DROP_SESSION,
    [PUT_ROOM] = SQL_PUT_ROOM,
    [APPEND] = SQL_APPEND,
    [ARCHIVE_ROOM] = SQL_ARCHIVE_ROOM,
    [DROP_ROOM] = SQL_DROP_ROOM,
    [LET_IN] = SQL_LET_IN,
    [LET_OUT] = SQL_LET_OUT,
    [BOUND_LETTERS] = SQL_BOUND_LETTERS,
    [BOUND_LETTERS_TO] = SQL_BOUND_LETTERS_TO,
    [HAND_ROOM] = SQL_HAND_ROOM,
};
