/*
 * protocol/examples and protocol/schemas as the C library sees them: it reads every example of a
 * request, and its vocabularies are those of the schemas.
 */
#include "suites.h"
#include <dirent.h>
#include <jansson.h>
#include <protocol/json_writer.h>
#include <protocol/request.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *read_json(const char *path)
{
    size_t len;
    char *bytes = read_source_file(path, &len);
    json_error_t error;
    json_t *value = json_loadb(bytes, len, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(value, "%s: %s", path, error.text);
    free(bytes);
    return value;
}

/* Decodes, encodes and reads again: the same, save what is trimmed or lower-cased (nothing here).
 */
static enum request_op expect_decoded(const char *path)
{
    size_t len;
    char *bytes = read_source_file(path, &len);
    struct request request;
    struct buffer out;
    struct writer writer;
    enum protocol_error error = request_decode(&request, bytes, len);
    ck_assert_msg(error == PROTOCOL_OK, "%s: %s %s", path, protocol_error_code(error),
                  request.bad_field);
    buffer_init(&out, 0, PROTOCOL_MESSAGE_BYTES);
    writer_init(&writer, &out);
    request_encode(&writer, &request);
    json_t *want = json_loadb(bytes, len, 0, NULL);
    json_t *got = json_loadb(buffer_payload(&out), out.len, 0, NULL);
    const json_t *clock = json_object_get(want, "clock");
    if (clock && !json_object_get(clock, "on_timeout")) /* encoding fills in the default */
        json_object_del(json_object_get(got, "clock"), "on_timeout");
    ck_assert_msg(json_equal(want, got), "%s", path);
    json_decref(want);
    json_decref(got);
    buffer_release(&out);
    request_release(&request);
    free(bytes);
    return request.op;
}

START_TEST(test_requests)
{
    bool seen[REQUEST_OPS] = {0};
    DIR *folder = opendir(SOURCE_ROOT "/protocol/examples/requests");
    ck_assert_ptr_nonnull(folder);
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        char path[512];
        if (entry->d_name[0] == '.')
            continue;
        (void)snprintf(path, sizeof path, "protocol/examples/requests/%s", entry->d_name);
        enum request_op op = expect_decoded(path);
        ck_assert(strncmp(entry->d_name, request_op_name(op), strlen(request_op_name(op))) == 0);
        seen[op] = true;
    }
    ck_assert_int_eq(closedir(folder), 0);
    for (int op = 0; op < REQUEST_OPS; op++)
        ck_assert_msg(seen[op], "%s has no example", request_op_name((enum request_op)op));
}
END_TEST

/* What the schemas say is needed is missed when it is left out. */
START_TEST(test_fields_of_each_op)
{
    json_t *schemas = read_json("protocol/schemas/requests.json");
    for (int op = 0; op < REQUEST_OPS; op++) {
        const char *name = request_op_name((enum request_op)op);
        const json_t *schema = json_object_get(json_object_get(schemas, "$defs"), name);
        ck_assert_msg(schema, "%s has no schema", name);
        char path[512];
        (void)snprintf(path, sizeof path, "protocol/examples/requests/%s.json", name);
        json_t *example = read_json(path);
        const json_t *required = json_object_get(schema, "required");
        for (size_t i = 0; i < json_array_size(required); i++) {
            const char *field = json_string_value(json_array_get(required, i));
            json_t *without = json_copy(example);
            json_object_del(without, field);
            char *text = json_dumps(without, 0);
            struct request request;
            ck_assert_int_eq(request_decode(&request, text, strlen(text)), PROTOCOL_MISSING_FIELD);
            ck_assert_str_eq(request.bad_field, field);
            request_release(&request);
            free(text);
            json_decref(without);
        }
        json_decref(example);
    }
    json_decref(schemas);
}
END_TEST

static void expect_words(const char *file, const char *definition, const char *word, size_t at)
{
    json_t *schemas = read_json(file);
    const json_t *values =
        json_object_get(json_object_get(json_object_get(schemas, "$defs"), definition), "enum");
    ck_assert_str_eq(json_string_value(json_array_get(values, at)), word);
    json_decref(schemas);
}

START_TEST(test_words)
{
    for (size_t i = 0; i < PROTOCOL_ACCESS_COUNT; i++)
        expect_words("protocol/schemas/common.json", "access",
                     protocol_access_name((enum protocol_access)i), i);
    for (size_t i = 0; i < PROTOCOL_OFFER_COUNT; i++)
        expect_words("protocol/schemas/common.json", "offer",
                     protocol_offer_name((enum protocol_offer)i), i);
    for (size_t i = 0; i < PROTOCOL_PHASE_COUNT; i++)
        expect_words("protocol/schemas/common.json", "phase",
                     protocol_phase_name((enum protocol_phase)i), i);
}
END_TEST

START_TEST(test_events)
{
    json_t *schemas = read_json("protocol/schemas/events.json");
    const json_t *kinds = json_object_get(schemas, "$defs");
    ck_assert_uint_eq(json_object_size(kinds), PROTOCOL_EVENT_COUNT);
    for (int i = 0; i < PROTOCOL_EVENT_COUNT; i++) {
        const char *word = protocol_event_name((enum protocol_event)i);
        ck_assert_msg(json_object_get(kinds, word), "%s has no schema", word);
    }
    json_decref(schemas);
}
END_TEST

Suite *examples_suite(void)
{
    Suite *suite = suite_create("examples");
    TCase *tests = tcase_create("examples");
    tcase_add_test(tests, test_requests);
    tcase_add_test(tests, test_fields_of_each_op);
    tcase_add_test(tests, test_words);
    tcase_add_test(tests, test_events);
    suite_add_tcase(suite, tests);
    return suite;
}
