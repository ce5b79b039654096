/* Whatever a server says, and wherever it says it: no escape of a terminal gets further. */
#include "suites.h"
#include "wire_stage.h"
#include <dirent.h>
#include <protocol/text.h>
#include <stdlib.h>
#include <string.h>
#include <wire/clean.h>

/* An escape, one of a single character (C1), line feeds, a bell, and what turns text around. */
static const char EVIL[] = "\x1b[31m\xc2\x9b"
                           "1m\r\nx\a\x7f\xe2\x80\xae\xe2\x81\xa6";

static bool is_harmless(const char *text, bool lines)
{
    const char *end = text + strlen(text);
    while (text < end) {
        const uint32_t point = utf8_next(&text, end);
        if (point == UTF8_BAD || (text_forbidden(point) && !(lines && point == '\n')))
            return false;
    }
    return true;
}

/* All texts below a value, and the names of members. */
static bool all_harmless(const json_t *value, bool lines)
{
    const char *key;
    json_t *member;
    size_t at;
    if (json_is_string(value))
        return strlen(json_string_value(value)) == json_string_length(value) &&
               is_harmless(json_string_value(value), lines);
    json_object_foreach((json_t *)(uintptr_t)value, key, member)
    {
        if (!is_harmless(key, false) || !all_harmless(member, strcmp(key, "record") == 0))
            return false;
    }
    json_array_foreach(value, at, member)
    {
        if (!all_harmless(member, lines))
            return false;
    }
    return true;
}

/* ---- every text of every example */

/* Makes the `nth` text below the value evil; counts down to 0 where it was. */
static void make_evil(json_t *value, int *nth)
{
    const char *key;
    json_t *member;
    size_t at;
    if (json_is_string(value) && (*nth)-- == 0)
        json_string_set(value, EVIL);
    json_object_foreach(value, key, member) make_evil(member, nth);
    json_array_foreach(value, at, member) make_evil(member, nth);
}

static int try_example(const char *path)
{
    for (int count = 0;; count++) {
        int nth = count;
        json_t *message = json_load_file(path, 0, NULL);
        ck_assert_msg(message, "%s", path);
        json_t *same = json_deep_copy(message);
        ck_assert(wire_clean(message));
        ck_assert_msg(json_equal(message, same), "%s is changed", path);
        json_decref(same);
        make_evil(message, &nth);
        ck_assert(nth >= 0 || !all_harmless(message, false));
        ck_assert(wire_clean(message));
        ck_assert_msg(all_harmless(message, false), "%s: text %d", path, count);
        json_decref(message);
        if (nth >= 0)
            return count;
    }
}

START_TEST(every_text_of_every_example)
{
    static const char *const folders[] = {"pushes", "replies", "states"};
    char folder[512], path[1024];
    int texts = 0;
    snprintf(folder, sizeof folder, SOURCE_ROOT "/protocol/examples/%s", folders[_i]);
    DIR *entries = opendir(folder);
    ck_assert_ptr_nonnull(entries);
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (!strstr(entry->d_name, ".json"))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        texts += try_example(path);
    }
    closedir(entries);
    ck_assert_int_gt(texts, 50);
}
END_TEST

static const struct {
    const char *from, *to;
} TEXTS[] = {
    {"{\"a\":\"x\\u001b[2Jy\"}", "{\"a\":\"x?[2Jy\"}"},
    {"{\"a\":[{\"b\":\"\\u009b\"}]}", "{\"a\":[{\"b\":\"?\"}]}"},
    {"{\"a\":\"\\n\",\"record\":\"one\\ntwo\\u001b\\r\\n\"}",
     "{\"a\":\"?\",\"record\":\"one\\ntwo??\\n\"}"},
    {"{\"record\":[\"\\n\"],\"b\":{\"record\":\"\\n\"}}",
     "{\"record\":[\"\\n\"],\"b\":{\"record\":\"\\n\"}}"},
    {"{\"\\u001b\":1,\"b\":2}", "{\"b\":2}"},
    {"{\"a\":\"é 魚 😀\",\"b\":1.5,\"c\":null,\"d\":true}",
     "{\"a\":\"é 魚 😀\",\"b\":1.5,\"c\":null,\"d\":true}"},
    {"{\"a\":9223372036854775807,\"b\":[{\"c\":-9223372036854775808}]}",
     "{\"a\":9007199254740991,\"b\":[{\"c\":-9007199254740991}]}"},
    {"[9007199254740991,-9007199254740991,9007199254740992,-9007199254740992,0,-1]",
     "[9007199254740991,-9007199254740991,9007199254740991,-9007199254740991,0,-1]"},
};

START_TEST(texts)
{
    json_t *message = json_loads(TEXTS[_i].from, 0, NULL), *to = json_loads(TEXTS[_i].to, 0, NULL);
    ck_assert(message && to && wire_clean(message));
    ck_assert(json_equal(message, to));
    json_decref(message);
    json_decref(to);
}
END_TEST

/* ---- as it reaches who uses a client */

static const char *const ANSWERS[] = {
    "{\"id\":$,\"ok\":{\"room\":\"\\u001b[31m\",\"title\":\"a\\u009bb\"}}",
    "{\"id\":$,\"error\":{\"code\":\"\\u001b]0;x\\u0007\",\"message\":\"\\u202ex\"}}",
};

START_TEST(replies_are_clean)
{
    const struct step script[] = {
        {"hello", {"{\"id\":$,\"ok\":{\"session\":1,\"name\":\"A\\u001bB\",\"limits\":{}}}"}},
        {"ping", {ANSWERS[_i]}},
        {NULL, {NULL}},
    };
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    stage_ask(&stage, json_pack("{s:s}", "op", "ping"));
    stage_run(&stage, 1);
    ck_assert_msg(strstr(stage.log, "online A?B; "), "%s", stage.log);
    ck_assert(is_harmless(stage.log, false));
    stage_close(&stage, _i == 0 ? "online A?B; ok; " : "online A?B; error ?]0;x?; ");
}
END_TEST

/* ---- printed as it came */

START_TEST(messages_are_printed_harmless)
{
    static const char bytes[] =
        "{\"a\":\"\xc2\x9b\x7f\xe2\x80\xae\",\n\"b\":\"é\"}\x1b\xff\xf0\x9f\x98\x80";
    char *text;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    ck_assert_ptr_nonnull(out);
    wire_print_message(bytes, sizeof bytes - 1, out);
    fclose(out);
    ck_assert_str_eq(text, "{\"a\":\"\\u009b\\u007f\\u202e\", \"b\":\"é\"}\\u001b?😀\n");
    free(text);
}
END_TEST

START_TEST(lines_are_clean_in_their_place)
{
    char line[] = "a\x1b[1mé\xff\xc2\x9b\n";
    wire_clean_line(line);
    ck_assert_str_eq(line, "a?[1mé???");
}
END_TEST

Suite *clean_suite(void)
{
    Suite *suite = suite_create("clean");
    TCase *tests = tcase_create("clean");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, every_text_of_every_example, 0, 3);
    tcase_add_loop_test(tests, texts, 0, sizeof TEXTS / sizeof TEXTS[0]);
    tcase_add_loop_test(tests, replies_are_clean, 0, 2);
    tcase_add_test(tests, lines_are_clean_in_their_place);
    tcase_add_test(tests, messages_are_printed_harmless);
    suite_add_tcase(suite, tests);
    return suite;
}
