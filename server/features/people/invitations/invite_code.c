#include "invite_code.h"

#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/secret.h>
#include <sodium.h>

void invite_hash_code(const char *code, char hash[static INVITE_HASH_DIGITS + 1])
{
    uint8_t bytes[INVITE_HASH_DIGITS / 2];
    secret_hash_code(bytes, code);
    hex_encode(hash, bytes, sizeof bytes);
}

void invite_make_code(const struct hub *hub, char code[static PROTOCOL_PASS_BYTES + 1],
                      char hash[static INVITE_HASH_DIGITS + 1])
{
    const struct hub_env *env = kernel_env(hub);
    uint8_t bytes[PASS_RANDOM_BYTES];
    env->random(env->ctx, bytes, sizeof bytes);
    pass_encode(code, bytes);
    invite_hash_code(code, hash);
    sodium_memzero(bytes, sizeof bytes);
}
