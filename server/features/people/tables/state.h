/*
 * What the feature has in memory, of a hub; of sessions without an account nothing.
 *
 *     people             rows, and what others are told of them
 *     claim              a session becomes an account, or is called otherwise
 *     bots               accounts of programs
 *     bot_table          whose they are
 *     operator           what the operator asks about one
 *     profile            what everybody may know of an account
 *     recent             and of its last matches
 *     tally              what it has played
 *     archive            what others may look up of that
 *     archive_asked      and what they ask for
 *     archive_found      and what is found for them
 *     archive_table      what is kept of it
 *     kept               what it is told that is kept of it
 *     closing            its end
 *     leaving            before it, its matches in other parts
 *     erased             and at others
 *     closing_table      which are about to end, and what is burnt
 *     invite             who may claim, where that takes an invitation
 *     site_invite        those of the operator
 *     invite_code        their codes
 *     quiet              who says and hears nothing
 *     quiet_table        which accounts that are
 *     account_told       what clients are told of it
 *     account_table      what is kept of it, and of whom it is known
 *     handle             which handles are one
 *     state              this
 */
#ifndef PEOPLE_STATE_H
#define PEOPLE_STATE_H

#include <base/table.h>
#include <features/feature.h>
#include <stdbool.h>
#include <stdint.h>

enum people_claim { CLAIM_GRANTED, CLAIM_TAKEN, CLAIM_REFUSED, PEOPLE_CLAIMS };

struct people {
    struct table accounts;     /* see account_table.h */
    size_t prepared;           /* of them are not there yet */
    struct table bots, owners; /* see bot_table.h */
    int64_t orphans_ms;        /* when those whose owners are gone are to end; INT64_MAX: none */
    struct table closings;     /* see closing_table.h */
    int64_t closings_ms;       /* when one is due */
    size_t closings_prepared;
    struct table quiets; /* see quiet_table.h */
    size_t quiets_prepared;
    struct table tallies;   /* see tally.h */
    struct table addresses; /* see claim_budget.h */
    struct table invited;   /* see invite.h */
    size_t invited_prepared;
    uint32_t invite_changes;   /* how often one was made here */
    struct table site_invites; /* see site_invite.h */
    int64_t site_invites_ms;   /* when one is over; INT64_MAX: none */
    bool site_invites_change;  /* a change of them waits for the store */
    int64_t forgot_ms;         /* when others' rows were looked at, see erased.h; 0: never */
    uint64_t claims[PEOPLE_CLAIMS];
};

struct people *people_of(const struct hub *hub);

extern const struct feature_memory people_memory;

#endif
