/* What becomes of a name, and of a record, that the server refuses. */
#include "../../support/scratch_path.h"
#include "client_run.h"
#include "suites.h"
#include <cli/command.h>
#include <cli/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HELLO "{\"id\":$,\"ok\":{\"session\":1,\"name\":\"Ana\",\"limits\":{}}}"
#define VIEW                                                                                       \
    "{\"id\":$,\"ok\":{\"room\":\"k3m9x0aq\",\"seq\":3,\"online\":{},\"time\":1,"                  \
    "\"state\":{\"game\":\"sticks\",\"phase\":\"playing\",\"seats\":{},"                           \
    "\"options\":{\"players\":2,\"sticks\":5},\"clock\":{\"kind\":\"none\"},\"acting\":[0],"       \
    "\"table\":{\"sticks\":5,\"taken\":{}}}}}"

START_TEST(name_is_refused)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"",
         {"{\"id\":$,\"error\":{\"code\":\"bad_field\",\"field\":\"name\",\"message\":\"No.\"}}"},
         NULL,
         NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    static const char *const words[] = {"rooms", "--name=1234567890123456789012345", NULL};
    static struct client_run run;
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, EXIT_REFUSED);
}
END_TEST

/* Runs a watcher's table in a folder of its own, who asks for the record. */
static void watch(struct client_run *run, const struct client_step *script,
                  char folder[static SCRATCH_BYTES])
{
    static const char *const words[] = {"watch", "k3m9x0aq", "--name=Ana", NULL};
    char before[4096];
    ck_assert_ptr_nonnull(getcwd(before, sizeof before));
    ck_assert_ptr_nonnull(mkdtemp(scratch_path(folder, "taluva-told", false)));
    ck_assert_int_eq(chdir(folder), 0);
    client_run_with(run, script, words);
    ck_assert_int_eq(chdir(before), 0);
}

START_TEST(record_in_pieces)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"watch\"", {VIEW}, "record\n", "|||||"},
        {"\"op\":\"record\",\"room\":\"k3m9x0aq\",\"id\"",
         {"{\"id\":$,\"ok\":{\"record\":\"one\\n\",\"next\":4}}"},
         NULL,
         NULL},
        {"\"op\":\"record\",\"room\":\"k3m9x0aq\",\"have\":4",
         {"{\"id\":$,\"ok\":{\"record\":\"two\\n\"}}"},
         "quit\n",
         "The record is in k3m9x0aq.taluva"},
        {NULL, {NULL}, NULL, NULL},
    };
    static struct client_run run;
    char folder[SCRATCH_BYTES], path[80], text[64] = "";
    struct stat file_is;
    (void)umask(022);
    watch(&run, script, folder);
    ck_assert_int_eq(run.status, EXIT_OK);
    (void)snprintf(path, sizeof path, "%s/k3m9x0aq.taluva", folder);
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fread(text, 1, sizeof text - 1, file), 8);
    (void)fclose(file);
    ck_assert_str_eq(text, "one\ntwo\n");
    ck_assert_int_eq(stat(path, &file_is), 0);
    ck_assert_uint_eq(file_is.st_mode & 0777, 0644); /* it is no secret */
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(record_is_refused)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"watch\"", {VIEW}, "record\n", "|||||"},
        {"\"op\":\"record\"",
         {"{\"id\":$,\"error\":{\"code\":\"not_started\",\"message\":\"It has not begun.\"}}"},
         NULL,
         NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    static struct client_run run;
    char folder[SCRATCH_BYTES];
    watch(&run, script, folder);
    ck_assert_int_eq(run.status, EXIT_FILE);
    client_run_said(&run, "It has not begun.\n");
    ck_assert_int_eq(rmdir(folder), 0); /* nothing was written */
}
END_TEST

/* A file that is there is kept. */
START_TEST(record_into_a_file)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"watch\"", {VIEW}, NULL, NULL},
        {"\"op\":\"record\"", {"{\"id\":$,\"ok\":{\"record\":\"one\\n\"}}"}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    static struct client_run run;
    static const char *const before[] = {NULL, "mine"}, *const after[] = {"one\n", "mine"};
    char folder[SCRATCH_BYTES], path[80], text[64] = "";
    ck_assert_ptr_nonnull(mkdtemp(scratch_path(folder, "taluva-told", false)));
    (void)snprintf(path, sizeof path, "%s/record", folder);
    const char *const words[] = {"record", "k3m9x0aq", "--name=Ana", "-o", path, NULL};
    if (before[_i])
        ck_assert(file_create(path, before[_i], strlen(before[_i])));
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, before[_i] ? EXIT_FILE : EXIT_OK);
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fread(text, 1, sizeof text - 1, file), strlen(after[_i]));
    (void)fclose(file);
    ck_assert_str_eq(text, after[_i]);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* It takes seconds: at a terminal it is shown how far it is. */
START_TEST(analysis_goes_on)
{
    static const char *const words[] = {
        "analyse", "--simulations=2", SOURCE_ROOT "/tests/unit/clients/program/three.taluva", NULL};
    static struct client_run run;
    client_run_at_terminal(&run, NULL, words);
    ck_assert_int_eq(run.status, EXIT_OK);
    client_run_said(&run, "Looking at turn 1 of 22\r\033[KLooking at turn 2 of 22");
    client_run_said(&run, "Looking at turn 22 of 22\r\033[K");
}
END_TEST

Suite *told_suite(void)
{
    Suite *suite = suite_create("told");
    TCase *tcase = tcase_create("told");
    tcase_set_timeout(tcase, 90);
    tcase_add_test(tcase, name_is_refused);
    tcase_add_test(tcase, record_in_pieces);
    tcase_add_test(tcase, record_is_refused);
    tcase_add_loop_test(tcase, record_into_a_file, 0, 2);
    tcase_add_test(tcase, analysis_goes_on);
    suite_add_tcase(suite, tcase);
    return suite;
}
