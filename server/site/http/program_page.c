#include "program_page.h"

#include <hub/hub.h>
#include <protocol/encoding.h>
#include <protocol/export.h>
#include <site/page.h>
#include <stdio.h>
#include <string.h>

static const char root[] = "/api/me/", rooms[] = "rooms", games[] = "games", after[] = "/after/";

/* A profile is asked for by a handle, and everybody can: /api/people/HANDLE. */
static bool is_exported(const char *op)
{
    bool found = strcmp(op, "hello") == 0;
    for (size_t at = 0; at < EXPORT_STEPS; at++)
        found |= strcmp(export_steps[at].op, op) == 0 && strcmp(op, "profile") != 0;
    return found;
}

/* The list of matches is long: from which of them on. */
static void read_after(const char *rest, struct program_page *page)
{
    const char *room = strncmp(rest, after, sizeof after - 1) == 0 ? rest + sizeof after - 1 : "";
    page->bad = *rest && !room_id_valid(room, strlen(room));
    if (!page->bad && *rest)
        (void)snprintf(page->after, sizeof page->after, "%s", room);
}

bool program_page_find(const char *path, struct program_page *page)
{
    const char *name = path + sizeof root - 1;
    *page = (struct program_page){.gets = true, .scope = "export"};
    if (strncmp(path, root, sizeof root - 1) != 0)
        return false;
    if (strcmp(name, rooms) == 0) {
        *page = (struct program_page){.scope = "room"};
        return true;
    }
    const size_t len = strcspn(name, "/");
    (void)snprintf(page->op, sizeof page->op, "%.*s", (int)len, name);
    if (len >= sizeof page->op || !is_exported(page->op))
        return false;
    if (strcmp(page->op, games) != 0)
        return !name[len];
    page->scope = games;
    read_after(name + len, page);
    return true;
}

bool program_page_describe(const char *path, struct site_page *page)
{
    struct program_page found;
    if (!program_page_find(path, &found))
        return false;
    *page = (struct site_page){.gets = found.gets,
                               .stored = true,
                               .post_type = found.gets ? NULL : "application/json",
                               .post_bytes = HUB_HTTP_POST_MAX,
                               .by_token = true};
    return true;
}
