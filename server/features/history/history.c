#include <history/history.h>

#include <hub/call.h>
#include <hub/config.h>
#include <hub/kernel.h>
#include <room/result.h>
#include <room/room.h>

/* ---- keeping */

/*
 * It goes into the list of everybody who sat there, with the event that ended it. Without memory it
 * is missing there, and nowhere else.
 */
static void put_games(struct hub *hub, const struct room *room, struct store_games *games)
{
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, STORE_GAME_TEXT_MAX);
    writer_init(&writer, &buffer);
    room_write_ended(room, &writer);
    games->text = buffer_payload(&buffer);
    games->text_len = (uint16_t)buffer.len;
    if (!buffer.failed)
        (void)kernel_put_games(hub, room_id(room), games);
    buffer_release(&buffer);
}

static void keep_match(struct hub *hub, const struct room *room, const struct room_result *result)
{
    struct store_games games = {.at_ms = result->ended_ms,
                                .keep = (uint32_t)kernel_config(hub)->games_per_session};
    bool people = false;
    for (unsigned seat = 0; seat < result->seats; seat++) {
        games.sessions[seat] = result->seat[seat].session;
        people |= games.sessions[seat] != 0;
    }
    if (people)
        put_games(hub, room, &games);
}

/* ---- showing */

static void op_games(struct call *call)
{
    const char *after = request_has(call->request, REQUEST_AFTER) ? call->request->after : "";
    if (!call_list(call, after))
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
}

static bool is_object(const struct store_game *game)
{
    return game->text_len > 2 && game->text[0] == '{' && game->text[game->text_len - 1] == '}';
}

static void write_game(const struct store_game *game, struct writer *writer)
{
    if (!is_object(game))
        return;
    writer_object(writer);
    writer_members(writer, game->text, game->text_len);
    writer_key_int(writer, "seat", game->seat);
    writer_end(writer);
}

static void answer_games(struct call *call, const struct store_list *list)
{
    struct reply reply;
    /* A connection that is another session's by now is not told. */
    if (list->result != STORE_OK || kernel_session_id(call->session) != list->session) {
        call_error(call, PROTOCOL_STORE_FAILING, NULL);
        return;
    }
    call_reply_begin(call, &reply);
    writer_key_array(&reply.writer, "games");
    for (size_t i = 0; i < list->count; i++)
        write_game(&list->rows[i], &reply.writer);
    writer_end(&reply.writer);
    if (list->more)
        writer_key_bool(&reply.writer, "more", true);
    call_charge(call, reply.buffer.len);
    call_reply(call, &reply, NULL);
}

/* ---- the feature */

static const struct request_row requests[] = {
    {REQUEST_GAMES, REQUEST_LONG | REQUEST_AT_HOME, op_games},
};

const struct feature feature_history = {
    .name = "history",
    .requests = requests,
    .request_count = sizeof requests / sizeof requests[0],
    .match_over = keep_match,
    .listed = answer_games,
};
