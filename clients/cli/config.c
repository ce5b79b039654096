#include "config.h"

#include <cli/encoding.h>
#include <errno.h>
#include <protocol/request.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where in the file something is, and what is wrong with it. */
struct place {
    const char *path;
    unsigned line;
    char *problem;
};

__attribute__((format(printf, 2, 3))) static bool complain_of(const struct place *place,
                                                              const char *format, ...)
{
    va_list arguments;
    int len = snprintf(place->problem, CONFIG_PROBLEM, "%.200s:%u: ", place->path, place->line);
    va_start(arguments, format);
    vsnprintf(place->problem + len, CONFIG_PROBLEM - (size_t)len, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- values */

static bool set_text(char *to, size_t size, const char *value)
{
    const size_t len = strlen(value);
    if (len >= size)
        return false;
    memcpy(to, value, len + 1);
    return true;
}

static bool set_server(struct config *config, const char *value, const struct place *place)
{
    struct wire_url url;
    return (wire_url_parse(&url, value) &&
            set_text(config->server, sizeof config->server, value)) ||
           complain_of(place,
                       "server: '%.60s' is no address of a server, such as "
                       "ws://example.org:7400/ws",
                       value);
}

static bool set_name(struct config *config, const char *value, const struct place *place)
{
    char converted[sizeof config->name];
    const char *name = encoding_read(converted, sizeof converted, value);
    if (!name)
        return complain_of(place, "name: this is not UTF-8, nor text of the locale's encoding, %s",
                           encoding_of_locale());
    return (*name && set_text(config->name, sizeof config->name, name)) ||
           complain_of(place, "name: a name has 1 to %d characters", PROTOCOL_NAME_CHARS);
}

static bool set_profile(struct config *config, const char *value, const struct place *place)
{
    return (profile_is_word(value) && set_text(config->profile, sizeof config->profile, value)) ||
           complain_of(place, "profile: a profile is a word of letters, digits, - and _");
}

static bool read_flag(bool *flag, const char *key, const char *value, const struct place *place)
{
    *flag = strcmp(value, "yes") == 0;
    return *flag || strcmp(value, "no") == 0 ||
           complain_of(place, "%s: yes or no, not '%.60s'", key, value);
}

static bool set_color(struct config *config, const char *value, const struct place *place)
{
    bool color;
    if (!read_flag(&color, "color", value, place))
        return false;
    config->no_color = !color;
    return true;
}

static bool set_ascii(struct config *config, const char *value, const struct place *place)
{
    return read_flag(&config->ascii, "ascii", value, place);
}

static bool set_small(struct config *config, const char *value, const struct place *place)
{
    return read_flag(&config->small, "small", value, place);
}

static const struct {
    const char *key;
    bool (*set)(struct config *config, const char *value, const struct place *place);
} keys[] = {
    {"server", set_server}, {"name", set_name},   {"profile", set_profile},
    {"color", set_color},   {"ascii", set_ascii}, {"small", set_small},
};
enum { KEYS = sizeof keys / sizeof keys[0] };

/* ---- lines */

static char *trim_text(char *text)
{
    size_t len = strlen(text);
    while (len > 0 && strchr(" \t\r", text[len - 1]))
        text[--len] = '\0';
    return text + strspn(text, " \t");
}

static bool set_key(struct config *config, const char *key, const char *value,
                    const struct place *place)
{
    char known[128] = "";
    for (size_t i = 0; i < KEYS; i++) {
        if (strcmp(keys[i].key, key) == 0)
            return keys[i].set(config, value, place);
        const size_t len = strlen(known);
        snprintf(known + len, sizeof known - len, "%s%s", i > 0 ? ", " : "", keys[i].key);
    }
    return complain_of(place, "there is no key '%.60s'; the keys are %s", key, known);
}

static bool read_line(struct config *config, char *line, const struct place *place)
{
    char *text = trim_text(line), *equals = strchr(text, '=');
    if (*text == '\0' || *text == '#')
        return true;
    if (!equals)
        return complain_of(place, "a line is `key = value`, not '%.60s'", text);
    *equals = '\0';
    return set_key(config, trim_text(text), trim_text(equals + 1), place);
}

bool config_parse(struct config *config, const char *path, const char *bytes, size_t len,
                  char problem[CONFIG_PROBLEM])
{
    struct place place = {.path = path, .line = 1, .problem = problem};
    char line[1024];
    *config = (struct config){0};
    for (size_t at = (size_t)(encoding_skip_mark(bytes, len) - bytes); at < len; place.line++) {
        const char *newline = memchr(bytes + at, '\n', len - at);
        const size_t size = newline ? (size_t)(newline - bytes) - at : len - at;
        if (size >= sizeof line || memchr(bytes + at, '\0', size))
            return complain_of(&place, "this line is too long, or no text");
        memcpy(line, bytes + at, size);
        line[size] = '\0';
        if (!read_line(config, line, &place))
            return false;
        at += size + 1;
    }
    return true;
}

/* ---- the file */

/* False without a home. */
static bool config_path(char *path, size_t size)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    int len = -1;
    if (config && *config == '/')
        len = snprintf(path, size, "%s/taluva/config", config);
    else if (home && *home == '/')
        len = snprintf(path, size, "%s/.config/taluva/config", home);
    return len > 0 && (size_t)len < size;
}

static bool read_open(struct config *config, const char *path, FILE *file,
                      char problem[CONFIG_PROBLEM])
{
    static char bytes[CONFIG_BYTES_MAX + 1];
    const size_t len = fread(bytes, 1, sizeof bytes, file);
    if (ferror(file) || len > CONFIG_BYTES_MAX) {
        snprintf(problem, CONFIG_PROBLEM, "%.200s: %s", path,
                 strerror(ferror(file) ? errno : EFBIG));
        return false;
    }
    return config_parse(config, path, bytes, len, problem);
}

bool config_read(struct config *config, char problem[CONFIG_PROBLEM])
{
    char path[4096];
    *config = (struct config){0};
    FILE *file = config_path(path, sizeof path) ? fopen(path, "r") : NULL;
    if (!file && (errno == ENOENT || errno == ENOTDIR || !config_path(path, sizeof path)))
        return true;
    if (!file) {
        snprintf(problem, CONFIG_PROBLEM, "%.200s: %s", path, strerror(errno));
        return false;
    }
    const bool read = read_open(config, path, file, problem);
    (void)fclose(file);
    return read;
}
