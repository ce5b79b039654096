/* People with passkeys in software, for the tests of that: a world, and what they do in it. */
#ifndef PASSKEYS_H
#define PASSKEYS_H

#include "../../support/soft_passkey.h"
#include "world.h"

enum { CHALLENGE_SPACE = 44 };

extern struct world passkey_world; /* of taluva.example, where anybody may have an account */

void passkey_setup(void);
void passkey_teardown(void);

/* A tab of somebody new with this handle. */
int passkey_person(const char *handle);
/* `passkey`: the challenge, and into the passkey the user that the answer names, if it does. */
void passkey_challenge(int tab, const char *purpose, struct soft_passkey *passkey,
                       char challenge[static CHALLENGE_SPACE]);
/* The member "passkey" of a request. */
json_t *passkey_made(const struct soft_passkey *passkey, const char *challenge);
json_t *passkey_proof(const struct soft_passkey *passkey, const char *challenge);

/* The whole of it: a challenge, and what it is for. */
void passkey_add(int tab, struct soft_passkey *passkey, const char *name);
int passkey_enter(struct soft_passkey *passkey); /* a tab on a new device */
void passkey_prove(int tab, struct soft_passkey *passkey);
/* A new connection tries it and is refused so. */
void passkey_enter_refused(struct soft_passkey *passkey, const char *code);

/* The names in the list, each behind a line. */
void passkey_expect_list(int tab, const char *expected);
void passkey_key(int tab, size_t at, char key[static 9]);

#endif
