/* Columns, and texts of strangers in them. */
#include "show.h"
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

/* What a list or an answer is printed as. */
static char *shown(enum command_shape shape, const char *json)
{
    struct table table;
    char *bytes = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&bytes, &len);
    json_t *value = json_loads(json, 0, NULL);
    ck_assert_ptr_nonnull(value);
    if (show_list_name(shape)) {
        show_begin(&table, shape);
        show_add(&table, shape, value, NULL);
        table_print(&table, out);
        table_release(&table);
    } else {
        ck_assert(show_answer(shape, value, out));
    }
    fclose(out);
    json_decref(value);
    return bytes;
}

START_TEST(test_reports_say_which_appeal)
{
    char *text = shown(SHAPE_REPORTS,
                       "[{\"report\":3,\"handle\":\"bo-1\",\"name\":\"Bo\",\"why\":\"talk\","
                       "\"reports\":2,\"sources\":1,\"session\":\"00c0ffee00decade\"},"
                       "{\"report\":14,\"handle\":\"chi-1\",\"name\":\"Chi\",\"why\":\"name\","
                       "\"appeal\":13,\"reports\":1,\"sources\":1,"
                       "\"session\":\"00c0ffee00decadf\"}]");
    ck_assert_str_eq(
        text,
        "REPORT  HANDLE  NAME  WHY   APPEAL  REPORTS  SOURCES  SINCE  LAST  SESSION\n"
        "     3  bo-1    Bo    talk       -        2        1  -      -     00c0ffee00decade\n"
        "    14  chi-1   Chi   name      13        1        1  -      -     00c0ffee00decadf\n");
    free(text);
}
END_TEST

START_TEST(test_an_appeal_is_shown_with_what_it_is_against)
{
    char *text =
        shown(SHAPE_REPORT,
              "{\"report\":14,\"reports\":[{\"report\":14,\"appeal\":13,\"text\":\"A song.\"}],"
              "\"against\":{\"judgement\":13,\"verdict\":\"warn\","
              "\"reports\":[{\"report\":3,\"why\":\"talk\"}]},"
              "\"judgement\":{\"judgement\":15,\"verdict\":\"dismiss\"}}");
    ck_assert_str_eq(text, "report         14\n\n"
                           "report         14\n"
                           "appeal         13\n"
                           "text           A song.\n"
                           "\nthe appeal is against:\n"
                           "judgement      13\n"
                           "verdict        warn\n\n"
                           "report         3\n"
                           "why            talk\n"
                           "\ndecided:\n"
                           "judgement      15\n"
                           "verdict        dismiss\n");
    free(text);
}
END_TEST

/* Of a line in the lobby one sees who has said it, whatever they call themselves. */
START_TEST(test_lines_of_the_lobby_have_handles)
{
    char *text =
        shown(SHAPE_REPORT, "{\"report\":3,\"reports\":[{\"report\":3,\"lobby\":true,\"line\":12,"
                            "\"talk\":[{\"line\":11,\"handle\":\"ana-1\",\"name\":\"Ana\","
                            "\"text\":\"hi\"},{\"line\":12,\"handle\":\"bo-1\",\"name\":\"Ana\","
                            "\"text\":\"ho\"}]}]}");
    ck_assert_str_eq(text, "report         3\n\n"
                           "report         3\n"
                           "lobby          yes\n"
                           "line           12\n\n"
                           "LINE  AT  HANDLE  NAME  TEXT\n"
                           "  11  -   ana-1   Ana   hi\n"
                           "  12  -   bo-1    Ana   ho\n");
    free(text);
}
END_TEST

START_TEST(test_the_lobby)
{
    char *text =
        shown(SHAPE_LOBBY, "[{\"line\":11,\"handle\":\"ana-1\",\"name\":\"Ana\",\"text\":\"hi\","
                           "\"lang\":\"en\"},"
                           "{\"line\":12,\"operator\":true,\"text\":\"ho\",\"lang\":\"fr\"}]");
    ck_assert_str_eq(text, "LINE  AT  LANG  HANDLE  NAME  TEXT\n"
                           "  11  -   en    ana-1   Ana   hi\n"
                           "  12  -   fr    -       -     ho\n");
    free(text);
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
    tcase_add_test(tests, test_reports_say_which_appeal);
    tcase_add_test(tests, test_an_appeal_is_shown_with_what_it_is_against);
    tcase_add_test(tests, test_lines_of_the_lobby_have_handles);
    tcase_add_test(tests, test_the_lobby);
    suite_add_tcase(suite, tests);
    return suite;
}
