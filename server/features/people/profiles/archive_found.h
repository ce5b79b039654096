/*
 * What one search of the archive has found, until it is known who of all who sat there shows
 * nothing of themselves (profile.h): their seats are left out, and a match of which no seat is
 * left.
 *
 * That is asked in the order of sessions: who hides is rare, so a page of those who do answers for
 * many seats at once.
 */
#ifndef PEOPLE_ARCHIVE_FOUND_H
#define PEOPLE_ARCHIVE_FOUND_H

#include "archive.h"
#include "tables/archive_table.h"
#include <protocol/buffer.h>
#include <stdbool.h>
#include <stdint.h>

struct kernel_query;
struct store_query;

enum { FOUND_SEATS = ARCHIVE_MATCHES * PROTOCOL_SEATS };

struct found_seat {
    uint64_t session;
    uint32_t at, len; /* of the text */
    bool known, hidden;
};

struct found_match {
    uint32_t at, len; /* of the text: all before its seats */
    uint32_t first, seats;
};

struct archive_found {
    struct buffer text;
    uint32_t matches, seats;
    struct found_match match[ARCHIVE_MATCHES];
    struct found_seat seat[FOUND_SEATS];
};

void found_init(struct archive_found *found);
void found_release(struct archive_found *found);

/* A match, for which there is place; and a seat of the last one, which is called so. */
void found_begin_match(struct archive_found *found, const struct archive_row *row);
void found_add_seat(struct archive_found *found, const struct archive_row *row, const char *handle);

/* Asks for those who hide, from the first one on of whom it is not known. False: it is known of
 * all. And what the store says. */
bool found_ask_hidden(const struct archive_found *found, struct kernel_query *query, void *from);
void found_note_hidden(struct archive_found *found, const struct store_query *done);

/* All matches, as elements of an array. */
void found_write(const struct archive_found *found, struct buffer *out);

#endif
