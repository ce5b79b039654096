/* Reading an object as a list of members says the same as reading it as a tree. */
#include "../../support/same_members.h"
#include "suites.h"
#include <protocol/json_read.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char *const TEXTS[] = {
    "{\"id\":1234567890123456,\"op\":\"move\",\"room\":\"k3m9x0aq\",\"move\":\"JC@2,-1:0\"}",
    "{}",
    " { } ",
    "{\"a\":1,\"a\":2}",
    "{\"a\":1,\"\\u0061\":2}",
    "{\"a\":1,\"b\":{\"a\":1,\"c\":[1,\"x\",null]},\"d\":[{}]}",
    "{\"a\":{\"b\":1,\"b\":2}}",
    "{\"a\":0,\"b\":-0,\"c\":-1,\"d\":999999999999999999,\"e\":-999999999999999999}",
    "{\"a\":9223372036854775807,\"b\":-9223372036854775808}",
    "{\"a\":9223372036854775808}",
    "{\"a\":-9223372036854775809}",
    "{\"a\":000}",
    "{\"a\":1.5,\"b\":1e9,\"c\":-1E-3,\"d\":1e-999}",
    "{\"a\":1e999,\"b\":1,\"b\":1}",
    "{\"b\":1,\"b\":1,\"a\":1e999}",
    "{\"a\":true,\"b\":false,\"c\":null}",
    "{\"a\":truer}",
    "{\"a\":\"\\u00e9\\ud83c\\udf0b\\n\\\"\",\"\xc3\xa9\":\"\xf0\x9f\x8c\x8b z\"}",
    "{\"a\":\"\\u0000\"}",
    "{\"a\":\"\xed\xa0\x80\"}",
    "{\"\":\"\"}",
    "{\"a\":[[[[[[[]]]]]]]}",
    "{\"a\":[[[[[[[[]]]]]]]]}",
    "[{\"a\":1}]",
    "[1e999]",
    "\"a\"",
    "",
    "{\"a\":1} x",
    "{\"a\":1,}",
    "{\"a\"}",
};
enum { TEXT_COUNT = sizeof TEXTS / sizeof TEXTS[0] };

static void hold(const char *text, size_t len)
{
    const char *difference = members_differ(text, len);
    ck_assert_msg(!difference, "%s differs: %.*s", difference, (int)len, text);
}

START_TEST(test_same)
{
    hold(TEXTS[_i], strlen(TEXTS[_i]));
}
END_TEST

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525U + 1013904223U;
    return *state >> 8;
}

/* With one to four bytes of each text exchanged for others that JSON is made of. */
START_TEST(test_same_when_edited)
{
    static const char BYTES[] = "{}[]\",:\\0123456789eE+-.abtrufalsn \x80\xc3\xff";
    uint32_t state = (uint32_t)_i;
    size_t len = strlen(TEXTS[_i]);
    for (int round = 0; len > 0 && round < 5000; round++) {
        char text[256];
        memcpy(text, TEXTS[_i], len);
        for (uint32_t edits = next_random(&state) % 4 + 1; edits > 0; edits--)
            text[next_random(&state) % len] = BYTES[next_random(&state) % (sizeof BYTES - 1)];
        hold(text, len);
    }
}
END_TEST

static size_t write_many(char text[PROTOCOL_MESSAGE_BYTES], int count, const char *last)
{
    int len = snprintf(text, PROTOCOL_MESSAGE_BYTES, "{");
    for (int i = 0; i < count; i++)
        len += snprintf(text + len, PROTOCOL_MESSAGE_BYTES - (size_t)len, "\"%d\":[%d],", i, i);
    len += snprintf(text + len, PROTOCOL_MESSAGE_BYTES - (size_t)len, "\"z\":%s}", last);
    return (size_t)len;
}

/* So many members are kept, the others are still checked. */
START_TEST(test_many_members)
{
    char text[PROTOCOL_MESSAGE_BYTES];
    struct json_members members;
    size_t len = write_many(text, _i, "1");
    hold(text, len);
    ck_assert_int_eq(json_read_members(&members, text, len, 8), JSON_READ_OK);
    ck_assert_uint_eq(members.count, _i < JSON_MEMBERS_MAX ? (size_t)_i + 1 : JSON_MEMBERS_MAX);
    json_members_release(&members);
    hold(text, write_many(text, _i, "1e999"));
    hold(text, write_many(text, _i, "x"));
    hold(text, write_many(text, _i, "{\"a\":1,\"a\":1}"));
}
END_TEST

Suite *json_read_suite(void)
{
    Suite *suite = suite_create("json_read");
    TCase *tests = tcase_create("json_read");
    tcase_add_loop_test(tests, test_same, 0, TEXT_COUNT);
    tcase_add_loop_test(tests, test_same_when_edited, 0, TEXT_COUNT);
    tcase_add_loop_test(tests, test_many_members, JSON_MEMBERS_MAX - 3, JSON_MEMBERS_MAX + 3);
    suite_add_tcase(suite, tests);
    return suite;
}
