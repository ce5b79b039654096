/* Pages that are neither a feature's nor a program's: the site answers them for all its parts. */
#ifndef SITE_PAGE_PATH_H
#define SITE_PAGE_PATH_H

static const char path_rooms[] = "/api/rooms", path_records[] = "/api/records/",
                  path_keys[] = "/.well-known/taluva-keys.json", path_ready[] = "/readyz";

#endif
