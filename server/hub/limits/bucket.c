#include <hub/bucket.h>

/*
 * The bucket is one number: the time at which it will be full again (GCRA). Taking a token moves
 * that time on by what one token costs; there is no token if it would lie further ahead than the
 * cost of the whole burst. Times are kept in units of 1/count millisecond, in which a token costs
 * per_ms.
 */
static int64_t scale_time(const struct bucket_rule *rule, int64_t now_ms)
{
    return now_ms * rule->count;
}

static int64_t after_take(const struct bucket *bucket, const struct bucket_rule *rule,
                          int64_t tokens, int64_t now_ms)
{
    int64_t now = scale_time(rule, now_ms);
    int64_t from = bucket->full_at > now ? bucket->full_at : now;
    return from + tokens * rule->per_ms;
}

/* By how much a token lies beyond the burst; 0 or less: there is one. */
static int64_t beyond_burst(const struct bucket *bucket, const struct bucket_rule *rule,
                            int64_t now_ms)
{
    return after_take(bucket, rule, 1, now_ms) - scale_time(rule, now_ms) -
           rule->burst * rule->per_ms;
}

bool bucket_has(const struct bucket *bucket, const struct bucket_rule *rule, int64_t now_ms)
{
    return beyond_burst(bucket, rule, now_ms) <= 0;
}

int64_t bucket_wait_ms(const struct bucket *bucket, const struct bucket_rule *rule, int64_t now_ms)
{
    const int64_t lack = beyond_burst(bucket, rule, now_ms);
    return lack > 0 ? (lack + rule->count - 1) / rule->count : 0;
}

bool bucket_take(struct bucket *bucket, const struct bucket_rule *rule, int64_t now_ms)
{
    if (!bucket_has(bucket, rule, now_ms))
        return false;
    bucket->full_at = after_take(bucket, rule, 1, now_ms);
    return true;
}

void bucket_charge(struct bucket *bucket, const struct bucket_rule *rule, int64_t tokens,
                   int64_t now_ms)
{
    if (tokens > 0)
        bucket->full_at = after_take(bucket, rule, tokens, now_ms);
}

void bucket_give_back(struct bucket *bucket, const struct bucket_rule *rule)
{
    bucket->full_at -= rule->per_ms;
}

bool bucket_full(const struct bucket *bucket, const struct bucket_rule *rule, int64_t now_ms)
{
    return bucket->full_at <= scale_time(rule, now_ms);
}
