#include "search.h"

#include "conduct.h"
#include <hub/call.h>
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <inttypes.h>
#include <jansson.h>
#include <protocol/request.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char seek_letter[] = "ratings.seek", unseek_letter[] = "ratings.unseek",
           apart_letter[] = "ratings.apart";

/* [2, 3]: as bits; 0: it is no such list. Without one two play. */
static uint8_t read_sizes(const json_t *options, unsigned game)
{
    const json_t *list = json_object_get(options, "sizes"), *size;
    unsigned sizes = 0;
    size_t at;
    if (json_object_size(options) != (list ? 1U : 0U) || (list && !json_array_size(list)))
        return 0;
    json_array_foreach(list, at, size)
    {
        const json_int_t players = json_integer_value(size);
        if (players < POOL_SIZE_MIN || players > POOL_SIZE_MAX ||
            !waiting_class(game, (unsigned)players))
            return 0;
        sizes |= 1U << players;
    }
    return (uint8_t)(list ? sizes : 1U << POOL_SIZE_MIN);
}

/* What is said to the desk. False: the call is refused. */
static bool read_seek(const struct call *call, struct seek_row *row)
{
    const struct request *request = call->request;
    const struct protocol_account *account = kernel_account(call->session);
    const char *game = request_has(request, REQUEST_GAME) ? request->game : waiting_game(0);
    const json_t *options = request_has(request, REQUEST_OPTIONS) ? request->options : NULL;
    unsigned number = 0;
    if (!account || account->kind != ACCOUNT_PERSON) {
        call_error(call, PROTOCOL_ACCOUNT_NEEDED, NULL);
        return false;
    }
    while (number < POOL_GAMES && strcmp(waiting_game(number), game) != 0)
        number++;
    *row = (struct seek_row){.game = (uint8_t)number, .kind = (uint8_t)account->kind};
    row->sizes = number < POOL_GAMES ? read_sizes(options, number) : 0;
    if (row->sizes == 0) {
        call_error(call, number < POOL_GAMES ? PROTOCOL_BAD_OPTIONS : PROTOCOL_UNKNOWN_GAME, NULL);
        return false;
    }
    (void)snprintf(row->handle, sizeof row->handle, "%s", account->handle);
    (void)snprintf(row->name, sizeof row->name, "%s", kernel_session_name(call->session));
    return true;
}

static void change_nothing(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)hub, (void)session, (void)change;
}

static void destroy_change(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type sent_type = {.carry_out = change_nothing,
                                                    .destroy = destroy_change};

/* Answers when the letter is durable. */
static void send_letter(struct call *call, const char *kind, const char *text)
{
    struct kernel_letter letter = {.addressee = LETTER_TO_DESK,
                                   .kind = kind,
                                   .text = text,
                                   .text_len = strlen(text),
                                   .session = kernel_session_id(call->session)};
    enum protocol_error error = kernel_may_store(call->hub, 1);
    struct kernel_change *change = NULL;
    struct reply reply;
    if (error == PROTOCOL_OK && kernel_session_is_changing(call->session))
        error = PROTOCOL_SLOW_DOWN;
    if (error == PROTOCOL_OK && kernel_reserve(call->hub, 1, SEEK_TEXT) == 0)
        change = calloc(1, sizeof *change);
    if (error == PROTOCOL_OK && (!change || kernel_send_letter(call->hub, &letter) < 0))
        error = PROTOCOL_INTERNAL;
    if (error != PROTOCOL_OK) {
        free(change);
        call_error(call, error, NULL);
        return;
    }
    change->type = &sent_type;
    call_reply_begin(call, &reply);
    if (kernel_change_answered(call, call->session, &reply, change) < 0) {
        free(change);
        call_error(call, PROTOCOL_INTERNAL, NULL);
    }
}

/* Ids one behind the other; "-": none. */
static void write_apart(const struct call *call, char apart[static SEEK_APART_BYTES + 1])
{
    uint64_t others[KERNEL_BLOCKS_MAX];
    const size_t count = kernel_blocks(call->hub, call->session, others);
    memcpy(apart, "-", 2);
    for (size_t at = 0; at < count; at++)
        (void)snprintf(apart + at * POOL_ID_DIGITS, POOL_ID_DIGITS + 1, "%016" PRIx64, others[at]);
}

void op_seek(struct call *call)
{
    struct seek_row row;
    char text[SEEK_TEXT], apart[SEEK_APART_BYTES + 1];
    if (!read_seek(call, &row))
        return;
    const int64_t until_ms = conduct_until_ms(call->hub, call->session);
    if (until_ms != 0) {
        call_error_until(call, PROTOCOL_SEEK_PAUSED, until_ms);
        return;
    }
    write_apart(call, apart);
    (void)snprintf(text, sizeof text, "%016" PRIx64 " %u %u %s %s %s",
                   kernel_session_id(call->session), (unsigned)row.game, (unsigned)row.sizes, apart,
                   row.handle, row.name);
    send_letter(call, seek_letter, text);
}

int seek_tell_apart(struct hub *hub, const struct session *session, uint64_t other, bool blocks)
{
    char text[KERNEL_APART_TEXT];
    const int len = snprintf(text, sizeof text, "%016" PRIx64 " %d %016" PRIx64,
                             kernel_session_id(session), blocks, other);
    const struct kernel_letter letter = {.addressee = LETTER_TO_DESK,
                                         .kind = apart_letter,
                                         .text = text,
                                         .text_len = (size_t)len,
                                         .session = kernel_session_id(session)};
    return kernel_send_letter(hub, &letter);
}

void op_unseek(struct call *call)
{
    char text[SEEK_TEXT];
    (void)snprintf(text, sizeof text, "%016" PRIx64, kernel_session_id(call->session));
    send_letter(call, unseek_letter, text);
}
