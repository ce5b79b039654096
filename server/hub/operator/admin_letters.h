/*
 * Letters as the operator sees them (hub/letter.h): which wait and which were set aside, in the
 * whole site; and of this part's, that one is to be tried again, or dropped unread.
 *
 *     asked --take--> page --received--> a list: answered
 *               ^                  '---> the one that is meant: into the batch, which answers
 *               '--- not yet found ----'
 */
#ifndef HUB_ADMIN_LETTERS_H
#define HUB_ADMIN_LETTERS_H

#include <hub/admin.h>
#include <hub/store.h>
#include <stdbool.h>
#include <stdint.h>

struct hub;

#define ADMIN_LETTERS_TICKET UINT64_MAX

struct admin_letters {
    bool wanted, behind;      /* a page is to be asked for; behind `last` */
    struct store_letter last; /* its text is gone */
    bool left_alone;          /* what is aside, when the page was asked for */
    uint64_t put_back;        /* mail's count then */
};

/* ADMIN_WAITS, or why nothing is asked for. */
enum admin_outcome admin_letters_ask(struct hub *hub, const struct admin_request *request,
                                     struct refusal *refusal);
/* As mail_take and mail_received. */
bool admin_letters_take(struct hub *hub, struct store_query *query);
void admin_letters_received(struct hub *hub, const struct store_query *query);

#endif
