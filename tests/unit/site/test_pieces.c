/* Pieces of JSON that was written by a hub, and of what was not. */
#include "messages/pieces.h"
#include "suites.h"
#include <stdlib.h>
#include <string.h>

static struct piece piece_of(const char *text)
{
    return (struct piece){text, strlen(text)};
}

static void check_piece(struct piece piece, const char *expected)
{
    if (!expected) {
        ck_assert_ptr_null(piece.at);
        return;
    }
    ck_assert_ptr_nonnull(piece.at);
    ck_assert_msg(piece.len == strlen(expected) && memcmp(piece.at, expected, piece.len) == 0,
                  "%.*s, not %s", (int)piece.len, piece.at, expected);
}

static const struct {
    const char *object, *name, *value;
} members[] = {
    {"{\"a\":1,\"b\":2}", "b", "2"},
    {"{\"a\":1,\"b\":2}", "c", NULL},
    {"{\"a\":{\"b\":3},\"b\":[4,{\"b\":5}]}", "b", "[4,{\"b\":5}]"},
    {" { \"a\" : \"}\\\"{\" , \"b\" : true } ", "b", "true"},
    {"{\"a\":\"\\\\\",\"b\":\"x\"}", "b", "\"x\""},
    {"{\"a\":-12.5e3,\"b\":null}", "a", "-12.5e3"},
    {"{\"ab\":1,\"a\":2}", "a", "2"},
    {"{}", "a", NULL},
    {"[\"a\",1]", "a", NULL},
    {"", "a", NULL},
    {"{\"a\"", "a", NULL},
    {"{\"a\":", "a", NULL},
    {"{\"a\":\"x", "a", "\"x"},
    {"{\"a\":{\"b\":[", "a", "{\"b\":["},
    {"{\"a\"\\", "a", NULL},
    {"{\"\\", "a", NULL},
};

START_TEST(test_member)
{
    check_piece(piece_member(piece_of(members[_i].object), members[_i].name), members[_i].value);
}
END_TEST

START_TEST(test_open)
{
    const struct piece open =
        piece_open(piece_of("{\"x\":[],\"a\":{\"b\":[1,{}],\"c\":2},\"d\":3}"), "a");
    size_t at = 0;
    check_piece(open, "{\"b\":[1,{}],\"c\":2},\"d\":3}");
    check_piece(piece_member(open, "b"), "[1,{}]");
    check_piece(piece_member(open, "c"), "2");
    check_piece(piece_member(open, "d"), NULL);
    const struct piece array = piece_open(open, "b");
    check_piece(piece_next(array, &at), "1");
    check_piece(piece_next(array, &at), "{}");
    check_piece(piece_next(array, &at), NULL);
    check_piece(piece_open(open, "e"), NULL);
    check_piece(piece_open(piece_of("{\"a\":"), "a"), NULL);
}
END_TEST

static const struct {
    const char *array;
    const char *elements[4];
} arrays[] = {
    {"[]", {NULL}},
    {"[1]", {"1"}},
    {"[ {\"a\":[1,2]} , \"x,y\" , [3] ]", {"{\"a\":[1,2]}", "\"x,y\"", "[3]"}},
    {"{\"a\":1}", {NULL}},
    {"[1,2", {"1", "2"}},
    {"[", {NULL}},
    {"", {NULL}},
};

START_TEST(test_elements)
{
    const struct piece array = piece_of(arrays[_i].array);
    size_t at = 0;
    for (size_t i = 0; i < 4 && arrays[_i].elements[i]; i++)
        check_piece(piece_next(array, &at), arrays[_i].elements[i]);
    check_piece(piece_next(array, &at), NULL);
}
END_TEST

static const struct {
    const char *text;
    bool is;
    int64_t number;
} numbers[] = {
    {"0", true, 0},
    {"-7", true, -7},
    {"999999999999999999", true, INT64_C(999999999999999999)},
    {"", false, 0},
    {"-", false, 0},
    {"1.5", false, 0},
    {"1e3", false, 0},
    {"\"1\"", false, 0},
    {"1000000000000000000000", false, 0},
};

START_TEST(test_number)
{
    int64_t number = 0;
    ck_assert_int_eq(piece_number(piece_of(numbers[_i].text), &number), numbers[_i].is);
    ck_assert_int_eq(number, numbers[_i].number);
}
END_TEST

/* In memory of its exact length, so that the sanitizers see each step beyond it. */
START_TEST(test_any_text)
{
    static const char signs[] = "{}[]\",:\\ a1-";
    uint64_t random = 7;
    for (int text = 0; text < 20000; text++) {
        const size_t len = (size_t)(text % 24);
        char *bytes = malloc(len + 1);
        ck_assert_ptr_nonnull(bytes);
        for (size_t i = 0; i < len; i++) {
            random = random * UINT64_C(6364136223846793005) + 1;
            bytes[i] = signs[(random >> 33) % (sizeof signs - 1)];
        }
        char *exact = realloc(bytes, len ? len : 1);
        const struct piece whole = {exact, len};
        const struct piece found = piece_member(whole, "a");
        ck_assert(!found.at || (found.at >= exact && found.at + found.len <= exact + len));
        size_t at = 0, count = 0;
        while (piece_next(whole, &at).at)
            ck_assert_uint_le(++count, len);
        free(exact);
    }
}
END_TEST

Suite *pieces_suite(void)
{
    Suite *suite = suite_create("pieces");
    TCase *tcase = tcase_create("pieces");
    tcase_add_test(tcase, test_open);
    tcase_add_loop_test(tcase, test_member, 0, sizeof members / sizeof *members);
    tcase_add_loop_test(tcase, test_elements, 0, sizeof arrays / sizeof *arrays);
    tcase_add_loop_test(tcase, test_number, 0, sizeof numbers / sizeof *numbers);
    tcase_add_test(tcase, test_any_text);
    suite_add_tcase(suite, tcase);
    return suite;
}
