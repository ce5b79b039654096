#include <store/signing.h>

#include "files.h"
#include "key_text.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static_assert((int)SIGNING_SEED_BYTES == (int)KEY_BYTES, "both are written in the same way");

enum { TEXT_SIZE = SIGNING_TEXT_MAX, LINE_MAX_BYTES = 160 };
static_assert((KEYS_MAX + 2) * LINE_MAX_BYTES < TEXT_SIZE, "a file fits");

static const char HEAD[] = "taluva-signing-keys 1\n";

/* The file's text. It holds the secret, and is wiped. */
struct text {
    char bytes[TEXT_SIZE];
    size_t len;
};

/* ---- writing the text */

__attribute__((format(printf, 2, 3))) static void put_text(struct text *text, const char *format,
                                                           ...)
{
    va_list args;
    va_start(args, format);
    int len = vsnprintf(text->bytes + text->len, TEXT_SIZE - text->len, format, args);
    va_end(args);
    assert(len > 0 && (size_t)len < TEXT_SIZE - text->len);
    text->len += (size_t)len;
}

static void write_text(struct text *text, const struct record_signer *signer)
{
    uint8_t seed[SIGNING_SEED_BYTES], hash[crypto_hash_sha256_BYTES];
    char coded[KEY_TEXT_BYTES + 1], digits[2 * sizeof hash + 1];
    text->len = 0;
    crypto_sign_ed25519_sk_to_seed(seed, signer->secret);
    key_encode(coded, seed);
    put_text(text, "%ssecret %s %s %" PRId64 "\n", HEAD, signer->keys.list[0].id, coded,
             signer->keys.list[0].from_s);
    sodium_memzero(seed, sizeof seed);
    sodium_memzero(coded, sizeof coded);
    for (size_t i = 1; i < signer->keys.count; i++) {
        const struct public_key *key = &signer->keys.list[i];
        key_encode(coded, key->bytes);
        put_text(text, "public %s %s %" PRId64 " %" PRId64 "\n", key->id, coded, key->from_s,
                 key->until_s);
    }
    crypto_hash_sha256(hash, (const unsigned char *)text->bytes, text->len);
    sodium_bin2hex(digits, sizeof digits, hash, sizeof hash);
    put_text(text, "sha256 %s\n", digits);
}

/* ---- reading it */

static bool take_word(const char **at, const char *word)
{
    size_t len = strlen(word);
    if (strncmp(*at, word, len) != 0)
        return false;
    *at += len;
    return true;
}

/* An id, which is not looked at: it follows from the key. */
static bool take_id(const char **at)
{
    size_t len = strcspn(*at, " \n");
    *at += len;
    return len == KEY_ID_BYTES && take_word(at, " ");
}

static bool take_key(const char **at, uint8_t bytes[KEY_BYTES])
{
    size_t len = strcspn(*at, " \n");
    const char *text = *at;
    *at += len;
    return key_decode(bytes, text, len) && take_word(at, " ");
}

static bool take_time(const char **at, int64_t *out_s)
{
    size_t len = strspn(*at, "0123456789");
    if (len == 0 || len > 12)
        return false;
    *out_s = strtoll(*at, NULL, 10);
    *at += len;
    return true;
}

static bool take_secret(const char **at, struct record_signer *signer)
{
    uint8_t seed[SIGNING_SEED_BYTES];
    int64_t from_s;
    bool taken = take_word(at, HEAD) && take_word(at, "secret ") && take_id(at) &&
                 take_key(at, seed) && take_time(at, &from_s) && take_word(at, "\n");
    if (taken)
        record_signer_init(signer, seed, from_s);
    sodium_memzero(seed, sizeof seed);
    return taken;
}

static bool take_public(const char **at, struct key_set *keys)
{
    uint8_t bytes[KEY_BYTES];
    int64_t from_s, until_s;
    if (keys->count == KEYS_MAX || !take_id(at) || !take_key(at, bytes) ||
        !take_time(at, &from_s) || !take_word(at, " ") || !take_time(at, &until_s) ||
        !take_word(at, "\n"))
        return false;
    public_key_init(&keys->list[keys->count], bytes, from_s);
    keys->list[keys->count++].until_s = until_s;
    return true;
}

/* Whatever is damaged shows when it is written again. */
static bool read_text(const struct text *text, struct record_signer *signer)
{
    struct text again;
    const char *at = text->bytes;
    bool read = take_secret(&at, signer);
    while (read && take_word(&at, "public "))
        read = take_public(&at, &signer->keys);
    if (read) {
        write_text(&again, signer);
        read = again.len == text->len && sodium_memcmp(again.bytes, text->bytes, text->len) == 0;
        sodium_memzero(&again, sizeof again);
    }
    return read;
}

/* ---- for what else holds them */

size_t signing_write(char text[static SIGNING_TEXT_MAX], const struct record_signer *signer)
{
    struct text written;
    write_text(&written, signer);
    const size_t len = written.len;
    memcpy(text, written.bytes, len + 1);
    sodium_memzero(&written, sizeof written);
    return len;
}

bool signing_read(const char *text, size_t len, struct record_signer *signer)
{
    struct text copy = {.len = len};
    if (len >= TEXT_SIZE)
        return false;
    memcpy(copy.bytes, text, len);
    const bool read = read_text(&copy, signer);
    sodium_memzero(&copy, sizeof copy);
    return read;
}

/* ---- the file */

static enum store_result check_file(int fd, const char *path, char message[STORE_MESSAGE_MAX])
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return files_fail("reading", path, message);
    if (!S_ISREG(status.st_mode)) {
        snprintf(message, STORE_MESSAGE_MAX, "%.300s is not a plain file", path);
        return STORE_REFUSED;
    }
    if (status.st_mode & (S_IRWXG | S_IRWXO)) {
        snprintf(message, STORE_MESSAGE_MAX,
                 "%.300s holds a secret key and has mode %04o, so that others may use it: set mode "
                 "0600, and make a new key with `taluvad rotate-key` if others may have read it",
                 path, (unsigned)status.st_mode & 07777U);
        return STORE_REFUSED;
    }
    return STORE_OK;
}

/* As much as is there; one byte is left for the NUL. */
static bool read_all(int fd, struct text *text)
{
    ssize_t got = 1;
    for (text->len = 0; got != 0 && text->len < TEXT_SIZE - 1; text->len += (size_t)got) {
        got = read(fd, text->bytes + text->len, TEXT_SIZE - 1 - text->len);
        if (got < 0)
            return false;
    }
    text->bytes[text->len] = '\0';
    return true;
}

static enum store_result read_file(int fd, const char *path, struct record_signer *signer,
                                   char message[STORE_MESSAGE_MAX])
{
    struct text text;
    enum store_result result = check_file(fd, path, message);
    if (result == STORE_OK && !read_all(fd, &text))
        result = files_fail("reading", path, message);
    if (result == STORE_OK && !read_text(&text, signer)) {
        snprintf(message, STORE_MESSAGE_MAX,
                 "%.300s, the keys that records are signed with, is damaged: put a backup of it "
                 "back, or move it away and a new key is made at the next start",
                 path);
        result = STORE_CORRUPT;
    }
    sodium_memzero(&text, sizeof text);
    return result;
}

/* *there: false, and nothing is wrong, if there is no such file. */
static enum store_result load_signer(const char *path, struct record_signer *signer, bool *there,
                                     char message[STORE_MESSAGE_MAX])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    *there = fd >= 0 || errno != ENOENT;
    if (fd < 0)
        return *there ? files_fail("opening", path, message) : STORE_OK;
    enum store_result result = read_file(fd, path, signer, message);
    close(fd);
    if (result != STORE_OK)
        sodium_memzero(signer, sizeof *signer);
    return result;
}

/* Of a file that root replaces, so that its server can still read it. */
static bool keep_owner(int fd, const char *path)
{
    struct stat status;
    if (geteuid() != 0 || stat(path, &status) != 0)
        return true;
    return fchown(fd, status.st_uid, status.st_gid) == 0;
}

static enum store_result write_file(const char *path, const struct record_signer *signer,
                                    enum new_file_over over, char message[STORE_MESSAGE_MAX])
{
    struct text text;
    struct new_file file;
    enum store_result result = files_begin(&file, path, message);
    if (result != STORE_OK)
        return result;
    write_text(&text, signer);
    const bool owned = keep_owner(file.fd, path);
    if (!owned)
        new_file_drop(&file);
    if (!owned || !new_file_write(&file, text.bytes, text.len))
        result = files_fail("writing", path, message);
    sodium_memzero(&text, sizeof text);
    return result == STORE_OK ? files_keep(&file, over, message) : result;
}

static bool path_of(const char *directory, char path[FILES_PATH_SIZE],
                    char message[STORE_MESSAGE_MAX])
{
    if (files_join(path, directory, SIGNING_FILE))
        return true;
    (void)files_fail("opening", directory, message);
    return false;
}

/* ---- what is done with it */

void signing_make(struct record_signer *signer, int64_t now_s)
{
    uint8_t seed[SIGNING_SEED_BYTES];
    randombytes_buf(seed, sizeof seed);
    record_signer_init(signer, seed, now_s);
    sodium_memzero(seed, sizeof seed);
}

enum store_result signing_open(const char *directory, int64_t now_s, struct record_signer *signer,
                               bool *made, char message[static STORE_MESSAGE_MAX])
{
    char path[FILES_PATH_SIZE];
    bool there;
    *made = false;
    if (!path_of(directory, path, message))
        return STORE_FAILED;
    enum store_result result = load_signer(path, signer, &there, message);
    if (result != STORE_OK || there)
        return result;
    signing_make(signer, now_s);
    /* Of two that start at once one makes it, and the other one is refused. */
    result = write_file(path, signer, NEW_FILE_REFUSE, message);
    *made = result == STORE_OK;
    if (!*made)
        sodium_memzero(signer, sizeof *signer);
    return result;
}

static int64_t later_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

void signing_next(struct record_signer *signer, const struct key_change *change,
                  struct public_key *dropped)
{
    struct key_set *keys = &signer->keys;
    struct key_set old = *keys;
    *dropped = (struct public_key){.id = ""};
    if (old.count == KEYS_MAX)
        *dropped = old.list[--old.count];
    const int64_t from_s = later_of(change->from_s, old.list[0].from_s);
    old.list[0].until_s = later_of(change->until_s, old.list[0].from_s);
    signing_make(signer, from_s);
    memcpy(&keys->list[1], old.list, old.count * sizeof old.list[0]);
    keys->count += old.count;
}

static enum store_result no_file(const char *path, char message[STORE_MESSAGE_MAX])
{
    snprintf(message, STORE_MESSAGE_MAX, "there is no %.300s: a server makes it when it starts",
             path);
    return STORE_FAILED;
}

static enum store_result rotate_locked(const char *path, const struct key_change *change,
                                       struct record_signer *signer, struct public_key *dropped,
                                       char message[STORE_MESSAGE_MAX])
{
    bool there;
    enum store_result result = load_signer(path, signer, &there, message);
    if (result != STORE_OK)
        return result;
    if (!there)
        return no_file(path, message);
    signing_next(signer, change, dropped);
    result = write_file(path, signer, NEW_FILE_REPLACE, message);
    if (result != STORE_OK)
        sodium_memzero(signer, sizeof *signer);
    return result;
}

enum store_result signing_rotate(const char *directory, const struct key_change *change,
                                 struct record_signer *signer, struct public_key *dropped,
                                 char message[static STORE_MESSAGE_MAX])
{
    char path[FILES_PATH_SIZE];
    int lock = -1;
    *dropped = (struct public_key){.id = ""};
    if (!path_of(directory, path, message))
        return STORE_FAILED;
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return no_file(path, message); /* and no lock is made */
    enum store_result result = files_lock(directory, &lock, message);
    if (result == STORE_OK)
        result = rotate_locked(path, change, signer, dropped, message);
    if (lock >= 0)
        close(lock);
    return result;
}

bool signing_is_there(const char *directory)
{
    char path[FILES_PATH_SIZE];
    return files_join(path, directory, SIGNING_FILE) && files_exists(path);
}
