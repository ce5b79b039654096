/* What the bytes of a terminal mean: a table; cut anywhere; any bytes at all. */
#include "key.h"
#include "suites.h"
#include <string.h>

static const struct {
    const char *bytes;
    size_t len; /* of the first key; 0: it is not complete yet */
    enum key_kind kind;
    char letter;
    struct mouse mouse;
} KEYS[] = {
    {"", 0, KEY_TEXT, 0, {0}},
    {"a", 1, KEY_TEXT, 'a', {0}},
    {" b", 1, KEY_TEXT, ' ', {0}},
    {"~", 1, KEY_TEXT, '~', {0}},
    {"\177", 1, KEY_TEXT, 0, {0}},
    {"\001", 1, KEY_TEXT, 0, {0}},
    {"\004", 1, KEY_END, 0, {0}},
    {"\014", 1, KEY_REDRAW, 0, {0}},
    {"\r\n", 1, KEY_ENTER, 0, {0}},
    {"\n", 1, KEY_ENTER, 0, {0}},
    {"\t", 1, KEY_TAB, 0, {0}},
    {"\303\251x", 2, KEY_TEXT, 0, {0}},
    {"\342\202\254", 3, KEY_TEXT, 0, {0}},
    {"\360\237\214\213", 4, KEY_TEXT, 0, {0}},
    {"\360\237\214", 0, KEY_TEXT, 0, {0}},
    {"\033", 0, KEY_TEXT, 0, {0}},
    {"\033b", 2, KEY_TEXT, 0, {0}}, /* Alt and b: a word back */
    {"\033[", 0, KEY_TEXT, 0, {0}},
    {"\033O", 0, KEY_TEXT, 0, {0}},
    {"\033[A", 3, KEY_UP, 0, {0}},
    {"\033[B", 3, KEY_DOWN, 0, {0}},
    {"\033[C\033[C", 3, KEY_RIGHT, 0, {0}},
    {"\033[D", 3, KEY_LEFT, 0, {0}},
    {"\033OA", 3, KEY_UP, 0, {0}},
    {"\033OB", 3, KEY_DOWN, 0, {0}},
    {"\033OC", 3, KEY_RIGHT, 0, {0}},
    {"\033OD", 3, KEY_LEFT, 0, {0}},
    {"\033[Z", 3, KEY_BACK_TAB, 0, {0}},
    {"\033[1;2A", 6, KEY_PAN_UP, 0, {0}},
    {"\033[1;3B", 6, KEY_PAN_DOWN, 0, {0}},
    {"\033[1;5C", 6, KEY_PAN_RIGHT, 0, {0}},
    {"\033[1;5D", 6, KEY_PAN_LEFT, 0, {0}},
    {"\033[1;5H", 6, KEY_UNKNOWN, 0, {0}},
    {"\033[H", 3, KEY_TEXT, 0, {0}}, /* Home and End */
    {"\033OF", 3, KEY_TEXT, 0, {0}},
    {"\033OP", 3, KEY_UNKNOWN, 0, {0}},
    {"\033[5~", 4, KEY_PAGE_UP, 0, {0}},
    {"\033[6~", 4, KEY_PAGE_DOWN, 0, {0}},
    {"\033[99~", 5, KEY_UNKNOWN, 0, {0}},
    {"\033[I", 3, KEY_UNKNOWN, 0, {0}},
    {"\033[3~", 4, KEY_TEXT, 0, {0}},
    {"\033[[A", 4, KEY_UNKNOWN, 0, {0}}, /* F1 of Linux: no `A` is left behind */
    {"\033[[", 0, KEY_TEXT, 0, {0}},
    {"\033[200~", 6, KEY_PASTE_BEGIN, 0, {0}},
    {"\033[201~", 6, KEY_PASTE_END, 0, {0}},
    {"\033[<0;1;1M", 9, KEY_MOUSE, 0, {MOUSE_LEFT, 0, 0}},
    {"\033[<0;80;24M", 11, KEY_MOUSE, 0, {MOUSE_LEFT, 79, 23}},
    {"\033[<0;80;24m", 11, KEY_MOUSE, 0, {MOUSE_OTHER, 79, 23}},
    {"\033[<1;3;4M", 9, KEY_MOUSE, 0, {MOUSE_OTHER, 2, 3}},
    {"\033[<2;3;4M", 9, KEY_MOUSE, 0, {MOUSE_RIGHT, 2, 3}},
    {"\033[<16;3;4M", 10, KEY_MOUSE, 0, {MOUSE_LEFT, 2, 3}},  /* with Control */
    {"\033[<32;3;4M", 10, KEY_MOUSE, 0, {MOUSE_OTHER, 2, 3}}, /* moved */
    {"\033[<64;3;4M", 10, KEY_MOUSE, 0, {MOUSE_WHEEL_UP, 2, 3}},
    {"\033[<65;3;4M", 10, KEY_MOUSE, 0, {MOUSE_WHEEL_DOWN, 2, 3}},
    {"\033[<66;3;4M", 10, KEY_MOUSE, 0, {MOUSE_OTHER, 2, 3}},
    {"\033[<0;9999;9999M", 15, KEY_MOUSE, 0, {MOUSE_LEFT, 9998, 9998}},
    {"\033[<0;10000;1M", 13, KEY_UNKNOWN, 0, {0}},
    {"\033[<0;0;1M", 9, KEY_UNKNOWN, 0, {0}},
    {"\033[<0;1;0M", 9, KEY_UNKNOWN, 0, {0}},
    {"\033[<0;1M", 7, KEY_UNKNOWN, 0, {0}},
    {"\033[<M", 4, KEY_UNKNOWN, 0, {0}},
    {"\033[<0;;1M", 8, KEY_UNKNOWN, 0, {0}},
    {"\033[<0;1;1;1M", 11, KEY_UNKNOWN, 0, {0}},
    {"\033[<0;-1;1M", 10, KEY_UNKNOWN, 0, {0}},
    {"\033[M !!x", 6, KEY_UNKNOWN, 0, {0}}, /* the old form, three bytes that are no text */
    {"\033[M !", 0, KEY_TEXT, 0, {0}},
    {"\033[<0;99999999999999999999999999", 0, KEY_TEXT, 0, {0}},
    {"\033[<0;999999999999999999999999999999", 32, KEY_UNKNOWN, 0, {0}}, /* no key is so long */
};

START_TEST(a_key_is_read)
{
    struct key key;
    const char *bytes = KEYS[_i].bytes;
    const size_t count = strlen(bytes) > KEY_BYTES ? KEY_BYTES : strlen(bytes);
    ck_assert_uint_eq(key_read(&key, (const unsigned char *)bytes, count), KEYS[_i].len);
    ck_assert_int_eq(key.kind, KEYS[_i].kind);
    ck_assert_int_eq(key.letter, KEYS[_i].letter);
    ck_assert_int_eq(key.mouse.kind, KEYS[_i].mouse.kind);
    ck_assert_int_eq(key.mouse.x, KEYS[_i].mouse.x);
    ck_assert_int_eq(key.mouse.y, KEYS[_i].mouse.y);
}
END_TEST

/* A key that comes in pieces is not taken before it is whole. */
START_TEST(a_key_may_come_in_pieces)
{
    struct key key;
    for (size_t i = 1; i < KEYS[_i].len; i++)
        ck_assert_uint_eq(key_read(&key, (const unsigned char *)KEYS[_i].bytes, i), 0);
}
END_TEST

/* Whatever comes, it is taken sooner or later, and no more than there is. */
START_TEST(any_bytes_come_to_an_end)
{
    static const unsigned char signs[] = "\033[<O;0129MmAZ~\r\n\t a\377\303\000";
    uint32_t seed = (uint32_t)_i;
    struct key key;
    for (int round = 0; round < 500; round++) {
        unsigned char bytes[2 * KEY_BYTES];
        for (size_t i = 0; i < sizeof bytes; i++) {
            seed = seed * 1664525 + 1013904223;
            bytes[i] = signs[(seed >> 16) % sizeof signs];
        }
        for (size_t count = 1; count <= sizeof bytes; count++) {
            const size_t len = key_read(&key, bytes, count);
            ck_assert_uint_le(len, count);
            ck_assert(len > 0 || count < KEY_BYTES);
        }
    }
}
END_TEST

Suite *key_suite(void)
{
    Suite *suite = suite_create("key");
    TCase *tcase = tcase_create("key");
    tcase_add_loop_test(tcase, a_key_is_read, 0, sizeof KEYS / sizeof KEYS[0]);
    tcase_add_loop_test(tcase, a_key_may_come_in_pieces, 0, sizeof KEYS / sizeof KEYS[0]);
    tcase_add_loop_test(tcase, any_bytes_come_to_an_end, 0, 4);
    suite_add_tcase(suite, tcase);
    return suite;
}
