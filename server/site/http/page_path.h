/* Pages that are neither a feature's nor a program's: the site answers them for all its parts. */
#ifndef SITE_PAGE_PATH_H
#define SITE_PAGE_PATH_H

struct site;

static const char path_rooms[] = "/api/rooms", path_records[] = "/api/records/",
                  path_keys[] = "/.well-known/taluva-keys.json", path_ready[] = "/readyz";

/* The content type of what another node finds there; of any other path, and of what is not found,
 * that of plain text. */
const char *page_type(const struct site *site, const char *path);

#endif
