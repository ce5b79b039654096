/*
 * The document of a site's keys: what it says, what is sealed in it, and that nothing of it can be
 * changed.
 */
#include "cases.h"
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <store/site_keys.h>
#include <string.h>

enum { NOW_S = 1790000000 };

static struct site_keys keys;
static uint8_t key[SITE_KEY_BYTES], nonce[SITE_KEYS_NONCE_BYTES];
static char text[SITE_KEYS_TEXT_MAX];

/* Keys that follow from these numbers: the one in use, and one before it. */
static void make_keys(bool push)
{
    uint8_t seed[SIGNING_SEED_BYTES], old[SIGNING_SEED_BYTES];
    struct record_signer before;
    memset(seed, 1, sizeof seed);
    memset(old, 2, sizeof old);
    memset(&keys, 0, sizeof keys);
    record_signer_init(&before, old, NOW_S - 100);
    record_signer_init(&keys.signer, seed, NOW_S);
    before.keys.list[0].until_s = NOW_S;
    keys.signer.keys.list[1] = before.keys.list[0];
    keys.signer.keys.count = 2;
    keys.has_push = push;
    memset(keys.push, push ? 3 : 0, sizeof keys.push);
    memset(key, 4, sizeof key);
    memset(nonce, 5, sizeof nonce);
}

static size_t seal(void)
{
    return site_keys_seal(text, &keys, key, nonce);
}

static bool unseal(size_t len)
{
    memset(&keys, 0, sizeof keys);
    return site_keys_unseal(&keys, text, len, key);
}

START_TEST(what_is_sealed_is_opened)
{
    make_keys(_i == 1);
    const struct site_keys made = keys;
    const size_t len = seal();
    ck_assert_ptr_null(strstr(text, "secret"));
    ck_assert(unseal(len));
    ck_assert_mem_eq(&keys.signer.secret, &made.signer.secret, sizeof made.signer.secret);
    ck_assert_uint_eq(keys.signer.keys.count, 2);
    ck_assert_str_eq(keys.signer.keys.list[1].id, made.signer.keys.list[1].id);
    ck_assert_int_eq(keys.signer.keys.list[1].until_s, NOW_S);
    ck_assert_int_eq(keys.has_push, _i == 1);
    ck_assert_mem_eq(keys.push, made.push, sizeof made.push);
}
END_TEST

/* Opened with another library too: HChaCha20 and ChaCha20-Poly1305 of OpenSSL. */
static const char vector[] =
    "taluva-site-keys 1\n"
    "signing UDDReOZl1ipXAfp9wYsm13sDBMK5og--QWdBjzuf6o4\n"
    "signing aVBtapLd11SUVKIMGJfPzOEDuN0sXcmzJQNVT-_sKEU\n"
    "push c19765e131240760750a0a54cd3227ef\n"
    "sealed "
    "AQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBaV3fl2x-1cH-fI6hOjuOPuvGmtXgJ4lhcdX5SO2BO5Nt_56"
    "Go8UPnAM95w1ARIjzDzXg0H50Wp6tt6_yZseYaA5g3TYD_SdVi0f99k3pgxQvhJf3VhNy92LHSSi-hxl"
    "3kRpLNPpqyMv5dcbZH-uZvtUEDRwVBt-m2XkMuA_2gsvgfMEmPNGCiEa6etK2U-sf6wOasS0eBh5Xw2g"
    "k6gS2AlnZTw3vkSSkI1cXmti2lN4XlWa4CgHl2z0ZCTze9GBKnmCXjaI2u8kYBQ6WqOjr_4ueInKh06w"
    "1Fa9W_z3JovQAJQGVQlSbtJDQQx5hjAYZVe49MZPDmvO0wFp7mPyqx0OVCFep5byXpUzGq1ZyUkNvvCf"
    "rU4V3eRcu2YL8IQ0kiDf4K1Em1CdiSusodNvqlSiQb7ghGH_OSSkoDHxx5PBD5lc_fnyPtjxaQdKOYtJ"
    "R48-lQTVcvLwCfl-AWi1ikKGqosC6Pi1VdwPwItWurJqOZJ2MfGuOp4fqQsKbWfWXMVzrg7Iz9DDgJFh"
    "I0FKgDftBwI"
    "\nend\n";

/* A later program has to read what this one has written. */
START_TEST(a_text_is_as_it_was)
{
    make_keys(true);
    const size_t len = seal();
    ck_assert_str_eq(text, vector);
    ck_assert_uint_eq(len, sizeof vector - 1);
    ck_assert(site_keys_unseal(&keys, vector, sizeof vector - 1, key));
}
END_TEST

START_TEST(nothing_of_it_can_be_changed)
{
    make_keys(true);
    const size_t len = seal();
    char whole[SITE_KEYS_TEXT_MAX];
    memcpy(whole, text, len);
    for (size_t at = 0; at < len; at++) {
        text[at] ^= 1;
        ck_assert_msg(!unseal(len), "byte %zu", at);
        ck_assert(sodium_is_zero((const uint8_t *)&keys, sizeof keys));
        text[at] = whole[at];
        if (at > 0)
            ck_assert_msg(!unseal(at), "cut at %zu", at);
    }
    ck_assert(unseal(len));
    key[31] ^= 1;
    ck_assert(!unseal(len));
}
END_TEST

static const struct {
    const char *text;
    bool good;
} heads[] = {
    {"", true},
    {"taluva-site-keys 1\nsigning 0123456789012345678901234567890123456789012\nend\n", true},
    {"taluva-site-keys 1\nsigning 0123456789012345678901234567890123456789012\n"
     "push 01234567890123456789012345678901\nend\n",
     true},
    {"taluva-site-keys 1\nsigning 0123456789012345678901234567890123456789012\nend", false},
    {"taluva-site-keys 1\nsigning 0123456789012345678901234567890123456789012\n", false},
    {"taluva-site-keys 1\nsigning 0123456789012345678901234567890123456789012\nend\nend\n", false},
    {"taluva-site-keys 2\nsigning 0123456789012345678901234567890123456789012\nend\n", false},
    {"taluva-site-keys 1\nsigning 012345678901234567890123456789012345678901\nend\n", false},
    {"taluva-site-keys 1\nsigning 01234567890123456789012345678901234567890123\nend\n", false},
    {"taluva-site-keys 1\nsigning 0123456789012345678901234567890123456789012\nsealed \nend\n",
     false},
    {"taluva-site-keys 1\nend\n", false},
    {"taluva-site-keys 1\npush 01234567890123456789012345678901\nend\n", false},
    {"what?", false},
};

START_TEST(a_head_is_read_strictly)
{
    struct site_keys_head head;
    ck_assert_int_eq(site_keys_read(&head, heads[_i].text, strlen(heads[_i].text)), heads[_i].good);
}
END_TEST

START_TEST(no_more_keys_than_there_may_be)
{
    static const char line[] = "signing 0123456789012345678901234567890123456789012\n";
    struct site_keys_head head;
    for (size_t count = KEYS_MAX; count <= KEYS_MAX + 1; count++) {
        size_t len = (size_t)sprintf(text, "taluva-site-keys 1\n");
        for (size_t at = 0; at < count; at++)
            len += (size_t)sprintf(text + len, "%s", line);
        len += (size_t)sprintf(text + len, "end\n");
        ck_assert_int_eq(site_keys_read(&head, text, len), count == KEYS_MAX);
    }
}
END_TEST

/* A head of keys by their first letters, the one in use first. */
static struct site_keys_head head_of(const char *ids)
{
    struct site_keys_head head = {.count = strlen(ids)};
    for (size_t at = 0; at < head.count; at++)
        head.signing[at][0] = ids[at];
    return head;
}

static const struct {
    const char *own, *document;
    enum site_keys_match match;
} matches[] = {
    {"a", "a", SITE_KEYS_SAME},    {"ba", "b", SITE_KEYS_SAME},  {"ba", "a", SITE_KEYS_NEWER},
    {"cba", "a", SITE_KEYS_NEWER}, {"a", "ba", SITE_KEYS_OLDER}, {"a", "b", SITE_KEYS_OTHER},
    {"ca", "ba", SITE_KEYS_OTHER},
};

START_TEST(own_keys_are_compared)
{
    const struct site_keys_head own = head_of(matches[_i].own),
                                other = head_of(matches[_i].document);
    ck_assert_int_eq(site_keys_compare(&own, &other), matches[_i].match);
}
END_TEST

START_TEST(a_key_that_seals_is_read)
{
    char digits[80];
    memset(digits, 'a', sizeof digits);
    ck_assert(site_key_read(key, digits, 64));
    ck_assert_uint_eq(key[31], 0xaa);
    ck_assert(!site_key_read(key, digits, 63));
    ck_assert(!site_key_read(key, digits, 65));
    digits[64] = '\n';
    ck_assert(site_key_read(key, digits, 65));
    digits[65] = '\n';
    ck_assert(!site_key_read(key, digits, 66));
    digits[10] = 'x';
    ck_assert(!site_key_read(key, digits, 64));
    ck_assert(sodium_is_zero(key, sizeof key));
}
END_TEST

void add_site_keys_tests(TCase *tests)
{
    tcase_add_loop_test(tests, what_is_sealed_is_opened, 0, 2);
    tcase_add_test(tests, a_text_is_as_it_was);
    tcase_add_test(tests, nothing_of_it_can_be_changed);
    tcase_add_loop_test(tests, a_head_is_read_strictly, 0, sizeof heads / sizeof heads[0]);
    tcase_add_test(tests, no_more_keys_than_there_may_be);
    tcase_add_loop_test(tests, own_keys_are_compared, 0, sizeof matches / sizeof matches[0]);
    tcase_add_test(tests, a_key_that_seals_is_read);
}
