/*
 * Plays the matches whose records other tests change in every way: room-records DIR writes one file
 * each. Both games, with teams, ranking, the expansion box, seats that leave and other endings.
 */
#include "table.h"
#include <games/game.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <taluva/game.h>
#include <totem/game.h>

enum { TO_THE_END = 100000 };

static const struct game_type *const all_games[] = {&game_type_taluva, &game_type_totem, NULL};

/* ---- what happens after some moves have been made */

static void resign_last_seat(struct table *table)
{
    expect_ok(table_send(table, ANA + room_seats(table->room) - 1, "resign", ""));
}

static void call_off(struct table *table)
{
    for (unsigned i = 0; i < room_seats(table->room); i++)
        expect_ok(table_send(table, ANA + i, "offer", "\"what\":\"call_off\""));
}

static void run_out_of_time(struct table *table)
{
    table_wait(table, 61000);
}

static void take_a_hint(struct table *table)
{
    expect_ok(table_send(table, ANA, "hint", ""));
}

/* ---- the matches; the first one is played against the computer */

static const struct {
    const char *name, *create;
    unsigned moves; /* before `then` */
    void (*then)(struct table *table);
} matches[] = {
    {"plain", "\"title\":\"A \\\"quoted\\\" \\\\ title\",\"options\":{\"tiles\":24}", 5,
     take_a_hint},
    {"teams", "\"options\":{\"players\":4,\"teams\":true,\"tiles\":24}", TO_THE_END, NULL},
    {"ranking", "\"options\":{\"players\":3,\"ranking\":true,\"tiles\":36,\"first\":1}", TO_THE_END,
     NULL},
    {"box",
     "\"options\":{\"players\":5,\"boats\":true,\"two_hex\":true,\"zone\":\"player\","
     "\"tiles\":36}",
     TO_THE_END, NULL},
    {"resigned", "\"options\":{\"players\":3,\"two_hex\":true,\"tiles\":24}", 9, resign_last_seat},
    {"time", "\"clock\":{\"kind\":\"move\",\"move_s\":60}", 12, run_out_of_time},
    {"called-off", "\"options\":{\"tiles\":36,\"preset\":\"original-2006\"}", 14, call_off},
    {"totem", "\"game\":\"totem\",\"options\":{\"players\":4,\"rounds\":3}", TO_THE_END, NULL},
    {"totem-two",
     "\"game\":\"totem\",\"options\":{\"players\":2,\"rounds\":4,\"spells\":\"B\",\"meals\":\"A\","
     "\"village\":true,\"totem_b\":true,\"first\":\"G\"}",
     TO_THE_END, NULL},
    {"totem-resigned", "\"game\":\"totem\",\"options\":{\"players\":3,\"rounds\":3}", 20,
     resign_last_seat},
};

/* The next move of some seat; false: nobody may act. */
static bool play_one(struct table *table, uint64_t *seed)
{
    const struct setup *setup = &table->room->setup;
    char move[PROTOCOL_MOVE_BYTES + 1], members[PROTOCOL_MOVE_BYTES + 64];
    uint32_t acting = match_acting(setup, table->room->match);
    unsigned seat = 0;
    if (acting == 0)
        return false;
    while (!((acting >> seat) & 1))
        seat++;
    if (room_seat_session(table->room, (uint8_t)seat) == 0)
        return table_due(table) > 0;
    size_t len = game_choose(setup->game, match_game_of(table->room->match), seat, 2,
                             test_random(seed, UINT32_MAX), move);
    move[len] = '\0';
    table->now_ms += 1 + test_random(seed, 90000) % 30000;
    (void)snprintf(members, sizeof members, "\"move\":\"%s\",\"confirm\":true", move);
    expect_ok(table_send(table, ANA + seat, "move", members));
    return true;
}

static void write_file(const struct table *table, const char *folder, const char *name)
{
    char path[1024];
    struct buffer buffer;
    buffer_init(&buffer, 0, RECORD_BYTES);
    ck_assert_int_eq(
        room_write_record(table->room, room_seq(table->room), "taluvad 0.1.0", NULL, &buffer), 0);
    (void)snprintf(path, sizeof path, "%s/%s.taluva", folder, name);
    FILE *file = fopen(path, "wb");
    ck_assert_msg(file, "%s cannot be written", path);
    ck_assert_uint_eq(fwrite(buffer_payload(&buffer), 1, buffer.len, file), buffer.len);
    ck_assert_int_eq(fclose(file), 0);
    buffer_release(&buffer);
}

static const char *folder;

/* Ana against the computer. */
static void start_with_bot(struct table *table)
{
    expect_ok(table_send(table, ANA, "join", ""));
    expect_ok(table_send(table, ANA, "bot", "\"level\":1"));
    expect_ok(table_send(table, ANA, "ready",
                         "\"ready\":true,\"nonce\":\"9f86d081884c7d659a2feaa0c55ad015\""));
    expect_ok(table_send(table, ANA, "start", ""));
}

START_TEST(play)
{
    struct table table;
    uint64_t seed = (uint64_t)_i + 1;
    table_open_game(&table, all_games, matches[_i].create);
    ck_assert_ptr_nonnull(table.room);
    if (_i == 0)
        start_with_bot(&table);
    else
        table_start(&table);
    unsigned made = 0;
    while (made < matches[_i].moves && play_one(&table, &seed))
        made++;
    if (matches[_i].then)
        matches[_i].then(&table);
    while (play_one(&table, &seed))
        made++;
    ck_assert_int_eq(room_phase(table.room), PROTOCOL_PHASE_OVER);
    write_file(&table, folder, matches[_i].name);
    table_close(&table);
}
END_TEST

int main(int argc, char **argv)
{
    if (sodium_init() < 0 || argc != 2)
        return EXIT_FAILURE;
    folder = argv[1];
    Suite *suite = suite_create("records");
    TCase *tcase = tcase_create("records");
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, play, 0, sizeof matches / sizeof matches[0]);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
