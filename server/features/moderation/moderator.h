/*
 * Moderators: accounts to which the operator has given the queue of reports. That is a row of the
 * account's, at its home, with which it goes; the desk asks for all of them whenever one of them
 * asks for something, so that what was taken away is gone at once, at every node.
 */
#ifndef MODERATION_MODERATOR_H
#define MODERATION_MODERATOR_H

#include <features/feature.h>
#include <hub/store_row.h>
#include <protocol/json_writer.h>
#include <protocol/limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct admin_request;
struct hub;
struct kernel_query;
struct operator_word;
struct refusal;
struct session;
struct store_query;

enum { MODERATORS_MAX = 32 }; /* of a site */

struct moderator_row {
    uint64_t session;
    int64_t since_ms;
    char handle[PROTOCOL_HANDLE_BYTES + 1]; /* as it was when it was given */
};

extern const struct store_table moderator_table;
extern const struct operator_word moderators_word, moderator_word;

/* Those that are at home here. */
struct moderators {
    uint64_t sessions[MODERATORS_MAX];
    size_t count;
    struct moderator_row *listed; /* what the operator has asked for; NULL: nothing */
    size_t listed_count;
};

void moderator_restore(struct hub *hub, const struct moderator_row *row);
void moderator_gone(struct hub *hub, const struct session *session);
void moderators_release(struct moderators *moderators);
/* Of the answer to hello. */
void moderator_write(const struct hub *hub, const struct session *session, struct writer *writer);

/* All of the site, to be asked; `from` is STORE_ROW_SIZE_MAX bytes of zeros. */
void moderators_ask(struct kernel_query *query, void *from);
/* Is it among those that were found? `*others`: somebody else is, too. */
bool moderators_have(const struct store_query *found, uint64_t session, bool *others);

/* `moderator` and `moderators` of the operator's (features/feature.h). */
void operator_asks_moderators(const struct hub *hub, const struct admin_request *request,
                              unsigned page, struct kernel_query *query, void *from);
enum operator_found operator_found_moderators(struct hub *hub, const struct admin_request *request,
                                              unsigned page, const struct store_query *found,
                                              struct refusal *refusal);
bool operator_lists_moderators(struct hub *hub, const struct admin_request *request,
                               struct writer *writer, struct refusal *refusal);
bool operator_gives_moderation(struct hub *hub, const struct admin_request *request,
                               struct writer *writer, struct refusal *refusal);

#endif
