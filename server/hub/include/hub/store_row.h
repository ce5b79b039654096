/*
 * Rows as they are described: what a feature keeps durably, said once.
 *
 * A TABLE says what its rows are called, who owns them, and where in a struct each column is. From
 * that alone every engine knows its SQL, its values and its checks: adding something durable is a
 * struct, a table and its name in store_tables, and no engine is touched. A row is put, dropped or
 * trimmed by an op of a batch (hub/store.h), and handed out at the opening.
 *
 *     rows       each is owned by one part, which alone writes it and has it in memory
 *     claims     a column in which no two rows of the whole site have the same value
 *     indexes    in the order of which the rows of the whole site can be asked for, page by page
 *     letters    from one part to another, each taken exactly once (hub/store_letter.h)
 *     documents  one text for the whole site, with a revision (hub/store_document.h)
 *
 * A table that a store has not yet is made when it is opened, and so is a column that was appended
 * to one, whose value is then 0 or "" everywhere. So programs of two versions may use one database:
 * what the older one does not know it leaves alone. No column is ever taken away, renamed or given
 * another type.
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
    STORE_INDEX_COLUMNS_MAX = 4,
    STORE_INDEXES_MAX = 4,
    STORE_ROW_SIZE_MAX = 512, /* of a struct */
    STORE_TEXT_MAX = 4096,    /* of a text */
    STORE_PAGE_MAX = 100,     /* of rows that are asked for */
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
    STORE_CLAIM = 4,  /* no two rows have the same value; 0 and "" are none */
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
};

/*
 * Rows of a table in an order: those that have the same values in the first columns as what is
 * asked for, by the rest. The last column names a row among those: a page begins behind it.
 */
struct store_index {
    const char *name; /* "": the order of the key, which needs none */
    uint8_t columns[STORE_INDEX_COLUMNS_MAX];
    uint8_t count, same; /* of all, and of those that are given */
    bool falling;        /* the largest first */
    uint8_t page;        /* rows, up to STORE_PAGE_MAX */
};

struct store_table {
    const char *name; /* as that of a column */
    const char *what; /* one row in a sentence, as in "a browser of a session" */
    uint16_t number;  /* in the hashes of its rows: of no other table, now or ever */
    uint16_t size;    /* of the struct */
    enum store_owner owner;
    uint8_t owner_at; /* the column with the session, of STORE_OF_SESSION */
    uint8_t keys;     /* so many first columns tell a row from all others */
    uint8_t count;    /* of columns */
    bool kept_away;   /* the rows are not handed out at the opening, only asked for */
    struct store_column columns[STORE_COLUMNS_MAX];
    const char *order; /* columns, in which they are handed out; NULL: by their key */
    uint8_t index_count;
    struct store_index indexes[STORE_INDEXES_MAX];
};

/* Of a column, from a struct and one of its members. */
#define STORE_MEMBER(type, member) offsetof(type, member), sizeof((type *)0)->member

/* All tables that a server knows, in the order in which they are handed out; NULL at the end. */
extern const struct store_table *const store_tables[];

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

/* The session whose row it is; 0: it is the desk's. */
uint64_t store_owner_of(const struct store_table *table, const void *row);

/* Can the row be stored: is each of its values one of its column's? */
bool store_row_is_valid(const struct store_table *table, const void *row);

/* How much of `borrowed` a copy of the row needs, and the copy, which points into it. */
size_t store_row_borrows(const struct store_table *table, const void *row);
void store_row_copy(const struct store_table *table, void *copy, const void *row, char *borrowed);

#endif
