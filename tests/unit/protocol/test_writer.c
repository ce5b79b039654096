#include "suites.h"
#include <jansson.h>
#include <protocol/json_writer.h>
#include <protocol/reply.h>
#include <protocol/request.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static struct buffer buffer;
static struct writer writer;

static void setup(void)
{
    buffer_init(&buffer, 0, 1 << 16);
    writer_init(&writer, &buffer);
}

static void teardown(void)
{
    buffer_release(&buffer);
}

static void expect(const char *text)
{
    ck_assert(writer_done(&writer));
    ck_assert(!buffer.failed);
    ck_assert_uint_eq(buffer.len, strlen(text));
    ck_assert_mem_eq(buffer_payload(&buffer), text, buffer.len);
}

START_TEST(test_nesting)
{
    writer_object(&writer);
    writer_key_string(&writer, "a", "b");
    writer_key_array(&writer, "list");
    writer_int(&writer, 1);
    writer_object(&writer);
    writer_end(&writer);
    writer_array(&writer);
    writer_null(&writer);
    writer_bool(&writer, true);
    writer_end(&writer);
    writer_end(&writer);
    writer_key_object(&writer, "o");
    writer_key(&writer, "x");
    writer_raw(&writer, "{\"y\":1}", 7);
    writer_key_int(&writer, "z", 2);
    writer_key_number(&writer, 15);
    writer_bool(&writer, false);
    writer_end(&writer);
    ck_assert(!writer_done(&writer));
    writer_end(&writer);
    expect("{\"a\":\"b\",\"list\":[1,{},[null,true]],"
           "\"o\":{\"x\":{\"y\":1},\"z\":2,\"15\":false}}");
}
END_TEST

START_TEST(test_keys)
{
    writer_object(&writer);
    writer_key_int(&writer, "a", 1);
    writer_key_null(&writer, "n");
    writer_key_bool(&writer, "t", true);
    writer_key_raw(&writer, "r", "[]", 2);
    writer_key_id(&writer, "i", UINT64_C(0x00c0ffee00decade));
    writer_end(&writer);
    expect("{\"a\":1,\"n\":null,\"t\":true,\"r\":[],\"i\":\"00c0ffee00decade\"}");
}
END_TEST

static const struct {
    int64_t value;
    const char *text;
} INTEGERS[] = {
    {0, "0"},
    {7, "7"},
    {-1, "-1"},
    {10, "10"},
    {99, "99"},
    {-100, "-100"},
    {999, "999"},
    {1000, "1000"},
    {9999, "9999"},
    {10000, "10000"},
    {20305, "20305"},
    {99999999, "99999999"},
    {100000000, "100000000"},
    {1790000000000, "1790000000000"},
    {PROTOCOL_INTEGER_MAX, "9007199254740991"},
    {INT64_MAX, "9223372036854775807"},
    {INT64_MIN, "-9223372036854775808"},
};

START_TEST(test_integer)
{
    writer_int(&writer, INTEGERS[_i].value);
    expect(INTEGERS[_i].text);
}
END_TEST

static const struct {
    const char *in;
    size_t len;
    const char *text;
} STRINGS[] = {
    {"", 0, "\"\""},
    {"plain", 5, "\"plain\""},
    {"a\"b\\c/", 6, "\"a\\\"b\\\\c/\""},
    {"\b\f\n\r\t", 5, "\"\\b\\f\\n\\r\\t\""},
    {"\x01\x1f\x7f", 3, "\"\\u0001\\u001f\x7f\""},
    {"a\0b", 3, "\"a\\u0000b\""},
    {"\xc3\xa9\xf0\x9f\x8c\x8b", 6, "\"\xc3\xa9\xf0\x9f\x8c\x8b\""},
    {"a\xff z", 4, "\"a\xef\xbf\xbd z\""},
    {"\xe2\x82", 2, "\"\xef\xbf\xbd\xef\xbf\xbd\""},
    {"\xed\xa0\x80", 3, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
    {"\xc3", 1, "\"\xef\xbf\xbd\""},
};

START_TEST(test_string)
{
    writer_string_n(&writer, STRINGS[_i].in, STRINGS[_i].len);
    expect(STRINGS[_i].text);
}
END_TEST

/* Whatever bytes go in as a string or a key, a strict reader takes what comes out. */
START_TEST(test_every_byte_pair_is_read_back)
{
    for (unsigned pair = 0; pair < 0x10000; pair++) {
        char bytes[2] = {(char)(pair >> 8), (char)pair};
        buffer_clear(&buffer);
        writer_init(&writer, &buffer);
        writer_string_n(&writer, bytes, 2);
        json_t *back =
            json_loadb(buffer_payload(&buffer), buffer.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
        ck_assert_msg(json_is_string(back), "%04x", pair);
        json_decref(back);
    }
}
END_TEST

/* One byte among others that are plain: at each place of texts of each length. */
static void expect_alone(const char *text, size_t len, unsigned byte)
{
    bool plain = byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
    buffer_clear(&buffer);
    writer_init(&writer, &buffer);
    writer_object(&writer);
    writer_key_n(&writer, text, len);
    writer_string_n(&writer, text, len);
    writer_end(&writer);
    ck_assert(writer_done(&writer) && !buffer.failed);
    ck_assert_msg(plain == (buffer.len == 2 * len + 7), "byte %u of %zu", byte, len);
    if (plain) {
        const char *out = buffer_payload(&buffer);
        ck_assert_mem_eq(out, "{\"", 2);
        ck_assert_mem_eq(out + 2, text, len);
        ck_assert_mem_eq(out + 2 + len, "\":\"", 3);
        ck_assert_mem_eq(out + 5 + len, text, len);
        ck_assert_mem_eq(out + 5 + 2 * len, "\"}", 2);
    }
}

START_TEST(test_every_byte_at_every_place)
{
    char text[20];
    for (size_t len = 1; len <= sizeof text; len++) {
        for (size_t at = 0; at < len; at++) {
            memset(text, _i, sizeof text);
            for (unsigned byte = 0; byte < 256; byte++) {
                text[at] = (char)byte;
                expect_alone(text, len, byte);
            }
        }
    }
}
END_TEST

START_TEST(test_jansson_values)
{
    const char *text = "{\"a\":[1,-2.5,true,false,null,\"\xc3\xa9\\n\"],\"b\":{}}";
    json_t *value = json_loads(text, 0, NULL);
    writer_json(&writer, value);
    json_decref(value);
    expect(text);
}
END_TEST

START_TEST(test_headroom)
{
    struct buffer out;
    buffer_init(&out, 16, 1 << 16);
    for (int i = 0; i < 1000; i++)
        buffer_append_string(&out, "0123456789");
    ck_assert_uint_eq(out.len, 10000);
    ck_assert_ptr_eq(buffer_payload(&out), out.bytes + 16);
    memset(out.bytes, 'x', 16);
    size_t len;
    char *bytes = buffer_detach(&out, &len);
    ck_assert_uint_eq(len, 10000);
    ck_assert_mem_eq(bytes, "xxxxxxxxxxxxxxxx0123456789", 26);
    free(bytes);
    ck_assert_ptr_null(out.bytes);
    ck_assert_uint_eq(out.headroom, 16);
    bytes = buffer_detach(&out, &len); /* an empty payload has its headroom too */
    ck_assert_ptr_nonnull(bytes);
    ck_assert_uint_eq(len, 0);
    memset(bytes, 'x', 16);
    free(bytes);
}
END_TEST

START_TEST(test_bound)
{
    struct buffer out;
    buffer_init(&out, 8, 10);
    buffer_append_string(&out, "0123456789");
    ck_assert(!out.failed);
    ck_assert_uint_le(out.size, 18);
    buffer_append_byte(&out, 'x');
    ck_assert(out.failed);
    buffer_append(&out, "", 0);
    ck_assert(out.failed);
    ck_assert(!buffer_reserve(&out, 0));
    ck_assert_uint_eq(out.len, 10);
    size_t len;
    ck_assert_ptr_null(buffer_detach(&out, &len));
    ck_assert(!out.failed);
    buffer_append_byte(&out, 'x');
    ck_assert_uint_eq(out.len, 1);
    buffer_release(&out);
}
END_TEST

START_TEST(test_reserve)
{
    struct buffer out;
    buffer_init(&out, 4, 1000);
    ck_assert(buffer_reserve(&out, 1000));
    const char *bytes = out.bytes;
    for (int i = 0; i < 1000; i++)
        buffer_append_byte(&out, 'x');
    ck_assert_ptr_eq(out.bytes, bytes);
    ck_assert_uint_eq(out.len, 1000);
    ck_assert(buffer_reserve(&out, 0));
    ck_assert(!buffer_reserve(&out, 1));
    ck_assert(out.failed);
    buffer_release(&out);
}
END_TEST

/* What is known to be short takes no more memory than it needs, and may be longer after all. */
START_TEST(test_begin)
{
    struct buffer out;
    size_t len;
    buffer_init(&out, 4, 1000);
    ck_assert(buffer_begin(&out, 64));
    ck_assert_uint_eq(out.size, 68);
    for (int i = 0; i < 1000; i++)
        buffer_append_byte(&out, (char)('a' + i % 26));
    char *bytes = buffer_detach(&out, &len);
    ck_assert_uint_eq(len, 1000);
    ck_assert_mem_eq(bytes + 4, "abcdefgh", 8);
    ck_assert_int_eq(bytes[4 + 999], 'a' + 999 % 26);
    free(bytes);
}
END_TEST

/* Commas follow what is closed as well as what is written. */
START_TEST(test_commas)
{
    writer_array(&writer);
    for (int i = 0; i < 2; i++) {
        writer_object(&writer);
        writer_key_array(&writer, "a");
        writer_end(&writer);
        writer_key_object(&writer, "o");
        writer_end(&writer);
        writer_end(&writer);
    }
    writer_string_n(&writer, "\n", 1);
    writer_string(&writer, "x");
    writer_int(&writer, 1);
    writer_end(&writer);
    expect("[{\"a\":[],\"o\":{}},{\"a\":[],\"o\":{}},\"\\n\",\"x\",1]");
}
END_TEST

/* A writer goes on into a full buffer and keeps its own order. */
START_TEST(test_writer_survives_a_full_buffer)
{
    struct buffer out;
    buffer_init(&out, 0, 4);
    writer_init(&writer, &out);
    writer_object(&writer);
    writer_key_string(&writer, "key", "value");
    writer_end(&writer);
    ck_assert(writer_done(&writer));
    ck_assert(out.failed);
    buffer_release(&out);
}
END_TEST

START_TEST(test_value_without_key_is_our_fault)
{
    writer_object(&writer);
    writer_int(&writer, 1);
}
END_TEST

START_TEST(test_key_in_array_is_our_fault)
{
    writer_array(&writer);
    writer_key(&writer, "a");
}
END_TEST

START_TEST(test_second_value_is_our_fault)
{
    writer_null(&writer);
    writer_null(&writer);
}
END_TEST

START_TEST(test_dangling_key_is_our_fault)
{
    writer_object(&writer);
    writer_key(&writer, "a");
    writer_end(&writer);
}
END_TEST

static void begin_again(void)
{
    buffer_clear(&buffer);
    writer_init(&writer, &buffer);
}

START_TEST(test_reply)
{
    reply_begin(&writer, 7);
    reply_end(&writer);
    expect("{\"id\":7,\"ok\":{}}");
    begin_again();
    reply_begin(&writer, 0);
    writer_key_int(&writer, "seq", 12);
    reply_end(&writer);
    expect("{\"id\":0,\"ok\":{\"seq\":12}}");
}
END_TEST

START_TEST(test_refusals)
{
    reply_error(&writer, REQUEST_NO_ID, PROTOCOL_BAD_JSON, "");
    expect("{\"id\":null,\"error\":{\"code\":\"bad_json\",\"message\":\"This is not one JSON "
           "object.\"}}");
    begin_again();
    reply_error(&writer, 0, PROTOCOL_MISSING_FIELD, "room");
    expect("{\"id\":0,\"error\":{\"code\":\"missing_field\",\"message\":\"A field that this "
           "operation needs is missing.\",\"field\":\"room\"}}");
    begin_again();
    reply_refusal(&writer, 1, &(struct refusal){.code = "levels_differ", .text = "No."});
    expect("{\"id\":1,\"error\":{\"code\":\"levels_differ\",\"message\":\"No.\"}}");
    begin_again();
    struct refusal all = {PROTOCOL_OK, "a", "b", "c", "0,1", true, -3, 12};
    reply_refusal(&writer, 1, &all);
    expect("{\"id\":1,\"error\":{\"code\":\"a\",\"message\":\"b\",\"field\":\"c\",\"at\":"
           "\"0,1\",\"number\":-3,\"retry_ms\":12}}");
}
END_TEST

static bool opens(int64_t id, bool refused, const char *expected)
{
    struct reply_contents contents;
    if (!reply_open(&contents, id, refused, buffer_payload(&buffer), buffer.len))
        return false;
    ck_assert_uint_eq(contents.len, strlen(expected));
    ck_assert_mem_eq(contents.at, expected, contents.len);
    return true;
}

START_TEST(test_what_was_written_is_opened)
{
    reply_begin(&writer, PROTOCOL_INTEGER_MAX);
    writer_key_object(&writer, "error");
    writer_end(&writer);
    reply_end(&writer);
    ck_assert(opens(PROTOCOL_INTEGER_MAX, false, "{\"error\":{}}"));
    ck_assert(!opens(PROTOCOL_INTEGER_MAX, true, ""));
    ck_assert(!opens(PROTOCOL_INTEGER_MAX - 1, false, ""));
    begin_again();
    reply_begin(&writer, 0);
    reply_end(&writer);
    ck_assert(opens(0, false, "{}"));
    ck_assert(!opens(REQUEST_NO_ID, false, ""));
    begin_again();
    reply_refusal(&writer, 7, &(struct refusal){.code = "levels_differ", .text = "No."});
    ck_assert(opens(7, true, "{\"code\":\"levels_differ\",\"message\":\"No.\"}"));
    ck_assert(!opens(7, false, ""));
    begin_again();
    reply_refusal(&writer, REQUEST_NO_ID, &(struct refusal){.code = "other", .text = "No."});
    ck_assert(opens(REQUEST_NO_ID, true, "{\"code\":\"other\",\"message\":\"No.\"}"));
    begin_again();
    push_notice(&writer, PROTOCOL_NOTICE_ANNOUNCEMENT, NULL, "{\"id\":1,\"ok\":{}}");
    ck_assert(!opens(1, false, ""));
}
END_TEST

/* Another node may have said it. */
START_TEST(test_what_was_not_written_is_not_opened)
{
    static const char *const wrong[] = {
        "",
        "{\"id\":",
        "{\"id\":,\"ok\":{}}",
        "{\"id\":-1,\"ok\":{}}",
        "{\"id\":11,\"ok\":{}}",
        "{\"id\":1,\"ok\":",
        "{\"id\":1,\"ok\":{",
        "{\"id\":1,\"ok\":}}",
        "{\"id\":1,\"ok\":{}",
        "{\"id\":1,\"ok\":{\"a\":1}",
        "{\"id\":1,\"ok\":[]}",
        "{\"id\":1,\"other\":{}}",
        "{\"id\":1,\"error\":{}}",
        " {\"id\":1,\"ok\":{}}",
    };
    struct reply_contents contents;
    ck_assert(!reply_open(&contents, 1, false, wrong[_i], strlen(wrong[_i])));
}
END_TEST

START_TEST(test_pushes)
{
    push_event_begin(&writer, "k3m9x0aq", 13, 99);
    writer_key_raw(&writer, "event", "{}", 2);
    push_end(&writer);
    expect("{\"push\":\"event\",\"room\":\"k3m9x0aq\",\"seq\":13,\"at\":99,\"event\":{}}");
    begin_again();
    push_begin(&writer, "presence", "k3m9x0aq");
    writer_key_int(&writer, "watchers", 3);
    push_end(&writer);
    expect("{\"push\":\"presence\",\"room\":\"k3m9x0aq\",\"watchers\":3}");
    begin_again();
    push_notice(&writer, PROTOCOL_NOTICE_DRAINING, NULL, "Soon.");
    expect("{\"push\":\"notice\",\"code\":\"draining\",\"message\":\"Soon.\"}");
    begin_again();
    push_notice(&writer, PROTOCOL_NOTICE_STORE_FAILING, "k3m9x0aq", "Oh.");
    expect("{\"push\":\"notice\",\"room\":\"k3m9x0aq\",\"code\":\"store_failing\",\"message\":"
           "\"Oh.\"}");
}
END_TEST

Suite *writer_suite(void)
{
    Suite *suite = suite_create("writer");
    TCase *tests = tcase_create("writer");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, test_nesting);
    tcase_add_test(tests, test_keys);
    tcase_add_loop_test(tests, test_integer, 0, sizeof INTEGERS / sizeof INTEGERS[0]);
    tcase_add_loop_test(tests, test_string, 0, sizeof STRINGS / sizeof STRINGS[0]);
    tcase_add_test(tests, test_every_byte_pair_is_read_back);
    tcase_add_loop_test(tests, test_every_byte_at_every_place, ' ', ' ' + 2); /* and '!' */
    tcase_add_loop_test(tests, test_every_byte_at_every_place, 0x7f, 0x7f + 1);
    tcase_add_test(tests, test_jansson_values);
    tcase_add_test(tests, test_headroom);
    tcase_add_test(tests, test_bound);
    tcase_add_test(tests, test_reserve);
    tcase_add_test(tests, test_begin);
    tcase_add_test(tests, test_commas);
    tcase_add_test(tests, test_writer_survives_a_full_buffer);
    tcase_add_test(tests, test_reply);
    tcase_add_test(tests, test_refusals);
    tcase_add_test(tests, test_what_was_written_is_opened);
    tcase_add_loop_test(tests, test_what_was_not_written_is_not_opened, 0, 14);
    tcase_add_test(tests, test_pushes);
    suite_add_tcase(suite, tests);
    return suite;
}

/* Asserts that are met; each ends its process. */
Suite *writer_asserts_suite(void)
{
    Suite *suite = suite_create("writer's asserts");
    TCase *tests = tcase_create("writer's asserts");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test_raise_signal(tests, test_value_without_key_is_our_fault, SIGABRT);
    tcase_add_test_raise_signal(tests, test_key_in_array_is_our_fault, SIGABRT);
    tcase_add_test_raise_signal(tests, test_second_value_is_our_fault, SIGABRT);
    tcase_add_test_raise_signal(tests, test_dangling_key_is_our_fault, SIGABRT);
    suite_add_tcase(suite, tests);
    return suite;
}
