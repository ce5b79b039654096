/* What a room holds, and what it does when there is no more. */
#include "../../support/failing_alloc.h"
#include "suites.h"
#include "table.h"
#include <cards.h>
#include <protocol/signature.h>
#include <string.h>

static struct table table;

static void open_match(void)
{
    table_open(&table, "\"options\":{\"players\":4,\"boats\":true,\"two_hex\":true},"
                       "\"clock\":{\"kind\":\"fischer\",\"bank_s\":600,\"increment_s\":10}");
    table_start(&table);
    failing_alloc_enter();
}

static void end(void)
{
    failing_alloc_leave();
    table_close(&table);
}

START_TEST(test_size_of_a_whole_match)
{
    table_play(&table, 1, 1000);
    ck_assert_str_eq(table_look_string(&table, "phase"), "over");
    ck_assert_msg(room_bytes(table.room) <= 24 * 1024, "%zu bytes", room_bytes(table.room));
}
END_TEST

START_TEST(test_moves_allocate_little)
{
    struct room_event event;
    struct buffer buffer;
    struct buffer *push[] = {&buffer};
    size_t allocations = 0, moves = 0;
    buffer_init(&buffer, 16, 1 << 16);
    (void)buffer_reserve(&buffer, 4096);
    for (; table_mover(&table) && moves < 200; moves++) {
        const char *move = table_any_move(&table, moves);
        uint8_t seat = room_seat_of(table.room, table_mover(&table));
        failing_alloc_arm(UINT64_MAX, false);
        buffer_clear(&buffer);
        room_begin_event(table.room, table.now_ms, ROOM_MOVE, seat, &event);
        event.text = move;
        event.text_len = (uint16_t)strlen(move);
        int result = room_apply(table.room, &event, push);
        allocations += failing_alloc_disarm(NULL); /* assertions allocate, too */
        ck_assert_int_eq(result, 0);
    }
    ck_assert_uint_gt(moves, 90);
    ck_assert_uint_lt(allocations, 30); /* the log grows now and then, that is all */
    buffer_release(&buffer);
}
END_TEST

/* ---- every n-th allocation fails */

START_TEST(test_apply)
{
    uint64_t seed = 1;
    for (unsigned i = 0; i < 120 && table_mover(&table); i++) {
        struct room_event event;
        struct buffer buffer;
        struct buffer *push[] = {&buffer};
        const char *move = table_any_move(&table, seed++);
        uint64_t before = table_fingerprint(table.room);
        uint8_t seat = room_seat_of(table.room, table_mover(&table));
        room_begin_event(table.room, table.now_ms, ROOM_MOVE, seat, &event);
        event.text = move;
        event.text_len = (uint16_t)strlen(move);
        int result = -1;
        for (size_t n = 1; result != 0; n++) {
            ck_assert_uint_lt(n, 100);
            buffer_init(&buffer, 16, 1 << 16);
            failing_alloc_arm(n, false);
            result = room_apply(table.room, &event, push);
            failing_alloc_disarm(NULL);
            buffer_release(&buffer);
            if (result == 0)
                continue;
            ck_assert_int_eq(result, -1);
            ck_assert_uint_eq(table_fingerprint(table.room), before);
        }
        ck_assert_uint_eq(room_seq(table.room), event.seq);
    }
}
END_TEST

START_TEST(test_create)
{
    static const char create[] = "{\"id\":0,\"op\":\"create\",\"title\":\"Friday\",\"options\":{"
                                 "\"players\":4},\"clock\":{\"kind\":\"move\",\"move_s\":5}}";
    struct request request;
    ck_assert_int_eq(request_decode(&request, create, sizeof create - 1), PROTOCOL_OK);
    struct room *room = NULL;
    size_t n = 1;
    for (; !room; n++) {
        struct refusal refusal;
        ck_assert_uint_lt(n, 1000);
        failing_alloc_arm(n, false);
        room = room_create(test_games, room_seed(table.room), &request, "", 1, &refusal);
        failing_alloc_disarm(NULL);
        if (!room)
            ck_assert_int_eq(refusal.error, PROTOCOL_INTERNAL);
    }
    ck_assert_uint_gt(n, 5);
    room_destroy(room);
    request_release(&request);
}
END_TEST

START_TEST(test_restore)
{
    table_play(&table, 1, 20);
    bool whole = false;
    for (size_t n = 1; !whole; n++) {
        ck_assert_uint_lt(n, 1000);
        failing_alloc_arm(n, false);
        struct room *room = room_restore(test_games, room_seed(table.room));
        int result = room ? 0 : -1;
        for (uint64_t seq = 1; result == 0 && seq <= room_seq(table.room); seq++) {
            struct room_event event;
            room_event_at(table.room, seq, &event);
            result = room_restore_event(room, &event);
        }
        failing_alloc_disarm(NULL);
        whole = result == 0;
        ck_assert(whole || result == -1);
        if (whole)
            ck_assert_uint_eq(table_fingerprint(room), table_fingerprint(table.room));
        room_destroy(room);
    }
}
END_TEST

static int sink(void *ctx, const char *bytes, size_t len)
{
    (void)bytes;
    *(size_t *)ctx += len;
    return 0;
}

START_TEST(test_views)
{
    const uint8_t seed[SIGNING_SEED_BYTES] = {3};
    struct record_signer signer;
    record_signer_init(&signer, seed, 1);
    table_play(&table, 1, _i == 0 ? 20 : 1000);
    ck_assert_int_eq(room_phase(table.room) == PROTOCOL_PHASE_OVER, _i);
    uint64_t before = table_fingerprint(table.room), seq = room_seq(table.room);
    bool whole = false;
    for (size_t n = 1; !whole; n++) {
        struct buffer state, record;
        ck_assert_uint_lt(n, 1000);
        struct writer writer;
        size_t bytes = 0;
        buffer_init(&state, 0, 1 << 20);
        buffer_init(&record, 0, 1 << 20);
        writer_init(&writer, &state);
        failing_alloc_arm(n, true);
        int results[3] = {room_write_state(table.room, 0, seq - 3, &writer),
                          room_write_missed(table.room, 0, 1, seq, sink, &bytes),
                          room_write_record(table.room, seq, "taluvad", &signer, &record)};
        failing_alloc_disarm(NULL);
        for (unsigned i = 0; i < 3; i++)
            ck_assert(results[i] == 0 || results[i] == -1);
        whole = results[0] == 0 && results[1] == 0 && results[2] == 0;
        ck_assert(n > 1 || (results[0] == -1 && results[1] == -1 && results[2] == -1));
        ck_assert_uint_eq(table_fingerprint(table.room), before);
        buffer_release(&state);
        buffer_release(&record);
    }
}
END_TEST

Suite *memory_suite(void)
{
    Suite *suite = suite_create("memory");
    TCase *tcase = tcase_create("memory");
    failing_alloc_init();
    tcase_add_checked_fixture(tcase, open_match, end);
    tcase_add_test(tcase, test_size_of_a_whole_match);
    tcase_add_test(tcase, test_moves_allocate_little);
    tcase_add_test(tcase, test_apply);
    tcase_add_test(tcase, test_create);
    tcase_add_test(tcase, test_restore);
    tcase_add_loop_test(tcase, test_views, 0, 2); /* under way, over */
    suite_add_tcase(suite, tcase);
    return suite;
}
