/*
 * Credentials: the secrets that open a session, of which only the hashes are kept. A device has a
 * token; a link makes one device, once and soon; a recovery phrase makes a device at any time; a
 * program has a token too, for some things and until some day.
 *
 * A change of a session's credentials is one of a feature's (hub/kernel_change.h): until the store
 * has answered there is no other one, and it shows in the states of what it changes.
 */
#ifndef IDENTITY_CREDENTIAL_H
#define IDENTITY_CREDENTIAL_H

#include <hub/secret.h>
#include <hub/store.h>
#include <identity/credential_table.h>
#include <protocol/encoding.h>
#include <protocol/json_writer.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;
struct session;

/* Of a program: kept in a table of its own (token_table.h). */
#define CREDENTIAL_TOKEN ((enum credential_kind)CREDENTIAL_KINDS)

/*
 *      NEW --stored--> STORED --drop--> GOING --dropped--> (freed)
 *       |                 ^               |
 *       '-> (freed)       '--not dropped--'
 */
enum credential_state {
    CREDENTIAL_NEW,    /* in a batch, and not known to be durable */
    CREDENTIAL_STORED, /* opens its session */
    CREDENTIAL_GOING,  /* its end is in a batch */
};

struct credential {
    struct credential *next; /* of its session, the newer one */
    struct session *session;
    uint32_t id; /* the session's own; 0: of the device that it was begun with */
    enum credential_kind kind;
    enum credential_state state;
    uint8_t secret_hash[32];
    int64_t since_ms;
    int64_t seen_ms, stored_ms; /* of a device: last seen, and as stored */
    char *name;                 /* of a device; may be "" */
    uint8_t scopes;             /* what may be asked by it (protocol/scope.h) */
    int64_t until_ms;           /* of a program's token, but for jumps of the clock */
    char *next_name;            /* waits for the store; NULL: none */
};

void credentials_init(struct hub *hub);
void credentials_end(struct hub *hub); /* all are gone */

/* A new secret of this part and its hash. */
void credential_make_token(struct hub *hub, uint8_t hash[static 32],
                           char token[PROTOCOL_TOKEN_BYTES + 1]);
/* That which follows from a pass and what its user has made up: whoever has both has the token. */
void credential_derive_token(const struct hub *hub, const char *pass, const char *secret,
                             uint8_t hash[static 32], char token[PROTOCOL_TOKEN_BYTES + 1]);
void credential_make_code(struct hub *hub, uint8_t hash[static 32],
                          char code[PROTOCOL_PASS_BYTES + 1]);
/* Of a program, in the session's part. */
void credential_make_access(struct hub *hub, uint8_t hash[static 32],
                            char token[PROTOCOL_ACCESS_BYTES + 1]);
/* A number that the session has no credential of yet, and not that of its first device. */
uint32_t credential_new_id(struct hub *hub, const struct session *session);

/* When it opens nothing any more; INT64_MAX: never. */
int64_t credential_until_ms(const struct hub *hub, const struct credential *credential);

/* The last of its session's then. NULL: out of memory. */
struct credential *credential_add(struct hub *hub, struct session *session,
                                  const struct credential_row *row, enum credential_state state);
/* Its first row is durable; its dropping is in a batch. */
void credential_stored(struct credential *credential);
void credential_drop(struct credential *credential);
/* Names it at once, or when the store has it. False: out of memory. */
bool credential_name(struct credential *credential, const char *name);
bool credential_rename(struct credential *credential, const char *name);
void credential_destroy(struct hub *hub, struct credential *credential);
void credentials_release(struct hub *hub, struct session *session);

/*
 * One that is STORED. The time it takes does not depend on how much of a hash is right. NULL: there
 * is none, or it is a link whose time is over.
 */
struct credential *credential_by_secret(const struct hub *hub, const uint8_t hash[static 32]);
/* The same, of a session that may be opened: a device or a program, or what makes a device. */
struct credential *credential_find(const struct hub *hub, const uint8_t hash[static 32],
                                   bool device);
/* Is there one whose end is not known to be durable? It may be good again. */
bool credential_is_ending(const struct hub *hub, const uint8_t hash[static 32]);
/* A device of the session, or a program with a token; NULL: none has that id. */
struct credential *credential_device(const struct hub *hub, const struct session *session,
                                     uint32_t id);
/* The oldest of a kind that is STORED; NULL: none. */
struct credential *credential_oldest(const struct hub *hub, const struct session *session,
                                     enum credential_kind kind);
size_t credentials_count(const struct hub *hub, const struct session *session,
                         enum credential_kind kind);
/* A token for an export (op_export.h): in no row, and in no list. */
bool credential_is_export(const struct credential *credential);
/* Tokens of programs that open it, but for that one. */
size_t credential_tokens_good(const struct hub *hub, const struct session *session);
/* The device that has not been seen for longest, of those without a connection; NULL: none. */
struct credential *credential_longest_away(const struct hub *hub, const struct session *session);

/* Puts its row, with that name, NULL: its present one; or drops it. */
void credential_put(struct hub *hub, const struct credential *credential, const char *name);
void credential_drop_row(struct hub *hub, const struct credential *credential);

/* A program is about to be connected by its token; and ends those whose time is over: when the next
 * one's is, of those that are connected. */
void credential_watch_token(struct hub *hub, const struct credential *token);
int64_t credential_end_tokens(struct hub *hub);

/* Ends the change that is under way: done, or not. Devices that are gone are disconnected. */
void credentials_settle(struct hub *hub, struct session *session, bool done);

/* The member "devices" as it will be when the change under way is done. */
void credentials_write(const struct hub *hub, const struct session *session, uint32_t this_one,
                       struct writer *writer);

#endif
