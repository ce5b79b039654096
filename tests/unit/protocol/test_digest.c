#include "suites.h"
#include <protocol/request.h>
#include <string.h>

#define NONCE  "0123456789abcdef0123456789ABCDEF"
#define ROOM   "\"room\":\"k3m9x0aq\""
#define CREATE "{\"id\":1,\"op\":\"create\",\"clock\":"

static uint64_t digest_of(const char *text)
{
    struct request request;
    ck_assert_int_eq(request_decode(&request, text, strlen(text)), PROTOCOL_OK);
    uint64_t digest = request_digest(&request);
    request_release(&request);
    return digest;
}

START_TEST(test_digest_same)
{
    ck_assert_uint_eq(digest_of("{\"id\":1,\"op\":\"move\"," ROOM ",\"move\":\"draw\"}"),
                      digest_of("{ \"move\":\"dr\\u0061w\", " ROOM ",\"op\":\"move\",\"id\":2}"));
    ck_assert_uint_eq(digest_of("{\"id\":1,\"op\":\"join\"," ROOM ",\"have\":3}"),
                      digest_of("{\"id\":1,\"op\":\"join\"," ROOM "}"));
    ck_assert_uint_eq(digest_of("{\"id\":1,\"op\":\"record\",\"have\":5," ROOM "}"),
                      digest_of("{\"id\":1,\"op\":\"record\"," ROOM "}"));
    ck_assert_uint_eq(
        digest_of("{\"id\":1,\"op\":\"create\",\"options\":{\"a\":1,\"b\":{\"c\":[2,true]}}}"),
        digest_of("{\"id\":1,\"op\":\"create\",\"options\":{\"b\":{\"c\":[2,true]},\"a\":1}}"));
}
END_TEST

/* Every kind of value, and every kind of JSON. */
static const struct {
    const char *text;
    uint64_t digest;
} DIGESTS[] = {
    {"{\"id\":1,\"op\":\"move\"," ROOM ",\"move\":\"draw\"}", UINT64_C(0xbe9474615cd2fc16)},
    {"{\"id\":1,\"op\":\"sit\",\"colour\":\"red\"," ROOM ",\"seat\":3}",
     UINT64_C(0x0fd9d50f8bb9322f)},
    {"{\"id\":1,\"op\":\"ready\",\"nonce\":\"" NONCE "\",\"ready\":true," ROOM "}",
     UINT64_C(0x4483b3d23f92823c)},
    {"{\"id\":1,\"op\":\"ready\",\"ready\":false," ROOM "}", UINT64_C(0x980bfc178842ec2e)},
    {"{\"id\":1,\"op\":\"past\",\"code\":\"0123456789abcdef\",\"have\":12," ROOM "}",
     UINT64_C(0x0941926d4fda577f)},
    {"{\"id\":1,\"op\":\"offer\"," ROOM ",\"what\":\"call_off\"}", UINT64_C(0x30f49cbd8afc6d6e)},
    {"{\"id\":1,\"op\":\"create\",\"access\":\"code\",\"game\":\"taluva\",\"title\":\"Zo\u00eb\"}",
     UINT64_C(0xf4286e5b8914d194)},
    {CREATE "{\"kind\":\"none\"}}", UINT64_C(0x5f1125fd5a21b0a9)},
    {CREATE "{\"kind\":\"move\",\"move_s\":604800}}", UINT64_C(0x0d13923c1b843d73)},
    {CREATE "{\"kind\":\"fischer\",\"bank_s\":600,\"increment_s\":10}}",
     UINT64_C(0x0447d737f6dce463)},
    {CREATE "{\"kind\":\"byoyomi\",\"bank_s\":60,\"period_s\":30,\"periods\":3}}",
     UINT64_C(0xde3d5fdac4028a00)},
    {CREATE "{\"kind\":\"days\",\"days\":3,\"on_timeout\":\"computer\"}}",
     UINT64_C(0x1f2da17dc42a86fe)},
    {"{\"id\":1,\"op\":\"create\",\"options\":{\"a\":-1,\"b\":305419896,\"c\":0.1,\"d\":true,\"e\":"
     "false,"
     "\"f\":null,\"g\":\"h\",\"i\":[1,[2,\"3\"],{}],\"j\":{\"k\":{\"l\":9007199254740993}}}}",
     UINT64_C(0x294f253ad6cce9c3)},
};

/* It is stored with a room's log: a new version of this program must find the same number. */
START_TEST(test_digest_is_for_ever)
{
    uint64_t digest = digest_of(DIGESTS[_i].text);
    ck_assert_msg(digest == DIGESTS[_i].digest, "0x%016llx", (unsigned long long)digest);
}
END_TEST

Suite *digest_suite(void)
{
    Suite *suite = suite_create("digest");
    TCase *tests = tcase_create("digest");
    tcase_add_test(tests, test_digest_same);
    tcase_add_loop_test(tests, test_digest_is_for_ever, 0, sizeof DIGESTS / sizeof DIGESTS[0]);
    suite_add_tcase(suite, tests);
    return suite;
}
