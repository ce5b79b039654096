#include "program_page.h"

#include <hub/hub.h>
#include <site/page.h>
#include <stddef.h>
#include <string.h>

static const struct program_page pages[] = {
    {program_games, true, true, "games"},
    {"/api/me/games/after/", false, true, "games"},
    {"/api/me/rooms", true, false, "room"},
};

const struct program_page *program_page_find(const char *path)
{
    for (size_t at = 0; at < sizeof pages / sizeof pages[0]; at++) {
        const struct program_page *page = &pages[at];
        const size_t len = strlen(page->path);
        if (strncmp(path, page->path, len) == 0 && (!page->whole || !path[len]))
            return page;
    }
    return NULL;
}

bool program_page_describe(const char *path, struct site_page *page)
{
    const struct program_page *found = program_page_find(path);
    if (found)
        *page = (struct site_page){.gets = found->gets,
                                   .stored = true,
                                   .post_type = found->gets ? NULL : "application/json",
                                   .post_bytes = HUB_HTTP_POST_MAX,
                                   .by_token = true};
    return found;
}
