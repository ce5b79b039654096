/*
 * Handles that are too much alike: two of one skeleton are one, as far as people can see. What is
 * claimed in the store is a hash of the skeleton, so that a handle can stay claimed when nothing is
 * to be left of whoever had it.
 *
 * The rules are ours and fixed: a stored claim never has to be computed anew. Values in, values
 * out; knows no session.
 */
#ifndef PEOPLE_HANDLE_H
#define PEOPLE_HANDLE_H

#include <protocol/account.h>
#include <protocol/limits.h>
#include <stdbool.h>

struct game_type;

enum { HANDLE_CLAIM_BYTES = 32 };

/* In lower case, without - and _, then 0 as o, 1 and i as l, 5 as s, rn as m and vv as w. */
void handle_skeleton(const char *handle, char skeleton[static PROTOCOL_HANDLE_BYTES + 1]);

/* 128 bits of its hash, in hex. */
void handle_claim(const char *skeleton, char claim[static HANDLE_CLAIM_BYTES + 1]);

/* It ends with "-bot". */
bool handle_is_of_programs(const char *handle);

/* Of one that ends with "-bot": is it nobody's to have (see below), or is what is before its end?
 */
bool handle_is_programs_word(const char *handle, const struct game_type *const *games,
                             const char *more);
/*
 * Is it nobody's to have, by its skeleton: a word for the server or its operator, a name that those
 * who give none have, a word for a level; or one of `more`, words between blanks and line ends,
 * NULL: none. And what ends with "-bot", which is for programs' accounts.
 */
bool handle_is_reserved(const char *handle, const struct game_type *const *games, const char *more);

#endif
