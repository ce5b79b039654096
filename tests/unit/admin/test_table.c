/* Columns, and texts of strangers in them. */
#include "suites.h"
#include "table.h"
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text, *shown;
    size_t width;
} texts[] = {
    {"", "", 0},
    {"Ana", "Ana", 3},
    {"\xe5\x90\x8d\xe5\xad\x97", "\xe5\x90\x8d\xe5\xad\x97", 4},
    {"a\x1b[2Jb", "a\\u{1b}[2Jb", 11},
    {"a\nb\tc\x7f", "a\\u{a}b\\u{9}c\\u{7f}", 19},
    {"\xc2\x9b", "\\u{9b}", 6},
    {"\xe2\x80\xae", "\\u{202e}", 8},
    {"\xe2\x81\xa9\xd8\x9c", "\\u{2069}\\u{61c}", 15},
    {"e\xcc\x81", "e\\u{301}", 8},
    {"\xff\xc3", "\\xff\\xc3", 8},
    {"\\u{1b}", "\\\\u{1b}", 7},
};

START_TEST(test_escape)
{
    char shown[TABLE_CELL_BYTES];
    ck_assert_uint_eq(table_escape(shown, texts[_i].text), texts[_i].width);
    ck_assert_str_eq(shown, texts[_i].shown);
}
END_TEST

START_TEST(test_long_text_is_cut)
{
    char text[2 * TABLE_CELL_BYTES], shown[TABLE_CELL_BYTES];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    ck_assert_uint_lt(table_escape(shown, text), TABLE_CELL_BYTES);
    ck_assert_str_eq(shown + strlen(shown) - 5, "xx...");
    memset(text, 0x1b, sizeof text - 1);
    (void)table_escape(shown, text);
    ck_assert_str_eq(shown + strlen(shown) - 9, "\\u{1b}...");
}
END_TEST

static const char *const heads[] = {"NAME", "N", "WHERE", NULL};

static void add(struct table *table, const char *name, const char *number, const char *where)
{
    table_cell(table, name);
    table_cell(table, number);
    table_cell(table, where);
}

START_TEST(test_columns)
{
    struct table table;
    char *bytes = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&bytes, &len);
    table_init(&table, heads, 1 << 1);
    add(&table, "\xe5\x90\x8d", "1", "here");
    add(&table, "Anastasia", "1234", "");
    table_print(&table, out);
    fclose(out);
    ck_assert_str_eq(bytes, "NAME          N  WHERE\n"
                            "\xe5\x90\x8d            1  here\n"
                            "Anastasia  1234  \n");
    free(bytes);
    table_release(&table);
}
END_TEST

START_TEST(test_filter)
{
    struct table table;
    table_init(&table, heads, 0);
    add(&table, "Ana", "1", "here");
    table_filter(&table, "er");
    ck_assert_uint_eq(table.count, 3);
    add(&table, "Bo", "2", "there");
    table_filter(&table, "Ana");
    ck_assert_uint_eq(table.count, 3);
    ck_assert_str_eq(table.cells[0], "Ana");
    table_release(&table);
}
END_TEST

Suite *table_suite(void)
{
    Suite *suite = suite_create("table");
    TCase *tests = tcase_create("table");
    tcase_add_loop_test(tests, test_escape, 0, sizeof texts / sizeof texts[0]);
    tcase_add_test(tests, test_long_text_is_cut);
    tcase_add_test(tests, test_columns);
    tcase_add_test(tests, test_filter);
    suite_add_tcase(suite, tests);
    return suite;
}
