/* Seats, colours, computers, readiness, start, access, rematch. */
#include "suites.h"
#include "table.h"
#include "taluva_match.h"
#include <cards.h>
#include <room/default_name.h>
#include <stdio.h>
#include <string.h>

static struct table table;

static void open_two(void)
{
    table_open(&table, "");
}

static void close_table(void)
{
    table_close(&table);
}

START_TEST(test_new_lobby)
{
    ck_assert_str_eq(table_look_string(&table, "game"), "taluva");
    ck_assert_str_eq(table_look_string(&table, "phase"), "lobby");
    ck_assert_str_eq(table_look_string(&table, "access"), "open");
    ck_assert_str_eq(table_look_string(&table, "options.preset"), "ferti-2014");
    ck_assert_int_eq(table_look_int(&table, "options.tiles"), 48);
    ck_assert_str_eq(table_look_string(&table, "options.first"), "drawn");
    ck_assert_str_eq(table_look_string(&table, "clock.kind"), "none");
    ck_assert_uint_eq(strlen(table_look_string(&table, "fair.commitment")), 64);
    ck_assert_uint_eq(json_object_size(table_look(&table, "seats")), 0);
    ck_assert_ptr_null(table_look(&table, "title"));
    ck_assert_ptr_null(table_look(&table, "table"));
    ck_assert_ptr_null(table_look(&table, "acting"));
    ck_assert_ptr_null(table_look(&table, "fair.secret"));
    ck_assert_uint_eq(room_seq(table.room), 1);
}
END_TEST

START_TEST(test_join)
{
    expect_ok(table_send(&table, BO, "join", ""));
    ck_assert_str_eq(table_look_string(&table, "seats.0.name"), "Bo");
    ck_assert_str_eq(table_look_string(&table, "seats.0.colour"), "red");
    ck_assert_str_eq(json_string_value(json_object_get(table.event, "kind")), "sat");
    ck_assert_str_eq(json_string_value(json_object_get(table.event, "name")), "Bo");
    expect_code(table_send(&table, BO, "join", ""), "same");
    expect_code(table_send(&table, BO, "join", "\"seat\":0"), "same");
    expect_code(table_send(&table, BO, "join", "\"seat\":1"), "already_seated");
    expect_code(table_send(&table, ANA, "join", "\"seat\":0"), "seat_taken");
    expect_code(table_send(&table, ANA, "join", "\"seat\":2"), "unknown_seat");
    expect_code(table_send(&table, ANA, "join", "\"colour\":\"red\""), "colour_taken");
    expect_code(table_send(&table, ANA, "join", "\"colour\":\"spade\""), "unknown_colour");
    ck_assert_str_eq(table.refusal.field, "colour");
    expect_ok(table_send(&table, ANA, "join", "\"colour\":\"black\""));
    ck_assert_str_eq(table_look_string(&table, "seats.1.colour"), "black");
    expect_code(table_send(&table, CHI, "join", ""), "no_seat_free");
    ck_assert_uint_eq(room_seat_of(table.room, ANA), 1);
}
END_TEST

START_TEST(test_sit)
{
    expect_code(table_send(&table, ANA, "sit", "\"seat\":1"), "not_seated");
    expect_ok(table_send(&table, ANA, "join", ""));
    expect_ok(table_send(&table, ANA, "ready", "\"ready\":true"));
    expect_ok(table_send(&table, ANA, "sit", "\"colour\":\"white\""));
    ck_assert(json_is_true(table_look(&table, "seats.0.ready")));
    expect_ok(table_send(&table, ANA, "sit", "\"seat\":1"));
    ck_assert_ptr_null(table_look(&table, "seats.0"));
    ck_assert_str_eq(table_look_string(&table, "seats.1.colour"), "white");
    ck_assert(json_is_false(table_look(&table, "seats.1.ready"))); /* another seat, asked anew */
    expect_code(table_send(&table, ANA, "sit", "\"seat\":1"), "same");
    expect_ok(table_send(&table, BO, "join", ""));
    expect_code(table_send(&table, BO, "sit", "\"colour\":\"white\""), "colour_taken");
    expect_code(table_send(&table, BO, "sit", "\"seat\":1"), "seat_taken");
}
END_TEST

START_TEST(test_leave_and_unseat)
{
    expect_code(table_send(&table, BO, "leave", ""), "same");
    expect_ok(table_send(&table, BO, "join", ""));
    expect_ok(table_send(&table, BO, "leave", ""));
    ck_assert_str_eq(json_string_value(json_object_get(table.event, "kind")), "stood");
    ck_assert_str_eq(json_string_value(json_object_get(table.event, "name")), "Bo");
    expect_ok(table_send(&table, BO, "join", ""));
    expect_code(table_send(&table, BO, "unseat", "\"seat\":0"), "not_host");
    expect_code(table_send(&table, ANA, "unseat", "\"seat\":1"), "seat_empty");
    expect_code(table_send(&table, ANA, "unseat", "\"seat\":2"), "unknown_seat");
    expect_ok(table_send(&table, ANA, "unseat", "\"seat\":0"));
    ck_assert_uint_eq(room_seat_of(table.room, BO), ROOM_NO_SEAT);
}
END_TEST

START_TEST(test_ready_and_start)
{
    expect_code(table_send(&table, BO, "ready", "\"ready\":true"), "not_seated");
    expect_ok(table_send(&table, BO, "join", ""));
    expect_code(table_send(&table, CHI, "start", ""), "not_seated");
    expect_code(table_send(&table, BO, "start", ""), "not_ready");
    expect_ok(table_send(&table, BO, "ready",
                         "\"ready\":true,\"nonce\":\"ABCDEFabcdef00000000000000000000\""));
    ck_assert_str_eq(table_look_string(&table, "fair.nonces.0"),
                     "abcdefabcdef00000000000000000000");
    expect_ok(table_send(&table, BO, "ready", "\"ready\":false"));
    ck_assert_ptr_null(table_look(&table, "fair.nonces"));
    expect_code(table_send(&table, BO, "ready", "\"ready\":false"), "same");
    expect_ok(table_send(&table, BO, "ready", "\"ready\":true"));
    expect_code(table_send(&table, ANA, "start", ""), "not_ready");
    expect_ok(table_send(&table, ANA, "bot", ""));
    ck_assert(json_is_true(table_look(&table, "seats.1.bot")));
    ck_assert(json_is_true(table_look(&table, "seats.1.ready")));
    expect_ok(table_send(&table, ANA, "start", "")); /* the host has no seat and may */
    ck_assert_str_eq(table_look_string(&table, "phase"), "playing");
    expect_code(table_send(&table, CHI, "join", ""), "not_in_lobby");
    expect_code(table_send(&table, BO, "sit", "\"seat\":0"), "not_in_lobby");
    expect_code(table_send(&table, ANA, "start", ""), "not_in_lobby");
    expect_code(table_send(&table, ANA, "unseat", "\"seat\":0"), "not_in_lobby");
    expect_code(table_send(&table, BO, "leave", ""), "same"); /* keeps the seat */
    ck_assert_uint_eq(room_seat_of(table.room, BO), 0);
}
END_TEST

START_TEST(test_bots)
{
    expect_code(table_send(&table, BO, "bot", ""), "not_host");
    expect_ok(table_send(&table, ANA, "join", "\"colour\":\"red\""));
    expect_code(table_send(&table, ANA, "bot", "\"colour\":\"red\""), "colour_taken");
    expect_code(table_send(&table, ANA, "bot", "\"seat\":0"), "seat_taken");
    expect_ok(table_send(&table, ANA, "bot", "\"seat\":1"));
    ck_assert_str_eq(table_look_string(&table, "seats.1.colour"), "white");
    expect_ok(table_send(&table, ANA, "unseat", "\"seat\":1"));
    ck_assert_ptr_null(table_look(&table, "seats.1"));
    ck_assert_uint_eq(room_seat_of(table.room, ANA), 0);
}
END_TEST

/* "ANA" as others are called: what stands on her seat. */
static const char *name_beside(const char *first, const char *second)
{
    struct room_actor actors[] = {{.session = ANA, .name = first}, {.session = BO, .name = second}};
    for (size_t i = 0; i < 2; i++) {
        struct request request;
        struct room_event event;
        struct room_draft draft;
        struct refusal refusal;
        uint64_t repeat_seq;
        request_init(&request, 900, REQUEST_JOIN);
        ck_assert_int_eq(room_decide(table.room, &actors[i], &request, table.now_ms, &event, &draft,
                                     &refusal, &repeat_seq),
                         ROOM_ACCEPTED);
        table_apply(&table, &event);
    }
    return table_look_string(&table, "seats.1.name");
}

static const struct {
    const char *first, *second, *is;
} NAMES[] = {
    {"Ana", "Bo", "Bo"},
    {"Ana", "Ana", "Ana 2"},
    {"Ana", "\xd0\x90na", "\xd0\x90na 2"}, /* the A of another alphabet */
    {"Ana",
     "An\xe2\x80\x8b"
     "a",
     "An\xe2\x80\x8b"
     "a 2"},
    {"123456789012345678901234", "123456789012345678901234", "1234567890123456789012 2"},
};

/* No two at a table look alike. */
START_TEST(test_names_at_a_table)
{
    ck_assert_str_eq(name_beside(NAMES[_i].first, NAMES[_i].second), NAMES[_i].is);
}
END_TEST

/* Nor a computer like somebody. */
START_TEST(test_computers_are_not_called_like_people)
{
    const char *name = default_name_computer(0);
    for (size_t n = 0; n < 12; n++) {
        table_close(&table);
        table_open(&table, "");
        name_beside(default_name_computer(n), "Bo");
        expect_ok(table_send(&table, BO, "leave", ""));
        expect_ok(table_send(&table, ANA, "bot", ""));
        name = table_look_string(&table, "seats.1.name");
        ck_assert_str_ne(name, default_name_computer(n));
    }
}
END_TEST

static bool one_of_the_computers(const char *name)
{
    for (size_t n = 0; n < 12; n++) {
        if (strcmp(default_name_computer(n), name) == 0)
            return true;
    }
    return false;
}

START_TEST(test_names_of_bots)
{
    const char *names[4];
    table_close(&table);
    table_open(&table, "\"options\":{\"players\":5}");
    expect_ok(table_send(&table, ANA, "join", "\"seat\":0"));
    for (unsigned i = 0; i < 4; i++)
        expect_ok(table_send(&table, ANA, "bot", ""));
    for (unsigned i = 0; i < 4; i++) {
        char path[32];
        (void)snprintf(path, sizeof path, "seats.%u.name", i + 1);
        names[i] = table_look_string(&table, path);
        ck_assert(one_of_the_computers(names[i]));
        for (unsigned k = 0; k < i; k++)
            ck_assert_str_ne(names[i], names[k]);
    }
}
END_TEST

/* What the log says of the seat whose event came last. */
static void expect_last_text(const char *text)
{
    struct room_event event;
    room_event_at(table.room, room_seq(table.room), &event);
    ck_assert_msg(event.text_len == strlen(text) && memcmp(event.text, text, strlen(text)) == 0,
                  "%.*s", (int)event.text_len, event.text);
}

START_TEST(test_levels_of_bots)
{
    expect_code(table_send(&table, ANA, "bot", "\"level\":7"), "unknown_level");
    ck_assert_str_eq(table.refusal.field, "level");
    expect_ok(table_send(&table, ANA, "bot", "\"level\":1"));
    expect_last_text("red bot:beginner Guava");
    ck_assert_int_eq(table_look_int(&table, "seats.0.level"), 1);
    expect_ok(table_send(&table, ANA, "bot", ""));
    expect_last_text("white bot:simple Lychee");
    ck_assert_int_eq(table_look_int(&table, "seats.1.level"), 2);
    expect_ok(table_send(&table, ANA, "unseat", "\"seat\":0"));
    expect_ok(table_send(&table, BO, "join", ""));
    ck_assert_ptr_null(table_look(&table, "seats.0.level"));
    expect_last_text("red human Bo");
    expect_ok(table_send(&table, BO, "ready", "\"ready\":true"));
    expect_ok(table_send(&table, BO, "start", ""));
    expect_ok(table_send(&table, BO, "resign", ""));
    char text[ROOM_EVENT_TEXT_MAX];
    struct refusal refusal;
    struct room_event event;
    struct room *next =
        room_create_rematch(table.room, room_seed(table.room), table.now_ms, &refusal);
    ck_assert(room_decide_rematch_seat(next, table.room, 1, table.now_ms, &event, text));
    ck_assert_msg(memcmp(text, "white bot:simple", 16) == 0, "%s", "the level is kept");
    room_destroy(next);
}
END_TEST

START_TEST(test_bad_options)
{
    static const char *const bad[][2] = {
        {"{\"preset\":\"ferti-1999\"}", "options.preset"},
        {"{\"preset\":3}", "options.preset"},
        {"{\"players\":1}", "options.players"},
        {"{\"players\":6}", "options.players"},
        {"{\"players\":2.5}", "options.players"},
        {"{\"players\":\"2\"}", "options.players"},
        {"{\"tiles\":25}", "options.tiles"},
        {"{\"tiles\":60}", "options.tiles"},
        {"{\"tiles\":1000000000000}", "options.tiles"},
        {"{\"huts\":\"everywhere\"}", "options.huts"},
        {"{\"first\":2}", "options.first"},
        {"{\"first\":-1}", "options.first"},
        {"{\"first\":\"me\"}", "options.first"},
        {"{\"first\":true}", "options.first"},
        {"{\"teams\":true}", "options.teams"},
        {"{\"teams\":1}", "options.teams"},
        {"{\"players\":4,\"teams\":true,\"ranking\":true}", "options.ranking"},
        {"{\"boats\":\"yes\"}", "options.boats"},
        {"{\"two_hex\":null}", "options.two_hex"},
        {"{\"zone\":\"moon\"}", "options.zone"},
        {"{\"colour\":\"red\"}", "options"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char create[256] = "\"options\":";
        struct table other;
        strcat(create, bad[i][0]);
        table_open(&other, create);
        ck_assert_msg(!other.room, "%s", bad[i][0]);
        ck_assert_int_eq(other.refusal.error, PROTOCOL_BAD_OPTIONS);
        ck_assert_str_eq(other.refusal.field, bad[i][1]);
    }
    struct table other;
    table_open(&other, "\"game\":\"chess\"");
    ck_assert_ptr_null(other.room);
    ck_assert_int_eq(other.refusal.error, PROTOCOL_UNKNOWN_GAME);
}
END_TEST

/* A room goes by the name of its preset only if the preset's row in protocol/rules.md allows it. */
START_TEST(test_custom)
{
    static const char *const rows[][2] = {
        {"", "ferti-2014"},
        {"\"players\":2,\"tiles\":24", "ferti-2014"},
        {"\"players\":2,\"tiles\":36", "ferti-2014"},
        {"\"players\":3,\"tiles\":36", "ferti-2014"},
        {"\"players\":3,\"tiles\":24", "custom"},
        {"\"players\":4,\"tiles\":36", "custom"},
        {"\"players\":5", "custom"},
        {"\"huts\":\"anywhere\"", "custom"},
        {"\"first\":1,\"boats\":true,\"two_hex\":true,\"zone\":\"expert\"", "ferti-2014"},
        {"\"preset\":\"ferti-2013\"", "ferti-2013"},
        {"\"preset\":\"ferti-2013\",\"tiles\":48", "ferti-2013"},
        {"\"preset\":\"ferti-2013\",\"tiles\":36", "custom"},
        {"\"preset\":\"ferti-2013\",\"players\":3,\"tiles\":24", "custom"},
        {"\"preset\":\"original-2006\",\"players\":4", "original-2006"},
        {"\"preset\":\"original-2006\",\"players\":5", "custom"},
        {"\"preset\":\"original-2006\",\"tiles\":36", "custom"},
        {"\"preset\":\"original-2006\",\"huts\":\"isolated\"", "custom"},
        {"\"preset\":\"custom\"", "custom"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char create[256];
        struct table other;
        (void)snprintf(create, sizeof create, "\"options\":{%s}", rows[i][0]);
        table_open(&other, create);
        ck_assert_msg(strcmp(table_look_string(&other, "options.preset"), rows[i][1]) == 0,
                      "%s is %s", rows[i][0], table_look_string(&other, "options.preset"));
        table_check_replay(&other); /* what is written is read back */
        struct buffer record;
        buffer_init(&record, 0, RECORD_BYTES);
        ck_assert_int_eq(room_write_record(other.room, 1, "taluvad 0.1", NULL, &record), 0);
        char line[64];
        int len = snprintf(line, sizeof line, "[Option.preset \"%s\"]\n", rows[i][1]);
        ck_assert_ptr_nonnull(memmem(buffer_payload(&record), record.len, line, (size_t)len));
        buffer_release(&record);
        table_close(&other);
    }
}
END_TEST

/* Before there was `custom`, a room kept the name whatever it played. */
START_TEST(test_old_name_of_custom)
{
    static const char old[] =
        "{\"id\":0,\"op\":\"create\",\"access\":\"open\",\"clock\":{\"kind\":\"none\"},\"game\":"
        "\"taluva\",\"options\":{\"preset\":\"original-2006\",\"players\":5,\"tiles\":60,\"huts\":"
        "\"anywhere\",\"first\":\"drawn\",\"teams\":false,\"ranking\":false,\"boats\":false,"
        "\"two_hex\":false,\"zone\":\"none\"}}";
    struct room_event event;
    room_event_at(table.room, 1, &event);
    event.text = old;
    event.text_len = sizeof old - 1;
    struct room *room = room_restore(test_games, room_seed(table.room));
    ck_assert_int_eq(room_restore_event(room, &event), 0);
    const struct taluva_match *match = match_game_of(room->match);
    ck_assert_uint_eq(match->preset, TALUVA_PRESET_CUSTOM);
    ck_assert_uint_eq(match->options.tiles, 60);
    ck_assert(match->options.huts_anywhere);
    room_destroy(room);
}
END_TEST

START_TEST(test_options_and_title)
{
    struct table other;
    table_open(&other,
               "\"title\":\"\\\"Friday\\\" \\\\ 10 o'clock \\u00e9\",\"options\":{\"preset\":"
               "\"original-2006\",\"players\":5,\"tiles\":60,\"first\":4,\"boats\":true,"
               "\"two_hex\":true,\"zone\":\"expert\",\"ranking\":true},"
               "\"clock\":{\"kind\":\"byoyomi\",\"bank_s\":60,\"periods\":3,\"period_s\":20}");
    ck_assert_str_eq(table_look_string(&other, "title"), "\"Friday\" \\ 10 o'clock \u00e9");
    ck_assert_str_eq(table_look_string(&other, "options.huts"), "anywhere");
    ck_assert_int_eq(table_look_int(&other, "options.first"), 4);
    ck_assert_int_eq(table_look_int(&other, "options.tiles"), 60);
    ck_assert_str_eq(table_look_string(&other, "options.zone"), "expert");
    ck_assert_int_eq(table_look_int(&other, "clock.periods"), 3);
    ck_assert_str_eq(table_look_string(&other, "clock.on_timeout"), "eliminate");
    table_check_replay(&other);
    table_start(&other);
    ck_assert_int_eq(table_look_int(&other, "table.turn.seat"), 4);
    ck_assert_uint_eq(json_object_size(table_look(&other, "table.two_hex")), 5);
    ck_assert_str_eq(table_look_string(&other, "table.turn.step"), "draw");
    ck_assert_int_eq(table_look_int(&other, "table.stack"), 60);
    ck_assert_ptr_null(table_look(&other, "table.turn.tile"));
    ck_assert_int_eq(table_look_int(&other, "clock.seats.4.periods"), 3);
    expect_ok(table_move(&other, EVA, "draw"));
    ck_assert_int_eq(table_look_int(&other, "table.stack"), 59);
    ck_assert_str_eq(table_look_string(&other, "table.turn.step"), "place");
    ck_assert_ptr_nonnull(table_look(&other, "table.turn.tile"));
    table_close(&other);
}
END_TEST

START_TEST(test_access)
{
    struct table other;
    table_open(&other, "\"access\":\"code\"");
    ck_assert_str_eq(table_look_string(&other, "access"), "code");
    ck_assert_int_eq(room_admits(other.room, ANA, NULL), PROTOCOL_OK); /* the host */
    ck_assert_int_eq(room_admits(other.room, BO, NULL), PROTOCOL_CODE_NEEDED);
    ck_assert_int_eq(room_admits(other.room, BO, "0123456789abcdeg"), PROTOCOL_WRONG_CODE);
    ck_assert_int_eq(room_admits(other.room, BO, "0123456789abcde"), PROTOCOL_WRONG_CODE);
    ck_assert_int_eq(room_admits(other.room, BO, "0123456789abcdef0"), PROTOCOL_WRONG_CODE);
    ck_assert_int_eq(room_admits(other.room, BO, ""), PROTOCOL_WRONG_CODE);
    ck_assert_int_eq(room_admits(other.room, BO, "0123456789abcdef"), PROTOCOL_OK);
    ck_assert_int_eq(room_admits(other.room, BO, NULL), PROTOCOL_CODE_NEEDED);
    uint64_t gone;
    ck_assert(room_let_in(other.room, BO, &gone));
    ck_assert_uint_eq(gone, 0);
    ck_assert(!room_let_in(other.room, BO, &gone)); /* already */
    ck_assert_int_eq(room_admits(other.room, BO, NULL), PROTOCOL_OK);
    expect_ok(table_send(&other, CHI, "join", "")); /* a seat is as good as the code */
    ck_assert_int_eq(room_admits(other.room, CHI, NULL), PROTOCOL_OK);
    for (uint64_t at = 0; at < 2 * LET_IN_MAX; at++) { /* bounded: the first one goes first */
        ck_assert(room_let_in(other.room, 1000 + at, &gone));
        uint64_t first = at < LET_IN_MAX - 1    ? 0
                         : at == LET_IN_MAX - 1 ? BO
                                                : 1000 + at - LET_IN_MAX;
        ck_assert_uint_eq(gone, first);
    }
    ck_assert_int_eq(room_admits(other.room, BO, NULL), PROTOCOL_CODE_NEEDED);
    table_close(&other);
    ck_assert_int_eq(room_admits(table.room, BO, NULL), PROTOCOL_OK);
}
END_TEST

/* ---- rematch */

static struct room *make_rematch(const struct room *old)
{
    struct room_seed seed = {.id = "7c2k0v5n", .code = "", .host = BO};
    struct refusal refusal;
    struct room_event event;
    char scratch[ROOM_EVENT_TEXT_MAX];
    struct room *room = room_create_rematch(old, &seed, 1790000001000, &refusal);
    ck_assert_ptr_nonnull(room);
    for (unsigned i = 0; room_decide_rematch_seat(room, old, i, 1790000001000, &event, scratch);
         i++)
        ck_assert_int_eq(room_apply(room, &event, NULL), 0);
    return room;
}

START_TEST(test_rematch)
{
    struct table other;
    table_open(&other, "\"options\":{\"players\":3,\"first\":1}");
    expect_code(table_send(&other, ANA, "rematch", ""), "not_over");
    table_start(&other);
    expect_ok(table_send(&other, ANA, "resign", ""));
    expect_ok(table_send(&other, CHI, "resign", ""));
    ck_assert_str_eq(table_look_string(&other, "phase"), "over");
    expect_code(table_send(&other, DEE, "rematch", ""), "not_seated");
    expect_ok(table_send(&other, BO, "rematch", ""));
    ck_assert_str_eq(table_look_string(&other, "rematch"), "zzzzzzzz");
    ck_assert_str_eq(room_rematch(other.room), "zzzzzzzz");
    expect_code(table_send(&other, CHI, "rematch", ""), "same");

    struct room *next = make_rematch(other.room);
    ck_assert_int_eq(room_phase(next), PROTOCOL_PHASE_LOBBY);
    ck_assert_uint_eq(room_host(next), BO);
    ck_assert_uint_eq(room_seat_of(next, BO), 0);
    ck_assert_uint_eq(room_seat_of(next, CHI), 1);
    ck_assert_uint_eq(room_seat_of(next, ANA), 2);
    ck_assert_str_eq(next->match->seats[2].name, "Ana");
    ck_assert(!next->match->seats[0].ready);
    ck_assert_uint_eq(next->match->seats[2].colour, 0);
    room_destroy(next);
    table_close(&other);
}
END_TEST

START_TEST(test_summary)
{
    struct buffer buffer;
    struct writer writer;
    expect_ok(table_send(&table, ANA, "join", ""));
    expect_ok(table_send(&table, ANA, "bot", ""));
    buffer_init(&buffer, 0, 4096);
    writer_init(&writer, &buffer);
    room_write_summary(table.room, ROOM_NO_SEAT, &writer);
    ck_assert(writer_done(&writer) && !buffer.failed);
    json_t *line = json_loadb(buffer_payload(&buffer), buffer.len, 0, NULL);
    ck_assert_str_eq(json_string_value(json_object_get(line, "room")), "k3m9x0aq");
    ck_assert_int_eq(json_integer_value(json_object_get(line, "size")), 2);
    ck_assert_uint_eq(json_object_size(json_object_get(line, "seats")), 2);
    ck_assert_ptr_null(json_object_get(line, "title"));
    json_decref(line);
    buffer_release(&buffer);
}
END_TEST

/* Of a line for who holds that seat; -1: it is not there. */
static json_int_t told_away(uint8_t own_seat)
{
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, 4096);
    writer_init(&writer, &buffer);
    room_write_summary(table.room, own_seat, &writer);
    ck_assert(writer_done(&writer) && !buffer.failed);
    json_t *line = json_loadb(buffer_payload(&buffer), buffer.len, 0, NULL);
    const json_t *away = json_object_get(line, "away");
    const json_int_t found = away ? json_integer_value(away) : -1;
    json_decref(line);
    buffer_release(&buffer);
    return found;
}

/* A table of people who are gone says so: since the last of them went. */
START_TEST(test_a_deserted_table_says_so)
{
    ck_assert_int_eq(told_away(ROOM_NO_SEAT), -1); /* nobody sits there */
    expect_ok(table_send(&table, ANA, "join", ""));
    room_present(table.room, 0, true, table.now_ms);
    expect_ok(table_send(&table, BO, "join", ""));
    room_present(table.room, 1, true, table.now_ms);
    room_present(table.room, 0, false, table.now_ms);
    ck_assert_int_eq(told_away(ROOM_NO_SEAT), -1);
    table.now_ms += 1000;
    room_present(table.room, 1, false, table.now_ms);
    ck_assert_int_eq(told_away(ROOM_NO_SEAT), table.now_ms);
    ck_assert_int_eq(told_away(0), -1);
    room_present(table.room, 0, true, table.now_ms);
    ck_assert_int_eq(told_away(ROOM_NO_SEAT), -1);
}
END_TEST

Suite *lobby_suite(void)
{
    Suite *suite = suite_create("lobby");
    TCase *tcase = tcase_create("two seats");
    tcase_add_checked_fixture(tcase, open_two, close_table);
    tcase_add_test(tcase, test_new_lobby);
    tcase_add_test(tcase, test_a_deserted_table_says_so);
    tcase_add_test(tcase, test_join);
    tcase_add_test(tcase, test_sit);
    tcase_add_test(tcase, test_leave_and_unseat);
    tcase_add_test(tcase, test_ready_and_start);
    tcase_add_test(tcase, test_bots);
    tcase_add_test(tcase, test_names_of_bots);
    tcase_add_test(tcase, test_levels_of_bots);
    tcase_add_loop_test(tcase, test_names_at_a_table, 0, sizeof NAMES / sizeof NAMES[0]);
    tcase_add_test(tcase, test_computers_are_not_called_like_people);
    tcase_add_test(tcase, test_bad_options);
    tcase_add_test(tcase, test_custom);
    tcase_add_test(tcase, test_old_name_of_custom);
    tcase_add_test(tcase, test_options_and_title);
    tcase_add_test(tcase, test_access);
    tcase_add_test(tcase, test_rematch);
    tcase_add_test(tcase, test_summary);
    suite_add_tcase(suite, tcase);
    return suite;
}
