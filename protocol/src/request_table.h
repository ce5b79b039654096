/*
 * What every operation and every field looks like, once: decoding, encoding and digests read these
 * tables and know no single field by name.
 */
#ifndef PROTOCOL_REQUEST_TABLE_H
#define PROTOCOL_REQUEST_TABLE_H

#include <protocol/request.h>

enum field_kind {
    FIELD_WORD,   /* a string of one form, kept as it came */
    FIELD_HEX,    /* the same, kept in lower case */
    FIELD_TEXT,   /* written by people: cleaned */
    FIELD_BOOL,   /* bool */
    FIELD_SEAT,   /* uint8_t */
    FIELD_LEVEL,  /* uint8_t from 1 */
    FIELD_VIEWER, /* uint8_t: a seat, or a word for who has none */
    FIELD_COUNT,  /* int64_t from 0 */
    FIELD_DAYS,   /* int64_t: for which a token is good */
    FIELD_NUMBER, /* int64_t from 1: of a case, a judgement, a line */
    FIELD_TERM,   /* int64_t: seconds that a judgement holds */
    FIELD_ACCESS,
    FIELD_OFFER,
    FIELD_CLOCK,
    FIELD_OPTIONS,
    FIELD_PASSKEY,
};

struct field_row {
    const char *name;
    enum field_kind kind;
    size_t offset;                              /* of the member in struct request */
    size_t size;                                /* of a string member, its NUL included */
    bool (*form)(const char *text, size_t len); /* of a word */
};

struct op_row {
    const char *name;
    uint64_t required; /* bits of request.fields */
    uint64_t optional;
};

enum { FIELD_ROWS = 49 };

/* Row i belongs to bit i of request.fields; rows are sorted by name. */
extern const struct field_row field_rows[FIELD_ROWS];

/* Indexed by enum request_op; rows are sorted by name. */
extern const struct op_row op_rows[REQUEST_OPS];

/* The members of `clock` that are numbers. */
struct clock_row {
    const char *name;
    size_t offset; /* of a uint32_t in struct protocol_clock */
    uint32_t min, max;
    unsigned kinds; /* bit k: enum protocol_clock_kind k has it, and must */
};

enum { CLOCK_ROWS = 6 };
extern const struct clock_row clock_rows[CLOCK_ROWS];

/* The members of `passkey`, and which operations have them. */
struct passkey_row {
    const char *name;
    size_t max;        /* characters */
    uint64_t required; /* bits: 1 << enum request_op, of those that have one */
    uint64_t optional;
};

enum { PASSKEY_ROWS = 6 };
extern const struct passkey_row passkey_rows[PASSKEY_ROWS];

/* The word for a viewer that is no seat; NULL of a seat. */
static inline const char *viewer_word(uint8_t viewer)
{
    if (viewer == REQUEST_AS_SERVER)
        return "server";
    return viewer == REQUEST_AS_WATCHER ? "watcher" : NULL;
}

/* Where a row's member is. */
static inline const void *member_of(const void *base, size_t offset)
{
    return (const char *)base + offset;
}

#endif
