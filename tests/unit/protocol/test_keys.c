/* Keys as JSON: RFC 8037's own, sets that are damaged, and what comes back of what was written. */
#include "suites.h"
#include <jansson.h>
#include <protocol/json_writer.h>
#include <protocol/keys.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* RFC 8037, appendix A: a public key and its thumbprint. */
#define X   "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
#define KID "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"

START_TEST(test_thumbprint)
{
    uint8_t bytes[KEY_BYTES];
    char text[KEY_TEXT_BYTES + 1];
    struct public_key key;
    ck_assert(key_decode(bytes, X, strlen(X)));
    ck_assert_uint_eq(bytes[0], 0xd7);
    ck_assert_uint_eq(bytes[31], 0x1a);
    key_encode(text, bytes);
    ck_assert_str_eq(text, X);
    public_key_init(&key, bytes, 7);
    ck_assert_str_eq(key.id, KID);
    ck_assert_int_eq(key.from_s, 7);
    ck_assert_int_eq(key.until_s, KEY_IN_USE);
}
END_TEST

START_TEST(test_bad_key)
{
    uint8_t bytes[KEY_BYTES];
    char text[] = X;
    ck_assert(!key_decode(bytes, X, strlen(X) - 1));
    ck_assert(!key_decode(bytes, X "A", strlen(X) + 1));
    text[42] = 'p'; /* the last digit has two bits that must be 0 */
    ck_assert(!key_decode(bytes, text, strlen(text)));
    text[42] = '=';
    ck_assert(!key_decode(bytes, text, strlen(text)));
    text[42] = 'o';
    ck_assert(key_decode(bytes, text, strlen(text)));
    text[11] = '+';
    ck_assert(!key_decode(bytes, text, strlen(text)));
}
END_TEST

static bool read_text(struct key_set *keys, const char *text)
{
    json_t *array = json_loads(text, 0, NULL);
    ck_assert_msg(array, "not JSON: %s", text);
    const bool read = key_set_read(keys, array);
    json_decref(array);
    return read;
}

#define BEGIN "{\"kty\":\"OKP\",\"crv\":\"Ed25519\","

static const struct {
    const char *text;
    int count; /* -1: refused */
} SETS[] = {
    {"[]", 0},
    {"[" BEGIN "\"x\":\"" X "\"}]", 1},
    {"[" BEGIN "\"x\":\"" X "\",\"kid\":\"" KID "\",\"iat\":5,\"exp\":9,\"use\":\"sig\"}]", 1},
    {"[" BEGIN "\"x\":\"" X "\",\"iat\":1,\"exp\":1}]", 1},
    {"[{\"kty\":\"RSA\",\"n\":\"AA\"}," BEGIN "\"x\":\"" X "\"}]", 1},
    {"[{\"kty\":\"OKP\",\"crv\":\"X25519\",\"x\":\"" X "\"}]", 0},
    {"[{}]", 0},
    {"{}", -1},
    {"[7]", -1},
    {"[" BEGIN "\"y\":\"" X "\"}]", -1},
    {"[" BEGIN "\"x\":7}]", -1},
    {"[" BEGIN "\"x\":\"" X "A\"}]", -1},
    {"[" BEGIN "\"x\":\"" X "\",\"kid\":\"" X "\"}]", -1}, /* of another key */
    {"[" BEGIN "\"x\":\"" X "\",\"kid\":7}]", -1},
    {"[" BEGIN "\"x\":\"" X "\",\"iat\":\"today\"}]", -1},
    {"[" BEGIN "\"x\":\"" X "\",\"exp\":0}]", -1},
    {"[" BEGIN "\"x\":\"" X "\",\"exp\":-1}]", -1},
};

START_TEST(test_read)
{
    struct key_set keys;
    const bool read = read_text(&keys, SETS[_i].text);
    ck_assert_int_eq(read ? (int)keys.count : -1, SETS[_i].count);
    if (read && keys.count == 1) {
        ck_assert_str_eq(keys.list[0].id, KID);
        ck_assert_ptr_eq(key_set_find(&keys, KID), &keys.list[0]);
    }
    ck_assert_ptr_null(key_set_find(&keys, X));
}
END_TEST

static void fill(struct key_set *keys, size_t count)
{
    keys->count = count;
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[KEY_BYTES] = {(uint8_t)i, 1};
        public_key_init(&keys->list[i], bytes, 1000 - (int64_t)i);
        keys->list[i].until_s = i > 0 ? 1001 - (int64_t)i : KEY_IN_USE;
    }
}

/* A JSON text; to be freed. */
static char *written(const struct key_set *keys)
{
    struct buffer out;
    struct writer writer;
    buffer_init(&out, 0, 1 << 16);
    writer_init(&writer, &out);
    key_set_write(keys, &writer);
    ck_assert(writer_done(&writer));
    buffer_append_byte(&out, '\0');
    size_t len;
    return buffer_detach(&out, &len);
}

START_TEST(test_write)
{
    struct key_set keys, again;
    fill(&keys, (size_t)_i);
    char *text = written(&keys);
    ck_assert(read_text(&again, text));
    ck_assert_uint_eq(again.count, keys.count);
    for (size_t i = 0; i < keys.count; i++) {
        ck_assert_mem_eq(again.list[i].bytes, keys.list[i].bytes, KEY_BYTES);
        ck_assert_str_eq(again.list[i].id, keys.list[i].id);
        ck_assert_int_eq(again.list[i].from_s, keys.list[i].from_s);
        ck_assert_int_eq(again.list[i].until_s, keys.list[i].until_s);
        ck_assert_ptr_eq(key_set_find(&keys, keys.list[i].id), &keys.list[i]);
    }
    keys.count = 0;
    ck_assert_ptr_null(key_set_find(&keys, keys.list[0].id)); /* it is not in the set any more */
    free(text);
}
END_TEST

START_TEST(test_too_many)
{
    struct key_set keys, again;
    fill(&keys, KEYS_MAX);
    char *text = written(&keys);
    json_t *array = json_loads(text, 0, NULL);
    ck_assert(key_set_read(&again, array));
    json_array_append(array, json_array_get(array, 0));
    ck_assert(!key_set_read(&again, array));
    json_decref(array);
    free(text);
}
END_TEST

Suite *keys_suite(void)
{
    Suite *suite = suite_create("keys");
    TCase *tests = tcase_create("keys");
    tcase_add_test(tests, test_thumbprint);
    tcase_add_test(tests, test_bad_key);
    tcase_add_loop_test(tests, test_read, 0, sizeof SETS / sizeof SETS[0]);
    tcase_add_loop_test(tests, test_write, 1, 5);
    tcase_add_test(tests, test_too_many);
    suite_add_tcase(suite, tests);
    return suite;
}
