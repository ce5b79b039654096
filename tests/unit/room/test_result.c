/* What a match has come to, for whoever keeps something of it. */
#include "suites.h"
#include "table.h"
#include <room/result.h>
#include <stdio.h>
#include <string.h>

static struct table table;
static struct room_result result;

static void begin(const char *create)
{
    table_open(&table, create);
    table_start(&table);
    ck_assert(!room_result(table.room, &result));
}

static void end(void)
{
    ck_assert(room_result(table.room, &result));
    ck_assert_str_eq(result.room_id, room_id(table.room));
    ck_assert_str_eq(result.game, "taluva");
    ck_assert_str_eq(result.reason, table_look_string(&table, "result.why"));
    ck_assert_int_eq(result.ended_ms, table.now_ms);
}

START_TEST(test_nobody_has_a_result_before_the_end)
{
    table_open(&table, "");
    ck_assert(!room_result(table.room, &result));
    table_close(&table);
}
END_TEST

START_TEST(test_decided_by_the_game)
{
    begin("\"options\":{\"players\":3},\"access\":\"open\",\"hints\":true,"
          "\"clock\":{\"kind\":\"move\",\"move_s\":60,\"on_timeout\":\"eliminate\"}");
    expect_ok(table_send(&table, BO, "resign", ""));
    table_play(&table, 1, 2);
    table.now_ms += 1000;
    expect_ok(table_send(&table, ANA, "resign", ""));
    end();
    ck_assert(result.decided);
    ck_assert_uint_eq(result.seats, 3);
    ck_assert_uint_eq(result.teams, 0);
    for (unsigned i = 0; i < 3; i++) {
        const struct room_result_seat *seat = &result.seat[i];
        char path[32];
        (void)snprintf(path, sizeof path, "result.ranks.%u", i);
        ck_assert_uint_eq(seat->session, ANA + i);
        ck_assert_int_eq(seat->rank, table_look_int(&table, path));
        ck_assert_int_eq(seat->won, i == 2);
        ck_assert_int_eq(seat->in_play, i == 2);
        ck_assert_int_eq(seat->resigned, i != 2);
        ck_assert_uint_eq(seat->out_moves, i == 0 ? 2 : 0); /* Bo gave up first */
        ck_assert_uint_eq(seat->level, 0);
        ck_assert_uint_eq(seat->team, 0);
        ck_assert(!seat->stood_in_for);
        ck_assert_uint_eq(seat->hints, 0);
    }
    ck_assert(result.hints);
    ck_assert_int_eq(result.access, PROTOCOL_ACCESS_OPEN);
    ck_assert_int_eq(result.clock.kind, PROTOCOL_CLOCK_MOVE);
    ck_assert_uint_eq(result.clock.move_s, 60);
    table_close(&table);
}
END_TEST

/* Partners sit opposite each other and win together, also who has resigned. */
START_TEST(test_teams)
{
    begin("\"options\":{\"players\":4,\"teams\":true}");
    expect_ok(table_send(&table, DEE, "resign", ""));
    expect_ok(table_send(&table, ANA, "resign", ""));
    expect_ok(table_send(&table, CHI, "resign", ""));
    end();
    ck_assert(result.decided);
    ck_assert_uint_eq(result.teams, 2);
    for (unsigned i = 0; i < 4; i++) {
        ck_assert_uint_eq(result.seat[i].team, i % 2);
        ck_assert_uint_eq(result.seat[i].rank, 0);
        ck_assert_int_eq(result.seat[i].won, i % 2 == 1);
        ck_assert_int_eq(result.seat[i].in_play, i == 1);
    }
    table_close(&table);
}
END_TEST

/* Then nobody has won, and a computer is nobody's session. */
START_TEST(test_called_off)
{
    table_open(&table, "\"options\":{\"players\":2}");
    expect_ok(table_send(&table, ANA, "join", ""));
    expect_ok(table_send(&table, ANA, "bot", "\"seat\":1,\"level\":2"));
    expect_ok(table_send(&table, ANA, "ready", "\"ready\":true"));
    expect_ok(table_send(&table, ANA, "start", ""));
    expect_ok(table_send(&table, ANA, "offer", "\"what\":\"call_off\""));
    (void)table_due(&table);
    end();
    ck_assert(!result.decided);
    ck_assert_uint_eq(result.teams, 0);
    ck_assert_uint_eq(result.seat[0].session, ANA);
    ck_assert_uint_eq(result.seat[1].session, 0);
    ck_assert_uint_eq(result.seat[1].level, 2);
    ck_assert(result.seat[0].asked_off); /* whose word alone it was */
    ck_assert(!result.seat[1].asked_off);
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_uint_eq(result.seat[i].rank, 0);
        ck_assert(!result.seat[i].won);
    }
    table_close(&table);
}
END_TEST

START_TEST(test_options)
{
    struct buffer buffer;
    struct writer writer;
    begin("\"options\":{\"players\":3,\"tiles\":24}");
    buffer_init(&buffer, 0, 4096);
    writer_init(&writer, &buffer);
    room_write_options(table.room, &writer);
    json_t *options = json_loadb(buffer_payload(&buffer), buffer.len, 0, NULL);
    ck_assert(json_equal(options, table_look(&table, "options")));
    json_decref(options);
    buffer_release(&buffer);
    table_close(&table);
}
END_TEST

/* ---- what is rated */

static const char three_rated[] = "\"options\":{\"players\":3}";

START_TEST(test_the_class_is_in_the_first_event)
{
    table_open_rated(&table, three_rated, "taluva.table.live");
    ck_assert_str_eq(table_look_string(&table, "rated"), "taluva.table.live");
    struct room *again = table_regrow(&table);
    ck_assert_uint_eq(table_fingerprint(again), table_fingerprint(table.room));
    room_destroy(again);
    table_start_seated(&table);
    table_check_replay(&table);
    table_close(&table);
    table_open(&table, three_rated);
    ck_assert_ptr_null(table_look(&table, "rated"));
    table_close(&table);
}
END_TEST

/* Who plays for a rating does not choose with whom; but may leave. */
START_TEST(test_seats_are_given)
{
    table_open_rated(&table, three_rated, "taluva.table.live");
    expect_code(table_send(&table, ANA, "sit", "\"seat\":1"), "seats_given");
    expect_code(table_send(&table, ANA, "sit", "\"colour\":\"black\""), "seats_given");
    expect_code(table_send(&table, ANA, "unseat", "\"seat\":1"), "seats_given");
    expect_code(table_send(&table, DEE, "join", ""), "seats_given");
    expect_code(table_send(&table, BO, "join", ""), "same");
    expect_ok(table_send(&table, BO, "leave", ""));
    expect_code(table_send(&table, DEE, "join", ""), "seats_given");
    expect_code(table_send(&table, ANA, "bot", ""), "seats_given");
    table_close(&table);
}
END_TEST

/* Everybody has ended two turns, and only then somebody resigns: or one of them has not. */
START_TEST(test_hardly_begun)
{
    const bool early = _i < 6;
    table_open_rated(&table, three_rated, "taluva.table.live");
    table_start_seated(&table);
    for (int turn = 0; turn < _i; turn++) {
        const uint64_t mover = table_mover(&table);
        while (table_mover(&table) == mover)
            expect_ok(table_move(&table, mover, table_any_move(&table, 1)));
    }
    expect_ok(table_send(&table, BO, "resign", ""));
    table_play(&table, 1, 40); /* all have ended two by now */
    if (room_phase(table.room) != PROTOCOL_PHASE_OVER)
        expect_ok(table_send(&table, ANA, "resign", ""));
    end();
    ck_assert_str_eq(result.rated, "taluva.table.live");
    ck_assert_int_eq(result.early_out, early);
    table_close(&table);
}
END_TEST

/* Each word is by whoever it begins with, a, b or c: offers that it is called off, takes that back
 * (-), or resigns (!). All agree to pause (p) and to go on (r). */
static const struct {
    const char *words;
    int asker; /* -1: nobody, as it is decided otherwise */
} call_offs[] = {
    {"a b c", 0},       {"b c a", 1},      {"a b a- c a", 1},    {"a b a- b- c a b", 2},
    {"a p r c a b", 2}, {"a b! c", 0},     {"a a! b c", 1},      {"b! c a", 2},
    {"a p c b a", 2},   {"a b b! c!", -1}, {"a b b- c! b!", -1},
};

static void offer_all(const char *what)
{
    for (uint64_t who = ANA; who <= CHI; who++)
        expect_ok(table_send(&table, who, "offer", what));
}

static void say_word(const char *word)
{
    const uint64_t who = ANA + (uint64_t)(*word - 'a');
    if (*word == 'p')
        offer_all("\"what\":\"pause\"");
    else if (*word == 'r')
        offer_all("\"what\":\"resume\"");
    else if (word[1] == '!')
        expect_ok(table_send(&table, who, "resign", ""));
    else
        expect_ok(table_send(&table, who, word[1] == '-' ? "withdraw" : "offer",
                             "\"what\":\"call_off\""));
}

START_TEST(test_who_has_asked_to_call_it_off)
{
    const char *word = call_offs[_i].words;
    table_open_rated(&table, three_rated, "taluva.table.live");
    table_start_seated(&table);
    for (; word; word = strchr(word, ' ')) {
        word += *word == ' ';
        say_word(word);
    }
    (void)table_due(&table);
    end();
    ck_assert_int_eq(result.decided, call_offs[_i].asker < 0);
    for (int seat = 0; seat < 3; seat++)
        ck_assert_int_eq(result.seat[seat].asked_off, seat == call_offs[_i].asker);
    table_close(&table);
}
END_TEST

/* Who was gone by then, though they had asked before. */
START_TEST(test_whoever_is_replaced_has_not_asked)
{
    begin(three_rated);
    expect_ok(table_send(&table, ANA, "offer", "\"what\":\"call_off\""));
    room_present(table.room, 0, false, table.now_ms);
    table_wait(&table, ROOM_AWAY_MS);
    expect_ok(table_send(&table, BO, "offer", "\"what\":\"computer\""));
    expect_ok(table_send(&table, BO, "offer", "\"what\":\"call_off\""));
    expect_ok(table_send(&table, CHI, "offer", "\"what\":\"call_off\""));
    end();
    ck_assert(!result.seat[0].asked_off && result.seat[1].asked_off && !result.seat[2].asked_off);
    table_close(&table);
}
END_TEST

static void has_result(const char *line)
{
    struct buffer record;
    buffer_init(&record, 0, 65536);
    ck_assert_int_eq(room_write_record(table.room, room_seq(table.room), "test", NULL, &record), 0);
    buffer_append_byte(&record, '\0');
    ck_assert_msg(strstr(buffer_payload(&record), line), "%s", buffer_payload(&record));
    buffer_release(&record);
}

START_TEST(test_the_record_says_so)
{
    table_open_rated(&table, three_rated, "taluva.table.live");
    table_start_seated(&table);
    expect_ok(table_send(&table, BO, "resign", ""));
    expect_ok(table_send(&table, ANA, "resign", ""));
    has_result("[Result.rated \"no: aborted\"]\n");
    ck_assert_str_eq(table_look_string(&table, "result.unrated"), "aborted");
    has_result("[Result.accounts \"0000000000000065 0000000000000066 0000000000000067\"]\n");
    table_close(&table);
    table_open_rated(&table, three_rated, "taluva.table.live");
    table_start_seated(&table);
    table_play(&table, 1, 60);
    expect_ok(table_send(&table, BO, "resign", ""));
    expect_ok(table_send(&table, ANA, "resign", ""));
    has_result("[Result.rated \"taluva.table.live\"]\n");
    ck_assert_ptr_null(table_look(&table, "result.unrated"));
    table_close(&table);
    table_open_rated(&table, three_rated, "taluva.table.live");
    table_start_seated(&table);
    for (uint64_t who = ANA; who <= CHI; who++)
        expect_ok(table_send(&table, who, "offer", "\"what\":\"call_off\""));
    (void)table_due(&table);
    has_result("[Result.rated \"no: called-off\"]\n");
    ck_assert_str_eq(table_look_string(&table, "result.unrated"), "called-off");
    room_destroy(table_regrow(&table));
    table_close(&table);
    begin(three_rated); /* was not to be */
    expect_ok(table_send(&table, BO, "resign", ""));
    expect_ok(table_send(&table, ANA, "resign", ""));
    ck_assert_ptr_nonnull(table_look(&table, "result.why"));
    ck_assert_ptr_null(table_look(&table, "result.unrated"));
    table_close(&table);
}
END_TEST

/* A rematch is made by hand. */
START_TEST(test_a_rematch_is_not_rated)
{
    struct room_seed seed = {.id = "7c2k0v5n", .host = ANA};
    struct refusal refusal;
    table_open_rated(&table, three_rated, "taluva.table.live");
    struct room *rematch = room_create_rematch(table.room, &seed, table.now_ms, &refusal);
    ck_assert_str_eq(rematch->setup.rated, "");
    room_destroy(rematch);
    table_close(&table);
}
END_TEST

START_TEST(test_no_class)
{
    static const char *const wrong[] = {
        "rated= {}",   "rated=Taluva {}", "rated=taluva.duel.live",
        "rated=a1 {}", "rated={}",        "rated=abcdefghijklmnopqrstuvwxy {}",
        "rules=x {}",
    };
    char rated[PROTOCOL_RATED_BYTES + 1];
    unsigned version;
    const char *request;
    size_t len;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const struct room_event event = {.text = wrong[i], .text_len = (uint16_t)strlen(wrong[i])};
        ck_assert_msg(!setup_split(&event, &version, rated, &request, &len), "%s", wrong[i]);
    }
    static const char right[] = "rules=2 rated=abcdefghijklmnopqrstuvwx {}";
    const struct room_event event = {.text = right, .text_len = sizeof right - 1};
    ck_assert(setup_split(&event, &version, rated, &request, &len));
    ck_assert_str_eq(rated, "abcdefghijklmnopqrstuvwx");
    ck_assert_uint_eq(version, 2);
    ck_assert_uint_eq(len, 2);
}
END_TEST

Suite *result_suite(void)
{
    Suite *suite = suite_create("result");
    TCase *tests = tcase_create("result");
    tcase_add_test(tests, test_nobody_has_a_result_before_the_end);
    tcase_add_test(tests, test_decided_by_the_game);
    tcase_add_test(tests, test_teams);
    tcase_add_test(tests, test_called_off);
    tcase_add_test(tests, test_options);
    tcase_add_test(tests, test_the_class_is_in_the_first_event);
    tcase_add_test(tests, test_seats_are_given);
    tcase_add_loop_test(tests, test_hardly_begun, 0, 9);
    tcase_add_test(tests, test_the_record_says_so);
    tcase_add_loop_test(tests, test_who_has_asked_to_call_it_off, 0,
                        sizeof call_offs / sizeof call_offs[0]);
    tcase_add_test(tests, test_whoever_is_replaced_has_not_asked);
    tcase_add_test(tests, test_a_rematch_is_not_rated);
    tcase_add_test(tests, test_no_class);
    suite_add_tcase(suite, tests);
    return suite;
}
