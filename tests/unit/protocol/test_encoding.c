#include "suites.h"
#include <protocol/encoding.h>
#include <string.h>

START_TEST(test_hex)
{
    uint8_t bytes[3];
    char text[7];
    ck_assert(hex_decode(bytes, 3, "00fFa9", 6));
    hex_encode(text, bytes, 3);
    ck_assert_str_eq(text, "00ffa9");
    ck_assert(!hex_decode(bytes, 3, "00ff", 4));
    ck_assert(!hex_decode(bytes, 3, "00ffa9a9", 8));
    ck_assert(!hex_decode(bytes, 3, "00ffg9", 6));
    ck_assert(!hex_decode(bytes, 3, "0 ffa9", 6));
    ck_assert(!hex_decode(bytes, 3, "00ff\0a", 6));
}
END_TEST

START_TEST(test_room_id)
{
    static const struct {
        uint8_t bytes[ROOM_ID_RANDOM_BYTES];
        const char *text;
    } CASES[] = {
        {{0, 0, 0, 0, 0}, "00000000"},
        {{255, 255, 255, 255, 255}, "zzzzzzzz"},
        {{0x08, 0x86, 0x42, 0x98, 0xe8}, "12345678"},
        {{0, 0, 0, 0, 1}, "00000001"},
        {{0xf8, 0, 0, 0, 0}, "z0000000"},
    };
    char text[PROTOCOL_ROOM_BYTES + 1];
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        room_id_encode(text, CASES[i].bytes);
        ck_assert_str_eq(text, CASES[i].text);
        ck_assert(room_id_valid(text, strlen(text)));
    }
}
END_TEST

START_TEST(test_alphabet)
{
    ck_assert(room_id_valid("k3m9x0aq", 8));
    ck_assert(!room_id_valid("k3m9x0a", 7));
    ck_assert(!room_id_valid("k3m9x0aqq", 9));
    ck_assert(!room_id_valid("K3M9X0AQ", 8));
    ck_assert(!room_id_valid("k3m9x0a\0", 8));
    for (const char *letter = "ilou-_ /.\x80"; *letter; letter++) {
        for (size_t at = 0; at < PROTOCOL_CODE_BYTES; at++) {
            char text[] = "0000000000000000";
            text[at] = *letter;
            ck_assert_msg(at >= 8 || !room_id_valid(text, 8), "%s", text);
            ck_assert_msg(!code_valid(text, 16), "%s", text);
        }
    }
    ck_assert(code_valid("0123456789abcdef", 16));
    ck_assert(!code_valid("0123456789abcde", 15));
    ck_assert(!code_valid("0123456789abcdei", 16));
}
END_TEST

START_TEST(test_code)
{
    const uint8_t bytes[CODE_RANDOM_BYTES] = {0, 0, 0, 0, 1, 255, 255, 255, 255, 254};
    char text[PROTOCOL_CODE_BYTES + 1];
    code_encode(text, bytes);
    ck_assert_str_eq(text, "00000001zzzzzzzy");
}
END_TEST

START_TEST(test_token)
{
    uint8_t bytes[TOKEN_RANDOM_BYTES], back[TOKEN_RANDOM_BYTES];
    char text[PROTOCOL_TOKEN_BYTES + 1];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(0xff - i * 5);
    token_encode(text, bytes);
    ck_assert_str_eq(text, "__r18Ovm4dzX0s3Iw765tK-qpaCblpGMh4J9eHNuaWQ");
    ck_assert(token_decode(back, text, PROTOCOL_TOKEN_BYTES));
    ck_assert_mem_eq(back, bytes, sizeof bytes);
    ck_assert(!token_decode(back, text, PROTOCOL_TOKEN_BYTES - 1));
    text[3] = '+';
    ck_assert(!token_decode(back, text, PROTOCOL_TOKEN_BYTES));
    text[3] = '=';
    ck_assert(!token_decode(back, text, PROTOCOL_TOKEN_BYTES));
    text[3] = 'A';
    text[42] = 'R'; /* the last digit has two bits that must be 0 */
    ck_assert(!token_decode(back, text, PROTOCOL_TOKEN_BYTES));
}
END_TEST

START_TEST(test_pass)
{
    static const uint8_t bytes[PASS_RANDOM_BYTES] = {0x08, 0x86, 0x42, 0x98, 0xe8, 0x4a, 0x96,
                                                     0xc6, 0xb9, 0xf0, 0x8c, 0xa7, 0x4d, 0x2f,
                                                     0xff, 0x77, 0x80, 0x00, 0x00, 0x00};
    char text[PROTOCOL_PASS_BYTES + 1];
    pass_encode(text, bytes);
    ck_assert_uint_eq(strlen(text), PROTOCOL_PASS_BYTES);
    ck_assert_int_eq(strncmp(text, "12345678", 8), 0);
    ck_assert(pass_valid(text, PROTOCOL_PASS_BYTES));
    ck_assert(!pass_valid(text, PROTOCOL_PASS_BYTES - 1));
    ck_assert(pass_valid("7zk3f09qa5vtd2e8r1x6mhbw4cbv", 28)); /* computed apart */
    ck_assert(pass_valid("0000000000000000000000000000", 28));
    for (size_t at = 0; at < PROTOCOL_PASS_BYTES; at++) {
        const char was = text[at];
        for (const char *digit = "0123456789abcdefghjkmnpqrstvwxyzilou-A"; *digit; digit++) {
            text[at] = *digit;
            ck_assert_int_eq(pass_valid(text, PROTOCOL_PASS_BYTES), *digit == was);
        }
        text[at] = was;
    }
    for (size_t at = 0; at + 3 < PROTOCOL_PASS_BYTES; at++) {
        const char left = text[at], right = text[at + 1];
        text[at] = right;
        text[at + 1] = left;
        ck_assert_int_eq(pass_valid(text, PROTOCOL_PASS_BYTES), left == right);
        text[at] = left;
        text[at + 1] = right;
    }
}
END_TEST

START_TEST(test_device)
{
    char text[PROTOCOL_DEVICE_BYTES + 1];
    device_encode(text, 0x9c1f04e7);
    ck_assert_str_eq(text, "9c1f04e7");
    ck_assert_uint_eq(device_decode(text), 0x9c1f04e7);
    device_encode(text, 0);
    ck_assert_str_eq(text, "00000000");
    ck_assert(device_valid("0123cdef", 8));
    ck_assert(!device_valid("0123cde", 7));
    ck_assert(!device_valid("0123cdeF", 8));
    ck_assert(!device_valid("0123cdeg", 8));
    ck_assert(!device_valid("0123cde\0", 8));
}
END_TEST

/* By zlib's crc32 and Python's base64. */
START_TEST(test_access_token)
{
    uint8_t bytes[TOKEN_RANDOM_BYTES], got[TOKEN_RANDOM_BYTES];
    char text[PROTOCOL_ACCESS_BYTES + 1];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    access_token_encode(text, bytes);
    ck_assert_str_eq(text, "taluva_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh83krq0en");
    ck_assert(access_token_decode(got, text, strlen(text)));
    ck_assert_mem_eq(got, bytes, sizeof bytes);
    ck_assert(!access_token_decode(got, text, strlen(text) - 1));
    ck_assert(!access_token_decode(got, text + 7, PROTOCOL_TOKEN_BYTES));
    ck_assert(!token_decode(got, text, strlen(text)));
}
END_TEST

/* A wrong character anywhere, or two that have changed places, is seen without asking anybody. */
START_TEST(test_access_token_with_a_slip)
{
    static const char RIGHT[] = "taluva_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh83krq0en";
    uint8_t got[TOKEN_RANDOM_BYTES];
    for (size_t at = 0; at < sizeof RIGHT - 1; at++) {
        char text[sizeof RIGHT];
        memcpy(text, RIGHT, sizeof text);
        text[at] = text[at] == 'b' ? 'c' : 'b';
        ck_assert_msg(!access_token_decode(got, text, sizeof text - 1), "%s", text);
        memcpy(text, RIGHT, sizeof text);
        text[at] = RIGHT[at ? at - 1 : 1];
        text[at ? at - 1 : 1] = RIGHT[at];
        ck_assert_msg(strcmp(text, RIGHT) == 0 || !access_token_decode(got, text, sizeof text - 1),
                      "%s", text);
    }
}
END_TEST

Suite *encoding_suite(void)
{
    Suite *suite = suite_create("encoding");
    TCase *tests = tcase_create("encoding");
    tcase_add_test(tests, test_pass);
    tcase_add_test(tests, test_device);
    tcase_add_test(tests, test_hex);
    tcase_add_test(tests, test_access_token);
    tcase_add_test(tests, test_access_token_with_a_slip);
    tcase_add_test(tests, test_room_id);
    tcase_add_test(tests, test_alphabet);
    tcase_add_test(tests, test_code);
    tcase_add_test(tests, test_token);
    suite_add_tcase(suite, tests);
    return suite;
}
