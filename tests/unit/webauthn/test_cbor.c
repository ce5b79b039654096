/* CBOR as it is read: what has that form and what has not, and that nothing is read beyond it. */
#include "cbor.h"
#include "suites.h"
#include <protocol/encoding.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 256 };

/* In memory of just that size, so that sanitizers see what is read behind it. */
static struct webauthn_bytes from_hex(const char *hex)
{
    const size_t len = strlen(hex) / 2;
    uint8_t *bytes = malloc(len > 0 ? len : 1);
    ck_assert_ptr_nonnull(bytes);
    ck_assert(hex_decode(bytes, len, hex, 2 * len));
    return (struct webauthn_bytes){bytes, len};
}

static bool reads(const char *hex)
{
    struct cbor_map map;
    struct webauthn_bytes rest = {NULL, 0};
    const struct webauthn_bytes bytes = from_hex(hex);
    const bool read = cbor_read_map(bytes, &map, &rest);
    if (read)
        ck_assert_ptr_eq(rest.at + rest.len, bytes.at + bytes.len);
    const bool whole = read && rest.len == 0;
    free((uint8_t *)(uintptr_t)bytes.at);
    return whole;
}

static const char *const maps[] = {
    "a0",
    "a10000",
    "a10120",
    "a1613100",
    "a14100f5",
    "a101f4",
    "a101f6",
    "a101f5",
    "a1011818",               /* 24 */
    "a101190100",             /* 256 */
    "a1011a00010000",         /* 65536 */
    "a1011b0000000100000000", /* 2^32 */
    "a1011bffffffffffffffff",
    "a101a101a101a0", /* four deep */
    "a101818180",
    "a1018301020a",
    "a2010002a0",
    "a2200000f5", /* -1 and 0 */
    "a1015818000000000000000000000000000000000000000000000000",
};

START_TEST(values_of_that_form)
{
    ck_assert_msg(reads(maps[_i]), "%s", maps[_i]);
}
END_TEST

/* Whatever is missing at its end, it is no map. */
START_TEST(cut_off)
{
    char hex[2 * BYTES_MAX + 1];
    for (size_t len = 0; len < strlen(maps[_i]); len += 2) {
        memcpy(hex, maps[_i], len);
        hex[len] = '\0';
        ck_assert_msg(!reads(hex), "%s", hex);
    }
}
END_TEST

static const struct {
    const char *hex, *why;
} others[] = {
    {"", "nothing"},
    {"00", "a number"},
    {"80", "an array"},
    {"40", "a string"},
    {"f6", "null"},
    {"a000", "something stands behind it"},
    {"bf0000ff", "a map of indefinite length"},
    {"a1019fff", "an array of indefinite length"},
    {"a1015f4100ff", "a string of indefinite length"},
    {"a1017f6161ff", "a text of indefinite length"},
    {"a101c100", "a tag"},
    {"a101c074", "a date"},
    {"a101f93c00", "half a float"},
    {"a101fa3f800000", "a float"},
    {"a101fb3ff0000000000000", "a double"},
    {"a101f7", "undefined"},
    {"a101f0", "a simple value without a name"},
    {"a101f814", "false in two bytes"},
    {"a101f8ff", "a simple value in two bytes"},
    {"a101ff", "an end without a beginning"},
    {"a1011c", "a length that has no meaning"},
    {"a1011d00", "another"},
    {"a1011e00", "another"},
    {"a1011817", "23 in two bytes"},
    {"a1011900ff", "255 in three"},
    {"a1011a0000ffff", "65535 in five"},
    {"a1011b00000000ffffffff", "2^32 - 1 in nine"},
    {"b80101", "a map whose length is longer than it has to be"},
    {"a1015801ff", "a string whose length is"},
    {"a2010101", "an entry short"},
    {"a201000100", "a key twice"},
    {"a2613100613101", "a text twice"},
    {"a101a201000100", "a key twice in a map within"},
    {"a10181a201000100", "a key twice in a map in an array within"},
    {"a18000", "an array as a key"},
    {"a1a000", "a map as a key"},
    {"a1f500", "true as a key"},
    {"a101a101a101a101a0", "five deep"},
    {"a10181818180", "five deep, with arrays"},
    {"a10161ff", "a text that is no UTF-8"},
    {"a10162c080", "a text in a form that is too long"},
    {"a161ff00", "a key that is no UTF-8"},
    {"a1019a00ffffff00", "an array that is longer than all there is"},
    {"a1019bffffffffffffffff", "an array of 2^64 - 1"},
    {"a1015bffffffffffffffff00", "a string of 2^64 - 1"},
    {"bbffffffffffffffff00", "a map of 2^64 - 1"},
    {"b90100", "a map of 256"},
};

START_TEST(other_forms)
{
    ck_assert_msg(!reads(others[_i].hex), "%s", others[_i].why);
}
END_TEST

/* A map of `count` numbers, in hex. */
static void write_wide(unsigned count, char *hex)
{
    hex += sprintf(hex, "b8%02x", count);
    for (unsigned key = 0; key < count; key++)
        hex += key < 24 ? sprintf(hex, "%02x00", key) : sprintf(hex, "18%02x00", key);
}

START_TEST(as_many_entries_as_there_may_be)
{
    char hex[512];
    write_wide(CBOR_ENTRIES_MAX, hex);
    ck_assert(reads(hex));
    write_wide(CBOR_ENTRIES_MAX + 1, hex);
    ck_assert(!reads(hex));
}
END_TEST

START_TEST(what_is_in_a_map)
{
    struct cbor_map map;
    struct webauthn_bytes rest;
    /* {1: 2, -1: -3, "k": h'0102', h'6b': "v", 255: {}}, 0 */
    const struct webauthn_bytes bytes = from_hex("a501022022616b420102416b617618ffa000");
    ck_assert(cbor_read_map(bytes, &map, &rest));
    ck_assert_uint_eq(rest.len, 1);
    ck_assert(cbor_is_number(cbor_find_number(&map, 1), 2));
    ck_assert(!cbor_is_number(cbor_find_number(&map, 1), -3));
    ck_assert(cbor_is_number(cbor_find_number(&map, -1), -3));
    ck_assert(!cbor_is_number(cbor_find_number(&map, -1), 2));
    ck_assert_ptr_null(cbor_find_number(&map, 2));
    ck_assert_ptr_null(cbor_find_number(&map, -2));
    const struct cbor_value *of_text = cbor_find_text(&map, "k");
    ck_assert_int_eq(of_text->type, CBOR_BYTES);
    ck_assert_uint_eq(of_text->bytes.len, 2);
    ck_assert_mem_eq(of_text->bytes.at, "\1\2", 2);
    ck_assert_uint_eq(of_text->coded.len, 3);
    ck_assert_ptr_null(cbor_find_text(&map, "kk"));
    ck_assert_ptr_null(cbor_find_text(&map, ""));
    ck_assert_int_eq(cbor_find_number(&map, 255)->type, CBOR_MAP);
    free((uint8_t *)(uintptr_t)bytes.at);
}
END_TEST

Suite *cbor_suite(void)
{
    Suite *suite = suite_create("cbor");
    TCase *tcase = tcase_create("cbor");
    tcase_add_loop_test(tcase, values_of_that_form, 0, sizeof maps / sizeof maps[0]);
    tcase_add_loop_test(tcase, cut_off, 0, sizeof maps / sizeof maps[0]);
    tcase_add_loop_test(tcase, other_forms, 0, sizeof others / sizeof others[0]);
    tcase_add_test(tcase, as_many_entries_as_there_may_be);
    tcase_add_test(tcase, what_is_in_a_map);
    suite_add_tcase(suite, tcase);
    return suite;
}
