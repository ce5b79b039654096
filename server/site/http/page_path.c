#include "page_path.h"

#include "program_page.h"
#include "site_private.h"
#include <features/feature.h>
#include <hub/http_page.h>
#include <site/page.h>
#include <stdbool.h>
#include <stddef.h>

static const char text_plain[] = "text/plain; charset=utf-8";

static const struct own_page {
    const char *path, *type;
    bool stored;
} own_pages[] = {
    {path_rooms, "application/json", true},
    {path_records, text_plain, true},
    {path_keys, "application/jwk-set+json", false},
    {path_ready, text_plain, false},
};

static const struct own_page *find_own(const char *path)
{
    const char *rest;
    for (size_t at = 0; at < sizeof own_pages / sizeof own_pages[0]; at++) {
        if (http_page_is_at(own_pages[at].path, path, &rest))
            return &own_pages[at];
    }
    return NULL;
}

static bool describe_own(const char *path, struct site_page *page)
{
    const struct own_page *own = find_own(path);
    if (own)
        *page = (struct site_page){.gets = true, .stored = own->stored};
    return own;
}

static bool describe_feature(const struct site *site, const char *path, struct site_page *page)
{
    const char *rest;
    const struct feature_page *found = http_page_find(site->config.features, path, &rest);
    const bool keeps_nothing = found && found->get && found->place == PAGE_ANYWHERE;
    if (found)
        *page = (struct site_page){.gets = found->get != NULL,
                                   .stored = !keeps_nothing,
                                   .post_type = found->post ? found->post_type : NULL,
                                   .post_bytes = found->post_bytes};
    return found;
}

const char *page_type(const struct site *site, const char *path)
{
    const char *rest;
    const struct feature_page *page = http_page_find(site->config.features, path, &rest);
    const struct own_page *own = find_own(path);
    return page ? page->type : own ? own->type : text_plain;
}

bool site_http_page(const struct site *site, const char *path, struct site_page *page)
{
    return describe_own(path, page) || describe_feature(site, path, page) ||
           program_page_describe(path, page);
}
