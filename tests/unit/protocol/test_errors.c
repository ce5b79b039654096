/*
 * protocol/errors.json, errors.md and the tables in C say the same. The tables of the
 * rules are here too, though the library does not know them: clients see one list of codes.
 */
#include "suites.h"
#include <jansson.h>
#include <protocol/error.h>
#include <rules/status.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <totem_rules/status.h>

static json_t *load_errors(void)
{
    size_t len;
    char *bytes = read_source_file("protocol/errors.json", &len);
    json_error_t error;
    json_t *root = json_loadb(bytes, len, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(root, "%s, line %d", error.text, error.line);
    free(bytes);
    json_t *list = json_incref(json_object_get(root, "errors"));
    ck_assert(json_is_array(list));
    json_decref(root);
    return list;
}

static const char *text_of(const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));
    ck_assert_ptr_nonnull(text);
    return text;
}

static bool is_from(const json_t *row, const char *who)
{
    const json_t *from = json_object_get(row, "from");
    for (size_t i = 0; i < json_array_size(from); i++) {
        if (strcmp(json_string_value(json_array_get(from, i)), who) == 0)
            return true;
    }
    return false;
}

static const json_t *find_row(const json_t *list, const char *code)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (strcmp(text_of(json_array_get(list, i), "code"), code) == 0)
            return json_array_get(list, i);
    }
    return NULL;
}

static size_t count_from(const json_t *list, const char *who)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        count += is_from(json_array_get(list, i), who);
    return count;
}

/* A game may say a code of others in its own words. */
static const char *message_from(const json_t *row, const char *who)
{
    const char *own = json_string_value(json_object_get(json_object_get(row, "messages"), who));
    return own ? own : text_of(row, "message");
}

static void expect_row(const json_t *list, const char *who, const char *code, const char *message)
{
    const json_t *row = find_row(list, code);
    ck_assert_msg(row, "%s is not in errors.json", code);
    ck_assert_msg(is_from(row, who), "%s is not from %s", code, who);
    ck_assert_str_eq(message_from(row, who), message);
}

START_TEST(test_protocol_table)
{
    json_t *list = load_errors();
    for (int error = PROTOCOL_OK + 1; error < PROTOCOL_ERROR_COUNT; error++)
        expect_row(list, "protocol", protocol_error_code((enum protocol_error)error),
                   protocol_error_sentence((enum protocol_error)error));
    ck_assert_uint_eq(count_from(list, "protocol"), PROTOCOL_ERROR_COUNT - 1);
    json_decref(list);
}
END_TEST

START_TEST(test_found_by_their_code)
{
    for (int error = PROTOCOL_OK + 1; error < PROTOCOL_ERROR_COUNT; error++) {
        const char *code = protocol_error_code((enum protocol_error)error);
        ck_assert_int_eq(protocol_error_find(code, strlen(code)), error);
        ck_assert_int_ne(protocol_error_find(code, strlen(code) - 1), error);
    }
    ck_assert_int_eq(protocol_error_find("full!", 5), PROTOCOL_OK);
    ck_assert_int_eq(protocol_error_find("", 0), PROTOCOL_OK);
}
END_TEST

START_TEST(test_rules_table)
{
    json_t *list = load_errors();
    for (int status = TALUVA_OK + 1; status < TALUVA_STATUSES; status++)
        expect_row(list, "taluva", taluva_status_code((enum taluva_status)status),
                   taluva_status_text((enum taluva_status)status));
    ck_assert_uint_eq(count_from(list, "taluva"), TALUVA_STATUSES - 1);
    json_decref(list);
}
END_TEST

/* The room refuses what comes after the end. */
static bool has_row_of_totem(enum totem_status status)
{
    return status >= TOTEM_BAD_COMMAND && status <= TOTEM_WRONG_COUNT && status != TOTEM_OVER;
}

START_TEST(test_rules_of_totem)
{
    json_t *list = load_errors();
    size_t rows = 0;
    for (int status = TOTEM_OK + 1; status < TOTEM_STATUSES; status++) {
        char code[32];
        if (!has_row_of_totem((enum totem_status)status))
            continue;
        (void)snprintf(code, sizeof code, "%s", totem_status_code((enum totem_status)status));
        for (char *at = code; (at = strchr(at, '-'));)
            *at = '_';
        expect_row(list, "totem", code, totem_status_text((enum totem_status)status));
        rows++;
    }
    ck_assert_uint_eq(count_from(list, "totem"), rows);
    json_decref(list);
}
END_TEST

START_TEST(test_each_once_and_well_formed)
{
    json_t *list = load_errors();
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *row = json_array_get(list, i);
        const char *code = text_of(row, "code");
        ck_assert_msg(find_row(list, code) == row, "%s is there twice", code);
        ck_assert(code[strspn(code, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0');
        const char *message = text_of(row, "message");
        ck_assert_msg(message[strlen(message) - 1] == '.', "%s: no sentence", code);
        ck_assert_uint_gt(strlen(text_of(row, "when")), 10);
        ck_assert_uint_eq(json_object_size(row), json_object_get(row, "messages") ? 5 : 4);
    }
    json_decref(list);
}
END_TEST

static const char *const speakers[] = {"protocol", "taluva", "totem"};

START_TEST(test_page)
{
    size_t len;
    char *page = read_source_file("protocol/errors.md", &len);
    json_t *list = load_errors();
    size_t rows = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *row = json_array_get(list, i);
        for (size_t who = 0; who < sizeof speakers / sizeof *speakers; who++) {
            char line[1024];
            if (!is_from(row, speakers[who]))
                continue;
            (void)snprintf(line, sizeof line, "\n| `%s` | %s | %s |\n", text_of(row, "code"),
                           message_from(row, speakers[who]), text_of(row, "when"));
            ck_assert_msg(strstr(page, line), "errors.md lacks:%s", line);
            rows++;
        }
    }
    for (const char *at = page; (at = strstr(at, "\n| `")); at++)
        rows--;
    ck_assert_uint_eq(rows, 0); /* and nothing else */
    json_decref(list);
    free(page);
}
END_TEST

Suite *errors_suite(void)
{
    Suite *suite = suite_create("errors");
    TCase *tests = tcase_create("errors");
    tcase_add_test(tests, test_protocol_table);
    tcase_add_test(tests, test_found_by_their_code);
    tcase_add_test(tests, test_rules_table);
    tcase_add_test(tests, test_rules_of_totem);
    tcase_add_test(tests, test_each_once_and_well_formed);
    tcase_add_test(tests, test_page);
    suite_add_tcase(suite, tests);
    return suite;
}
