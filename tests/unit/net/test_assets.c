/* Which files of a folder are served, as what, and what a path finds. */
#include "../../support/failing_alloc.h"
#include "../../support/scratch_path.h"
#include "http/assets.h"
#include "http/script.h"
#include "suites.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static char folder[SCRATCH_BYTES];
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
    ck_assert_ptr_nonnull(mkdtemp(scratch_path(folder, "taluva-assets", false)));
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

/* What is sent of a script: "=" for all of it. */
static const struct {
    const char *source, *sent;
} scripts[] = {
    {"// a\nb();\n", "\nb();\n"},
    {"a();\n  /** @type {b} */\n  c();\n\t// d", "a();\n\n  c();\n"},
    {"/**\n * a\n */\r\nb();\n", "\n\n\nb();\n"},
    {"/* a */ \t\n/* b */", "\n"},
    /* What has something beside it stays, ... */
    {"a(); // b\n", "="},
    {"/* a */ b();\n", "="},
    {"a(/** @type {b} */ (c));\n", "="},
    {"/* a\n */ b();\n", "="},
    /* ... and what others look for. */
    {"/*! licence */\n//! licence\n//# sourceMappingURL=a\n//@ a\n", "="},
    /* Texts that end on their line; what looks like a comment behind them is one. */
    {"a('\\'', \"/*\", '`');\n// b\n", "a('\\'', \"/*\", '`');\n\n"},
    {"a(`b ${c({ d: `e ${f}` })} \\` g`);\n// h\n", "a(`b ${c({ d: `e ${f}` })} \\` g`);\n\n"},
    {"a = /\\/\\//.test(b) ? { c: `d` } : `}`;\n// e\n",
     "a = /\\/\\//.test(b) ? { c: `d` } : `}`;\n\n"},
    {"a(); // it's `b\n// c\n", "a(); // it's `b\n\n"},
    {"a(/* it's */ b);\n// c\n", "a(/* it's */ b);\n\n"},
    {"}\n// a\n", "}\n\n"},
    /* Regular expressions, ... */
    {"a(/'/);\n// b\n", "a(/'/);\n\n"},
    {"a = /`/;\n// b\n", "a = /`/;\n\n"},
    {"a(b, /[/\"]/g);\n// c\n", "a(b, /[/\"]/g);\n\n"},
    {"a = [/\\[\"/, !/[\\]']/.b];\n// c\n", "a = [/\\[\"/, !/[\\]']/.b];\n\n"},
    {"return /['/]/;\n// a\n", "return /['/]/;\n\n"},
    {"a ? typeof /'/ : b && /\"/ || { c: /`/ };\n// d\n",
     "a ? typeof /'/ : b && /\"/ || { c: /`/ };\n\n"},
    {"if (a(b)) /'/.c(d); else /\"/.e;\n// f\n", "if (a(b)) /'/.c(d); else /\"/.e;\n\n"},
    {"for await (a of (b)) /'/.c(a);\n// d\n", "for await (a of (b)) /'/.c(a);\n\n"},
    {"a = (b) => /'/;\n// c\n", "a = (b) => /'/;\n\n"},
    {"a(`b ${/`/} ${c / d} '`);\n// e\n", "a(`b ${/`/} ${c / d} '`);\n\n"},
    /* ... divisions, ... */
    {"a = b / '1' / c;\n// d\n", "a = b / '1' / c;\n\n"},
    {"a = (b) / '/' + c[0] / 'd' + `e` / 'f' / 2 / \"g\";\n// h\n",
     "a = (b) / '/' + c[0] / 'd' + `e` / 'f' / 2 / \"g\";\n\n"},
    {"a = b.return / '1' / c;\n// d\n", "a = b.return / '1' / c;\n\n"},
    {"a.if(b) / '1' / c;\n// d\n", "a.if(b) / '1' / c;\n\n"},
    {"a / /'/.b;\n// c\n", "a / /'/.b;\n\n"},
    {"} / 2 + 'a';\n// b\n", "} / 2 + 'a';\n\n"},
    /* ... and what may be either. */
    {"/'/.a(`b`);\n// c\n", "="},
    {"} /'/.a;\n// b\n", "="},
    {") / '/';\n// a\n", "="},
    {"a++ / '/';\n// b\n", "="},
    {"of / '/';\n// a\n", "="},
    /* Those that do not: nothing behind them is known to be a comment. */
    {"a(`\n// b\n`);\n", "="},
    {"a(`${b(`\n// c\n`)}`);\n", "="},
    {"a(`${{}} ${\n// b\n`c`}`);\n", "="},
    {"a(`}${`\n// b\n`}`);\n", "="},
    {"a('b\\\n// c');\n", "="},
    {"a(); /* b\n/* c\n*/ d();\n", "="},
    {"a(/'/, `\n// b\n`);\n", "="},
    {"a(/`/, `\n// b\n`);\n", "="},
    {"a(/[/*`]/, `\n// b\n`);\n", "="},
    {"a(/[//]/, `\n// b\n`);\n", "="},
    {"a(/\\//, /[\\]/`]/, `\n// b\n`);\n", "="},
    {"a(`${/`/}`, /`/, `\n// b\n`);\n", "="},
    {"a = b\n/`/.c; d = `\n// e\n`;\n", "="},
    {"a(`${`${`${`${`${`${`${`${`b`}`}`}`}`}`}`}`}`);\n// c\n", "="},
    /* What is cut off in the middle of something. */
    {"", "="},
    {"/", "="},
    {"=/", "="},
    {"=/\\", "="},
    {"=/[/", "="},
    {"//", ""},
    {"/*", "="},
    {"/* a *", "="},
    {"'\\", "="},
    {"`\\", "="},
    {"`$", "="},
    {"\\", "="},
};

START_TEST(test_what_is_sent_of_a_script)
{
    const char *source = scripts[_i].source;
    const char *sent = strcmp(scripts[_i].sent, "=") == 0 ? source : scripts[_i].sent;
    /* As long as it is, for the sanitizers. */
    unsigned char *text = malloc(strlen(source) + 1);
    memcpy(text, source, strlen(source));
    ck_assert_uint_eq(script_drop_comments(text, strlen(source)), strlen(sent));
    ck_assert_mem_eq(text, sent, strlen(sent));
    free(text);
}
END_TEST

/* Of no other file. */
START_TEST(test_scripts_are_served_without_comments)
{
    static const char *const names[] = {"js/a.js", "js/deep/b.mjs", "a.css"};
    for (int at = 0; at < 3; at++) {
        char path[512];
        path_of(path, names[at]);
        make_file(path, "/* a */\nb();\n");
        load();
        snprintf(path, sizeof path, "/%s", names[at]);
        const struct asset *asset = assets_find(&assets, path);
        const char *served = at < 2 ? "\nb();\n" : "/* a */\nb();\n";
        ck_assert_uint_eq(asset->plain.len, strlen(served));
        ck_assert_mem_eq(asset->plain.bytes, served, strlen(served));
        assets_release(&assets);
    }
}
END_TEST

/* As browsers compare them: a hash of all that is between the tags, and of nothing that is
 * elsewhere. */
static const struct {
    const char *html, *sources;
} own[] = {
    {"<script>a</script>", " 'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='"},
    {"<script src=\"a.js\"></script><style media=\"print\">a</style>",
     " 'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='"},
    {"<style>a</style> <style>a", " 'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='"},
    {"<script", ""},
    {"<script>", ""},
    {"<style></style>", ""},
};

START_TEST(test_what_a_page_has_in_itself)
{
    char path[512];
    path_of(path, "index.html");
    make_file(path, own[_i].html);
    load();
    ck_assert_str_eq(assets_find(&assets, "/")->sources, own[_i].sources);
}
END_TEST

/* So many have a place. */
START_TEST(test_what_a_page_has_in_itself_is_bounded)
{
    char path[512], html[256] = "";
    path_of(path, "index.html");
    for (int at = 0; at <= ASSET_INLINE_MAX; at++) {
        strcat(html, "<script>a</script>");
        make_file(path, html);
        assets_release(&assets);
        ck_assert_int_eq(assets_load(&assets, folder, message) == NET_OK, at < ASSET_INLINE_MAX);
    }
    ck_assert_ptr_nonnull(strstr(message, "/index.html"));
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

/* ---- how much is taken */

/* A file of so many bytes that needs no room on the disk. */
static void make_big(const char *name, off_t len)
{
    char path[512];
    path_of(path, name);
    make_file(path, "");
    ck_assert_int_eq(truncate(path, len), 0);
}

static void remove_name(const char *name)
{
    char path[512];
    path_of(path, name);
    ck_assert_int_eq(remove(path), 0);
}

START_TEST(test_bytes_in_all)
{
    load();
    off_t left = (off_t)(ASSETS_BYTES_MAX - assets.bytes);
    assets_release(&assets);
    make_big("big.png", left);
    load();
    ck_assert_uint_eq(assets.bytes, ASSETS_BYTES_MAX);
    assets_release(&assets);
    make_big("one.png", 1);
    ck_assert_int_eq(assets_load(&assets, folder, message), NET_UNAVAILABLE);
    ck_assert_ptr_nonnull(strstr(message, "more than 32 MiB in all"));
    ck_assert_uint_eq(assets.count, 0);
    remove_name("big.png");
    remove_name("one.png");
}
END_TEST

static void make_many(size_t count)
{
    char name[32], path[512];
    for (size_t at = 0; at < count; at++) {
        snprintf(name, sizeof name, "f%04zu.png", at);
        path_of(path, name);
        make_file(path, name);
    }
}

/* Without memory for a file nothing is served; without memory to compress it, all is. */
START_TEST(test_out_of_memory)
{
    load();
    const size_t count = assets.count;
    assets_release(&assets);
    int refused = 0;
    bool failed = true;
    for (uint64_t nth = 1; failed; nth++) {
        failing_alloc_arm(nth, false);
        failing_alloc_enter();
        enum net_result result = assets_load(&assets, folder, message);
        failing_alloc_leave();
        (void)failing_alloc_disarm(&failed);
        if (result == NET_OK) {
            ck_assert_uint_eq(assets.count, count);
        } else {
            ck_assert(failed);
            ck_assert_int_eq(result, NET_NO_MEMORY);
            ck_assert_ptr_nonnull(strstr(message, "out of memory"));
            ck_assert_uint_eq(assets.count, 0);
            refused++;
        }
        assets_release(&assets);
    }
    ck_assert_int_gt(refused, (int)count); /* each file, and the list */
}
END_TEST

START_TEST(test_files_in_all)
{
    char name[32];
    load();
    size_t before = assets.count, left = ASSETS_MAX - before;
    assets_release(&assets);
    make_many(left);
    load();
    ck_assert_uint_eq(assets.count, ASSETS_MAX);
    for (size_t at = 0; at < left; at++) {
        snprintf(name, sizeof name, "/f%04zu.png", at);
        const struct asset *asset = assets_find(&assets, name);
        ck_assert_ptr_nonnull(asset);
        ck_assert_uint_eq(asset->plain.len, strlen(name) - 1);
        ck_assert_mem_eq(asset->plain.bytes, name + 1, asset->plain.len);
    }
    assets_release(&assets);
    make_many(left + 1);
    ck_assert_int_eq(assets_load(&assets, folder, message), NET_UNAVAILABLE);
    ck_assert_ptr_nonnull(strstr(message, "too many files"));
    for (size_t at = 0; at <= left; at++) {
        snprintf(name, sizeof name, "f%04zu.png", at);
        remove_name(name);
    }
}
END_TEST

/* Folders within folders to a depth, and no name that is cut. */
START_TEST(test_depth)
{
    char name[64] = "", file[96], path[512];
    for (int depth = 1; depth <= ASSETS_DEPTH_MAX + 1; depth++) {
        strcat(name, depth == 1 ? "d" : "/d");
        path_of(path, name);
        ck_assert_int_eq(mkdir(path, 0700), 0);
        snprintf(file, sizeof file, "%s/a.css", name);
        path_of(path, file);
        make_file(path, "a");
    }
    load();
    for (int depth = ASSETS_DEPTH_MAX + 1; depth >= 1; depth--) {
        snprintf(file, sizeof file, "/%s/a.css", name);
        ck_assert_int_eq(assets_find(&assets, file) != NULL, depth <= ASSETS_DEPTH_MAX);
        remove_name(file + 1);
        remove_name(name);
        name[strlen(name) > 1 ? strlen(name) - 2 : 0] = '\0';
    }
}
END_TEST

START_TEST(test_long_name)
{
    char outer[ASSET_PATH_MAX / 2 + 1], file[ASSET_PATH_MAX + 16];
    char path[512];
    memset(outer, 'd', sizeof outer);
    outer[sizeof outer - 1] = '\0';
    path_of(path, outer);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    /* "/" outer "/" name, with the name so long that all is one byte below the bound, then at it.
     */
    for (int more = 0; more < 2; more++) {
        int pad = ASSET_PATH_MAX - 1 + more - 2 - (int)strlen(outer) - 4;
        snprintf(file, sizeof file, "%s/%0*d.png", outer, pad, 0);
        path_of(path, file);
        make_file(path, "a");
        enum net_result result = assets_load(&assets, folder, message);
        ck_assert_int_eq(result, more ? NET_UNAVAILABLE : NET_OK);
        if (more)
            ck_assert_ptr_nonnull(strstr(message, "too long a name"));
        assets_release(&assets);
        remove_name(file);
    }
    remove_name(outer);
}
END_TEST

Suite *assets_suite(void)
{
    Suite *suite = suite_create("assets");
    TCase *tests = tcase_create("assets");
    tcase_add_checked_fixture(tests, make_tree, remove_tree);
    tcase_add_test(tests, test_what_is_served);
    tcase_add_loop_test(tests, test_what_is_not_there, 0, sizeof nothing / sizeof nothing[0]);
    tcase_add_loop_test(tests, test_what_a_page_has_in_itself, 0, sizeof own / sizeof own[0]);
    tcase_add_test(tests, test_what_a_page_has_in_itself_is_bounded);
    tcase_add_loop_test(tests, test_what_is_sent_of_a_script, 0,
                        sizeof scripts / sizeof scripts[0]);
    tcase_add_test(tests, test_scripts_are_served_without_comments);
    tcase_add_test(tests, test_compressed);
    tcase_add_test(tests, test_tag);
    tcase_add_test(tests, test_no_client);
    tcase_add_test(tests, test_bytes_in_all);
    tcase_add_test(tests, test_out_of_memory);
    tcase_add_test(tests, test_files_in_all);
    tcase_add_test(tests, test_depth);
    tcase_add_test(tests, test_long_name);
    suite_add_tcase(suite, tests);
    return suite;
}
