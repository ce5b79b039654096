#include <protocol/signature.h>

#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { BASE64 = sodium_base64_VARIANT_URLSAFE_NO_PADDING };

/* Comes first, so that nothing else that may be signed one day can be taken for a record. */
static const char DOMAIN[] = "taluva-record-signature 1\n";

/* ---- what is signed */

/* Another word needs another DOMAIN: programs of today would not count it in. */
static const struct record_aside ASIDES[] = {
    {"resigned", true}, {"timed_out", true}, {"replaced", true}, {"returned", true},
    {"hinted", true},   {"paused", false},   {"resumed", false}, {"called_off", false},
};

const struct record_aside *record_find_aside(const struct record_line *line)
{
    for (size_t i = 0; line->number == 0 && i < sizeof ASIDES / sizeof ASIDES[0]; i++) {
        if (strcmp(ASIDES[i].word, line->text) == 0)
            return &ASIDES[i];
    }
    return NULL;
}

static size_t results_signed(const struct record *record)
{
    size_t count = 0;
    while (count < record->result_count &&
           strcmp(record->result[count].name, RECORD_SIGNATURE_NAME) != 0)
        count++;
    return count;
}

/* Behind the first line that says what it is for. False: out of memory. */
static bool write_bare(struct buffer *out, const struct record *record, const char *domain)
{
    struct record bare = *record;
    struct record_line *lines = malloc((record->line_count + 1) * sizeof *lines);
    if (!lines)
        return false;
    bare.result_count = results_signed(record);
    bare.lines = lines;
    bare.line_count = 0;
    for (size_t i = 0; i < record->line_count; i++) {
        if (record->lines[i].number > 0 || record_find_aside(&record->lines[i]))
            lines[bare.line_count++] = record->lines[i];
    }
    buffer_append_string(out, domain);
    const bool written = record_write(out, &bare);
    free(lines);
    assert(written || out->failed); /* less than what could be written can be written too */
    return written;
}

static bool write_signed(struct buffer *out, const struct record *record)
{
    return write_bare(out, record, DOMAIN);
}

static void signed_buffer_init(struct buffer *buffer)
{
    buffer_init(buffer, 0, sizeof DOMAIN + RECORD_BYTES);
}

/* ---- signing */

void record_signer_init(struct record_signer *signer, const uint8_t seed[SIGNING_SEED_BYTES],
                        int64_t from_s)
{
    uint8_t bytes[KEY_BYTES];
    crypto_sign_seed_keypair(bytes, signer->secret, seed);
    public_key_init(&signer->keys.list[0], bytes, from_s);
    signer->keys.count = 1;
}

bool record_sign(const struct record *record, const struct record_signer *signer,
                 char out[RECORD_SIGNATURE_BYTES + 1])
{
    uint8_t signature[crypto_sign_BYTES];
    struct buffer text;
    signed_buffer_init(&text);
    const bool written = write_signed(&text, record);
    if (written) {
        crypto_sign_detached(signature, NULL, (const unsigned char *)buffer_payload(&text),
                             text.len, signer->secret);
        memcpy(out, signer->keys.list[0].id, KEY_ID_BYTES);
        out[KEY_ID_BYTES] = ' ';
        sodium_bin2base64(out + KEY_ID_BYTES + 1, SIGNATURE_TEXT_BYTES + 1, signature,
                          sizeof signature, BASE64);
    }
    buffer_release(&text);
    return written;
}

/* ---- checking */

static bool read_signature(const char *value, char id[KEY_ID_BYTES + 1],
                           uint8_t signature[crypto_sign_BYTES])
{
    uint8_t hash[crypto_hash_sha256_BYTES];
    size_t got;
    if (strlen(value) != RECORD_SIGNATURE_BYTES || value[KEY_ID_BYTES] != ' ' ||
        sodium_base642bin(hash, sizeof hash, value, KEY_ID_BYTES, NULL, &got, NULL, BASE64) != 0 ||
        sodium_base642bin(signature, crypto_sign_BYTES, value + KEY_ID_BYTES + 1,
                          SIGNATURE_TEXT_BYTES, NULL, &got, NULL, BASE64) != 0)
        return false;
    memcpy(id, value, KEY_ID_BYTES);
    id[KEY_ID_BYTES] = '\0';
    return true;
}

static enum record_signature check_bytes(const struct record *record, const struct public_key *key,
                                         const uint8_t signature[crypto_sign_BYTES])
{
    enum record_signature found = RECORD_SIGNATURE_FAILED;
    struct buffer text;
    signed_buffer_init(&text);
    if (write_signed(&text, record))
        found = crypto_sign_verify_detached(signature, (const unsigned char *)buffer_payload(&text),
                                            text.len, key->bytes) == 0
                    ? RECORD_SIGNED
                    : RECORD_SIGNATURE_FALSE;
    buffer_release(&text);
    return found;
}

static bool ended_later(const struct record *record, const struct public_key *key)
{
    return key->until_s != KEY_IN_USE && record->end_ms / 1000 > key->until_s;
}

enum record_signature record_check_signature(const struct record *record,
                                             const struct key_set *keys, char id[KEY_ID_BYTES + 1])
{
    const char *value = record_find(record->result, record->result_count, RECORD_SIGNATURE_NAME);
    uint8_t signature[crypto_sign_BYTES];
    id[0] = '\0';
    if (!value)
        return RECORD_NOT_SIGNED;
    if (record->end_ms == RECORD_NO_TIME || !read_signature(value, id, signature))
        return RECORD_SIGNATURE_FALSE;
    const struct public_key *key = key_set_find(keys, id);
    if (!key)
        return RECORD_SIGNED_BY_OTHER;
    const enum record_signature found = check_bytes(record, key, signature);
    return found == RECORD_SIGNED && ended_later(record, key) ? RECORD_SIGNED_TOO_LATE : found;
}

/* ---- whatever it is called */

static bool begins_with(const char *line, size_t len, const char *prefix)
{
    return len >= strlen(prefix) && memcmp(line, prefix, strlen(prefix)) == 0;
}

/* "[Seat.N.name ...]" */
static bool is_seat_name(const char *line, size_t len)
{
    static const char seat[] = "[Seat.", name[] = ".name ";
    size_t at = sizeof seat - 1;
    if (!begins_with(line, len, seat))
        return false;
    while (at < len && line[at] >= '0' && line[at] <= '9')
        at++;
    return begins_with(line + at, len - at, name);
}

static bool is_of_core(const char *line, size_t len)
{
    return !begins_with(line, len, "[Server ") && !begins_with(line, len, "[Title ") &&
           !is_seat_name(line, len);
}

static void hash_core(const char *text, size_t len, uint8_t hash[static RECORD_CORE_BYTES])
{
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    for (const char *at = text, *end = text + len; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t line = (size_t)(stop - at) + 1; /* every line ends */
        if (is_of_core(at, line))
            crypto_hash_sha256_update(&state, (const unsigned char *)at, line);
        at += line;
    }
    crypto_hash_sha256_final(&state, hash);
}

bool record_core_hash(const struct record *record, uint8_t hash[static RECORD_CORE_BYTES])
{
    struct buffer text;
    signed_buffer_init(&text);
    const bool written = write_bare(&text, record, "taluva-record-core 1\n");
    if (written)
        hash_core(buffer_payload(&text), text.len, hash);
    buffer_release(&text);
    return written;
}
