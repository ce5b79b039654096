/* Which files of a folder are served, as what, and what a path finds. */
#include "suites.h"

#include "assets.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static char folder[] = "/tmp/taluva-assets-XXXXXX";
static struct assets assets;
static char message[NET_MESSAGE_MAX];

static const struct {
    const char *path, *content; /* NULL: a folder; "->": a link to /etc/passwd; the rest: a file */
    const char *type;           /* NULL: not served */
} tree[] = {
    {"index.html", "<!doctype html>", "text/html; charset=utf-8"},
    {"js", NULL, NULL},
    {"js/a.js", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
     "text/javascript; charset=utf-8"},
    {"js/deep", NULL, NULL},
    {"js/deep/b.mjs", "b", "text/javascript; charset=utf-8"},
    {"a.css", "", "text/css; charset=utf-8"},
    {"picture.png", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
     "image/png"},
    {".htaccess", "secret", NULL},
    {".git", NULL, NULL},
    {".git/config.html", "secret", NULL},
    {"README.md", "not the client", NULL},
    {"Makefile", "not the client", NULL},
    {"password.txt", "->", NULL},
    {"link.html", "->", NULL},
};
enum { TREE = sizeof tree / sizeof tree[0] };

static void path_of(char path[static 512], const char *name)
{
    snprintf(path, 512, "%s/%s", folder, name);
}

static void make_file(const char *path, const char *content)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(content, file);
    fclose(file);
}

static void make_tree(void)
{
    char path[512];
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    for (int at = 0; at < TREE; at++) {
        path_of(path, tree[at].path);
        if (!tree[at].content)
            ck_assert_int_eq(mkdir(path, 0700), 0);
        else if (strcmp(tree[at].content, "->") == 0)
            ck_assert_int_eq(symlink("/etc/passwd", path), 0);
        else
            make_file(path, tree[at].content);
    }
}

static void remove_tree(void)
{
    char path[512];
    assets_release(&assets);
    for (int at = TREE - 1; at >= 0; at--) {
        path_of(path, tree[at].path);
        ck_assert(remove(path) == 0 || errno == ENOENT);
    }
    rmdir(folder);
}

static void load(void)
{
    ck_assert_msg(assets_load(&assets, folder, message) == NET_OK, "%s", message);
}

START_TEST(test_what_is_served)
{
    size_t served = 0;
    load();
    for (int at = 0; at < TREE; at++) {
        char path[512];
        snprintf(path, sizeof path, "/%s", tree[at].path);
        const struct asset *asset = assets_find(&assets, path);
        ck_assert_msg((asset != NULL) == (tree[at].type != NULL), "%s", path);
        if (!asset)
            continue;
        served++;
        ck_assert_str_eq(asset->type, tree[at].type);
        ck_assert_uint_eq(asset->plain.len, strlen(tree[at].content));
        ck_assert_mem_eq(asset->plain.bytes, tree[at].content, asset->plain.len);
    }
    ck_assert_uint_eq(assets.count, served);
    ck_assert_ptr_eq(assets_find(&assets, "/"), assets_find(&assets, "/index.html"));
}
END_TEST

static const char *const nothing[] = {"",
                                      "index.html",
                                      "//",
                                      "/index.html/",
                                      "/js",
                                      "/js/",
                                      "/JS/A.JS",
                                      "/js/../index.html",
                                      "/js/a.js?x",
                                      "/js/%61.js",
                                      "/../../../../etc/passwd",
                                      "/./index.html",
                                      "/etc/passwd"};

/* A path is looked up, never opened. */
START_TEST(test_what_is_not_there)
{
    load();
    ck_assert_msg(!assets_find(&assets, nothing[_i]), "%s", nothing[_i]);
}
END_TEST

START_TEST(test_compressed)
{
    unsigned char plain[128];
    load();
    const struct asset *script = assets_find(&assets, "/js/a.js");
    z_stream stream = {.next_in = script->gzip.bytes,
                       .avail_in = (uInt)script->gzip.len,
                       .next_out = plain,
                       .avail_out = sizeof plain};
    ck_assert_uint_lt(script->gzip.len, script->plain.len);
    ck_assert_int_eq(inflateInit2(&stream, 15 + 16), Z_OK);
    ck_assert_int_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
    inflateEnd(&stream);
    ck_assert_uint_eq(stream.total_out, script->plain.len);
    ck_assert_mem_eq(plain, script->plain.bytes, script->plain.len);
    /* Not where it would be longer, nor what is compressed already. */
    ck_assert_ptr_null(assets_find(&assets, "/js/deep/b.mjs")->gzip.bytes);
    ck_assert_ptr_null(assets_find(&assets, "/a.css")->gzip.bytes);
    ck_assert_ptr_null(assets_find(&assets, "/picture.png")->gzip.bytes);
}
END_TEST

START_TEST(test_tag)
{
    char path[512], before[ASSET_TAG_MAX];
    load();
    memcpy(before, assets_find(&assets, "/")->tag, sizeof before);
    ck_assert_int_eq(before[0], '"');
    ck_assert_int_eq(before[strlen(before) - 1], '"');
    assets_release(&assets);
    load();
    ck_assert_str_eq(assets_find(&assets, "/")->tag, before);
    assets_release(&assets);
    path_of(path, "index.html");
    make_file(path, "<!doctype html>.");
    load();
    ck_assert_str_ne(assets_find(&assets, "/")->tag, before);
}
END_TEST

START_TEST(test_no_client)
{
    char path[512];
    path_of(path, "index.html");
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(assets_load(&assets, folder, message), NET_UNAVAILABLE);
    ck_assert_ptr_nonnull(strstr(message, "index.html"));
    ck_assert_int_eq(assets_load(&assets, "/no/such/folder", message), NET_UNAVAILABLE);
    ck_assert_ptr_nonnull(strstr(message, "No such file"));
    ck_assert_ptr_null(assets_find(&assets, "/"));
}
END_TEST

Suite *assets_suite(void)
{
    Suite *suite = suite_create("assets");
    TCase *tests = tcase_create("assets");
    tcase_add_checked_fixture(tests, make_tree, remove_tree);
    tcase_add_test(tests, test_what_is_served);
    tcase_add_loop_test(tests, test_what_is_not_there, 0, sizeof nothing / sizeof nothing[0]);
    tcase_add_test(tests, test_compressed);
    tcase_add_test(tests, test_tag);
    tcase_add_test(tests, test_no_client);
    suite_add_tcase(suite, tests);
    return suite;
}
