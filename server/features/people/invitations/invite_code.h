/* The codes of invitations, of which only hashes are kept. */
#ifndef PEOPLE_INVITE_CODE_H
#define PEOPLE_INVITE_CODE_H

#include <protocol/encoding.h>

struct hub;

enum { INVITE_HASH_DIGITS = 64 };

void invite_hash_code(const char *code, char hash[static INVITE_HASH_DIGITS + 1]);
/* A new one, and the hash by which it is kept. */
void invite_make_code(const struct hub *hub, char code[static PROTOCOL_PASS_BYTES + 1],
                      char hash[static INVITE_HASH_DIGITS + 1]);

#endif
