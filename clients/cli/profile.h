/*
 * Sessions kept between runs: one file for each server and profile, holding the token.
 *
 * A token is a secret: files are 0600 in a folder that is 0700, written whole or not at all, and
 * nothing here ever prints one.
 */
#ifndef CLI_PROFILE_H
#define CLI_PROFILE_H

#include <protocol/limits.h>
#include <stdbool.h>
#include <wire/url.h>

enum { PROFILE_WORD_MAX = 40 };

struct profile {
    char path[4096];                      /* "" if there is no home to keep it in */
    char token[PROTOCOL_TOKEN_BYTES + 1]; /* "" if there is none yet */
};

bool profile_is_word(const char *word);

/* `word` names the profile (NULL: "default"): letters, digits, - and _. False if it is no such
 * word. */
bool profile_open(struct profile *profile, const struct wire_url *url, const char *word);

/* Keeps the token, or forgets it (""). False with errno if it cannot be written. */
bool profile_keep(struct profile *profile, const char *token);

/* Whether a token could be kept now; makes the folders. False with errno. */
bool profile_can_keep(const struct profile *profile);

/* The token opens nothing any more. One that was kept by another run since then stays. */
void profile_forget(struct profile *profile);

#endif
