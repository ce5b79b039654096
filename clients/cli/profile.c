#include "profile.h"

#include <cli/file.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <protocol/encoding.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool profile_is_word(const char *word)
{
    size_t len = strlen(word);
    for (size_t i = 0; i < len; i++) {
        if (!isalnum((unsigned char)word[i]) && word[i] != '-' && word[i] != '_')
            return false;
    }
    return len > 0 && len <= PROFILE_WORD_MAX;
}

/* ~/.local/state/taluva, as the XDG base directories have it. */
static bool state_folder(char *path, size_t size)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int len = -1;
    if (state && *state == '/')
        len = snprintf(path, size, "%s/taluva", state);
    else if (home && *home == '/')
        len = snprintf(path, size, "%s/.local/state/taluva", home);
    return len > 0 && (size_t)len < size;
}

/* The server's address as one file name. */
static void server_word(char word[WIRE_URL_TEXT], const struct wire_url *url)
{
    wire_url_format(url, word);
    for (char *at = word; *at; at++) {
        if (!isalnum((unsigned char)*at) && *at != '.' && *at != '-')
            *at = '_';
    }
}

static void read_token(const struct profile *profile, char token[PROTOCOL_TOKEN_BYTES + 1])
{
    char text[PROTOCOL_TOKEN_BYTES + 2] = "";
    uint8_t bytes[TOKEN_RANDOM_BYTES];
    int fd = open(profile->path, O_RDONLY | O_CLOEXEC);
    ssize_t len = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    if (len >= PROTOCOL_TOKEN_BYTES && token_decode(bytes, text, PROTOCOL_TOKEN_BYTES))
        memcpy(token, text, PROTOCOL_TOKEN_BYTES);
}

bool profile_open(struct profile *profile, const struct wire_url *url, const char *word)
{
    char folder[3000], server[WIRE_URL_TEXT];
    *profile = (struct profile){0};
    word = word ? word : "default";
    if (!profile_is_word(word))
        return false;
    if (!state_folder(folder, sizeof folder))
        return true; /* nowhere to keep it: a session for this run alone */
    server_word(server, url);
    snprintf(profile->path, sizeof profile->path, "%s/%s~%s", folder, server, word);
    read_token(profile, profile->token);
    return true;
}

/* Every folder on the way to the file; those made here are for the owner alone. */
static bool make_folders(const char *path)
{
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0700) != 0 && errno != EEXIST)
            return false;
        *slash = '/';
    }
    return true;
}

bool profile_keep(struct profile *profile, const char *token)
{
    char line[PROTOCOL_TOKEN_BYTES + 2];
    size_t len = strlen(token);
    if (len > PROTOCOL_TOKEN_BYTES) {
        errno = EINVAL;
        return false;
    }
    memcpy(profile->token, token, len + 1);
    if (profile->path[0] == '\0')
        return true;
    if (len == 0)
        return unlink(profile->path) == 0 || errno == ENOENT;
    snprintf(line, sizeof line, "%s\n", token);
    return make_folders(profile->path) && file_replace(profile->path, line, len + 1, true);
}

bool profile_can_keep(const struct profile *profile)
{
    char folder[4096];
    if (profile->path[0] == '\0') {
        errno = ENOENT;
        return false;
    }
    snprintf(folder, sizeof folder, "%s", profile->path);
    *strrchr(folder, '/') = '\0';
    return make_folders(profile->path) && access(folder, W_OK) == 0;
}

void profile_forget(struct profile *profile)
{
    char kept[PROTOCOL_TOKEN_BYTES + 1] = "";
    read_token(profile, kept);
    if (strcmp(kept, profile->token) == 0)
        (void)profile_keep(profile, ""); /* else it is refused the next time */
}
