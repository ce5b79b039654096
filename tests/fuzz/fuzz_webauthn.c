/*
 * What a browser says of a passkey, as anybody may make it up: an attestation object, and the same
 * bytes as an authenticator's data with a signature behind it. Nothing is read beyond its end; what
 * is taken for a new credential has its id and its key within what was sent, of the lengths that
 * there is room for, and the key is one by itself; and without its secret nothing is signed.
 */
#include "cose.h"
#include "fuzz.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const origins[] = {"https://example.org", NULL};
static const uint8_t challenge[] = "0123456789abcdef0123456789abcde";
static const char create[] =
    "{\"type\":\"webauthn.create\",\"challenge\":\"MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZQA\","
    "\"origin\":\"https://example.org\"}";
static const char get[] =
    "{\"type\":\"webauthn.get\",\"challenge\":\"MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZQA\","
    "\"origin\":\"https://example.org\"}";

static void hold(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static bool is_within(struct webauthn_bytes part, struct webauthn_bytes whole)
{
    return part.at >= whole.at && part.at + part.len <= whole.at + whole.len;
}

static void hold_made(const struct webauthn_made *made, struct webauthn_bytes object)
{
    enum webauthn_algorithm algorithm;
    struct webauthn_bytes rest;
    hold(is_within(made->id, object) && is_within(made->key, object), "it is somewhere else");
    hold(made->id.len > 0 && made->id.len <= WEBAUTHN_ID_MAX, "an id of another length");
    hold(made->key.len <= WEBAUTHN_KEY_MAX, "a key that is too long");
    hold(cose_read(made->key, &algorithm, &rest) == WEBAUTHN_OK && rest.len == 0 &&
             algorithm == made->algorithm,
         "the key is none by itself");
    hold((made->flags & WEBAUTHN_PRESENT) != 0, "nobody was there");
}

static struct webauthn_bytes bytes_of(const void *bytes, size_t len)
{
    return (struct webauthn_bytes){bytes, len};
}

static void try_proof(const struct webauthn_party *party, struct webauthn_bytes key,
                      struct webauthn_bytes bytes)
{
    enum { HEAD = 37 };
    const size_t len = bytes.len < HEAD ? bytes.len : HEAD;
    const struct webauthn_known known = {.key = key};
    const struct webauthn_assertion assertion = {
        .client_data = bytes_of(get, sizeof get - 1),
        .authenticator = bytes_of(bytes.at, len),
        .signature = bytes_of(bytes.at + len, bytes.len - len),
    };
    struct webauthn_seen seen;
    hold(webauthn_verify(party, &known, &assertion, &seen) != WEBAUTHN_OK, "nobody can sign that");
}

/* The base point of P-256. */
static const uint8_t some_key[] =
    "\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20"
    "\x6b\x17\xd1\xf2\xe1\x2c\x42\x47\xf8\xbc\xe6\xe5\x63\xa4\x40\xf2"
    "\x77\x03\x7d\x81\x2d\xeb\x33\xa0\xf4\xa1\x39\x45\xd8\x98\xc2\x96\x22\x58\x20"
    "\x4f\xe3\x42\xe2\xfe\x1a\x7f\x9b\x8e\xe7\xeb\x4a\x7c\x0f\x9e\x16"
    "\x2b\xce\x33\x57\x6b\x31\x5e\xce\xcb\xb6\x40\x68\x37\xbf\x51\xf5";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct webauthn_party party = {"example.org", origins,
                                         bytes_of(challenge, sizeof challenge)};
    const struct webauthn_bytes object = bytes_of(data, size);
    struct webauthn_made made;
    if (webauthn_register(&party, bytes_of(create, sizeof create - 1), object, &made) ==
        WEBAUTHN_OK)
        hold_made(&made, object);
    (void)webauthn_register(&party, object, object, &made);
    try_proof(&party, bytes_of(some_key, sizeof some_key - 1), object);
    return 0;
}
