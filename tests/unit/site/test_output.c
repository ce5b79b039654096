/* Whose turn it is to be written to. */
#include "output_queue.h"
#include "suites.h"
#include <string.h>

static struct output_queue queue;
static struct output_entry entries[8];

static void begin(void)
{
    output_queue_init(&queue);
    memset(entries, 0, sizeof entries);
}

static void add(int at, uint8_t group, bool hurries)
{
    if (!entries[at].self)
        entries[at].group = group;
    output_queue_add(&queue, &entries[at], hurries);
}

/* They come in this order, and then nobody. */
static void expect(const char *digits)
{
    for (; *digits; digits++) {
        ck_assert(!output_queue_is_empty(&queue));
        ck_assert_int_eq(output_queue_pop(&queue) - entries, *digits - '0');
    }
    ck_assert(output_queue_is_empty(&queue));
    ck_assert_ptr_null(output_queue_pop(&queue));
}

START_TEST(test_addresses_take_turns)
{
    for (int at = 0; at < 4; at++)
        add(at, 7, true);
    add(4, 9, true);
    add(5, 9, true);
    add(6, 8, true);
    expect("0461523");
    add(3, 7, true); /* and again, as before */
    add(4, 9, true);
    expect("34");
}
END_TEST

START_TEST(test_who_hurries_comes_first)
{
    add(0, 1, false);
    add(1, 1, false);
    add(2, 2, true);
    add(3, 3, true);
    expect("2301");
    for (int at = 0; at < 5; at++) /* but the others have a turn of four */
        add(at, 1, true);
    add(5, 1, false);
    add(6, 1, false);
    expect("0125346");
}
END_TEST

START_TEST(test_place_is_kept)
{
    add(0, 1, false);
    add(1, 1, false);
    add(2, 1, true);
    add(0, 1, false);
    add(2, 1, false);
    add(1, 1, true); /* hurries only now */
    expect("210");
}
END_TEST

START_TEST(test_who_is_gone)
{
    for (int at = 0; at < 4; at++)
        add(at, (uint8_t)(at / 2), at < 3);
    output_queue_remove(&queue, &entries[1]);
    output_queue_remove(&queue, &entries[2]); /* the only one of its address */
    output_queue_remove(&queue, &entries[2]);
    add(4, 0, true);
    expect("043");
    add(5, 1, true);
    output_queue_remove(&queue, &entries[5]);
    expect("");
    add(5, 1, true); /* its address is still on the list, empty */
    add(6, 1, true);
    expect("56");
}
END_TEST

START_TEST(test_groups)
{
    static const uint8_t one[16] = {[10] = 0xff, 0xff, 10, 1, 2, 3};
    static const uint8_t v6[16] = {0x20, 1, 0xd, 0xb8, [15] = 1};
    static const uint8_t same_net[16] = {0x20, 1, 0xd, 0xb8, [15] = 2};
    bool used[OUTPUT_GROUPS] = {false};
    int differ = 0;
    ck_assert_uint_eq(output_group_of(v6), output_group_of(same_net));
    for (int last = 0; last < 64; last++) {
        uint8_t other[16];
        memcpy(other, one, sizeof other);
        other[15] = (uint8_t)last;
        differ += !used[output_group_of(other)];
        used[output_group_of(other)] = true;
    }
    ck_assert_int_ge(differ, 48);
}
END_TEST

Suite *output_suite(void)
{
    Suite *suite = suite_create("who is written to first");
    TCase *tcase = tcase_create("turns");
    tcase_add_checked_fixture(tcase, begin, NULL);
    tcase_add_test(tcase, test_addresses_take_turns);
    tcase_add_test(tcase, test_who_hurries_comes_first);
    tcase_add_test(tcase, test_place_is_kept);
    tcase_add_test(tcase, test_who_is_gone);
    tcase_add_test(tcase, test_groups);
    suite_add_tcase(suite, tcase);
    return suite;
}
