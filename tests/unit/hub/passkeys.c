#include "passkeys.h"

#include <check.h>
#include <sodium.h>
#include <string.h>

enum { VARIANT = sodium_base64_VARIANT_URLSAFE_NO_PADDING };

struct world passkey_world;

static const char *const origins[] = {"https://taluva.example", NULL};
static const struct hub_passkeys party = {"taluva.example", origins};

void passkey_setup(void)
{
    world_init(&passkey_world);
    passkey_world.env.accounts = HUB_ACCOUNTS_OPEN;
    passkey_world.env.passkeys = &party;
    passkey_world.config.claims_per_address_per_day = 1000;
    world_start(&passkey_world);
}

void passkey_teardown(void)
{
    world_release(&passkey_world);
}

int passkey_person(const char *handle)
{
    const int tab = world_guest(&passkey_world, "Somebody");
    world_do(&passkey_world, tab, "claim", "{s:s}", "handle", handle);
    return tab;
}

static size_t decode(const char *text, uint8_t *bytes, size_t size)
{
    size_t len = 0;
    ck_assert_int_eq(sodium_base642bin(bytes, size, text, strlen(text), NULL, &len, NULL, VARIANT),
                     0);
    return len;
}

static void set(json_t *object, const char *name, const uint8_t *bytes, size_t len)
{
    char text[2 * SOFT_BYTES_MAX];
    sodium_bin2base64(text, sizeof text, bytes, len, VARIANT);
    json_object_set_new(object, name, json_string(text));
}

void passkey_challenge(int tab, const char *purpose, struct soft_passkey *passkey,
                       char challenge[static CHALLENGE_SPACE])
{
    json_t *ok = world_ok(&passkey_world, tab, "passkey", "{s:s}", "for", purpose);
    ck_assert_str_eq(str(ok, "rp"), "taluva.example");
    ck_assert_uint_eq(strlen(str(ok, "challenge")), CHALLENGE_SPACE - 1);
    memcpy(challenge, str(ok, "challenge"), CHALLENGE_SPACE);
    if (json_object_get(ok, "user"))
        ck_assert_uint_eq(decode(str(ok, "user"), passkey->user, sizeof passkey->user),
                          sizeof passkey->user);
    json_decref(ok);
}

static size_t make_client_data(const struct soft_passkey *passkey, const char *type,
                               const char *challenge, uint8_t *out)
{
    uint8_t bytes[64];
    return soft_client_data(passkey, type, bytes, decode(challenge, bytes, sizeof bytes), out);
}

json_t *passkey_made(const struct soft_passkey *passkey, const char *challenge)
{
    uint8_t bytes[SOFT_BYTES_MAX];
    json_t *object = json_object();
    set(object, "client_data", bytes,
        make_client_data(passkey, "webauthn.create", challenge, bytes));
    set(object, "attestation", bytes, soft_attestation(passkey, bytes));
    return object;
}

json_t *passkey_proof(const struct soft_passkey *passkey, const char *challenge)
{
    uint8_t client[SOFT_BYTES_MAX], data[SOFT_BYTES_MAX], signature[SOFT_SIGNATURE_BYTES];
    const size_t client_len = make_client_data(passkey, "webauthn.get", challenge, client);
    const size_t len = soft_authenticator(passkey, data);
    json_t *object = json_object();
    soft_sign(passkey, data, len, client, client_len, signature);
    set(object, "id", passkey->id, passkey->id_len);
    set(object, "client_data", client, client_len);
    set(object, "auth_data", data, len);
    set(object, "signature", signature, sizeof signature);
    set(object, "user", passkey->user, sizeof passkey->user);
    return object;
}

void passkey_add(int tab, struct soft_passkey *passkey, const char *name)
{
    char challenge[CHALLENGE_SPACE];
    passkey_challenge(tab, "add", passkey, challenge);
    world_do(&passkey_world, tab, "passkey_add", "{s:o,s:s}", "passkey",
             passkey_made(passkey, challenge), "name", name);
}

int passkey_enter(struct soft_passkey *passkey)
{
    char challenge[CHALLENGE_SPACE];
    const int tab = world_connect(&passkey_world);
    passkey_challenge(tab, "enter", passkey, challenge);
    json_t *ok = world_ok(&passkey_world, tab, "hello", "{s:o}", "passkey",
                          passkey_proof(passkey, challenge));
    struct tab *entered = &passkey_world.tabs[tab];
    (void)snprintf(entered->session, sizeof entered->session, "%s", str(ok, "session"));
    (void)snprintf(entered->token, sizeof entered->token, "%s", str(ok, "token"));
    json_decref(ok);
    return tab;
}

void passkey_enter_refused(struct soft_passkey *passkey, const char *code)
{
    char challenge[CHALLENGE_SPACE];
    const int tab = world_connect(&passkey_world);
    passkey_challenge(tab, "enter", passkey, challenge);
    world_refused(&passkey_world, tab, code, "hello", "{s:o}", "passkey",
                  passkey_proof(passkey, challenge));
    world_cut(&passkey_world, tab);
}

void passkey_prove(int tab, struct soft_passkey *passkey)
{
    char challenge[CHALLENGE_SPACE];
    passkey_challenge(tab, "proof", passkey, challenge);
    world_do(&passkey_world, tab, "prove", "{s:o}", "passkey", passkey_proof(passkey, challenge));
}

void passkey_expect_list(int tab, const char *expected)
{
    char names[400] = "";
    json_t *ok = world_ok(&passkey_world, tab, "passkeys", "");
    size_t at;
    const json_t *one;
    json_array_foreach(json_object_get(ok, "passkeys"), at, one)
    {
        strcat(names, "|");
        strcat(names, str(one, "name"));
        strcat(names, json_is_true(json_object_get(one, "copied")) ? "!" : "");
    }
    json_decref(ok);
    ck_assert_str_eq(names, expected);
}

void passkey_key(int tab, size_t at, char key[static 9])
{
    json_t *ok = world_ok(&passkey_world, tab, "passkeys", "");
    const char *found = str(json_array_get(json_object_get(ok, "passkeys"), at), "key");
    ck_assert_uint_eq(strlen(found), 8);
    memcpy(key, found, 9);
    json_decref(ok);
}
