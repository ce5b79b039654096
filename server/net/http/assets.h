/*
 * The web client's files by path, read into memory at the start. Only these can be requested.
 *
 * Hidden files, links, and what is neither file nor folder are left out. Each file is kept as it
 * is, scripts without their comments (script.h), and, if that is smaller, compressed with gzip.
 */
#ifndef NET_ASSETS_H
#define NET_ASSETS_H

#include <net/net.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    ASSETS_MAX = 1024,
    ASSETS_BYTES_MAX = 32 << 20,
    ASSETS_DEPTH_MAX = 8,
    ASSET_PATH_MAX = 256,
    ASSET_TAG_MAX = 36,
    ASSET_INLINE_MAX = 4, /* scripts and styles within one page */
    ASSET_SOURCES_MAX = ASSET_INLINE_MAX * 54 + 1,
};

struct asset_body {
    unsigned char *bytes; /* HUB_OUTPUT_HEADROOM writable bytes before it; NULL: there is none */
    size_t len;
};

struct asset {
    char path[ASSET_PATH_MAX]; /* "/js/table.js" */
    const char *type;          /* Content-Type */
    char tag[ASSET_TAG_MAX];   /* ETag, with its quotes */
    bool part;                 /* of a page: neither opened by itself nor run as a service worker */
    /* Of the scripts and styles that a page has in itself, for its Content-Security-Policy: a space
     * and 'sha256-...' for each. */
    char sources[ASSET_SOURCES_MAX];
    struct asset_body plain, gzip;
};

struct assets {
    struct asset *list; /* sorted by path */
    size_t count;
    size_t bytes; /* of the files */
};

enum net_result assets_load(struct assets *assets, const char *folder,
                            char message[static NET_MESSAGE_MAX]);
void assets_release(struct assets *assets);

/* "/" is index.html. */
const struct asset *assets_find(const struct assets *assets, const char *path);

#endif
