/* The hub's small parts, each a table or a comparison with the obvious way to do it. */
#include "key_map.h"
#include "rooms/hub_room.h"
#include "suites.h"
#include "timer.h"
#include "waiting/batch.h"
#include <hub/bucket.h>
#include <hub/config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- bucket */

static const struct {
    const char *name;
    struct bucket_rule rule;
    struct {
        int64_t at_ms;
        int takes, granted;
    } steps[5];
} buckets[] = {
    {"a burst, then the rate", {3, 2, 1000}, {{0, 5, 3}, {499, 1, 0}, {500, 2, 1}, {1500, 5, 2}}},
    {"fills up to the burst only", {3, 2, 1000}, {{0, 3, 3}, {1000000, 9, 3}}},
    {"a few in a minute", {1, 3, 60000}, {{0, 2, 1}, {19999, 1, 0}, {20000, 2, 1}, {40000, 1, 1}}},
    {"thirds of a millisecond", {1, 3000, 1000}, {{0, 2, 1}, {1, 9, 1}, {2, 9, 1}, {3, 9, 1}}},
    {"time that goes back is no time", {2, 1, 1000}, {{5000, 2, 2}, {0, 1, 0}, {6000, 2, 1}}},
    {"now", {60, 20, 1000}, {{INT64_C(1790000000000), 61, 60}, {INT64_C(1790000000050), 2, 1}}},
    {"the most", {1000000, 1000000, 1000}, {{INT64_C(4102444800000), 3, 3}}},
};

START_TEST(test_bucket)
{
    struct bucket bucket = {0};
    const struct bucket_rule *rule = &buckets[_i].rule;
    for (int step = 0; step < 5 && buckets[_i].steps[step].takes; step++) {
        int granted = 0;
        int64_t at_ms = buckets[_i].steps[step].at_ms;
        for (int take = 0; take < buckets[_i].steps[step].takes; take++) {
            bool has = bucket_has(&bucket, rule, at_ms);
            bool took = bucket_take(&bucket, rule, at_ms);
            ck_assert_int_eq(has, took);
            granted += took;
        }
        ck_assert_msg(granted == buckets[_i].steps[step].granted, "%s: step %d: %d",
                      buckets[_i].name, step, granted);
    }
}
END_TEST

START_TEST(test_bucket_full)
{
    struct bucket bucket = {0};
    struct bucket_rule rule = {2, 1, 1000};
    ck_assert(bucket_full(&bucket, &rule, 0));
    ck_assert(bucket_take(&bucket, &rule, 500));
    ck_assert(!bucket_full(&bucket, &rule, 1499));
    ck_assert(bucket_full(&bucket, &rule, 1500));
}
END_TEST

/* What is charged is taken whether it is there or not, and made up for before anything else. */
START_TEST(test_bucket_charge)
{
    struct bucket bucket = {0};
    struct bucket_rule rule = {3, 2, 1000};
    bucket_charge(&bucket, &rule, 0, 1000);
    ck_assert(bucket_full(&bucket, &rule, 1000));
    bucket_charge(&bucket, &rule, 2, 1000);
    ck_assert(bucket_take(&bucket, &rule, 1000));
    ck_assert(!bucket_has(&bucket, &rule, 1000));
    bucket_charge(&bucket, &rule, 10, 1000);
    ck_assert(!bucket_has(&bucket, &rule, 6499));
    ck_assert(bucket_has(&bucket, &rule, 6500));
}
END_TEST

/* ---- map */

enum { KEYS = 3000 };

static size_t count_values(const struct key_map *map, uint64_t key, const void *value)
{
    size_t at = 0, count = 0;
    const void *found;
    while ((found = key_map_find(map, key, &at)) != NULL)
        count += found == value;
    return count;
}

struct kept {
    uint64_t key;
    bool in;
};

/* Everything is found, and not by looking at everything from its beginning each time. */
static void empty_map(struct key_map *map)
{
    enum { TURNS_MAX = 20 };
    size_t at = 0, last = 0, turns = 0;
    const struct kept *kept;
    while ((kept = key_map_any(map, &at)) != NULL) {
        ck_assert(kept->in);
        turns += at <= last;
        last = at;
        key_map_remove(map, kept->key, kept);
    }
    ck_assert_uint_eq(key_map_count(map), 0);
    ck_assert_uint_le(turns, TURNS_MAX);
}

/* A map beside an array of what is in it; few distinct keys, so that they collide and repeat. */
START_TEST(test_map)
{
    static struct kept values[KEYS];
    struct key_map map = {0};
    uint32_t random = 7;
    size_t in = 0;
    memset(values, 0, sizeof values);
    for (int step = 0; step < 40000; step++) {
        random = random * 1664525 + 1013904223;
        size_t at = (random >> 8) % KEYS;
        if (!values[at].in) {
            values[at].key = (random >> 4) % 2000 * (_i ? 1 : UINT64_C(0x100000000));
            ck_assert_int_eq(key_map_put(&map, values[at].key, &values[at]), 0);
        } else {
            key_map_remove(&map, values[at].key, &values[at]);
        }
        in += values[at].in ? (size_t)-1 : 1;
        values[at].in = !values[at].in;
        ck_assert_uint_eq(key_map_count(&map), in);
        size_t look = random % KEYS;
        ck_assert_uint_eq(count_values(&map, values[look].key, &values[look]), values[look].in);
    }
    size_t at = 0, walked = 0;
    while (key_map_next(&map, &at))
        walked++;
    ck_assert_uint_eq(walked, in);
    empty_map(&map);
    key_map_release(&map);
}
END_TEST

/* ---- timers */

START_TEST(test_timers_in_order)
{
    enum { TIMERS = 500 };
    static struct timer timers[TIMERS];
    struct timers heap = {0};
    uint32_t random = 11;
    memset(timers, 0, sizeof timers);
    for (int i = 0; i < TIMERS; i++)
        ck_assert_int_eq(timers_reserve(&heap), 0);
    for (int step = 0; step < 5000; step++) {
        random = random * 1664525 + 1013904223;
        struct timer *timer = &timers[(random >> 8) % TIMERS];
        if (random >> 30 == 0)
            timer_disarm(&heap, timer);
        else
            timer_arm(&heap, timer, (random >> 12) % 100);
    }
    uint32_t armed = heap.count;
    const struct timer *last = NULL, *timer;
    while ((timer = timers_pop(&heap, INT64_MAX - 1)) != NULL) {
        ck_assert_uint_eq(timer->place, 0);
        if (last)
            ck_assert(last->due_ms < timer->due_ms ||
                      (last->due_ms == timer->due_ms && last->order < timer->order));
        last = timer;
        armed--;
    }
    ck_assert_uint_eq(armed, 0);
    for (int i = 0; i < TIMERS; i++)
        timers_unreserve(&heap);
    timers_release(&heap);
}
END_TEST

START_TEST(test_timers_due)
{
    struct timers heap = {0};
    struct timer one = {0}, two = {0};
    ck_assert_int_eq(timers_next_ms(&heap), INT64_MAX);
    ck_assert_int_eq(timers_reserve(&heap), 0);
    ck_assert_int_eq(timers_reserve(&heap), 0);
    timer_arm(&heap, &one, 100);
    timer_arm(&heap, &two, 100);
    ck_assert_int_eq(timers_next_ms(&heap), 100);
    ck_assert_ptr_null(timers_pop(&heap, 99));
    ck_assert_ptr_eq(timers_pop(&heap, 100), &one);
    timer_arm(&heap, &two, INT64_MAX);
    ck_assert_ptr_null(timers_pop(&heap, 1000));
    timers_unreserve(&heap);
    timers_unreserve(&heap);
    timers_release(&heap);
}
END_TEST

/* ---- batch */

/* A large one gives its places back when it is cleared, and then has none. */
START_TEST(test_batch_after_a_burst)
{
    enum { BURST = 300 };
    struct batch batch = {0};
    for (size_t ops = BURST; ops >= 1; ops = ops == 1 ? 0 : 1) {
        ck_assert_int_eq(batch_reserve(&batch, ops, 0, 0, 0), 0);
        for (uint64_t id = 1; id <= ops; id++)
            batch_drop_session(&batch, id);
        ck_assert_uint_eq(batch.op_count, ops);
        ck_assert_uint_eq(batch.ops[ops - 1].u.session_id, ops);
        ck_assert_int_eq(batch.results[ops - 1], STORE_OK);
        batch_clear(&batch);
        ck_assert_uint_eq(batch.op_count, 0);
    }
    batch_release(&batch);
}
END_TEST

/* Of several chunks of text one is kept, and none is freed twice. */
START_TEST(test_batch_keeps_one_chunk_of_text)
{
    enum { MORE_THAN_HALF = 10000 };
    struct batch batch = {0};
    struct hub_room hub_room = {0};
    static const char text[MORE_THAN_HALF] = "hello";
    for (int round = 0; round < 3; round++) {
        for (uint64_t seq = 1; seq <= 3; seq++) {
            struct room_event event = {.seq = seq, .text = text, .text_len = 1280};
            ck_assert_int_eq(batch_reserve(&batch, 1, 0, 1, sizeof text), 0);
            batch_append(&batch, &hub_room, &event);
            ck_assert_uint_eq(hub_room.fill_seq, seq);
            batch.texts->used = sizeof text;
        }
        hub_room.fill_seq = 0;
        batch_clear(&batch);
        ck_assert_ptr_nonnull(batch.texts);
        ck_assert_ptr_null(batch.texts->next);
        ck_assert_uint_eq(batch.texts->used, 0);
    }
    batch_release(&batch);
}
END_TEST

Suite *parts_suite(void)
{
    Suite *suite = suite_create("parts");
    TCase *tests = tcase_create("parts");
    tcase_add_loop_test(tests, test_bucket, 0, sizeof buckets / sizeof buckets[0]);
    tcase_add_test(tests, test_bucket_full);
    tcase_add_test(tests, test_bucket_charge);
    tcase_add_loop_test(tests, test_map, 0, 2);
    tcase_add_test(tests, test_timers_in_order);
    tcase_add_test(tests, test_timers_due);
    tcase_add_test(tests, test_batch_after_a_burst);
    tcase_add_test(tests, test_batch_keeps_one_chunk_of_text);
    suite_add_tcase(suite, tests);
    return suite;
}
