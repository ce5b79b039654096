#include <protocol/keys.h>

#include <assert.h>
#include <jansson.h>
#include <protocol/json_writer.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

enum { BASE64 = sodium_base64_VARIANT_URLSAFE_NO_PADDING };

static const char KEY_TYPE[] = "OKP", CURVE[] = "Ed25519";

void key_encode(char out[KEY_TEXT_BYTES + 1], const uint8_t bytes[KEY_BYTES])
{
    sodium_bin2base64(out, KEY_TEXT_BYTES + 1, bytes, KEY_BYTES, BASE64);
}

bool key_decode(uint8_t bytes[KEY_BYTES], const char *text, size_t len)
{
    size_t got;
    return len == KEY_TEXT_BYTES &&
           sodium_base642bin(bytes, KEY_BYTES, text, len, NULL, &got, NULL, BASE64) == 0 &&
           got == KEY_BYTES;
}

/* RFC 7638: the hash of the required members alone, in the order of their names, without spaces. */
static void thumbprint(char id[KEY_ID_BYTES + 1], const uint8_t bytes[KEY_BYTES])
{
    char x[KEY_TEXT_BYTES + 1], text[128];
    uint8_t hash[crypto_hash_sha256_BYTES];
    key_encode(x, bytes);
    int len = snprintf(text, sizeof text, "{\"crv\":\"%s\",\"kty\":\"%s\",\"x\":\"%s\"}", CURVE,
                       KEY_TYPE, x);
    assert(len > 0 && (size_t)len < sizeof text);
    crypto_hash_sha256(hash, (const unsigned char *)text, (unsigned long long)len);
    sodium_bin2base64(id, KEY_ID_BYTES + 1, hash, sizeof hash, BASE64);
}

void public_key_init(struct public_key *key, const uint8_t bytes[KEY_BYTES], int64_t from_s)
{
    *key = (struct public_key){.from_s = from_s, .until_s = KEY_IN_USE};
    memcpy(key->bytes, bytes, KEY_BYTES);
    thumbprint(key->id, bytes);
}

void key_set_write(const struct key_set *keys, struct writer *writer)
{
    char x[KEY_TEXT_BYTES + 1];
    writer_array(writer);
    for (size_t i = 0; i < keys->count; i++) {
        const struct public_key *key = &keys->list[i];
        key_encode(x, key->bytes);
        writer_object(writer);
        writer_key_string(writer, "kty", KEY_TYPE);
        writer_key_string(writer, "crv", CURVE);
        writer_key_string(writer, "kid", key->id);
        writer_key_string(writer, "x", x);
        writer_key_int(writer, "iat", key->from_s);
        if (key->until_s != KEY_IN_USE)
            writer_key_int(writer, "exp", key->until_s);
        writer_end(writer);
    }
    writer_end(writer);
}

static bool is_word(const json_t *value, const char *word)
{
    return json_is_string(value) && strcmp(json_string_value(value), word) == 0;
}

/* A time that is not there is 0. */
static bool read_time(const json_t *value, int64_t *out_s)
{
    *out_s = value ? json_integer_value(value) : 0;
    return !value || (json_is_integer(value) && *out_s > 0);
}

static bool read_key(struct public_key *key, const json_t *object)
{
    const json_t *x = json_object_get(object, "x"), *kid = json_object_get(object, "kid");
    uint8_t bytes[KEY_BYTES];
    int64_t from_s, until_s;
    if (!json_is_string(x) || !key_decode(bytes, json_string_value(x), json_string_length(x)) ||
        !read_time(json_object_get(object, "iat"), &from_s) ||
        !read_time(json_object_get(object, "exp"), &until_s))
        return false;
    public_key_init(key, bytes, from_s);
    key->until_s = until_s;
    return !kid || is_word(kid, key->id);
}

bool key_set_read(struct key_set *keys, const struct json_t *array)
{
    keys->count = 0;
    if (!json_is_array(array))
        return false;
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *object = json_array_get(array, i);
        if (!json_is_object(object))
            return false;
        if (!is_word(json_object_get(object, "kty"), KEY_TYPE) ||
            !is_word(json_object_get(object, "crv"), CURVE))
            continue;
        if (keys->count == KEYS_MAX || !read_key(&keys->list[keys->count], object))
            return false;
        keys->count++;
    }
    return true;
}

const struct public_key *key_set_find(const struct key_set *keys, const char *id)
{
    for (size_t i = 0; i < keys->count; i++) {
        if (strcmp(keys->list[i].id, id) == 0)
            return &keys->list[i];
    }
    return NULL;
}
