#include "page_path.h"

#include "program_page.h"
#include "site_private.h"
#include <features/feature.h>
#include <hub/http_page.h>
#include <site/page.h>
#include <string.h>

static bool describe_own(const char *path, struct site_page *page)
{
    const bool is_list =
        strcmp(path, path_rooms) == 0 || strncmp(path, path_records, sizeof path_records - 1) == 0;
    if (!is_list && strcmp(path, path_keys) != 0 && strcmp(path, path_ready) != 0)
        return false;
    *page = (struct site_page){.gets = true, .stored = is_list};
    return true;
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

bool site_http_page(const struct site *site, const char *path, struct site_page *page)
{
    return describe_own(path, page) || describe_feature(site, path, page) ||
           program_page_describe(path, page);
}
