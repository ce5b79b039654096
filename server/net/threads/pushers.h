/*
 * The threads that send messages to browsers (hub/push.h), each one at a time: encrypt, sign, post.
 * They begin with the first message.
 *
 *     loop:  pushers_give ---> a thread ---> wake() ---> pushers_take   :loop
 *
 * A push service that is slow holds a thread for PUSH_POST_MS at most. `wake` is called on the
 * threads, all else on the loop's.
 */
#ifndef NET_PUSHERS_H
#define NET_PUSHERS_H

#include <hub/push.h>
#include <net/net.h>
#include <stdbool.h>
#include <stdint.h>

struct pushers;

struct pushers_result {
    uint64_t owner, ticket;
    enum hub_push_outcome outcome;
    int64_t retry_after_ms;
    int status;    /* of HTTP; 0: no answer */
    char why[128]; /* without one */
};

/* At most `max` messages are given and not taken. NULL: no memory. `push` outlives it. */
struct pushers *pushers_create(const struct net_push *push, unsigned max, void (*wake)(void *ctx),
                               void *ctx);
/* Gives up what is being sent. Takes NULL. */
void pushers_destroy(struct pushers *pushers);

/* May one more be given? */
bool pushers_have_place(const struct pushers *pushers);
/* `owner` says whose it is. False: no thread could be begun. */
bool pushers_give(struct pushers *pushers, const struct hub_push_job *job, uint64_t owner);
/* One that is done; false: none. */
bool pushers_take(struct pushers *pushers, struct pushers_result *result);
/* Logs that a message was not taken, now and then: while a service is away it is so of each. */
void pushers_say(struct pushers *pushers, const struct pushers_result *result, int64_t now_ms);

#endif
