#include <store/push_key.h>

#include "files.h"
#include "key_text.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char HEAD[] = "taluva-push-key 1\nsecret ";

enum {
    VARIANT = sodium_base64_VARIANT_URLSAFE_NO_PADDING,
    HEAD_BYTES = sizeof HEAD - 1,
    CODED_BYTES = sodium_base64_ENCODED_LEN(PUSH_KEY_BYTES, VARIANT),
    TEXT_BYTES = HEAD_BYTES + CODED_BYTES, /* a line feed in place of the NUL */
};
static_assert((int)TEXT_BYTES == (int)PUSH_TEXT_BYTES, "they are the same");

void push_key_write(char text[static PUSH_TEXT_BYTES], const uint8_t secret[static PUSH_KEY_BYTES])
{
    memcpy(text, HEAD, HEAD_BYTES);
    sodium_bin2base64(text + HEAD_BYTES, CODED_BYTES, secret, PUSH_KEY_BYTES, VARIANT);
    text[TEXT_BYTES - 1] = '\n';
}

/* Whatever is damaged shows when it is written again. */
bool push_key_read(const char *text, size_t len, uint8_t secret[static PUSH_KEY_BYTES])
{
    char again[TEXT_BYTES];
    size_t got;
    if (len != TEXT_BYTES ||
        sodium_base642bin(secret, PUSH_KEY_BYTES, text + HEAD_BYTES, CODED_BYTES - 1, NULL, &got,
                          NULL, VARIANT) != 0 ||
        got != PUSH_KEY_BYTES)
        return false;
    push_key_write(again, secret);
    const bool same = sodium_memcmp(again, text, TEXT_BYTES) == 0;
    sodium_memzero(again, sizeof again);
    return same;
}

static enum store_result check_file(int fd, const char *path, char message[STORE_MESSAGE_MAX])
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return files_fail("reading", path, message);
    if (S_ISREG(status.st_mode) && !(status.st_mode & (S_IRWXG | S_IRWXO)))
        return STORE_OK;
    snprintf(message, STORE_MESSAGE_MAX,
             "%.300s holds a secret key: it has to be a plain file of mode 0600", path);
    return STORE_REFUSED;
}

static enum store_result read_file(int fd, const char *path, uint8_t secret[static PUSH_KEY_BYTES],
                                   char message[STORE_MESSAGE_MAX])
{
    char text[TEXT_BYTES + 1];
    enum store_result result = check_file(fd, path, message);
    if (result != STORE_OK)
        return result;
    const ssize_t len = read(fd, text, sizeof text);
    if (len < 0) {
        result = files_fail("reading", path, message);
    } else if (!push_key_read(text, (size_t)len, secret)) {
        snprintf(message, STORE_MESSAGE_MAX,
                 "%.300s, the key for push services, is damaged: put a backup of it back, or move "
                 "it away and a new key is made at the next start",
                 path);
        result = STORE_CORRUPT;
    }
    sodium_memzero(text, sizeof text);
    return result;
}

static enum store_result write_file(const char *path, const uint8_t secret[static PUSH_KEY_BYTES],
                                    char message[STORE_MESSAGE_MAX])
{
    char text[TEXT_BYTES];
    push_key_write(text, secret);
    const enum store_result result = files_write(path, text, sizeof text, NEW_FILE_REFUSE, message);
    sodium_memzero(text, sizeof text);
    return result;
}

enum store_result push_key_open(const char *directory, uint8_t secret[static PUSH_KEY_BYTES],
                                bool *made, char message[static STORE_MESSAGE_MAX])
{
    char path[FILES_PATH_SIZE];
    enum store_result result;
    *made = false;
    if (!files_join(path, directory, PUSH_KEY_FILE))
        return files_fail("opening", directory, message);
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd >= 0) {
        result = read_file(fd, path, secret, message);
        close(fd);
    } else if (errno == ENOENT) {
        result = write_file(path, secret, message);
        *made = result == STORE_OK;
    } else {
        result = files_fail("opening", path, message);
    }
    if (result != STORE_OK)
        sodium_memzero(secret, PUSH_KEY_BYTES);
    return result;
}

bool push_key_is_there(const char *directory)
{
    char path[FILES_PATH_SIZE];
    return files_join(path, directory, PUSH_KEY_FILE) && files_exists(path);
}
