/*
 * The pages of HTTP that features have (features/feature.h), as a site sees them: which there are,
 * and which part answers.
 */
#ifndef HUB_HTTP_PAGE_H
#define HUB_HTTP_PAGE_H

#include <stdbool.h>

struct feature;
struct feature_page;

/* Is that a page's path, or what is behind it if it ends with a slash? `*rest`: what that is. */
bool http_page_is_at(const char *page, const char *path, const char **rest);

/*
 * `features` ends with NULL; NULL: there are none. NULL: the path is none of theirs. `*rest` is
 * what stands behind the page's path, within `path`.
 */
const struct feature_page *http_page_find(const struct feature *const *features, const char *path,
                                          const char **rest);

/* Of a site of so many parts the one that answers; -1: any. */
int http_page_part(const struct feature_page *page, const char *rest, unsigned parts);

#endif
