/*
 * Passkeys in a site: somebody enters at any node, whichever part is their home; and a challenge is
 * good once, whichever part checks what answers it.
 */
#include "../../support/soft_passkey.h"
#include "nodes.h"
#include "suites.h"
#include <check.h>
#include <sodium.h>
#include <string.h>

enum { VARIANT = sodium_base64_VARIANT_URLSAFE_NO_PADDING, CHALLENGE_SPACE = 44 };

static const char *const origins[] = {"https://taluva.example", NULL};
static const struct hub_passkeys party = {"taluva.example", origins};

static struct nodes nodes;
static struct soft_passkey phone;

static void set_up(void)
{
    nodes_init(&nodes, 3, 4);
    nodes.env.passkeys = &party;
    for (unsigned part = 0; part < 4; part++) {
        nodes_leave(&nodes, part);
        nodes_serve(&nodes, part, (int)part % 3);
    }
    nodes_settle(&nodes);
    soft_passkey_init(&phone, 1, "taluva.example", "https://taluva.example");
}

static void tear_down(void)
{
    nodes_release(&nodes);
}

/* ---- what the browser does */

static void set(json_t *object, const char *name, const uint8_t *bytes, size_t len)
{
    char text[2 * SOFT_BYTES_MAX];
    sodium_bin2base64(text, sizeof text, bytes, len, VARIANT);
    json_object_set_new(object, name, json_string(text));
}

static size_t decode(const char *text, uint8_t *bytes, size_t size)
{
    size_t len = 0;
    ck_assert_int_eq(sodium_base642bin(bytes, size, text, strlen(text), NULL, &len, NULL, VARIANT),
                     0);
    return len;
}

static void ask_challenge(int guest, const char *purpose, char challenge[static CHALLENGE_SPACE])
{
    json_t *ok = nodes_ok(&nodes, guest, "passkey", "{s:s}", "for", purpose);
    ck_assert_uint_eq(strlen(text_of(ok, "challenge")), CHALLENGE_SPACE - 1);
    memcpy(challenge, text_of(ok, "challenge"), CHALLENGE_SPACE);
    if (json_object_get(ok, "user"))
        decode(text_of(ok, "user"), phone.user, sizeof phone.user);
    json_decref(ok);
}

static size_t client_data(const char *type, const char *challenge, uint8_t *out)
{
    uint8_t bytes[64];
    return soft_client_data(&phone, type, bytes, decode(challenge, bytes, sizeof bytes), out);
}

static json_t *made(const char *challenge)
{
    uint8_t bytes[SOFT_BYTES_MAX];
    json_t *object = json_object();
    set(object, "client_data", bytes, client_data("webauthn.create", challenge, bytes));
    set(object, "attestation", bytes, soft_attestation(&phone, bytes));
    return object;
}

static json_t *proof(const char *challenge)
{
    uint8_t client[SOFT_BYTES_MAX], data[SOFT_BYTES_MAX], signature[SOFT_SIGNATURE_BYTES];
    const size_t client_len = client_data("webauthn.get", challenge, client);
    const size_t len = soft_authenticator(&phone, data);
    json_t *object = json_object();
    soft_sign(&phone, data, len, client, client_len, signature);
    set(object, "id", phone.id, phone.id_len);
    set(object, "client_data", client, client_len);
    set(object, "auth_data", data, len);
    set(object, "signature", signature, sizeof signature);
    set(object, "user", phone.user, sizeof phone.user);
    return object;
}

/* ---- people */

/* Somebody at home in that part who has the phone. */
static int owner_at(unsigned part)
{
    char challenge[CHALLENGE_SPACE];
    const int node = (int)part % 3;
    int guest = nodes_guest(&nodes, node, "Ana");
    while (home_of(&nodes, guest) != part)
        guest = nodes_guest(&nodes, node, "Ana");
    nodes_do(&nodes, guest, "claim", "{s:s}", "handle", "Ana-1");
    ask_challenge(guest, "add", challenge);
    nodes_do(&nodes, guest, "passkey_add", "{s:o}", "passkey", made(challenge));
    return guest;
}

static void enters(int guest, int owner)
{
    char challenge[CHALLENGE_SPACE];
    ask_challenge(guest, "enter", challenge);
    json_t *ok = nodes_ok(&nodes, guest, "hello", "{s:o}", "passkey", proof(challenge));
    ck_assert_str_eq(text_of(ok, "session"), nodes.guests[owner].session);
    ck_assert_str_eq(text_of(json_object_get(ok, "account"), "handle"), "Ana-1");
    ck_assert_str_ne(text_of(ok, "token"), "");
    json_decref(ok);
    nodes_do(&nodes, guest, "passkeys", "");
    nodes_do(&nodes, guest, "rooms", "");
    nodes_do(&nodes, guest, "link", ""); /* it has shown who it is */
}

/* ---- tests */

START_TEST(at_any_node)
{
    const int owner = owner_at((unsigned)_i);
    for (int at = 0; at < 6; at++) /* of two parts at one node each in turn */
        enters(nodes_connect(&nodes, at % 3), owner);
}
END_TEST

/* What is wrong is refused there, and one may try again from here or there. */
START_TEST(a_challenge_is_good_once)
{
    char challenge[CHALLENGE_SPACE];
    const int owner = owner_at((unsigned)_i);
    for (int node = 0; node < 3; node++) {
        const int guest = nodes_connect(&nodes, node);
        ask_challenge(guest, "enter", challenge);
        phone.secret[0] ^= 1; /* a signature that is wrong */
        nodes_refused(&nodes, guest, "passkey_refused", "hello", "{s:o}", "passkey",
                      proof(challenge));
        phone.secret[0] ^= 1;
        nodes_refused(&nodes, guest, "passkey_refused", "hello", "{s:o}", "passkey",
                      proof(challenge));
        enters(guest, owner);
    }
}
END_TEST

/* Overheard, it is nobody else's, at whatever node. */
START_TEST(a_challenge_is_its_connections)
{
    char challenge[CHALLENGE_SPACE], other[CHALLENGE_SPACE];
    owner_at((unsigned)_i);
    for (int node = 0; node < 3; node++) {
        const int guest = nodes_connect(&nodes, 0), thief = nodes_connect(&nodes, node);
        ask_challenge(guest, "enter", challenge);
        ask_challenge(thief, "enter", other);
        nodes_refused(&nodes, thief, "passkey_refused", "hello", "{s:o}", "passkey",
                      proof(challenge));
        nodes_refused(&nodes, thief, "passkey_refused", "hello", "{s:o}", "passkey",
                      proof(challenge));
        nodes_do(&nodes, guest, "hello", "{s:o}", "passkey", proof(challenge));
        nodes_refused(&nodes, thief, "passkey_refused", "hello", "{s:o}", "passkey",
                      proof(challenge));
    }
}
END_TEST

START_TEST(while_nobody_has_the_home)
{
    char challenge[CHALLENGE_SPACE];
    const int owner = owner_at(1);
    const int guest = nodes_connect(&nodes, 0);
    nodes_leave(&nodes, 1);
    ask_challenge(guest, "enter", challenge);
    const int64_t id = nodes_post(&nodes, guest, "hello", "{s:o}", "passkey", proof(challenge));
    nodes_settle(&nodes);
    ck_assert_ptr_null(nodes_reply(&nodes, guest, id)); /* it waits */
    nodes_serve(&nodes, 1, 2);
    nodes_settle(&nodes);
    json_t *reply = nodes_reply(&nodes, guest, id);
    ck_assert_str_eq(text_of(json_object_get(reply, "ok"), "session"), nodes.guests[owner].session);
    json_decref(reply);
}
END_TEST

START_TEST(the_home_does_not_come)
{
    char challenge[CHALLENGE_SPACE];
    const int owner = owner_at(1);
    const int guest = nodes_connect(&nodes, 0);
    nodes_leave(&nodes, 1);
    ask_challenge(guest, "enter", challenge);
    const int64_t id = nodes_post(&nodes, guest, "hello", "{s:o}", "passkey", proof(challenge));
    nodes_pass(&nodes, site_usual.part_wait_ms + 1);
    json_t *reply = nodes_reply(&nodes, guest, id);
    ck_assert_str_eq(text_of(json_object_get(reply, "error"), "code"), "part_away");
    json_decref(reply);
    nodes_serve(&nodes, 1, 2);
    nodes_settle(&nodes);
    enters(guest, owner);
}
END_TEST

/* A home that is lost again and again does not make a challenge good for longer. */
START_TEST(the_home_is_lost_meanwhile)
{
    char challenge[CHALLENGE_SPACE];
    owner_at(1);
    const int guest = nodes_connect(&nodes, 0);
    ask_challenge(guest, "enter", challenge);
    nodes.nodes[1].delayed[0] = true;
    const int64_t id = nodes_post(&nodes, guest, "hello", "{s:o}", "passkey", proof(challenge));
    nodes_pass(&nodes, site_usual.part_wait_ms - 1);
    ck_assert_ptr_null(nodes_reply(&nodes, guest, id));
    nodes_cut(&nodes, 0, 1);
    nodes.nodes[1].delayed[0] = false;
    nodes_pass(&nodes, 2);
    nodes_join(&nodes, 0, 1);
    nodes_settle(&nodes);
    json_t *reply = nodes_reply(&nodes, guest, id);
    ck_assert_str_eq(text_of(json_object_get(reply, "error"), "code"), "part_away");
    json_decref(reply);
}
END_TEST

Suite *passkey_suite(void)
{
    Suite *suite = suite_create("passkey");
    TCase *tests = tcase_create("passkey");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, at_any_node, 0, 4);
    tcase_add_loop_test(tests, a_challenge_is_good_once, 0, 4);
    tcase_add_loop_test(tests, a_challenge_is_its_connections, 0, 4);
    tcase_add_test(tests, while_nobody_has_the_home);
    tcase_add_test(tests, the_home_does_not_come);
    tcase_add_test(tests, the_home_is_lost_meanwhile);
    suite_add_tcase(suite, tests);
    return suite;
}
