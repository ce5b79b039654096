#include "suites.h"
#include <protocol/merge_patch.h>
#include <string.h>

/* Appendix A of RFC 7396, all of it, and a few of ours. */
static const struct {
    const char *original, *patch, *result;
} CASES[] = {
    {"{\"a\":\"b\"}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"},
    {"{\"a\":\"b\"}", "{\"b\":\"c\"}", "{\"a\":\"b\",\"b\":\"c\"}"},
    {"{\"a\":\"b\"}", "{\"a\":null}", "{}"},
    {"{\"a\":\"b\",\"b\":\"c\"}", "{\"a\":null}", "{\"b\":\"c\"}"},
    {"{\"a\":[\"b\"]}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"},
    {"{\"a\":\"c\"}", "{\"a\":[\"b\"]}", "{\"a\":[\"b\"]}"},
    {"{\"a\":{\"b\":\"c\"}}", "{\"a\":{\"b\":\"d\",\"c\":null}}", "{\"a\":{\"b\":\"d\"}}"},
    {"{\"a\":[{\"b\":\"c\"}]}", "{\"a\":[1]}", "{\"a\":[1]}"},
    {"[\"a\",\"b\"]", "[\"c\",\"d\"]", "[\"c\",\"d\"]"},
    {"{\"a\":\"b\"}", "[\"c\"]", "[\"c\"]"},
    {"{\"a\":\"foo\"}", "null", "null"},
    {"{\"a\":\"foo\"}", "\"bar\"", "\"bar\""},
    {"{\"e\":null}", "{\"a\":1}", "{\"e\":null,\"a\":1}"},
    {"[1,2]", "{\"a\":\"b\",\"c\":null}", "{\"a\":\"b\"}"},
    {"{}", "{\"a\":{\"bb\":{\"ccc\":null}}}", "{\"a\":{\"bb\":{}}}"},
    /* ours */
    {"{\"a\":{\"b\":1}}", "{}", "{\"a\":{\"b\":1}}"},
    {"{\"a\":{\"b\":{\"c\":1,\"d\":2}}}", "{\"a\":{\"b\":{\"c\":null}}}",
     "{\"a\":{\"b\":{\"d\":2}}}"},
    {"{\"a\":1}", "{\"a\":{\"b\":null,\"c\":3}}", "{\"a\":{\"c\":3}}"},
    {"{\"a\":{\"b\":1}}", "{\"x\":null}", "{\"a\":{\"b\":1}}"},
};

static json_t *load(const char *text)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    ck_assert_ptr_nonnull(value);
    return value;
}

START_TEST(test_case)
{
    json_t *target = load(CASES[_i].original);
    json_t *patch = load(CASES[_i].patch);
    json_t *untouched = load(CASES[_i].patch);
    json_t *result = load(CASES[_i].result);
    ck_assert(merge_patch(&target, patch));
    ck_assert(json_equal(target, result));
    ck_assert(json_equal(patch, untouched));
    json_decref(target);
    json_decref(patch);
    json_decref(untouched);
    json_decref(result);
}
END_TEST

START_TEST(test_from_nothing)
{
    json_t *target = NULL;
    json_t *patch = load("{\"a\":{\"b\":null,\"c\":1}}");
    json_t *result = load("{\"a\":{\"c\":1}}");
    ck_assert(merge_patch(&target, patch));
    ck_assert(json_equal(target, result));
    json_decref(target);
    json_decref(patch);
    json_decref(result);
}
END_TEST

/* An object of the patch becomes the target's own: later patches must not reach into the first. */
START_TEST(test_objects_are_not_shared)
{
    json_t *target = load("{}");
    json_t *first = load("{\"a\":{\"b\":{\"c\":1}}}");
    json_t *second = load("{\"a\":{\"b\":{\"c\":2}}}");
    json_t *want = load("{\"a\":{\"b\":{\"c\":1}}}");
    ck_assert(merge_patch(&target, first));
    ck_assert(merge_patch(&target, second));
    ck_assert(json_equal(first, want));
    ck_assert(json_equal(target, second));
    json_decref(target);
    json_decref(first);
    json_decref(second);
    json_decref(want);
}
END_TEST

Suite *merge_patch_suite(void)
{
    Suite *suite = suite_create("merge_patch");
    TCase *tests = tcase_create("merge_patch");
    tcase_add_loop_test(tests, test_case, 0, sizeof CASES / sizeof CASES[0]);
    tcase_add_test(tests, test_from_nothing);
    tcase_add_test(tests, test_objects_are_not_shared);
    suite_add_tcase(suite, tests);
    return suite;
}
