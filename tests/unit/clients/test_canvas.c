#include "suites.h"
#include <cli/canvas.h>
#include <cli/glyph.h>
#include <stdlib.h>
#include <string.h>

static const struct style PLAIN = {0};

static char *printed(const struct canvas *canvas, enum canvas_colours colours)
{
    char *text;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    ck_assert_ptr_nonnull(out);
    canvas_print(canvas, colours, out);
    fclose(out);
    return text;
}

static void expect(const struct canvas *canvas, enum canvas_colours colours, const char *want)
{
    char *text = printed(canvas, colours);
    ck_assert_str_eq(text, want);
    free(text);
}

/* What is written into a canvas of 8 by 1 at a column, and what it then shows. */
static const struct {
    int x;
    bool ascii;
    const char *text, *want;
} CASES[] = {
    {0, false, "island", "island\n"},
    {3, false, "island", "   islan\n"},
    {-2, false, "island", "land\n"},
    {0, false, "\xe5\xb3\xb6\xe5\xb3\xb6x", "\xe5\xb3\xb6\xe5\xb3\xb6x\n"}, /* wide */
    {5, false, "\xe5\xb3\xb6\xe5\xb3\xb6",
     "     \xe5\xb3\xb6\n"}, /* the second would be cut in half */
    {7, false, "\xe5\xb3\xb6", "\n"},
    {0, true, "\xe5\xb3\xb6x", "?x\n"},
    {0, false, "a\033[31mb", "a?[31mb\n"}, /* no escapes from outside */
    {0, false,
     "a\xe2\x80\xae"
     "b",
     "a?b\n"}, /* no direction override */
    {0, false,
     "a\xff\xc3"
     "b",
     "a??b\n"},                       /* no broken UTF-8 */
    {0, false, "e\xcc\x81x", "ex\n"}, /* a combining mark takes no column */
    {0, false, "a\nb\tc", "a?b?c\n"},
};

START_TEST(text)
{
    struct canvas canvas;
    ck_assert(canvas_init(&canvas, 8, 1, CASES[_i].ascii));
    canvas_text(&canvas, CASES[_i].x, 0, 100, PLAIN, CASES[_i].text);
    expect(&canvas, CANVAS_MONO, CASES[_i].want);
    canvas_release(&canvas);
}
END_TEST

START_TEST(columns_are_counted)
{
    struct canvas canvas;
    ck_assert(canvas_init(&canvas, 20, 1, false));
    ck_assert_int_eq(canvas_text(&canvas, 0, 0, 5, PLAIN, "\xe5\xb3\xb6\xe5\xb3\xb6\xe5\xb3\xb6"),
                     4);
    ck_assert_int_eq(canvas_printf(&canvas, 8, 0, 20, PLAIN, "%d", 123), 3);
    expect(&canvas, CANVAS_MONO, "\xe5\xb3\xb6\xe5\xb3\xb6    123\n");
    ck_assert_int_eq(glyph_columns("\xe5\xb3\xb6x"), 3);
    canvas_release(&canvas);
}
END_TEST

/* Writing over one half of a wide character leaves no other half behind. */
START_TEST(halves)
{
    struct canvas canvas;
    ck_assert(canvas_init(&canvas, 6, 1, false));
    canvas_text(&canvas, 0, 0, 6, PLAIN, "\xe5\xb3\xb6\xe5\xb3\xb6\xe5\xb3\xb6");
    canvas_put(&canvas, 1, 0, 'a', PLAIN);
    canvas_put(&canvas, 2, 0, 'b', PLAIN);
    expect(&canvas, CANVAS_MONO, " ab \xe5\xb3\xb6\n");
    canvas_release(&canvas);
}
END_TEST

START_TEST(colours)
{
    struct canvas canvas;
    struct style hex = {TINT_INK, TINT_SAND, true};
    ck_assert(canvas_init(&canvas, 4, 1, false));
    canvas_text(&canvas, 0, 0, 4, PLAIN, "a");
    canvas_text(&canvas, 1, 0, 4, hex, "b ");
    expect(&canvas, CANVAS_MONO, "ab\n");
    expect(&canvas, CANVAS_16, "a\033[0;1;30;103mb \033[0m\n");
    expect(&canvas, CANVAS_256, "a\033[0;1;38;5;233;48;5;222mb \033[0m\n");
    expect(&canvas, CANVAS_TRUE, "a\033[0;1;38;2;16;16;16;48;2;240;220;150mb \033[0m\n");
    canvas_release(&canvas);
}
END_TEST

START_TEST(stamp)
{
    struct canvas large, small;
    ck_assert(canvas_init(&large, 5, 2, false) && canvas_init(&small, 2, 2, false));
    canvas_text(&small, 0, 0, 2, PLAIN, "ab");
    canvas_text(&small, 0, 1, 2, PLAIN, "cd");
    canvas_stamp(&large, 1, 0, &small);
    canvas_stamp(&large, 4, 1, &small);
    expect(&large, CANVAS_MONO, " ab\n cd a\n");
    canvas_release(&large);
    canvas_release(&small);
}
END_TEST

Suite *canvas_suite(void)
{
    Suite *suite = suite_create("canvas");
    TCase *tcase = tcase_create("canvas");
    tcase_add_loop_test(tcase, text, 0, sizeof CASES / sizeof CASES[0]);
    tcase_add_test(tcase, columns_are_counted);
    tcase_add_test(tcase, halves);
    tcase_add_test(tcase, colours);
    tcase_add_test(tcase, stamp);
    suite_add_tcase(suite, tcase);
    return suite;
}
