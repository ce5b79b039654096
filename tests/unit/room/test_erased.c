/* What is kept of a match, without the name of somebody who is erased. */
#include "suites.h"
#include "table.h"
#include <protocol/record.h>
#include <room/erased.h>
#include <stdlib.h>
#include <string.h>

static const struct protocol_account ana = {.kind = ACCOUNT_PERSON, .handle = "Ana-Banana"},
                                     robot = {.kind = ACCOUNT_BOT, .handle = "robo-bot"};

static struct room_event event_of(enum room_event_kind kind, uint8_t seat, uint64_t session,
                                  const char *text)
{
    return (struct room_event){.kind = kind,
                               .seat = seat,
                               .origin = {.session = session},
                               .text = text,
                               .text_len = (uint16_t)strlen(text)};
}

/* "": it stays. */
static const struct {
    const char *before, *after;
} texts[] = {
    {"red human Ana Nym", "red human deleted"},
    {"red human:ana Ana", "red human deleted"},
    {"red agent:ana-bot Ana", "red agent:deleted-bot deleted"},
    {"red human deleted", ""},
    {"red agent:deleted-bot deleted", ""},
    {"red bot:easy Gecko", ""},
    {"red bot human", ""},
    {"red humane Ana", ""},
    {"red human", ""},
    {"red", ""},
    {"", ""},
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

START_TEST(test_who_sits_down)
{
    char text[ROOM_EVENT_TEXT_MAX];
    struct room_event event = event_of(ROOM_SAT, 0, ANA, texts[_i].before);
    const size_t len = room_erase_event(&event, ANA, text);
    ck_assert_uint_eq(len, strlen(texts[_i].after));
    ck_assert_mem_eq(text, texts[_i].after, len);
    ck_assert_uint_eq(room_erase_event(&event, BO, text), 0);
    event.kind = ROOM_MOVE;
    ck_assert_uint_eq(room_erase_event(&event, ANA, text), 0);
}
END_TEST

START_TEST(test_which_seat_it_was)
{
    struct room_event events[] = {
        event_of(ROOM_SAT, 0, ANA, "red human Ana"),
        event_of(ROOM_SAT, 1, ANA, "red human Ana"),
        event_of(ROOM_SAT, 0, BO, "white human Bo"),
        event_of(ROOM_SAT, 2, ANA, "brown bot:easy X"),
        event_of(ROOM_STOOD, 1, ANA, ""),
        event_of(ROOM_SAT, 1, BO, "red human Bo"),
        event_of(ROOM_SAT, 2, ANA, "brown human Ana"),
        event_of(ROOM_SAT, 2, CHI, "brown human C"),
    };
    static const uint8_t seats[] = {ROOM_NO_SEAT, 0, 1,           1, 1, ROOM_NO_SEAT,
                                    ROOM_NO_SEAT, 2, ROOM_NO_SEAT};
    for (size_t count = 0; count < sizeof seats; count++)
        ck_assert_uint_eq(room_erased_seat(events, count, ANA), seats[count]);
}
END_TEST

/* NULL: it stays. `untitled` is what there is of it if `after` is too long; NULL: nothing. */
static const struct {
    uint8_t seat;
    const char *before, *after, *untitled;
} lines[] = {
    {0, "{\"seats\":{\"0\":{\"name\":\"Ana\",\"colour\":\"red\"}}}",
     "{\"seats\":{\"0\":{\"name\":\"deleted\",\"colour\":\"red\"}}}", NULL},
    {1,
     "{\"title\":\"\\\"seats\\\":{\\\"1\\\":{\\\"name\\\":\\\"Ana\",\"seats\":{\"0\":{\"name\":\"\\"
     "\"1\\\":{\\\"name\\\":\\\"x\"},\"1\":{\"name\":\"A\\\"\\\\\",\"handle\":\"ana\",\"bot\":1}}}",
     "{\"title\":\"\\\"seats\\\":{\\\"1\\\":{\\\"name\\\":\\\"Ana\",\"seats\":{\"0\":{\"name\":\"\\"
     "\"1\\\":{\\\"name\\\":\\\"x\"},\"1\":{\"name\":\"deleted\",\"bot\":1}}}",
     "{\"seats\":{\"0\":{\"name\":\"\\\"1\\\":{\\\"name\\\":\\\"x\"},"
     "\"1\":{\"name\":\"deleted\",\"bot\":1}}}"},
    {0, "{\"room\":\"r\",\"title\":\"\\\\\",\"seats\":{\"0\":{\"name\":\"A\"}}}",
     "{\"room\":\"r\",\"title\":\"\\\\\",\"seats\":{\"0\":{\"name\":\"deleted\"}}}",
     "{\"room\":\"r\",\"seats\":{\"0\":{\"name\":\"deleted\"}}}"},
    {2, "{\"seats\":{\"0\":{\"name\":\"Ana\"}}}", NULL, NULL},
    {0, "{\"seats\":{\"0\":{\"name\":\"deleted\"}}}", NULL, NULL},
    {0, "{\"seats\":{\"0\":{\"name\":\"Ana", NULL, NULL},
    {0, "{\"seats\":{\"0\":{\"name\":\"Ana\\", NULL, NULL},
    {0, "{\"seats\":{\"0\":{\"name\":\"Ana\",\"handle\":\"a", NULL, NULL},
    {0, "{}", NULL, NULL},
};
enum { LINES = sizeof lines / sizeof lines[0] };

static void expect_line(const char *text, size_t len, const char *expected)
{
    ck_assert_uint_eq(len, expected ? strlen(expected) : 0);
    ck_assert(!expected || memcmp(text, expected, len) == 0);
}

START_TEST(test_a_line)
{
    char text[256];
    const char *before = lines[_i].before, *after = lines[_i].after, *untitled = lines[_i].untitled;
    const size_t before_len = strlen(before), after_len = after ? strlen(after) : 0;
    const uint8_t seat = lines[_i].seat;
    expect_line(text, room_erase_ended(before, before_len, seat, text, sizeof text), after);
    expect_line(text, room_erase_ended(before, before_len, seat, text, after_len), after);
    if (after)
        expect_line(text, room_erase_ended(before, before_len, seat, text, after_len - 1),
                    untitled);
    if (untitled)
        expect_line(text, room_erase_ended(before, before_len, seat, text, strlen(untitled) - 1),
                    NULL);
}
END_TEST

/* ---- a whole match */

static struct table table;

static void end_match(void)
{
    table_open(&table, "\"options\":{\"players\":2}");
    table.account = &ana;
    expect_ok(table_send(&table, ANA, "join", "\"seat\":0"));
    table.account = &robot;
    expect_ok(table_send(&table, BO, "join", "\"seat\":1"));
    table.account = NULL;
    expect_ok(table_send(&table, ANA, "ready", "\"ready\":true"));
    expect_ok(table_send(&table, BO, "ready", "\"ready\":true"));
    expect_ok(table_send(&table, ANA, "start", ""));
    expect_ok(table_send(&table, BO, "resign", ""));
}

/* Both are erased. */
static struct room *replay_erased(void)
{
    struct room *room = room_restore(table.room->games, room_seed(table.room));
    ck_assert_ptr_nonnull(room);
    for (uint64_t seq = 1; seq <= room_seq(table.room); seq++) {
        char text[ROOM_EVENT_TEXT_MAX];
        struct room_event event;
        room_event_at(table.room, seq, &event);
        const size_t len = room_erase_event(&event, event.origin.session, text);
        if (len > 0) {
            event.text = text;
            event.text_len = (uint16_t)len;
        }
        ck_assert_int_eq(room_restore_event(room, &event), 0);
    }
    room_restored(room, table.now_ms);
    return room;
}

static void write_ended(const struct room *room, struct buffer *out)
{
    struct writer writer;
    buffer_init(out, 0, 4096);
    writer_init(&writer, out);
    room_write_ended(room, &writer);
}

static char *record_of(const struct room *room)
{
    struct buffer out;
    buffer_init(&out, 0, 1 << 20);
    ck_assert_int_eq(room_write_record(room, room_seq(room), "taluvad", NULL, &out), 0);
    char *text = strndup(buffer_payload(&out), out.len);
    buffer_release(&out);
    return text;
}

START_TEST(test_a_match_without_its_names)
{
    struct buffer line, erased;
    char text[4096];
    end_match();
    struct room *room = replay_erased();
    ck_assert_str_eq(room_seat_name(room, 0), ROOM_ERASED_NAME);
    ck_assert_int_eq(room_seat_account(room, 0)->kind, ACCOUNT_NONE);
    ck_assert_int_eq(room_seat_account(room, 1)->kind, ACCOUNT_BOT);
    ck_assert_str_eq(room_seat_account(room, 1)->handle, ROOM_ERASED_AGENT);
    write_ended(table.room, &line);
    write_ended(room, &erased);
    const size_t len = room_erase_ended(buffer_payload(&line), line.len, 0, text, sizeof text);
    ck_assert_uint_gt(len, 0);
    ck_assert_ptr_null(memmem(text, len, "Ana", 3));
    ck_assert_ptr_null(memmem(buffer_payload(&erased), erased.len, "Ana", 3));
    char *record = record_of(room);
    ck_assert_ptr_null(strstr(record, "Ana"));
    ck_assert_ptr_nonnull(strstr(record, "[Seat.0.name \"deleted\"]"));
    free(record);
    buffer_release(&line);
    buffer_release(&erased);
    room_destroy(room);
    table_close(&table);
}
END_TEST

Suite *erased_suite(void)
{
    Suite *suite = suite_create("names that are erased");
    TCase *tests = tcase_create("erased");
    tcase_add_loop_test(tests, test_who_sits_down, 0, TEXTS);
    tcase_add_test(tests, test_which_seat_it_was);
    tcase_add_loop_test(tests, test_a_line, 0, LINES);
    tcase_add_test(tests, test_a_match_without_its_names);
    suite_add_tcase(suite, tests);
    return suite;
}
