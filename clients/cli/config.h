/*
 * What a person always wants, in a file: $XDG_CONFIG_HOME/taluva/config, ~/.config by default.
 * Lines are `key = value`; empty ones and those that begin with # say nothing.
 *
 * Options of the command line and variables of the environment go before it.
 */
#ifndef CLI_CONFIG_H
#define CLI_CONFIG_H

#include "profile.h"
#include <protocol/limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <wire/url.h>

enum { CONFIG_BYTES_MAX = 64 * 1024, CONFIG_PROBLEM = 400 };

/* "" and false: not said. */
struct config {
    char server[WIRE_URL_TEXT];
    char name[PROTOCOL_NAME_BYTES + 1]; /* of new sessions */
    char profile[PROFILE_WORD_MAX + 1];
    bool no_color, ascii, small;
};

/*
 * True if there is no such file. False with a sentence about what is wrong and in which line; what
 * was read up to there is not to be used.
 */
bool config_read(struct config *config, char problem[CONFIG_PROBLEM]);

/* The same from memory; `path` is for the sentence. */
bool config_parse(struct config *config, const char *path, const char *bytes, size_t len,
                  char problem[CONFIG_PROBLEM]);

#endif
