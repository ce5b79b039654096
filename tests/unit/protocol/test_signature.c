/*
 * A record that a server has signed: what is signed to the byte, each line of it changed, and what
 * may be added.
 */
#include "suites.h"
#include <protocol/signature.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_A "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
#define HASH_B "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

static const char HEAD[] = "[Format \"taluva-record 1\"]\n"
                           "[Server \"taluvad 1.0.0\"]\n"
                           "[Room \"k3m9x0aq\"]\n"
                           "[Game \"taluva\"]\n"
                           "[Title \"Friday\"]\n"
                           "[Start \"2026-02-28T23:59:59.999Z\"]\n"
                           "[End \"2026-03-01T00:00:00.000Z\"]\n"
                           "[Clock \"move move_s=60 on_timeout=eliminate\"]\n"
                           "[Option.tiles \"48\"]\n"
                           "[Seat.0.name \"Ana\"]\n"
                           "[Seat.0.nonce \"\"]\n"
                           "[Seat.1.name \"Bo\"]\n"
                           "[Commitment \"" HASH_A "\"]\n"
                           "[Secret \"" HASH_B "\"]\n"
                           "[Deal.first \"0\"]\n"
                           "[Result.why \"last-standing\"]\n"
                           "[Result.winners \"0\"]\n";
static const char BODY[] = "\n"
                           "1. 0 JC@0,0:0 hut@1,0 {12.345}\n"
                           "2. 1 LS@2,-1:4 hut@3,-1 {0.007}\n"
                           "- paused\n"
                           "- resumed\n"
                           "- 0 hinted\n"
                           "3. 0 RR@-1,0:3 none\n"
                           "- 1 replaced\n"
                           "- 1 returned\n"
                           "- 0 timed_out\n"
                           "- 1 resigned\n"
                           "- called_off\n";
enum { END_S = 1772323200, SPACE = 8192 };

/* The secret key of RFC 8037, appendix A. */
static const char SEED[] = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
#define KID "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"

static struct record_signer signer;
static char text[SPACE]; /* signed */
static size_t line_at, line_len;

static void parse(struct record *record, const char *bytes)
{
    struct record_problem problem;
    ck_assert_msg(record_parse(record, bytes, strlen(bytes), &problem), "%zu: %s\n%s", problem.line,
                  problem.message, bytes);
}

static void set_up(void)
{
    uint8_t seed[SIGNING_SEED_BYTES];
    char plain[SPACE], value[RECORD_SIGNATURE_BYTES + 1];
    struct record record;
    ck_assert_uint_eq(strlen(SEED), 2 * sizeof seed);
    ck_assert_int_eq(sodium_hex2bin(seed, sizeof seed, SEED, strlen(SEED), NULL, NULL, NULL), 0);
    record_signer_init(&signer, seed, END_S - 100);
    (void)snprintf(plain, sizeof plain, "%s%s", HEAD, BODY);
    parse(&record, plain);
    ck_assert(record_sign(&record, &signer, value));
    record_release(&record);
    ck_assert_uint_eq(strlen(value), RECORD_SIGNATURE_BYTES);
    line_at = strlen(HEAD);
    line_len =
        (size_t)snprintf(text, sizeof text, "%s[Result.signature \"%s\"]\n", HEAD, value) - line_at;
    strcat(text, BODY);
}

static enum record_signature check(const char *bytes)
{
    struct record record;
    char id[KEY_ID_BYTES + 1];
    parse(&record, bytes);
    enum record_signature found = record_check_signature(&record, &signer.keys, id);
    record_release(&record);
    return found;
}

/* libsodium's own reading of RFC 8032, through the example of RFC 8037, appendix A.4. */
START_TEST(test_rfc8037)
{
    static const char MESSAGE[] = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc";
    uint8_t signature[crypto_sign_BYTES];
    char encoded[SIGNATURE_TEXT_BYTES + 1];
    crypto_sign_detached(signature, NULL, (const unsigned char *)MESSAGE, strlen(MESSAGE),
                         signer.secret);
    sodium_bin2base64(encoded, sizeof encoded, signature, sizeof signature,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    ck_assert_str_eq(encoded, "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhV"
                              "sPt9g7sVvpAr_MuM0KAg");
    ck_assert_uint_eq(signer.keys.count, 1);
    ck_assert_str_eq(signer.keys.list[0].id, KID);
    ck_assert_int_eq(signer.keys.list[0].from_s, END_S - 100);
}
END_TEST

/* As protocol/record.md says it, so that other programs can check it. */
START_TEST(test_signed_bytes)
{
    char message[SPACE];
    uint8_t signature[crypto_sign_BYTES];
    size_t len = 0;
    const char *value = text + line_at + strlen("[Result.signature \"");
    (void)snprintf(message, sizeof message, "taluva-record-signature 1\n%s%s", HEAD, BODY);
    ck_assert_int_eq(strncmp(value, KID " ", KEY_ID_BYTES + 1), 0);
    ck_assert_int_eq(sodium_base642bin(signature, sizeof signature, value + KEY_ID_BYTES + 1,
                                       SIGNATURE_TEXT_BYTES, NULL, &len, NULL,
                                       sodium_base64_VARIANT_URLSAFE_NO_PADDING),
                     0);
    ck_assert_uint_eq(len, sizeof signature);
    ck_assert_int_eq(crypto_sign_verify_detached(signature, (unsigned char *)message,
                                                 strlen(message), signer.keys.list[0].bytes),
                     0);
    ck_assert_int_eq(check(text), RECORD_SIGNED);
}
END_TEST

/* `bytes` with another line in place of each in turn; what can be parsed must be refused. */
static unsigned try_line(const char *at, size_t len, const char *instead, size_t instead_len)
{
    static char changed[2 * SPACE];
    struct record record;
    struct record_problem problem;
    char id[KEY_ID_BYTES + 1];
    size_t before = (size_t)(at - text);
    memcpy(changed, text, before);
    memcpy(changed + before, instead, instead_len);
    strcpy(changed + before + instead_len, at + len);
    if (strcmp(changed, text) == 0 || !record_parse(&record, changed, strlen(changed), &problem))
        return 0;
    enum record_signature found = record_check_signature(&record, &signer.keys, id);
    ck_assert_msg(found != RECORD_SIGNED, "this is signed:\n%s", changed);
    record_release(&record);
    return 1;
}

static unsigned try_line_changes(const char *at, size_t len)
{
    char line[512];
    unsigned tried = try_line(at, len, "", 0);
    size_t next = strcspn(at + len, "\n") + 1;
    ck_assert_uint_lt(2 * (len + next), sizeof line);
    if (at[len]) {
        memcpy(line, at + len, next);
        memcpy(line + next, at, len);
        tried += try_line(at, len + next, line, len + next);
    }
    for (size_t i = 0; i < len - 1; i++) {
        for (const char *other = "09azAZ_- \""; *other; other++) {
            memcpy(line, at, len);
            line[i] = *other;
            tried += try_line(at, len, line, len);
        }
    }
    return tried;
}

START_TEST(test_changed_lines)
{
    unsigned tried = 0;
    for (const char *at = text; *at;) {
        size_t len = strcspn(at, "\n") + 1;
        tried += try_line_changes(at, len);
        at += len;
    }
    ck_assert_uint_gt(tried, 2000);
}
END_TEST

/* What is added: results behind the signature, and other words beside the turns. */
static const struct {
    const char *behind, *added; /* a line of its own behind this text */
    enum record_signature found;
} ADDED[] = {
    {NULL, "[Result.analysis \"400\"]\n", RECORD_SIGNED},
    {NULL, "[Result.analysis \"400\"]\n[Result.mine \"\"]\n", RECORD_SIGNED},
    {"hut@1,0 {12.345}\n", "- 0 blunder\n", RECORD_SIGNED},
    {"- called_off\n", "- 1 good\n", RECORD_SIGNED},
    {"- called_off\n", "- applause\n", RECORD_SIGNED},
    {"[Result.winners \"0\"]\n", "[Result.analysis \"400\"]\n", RECORD_SIGNATURE_FALSE},
    {"[Deal.first \"0\"]\n", "[Deal.analysis \"400\"]\n", RECORD_SIGNATURE_FALSE},
    {"hut@1,0 {12.345}\n", "- 0 resigned\n", RECORD_SIGNATURE_FALSE},
    {"- called_off\n", "- called_off\n", RECORD_SIGNATURE_FALSE},
    {"- called_off\n", "- 0 hinted\n", RECORD_SIGNATURE_FALSE},
};

START_TEST(test_added)
{
    char more[SPACE];
    const char *behind = ADDED[_i].behind;
    const char *at = behind ? strstr(text, behind) + strlen(behind) : text + line_at + line_len;
    (void)snprintf(more, sizeof more, "%.*s%s%s", (int)(at - text), text, ADDED[_i].added, at);
    ck_assert_int_eq(check(more), ADDED[_i].found);
}
END_TEST

/* A signature that is none. */
static const char *const VALUES[] = {
    "",
    "x",
    KID,
    KID " ",
    " " KID,
    KID " hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KA",
    KID " hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAh",
    KID " AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    KID "_hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
};

START_TEST(test_bad_value)
{
    char other[SPACE];
    (void)snprintf(other, sizeof other, "%s[Result.signature \"%s\"]\n%s", HEAD, VALUES[_i], BODY);
    ck_assert_int_eq(check(other), RECORD_SIGNATURE_FALSE);
}
END_TEST

START_TEST(test_without)
{
    char plain[SPACE];
    (void)snprintf(plain, sizeof plain, "%s%s", HEAD, BODY);
    ck_assert_int_eq(check(plain), RECORD_NOT_SIGNED);
}
END_TEST

START_TEST(test_other_keys)
{
    uint8_t other[KEY_BYTES] = {1};
    struct record record;
    char id[KEY_ID_BYTES + 1];
    public_key_init(&signer.keys.list[0], other, 1);
    parse(&record, text);
    ck_assert_int_eq(record_check_signature(&record, &signer.keys, id), RECORD_SIGNED_BY_OTHER);
    ck_assert_str_eq(id, KID);
    signer.keys.count = 0;
    ck_assert_int_eq(record_check_signature(&record, &signer.keys, id), RECORD_SIGNED_BY_OTHER);
    record_release(&record);
}
END_TEST

/* Who has got hold of an earlier key cannot sign later matches with it. */
START_TEST(test_earlier_key)
{
    signer.keys.list[0].until_s = END_S;
    ck_assert_int_eq(check(text), RECORD_SIGNED);
    signer.keys.list[0].until_s = END_S - 1;
    ck_assert_int_eq(check(text), RECORD_SIGNED_TOO_LATE);
    signer.keys.list[0].bytes[0] ^= 1;
    ck_assert_int_eq(check(text), RECORD_SIGNATURE_FALSE);
}
END_TEST

/* Of a match that is not over there is nothing to sign. */
START_TEST(test_not_over)
{
    struct record record;
    char value[RECORD_SIGNATURE_BYTES + 1], id[KEY_ID_BYTES + 1];
    parse(&record, text);
    struct record_pair result[3] = {record.result[0], record.result[1]};
    record.end_ms = RECORD_NO_TIME;
    record.result = result;
    record.result_count = 2;
    ck_assert(record_sign(&record, &signer, value));
    result[2] = (struct record_pair){RECORD_SIGNATURE_NAME, value};
    record.result_count = 3;
    ck_assert_int_eq(record_check_signature(&record, &signer.keys, id), RECORD_SIGNATURE_FALSE);
    record_release(&record);
}
END_TEST

/* ---- the core hash */

static void core_of(const char *bytes, uint8_t hash[static RECORD_CORE_BYTES])
{
    struct record record;
    parse(&record, bytes);
    ck_assert(record_core_hash(&record, hash));
    record_release(&record);
}

/* The bytes are what the protocol says. */
START_TEST(test_core_of_these_bytes)
{
    static const char first[] = "taluva-record-core 1\n";
    static const char *const left_out[] = {"[Server ", "[Title ", "[Seat.0.name ", "[Seat.1.name "};
    char core[SPACE] = "", plain[SPACE];
    uint8_t hash[RECORD_CORE_BYTES], expected[crypto_hash_sha256_BYTES];
    (void)snprintf(plain, sizeof plain, "%s%s", HEAD, BODY);
    strcat(core, first);
    for (const char *at = plain, *stop; *at; at = stop) {
        bool kept = true;
        stop = strchr(at, '\n') + 1;
        for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; i++)
            kept = kept && strncmp(at, left_out[i], strlen(left_out[i])) != 0;
        if (kept)
            strncat(core, at, (size_t)(stop - at));
    }
    crypto_hash_sha256(expected, (const unsigned char *)core, strlen(core));
    core_of(plain, hash);
    ck_assert_mem_eq(hash, expected, sizeof hash);
    core_of(text, hash); /* signed */
    ck_assert_mem_eq(hash, expected, sizeof hash);
}
END_TEST

static const struct {
    const char *from, *to;
    bool same;
} renamed[] = {
    {"\"Ana\"", "\"deleted\"", true},
    {"\"Bo\"", "\"[Seat.0.colour \\\"red\\\"]\"", true},
    {"\"taluvad 1.0.0\"", "\"taluvad 2.0.0\"", true},
    {"[Title \"Friday\"]\n", "", true},
    {"[Seat.0.nonce \"\"]", "[Seat.0.nonce \"9f86d081884c7d659a2feaa0c55ad015\"]", false},
    {"hut@1,0", "hut@1,1", false},
    {"- 1 resigned\n", "", false},
    {"[Result.winners \"0\"]", "[Result.winners \"1\"]", false},
    {"k3m9x0aq", "k3m9x0ar", false},
};

START_TEST(test_core_under_other_names)
{
    char plain[SPACE], other[SPACE];
    uint8_t hash[RECORD_CORE_BYTES], found[RECORD_CORE_BYTES];
    (void)snprintf(plain, sizeof plain, "%s%s", HEAD, BODY);
    const char *at = strstr(plain, renamed[_i].from);
    ck_assert_ptr_nonnull(at);
    (void)snprintf(other, sizeof other, "%.*s%s%s", (int)(at - plain), plain, renamed[_i].to,
                   at + strlen(renamed[_i].from));
    core_of(plain, hash);
    core_of(other, found);
    ck_assert((memcmp(hash, found, sizeof hash) == 0) == renamed[_i].same);
}
END_TEST

Suite *signature_suite(void)
{
    Suite *suite = suite_create("signature");
    TCase *tests = tcase_create("signature");
    tcase_add_checked_fixture(tests, set_up, NULL);
    tcase_add_test(tests, test_rfc8037);
    tcase_add_test(tests, test_signed_bytes);
    tcase_add_test(tests, test_changed_lines);
    tcase_add_loop_test(tests, test_added, 0, sizeof ADDED / sizeof ADDED[0]);
    tcase_add_loop_test(tests, test_bad_value, 0, sizeof VALUES / sizeof VALUES[0]);
    tcase_add_test(tests, test_without);
    tcase_add_test(tests, test_other_keys);
    tcase_add_test(tests, test_earlier_key);
    tcase_add_test(tests, test_not_over);
    TCase *core = tcase_create("core hash");
    tcase_add_checked_fixture(core, set_up, NULL);
    tcase_add_test(core, test_core_of_these_bytes);
    tcase_add_loop_test(core, test_core_under_other_names, 0,
                        (int)(sizeof renamed / sizeof renamed[0]));
    suite_add_tcase(suite, core);
    suite_add_tcase(suite, tests);
    return suite;
}
