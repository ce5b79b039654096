/*
 * Vectors for section 8 of protocol/README.md. They were computed with another implementation
 * (Python's hashlib and hmac) from the text of that section, so this is no mirror of deal.c.
 */
#include "suites.h"
#include <protocol/deal.h>
#include <protocol/encoding.h>
#include <string.h>

/* secret = 00 01 02 .. 1f */
static void make_secret(uint8_t secret[DEAL_SECRET_BYTES])
{
    for (size_t i = 0; i < DEAL_SECRET_BYTES; i++)
        secret[i] = (uint8_t)i;
}

static void expect_hex(const uint8_t *bytes, const char *hex)
{
    char text[65];
    hex_encode(text, bytes, 32);
    ck_assert_str_eq(text, hex);
}

START_TEST(test_commitment)
{
    uint8_t secret[DEAL_SECRET_BYTES], commitment[DEAL_COMMITMENT_BYTES];
    make_secret(secret);
    deal_commit(commitment, secret);
    expect_hex(commitment, "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd");
}
END_TEST

#define NONCE_0 "0123456789abcdef0123456789abcdef"
#define NONCE_2 "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"

START_TEST(test_key)
{
    static const char *const NONCES[] = {NONCE_0, "", NONCE_2, NULL};
    uint8_t secret[DEAL_SECRET_BYTES], key[DEAL_KEY_BYTES];
    make_secret(secret);
    deal_key(key, secret, NONCES, 2);
    expect_hex(key, "1f6f385b76096b7b0c6d31f621bcd48ddd68f7dcba6b73367b1014547908cf31");
    deal_key(key, secret, NONCES, 3);
    expect_hex(key, "604e158f3cff4f0a0db7893e92b66b75ba732865d3e8a3b8c93ce17365eecb30");
    deal_key(key, secret, NONCES, 4); /* NULL is an empty nonce, not a missing seat */
    expect_hex(key, "be6d354485e9a5f87ded0dd75849a2af5bdb9f9fa039f0da5432da674a63b860");
}
END_TEST

START_TEST(test_key_of_many_seats)
{
    static const char *const NONCES[12] = {[11] = NONCE_0};
    uint8_t secret[DEAL_SECRET_BYTES], key[DEAL_KEY_BYTES];
    make_secret(secret);
    deal_key(key, secret, NONCES, 12);
    expect_hex(key, "c3de26dfc16d117b067e74a288b09b73c0d820d20260b799e52c0fc8cb600209");
}
END_TEST

/* Section 8 of totem.md: the last key of its example. */
START_TEST(test_key_of_totem)
{
    static const char *const NONCES[] = {"aa", NULL};
    uint8_t secret[DEAL_SECRET_BYTES], key[DEAL_KEY_BYTES];
    make_secret(secret);
    deal_key(key, secret, NONCES, 2);
    expect_hex(key, "06dc733d96746b23da110797b4a226cde8e52ef7a76145337b101c9260b9c68b");
}
END_TEST

/* The example's first family, and the words of round 1. */
START_TEST(test_stream_of_totem)
{
    static const uint32_t WORDS[] = {0xdfbce459, 0x8bc374df, 0x0b199725, 0xbef6046e,
                                     0x8d026c61, 0xd041d51d, 0x5e75688b, 0xe3067ef1,
                                     0xd0314b1e, 0x586b82c1, 0x963c4fd7, 0x8851d925};
    struct deal_stream stream;
    uint8_t key[DEAL_SECRET_BYTES];
    make_secret(key); /* the same 32 bytes */
    deal_stream_init_at(&stream, key, 0);
    ck_assert_uint_eq(deal_stream_below(&stream, 4), 1);
    deal_stream_init_at(&stream, key, 16);
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        ck_assert_uint_eq(deal_stream_below(&stream, UINT32_MAX), WORDS[i]); /* as they are */
}
END_TEST

static struct deal_stream stream_of_vectors(void)
{
    static const char *const NONCES[] = {NONCE_0, ""};
    uint8_t secret[DEAL_SECRET_BYTES], key[DEAL_KEY_BYTES];
    struct deal_stream stream;
    make_secret(secret);
    deal_key(key, secret, NONCES, 2);
    deal_stream_init(&stream, key);
    return stream;
}

/* Twenty words: two blocks and a half. */
START_TEST(test_stream)
{
    static const uint32_t WANT[] = {
        0x00792aeeU, 0x5060c6e5U, 0x13c0b6e6U, 0x1bcadd52U, 0x4089968eU, 0x469b3228U, 0x300aac2eU,
        0x0b037a07U, 0x61c1ada3U, 0x5ae6de2fU, 0x52041d7aU, 0x691f79aeU, 0x23655720U, 0x02092ac3U,
        0x62c00f3cU, 0x3e2dd797U, 0x3bfeb6a4U, 0x0adcf216U, 0x05b5b756U, 0x62efae83U};
    struct deal_stream stream = stream_of_vectors();
    for (size_t i = 0; i < sizeof WANT / sizeof WANT[0]; i++)
        ck_assert_uint_eq(deal_stream_below(&stream, UINT32_C(1) << 31), WANT[i]);
}
END_TEST

/* n = 3 * 2^30 throws a quarter of all words away. */
START_TEST(test_rejection)
{
    static const uint32_t WANT[] = {
        0x00792aeeU, 0x5060c6e5U, 0x93c0b6e6U, 0x9bcadd52U, 0x4089968eU, 0x300aac2eU, 0x0b037a07U,
        0x61c1ada3U, 0x52041d7aU, 0x691f79aeU, 0xa3655720U, 0x82092ac3U, 0x62c00f3cU, 0x3e2dd797U,
        0x3bfeb6a4U, 0x0adcf216U, 0x05b5b756U, 0xa099fb3cU, 0x2f3e4316U, 0x988965a5U};
    struct deal_stream stream = stream_of_vectors();
    for (size_t i = 0; i < sizeof WANT / sizeof WANT[0]; i++)
        ck_assert_uint_eq(deal_stream_below(&stream, UINT32_C(3) << 30), WANT[i]);
    ck_assert_uint_eq(deal_stream_below(&stream, 1), 0); /* takes a word nevertheless */
    ck_assert_uint_eq(deal_stream_below(&stream, 48), 26);
}
END_TEST

/* Every remainder of a die, within five sigma of its share. */
START_TEST(test_even)
{
    enum { THROWS = 60000, FACES = 6, SHARE = THROWS / FACES };
    unsigned counts[FACES] = {0};
    struct deal_stream stream = stream_of_vectors();
    for (int i = 0; i < THROWS; i++)
        counts[deal_stream_below(&stream, FACES)]++;
    for (int face = 0; face < FACES; face++) {
        ck_assert_uint_gt(counts[face], SHARE - 457);
        ck_assert_uint_lt(counts[face], SHARE + 457);
    }
}
END_TEST

Suite *deal_suite(void)
{
    Suite *suite = suite_create("deal");
    TCase *tests = tcase_create("deal");
    tcase_add_test(tests, test_commitment);
    tcase_add_test(tests, test_key);
    tcase_add_test(tests, test_key_of_many_seats);
    tcase_add_test(tests, test_key_of_totem);
    tcase_add_test(tests, test_stream_of_totem);
    tcase_add_test(tests, test_stream);
    tcase_add_test(tests, test_rejection);
    tcase_add_test(tests, test_even);
    suite_add_tcase(suite, tests);
    return suite;
}
