/*
 * Sessions kept between runs: one file for each server and profile, holding the token; and beside
 * it, in FILE.aside, tokens that the server did not know when they were given last; and for each
 * server, in SERVER.device, what it is told the device is called.
 *
 * A token is a secret: files are 0600 in a folder that is 0700, written whole or not at all, and
 * nothing here ever prints one.
 */
#ifndef CLI_PROFILE_H
#define CLI_PROFILE_H

#include <protocol/limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wire/url.h>

enum { PROFILE_WORD_MAX = 40, PROFILE_ASIDE_MAX = 3, PROFILE_ASIDE_DAYS = 60 };

/* A token that a server does not know just now: it may have been started without its store. */
struct profile_aside {
    char token[PROTOCOL_TOKEN_BYTES + 1];
    int64_t until_s; /* kept so long */
};

struct profile {
    struct profile_aside aside[PROFILE_ASIDE_MAX]; /* the latest first */
    size_t aside_count, aside_tried;
    bool is_aside;                         /* `token` is one of them, as there is no other */
    bool is_given;                         /* `token` is a program's, and nothing is kept */
    char path[4096];                       /* "" if there is no home to keep it in */
    char token[PROTOCOL_ACCESS_BYTES + 1]; /* "" if there is none yet */
};

bool profile_is_word(const char *word);

/* `word` names the profile (NULL: "default"): letters, digits, - and _. False if it is no such
 * word. */
bool profile_open(struct profile *profile, const struct wire_url *url, const char *word);

/* The token of a program that TALUVA_TOKEN gives, in place of the session that is kept, and of this
 * run alone; not set, or empty: there is none. */
enum profile_given {
    PROFILE_TAKEN, /* or there is none */
    PROFILE_NO_TOKEN,
    PROFILE_PLAIN, /* whoever is on the way to that server would read it */
};
enum profile_given profile_take_given(struct profile *profile, const struct wire_url *url);
/* Why not, in words; NULL: it is taken. */
const char *profile_given_text(enum profile_given given);

/*
 * The server does not know the token: it is kept aside. Another one to try, NULL: there is none.
 * Those kept aside are tried one after the other until a token is kept.
 */
const char *profile_refused(struct profile *profile, int64_t now_s);

/* Keeps the token, or forgets it (""). False with errno if it cannot be written. */
bool profile_keep(struct profile *profile, const char *token);

/*
 * The same of a session that has just begun as there was none. Where another program has kept one
 * meanwhile, that stays and is `*other`, for this one too: two that are begun at once by the same
 * person are the same player.
 */
bool profile_keep_first(struct profile *profile, const char *token, const char **other);

/* Whether a token could be kept now; makes the folders. False with errno. */
bool profile_can_keep(const struct profile *profile);

/* A number of this device and server, whatever the profile: drawn once, and kept beside them.
 * False: it cannot be kept. */
bool profile_device(const struct profile *profile, char device[static PROTOCOL_DEVICE_BYTES + 1]);

/* The token opens nothing any more, nor do those kept aside. One that was kept by another run since
 * then stays. */
void profile_forget(struct profile *profile);

#endif
