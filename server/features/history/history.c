#include <history/history.h>

#include <assert.h>
#include <errno.h>
#include <history/game_table.h>
#include <hub/call.h>
#include <hub/config.h>
#include <hub/kernel.h>
#include <hub/kernel_query.h>
#include <inttypes.h>
#include <protocol/encoding.h>
#include <protocol/limits.h>
#include <room/result.h>
#include <room/room.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- keeping */

/*
 * A letter to everybody who sat there, in the batch of the event that ended it: "ROOM SEAT TIME ",
 * and the line of their list. Without memory it is missing there, and nowhere else.
 */
static const char letter_kind[] = "history.match";

enum { ABOUT_MAX = 64, LINE_MIN = sizeof "{}" - 1 };
static_assert((int)ABOUT_MAX + (int)GAME_TEXT_MAX <= (int)STORE_LETTER_TEXT_MAX, "it has a place");

static void send_line(struct hub *hub, const struct room_result *result, unsigned seat,
                      const struct buffer *line)
{
    char text[STORE_LETTER_TEXT_MAX + 1];
    const int len = snprintf(text, sizeof text, "%s %u %" PRId64 " %.*s", result->room_id, seat,
                             result->ended_ms, (int)line->len, buffer_payload(line));
    const struct kernel_letter letter = {.addressee = result->seat[seat].session,
                                         .kind = letter_kind,
                                         .text = text,
                                         .text_len = (size_t)len,
                                         .room_id = result->room_id};
    assert(len > 0 && (size_t)len <= STORE_LETTER_TEXT_MAX);
    (void)kernel_send_letter(hub, &letter);
}

static void tell_players(struct hub *hub, const struct room *room, const struct room_result *result)
{
    struct buffer line;
    struct writer writer;
    buffer_init(&line, 0, GAME_TEXT_MAX);
    writer_init(&writer, &line);
    room_write_ended(room, &writer);
    for (unsigned seat = 0; seat < result->seats && !line.failed; seat++) {
        if (result->seat[seat].session != 0)
            send_line(hub, result, seat, &line);
    }
    buffer_release(&line);
}

/* ---- being told */

/* A number and the blank behind it: where it goes on. NULL: there is none. */
static const char *read_number(const char *text, int64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoll(text, &end, 10);
    return errno == 0 && end > text && *end == ' ' ? end + 1 : NULL;
}

/* "ROOM SEAT TIME LINE", as send_line writes it. */
static bool read_line(const struct store_letter *letter, struct game_row *game)
{
    enum { ROOM = sizeof game->room - 1 };
    const char *text = letter->text;
    int64_t seat;
    if (letter->text_len <= ROOM || !room_id_valid(text, ROOM) || text[ROOM] != ' ')
        return false;
    const char *time = read_number(text + ROOM + 1, &seat);
    if (!time || seat < 0 || seat >= PROTOCOL_SEATS)
        return false;
    game->text = read_number(time, &game->at_ms);
    if (!game->text)
        return false;
    const size_t text_len = letter->text_len - (size_t)(game->text - text);
    if (text_len < LINE_MIN || text_len > GAME_TEXT_MAX)
        return false;
    memcpy(game->room, text, ROOM);
    game->session = letter->addressee;
    game->seat = (uint8_t)seat;
    game->text_len = (uint16_t)text_len;
    return true;
}

static uint32_t lines_kept(const struct hub *hub, const struct session *session)
{
    const struct hub_config *config = kernel_config(hub);
    return (uint32_t)(kernel_account(session) ? config->games_per_account
                                              : config->games_per_session);
}

static enum letter_fate keep_line(struct hub *hub, const struct store_letter *letter)
{
    const struct session *session = kernel_session_find(hub, letter->addressee);
    struct game_row row = {0};
    if (!read_line(letter, &row))
        return LETTER_REFUSED;
    if (session) /* else it is gone, and its list with it */
        kernel_put_newest(hub, &game_table, &row, lines_kept(hub, session));
    return LETTER_APPLIED;
}

static const struct letter_row letters[] = {
    {letter_kind, 1, GAME_TEXT_MAX + 1, keep_line},
};

/* ---- showing */

static void op_games(struct call *call)
{
    struct game_row from = {.session = kernel_session_id(call->session), .text = ""};
    const struct kernel_query query = {.table = &game_table,
                                       .index = GAMES_NEWEST,
                                       .limit = GAMES_PAGE,
                                       .behind = request_has(call->request, REQUEST_AFTER),
                                       .behind_by = GAME_ROOM,
                                       .from = &from};
    if (query.behind)
        memcpy(from.room, call->request->after, sizeof from.room);
    if (!call_query(call, &query))
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
}

static bool is_object(const struct game_row *game)
{
    return game->text_len > 2 && game->text[0] == '{' && game->text[game->text_len - 1] == '}';
}

static void write_game(const struct game_row *game, struct writer *writer)
{
    if (!is_object(game))
        return;
    writer_object(writer);
    writer_members(writer, game->text, game->text_len);
    writer_key_int(writer, "seat", game->seat);
    writer_end(writer);
}

static void answer_games(struct call *call, const struct store_query *page)
{
    struct reply reply;
    const struct game_row *asked = (const void *)page->from;
    /* A connection that is another session's by now is not told. */
    if (page->result != STORE_OK || kernel_session_id(call->session) != asked->session) {
        call_error(call, PROTOCOL_STORE_FAILING, NULL);
        return;
    }
    call_reply_begin(call, &reply);
    writer_key_array(&reply.writer, "games");
    for (size_t i = 0; i < page->count; i++)
        write_game(store_query_row(page, i), &reply.writer);
    writer_end(&reply.writer);
    if (page->more)
        writer_key_bool(&reply.writer, "more", true);
    call_charge(call, reply.buffer.len);
    call_reply(call, &reply, NULL);
}

/* ---- the feature */

static const struct request_row requests[] = {
    {REQUEST_GAMES, REQUEST_LONG | REQUEST_AT_HOME, op_games},
};

static const struct store_table *const tables[] = {&game_table, NULL};

const struct feature feature_history = {
    .name = "history",
    .tables = tables,
    .requests = requests,
    .request_count = sizeof requests / sizeof requests[0],
    .match_over = tell_players,
    .letters = letters,
    .letter_count = sizeof letters / sizeof letters[0],
    .queried = answer_games,
};
