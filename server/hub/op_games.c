#include "op_games.h"

#include "hub_private.h"
#include "session.h"
#include <hub/call.h>

void op_games(struct call *call)
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

void op_games_listed(struct call *call, const struct store_list *list)
{
    struct reply reply;
    /* A connection that is another session's by now is not told. */
    if (list->result != STORE_OK || call->session->id != list->session) {
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
