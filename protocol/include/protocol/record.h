/*
 * The text record of a match, for people and for programs: protocol/record.md has the grammar.
 *
 *     [Format "taluva-record 1"]           headers
 *     [Server "taluvad 1.0.0"]
 *     [Room "k3m9x0aq"]
 *     [Rules "1"]
 *     [Option.preset "ferti-2014"]
 *     [Seat.0.name "Ana"]
 *     ...
 *                                          an empty line
 *     1. 0 JC@0,0:0 hut@1,0 {12.345}       turns: number, seat, text, seconds spent
 *     2. 1 LS@2,-1:4 hut@3,-1 {8.100}
 *     - 0 resigned                         what happened out of turn
 *
 * This library knows the frame and no game: options, the deal, the result and the text of turns are
 * the game's words, handed through. There is one way to write a record: what the parser accepts,
 * record_write gives back byte for byte, and everything else is refused.
 *
 * `struct record` only points: the strings of one that the caller fills in must outlive it. One
 * that was parsed owns its memory and is released.
 */
#ifndef PROTOCOL_RECORD_H
#define PROTOCOL_RECORD_H

#include <protocol/buffer.h>
#include <protocol/limits.h>
#include <protocol/terms.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RECORD_BYTES = 1024 * 1024, /* a longer text is refused */
    RECORD_PAIRS = 64,          /* of each list of pairs */
    RECORD_LINES = 16384,
    RECORD_WORD_BYTES = 32,                      /* a pair's name, an out-of-turn word */
    RECORD_VALUE_BYTES = 1024,                   /* of anything between quotes */
    RECORD_TEXT_BYTES = 4 * PROTOCOL_MOVE_BYTES, /* of a turn */
    RECORD_NO_SEAT = 255,
    RECORD_RULES_MAX = 9999,
};

#define RECORD_NO_TIME INT64_C(-1)

/* `name` is a-z 0-9 _ and starts with a letter; `value` is UTF-8 without control characters. */
struct record_pair {
    const char *name;
    const char *value;
};

/* Members that are NULL have no line; a seat without a name has none at all. */
struct record_seat {
    const char *name;
    const char *colour; /* a word */
    const char *nonce;  /* lower-case hex, or "" */
    bool bot;
    const char *level; /* a word, of a computer player */
};

/*
 * A turn has a number from 1 up, a seat, and in `text` one or more words of printable ASCII with
 * one space between. Anything else has number 0, a seat or RECORD_NO_SEAT, and a word in `text`.
 */
struct record_line {
    uint32_t number;
    uint8_t seat;
    const char *text;
    int64_t spent_ms; /* of a turn, or RECORD_NO_TIME */
};

struct record {
    const char *room;
    const char *game;
    unsigned rules;     /* version of the game's rules; 0: not written down, which means 1 */
    const char *server; /* program and version, "taluvad 1.0.0" */
    const char *title;  /* NULL if none */
    int64_t start_ms;   /* since 1970-01-01 UTC; RECORD_NO_TIME if it has not begun */
    int64_t end_ms;     /* RECORD_NO_TIME if it is not over */
    struct protocol_clock clock;
    const char *commitment; /* 64 hex digits */
    const char *secret;     /* 64 hex digits, NULL before the end */

    const struct record_pair *options;
    size_t option_count;
    const struct record_seat *seats;
    size_t seat_count;              /* <= PROTOCOL_SEATS */
    const struct record_pair *deal; /* what the secret dealt: deck, first seat, ... */
    size_t deal_count;
    const struct record_pair *result; /* why, winners, ... */
    size_t result_count;
    const struct record_line *lines;
    size_t line_count;

    void *memory; /* of a parsed record; NULL else */
};

/*
 * Appends the text to `out`. False, with nothing appended, if something in the record is not
 * allowed in its text (a bad word, a control character, too long, ...). Whether memory ran out is
 * in `out->failed`.
 */
bool record_write(struct buffer *out, const struct record *record);

struct record_problem {
    size_t line;         /* from 1; 0 if it is no line's fault (memory, length) */
    const char *message; /* static */
};

/* Reads a whole text. On false `problem` says why and `record` need not be released. */
bool record_parse(struct record *record, const char *bytes, size_t len,
                  struct record_problem *problem);

void record_release(struct record *record);

/* The pair's value, or NULL. */
const char *record_find(const struct record_pair *pairs, size_t count, const char *name);

#endif
