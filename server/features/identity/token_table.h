/*
 * Tokens of programs as they are kept: a table beside that of all other credentials, whose kinds
 * older programs know. In memory they are credentials like those (credential.h).
 */
#ifndef IDENTITY_TOKEN_TABLE_H
#define IDENTITY_TOKEN_TABLE_H

#include <hub/store_row.h>
#include <stdint.h>

struct token_row {
    uint64_t session;
    uint32_t id; /* the session's own: no other credential of it has it */
    uint8_t secret_hash[32];
    uint8_t scopes;   /* protocol/scope.h */
    const char *name; /* borrowed */
    int64_t since_ms, seen_ms;
    int64_t until_ms;
};

extern const struct store_table token_table;

#endif
