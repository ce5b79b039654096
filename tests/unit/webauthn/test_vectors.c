/*
 * The W3C's own test vectors (tests/vectors/webauthn): what is to be accepted is, and with any byte
 * of it changed it is refused; what was not asked for is refused for that reason.
 */
#include "../../support/source_file.h"
#include "suites.h"
#include <jansson.h>
#include <protocol/encoding.h>
#include <stdlib.h>
#include <string.h>
#include <webauthn/webauthn.h>

enum { BYTES_MAX = 2048, STEP = 7 };

struct vector_bytes {
    uint8_t bytes[BYTES_MAX];
    size_t len;
};

struct vector {
    struct vector_bytes challenge, id, client_data, attestation;
    struct vector_bytes again, client_data_again, authenticator, signature;
};

static const struct {
    const char *name;
    enum webauthn_fault made, proven;
} vectors[] = {
    {"none-es256", WEBAUTHN_OK, WEBAUTHN_OK},
    {"packed-self-es256", WEBAUTHN_OK, WEBAUTHN_OK},
    {"none-es256-crossOrigin", WEBAUTHN_CROSS_ORIGIN, WEBAUTHN_CROSS_ORIGIN},
    {"none-es256-topOrigin", WEBAUTHN_CROSS_ORIGIN, WEBAUTHN_CROSS_ORIGIN},
    {"none-es256-long-credential-id", WEBAUTHN_OK, WEBAUTHN_OK},
    {"packed-es256", WEBAUTHN_OK, WEBAUTHN_OK},
    {"packed-es384", WEBAUTHN_OTHER_ALGORITHM, WEBAUTHN_OK},
    {"packed-es512", WEBAUTHN_OTHER_ALGORITHM, WEBAUTHN_OK},
    {"packed-rs256", WEBAUTHN_OK, WEBAUTHN_OK},
    {"packed-eddsa", WEBAUTHN_OK, WEBAUTHN_OK},
    {"packed-ed448", WEBAUTHN_OTHER_ALGORITHM, WEBAUTHN_OK},
    {"tpm-es256", WEBAUTHN_OK, WEBAUTHN_OK},
    {"android-key-es256", WEBAUTHN_OK, WEBAUTHN_OK},
    {"apple-es256", WEBAUTHN_OK, WEBAUTHN_OK},
    {"fido-u2f-es256", WEBAUTHN_OK, WEBAUTHN_OK},
};

enum { VECTORS = sizeof vectors / sizeof vectors[0] };

static void take(const json_t *from, const char *name, struct vector_bytes *bytes)
{
    const json_t *hex = json_object_get(from, name);
    ck_assert(json_is_string(hex));
    bytes->len = json_string_length(hex) / 2;
    ck_assert_uint_le(bytes->len, BYTES_MAX);
    ck_assert(hex_decode(bytes->bytes, bytes->len, json_string_value(hex), 2 * bytes->len));
}

static void load(int number, struct vector *vector)
{
    char path[4096];
    json_error_t error;
    source_file_path(path, sizeof path, "tests/vectors/webauthn/vectors.json");
    json_t *all = json_load_file(path, 0, &error);
    ck_assert_uint_eq(json_array_size(all), VECTORS);
    const json_t *one = json_array_get(all, (size_t)number);
    ck_assert_str_eq(json_string_value(json_object_get(one, "name")), vectors[number].name);
    const json_t *made = json_object_get(one, "registration");
    const json_t *proven = json_object_get(one, "authentication");
    take(made, "challenge", &vector->challenge);
    take(made, "credential_id", &vector->id);
    take(made, "clientDataJSON", &vector->client_data);
    take(made, "attestationObject", &vector->attestation);
    take(proven, "challenge", &vector->again);
    take(proven, "clientDataJSON", &vector->client_data_again);
    take(proven, "authenticatorData", &vector->authenticator);
    take(proven, "signature", &vector->signature);
    json_decref(all);
}

static struct webauthn_bytes bytes_of(const struct vector_bytes *bytes)
{
    return (struct webauthn_bytes){bytes->bytes, bytes->len};
}

static const char *const origins[] = {"https://example.org", NULL};

static enum webauthn_fault make(const struct vector *vector, struct webauthn_made *made)
{
    const struct webauthn_party party = {"example.org", origins, bytes_of(&vector->challenge)};
    return webauthn_register(&party, bytes_of(&vector->client_data), bytes_of(&vector->attestation),
                             made);
}

static enum webauthn_fault prove(const struct vector *vector, const struct webauthn_made *made)
{
    struct webauthn_seen seen;
    const struct webauthn_party party = {"example.org", origins, bytes_of(&vector->again)};
    const struct webauthn_known known = {.key = made->key, .flags = made->flags};
    const struct webauthn_assertion assertion = {.client_data =
                                                     bytes_of(&vector->client_data_again),
                                                 .authenticator = bytes_of(&vector->authenticator),
                                                 .signature = bytes_of(&vector->signature)};
    return webauthn_verify(&party, &known, &assertion, &seen);
}

START_TEST(each_vector)
{
    struct vector vector;
    struct webauthn_made made;
    load(_i, &vector);
    ck_assert_str_eq(webauthn_fault_name(make(&vector, &made)),
                     webauthn_fault_name(vectors[_i].made));
    if (vectors[_i].made != WEBAUTHN_OK)
        return;
    ck_assert_uint_eq(made.id.len, vector.id.len);
    ck_assert_mem_eq(made.id.at, vector.id.bytes, vector.id.len);
    ck_assert_str_eq(webauthn_fault_name(prove(&vector, &made)),
                     webauthn_fault_name(vectors[_i].proven));
}
END_TEST

/* Those with another page around them have keys and signatures as good as the others. */
START_TEST(what_is_proven_of_another_page)
{
    struct vector vector, plain;
    struct webauthn_made made;
    load(_i, &vector);
    load(0, &plain);
    ck_assert_int_eq(make(&plain, &made), WEBAUTHN_OK);
    ck_assert_int_eq(prove(&vector, &made), WEBAUTHN_CROSS_ORIGIN);
}
END_TEST

/* The flags and the counter of a known credential are not what is signed. */
START_TEST(a_byte_of_a_proof_is_another)
{
    struct vector vector;
    struct webauthn_made made;
    struct vector_bytes *parts[] = {&vector.again, &vector.client_data_again, &vector.authenticator,
                                    &vector.signature};
    load(_i, &vector);
    if (make(&vector, &made) != WEBAUTHN_OK)
        return;
    for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++) {
        for (size_t at = 0; at < parts[part]->len; at += part == 2 ? 1 : STEP) {
            parts[part]->bytes[at] ^= 0x20;
            const enum webauthn_fault fault = prove(&vector, &made);
            parts[part]->bytes[at] ^= 0x20;
            ck_assert_int_ne(fault, WEBAUTHN_OK);
            ck_assert_int_ne(fault, WEBAUTHN_NO_MEMORY);
        }
    }
    ck_assert_int_eq(prove(&vector, &made), WEBAUTHN_OK);
}
END_TEST

/* Nothing shorter is a proof. */
START_TEST(a_proof_is_cut_off)
{
    struct vector vector;
    struct webauthn_made made;
    struct vector_bytes *parts[] = {&vector.again, &vector.client_data_again, &vector.authenticator,
                                    &vector.signature};
    load(_i, &vector);
    if (make(&vector, &made) != WEBAUTHN_OK)
        return;
    for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++) {
        const size_t whole = parts[part]->len;
        for (size_t len = 0; len < whole; len += STEP) {
            parts[part]->len = len;
            ck_assert_int_ne(prove(&vector, &made), WEBAUTHN_OK);
        }
        parts[part]->len = whole;
    }
}
END_TEST

START_TEST(an_attestation_is_cut_off)
{
    struct vector vector;
    struct webauthn_made made;
    load(_i, &vector);
    for (; vector.attestation.len > 0; vector.attestation.len--) {
        uint8_t *copy = malloc(vector.attestation.len); /* for sanitizers */
        memcpy(copy, vector.attestation.bytes, vector.attestation.len);
        const struct webauthn_party party = {"example.org", origins, bytes_of(&vector.challenge)};
        const enum webauthn_fault fault =
            webauthn_register(&party, bytes_of(&vector.client_data),
                              (struct webauthn_bytes){copy, vector.attestation.len - 1}, &made);
        free(copy);
        ck_assert_int_ne(fault, WEBAUTHN_OK);
    }
}
END_TEST

Suite *vectors_suite(void)
{
    Suite *suite = suite_create("vectors");
    TCase *tcase = tcase_create("vectors");
    tcase_add_loop_test(tcase, each_vector, 0, VECTORS);
    tcase_add_loop_test(tcase, what_is_proven_of_another_page, 2, 4);
    tcase_add_loop_test(tcase, a_byte_of_a_proof_is_another, 0, VECTORS);
    tcase_add_loop_test(tcase, a_proof_is_cut_off, 0, VECTORS);
    tcase_add_loop_test(tcase, an_attestation_is_cut_off, 0, VECTORS);
    suite_add_tcase(suite, tcase);
    return suite;
}
