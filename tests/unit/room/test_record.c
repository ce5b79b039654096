/* The record of a match of Taluva. */
#include "suites.h"
#include "table.h"
#include <protocol/record.h>
#include <protocol/signature.h>
#include <stdio.h>
#include <string.h>

static struct table table;

static void open_match(const char *options)
{
    char create[256];
    (void)snprintf(create, sizeof create, "\"options\":%s", options);
    table_open(&table, create);
    ck_assert_ptr_nonnull(table.room);
    table_start(&table);
}

static void end(void)
{
    table_check_replay(&table);
    table_close(&table);
}

/* "TILE@0,0:0" with the tile in hand */
static const char *first_placement(void)
{
    static char move[32];
    (void)snprintf(move, sizeof move, "%s@0,0:0", table_look_string(&table, "table.turn.tile"));
    return move;
}

static void read_record(struct record *record, struct buffer *buffer, uint64_t seq)
{
    struct record_problem problem;
    struct buffer again;
    buffer_init(buffer, 0, RECORD_BYTES);
    ck_assert_int_eq(room_write_record(table.room, seq, "taluvad 0.1", NULL, buffer), 0);
    ck_assert_msg(record_parse(record, buffer_payload(buffer), buffer->len, &problem), "%s",
                  problem.message);
    buffer_init(&again, 0, RECORD_BYTES);
    ck_assert(record_write(&again, record));
    ck_assert_uint_eq(again.len, buffer->len);
    ck_assert(memcmp(buffer_payload(&again), buffer_payload(buffer), again.len) == 0);
    buffer_release(&again);
}

/* When it began and ended is said once it has. */
START_TEST(test_record_times)
{
    struct record record;
    struct buffer buffer;
    open_match("{}");
    table_wait(&table, 1500);
    expect_ok(table_send(&table, ANA, "resign", ""));
    const uint64_t over = room_seq(table.room);
    uint64_t begun = 0;
    int64_t start_ms = RECORD_NO_TIME;
    for (uint64_t seq = 1; seq <= over; seq++) {
        read_record(&record, &buffer, seq);
        if (record.start_ms != RECORD_NO_TIME && begun == 0) {
            begun = seq;
            start_ms = record.start_ms;
        }
        ck_assert_int_eq(record.start_ms, start_ms);
        ck_assert_int_eq(record.end_ms, seq == over ? start_ms + 1500 : RECORD_NO_TIME);
        record_release(&record);
        buffer_release(&buffer);
    }
    ck_assert_uint_eq(begun, over - 1); /* the lobby before it has no time */
    end();
}
END_TEST

START_TEST(test_record)
{
    struct record record;
    struct buffer buffer;
    open_match("{\"players\":3,\"first\":0,\"two_hex\":true}");
    table_wait(&table, 1500);
    expect_ok(table_move(&table, ANA, "draw"));
    char move[32];
    (void)snprintf(move, sizeof move, "%s", first_placement());
    expect_ok(table_move(&table, ANA, move));
    expect_ok(table_send(&table, ANA, "undo", ""));
    expect_ok(table_move(&table, ANA, move));
    table_wait(&table, 500);
    expect_ok(table_move(&table, ANA, "hut@1,0"));
    expect_ok(table_send(&table, CHI, "resign", ""));
    expect_ok(table_move(&table, BO, "draw"));
    expect_ok(table_move(&table, BO, table_any_move(&table, 1)));

    read_record(&record, &buffer, room_seq(table.room));
    ck_assert_uint_eq(record.line_count, 3);
    char text[64];
    (void)snprintf(text, sizeof text, "%s hut@1,0", move);
    ck_assert_str_eq(record.lines[0].text, text);
    ck_assert_int_eq(record.lines[0].spent_ms, 2000);
    ck_assert_str_eq(record.lines[1].text, "resigned");
    ck_assert_uint_eq(record.lines[1].seat, 2);
    ck_assert_int_eq(record.lines[2].spent_ms, RECORD_NO_TIME); /* not finished */
    ck_assert_ptr_null(record.secret);
    ck_assert_uint_eq(record.deal_count, 0);
    ck_assert_uint_eq(record.result_count, 0);
    ck_assert_str_eq(record_find(record.options, record.option_count, "two_hex"), "yes");
    ck_assert_str_eq(record_find(record.options, record.option_count, "first"), "0");
    const int64_t began_ms = record.start_ms;
    ck_assert_int_eq(began_ms, table.now_ms - 2000);
    ck_assert_int_eq(record.end_ms, RECORD_NO_TIME);
    record_release(&record);
    buffer_release(&buffer);

    expect_ok(table_send(&table, ANA, "resign", ""));
    read_record(&record, &buffer, room_seq(table.room));
    ck_assert_str_eq(record.secret,
                     "030a11181f262d343b424950575e656c737a81888f969da4abb2b9c0c7ced5dc");
    ck_assert_str_eq(record_find(record.result, record.result_count, "winners"), "1");
    ck_assert_str_eq(record_find(record.result, record.result_count, "ranks"), "1 0 2");
    ck_assert_int_eq(record.start_ms, began_ms);
    ck_assert_int_eq(record.end_ms, table.now_ms);
    const char *deck = record_find(record.deal, record.deal_count, "deck");
    ck_assert_uint_eq(strlen(deck), 48 * 3 - 1);
    ck_assert_uint_eq(strlen(record_find(record.deal, record.deal_count, "two_hex")), 3 * 4 - 1);
    record_release(&record);
    buffer_release(&buffer);

    for (uint64_t seq = 1; seq <= room_seq(table.room); seq++) {
        read_record(&record, &buffer, seq);
        ck_assert_int_eq(record.secret != NULL, seq == room_seq(table.room));
        record_release(&record);
        buffer_release(&buffer);
    }
    end();
}
END_TEST

/* A tile that was drawn instead of taking a 2-Hex tile is gone, whoever draws next. */
START_TEST(test_record_of_a_draw_without_a_placement)
{
    struct record record;
    struct buffer buffer;
    open_match("{\"players\":3,\"first\":0,\"two_hex\":true}");
    expect_ok(table_move(&table, ANA, "draw"));
    expect_ok(table_send(&table, ANA, "resign", ""));
    expect_ok(table_move(&table, BO, "draw"));
    expect_ok(table_move(&table, BO, table_any_move(&table, 1)));
    expect_ok(table_send(&table, CHI, "resign", ""));
    read_record(&record, &buffer, room_seq(table.room));
    ck_assert_uint_eq(record.line_count, 4);
    ck_assert_str_eq(record.lines[0].text, "draw");
    ck_assert_uint_eq(record.lines[0].number, 1);
    ck_assert_uint_eq(record.lines[0].seat, 0);
    ck_assert_int_eq(record.lines[0].spent_ms, RECORD_NO_TIME);
    ck_assert_str_eq(record.lines[1].text, "resigned");
    ck_assert_uint_eq(record.lines[2].seat, 1);
    ck_assert_str_eq(record.lines[3].text, "resigned"); /* not in turn: it has drawn nothing */
    record_release(&record);
    buffer_release(&buffer);
    end();
}
END_TEST

START_TEST(test_record_of_a_match_called_off)
{
    struct record record;
    struct buffer buffer;
    open_match("{\"first\":1}");
    expect_ok(table_send(&table, ANA, "offer", "\"what\":\"pause\""));
    expect_ok(table_send(&table, BO, "offer", "\"what\":\"pause\""));
    expect_ok(table_send(&table, ANA, "offer", "\"what\":\"resume\""));
    expect_ok(table_send(&table, BO, "offer", "\"what\":\"resume\""));
    expect_ok(table_move(&table, BO, first_placement()));
    expect_ok(table_send(&table, ANA, "offer", "\"what\":\"call_off\""));
    expect_ok(table_send(&table, BO, "offer", "\"what\":\"call_off\""));
    read_record(&record, &buffer, room_seq(table.room));
    ck_assert_uint_eq(record.line_count, 4);
    ck_assert_str_eq(record.lines[0].text, "paused");
    ck_assert_str_eq(record.lines[1].text, "resumed");
    ck_assert_uint_eq(record.lines[2].number, 1);
    ck_assert_str_eq(record.lines[3].text, "called_off");
    ck_assert_uint_eq(record.result_count, 1);
    ck_assert_str_eq(record_find(record.result, 1, "why"), "called-off");
    record_release(&record);
    buffer_release(&buffer);
    end();
}
END_TEST

/* ---- signed: how a match ended, whatever rules can prove */

static void end_by_resigning(void)
{
    expect_ok(table_send(&table, ANA, "resign", ""));
}

static void end_by_time(void)
{
    table_wait(&table, 61000);
}

static void end_by_agreement(void)
{
    expect_ok(table_send(&table, ANA, "offer", "\"what\":\"call_off\""));
    expect_ok(table_send(&table, BO, "offer", "\"what\":\"call_off\""));
}

static void end_by_rules(void)
{
    table_play(&table, 3, 1000);
}

static void (*const ends[])(void) = {end_by_resigning, end_by_time, end_by_agreement, end_by_rules};

static enum record_signature signature_at(const struct record_signer *signer, uint64_t seq)
{
    struct record record;
    struct record_problem problem;
    struct buffer text;
    char id[KEY_ID_BYTES + 1];
    buffer_init(&text, 0, RECORD_BYTES);
    ck_assert_int_eq(room_write_record(table.room, seq, "taluvad 0.1", signer, &text), 0);
    ck_assert(record_parse(&record, buffer_payload(&text), text.len, &problem));
    enum record_signature found = record_check_signature(&record, &signer->keys, id);
    if (found == RECORD_SIGNED) {
        ck_assert_str_eq(record.result[record.result_count - 1].name, RECORD_SIGNATURE_NAME);
        ck_assert_str_eq(id, signer->keys.list[0].id);
    }
    record_release(&record);
    buffer_release(&text);
    return found;
}

START_TEST(test_record_signed)
{
    const uint8_t seed[SIGNING_SEED_BYTES] = {3};
    struct record_signer signer;
    record_signer_init(&signer, seed, 1);
    table_open(&table, "\"clock\":{\"kind\":\"move\",\"move_s\":60},\"options\":{\"tiles\":24}");
    table_start(&table);
    ends[_i]();
    ck_assert_int_eq(room_phase(table.room), PROTOCOL_PHASE_OVER);
    const uint64_t over = room_seq(table.room);
    ck_assert_int_eq(signature_at(&signer, over), RECORD_SIGNED);
    for (uint64_t seq = 1; seq < over; seq++)
        ck_assert_int_eq(signature_at(&signer, seq), RECORD_NOT_SIGNED);
    end();
}
END_TEST

Suite *record_suite(void)
{
    Suite *suite = suite_create("record");
    TCase *tcase = tcase_create("record");
    tcase_add_test(tcase, test_record);
    tcase_add_test(tcase, test_record_times);
    tcase_add_test(tcase, test_record_of_a_draw_without_a_placement);
    tcase_add_test(tcase, test_record_of_a_match_called_off);
    tcase_add_loop_test(tcase, test_record_signed, 0, sizeof ends / sizeof ends[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
