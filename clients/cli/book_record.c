#include "book_record.h"

#include <inttypes.h>
#include <protocol/signature.h>
#include <rating/settle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *result_of(const struct record *record, const char *name)
{
    const char *value = record_find(record->result, record->result_count, name);
    return value ? value : "";
}

static bool names_accounts(const struct book_match *match, const char *accounts)
{
    enum { ACCOUNT_DIGITS = 16 };
    char own[RATING_SEATS * (ACCOUNT_DIGITS + 1) + 1] = "";
    size_t len = 0;
    for (unsigned i = 0; i < match->seats; i++)
        len += (size_t)snprintf(own + len, sizeof own - len, "%s%016" PRIx64, i ? " " : "",
                                match->seat[i].account);
    return strcmp(own, accounts) == 0;
}

/* "0 2", or "2 0,1": numbers below `most` with what is between them; `ranks` NULL: a set. */
static bool read_numbers(const char *text, unsigned most, uint32_t *set, uint8_t *ranks)
{
    unsigned rank = 1, shared = 0;
    *set = 0;
    for (const char *at = text; *at; at++) {
        if (*at == ' ' || *at == ',') {
            rank += *at == ' ' ? shared : 0;
            shared = *at == ' ' ? 0 : shared;
            continue;
        }
        const unsigned number = (unsigned)(*at - '0');
        if (*at < '0' || number >= most)
            return false;
        *set |= UINT32_C(1) << number;
        shared++;
        if (ranks)
            ranks[number] = (uint8_t)rank;
    }
    return true;
}

/* Sides of whom somebody had been replaced, and was not back at the end. */
static uint32_t sides_left(const struct record *record, const struct book_match *match)
{
    uint32_t seats = 0, sides = 0;
    for (size_t at = 0; at < record->line_count; at++) {
        const struct record_line *line = &record->lines[at];
        if (line->number != 0 || line->seat >= match->seats)
            continue;
        if (strcmp(line->text, "replaced") == 0)
            seats |= UINT32_C(1) << line->seat;
        if (strcmp(line->text, "returned") == 0)
            seats &= ~(UINT32_C(1) << line->seat);
    }
    for (unsigned i = 0; i < match->seats; i++)
        sides |= seats >> i & 1 ? UINT32_C(1) << match->seat[i].side : 0;
    return sides;
}

static bool ends_so(const struct record *record, const struct book_match *match)
{
    struct book_match again = *match;
    uint8_t rank[RATING_SEATS] = {0};
    uint32_t all;
    again.still = 0;
    memset(again.place, 0, sizeof again.place);
    if (!read_numbers(result_of(record, "winners"), match->sides, &again.winners, NULL) ||
        !read_numbers(result_of(record, "ranks"), match->seats, &all, rank))
        return false;
    rating_settle(&again, sides_left(record, match), rank);
    return again.winners == match->winners && again.still == match->still &&
           memcmp(again.place, match->place, sizeof again.place) == 0;
}

static bool agrees(const struct record *record, const struct book_match *match)
{
    const char *class = rating_class_at(match->class)->name;
    return record->room && strcmp(record->room, match->room) == 0 &&
           record->end_ms == match->ended_ms && record->seat_count == match->seats &&
           strcmp(result_of(record, "rated"), class) == 0 &&
           names_accounts(match, result_of(record, "accounts")) && ends_so(record, match);
}

enum book_record book_check_record(const struct book_match *match, const char *text, size_t len,
                                   const struct key_set *keys)
{
    char id[KEY_ID_BYTES + 1];
    struct record record;
    struct record_problem problem;
    if (!record_parse(&record, len ? text : "", len, &problem))
        return problem.line == 0 && len <= RECORD_BYTES ? BOOK_RECORD_FAILED : BOOK_RECORD_DIFFERS;
    const enum record_signature word = record_check_signature(&record, keys, id);
    const bool same = agrees(&record, match);
    record_release(&record);
    switch (word) {
    case RECORD_SIGNED:
        return same ? BOOK_RECORD_AGREES : BOOK_RECORD_DIFFERS;
    case RECORD_NOT_SIGNED:
    case RECORD_SIGNED_BY_OTHER:
        return same ? BOOK_RECORD_NOT_SIGNED : BOOK_RECORD_DIFFERS;
    case RECORD_SIGNED_TOO_LATE:
    case RECORD_SIGNATURE_FALSE:
        return BOOK_RECORD_DIFFERS;
    case RECORD_SIGNATURE_FAILED:
        return BOOK_RECORD_FAILED;
    }
    return BOOK_RECORD_FAILED;
}
