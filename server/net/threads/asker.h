/*
 * The thread that asks the provider at which people sign in (oidc/provider.h): each question waits
 * for another server, some seconds at most. It begins with the first one.
 *
 *     loop:  asker_give ---> the thread ---> wake() ---> asker_take   :loop
 *
 * `wake` is called on the thread, all else on the loop's.
 */
#ifndef NET_ASKER_H
#define NET_ASKER_H

#include <oidc/provider.h>
#include <stdbool.h>
#include <stdint.h>

enum { ASKER_PLACES = 16, ASKER_TEXT = 43 };

struct asker;

struct asker_job {
    uint64_t number; /* of whoever waits for it */
    bool comes_back; /* with a code; else it is to be sent there */
    char state[ASKER_TEXT + 1], nonce[ASKER_TEXT + 1], verifier[ASKER_TEXT + 1];
    char code[OIDC_CODE_MAX + 1];
    uint8_t bound[32]; /* see hub/voucher.h; not looked at */
};

struct asker_result {
    struct asker_job job;
    enum oidc_result result;
    char url[OIDC_URL_MAX + 1];         /* to send it to */
    char subject[OIDC_SUBJECT_MAX + 1]; /* who it is */
    char why[OIDC_WHY_MAX];             /* not */
};

/* NULL: no memory. `options` outlives it. */
struct asker *asker_create(const struct oidc_options *options, void (*wake)(void *ctx), void *ctx);
/* Gives up what is being asked. Takes NULL. */
void asker_destroy(struct asker *asker);

/* False: so many questions wait, or there is no thread. */
bool asker_give(struct asker *asker, const struct asker_job *job);
/* One that is answered; false: none. */
bool asker_take(struct asker *asker, struct asker_result *result);

#endif
