/*
 * Rows as they are described: what a feature keeps durably, said once.
 *
 * A TABLE says what its rows are called, who owns them, and where in a struct each column is. From
 * that alone every engine knows its SQL, its values and its checks: adding something durable is a
 * struct and a table in the folder of a feature, which names it (feature.tables), and no engine is
 * touched. A row is put or dropped by an op of a batch (hub/store.h), and handed out at the
 * opening.
 *
 * Each row is owned by one part, which alone writes it and has it in memory; but for what is
 * addressed (STORE_ADDRESSED), and what is only asked for (`unloaded`), by its indexes.
 *
 * A table that a store has not yet is made when it is opened. Programs of two versions may use one
 * database: what the older one does not know it leaves alone. No column is ever taken away, renamed
 * or given another type; what is appended to a table is STORE_LATER, and is a migration of each
 * engine.
 *
 * Knows no engine and no feature.
 */
#ifndef HUB_STORE_ROW_H
#define HUB_STORE_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    STORE_COLUMNS_MAX = 16,
    STORE_ROW_SIZE_MAX = 512, /* of a struct */
    STORE_TEXT_MAX = 4352,    /* of a text: 4096, and in a letter what it is about */
};

enum store_type {
    STORE_NUMBER, /* 1, 2 or 4 bytes without a sign, or 8 with or without one */
    STORE_BYTES,  /* uint8_t[], all of them */
    STORE_STRING, /* char[], UTF-8, 0-terminated */
    STORE_LENT,   /* const char *, UTF-8, 0-terminated: borrowed */
    STORE_TEXT,   /* const char *, UTF-8, with a uint16_t for its length: borrowed */
};

enum store_column_flag {
    STORE_LATER = 1,  /* was appended to the table: 0 or "" is as if it were not there */
    STORE_SECRET = 2, /* 32 bytes: the hash of a secret. The row is handed out to the part that the
                         secret falls into as well (hub/part.h) */
    STORE_CLAIM = 4,  /* a number, or a string: no other row of the whole site may have the same
                         value, but for 0 and "". A row whose value another one has is left out of
                         its batch, alone (STORE_TAKEN) */
    STORE_REVISION = 8, /* a number; a row in which it is 0 was never written, and is as none */
    STORE_DIGEST = 16,  /* a text: its own hash stands for it in that of the row, as in a table that
                           was there before tables were described */
    STORE_LINE = 32,    /* a text: the line of the match in the row's room (room_write_ended), in
                           which names are erased (STORE_ERASE_NAMES). Of a table with a room */
};

struct store_column {
    const char *name; /* lower case, no word of SQL */
    enum store_type type;
    uint16_t at, size; /* of the member */
    uint16_t len_at;   /* of STORE_TEXT: of its length */
    uint32_t max; /* of a number: the largest, 0: any; of borrowed ones: bytes, without the 0 */
    unsigned flags;
};

/* Whose the rows are: that part alone writes them. */
enum store_owner {
    STORE_OF_SESSION, /* a session's, with which they go; refused if there is no such session */
    STORE_OF_DESK,    /* the desk's: of part 0, whatever they name */
    STORE_OF_SITE,    /* the desk's in a site of one part; else part 0 is not handed them out */
    STORE_ADDRESSED,  /* put by any part; dropped by the part that the number falls to as that of a
                         session does, be there such a session or not */
};

/*
 * An order in which rows are asked for (struct store_query): those that have the same values in the
 * first columns, by the others, and then by the rest of their key. It is made with its table. Of
 * numbers and strings alone. One that is the order of the key is not made, as the key has it.
 */
enum { STORE_INDEX_COLUMNS_MAX = 4, STORE_INDEXES_MAX = 4 };
struct store_index {
    const char *name; /* as that of a column */
    uint8_t count;    /* of columns */
    uint8_t same;     /* so many of them, the first, are given by who asks */
    bool descending;
    uint8_t columns[STORE_INDEX_COLUMNS_MAX];
};

struct store_table {
    const char *name; /* as that of a column */
    const char *what; /* one row in a sentence, as in "a browser of a session" */
    uint16_t number;  /* in the hashes of its rows: of no other table, now or ever */
    uint16_t size;    /* of the struct */
    enum store_owner owner;
    bool unloaded;    /* not handed out at the opening: there may be many */
    uint8_t owner_at; /* the column with the session, or the number that it is addressed to */
    /* Of a session's: the column with a room. When the room's log is let go (struct store_trim), so
     * is the row of each session that has acted in it. 0: it goes with no room. */
    uint8_t room_at;
    /* Of a session's, of which that is the first column of the key: whoever puts a row may say how
     * many of its session stay (store_row.keep). */
    bool bounded;
    uint8_t keys;  /* so many first columns tell a row from all others */
    uint8_t count; /* of columns */
    struct store_column columns[STORE_COLUMNS_MAX];
    const char *order; /* columns, in which they are handed out; NULL: by their key */
    struct store_index indexes[STORE_INDEXES_MAX]; /* until one without a name */
};

/* Of a column, from a struct and one of its members. */
#define STORE_MEMBER(type, member) .at = offsetof(type, member), .size = sizeof((type *)0)->member

/* ---- values, for engines */

int64_t store_number(const struct store_column *column, const void *row);
/* False: it is none of the column's. */
bool store_set_number(const struct store_column *column, void *row, int64_t value);

/* Of any other type. Borrowed from the row. */
const void *store_bytes(const struct store_column *column, const void *row, size_t *len);
/*
 * Copies them into the row, or of borrowed ones points at them: then a 0 is behind them. False:
 * they are none of the column's.
 */
bool store_set_bytes(const struct store_column *column, void *row, const void *bytes, size_t len);

/* 0 or "": not worth a hash in a column that came later, and no claim. */
bool store_is_nothing(const struct store_column *column, const void *row);
bool store_same_value(const struct store_column *column, const void *row, const void *other);
bool store_same_key(const struct store_table *table, const void *row, const void *other);

/* The session whose row it is, with which it goes; 0: it is no session's. */
uint64_t store_owner_of(const struct store_table *table, const void *row);
/* The part whose row it is falls to that number as a session does; 0: it is the desk's. */
uint64_t store_home_of(const struct store_table *table, const void *row);

/*
 * All columns by which the index orders, the rest of the key last, into `columns`; how many they
 * are.
 */
enum { STORE_ORDER_MAX = STORE_INDEX_COLUMNS_MAX + STORE_COLUMNS_MAX };
size_t store_index_order(const struct store_table *table, const struct store_index *index,
                         uint8_t columns[static STORE_ORDER_MAX]);
/* Is that the order of the key? */
bool store_index_is_key(const struct store_table *table, const struct store_index *index);

/* Do they claim the same value? */
bool store_same_claim(const struct store_table *table, const void *row, const void *other);

/* Can the row be stored: is each of its values one of its column's? */
bool store_row_is_valid(const struct store_table *table, const void *row);

/* How much of `borrowed` a copy of the row needs, and the copy, which points into it. */
size_t store_row_borrows(const struct store_table *table, const void *row);
void store_row_copy(const struct store_table *table, void *copy, const void *row, char *borrowed);

#endif
