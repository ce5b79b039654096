/*
 * Each check of a registration and of an assertion, by a passkey in software: what is right is let
 * in, and of two faults the one that is looked for first is told.
 */
#include "../../support/soft_passkey.h"
#include "suites.h"
#include <protocol/json_read.h>
#include <stdio.h>
#include <string.h>
#include <webauthn/webauthn.h>

static const char RP[] = "taluva.example", ORIGIN[] = "https://taluva.example";
static const char *const origins[] = {"https://other.example", ORIGIN, NULL};
static const uint8_t challenge[32] = "a challenge of thirty-two bytes";

/* What is sent, and what it is held against. */
struct case_state {
    struct soft_passkey passkey;
    struct webauthn_known known;
    struct webauthn_party party;
    const char *type;
    struct webauthn_bytes user; /* `at` NULL: whose it is */
    bool nobody_named;
    void (*damage)(uint8_t *bytes, size_t *len); /* of the authenticator's data, or attestation */
    void (*damage_client)(uint8_t *bytes, size_t *len);
    bool damage_signature;
};

static uint8_t known_key[SOFT_KEY_BYTES];

static struct case_state begin_case(const char *type)
{
    struct case_state state = {.type = type};
    soft_passkey_init(&state.passkey, 1, RP, ORIGIN);
    state.party = (struct webauthn_party){RP, origins, {challenge, sizeof challenge}};
    memcpy(state.known.user, state.passkey.user, sizeof state.known.user);
    state.known.key = (struct webauthn_bytes){known_key, soft_key(&state.passkey, known_key)};
    return state;
}

static size_t make_client_data(const struct case_state *state, uint8_t *out)
{
    size_t len = soft_client_data(&state->passkey, state->type, challenge, sizeof challenge, out);
    if (state->damage_client)
        state->damage_client(out, &len);
    return len;
}

static enum webauthn_fault register_case(const struct case_state *state, struct webauthn_made *made)
{
    static uint8_t client[SOFT_BYTES_MAX], attestation[SOFT_BYTES_MAX];
    const size_t client_len = make_client_data(state, client);
    size_t len = soft_attestation(&state->passkey, attestation);
    if (state->damage)
        state->damage(attestation, &len);
    return webauthn_register(&state->party, (struct webauthn_bytes){client, client_len},
                             (struct webauthn_bytes){attestation, len}, made);
}

static struct webauthn_bytes named_user(const struct case_state *state)
{
    const struct webauthn_bytes nobody = {NULL, 0};
    const struct webauthn_bytes owner = {state->known.user, sizeof state->known.user};
    return state->nobody_named ? nobody : state->user.at ? state->user : owner;
}

static enum webauthn_fault verify_case(const struct case_state *state, struct webauthn_seen *seen)
{
    uint8_t client[SOFT_BYTES_MAX], data[2 * SOFT_BYTES_MAX], signature[SOFT_SIGNATURE_BYTES];
    const size_t client_len = make_client_data(state, client);
    size_t len = soft_authenticator(&state->passkey, data);
    if (state->damage)
        state->damage(data, &len);
    soft_sign(&state->passkey, data, len, client, client_len, signature);
    signature[0] ^= state->damage_signature;
    const struct webauthn_assertion assertion = {.user = named_user(state),
                                                 .client_data = {client, client_len},
                                                 .authenticator = {data, len},
                                                 .signature = {signature, sizeof signature}};
    return webauthn_verify(&state->party, &state->known, &assertion, seen);
}

/* ---- what is right */

START_TEST(a_new_one)
{
    struct case_state state = begin_case("webauthn.create");
    struct webauthn_made made;
    state.passkey.counter = 0x01020304;
    state.passkey.flags |= WEBAUTHN_CAN_BACK_UP | WEBAUTHN_BACKED_UP | WEBAUTHN_VERIFIED | 0x22;
    ck_assert_int_eq(register_case(&state, &made), WEBAUTHN_OK);
    ck_assert_uint_eq(made.id.len, state.passkey.id_len);
    ck_assert_mem_eq(made.id.at, state.passkey.id, made.id.len);
    ck_assert_uint_eq(made.key.len, sizeof known_key);
    ck_assert_mem_eq(made.key.at, known_key, sizeof known_key);
    ck_assert_int_eq(made.algorithm, WEBAUTHN_EDDSA);
    ck_assert_uint_eq(made.counter, 0x01020304);
    ck_assert_uint_eq(made.flags, 0x1d); /* what is reserved is not kept */
}
END_TEST

START_TEST(ids_of_all_lengths)
{
    struct webauthn_made made;
    for (size_t len = 0; len <= SOFT_ID_MAX; len++) {
        struct case_state state = begin_case("webauthn.create");
        state.passkey.id_len = len;
        ck_assert_int_eq(register_case(&state, &made),
                         len == 0 ? WEBAUTHN_BAD_AUTHENTICATOR : WEBAUTHN_OK);
    }
}
END_TEST

static const char *const fine[] = {
    "",
    ",\"crossOrigin\":false",
    ",\"crossOrigin\":false,\"new\":{\"of\":[1,2.5,null]},\"more\":true",
};

START_TEST(client_data_that_may_be)
{
    struct case_state state = begin_case("webauthn.get");
    struct webauthn_seen seen;
    state.passkey.more = fine[_i];
    ck_assert_int_eq(verify_case(&state, &seen), WEBAUTHN_OK);
    state.nobody_named = true;
    ck_assert_int_eq(verify_case(&state, &seen), WEBAUTHN_OK);
}
END_TEST

static const struct {
    uint32_t known, now;
    bool back;
} counters[] = {
    {0, 0, false}, {0, 1, false}, {1, 2, false}, {UINT32_MAX - 1, UINT32_MAX, false},
    {1, 1, true},  {2, 1, true},  {1, 0, true},  {UINT32_MAX, 0, true},
};

START_TEST(counters_go_up)
{
    struct case_state state = begin_case("webauthn.get");
    struct webauthn_seen seen;
    state.known.counter = counters[_i].known;
    state.passkey.counter = counters[_i].now;
    ck_assert_int_eq(verify_case(&state, &seen), WEBAUTHN_OK);
    ck_assert_uint_eq(seen.counter, counters[_i].now);
    ck_assert_int_eq(seen.counter_back, counters[_i].back);
}
END_TEST

START_TEST(what_it_says_of_itself_is_handed_out)
{
    struct case_state state = begin_case("webauthn.get");
    struct webauthn_seen seen;
    state.known.flags = WEBAUTHN_CAN_BACK_UP;
    state.passkey.flags |= WEBAUTHN_CAN_BACK_UP | WEBAUTHN_BACKED_UP | WEBAUTHN_VERIFIED;
    ck_assert_int_eq(verify_case(&state, &seen), WEBAUTHN_OK);
    ck_assert_uint_eq(seen.flags, 0x1d);
}
END_TEST

/* ---- what is wrong, of both */

static void cut_last(uint8_t *bytes, size_t *len)
{
    (void)bytes;
    --*len;
}

static void add_byte(uint8_t *bytes, size_t *len)
{
    bytes[(*len)++] = ' ';
}

static void add_garbage(uint8_t *bytes, size_t *len)
{
    bytes[(*len)++] = 'x';
}

static void make_empty(uint8_t *bytes, size_t *len)
{
    (void)bytes;
    *len = 0;
}

static void make_array(uint8_t *bytes, size_t *len)
{
    *len = (size_t)sprintf((char *)bytes, "[1]");
}

/* A member less. */
static void misname(uint8_t *bytes, size_t len, const char *name)
{
    for (size_t at = 0; at + strlen(name) <= len; at++) {
        if (memcmp(bytes + at, name, strlen(name)) == 0) {
            bytes[at] = 'X';
            return;
        }
    }
    ck_abort_msg("no %s", name);
}

static void lose_type(uint8_t *bytes, size_t *len)
{
    misname(bytes, *len, "type\"");
}

static void lose_challenge(uint8_t *bytes, size_t *len)
{
    misname(bytes, *len, "challenge\"");
}

static void lose_origin(uint8_t *bytes, size_t *len)
{
    misname(bytes, *len, "origin\"");
}

/* More than are kept: one of them could be there twice. */
static void add_members(uint8_t *bytes, size_t *len)
{
    size_t at = *len - 1;
    for (int i = 0; i < JSON_MEMBERS_MAX; i++)
        at += (size_t)sprintf((char *)bytes + at, ",\"m%d\":0", i);
    bytes[at] = '}';
    *len = at + 1;
}

struct fault_row {
    enum webauthn_fault fault;
    const char *type, *origin, *more, *rp_id;
    void (*damage_client)(uint8_t *bytes, size_t *len);
    bool other_challenge, short_challenge;
    uint8_t flags; /* instead; 0: as they are */
};

/* `type` NULL: the right one. */
static const struct fault_row faults[] = {
    {.fault = WEBAUTHN_BAD_CLIENT_DATA, .damage_client = cut_last},
    {.fault = WEBAUTHN_BAD_CLIENT_DATA, .damage_client = add_garbage},
    {.fault = WEBAUTHN_BAD_CLIENT_DATA, .damage_client = make_empty},
    {.fault = WEBAUTHN_BAD_CLIENT_DATA, .damage_client = make_array},
    {.fault = WEBAUTHN_BAD_CLIENT_DATA, .damage_client = lose_type},
    {.fault = WEBAUTHN_BAD_CLIENT_DATA, .damage_client = lose_challenge},
    {.fault = WEBAUTHN_BAD_CLIENT_DATA, .damage_client = lose_origin},
    {.fault = WEBAUTHN_BAD_CLIENT_DATA, .damage_client = add_members},
    {.fault = WEBAUTHN_BAD_CLIENT_DATA, .more = ",\"type\":\"webauthn.get\""},
    {.fault = WEBAUTHN_BAD_CLIENT_DATA, .more = ",\"origin\":\"https://taluva.example\""},
    {.fault = WEBAUTHN_BAD_CLIENT_DATA, .more = ",\"x\":[[[[1]]]]"},
    {.fault = WEBAUTHN_OTHER_TYPE, .type = "payment.get"},
    {.fault = WEBAUTHN_OTHER_TYPE, .type = ""},
    {.fault = WEBAUTHN_OTHER_TYPE, .type = "webauthn.", .other_challenge = true},
    {.fault = WEBAUTHN_OTHER_CHALLENGE, .other_challenge = true},
    {.fault = WEBAUTHN_OTHER_CHALLENGE, .short_challenge = true},
    {.fault = WEBAUTHN_OTHER_CHALLENGE, .other_challenge = true, .origin = "https://evil.example"},
    {.fault = WEBAUTHN_OTHER_ORIGIN, .origin = "https://evil.example"},
    {.fault = WEBAUTHN_OTHER_ORIGIN, .origin = "https://taluva.example.evil.example"},
    {.fault = WEBAUTHN_OTHER_ORIGIN, .origin = "https://taluva.example:8443"},
    {.fault = WEBAUTHN_OTHER_ORIGIN, .origin = "https://taluva.example/"},
    {.fault = WEBAUTHN_OTHER_ORIGIN, .origin = "https://TALUVA.example"},
    {.fault = WEBAUTHN_OTHER_ORIGIN, .origin = "https://www.taluva.example"},
    {.fault = WEBAUTHN_OTHER_ORIGIN, .origin = "http://taluva.example"},
    {.fault = WEBAUTHN_OTHER_ORIGIN, .origin = "null"},
    {.fault = WEBAUTHN_OTHER_ORIGIN, .origin = ""},
    {.fault = WEBAUTHN_OTHER_ORIGIN, .origin = "https://192.0.2.1", .rp_id = "192.0.2.1"},
    {.fault = WEBAUTHN_CROSS_ORIGIN, .more = ",\"crossOrigin\":true"},
    {.fault = WEBAUTHN_CROSS_ORIGIN, .more = ",\"crossOrigin\":\"false\""},
    {.fault = WEBAUTHN_CROSS_ORIGIN, .more = ",\"crossOrigin\":null"},
    {.fault = WEBAUTHN_CROSS_ORIGIN, .more = ",\"topOrigin\":\"https://taluva.example\""},
    {.fault = WEBAUTHN_CROSS_ORIGIN, .more = ",\"crossOrigin\":true", .rp_id = "evil.example"},
    {.fault = WEBAUTHN_OTHER_RP, .rp_id = "evil.example"},
    {.fault = WEBAUTHN_OTHER_RP, .rp_id = "192.0.2.1"},
    {.fault = WEBAUTHN_OTHER_RP, .rp_id = "example"},
    {.fault = WEBAUTHN_OTHER_RP, .rp_id = "https://taluva.example"},
    {.fault = WEBAUTHN_OTHER_RP, .rp_id = "evil.example", .flags = 4},
    {.fault = WEBAUTHN_NOBODY_PRESENT, .flags = 4},
    {.fault = WEBAUTHN_NOBODY_PRESENT, .flags = 4 | 16},
    {.fault = WEBAUTHN_BAD_BACKUP, .flags = 1 | 16},
};

static void set_up(struct case_state *state, const struct fault_row *row)
{
    static const uint8_t other[32] = "A challenge of thirty-two bytes";
    if (row->type)
        state->type = row->type;
    if (row->origin)
        state->passkey.origin = row->origin;
    if (row->more)
        state->passkey.more = row->more;
    if (row->rp_id)
        state->passkey.rp_id = row->rp_id;
    if (row->flags)
        state->passkey.flags = row->flags;
    if (row->other_challenge)
        state->party.challenge.at = other;
    if (row->short_challenge)
        state->party.challenge.len = 16;
    state->damage_client = row->damage_client;
}

START_TEST(faults_of_a_registration)
{
    struct case_state state = begin_case("webauthn.create");
    struct webauthn_made made;
    set_up(&state, &faults[_i]);
    ck_assert_int_eq(register_case(&state, &made), faults[_i].fault);
}
END_TEST

START_TEST(faults_of_an_assertion)
{
    struct case_state state = begin_case("webauthn.get");
    struct webauthn_seen seen;
    set_up(&state, &faults[_i]);
    ck_assert_int_eq(verify_case(&state, &seen), faults[_i].fault);
}
END_TEST

START_TEST(each_for_the_other)
{
    struct webauthn_made made;
    struct webauthn_seen seen;
    const struct case_state create = begin_case("webauthn.get");
    const struct case_state get = begin_case("webauthn.create");
    ck_assert_int_eq(register_case(&create, &made), WEBAUTHN_OTHER_TYPE);
    ck_assert_int_eq(verify_case(&get, &seen), WEBAUTHN_OTHER_TYPE);
}
END_TEST

START_TEST(client_data_that_is_too_long)
{
    static uint8_t text[WEBAUTHN_CLIENT_DATA_MAX + 1];
    struct case_state state = begin_case("webauthn.get");
    struct webauthn_made made;
    uint8_t attestation[SOFT_BYTES_MAX];
    size_t len =
        soft_client_data(&state.passkey, "webauthn.create", challenge, sizeof challenge, text);
    memset(text + len, ' ', sizeof text - len);
    const struct webauthn_bytes object = {attestation,
                                          soft_attestation(&state.passkey, attestation)};
    ck_assert_int_eq(webauthn_register(&state.party, (struct webauthn_bytes){text, sizeof text - 1},
                                       object, &made),
                     WEBAUTHN_OK);
    ck_assert_int_eq(
        webauthn_register(&state.party, (struct webauthn_bytes){text, sizeof text}, object, &made),
        WEBAUTHN_BAD_CLIENT_DATA);
}
END_TEST

/* ---- of a registration */

static void lose_format(uint8_t *bytes, size_t *len)
{
    misname(bytes, *len, "fmt");
}

static void lose_statement(uint8_t *bytes, size_t *len)
{
    misname(bytes, *len, "attStmt");
}

static void lose_data(uint8_t *bytes, size_t *len)
{
    misname(bytes, *len, "authData");
}

static void change_type_of_format(uint8_t *bytes, size_t *len)
{
    (void)len;
    bytes[5] = 0x44; /* "none" as bytes */
}

static void change_type_of_statement(uint8_t *bytes, size_t *len)
{
    (void)len;
    bytes[18] = 0x80;
}

START_TEST(attestation_that_is_none)
{
    static void (*const damages[])(uint8_t *, size_t *) = {cut_last,
                                                           add_byte,
                                                           make_empty,
                                                           make_array,
                                                           lose_format,
                                                           lose_statement,
                                                           lose_data,
                                                           change_type_of_format,
                                                           change_type_of_statement};
    struct case_state state = begin_case("webauthn.create");
    struct webauthn_made made;
    state.damage = damages[_i];
    ck_assert_int_eq(register_case(&state, &made), WEBAUTHN_BAD_ATTESTATION);
}
END_TEST

/* In what soft_attestation makes. */
enum { DATA_AT = 30, FLAGS_AT = DATA_AT + 32, ID_LEN_AT = DATA_AT + 37 + 16 };

static void lose_credential(uint8_t *bytes, size_t *len)
{
    (void)len;
    bytes[FLAGS_AT] &= 0xbf;
}

static void say_extensions(uint8_t *bytes, size_t *len)
{
    (void)len;
    bytes[FLAGS_AT] |= 0x80;
}

static void lengthen_id(uint8_t *bytes, size_t *len)
{
    (void)len;
    bytes[ID_LEN_AT] = 1;
}

static void lengthen_id_beyond(uint8_t *bytes, size_t *len)
{
    (void)len;
    bytes[ID_LEN_AT] = 0xff;
}

static void take_from_key(uint8_t *bytes, size_t *len)
{
    bytes[DATA_AT - 1] = 37 + 17; /* a byte short of an id's length */
    *len = DATA_AT + 37 + 17;
}

/* The data is longer by this. */
static void add_to_data(uint8_t *bytes, size_t *len, uint8_t byte)
{
    bytes[DATA_AT - 1]++;
    bytes[(*len)++] = byte;
}

static void add_behind_key(uint8_t *bytes, size_t *len)
{
    add_to_data(bytes, len, 0xa0);
}

static void add_extensions(uint8_t *bytes, size_t *len)
{
    say_extensions(bytes, len);
    add_to_data(bytes, len, 0xa0);
}

static void add_behind_extensions(uint8_t *bytes, size_t *len)
{
    add_extensions(bytes, len);
    add_to_data(bytes, len, 0);
}

static void add_extensions_that_are_none(uint8_t *bytes, size_t *len)
{
    say_extensions(bytes, len);
    add_to_data(bytes, len, 0x80);
}

static const struct {
    void (*damage)(uint8_t *bytes, size_t *len);
    enum webauthn_fault fault;
} damaged[] = {
    {lose_credential, WEBAUTHN_BAD_AUTHENTICATOR},
    {say_extensions, WEBAUTHN_BAD_AUTHENTICATOR},
    {lengthen_id, WEBAUTHN_BAD_AUTHENTICATOR},
    {lengthen_id_beyond, WEBAUTHN_BAD_AUTHENTICATOR},
    {take_from_key, WEBAUTHN_BAD_AUTHENTICATOR},
    {add_behind_key, WEBAUTHN_BAD_AUTHENTICATOR},
    {add_extensions, WEBAUTHN_OK},
    {add_behind_extensions, WEBAUTHN_BAD_AUTHENTICATOR},
    {add_extensions_that_are_none, WEBAUTHN_BAD_AUTHENTICATOR},
};

START_TEST(data_of_a_new_one_that_is_damaged)
{
    struct case_state state = begin_case("webauthn.create");
    struct webauthn_made made;
    state.damage = damaged[_i].damage;
    ck_assert_int_eq(register_case(&state, &made), damaged[_i].fault);
}
END_TEST

/* ---- of an assertion */

START_TEST(the_credential_of_somebody_else)
{
    struct webauthn_seen seen;
    uint8_t other[16];
    for (size_t at = 0; at < sizeof other; at++) {
        struct case_state state = begin_case("webauthn.create"); /* which comes later */
        memcpy(other, state.known.user, sizeof other);
        other[at] ^= 1;
        state.user = (struct webauthn_bytes){other, sizeof other};
        ck_assert_int_eq(verify_case(&state, &seen), WEBAUTHN_OTHER_USER);
    }
    struct case_state state = begin_case("webauthn.get");
    state.user = (struct webauthn_bytes){state.known.user, sizeof state.known.user - 1};
    ck_assert_int_eq(verify_case(&state, &seen), WEBAUTHN_OTHER_USER);
}
END_TEST

static void say_credential(uint8_t *bytes, size_t *len)
{
    (void)len;
    bytes[32] |= 0x40;
}

static void say_extensions_here(uint8_t *bytes, size_t *len)
{
    (void)len;
    bytes[32] |= 0x80;
}

static void add_extensions_here(uint8_t *bytes, size_t *len)
{
    say_extensions_here(bytes, len);
    bytes[(*len)++] = 0xa0;
}

static const struct {
    void (*damage)(uint8_t *bytes, size_t *len);
    enum webauthn_fault fault;
} damaged_here[] = {
    {cut_last, WEBAUTHN_BAD_AUTHENTICATOR},
    {add_byte, WEBAUTHN_BAD_AUTHENTICATOR},
    {make_empty, WEBAUTHN_BAD_AUTHENTICATOR},
    {say_credential, WEBAUTHN_BAD_AUTHENTICATOR},
    {say_extensions_here, WEBAUTHN_BAD_AUTHENTICATOR},
    {add_extensions_here, WEBAUTHN_OK},
};

START_TEST(data_that_is_damaged)
{
    struct case_state state = begin_case("webauthn.get");
    struct webauthn_seen seen;
    state.damage = damaged_here[_i].damage;
    ck_assert_int_eq(verify_case(&state, &seen), damaged_here[_i].fault);
}
END_TEST

START_TEST(what_can_be_backed_up_stays_so)
{
    struct case_state state = begin_case("webauthn.get");
    struct webauthn_seen seen;
    state.known.flags = WEBAUTHN_CAN_BACK_UP;
    ck_assert_int_eq(verify_case(&state, &seen), WEBAUTHN_BACKUP_CHANGED);
    state.known.flags = 0;
    state.passkey.flags |= WEBAUTHN_CAN_BACK_UP;
    state.damage_signature = true; /* which comes later */
    ck_assert_int_eq(verify_case(&state, &seen), WEBAUTHN_BACKUP_CHANGED);
}
END_TEST

START_TEST(another_signature)
{
    struct case_state state = begin_case("webauthn.get");
    struct webauthn_seen seen = {.counter = 7};
    state.damage_signature = true;
    ck_assert_int_eq(verify_case(&state, &seen), WEBAUTHN_BAD_SIGNATURE);
    ck_assert_uint_eq(seen.counter, 7);
}
END_TEST

START_TEST(each_fault_has_a_name)
{
    for (unsigned one = 0; one < WEBAUTHN_FAULTS; one++) {
        ck_assert_uint_gt(strlen(webauthn_fault_name(one)), 1);
        for (unsigned other = 0; other < one; other++)
            ck_assert_str_ne(webauthn_fault_name(one), webauthn_fault_name(other));
    }
}
END_TEST

#define ROWS(table) (int)(sizeof table / sizeof table[0])

Suite *checks_suite(void)
{
    Suite *suite = suite_create("checks");
    TCase *tcase = tcase_create("checks");
    tcase_add_test(tcase, a_new_one);
    tcase_add_test(tcase, ids_of_all_lengths);
    tcase_add_loop_test(tcase, client_data_that_may_be, 0, ROWS(fine));
    tcase_add_loop_test(tcase, counters_go_up, 0, ROWS(counters));
    tcase_add_test(tcase, what_it_says_of_itself_is_handed_out);
    tcase_add_loop_test(tcase, faults_of_a_registration, 0, ROWS(faults));
    tcase_add_loop_test(tcase, faults_of_an_assertion, 0, ROWS(faults));
    tcase_add_test(tcase, each_for_the_other);
    tcase_add_test(tcase, client_data_that_is_too_long);
    tcase_add_loop_test(tcase, attestation_that_is_none, 0, 9);
    tcase_add_loop_test(tcase, data_of_a_new_one_that_is_damaged, 0, ROWS(damaged));
    tcase_add_test(tcase, the_credential_of_somebody_else);
    tcase_add_loop_test(tcase, data_that_is_damaged, 0, ROWS(damaged_here));
    tcase_add_test(tcase, what_can_be_backed_up_stays_so);
    tcase_add_test(tcase, another_signature);
    tcase_add_test(tcase, each_fault_has_a_name);
    suite_add_tcase(suite, tcase);
    return suite;
}
