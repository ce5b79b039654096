#include "profile.h"

#include <assert.h>
#include <base/new_file.h>
#include <cli/file.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <protocol/encoding.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
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

/* Every folder on the way to the file; those made here are for the owner alone. */
static bool make_folders(const char *path)
{
    char folder[4112];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0700) != 0 && errno != EEXIST)
            return false;
        *slash = '/';
    }
    return true;
}

/* ---- tokens that are kept aside */

static bool aside_path(char path[4112], const struct profile *profile)
{
    return profile->path[0] && snprintf(path, 4112, "%s.aside", profile->path) > 0;
}

/* TOKEN SECONDS */
static bool read_aside_line(struct profile_aside *aside, const char *line)
{
    uint8_t bytes[TOKEN_RANDOM_BYTES];
    char *end;
    if (strcspn(line, " ") != PROTOCOL_TOKEN_BYTES ||
        !token_decode(bytes, line, PROTOCOL_TOKEN_BYTES))
        return false;
    memcpy(aside->token, line, PROTOCOL_TOKEN_BYTES);
    aside->token[PROTOCOL_TOKEN_BYTES] = '\0';
    aside->until_s = strtoll(line + PROTOCOL_TOKEN_BYTES, &end, 10);
    return *end == '\n';
}

static void read_aside(struct profile *profile, int64_t now_s)
{
    char path[4112], line[PROTOCOL_TOKEN_BYTES + 24];
    FILE *file = aside_path(path, profile) ? fopen(path, "re") : NULL;
    while (file && profile->aside_count < PROFILE_ASIDE_MAX && fgets(line, sizeof line, file)) {
        struct profile_aside *aside = &profile->aside[profile->aside_count];
        if (read_aside_line(aside, line) && aside->until_s > now_s)
            profile->aside_count++;
    }
    if (file)
        fclose(file);
}

/* What cannot be written is still tried by this run. */
static void write_aside(const struct profile *profile)
{
    char path[4112], text[PROFILE_ASIDE_MAX * (PROTOCOL_TOKEN_BYTES + 24)];
    size_t len = 0;
    if (!aside_path(path, profile))
        return;
    for (size_t i = 0; i < profile->aside_count; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s %lld\n", profile->aside[i].token,
                                (long long)profile->aside[i].until_s);
    if (len == 0)
        (void)unlink(path);
    else if (make_folders(path))
        (void)file_replace(path, text, len, true);
}

static void drop_aside(struct profile *profile, size_t at)
{
    profile->aside_count--;
    memmove(&profile->aside[at], &profile->aside[at + 1],
            (profile->aside_count - at) * sizeof profile->aside[0]);
}

/* It is known again, or its time is over. */
static void take_back(struct profile *profile, const char *token)
{
    for (size_t i = 0; i < profile->aside_count; i++) {
        if (strcmp(profile->aside[i].token, token) != 0)
            continue;
        drop_aside(profile, i);
        write_aside(profile);
        return;
    }
}

static bool is_aside(const struct profile *profile, const char *token)
{
    for (size_t i = 0; i < profile->aside_count; i++) {
        if (strcmp(profile->aside[i].token, token) == 0)
            return true;
    }
    return false;
}

static void put_aside(struct profile *profile, const char *token, int64_t now_s)
{
    if (profile->aside_count == PROFILE_ASIDE_MAX)
        profile->aside_count--;
    memmove(&profile->aside[1], &profile->aside[0],
            profile->aside_count * sizeof profile->aside[0]);
    profile->aside_count++;
    memcpy(profile->aside[0].token, token, sizeof profile->aside[0].token);
    profile->aside[0].until_s = now_s + PROFILE_ASIDE_DAYS * INT64_C(86400);
    write_aside(profile);
}

const char *profile_refused(struct profile *profile, int64_t now_s)
{
    if (profile->is_given)
        return NULL;
    if (profile->token[0] && !is_aside(profile, profile->token)) {
        put_aside(profile, profile->token, now_s);
        profile->aside_tried = 1; /* just now */
    }
    if (profile->aside_tried == profile->aside_count)
        return NULL;
    return profile->aside[profile->aside_tried++].token;
}

/* ---- the device */

static bool read_device(const char *path, char device[static PROTOCOL_DEVICE_BYTES + 1])
{
    char text[PROTOCOL_DEVICE_BYTES + 1] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t len = fd >= 0 ? read(fd, text, PROTOCOL_DEVICE_BYTES) : -1;
    if (fd >= 0)
        close(fd);
    if (len != PROTOCOL_DEVICE_BYTES || !device_valid(text, PROTOCOL_DEVICE_BYTES))
        return false;
    memcpy(device, text, sizeof text);
    return true;
}

bool profile_device(const struct profile *profile, char device[static PROTOCOL_DEVICE_BYTES + 1])
{
    char path[4112];
    const char *server = strrchr(profile->path, '~');
    if (!server)
        return false;
    snprintf(path, sizeof path, "%.*s.device", (int)(server - profile->path), profile->path);
    if (read_device(path, device))
        return true;
    device_encode(device, randombytes_random());
    return make_folders(path) && file_replace(path, device, PROTOCOL_DEVICE_BYTES, true);
}

/* ---- the one in use */

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
    read_aside(profile, (int64_t)time(NULL));
    profile->is_aside = !profile->token[0] && profile->aside_count > 0;
    if (profile->is_aside)
        memcpy(profile->token, profile->aside[profile->aside_tried++].token,
               sizeof profile->aside[0].token);
    return true;
}

enum profile_given profile_take_given(struct profile *profile, const struct wire_url *url)
{
    const char *const token = getenv("TALUVA_TOKEN");
    uint8_t bytes[TOKEN_RANDOM_BYTES];
    if (!token || !*token)
        return PROFILE_TAKEN;
    if (!access_token_decode(bytes, token, strlen(token)))
        return PROFILE_NO_TOKEN;
    if (!url->tls && !wire_url_is_local(url))
        return PROFILE_PLAIN;
    *profile = (struct profile){.is_given = true};
    memcpy(profile->token, token, PROTOCOL_ACCESS_BYTES);
    return PROFILE_TAKEN;
}

const char *profile_given_text(enum profile_given given)
{
    static const char *const texts[] = {
        [PROFILE_NO_TOKEN] = "TALUVA_TOKEN is no token of a program, or there is a slip in it",
        [PROFILE_PLAIN] = "TALUVA_TOKEN goes to another machine by wss:// alone: by ws:// whoever "
                          "is on the way could read it",
    };
    return given == PROFILE_TAKEN ? NULL : texts[given];
}

static bool write_token(const struct profile *profile, const char *token, enum new_file_over over)
{
    char line[PROTOCOL_TOKEN_BYTES + 2];
    const int len = snprintf(line, sizeof line, "%s\n", token);
    return make_folders(profile->path) &&
           new_file_make(profile->path, line, (size_t)len, 0600, over);
}

bool profile_keep(struct profile *profile, const char *token)
{
    size_t len = strlen(token);
    if (profile->is_given)
        return true;
    if (len > PROTOCOL_TOKEN_BYTES) {
        errno = EINVAL;
        return false;
    }
    memcpy(profile->token, token, len + 1);
    profile->aside_tried = 0;
    profile->is_aside = false;
    if (len > 0)
        take_back(profile, token);
    if (profile->path[0] == '\0')
        return true;
    if (len == 0)
        return unlink(profile->path) == 0 || errno == ENOENT;
    return write_token(profile, token, NEW_FILE_REPLACE);
}

bool profile_keep_first(struct profile *profile, const char *token, const char **other)
{
    const bool is_first = !profile->is_given && !profile->token[0] && profile->path[0];
    *other = NULL;
    if (is_first && !write_token(profile, token, NEW_FILE_REFUSE) && errno == EEXIST) {
        read_token(profile, profile->token);
        if (profile->token[0]) {
            *other = profile->token;
            return true;
        }
    }
    return profile_keep(profile, token);
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
    if (profile->is_given)
        return;
    read_token(profile, kept);
    profile->aside_count = 0;
    write_aside(profile);
    if (strcmp(kept, profile->token) == 0)
        (void)profile_keep(profile, ""); /* else it is refused the next time */
}
