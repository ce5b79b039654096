/* Where the page is found, from where the program is. */
#include "../../support/scratch_path.h"
#include "suites.h"
#include "web_folder.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char top[SCRATCH_BYTES];

static void make_folder(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s%s", top, name);
    ck_assert_int_eq(mkdir(path, 0700), 0);
}

static void remove_folder(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s%s", top, name);
    rmdir(path);
}

static const char *const folders[] = {"/share", "/share/taluva", "/share/taluva/web"};
enum { FOLDERS = sizeof folders / sizeof folders[0] };

START_TEST(test_found)
{
    static const struct {
        const char *program, *bindir, *datadir;
        bool found;
    } rows[] = {
        {"/bin/taluvad", "bin", "share", true},
        {"/bin/another", "bin", "share", true},
        {"/bin/taluvad", "bin", "data", false},     /* is not there */
        {"/server/taluvad", "bin", "share", false}, /* a build folder */
        {"/sbin/taluvad", "bin", "share", false},
        {"/lib/bin/taluvad", "lib/bin", "share", true},
        {"/lib/bin/taluvad", "bin", "share", false},
        {"/bin/taluvad", "bin", NULL, true}, /* absolute */
    };
    ck_assert_ptr_nonnull(mkdtemp(scratch_path(top, "taluva-web", false)));
    for (size_t i = 0; i < FOLDERS; i++)
        make_folder(folders[i]);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char program[256], share[256], wanted[300], path[300];
        snprintf(program, sizeof program, "%s%s", top, rows[i].program);
        snprintf(share, sizeof share, "%s/share", top);
        snprintf(wanted, sizeof wanted, "%s/taluva/web", share);
        const char *const found = web_folder_of(
            program, rows[i].bindir, rows[i].datadir ? rows[i].datadir : share, path, sizeof path);
        ck_assert_int_eq(found != NULL, rows[i].found);
        if (found)
            ck_assert_str_eq(found, wanted);
        ck_assert_ptr_null(web_folder_of(program, rows[i].bindir, "share", path, strlen(wanted)));
    }
    for (size_t i = FOLDERS; i > 0; i--)
        remove_folder(folders[i - 1]);
    rmdir(top);
}
END_TEST

START_TEST(test_odd_programs)
{
    char path[64];
    ck_assert_ptr_null(web_folder_of("taluvad", "bin", "/", path, sizeof path));
    ck_assert_ptr_null(web_folder_of("/taluvad", "bin", "/", path, sizeof path));
    ck_assert_ptr_null(web_folder_of("bin/taluvad", "bin", "/", path, sizeof path));
    ck_assert_ptr_null(web_folder_of("", "bin", "/", path, sizeof path));
}
END_TEST

/* A test is no installed program. */
START_TEST(test_this_program)
{
    char path[64];
    ck_assert_ptr_null(web_folder(path, sizeof path));
}
END_TEST

Suite *web_folder_suite(void)
{
    Suite *suite = suite_create("web folder");
    TCase *tests = tcase_create("find");
    tcase_add_test(tests, test_found);
    tcase_add_test(tests, test_odd_programs);
    tcase_add_test(tests, test_this_program);
    suite_add_tcase(suite, tests);
    return suite;
}
