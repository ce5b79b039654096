/*
 * The rows of a guest book, which is a feature of the tests' own: words of sessions under a name
 * that is one session's alone, and a page of the desk's.
 */
#ifndef SUPPORT_GUEST_TABLE_H
#define SUPPORT_GUEST_TABLE_H

#include <hub/store.h>

enum { GUEST_NAME_MAX = 20, GUEST_WORDS_MAX = 60 };

struct guest_word {
    uint64_t session;
    uint32_t id;
    int64_t at_ms;
    char name[GUEST_NAME_MAX + 1]; /* a claim; "": none */
    uint64_t place;                /* a claim; 0: none */
    uint8_t seal[8];
    const char *words; /* borrowed */
};

struct guest_page {
    uint64_t number;
    uint8_t mood; /* up to 2 */
    const char *text;
    uint16_t text_len;
};

extern const struct store_table guest_word_table, guest_page_table;
enum { GUEST_WORD_PLACE = 4 }; /* the column */

/* Those of the hub, and these. */
extern const struct store_table *const guest_tables[];

#endif
