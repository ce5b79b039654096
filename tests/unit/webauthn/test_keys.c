/* Keys in their own form, COSE: what is one of the three kinds, and what only looks so. */
#include "cose.h"
#include "suites.h"
#include <protocol/encoding.h>
#include <stdio.h>
#include <string.h>

enum { KEY_MAX = 700 };

/* The base point of P-256, and that of Ed25519. */
#define X   "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
#define Y   "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
#define B   "5866666666666666666666666666666666666666666666666666666666666666"
#define P   "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"
#define ONE "0100000000000000000000000000000000000000000000000000000000000000"

static const struct {
    enum webauthn_fault fault;
    const char *hex;
} keys[] = {
    {WEBAUTHN_OK, "a5010203262001215820" X "225820" Y},
    {WEBAUTHN_OK, "a5225820" Y "215820" X "200103260102"},             /* in another order */
    {WEBAUTHN_BAD_KEY, "a5010203262001215820" Y "225820" X},           /* no point of the curve */
    {WEBAUTHN_BAD_KEY, "a5010203262001215820" P "225820" Y},           /* no member of the field */
    {WEBAUTHN_BAD_KEY, "a5010203262002215820" X "225820" Y},           /* P-384 */
    {WEBAUTHN_BAD_KEY, "a5010103262001215820" X "225820" Y},           /* kty 1 */
    {WEBAUTHN_BAD_KEY, "a501020326200121581f" X "225820" Y},           /* cut off */
    {WEBAUTHN_BAD_KEY, "a5010203262001217820" X "225820" Y},           /* a text */
    {WEBAUTHN_BAD_KEY, "a5010203262001215820" X "22f5"},               /* compressed */
    {WEBAUTHN_BAD_KEY, "a4010203262001215820" X},                      /* no y */
    {WEBAUTHN_BAD_KEY, "a4010203262001225820" Y},                      /* no x */
    {WEBAUTHN_BAD_KEY, "a40203262001215820" X "225820" Y},             /* an entry short */
    {WEBAUTHN_BAD_KEY, "a6010202410003262001215820" X "225820" Y},     /* and a kid */
    {WEBAUTHN_BAD_KEY, "a401022001215820" X "225820" Y},               /* no alg */
    {WEBAUTHN_OTHER_ALGORITHM, "a501020338222001215820" X "225820" Y}, /* ES384 */
    {WEBAUTHN_OTHER_ALGORITHM, "a5010203072001215820" X "225820" Y},   /* +7 */
    {WEBAUTHN_OTHER_ALGORITHM, "a5010203612d2001215820" X "225820" Y}, /* a text */
    {WEBAUTHN_OK, "a4010103272006215820" B},
    {WEBAUTHN_BAD_KEY, "a4010103272006215820" ONE},          /* of small order */
    {WEBAUTHN_BAD_KEY, "a4010103272007215820" B},            /* Ed448 */
    {WEBAUTHN_BAD_KEY, "a4010203272006215820" B},            /* kty 2 */
    {WEBAUTHN_BAD_KEY, "a5010103272006215820" B "225820" B}, /* and a y */
    {WEBAUTHN_BAD_KEY, "a4010103262006215820" B},            /* ES256 */
    {WEBAUTHN_BAD_KEY, "a0"},
    {WEBAUTHN_BAD_KEY, ""},
};

static enum webauthn_fault read_hex(const char *hex)
{
    uint8_t bytes[KEY_MAX];
    enum webauthn_algorithm algorithm;
    struct webauthn_bytes rest;
    const size_t len = strlen(hex) / 2;
    ck_assert(hex_decode(bytes, len, hex, 2 * len));
    return cose_read((struct webauthn_bytes){bytes, len}, &algorithm, &rest);
}

START_TEST(keys_of_curves)
{
    ck_assert_int_eq(read_hex(keys[_i].hex), keys[_i].fault);
}
END_TEST

/* ---- RSA */

struct rsa_row {
    enum webauthn_fault fault;
    unsigned bytes, first, last;
    const char *exponent;
};

static const struct rsa_row moduli[] = {
    {WEBAUTHN_OK, 256, 0x80, 1, "43010001"},
    {WEBAUTHN_OK, 256, 0xff, 0xff, "4103"},
    {WEBAUTHN_OK, 384, 0x80, 1, "43010001"},
    {WEBAUTHN_OK, 512, 0x80, 1, "43010001"},
    {WEBAUTHN_BAD_KEY, 255, 0x80, 1, "43010001"},
    {WEBAUTHN_BAD_KEY, 513, 0x80, 1, "43010001"},
    {WEBAUTHN_OK, 256, 1, 1, "43010001"},
    {WEBAUTHN_BAD_KEY, 257, 0, 1, "43010001"},    /* a 0 in front */
    {WEBAUTHN_BAD_KEY, 256, 0x80, 2, "43010001"}, /* even */
    {WEBAUTHN_BAD_KEY, 256, 0x80, 1, "4101"},
    {WEBAUTHN_BAD_KEY, 256, 0x80, 1, "4105"},
    {WEBAUTHN_BAD_KEY, 256, 0x80, 1, "420003"},
    {WEBAUTHN_BAD_KEY, 256, 0x80, 1, "40"},
    {WEBAUTHN_BAD_KEY, 256, 0x80, 1, "43010002"},
    {WEBAUTHN_BAD_KEY, 256, 0x80, 1, "4400010001"},
    {WEBAUTHN_BAD_KEY, 256, 0x80, 1, "03"},
    {WEBAUTHN_BAD_KEY, 256, 0x80, 1, "43010001"}, /* and more, below */
};

static void write_rsa(const struct rsa_row *row, bool more, char *hex)
{
    hex += sprintf(hex, "%s01030339010020", more ? "a5" : "a4");
    hex += sprintf(hex, row->bytes < 256 ? "58%02x" : "59%04x", row->bytes);
    for (unsigned at = 0; at < row->bytes; at++)
        hex += sprintf(hex, "%02x", at == 0 ? row->first : at == row->bytes - 1 ? row->last : 0x5a);
    sprintf(hex, "21%s%s", row->exponent, more ? "2200" : "");
}

START_TEST(keys_of_rsa)
{
    char hex[2 * KEY_MAX];
    const bool last = _i == sizeof moduli / sizeof moduli[0] - 1;
    write_rsa(&moduli[_i], last, hex);
    ck_assert_int_eq(read_hex(hex), moduli[_i].fault);
}
END_TEST

/* The largest there is has a place where keys are kept. */
START_TEST(keys_have_a_bound)
{
    char hex[2 * KEY_MAX];
    write_rsa(&moduli[3], false, hex);
    ck_assert_uint_le(strlen(hex) / 2, WEBAUTHN_KEY_MAX);
}
END_TEST

Suite *keys_suite(void)
{
    Suite *suite = suite_create("keys");
    TCase *tcase = tcase_create("keys");
    tcase_add_loop_test(tcase, keys_of_curves, 0, sizeof keys / sizeof keys[0]);
    tcase_add_loop_test(tcase, keys_of_rsa, 0, sizeof moduli / sizeof moduli[0]);
    tcase_add_test(tcase, keys_have_a_bound);
    suite_add_tcase(suite, tcase);
    return suite;
}
