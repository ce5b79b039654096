/*
 * Accounts of programs: each is made by an account, its owner, and nobody enters it but by tokens
 * that the owner makes. It is a session of the same part as its owner's, and ends with that.
 *
 * What it is called is burnt from the beginning: it is claimed for ever as every handle is, and of
 * an account that ends with another one nobody is asked what it was called.
 */
#ifndef PEOPLE_BOT_TABLE_H
#define PEOPLE_BOT_TABLE_H

#include <hub/store_row.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct account_row;
struct hub;
struct session;

struct bot_row {
    uint64_t session, owner;
    int64_t since_ms;
};
extern const struct store_table bot_table;

void bots_init(struct hub *hub);
void bots_release(struct hub *hub);
/* One that is about to be made, or from the store. False: out of memory. */
bool bots_add(struct hub *hub, const struct bot_row *row);
bool bots_restore(struct hub *hub, const struct bot_row *row);
void bots_forget(struct hub *hub, uint64_t bot);
/* With an owner who is gone one ends, too. */
void bots_gone(struct hub *hub, const struct session *session);
void bots_tick(struct hub *hub);
int64_t bots_deadline_ms(const struct hub *hub);

/* The session that has made it; 0: it is no program's account. */
uint64_t bot_owner(const struct hub *hub, uint64_t session);
/* How many an account owns, with those that are about to be made. */
size_t bots_count(const struct hub *hub, uint64_t owner);
/* Those that are there, one after the other: `*at` begins as 0; NULL: that was all. */
const struct account_row *bots_next(const struct hub *hub, const struct session *owner, size_t *at);
struct session *bot_owned(const struct hub *hub, const struct session *owner, const char *handle);

#endif
