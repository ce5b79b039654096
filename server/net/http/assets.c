#define _GNU_SOURCE /* memmem */
#include "assets.h"

#include "script.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static const struct {
    const char *suffix, *type;
    bool worth_compressing, part, script;
} types[] = {
    {".css", "text/css; charset=utf-8", true, true, false},
    {".html", "text/html; charset=utf-8", true, false, false},
    {".ico", "image/x-icon", false, true, false},
    {".js", "text/javascript; charset=utf-8", true, true, true},
    {".json", "application/json", true, false, false},
    {".map", "application/json", true, false, false},
    {".mjs", "text/javascript; charset=utf-8", true, true, true},
    {".mp3", "audio/mpeg", false, true, false},
    {".ogg", "audio/ogg", false, true, false},
    {".png", "image/png", false, true, false},
    {".svg", "image/svg+xml", true, false, false},
    {".txt", "text/plain; charset=utf-8", true, false, false},
    {".wav", "audio/wav", true, true, false},
    {".webmanifest", "application/manifest+json", true, false, false},
    {".webp", "image/webp", false, true, false},
    {".woff2", "font/woff2", false, true, false},
};
enum { TYPES = sizeof types / sizeof types[0] };

struct loading {
    struct assets *assets;
    size_t size; /* allocated */
    char *message;
};

static enum net_result fail_load(const struct loading *loading, enum net_result result,
                                 const char *path, const char *why)
{
    snprintf(loading->message, NET_MESSAGE_MAX, "the web client's folder, %.300s: %s",
             *path ? path : "/", why);
    return result;
}

static int find_type(const char *path)
{
    const char *suffix = strrchr(path, '.');
    for (int at = 0; suffix && at < TYPES; at++) {
        if (strcmp(types[at].suffix, suffix) == 0)
            return at;
    }
    return -1;
}

static bool body_alloc(struct asset_body *body, size_t len)
{
    unsigned char *memory = malloc(HUB_OUTPUT_HEADROOM + len + 1);
    if (!memory)
        return false;
    body->bytes = memory + HUB_OUTPUT_HEADROOM;
    body->len = len;
    return true;
}

static void body_release(struct asset_body *body)
{
    if (body->bytes)
        free(body->bytes - HUB_OUTPUT_HEADROOM);
    *body = (struct asset_body){0};
}

static bool read_all(int fd, struct asset_body *body)
{
    size_t done = 0;
    while (done < body->len) {
        ssize_t got = read(fd, body->bytes + done, body->len - done);
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

/* Leaves `gzip` empty if it would not be smaller, or there is no memory for it. */
static void compress_body(const struct asset_body *plain, struct asset_body *gzip)
{
    enum { GZIP_WINDOW = 15 + 16 };
    z_stream stream = {0};
    if (!body_alloc(gzip, plain->len))
        return;
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, 9, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
        body_release(gzip);
        return;
    }
    stream.next_in = plain->bytes;
    stream.avail_in = (uInt)plain->len;
    stream.next_out = gzip->bytes;
    stream.avail_out = (uInt)gzip->len;
    int end = deflate(&stream, Z_FINISH);
    gzip->len = stream.total_out;
    deflateEnd(&stream);
    if (end != Z_STREAM_END)
        body_release(gzip);
}

static void tag_body(struct asset *asset)
{
    unsigned char hash[16];
    char hex[2 * sizeof hash + 1];
    crypto_generichash(hash, sizeof hash, asset->plain.bytes, asset->plain.len, NULL, 0);
    sodium_bin2hex(hex, sizeof hex, hash, sizeof hash);
    snprintf(asset->tag, sizeof asset->tag, "\"%s\"", hex);
}

/* ---- what a page has in itself */

static const unsigned char *find_text(const unsigned char *at, const unsigned char *end,
                                      const char *text)
{
    return at ? memmem(at, (size_t)(end - at), text, strlen(text)) : NULL;
}

/* False: there is no place for it. */
static bool add_source(struct asset *asset, const unsigned char *content, size_t len)
{
    enum {
        HASH_TEXT =
            sodium_base64_ENCODED_LEN(crypto_hash_sha256_BYTES, sodium_base64_VARIANT_ORIGINAL)
    };
    unsigned char hash[crypto_hash_sha256_BYTES];
    char text[HASH_TEXT];
    const size_t used = strlen(asset->sources), left = sizeof asset->sources - used;
    crypto_hash_sha256(hash, content, len);
    sodium_bin2base64(text, sizeof text, hash, sizeof hash, sodium_base64_VARIANT_ORIGINAL);
    return snprintf(asset->sources + used, left, " 'sha256-%s'", text) < (int)left;
}

/* Of all elements of that name that have a content: others name a file. */
static bool add_sources(struct asset *asset, const char *opening, const char *closing)
{
    const unsigned char *at = asset->plain.bytes, *end = at + asset->plain.len;
    while ((at = find_text(at, end, opening))) {
        const unsigned char *from = find_text(at, end, ">");
        const unsigned char *to = find_text(from, end, closing);
        if (!to)
            return true;
        if (to > from + 1 && !add_source(asset, from + 1, (size_t)(to - from - 1)))
            return false;
        at = to;
    }
    return true;
}

static enum net_result load_open_file(struct loading *loading, int fd, const char *path, int type)
{
    struct stat status;
    struct assets *assets = loading->assets;
    struct asset *asset = &assets->list[assets->count];
    if (fstat(fd, &status) != 0)
        return fail_load(loading, NET_UNAVAILABLE, path, strerror(errno));
    if (status.st_size > ASSETS_BYTES_MAX - (off_t)assets->bytes)
        return fail_load(loading, NET_UNAVAILABLE, path, "more than 32 MiB in all");
    /* A service worker's script lies in the folder that it works for: that of the page. */
    bool in_folder = strchr(path + 1, '/');
    *asset = (struct asset){.type = types[type].type, .part = types[type].part && in_folder};
    snprintf(asset->path, sizeof asset->path, "%s", path);
    if (!body_alloc(&asset->plain, (size_t)status.st_size))
        return fail_load(loading, NET_NO_MEMORY, path, "out of memory");
    assets->count++;
    assets->bytes += asset->plain.len;
    if (!read_all(fd, &asset->plain))
        return fail_load(loading, NET_UNAVAILABLE, path, "cannot be read");
    if (strcmp(types[type].suffix, ".html") == 0 &&
        !(add_sources(asset, "<script", "</script") && add_sources(asset, "<style", "</style")))
        return fail_load(loading, NET_UNAVAILABLE, path,
                         "more scripts and styles in it than may be");
    if (types[type].script)
        asset->plain.len = script_drop_comments(asset->plain.bytes, asset->plain.len);
    if (types[type].worth_compressing)
        compress_body(&asset->plain, &asset->gzip);
    tag_body(asset);
    return NET_OK;
}

static enum net_result reserve_assets(struct loading *loading, const char *path)
{
    struct assets *assets = loading->assets;
    if (assets->count >= ASSETS_MAX)
        return fail_load(loading, NET_UNAVAILABLE, path, "too many files");
    if (assets->count < loading->size)
        return NET_OK;
    size_t size = loading->size ? 2 * loading->size : 32;
    struct asset *list = realloc(assets->list, size * sizeof *list);
    if (!list)
        return fail_load(loading, NET_NO_MEMORY, path, "out of memory");
    assets->list = list;
    loading->size = size;
    return NET_OK;
}

static enum net_result load_file(struct loading *loading, int folder_fd, const char *name,
                                 const char *path)
{
    int type = find_type(path);
    if (type < 0)
        return NET_OK; /* files of other types, as a README, are not served */
    enum net_result result = reserve_assets(loading, path);
    if (result != NET_OK)
        return result;
    int fd = openat(folder_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return fail_load(loading, NET_UNAVAILABLE, path, strerror(errno));
    result = load_open_file(loading, fd, path, type);
    close(fd);
    return result;
}

static enum net_result load_folder(struct loading *loading, int fd, const char *path, int depth);

static enum net_result load_entry(struct loading *loading, int folder_fd, const char *name,
                                  const char *folder, int depth)
{
    char path[ASSET_PATH_MAX];
    struct stat status;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return fail_load(loading, NET_UNAVAILABLE, folder, "too long a name");
    if (fstatat(folder_fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return fail_load(loading, NET_UNAVAILABLE, path, strerror(errno));
    if (S_ISREG(status.st_mode))
        return load_file(loading, folder_fd, name, path);
    if (!S_ISDIR(status.st_mode) || depth >= ASSETS_DEPTH_MAX)
        return NET_OK;
    int fd = openat(folder_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return fail_load(loading, NET_UNAVAILABLE, path, strerror(errno));
    return load_folder(loading, fd, path, depth + 1);
}

/* Takes the fd over. */
static enum net_result load_folder(struct loading *loading, int fd, const char *path, int depth)
{
    DIR *dir = fdopendir(fd);
    if (!dir) {
        close(fd);
        return fail_load(loading, NET_NO_MEMORY, path, strerror(errno));
    }
    enum net_result result = NET_OK;
    for (struct dirent *entry; result == NET_OK && (entry = readdir(dir));) {
        if (entry->d_name[0] != '.')
            result = load_entry(loading, fd, entry->d_name, path, depth);
    }
    closedir(dir);
    return result;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(((const struct asset *)a)->path, ((const struct asset *)b)->path);
}

enum net_result assets_load(struct assets *assets, const char *folder,
                            char message[static NET_MESSAGE_MAX])
{
    *assets = (struct assets){0};
    struct loading loading = {assets, 0, message};
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return fail_load(&loading, NET_UNAVAILABLE, folder, strerror(errno));
    enum net_result result = load_folder(&loading, fd, "", 0);
    if (result == NET_OK && assets->count > 0)
        qsort(assets->list, assets->count, sizeof *assets->list, compare_paths);
    if (result == NET_OK && !assets_find(assets, "/"))
        result = fail_load(&loading, NET_UNAVAILABLE, folder, "there is no index.html");
    if (result != NET_OK)
        assets_release(assets);
    return result;
}

void assets_release(struct assets *assets)
{
    for (size_t at = 0; at < assets->count; at++) {
        body_release(&assets->list[at].plain);
        body_release(&assets->list[at].gzip);
    }
    free(assets->list);
    *assets = (struct assets){0};
}

static int compare_key(const void *path, const void *asset)
{
    return strcmp(path, ((const struct asset *)asset)->path);
}

const struct asset *assets_find(const struct assets *assets, const char *path)
{
    if (strcmp(path, "/") == 0)
        path = "/index.html";
    if (assets->count == 0)
        return NULL;
    return bsearch(path, assets->list, assets->count, sizeof *assets->list, compare_key);
}
