/*
 * A token bucket that takes time as an argument: `burst` at once, `count` more every `per_ms`.
 *
 * It is one number and a rule, without a clock. If time goes back, no time counts as passed.
 */
#ifndef HUB_BUCKET_H
#define HUB_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

/* Shared by all buckets of a kind. Times since 1970 times `count` must fit: count up to 4,000,000.
 */
struct bucket_rule {
    int64_t burst;  /* tokens of a full bucket, 1.. */
    int64_t count;  /* so many tokens come back ... */
    int64_t per_ms; /* ... in so many milliseconds */
};

struct bucket {
    int64_t full_at; /* when it will be full again, in 1/count ms; 0 is a full bucket */
};

/* Takes one token; false, and nothing changed, if there is none. */
bool bucket_take(struct bucket *bucket, const struct bucket_rule *rule, int64_t now_ms);
/*
 * Takes that many tokens even if the bucket has fewer: the rest is a debt, and nothing can be taken
 * until it has been refilled.
 */
void bucket_charge(struct bucket *bucket, const struct bucket_rule *rule, int64_t tokens,
                   int64_t now_ms);
/* One that was taken or charged for is not needed after all. */
void bucket_give_back(struct bucket *bucket, const struct bucket_rule *rule);
/* Would bucket_take succeed? */
bool bucket_has(const struct bucket *bucket, const struct bucket_rule *rule, int64_t now_ms);
/* In how many milliseconds bucket_take would succeed; 0: now. */
int64_t bucket_wait_ms(const struct bucket *bucket, const struct bucket_rule *rule, int64_t now_ms);
/* Is it full? Then it need not be kept: a new bucket is full too. */
bool bucket_full(const struct bucket *bucket, const struct bucket_rule *rule, int64_t now_ms);

#endif
