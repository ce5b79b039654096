/*
 * Hashes of secrets as they come over the wire, by which their sessions are found, and before that
 * the part of the site that has them (hub/part.h). Nothing else of a secret is kept.
 */
#ifndef HUB_SECRET_H
#define HUB_SECRET_H

#include <stdbool.h>
#include <stdint.h>

/* Of a device, or a program. False: the token is none; the hash is that of nothing. */
bool secret_hash_token(uint8_t hash[static 32], const char *token);
/* Of a link or a recovery phrase. */
void secret_hash_code(uint8_t hash[static 32], const char *code);

#endif
