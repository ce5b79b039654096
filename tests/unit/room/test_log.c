/* The log: repeats, rewinding, catching up, and logs that are none of ours. */
#include "room_internal.h"
#include "suites.h"
#include "table.h"
#include <cards.h>
#include <string.h>

static struct table table;

static void open_match(void)
{
    table_open(&table, "");
    table_start(&table);
}

static void end(void)
{
    table_close(&table);
}

START_TEST(test_repeat)
{
    char members[96];
    uint64_t mover = table_mover(&table), other = mover == ANA ? BO : ANA;
    (void)snprintf(members, sizeof members, "\"move\":\"%s\"", table_any_move(&table, 1));
    expect_ok(table_send_id(&table, mover, 5000, "move", members));
    uint64_t seq = room_seq(table.room);
    expect_code(table_send_id(&table, mover, 5000, "move", members), "repeat");
    ck_assert_uint_eq(table.seq, seq);
    expect_ok(table_move(&table, mover, table_any_move(&table, 1)));
    expect_code(table_send_id(&table, mover, 5000, "move", members), "repeat"); /* later, too */
    ck_assert_uint_eq(table.seq, seq);
    expect_code(table_send_id(&table, mover, 5000, "move", "\"move\":\"draw\""), "id_reused");
    expect_code(table_send_id(&table, mover, 5000, "resign", ""), "id_reused");
    ck_assert_str_eq(table.refusal.field, "id");
    /* another session may have the same ids */
    expect_code(table_send_id(&table, other, 5000, "undo", ""), "nothing_to_undo");
}
END_TEST

START_TEST(test_refusals_are_not_remembered)
{
    uint64_t mover = table_mover(&table);
    char members[96];
    expect_code(table_send_id(&table, mover, 5000, "undo", ""), "nothing_to_undo");
    (void)snprintf(members, sizeof members, "\"move\":\"%s\"", table_any_move(&table, 1));
    expect_ok(table_send_id(&table, mover, 5000, "move", members));
}
END_TEST

static void append(struct log *log, uint64_t session, int64_t request_id)
{
    const struct room_event event = {.seq = log->count + 1U,
                                     .origin = {.session = session, .request_id = request_id},
                                     .kind = ROOM_OFFERED,
                                     .text = ""};
    ck_assert_int_eq(log_reserve(log, 0), 0);
    log_append(log, &event);
}

/* Whatever the order of ids, and however many sessions there are. */
START_TEST(test_every_request_is_found)
{
    enum { SESSIONS = 2 * LOG_ASKERS, IDS = 4 };
    static const int64_t ids[IDS] = {7, 3, 0, 9};
    struct log log;
    log_init(&log);
    for (unsigned i = 0; i < IDS; i++) {
        append(&log, 0, ROOM_NO_REQUEST);
        append(&log, SESSIONS + 1, ROOM_NO_REQUEST);
        for (unsigned session = 1; session <= SESSIONS; session++)
            append(&log, session, ids[i]);
    }
    for (unsigned session = 1; session <= SESSIONS; session++) {
        for (unsigned i = 0; i < IDS; i++)
            ck_assert_uint_eq(log_find(&log, session, ids[i]), i * (SESSIONS + 2) + 2 + session);
        ck_assert_uint_eq(log_find(&log, session, 8), 0);
    }
    log_truncate(&log, SESSIONS + 2);
    ck_assert_uint_eq(log_find(&log, 1, 7), 3);
    ck_assert_uint_eq(log_find(&log, 1, 3), 0);
    append(&log, 1, 3);
    ck_assert_uint_eq(log_find(&log, 1, 3), SESSIONS + 3);
    log_release(&log);
}
END_TEST

/* The usual request, whose id is higher than all before, is looked for without the entries. */
START_TEST(test_a_higher_id_is_new)
{
    struct log log;
    log_init(&log);
    for (int64_t id = 1; id < 100; id++)
        append(&log, id % 2 ? ANA : BO, id);
    struct log_entry *entries = log.entries;
    log.entries = NULL;
    ck_assert_uint_eq(log_find(&log, ANA, 100), 0);
    ck_assert_uint_eq(log_find(&log, BO, 99), 0);
    ck_assert_uint_eq(log_find(&log, CHI, 1), 0);
    log.entries = entries;
    log_release(&log);
}
END_TEST

START_TEST(test_repeat_after_restart)
{
    expect_ok(table_send_id(&table, ANA, 5000, "resign", ""));
    uint64_t seq = table.seq;
    struct room *again = table_regrow(&table);
    room_destroy(table.room);
    table.room = again;
    expect_code(table_send_id(&table, ANA, 5000, "resign", ""), "repeat");
    ck_assert_uint_eq(table.seq, seq);
    expect_code(table_send_id(&table, ANA, 5000, "undo", ""), "id_reused");
}
END_TEST

static void expect_no_spare(const struct room *room)
{
    ck_assert_uint_gt(room->log.count, 0);
    ck_assert_uint_eq(room->log.size, room->log.count);
    ck_assert_uint_eq(room->log.text_size, room->log.text_len);
}

/* Most rooms of a server are over: nothing is kept ready for events that hardly come. */
START_TEST(test_no_spare_memory_afterwards)
{
    expect_ok(table_send(&table, ANA, "resign", ""));
    expect_no_spare(table.room);
    struct room *again = table_regrow(&table);
    expect_no_spare(again);
    room_destroy(again);
}
END_TEST

START_TEST(test_rewind)
{
    json_t *states[64] = {NULL};
    uint64_t prints[64] = {0};
    for (unsigned i = 0; i < 20; i++) {
        uint64_t seq = room_seq(table.room);
        states[seq] = json_deep_copy(table.state[0]);
        prints[seq] = table_fingerprint(table.room);
        if (i == 10)
            expect_ok(table_send(&table, table_mover(&table), "undo", ""));
        else
            expect_ok(table_move(&table, table_mover(&table), table_any_move(&table, i)));
        if (i == 9 && strcmp(table_look_string(&table, "table.turn.step"), "build") != 0)
            expect_ok(table_move(&table, table_mover(&table), table_any_move(&table, i)));
    }
    for (uint64_t seq = room_seq(table.room) - 1; seq > 5; seq--) {
        json_t *state = table_state(&table, 0, seq); /* a look back changes nothing */
        if (states[seq])
            ck_assert(json_equal(state, states[seq]));
        json_decref(state);
        room_rewind(table.room, seq);
        ck_assert_uint_eq(room_seq(table.room), seq);
        if (prints[seq])
            ck_assert_uint_eq(table_fingerprint(table.room), prints[seq]);
    }
    for (unsigned i = 0; i < 64; i++)
        json_decref(states[i]);
}
END_TEST

static int stop_at_three(void *ctx, const char *bytes, size_t len)
{
    unsigned *count = ctx;
    ck_assert(len > 0 && bytes[0] == '{');
    return ++*count == 3 ? 42 : 0;
}

START_TEST(test_missed)
{
    unsigned count = 0;
    table_play(&table, 1, 20);
    uint64_t seq = room_seq(table.room);
    ck_assert_int_eq(room_write_missed(table.room, 0, seq - 10, seq, stop_at_three, &count), 42);
    ck_assert_uint_eq(count, 3);
    count = 10;
    ck_assert_int_eq(room_write_missed(table.room, 0, seq, seq, stop_at_three, &count), 0);
    ck_assert_uint_eq(count, 10);
    ck_assert_int_eq(room_write_missed(table.room, 0, seq - 5, seq - 1, stop_at_three, &count), 0);
    ck_assert_uint_eq(count, 14);
}
END_TEST

/* Pushes written again are the bytes that were sent. */
struct sent {
    struct buffer bytes[32];
    unsigned at;
};

static int compare_sent(void *ctx, const char *bytes, size_t len)
{
    struct sent *sent = ctx;
    const struct buffer *buffer = &sent->bytes[sent->at++];
    ck_assert_uint_eq(buffer->len, len);
    ck_assert(memcmp(buffer_payload(buffer), bytes, len) == 0);
    return 0;
}

START_TEST(test_missed_is_what_was_sent)
{
    struct sent sent = {.at = 0};
    uint64_t from = room_seq(table.room);
    for (unsigned i = 0; i < 32; i++) {
        struct room_event event;
        struct buffer *push[] = {&sent.bytes[i]};
        const char *move = table_any_move(&table, i);
        uint8_t seat = room_seat_of(table.room, table_mover(&table));
        buffer_init(push[0], 16, 1 << 20);
        table.now_ms += 100 * i;
        room_begin_event(table.room, table.now_ms, ROOM_MOVE, seat, &event);
        event.text = move;
        event.text_len = (uint16_t)strlen(move);
        ck_assert_int_eq(room_apply(table.room, &event, push), 0);
    }
    ck_assert_int_eq(room_write_missed(table.room, 0, from, from + 32, compare_sent, &sent), 0);
    ck_assert_uint_eq(sent.at, 32);
    for (unsigned i = 0; i < 32; i++)
        buffer_release(&sent.bytes[i]);
}
END_TEST

/* ---- logs of something else */

static int grow(const struct room_event *events, size_t count)
{
    struct room *room = room_restore(test_games, room_seed(table.room));
    int result = 0;
    for (size_t i = 0; i < count && result == 0; i++)
        result = room_restore_event(room, &events[i]);
    room_destroy(room);
    return result;
}

static struct room_event valid[256];
static size_t valid_count;

static void take_log(void)
{
    open_match();
    table_play(&table, 1, 30);
    valid_count = room_seq(table.room);
    for (uint64_t seq = 1; seq <= valid_count; seq++)
        room_event_at(table.room, seq, &valid[seq - 1]);
}

START_TEST(test_valid_log)
{
    ck_assert_int_eq(grow(valid, valid_count), 0);
}
END_TEST

START_TEST(test_log_without_its_start)
{
    ck_assert_int_eq(grow(valid + 1, valid_count - 1), -2);
}
END_TEST

START_TEST(test_log_with_a_gap)
{
    valid[10] = valid[11];
    ck_assert_int_eq(grow(valid, valid_count), -2);
}
END_TEST

START_TEST(test_broken_created)
{
    static const char *const texts[] = {"",
                                        "x",
                                        "{}",
                                        "[]",
                                        "{\"id\":0,\"op\":\"ping\"}",
                                        "{\"id\":0,\"op\":\"create\",\"game\":\"chess\"}",
                                        "{\"id\":0,\"op\":\"create\",\"options\":{\"players\":7}}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        valid[0].text = texts[i];
        valid[0].text_len = (uint16_t)strlen(texts[i]);
        ck_assert_int_eq(grow(valid, 1), strstr(texts[i], "chess") ? -3 : -2);
    }
}
END_TEST

/* White space behind the request is none of its business, but for the length. */
START_TEST(test_longest_text)
{
    static char text[ROOM_EVENT_TEXT_MAX + 1]; /* `valid` goes on referring to it */
    memset(text, ' ', sizeof text);
    memcpy(text, valid[0].text, valid[0].text_len);
    valid[0].text = text;
    valid[0].text_len = ROOM_EVENT_TEXT_MAX;
    ck_assert_int_eq(grow(valid, valid_count), 0);
    valid[0].text_len = ROOM_EVENT_TEXT_MAX + 1;
    ck_assert_int_eq(grow(valid, valid_count), -2);
}
END_TEST

/* Each field of each event in turn is made wrong: refused, or harmless, never worse. */
START_TEST(test_mangled_events)
{
    uint64_t random = 1;
    unsigned refused = 0;
    for (unsigned i = 0; i < 3000; i++) {
        size_t at = test_random(&random, (uint32_t)valid_count);
        struct room_event good = valid[at];
        char text[ROOM_EVENT_TEXT_MAX + 1];
        memcpy(text, good.text, good.text_len);
        switch (test_random(&random, 8)) {
        case 0:
            valid[at].kind = (enum room_event_kind)test_random(&random, ROOM_EVENT_KINDS + 2);
            break;
        case 1:
            valid[at].seat = (uint8_t)test_random(&random, 256);
            break;
        case 2:
            valid[at].at_ms -= 100000;
            break;
        case 3:
            valid[at].held_ms = (int64_t)test_random(&random, 2000) - 1000;
            break;
        case 4:
            valid[at].text_len = (uint16_t)test_random(&random, good.text_len + 1U);
            break;
        case 5:
            valid[at].seq += 1;
            break;
        default:
            if (good.text_len > 0)
                text[test_random(&random, good.text_len)] = (char)test_random(&random, 256);
            valid[at].text = text;
        }
        int result = grow(valid, valid_count);
        ck_assert(result == 0 || result == -2);
        refused += result == -2;
        valid[at] = good;
    }
    ck_assert_uint_gt(refused, 1000);
}
END_TEST

Suite *log_suite(void)
{
    Suite *suite = suite_create("log");
    TCase *tcase = tcase_create("log");
    tcase_add_checked_fixture(tcase, open_match, end);
    tcase_add_test(tcase, test_repeat);
    tcase_add_test(tcase, test_refusals_are_not_remembered);
    tcase_add_test(tcase, test_every_request_is_found);
    tcase_add_test(tcase, test_a_higher_id_is_new);
    tcase_add_test(tcase, test_repeat_after_restart);
    tcase_add_test(tcase, test_no_spare_memory_afterwards);
    tcase_add_test(tcase, test_rewind);
    tcase_add_test(tcase, test_missed);
    tcase_add_test(tcase, test_missed_is_what_was_sent);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("restore");
    tcase_set_timeout(tcase, 30);
    tcase_add_checked_fixture(tcase, take_log, end);
    tcase_add_test(tcase, test_valid_log);
    tcase_add_test(tcase, test_log_without_its_start);
    tcase_add_test(tcase, test_log_with_a_gap);
    tcase_add_test(tcase, test_broken_created);
    tcase_add_test(tcase, test_longest_text);
    tcase_add_test(tcase, test_mangled_events);
    suite_add_tcase(suite, tcase);
    return suite;
}
