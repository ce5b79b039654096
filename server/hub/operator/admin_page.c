#include "admin_page.h"

#include <string.h>

/* The first that is not smaller. */
static size_t place_of(const struct page *page, const uint8_t *key)
{
    size_t low = 0, high = page->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (memcmp(page->keys[middle], key, PAGE_KEY_BYTES) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void page_offer(struct page *page, const uint8_t key[static PAGE_KEY_BYTES], const void *item)
{
    if (page->after && memcmp(key, page->after, PAGE_KEY_BYTES) <= 0)
        return;
    const size_t at = place_of(page, key);
    if (page->count == ADMIN_PAGE) {
        page->more = true;
        if (at == ADMIN_PAGE)
            return;
        page->count--;
    }
    const size_t behind = page->count - at;
    memmove(page->keys[at + 1], page->keys[at], behind * PAGE_KEY_BYTES);
    memmove(&page->items[at + 1], &page->items[at], behind * sizeof page->items[0]);
    memcpy(page->keys[at], key, PAGE_KEY_BYTES);
    page->items[at] = item;
    page->count++;
}

size_t page_find(const struct page *page, const uint8_t key[static PAGE_KEY_BYTES])
{
    const size_t at = place_of(page, key);
    const bool found = at < page->count && memcmp(page->keys[at], key, PAGE_KEY_BYTES) == 0;
    return found ? at : page->count;
}
