/* What is taken out of a room to look back at its match. */
#include "suites.h"
#include "table.h"
#include <cards.h>
#include <room/analysis.h>
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

Suite *analysis_suite(void)
{
    Suite *suite = suite_create("analysis");
    TCase *tcase = tcase_create("analysis");
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, NULL, end);
    tcase_add_test(tcase, test_played);
    tcase_add_test(tcase, test_analysis);
    tcase_add_test(tcase, test_game_without_analyst);
    return suite;
}
