/*
 * One page of a list that is kept in no order: those with the smallest keys behind the last one of
 * the page before. What comes or goes between two pages moves no other entry.
 */
#ifndef HUB_ADMIN_PAGE_H
#define HUB_ADMIN_PAGE_H

#include <hub/admin_request.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAGE_KEY_BYTES = 8 };

struct page {
    const uint8_t *after; /* NULL: from the beginning */
    size_t count;
    bool more; /* there are some behind the last */
    uint8_t keys[ADMIN_PAGE][PAGE_KEY_BYTES];
    const void *items[ADMIN_PAGE];
};

/* All entries are offered, in any order, none twice; compared as memcmp does. */
void page_offer(struct page *page, const uint8_t key[static PAGE_KEY_BYTES], const void *item);
/* Where that key is on the page; page->count: it is not. */
size_t page_find(const struct page *page, const uint8_t key[static PAGE_KEY_BYTES]);

#endif
