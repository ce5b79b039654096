/* What is taken out of a room to look back at its match. */
#include "../../support/failing_alloc.h"
#include "suites.h"
#include "table.h"
#include <cards.h>
#include <malloc.h>
#include <room/analysis.h>
#include <room/hint.h>
#include <stdlib.h>
#include <string.h>

static struct table table;
static struct room_played *played;

static void end(void)
{
    room_played_destroy(played);
    played = NULL;
    table_close(&table);
}

static void expect_played(size_t i, uint64_t who, const char *move)
{
    const struct game_played *one = &played->moves[i];
    ck_assert_uint_lt(i, played->count);
    ck_assert_uint_eq(one->seat, room_seat_of(table.room, who));
    ck_assert_uint_eq(one->len, strlen(move));
    ck_assert(one->len == 0 ? !one->move : memcmp(one->move, move, one->len) == 0);
}

/* Without what was taken back, and with who left; in order. */
START_TEST(test_played)
{
    char first[PROTOCOL_MOVE_BYTES + 1], second[PROTOCOL_MOVE_BYTES + 1];
    table_open(&table, "");
    table_start(&table);
    uint64_t mover = table_mover(&table), other = mover == ANA ? BO : ANA;
    ck_assert_str_eq(table_move(&table, mover, table_any_move(&table, 1)), "ok");
    expect_ok(table_send(&table, mover, "undo", ""));
    strcpy(first, table_any_move(&table, 2));
    expect_ok(table_move(&table, mover, first));
    expect_ok(table_send(&table, mover, "hint", ""));
    strcpy(second, table_any_move(&table, 3));
    expect_ok(table_move(&table, mover, second));
    expect_ok(table_send(&table, other, "resign", ""));
    played = room_played_create(table.room);
    ck_assert_ptr_nonnull(played);
    ck_assert_uint_eq(played->count, 3);
    expect_played(0, mover, first);
    expect_played(1, mover, second);
    expect_played(2, other, "");
    ck_assert_int_eq(memcmp(played->value, match_game_of(table.room->match), played->game->size),
                     0);
}
END_TEST

START_TEST(test_analysis)
{
    static _Alignas(max_align_t) unsigned char memory[CARDS_THINKING_BYTES];
    static atomic_bool cancel;
    struct game_thinking thinking = {
        .cancel = &cancel, .memory = memory, .memory_bytes = sizeof memory};
    struct buffer out;
    table_open(&table, "\"game\":\"cards\",\"options\":{\"players\":2}");
    table_start(&table);
    expect_ok(table_send(&table, BO, "resign", ""));
    ck_assert_uint_eq(room_analysis_bytes(table.room), CARDS_THINKING_BYTES);
    played = room_played_create(table.room);
    buffer_init(&out, 0, 1000);
    ck_assert(room_analyse(played, &thinking, &out));
    static const char want[] = "{\"game\":\"cards\",\"played\":1,\"seat\":1,\"last\":\"\"}";
    ck_assert_uint_eq(out.len, sizeof want - 1);
    ck_assert_int_eq(memcmp(buffer_payload(&out), want, out.len), 0);
    buffer_clear(&out);
    atomic_store(&cancel, true);
    thinking.simulations = 0;
    ck_assert(!room_analyse(played, &thinking, &out));
    atomic_store(&cancel, false);
    buffer_release(&out);
    buffer_init(&out, 0, 20); /* longer than may be kept */
    thinking.simulations = 0;
    ck_assert(!room_analyse(played, &thinking, &out));
    buffer_release(&out);
}
END_TEST

START_TEST(test_game_without_analyst)
{
    table_open(&table, "\"game\":\"totem\"");
    ck_assert_uint_eq(room_analysis_bytes(table.room), 0);
}
END_TEST

/* ---- no memory */

/* All or nothing, with the n-th allocation failing; how many there are. */
static uint64_t take_out(uint64_t n)
{
    bool failed;
    failing_alloc_enter();
    failing_alloc_arm(n, false);
    played = room_played_create(table.room);
    uint64_t count = failing_alloc_disarm(&failed);
    failing_alloc_leave();
    ck_assert((played == NULL) == failed);
    room_played_destroy(played);
    played = NULL;
    return count;
}

static size_t in_use_bytes(void)
{
    struct mallinfo2 info = mallinfo2(); /* all 0 under a sanitizer, which looks itself */
    return info.uordblks + info.hblkhd;
}

START_TEST(test_no_memory)
{
    table_open(&table, "");
    table_start(&table);
    table_play(&table, 1, 6);
    ck_assert_uint_gt(table_mover(&table), 0);
    expect_ok(table_send(&table, table_mover(&table), "resign", ""));
    uint64_t count = take_out(UINT64_MAX);
    ck_assert_uint_ge(count, 3);
    size_t before = in_use_bytes();
    for (int round = 0; round < 1000; round++) {
        for (uint64_t n = 1; n <= count + 1; n++)
            take_out(n);
    }
    ck_assert_uint_lt(in_use_bytes(), before + 16000);
}
END_TEST

START_TEST(test_no_memory_for_a_hint)
{
    table_open(&table, "");
    table_start(&table);
    uint8_t seat = room_seat_of(table.room, table_mover(&table));
    failing_alloc_enter();
    failing_alloc_arm(1, false);
    struct room_hint *hint = room_ask_hint(table.room, seat);
    failing_alloc_disarm(NULL);
    failing_alloc_leave();
    ck_assert_ptr_null(hint);
}
END_TEST

Suite *analysis_suite(void)
{
    Suite *suite = suite_create("analysis");
    TCase *tcase = tcase_create("analysis");
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, NULL, end);
    tcase_add_test(tcase, test_played);
    tcase_add_test(tcase, test_analysis);
    tcase_add_test(tcase, test_game_without_analyst);
    tcase_add_test(tcase, test_no_memory);
    tcase_add_test(tcase, test_no_memory_for_a_hint);
    return suite;
}
