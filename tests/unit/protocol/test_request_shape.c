/* Requests by their shape alone: how deep, how many members, and what is let go. */
#include "suites.h"
#include <protocol/request.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct request request;

static void setup(void)
{
    memset(&request, 0xa5, sizeof request); /* decode may rely on nothing */
}

static enum protocol_error decode(const char *text)
{
    return request_decode(&request, text, strlen(text));
}

static enum protocol_error decode_nested(size_t levels, const char *open, char close)
{
    static char text[PROTOCOL_MESSAGE_BYTES + 1];
    char *at = text + sprintf(text, "{\"id\":1,\"op\":\"create\",\"options\":{\"a\":");
    for (size_t i = 0; i < levels; i++)
        at += sprintf(at, "%s", open);
    *at++ = '0';
    memset(at, close, levels);
    at += levels;
    at += sprintf(at, "}}");
    return request_decode(&request, text, (size_t)(at - text));
}

START_TEST(test_depth)
{
    ck_assert_int_eq(decode_nested(PROTOCOL_DEPTH - 2, "[", ']'), PROTOCOL_OK);
    request_release(&request);
    ck_assert_int_eq(decode_nested(PROTOCOL_DEPTH - 1, "[", ']'), PROTOCOL_TOO_DEEP);
    ck_assert_int_eq(decode_nested(1000, "[", ']'), PROTOCOL_TOO_DEEP);
    ck_assert_int_eq(decode_nested(500, "{\"a\":", '}'), PROTOCOL_TOO_DEEP);
    /* brackets in strings are text, quotes that are escaped do not end them */
    ck_assert_int_eq(decode("{\"id\":1,\"op\":\"rename\",\"name\":\"[[[[[\\\"{{{{{{{\\\\\"}"),
                     PROTOCOL_OK);
    ck_assert_str_eq(request.name, "[[[[[\"{{{{{{{\\");
}
END_TEST

/* More members than any request has: it is refused for the first one that is not known. */
START_TEST(test_many_members)
{
    char text[PROTOCOL_MESSAGE_BYTES];
    int len = snprintf(text, sizeof text, "{\"id\":4,\"room\":\"k3m9x0aq\",\"op\":\"start\"");
    for (int i = 0; i < 100; i++)
        len += snprintf(text + len, sizeof text - (size_t)len, ",\"x%d\":{}", i);
    snprintf(text + len, sizeof text - (size_t)len, "}");
    ck_assert_int_eq(decode(text), PROTOCOL_UNKNOWN_FIELD);
    ck_assert_int_eq(request.id, 4);
    ck_assert_str_eq(request.bad_field, "x0");
    request_release(&request);
}
END_TEST

START_TEST(test_release_twice)
{
    ck_assert_int_eq(decode("{\"id\":1,\"op\":\"create\",\"options\":{\"a\":[1]}}"), PROTOCOL_OK);
    ck_assert(json_is_object(request.options));
    request_release(&request);
    ck_assert_ptr_null(request.options);
    request_release(&request);
}
END_TEST

/* Options are let go also when a later field is refused. */
START_TEST(test_release_after_refusal)
{
    ck_assert_int_eq(decode("{\"id\":1,\"op\":\"create\",\"options\":{\"a\":[1]},\"x\":1}"),
                     PROTOCOL_UNKNOWN_FIELD);
    request_release(&request);
}
END_TEST

Suite *request_shape_suite(void)
{
    Suite *suite = suite_create("request_shape");
    TCase *tests = tcase_create("request shape");
    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_test(tests, test_depth);
    tcase_add_test(tests, test_many_members);
    tcase_add_test(tests, test_release_twice);
    tcase_add_test(tests, test_release_after_refusal);
    suite_add_tcase(suite, tests);
    return suite;
}
