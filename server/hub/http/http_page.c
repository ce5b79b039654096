#include <hub/http_page.h>

#include <features/feature.h>
#include <hub/part.h>
#include <protocol/encoding.h>
#include <string.h>

bool http_page_is_at(const char *page, const char *path, const char **rest)
{
    const size_t len = strlen(page);
    const bool whole = page[len - 1] != '/';
    const bool begins = strncmp(path, page, len) == 0;
    *rest = begins ? path + len : "";
    return begins && (!whole || !path[len]);
}

const struct feature_page *http_page_find(const struct feature *const *features, const char *path,
                                          const char **rest)
{
    for (; features && *features; features++) {
        for (size_t i = 0; i < (*features)->page_count; i++) {
            if (http_page_is_at((*features)->pages[i].path, path, rest))
                return &(*features)->pages[i];
        }
    }
    return NULL;
}

/* 0: it is none, and any part can say so. */
static uint64_t session_of(const char *rest)
{
    uint8_t bytes[8];
    uint64_t id = 0;
    if (!hex_decode(bytes, sizeof bytes, rest, strnlen(rest, 2 * sizeof bytes)))
        return 0;
    for (size_t at = 0; at < sizeof bytes; at++)
        id = id << 8 | bytes[at];
    return id;
}

int http_page_part(const struct feature_page *page, const char *rest, unsigned parts)
{
    switch (page->place) {
    case PAGE_ANYWHERE:
        return -1;
    case PAGE_OF_DESK:
        return 0;
    case PAGE_OF_ROOM:
        return (int)part_of_room(rest, parts);
    case PAGE_OF_SESSION:
        return (int)part_of_session(session_of(rest), parts);
    }
    return -1;
}
