#include "admin_letters.h"

#include "admin_wait.h"
#include "changes/change.h"
#include "hub_private.h"
#include "parts/mail.h"
#include "waiting/batch.h"
#include <assert.h>
#include <hub/admin_request.h>
#include <hub/store_query.h>
#include <hub/store_tables.h>
#include <inttypes.h>
#include <protocol/encoding.h>
#include <stdio.h>
#include <string.h>

/* ---- where a page ends: state, time, addressee, id */

static void put_u64(uint8_t bytes[static 8], uint64_t number)
{
    for (int at = 0; at < 8; at++)
        bytes[at] = (uint8_t)(number >> (56 - 8 * at));
}

static uint64_t get_u64(const uint8_t bytes[static 8])
{
    uint64_t number = 0;
    for (int at = 0; at < 8; at++)
        number = number << 8 | bytes[at];
    return number;
}

static void write_next(const struct store_letter *last, struct writer *writer)
{
    uint8_t bytes[ADMIN_AFTER_LETTER_BYTES] = {(uint8_t)last->state};
    char text[2 * sizeof bytes + 1];
    put_u64(&bytes[1], (uint64_t)last->at_ms);
    put_u64(&bytes[9], last->addressee);
    put_u64(&bytes[17], last->id);
    hex_encode(text, bytes, sizeof bytes);
    writer_key_string(writer, "next", text);
}

/* False: no page has ended there. */
static bool read_after(struct store_letter *last, const uint8_t bytes[ADMIN_AFTER_LETTER_BYTES])
{
    last->state = (enum store_letter_state)bytes[0];
    last->at_ms = (int64_t)get_u64(&bytes[1]);
    last->addressee = get_u64(&bytes[9]);
    last->id = get_u64(&bytes[17]);
    return bytes[0] < STORE_LETTER_STATES && last->at_ms >= 0;
}

/* ---- asking */

static enum admin_outcome refuse_busy(struct refusal *refusal)
{
    *refusal = (struct refusal){.code = "busy",
                                .text = "Something else is being saved; try again in a moment."};
    return ADMIN_REFUSED;
}

/* Those that wait are the first ones, if they are shown. */
static bool begin_letters(struct admin_letters *letters, const struct admin_request *request)
{
    *letters = (struct admin_letters){.wanted = true, .behind = request->has_after};
    if (request->has_after)
        return read_after(&letters->last, request->after);
    letters->last.state = request->all ? STORE_LETTER_WAITS : STORE_LETTER_UNKNOWN;
    return true;
}

enum admin_outcome admin_letters_ask(struct hub *hub, const struct admin_request *request,
                                     struct refusal *refusal)
{
    const bool changes = request->word->changes;
    const enum protocol_error error = changes ? change_allowed(hub, 1) : PROTOCOL_OK;
    struct admin_letters letters;
    if (hub->admin.state != ADMIN_NOTHING || (changes && !mail_leaves_aside(hub)))
        return refuse_busy(refusal);
    if (error != PROTOCOL_OK || !begin_letters(&letters, request)) {
        *refusal = error != PROTOCOL_OK
                       ? (struct refusal){.error = error}
                       : (struct refusal){.error = PROTOCOL_BAD_FIELD, .field = "after"};
        return ADMIN_REFUSED;
    }
    admin_wait_begin(hub, request);
    hub->admin.letters = letters;
    return ADMIN_WAITS;
}

bool admin_letters_take(struct hub *hub, struct store_query *query)
{
    struct admin_letters *letters = &hub->admin.letters;
    if (hub->admin.state != ADMIN_WAITING || !letters->wanted)
        return false;
    const bool changes = hub->admin.request.word->changes;
    letters->wanted = false;
    letters->left_alone = mail_leaves_aside(hub);
    letters->put_back = hub->mail.put_back;
    *query = (struct store_query){.ticket = ADMIN_LETTERS_TICKET,
                                  .table = &store_letter_table,
                                  .index = &store_letter_table.indexes[0],
                                  .part = changes ? hub->env.part : 0,
                                  .parts = changes ? hub->env.parts : 0,
                                  .limit = STORE_QUERY_ROWS_MAX,
                                  .behind = letters->behind};
    memcpy(query->from, &letters->last, sizeof letters->last);
    return true;
}

/* The next page: of this state, or else of the next one. False: there is none. */
static bool turn_page(struct admin_letters *letters, const struct store_query *query)
{
    const int state = (int)letters->last.state;
    letters->behind = query->more;
    if (query->more) {
        letters->last = *(const struct store_letter *)store_query_row(query, query->count - 1);
        letters->last.text = NULL;
    } else {
        letters->last = (struct store_letter){.state = (enum store_letter_state)(state + 1)};
    }
    return (int)letters->last.state < STORE_LETTER_STATES;
}

/* ---- a list */

static void write_addressee(uint64_t addressee, struct writer *writer)
{
    char text[17];
    (void)snprintf(text, sizeof text, "%016" PRIx64, addressee);
    writer_key_string(writer, "to", addressee == LETTER_TO_DESK ? "desk" : text);
}

static void write_letter(const struct store_letter *letter, struct writer *writer)
{
    static const char *const states[STORE_LETTER_STATES] = {
        [STORE_LETTER_WAITS] = "waits",
        [STORE_LETTER_UNKNOWN] = "unknown",
        [STORE_LETTER_UNREADABLE] = "unreadable",
        [STORE_LETTER_INEFFECTIVE] = "ineffective",
    };
    char name[ADMIN_LETTER_TEXT + 1];
    admin_letter_format(letter->addressee, letter->id, name);
    writer_object(writer);
    writer_key_string(writer, "letter", name);
    write_addressee(letter->addressee, writer);
    writer_key_string(writer, "kind", letter->kind);
    writer_key_string(writer, "state", states[letter->state]);
    writer_key_int(writer, "sent", letter->at_ms);
    writer_key_int(writer, "bytes", letter->text_len);
    writer_end(writer);
}

static void answer_list(struct hub *hub, const struct store_query *query)
{
    struct admin_wait *wait = &hub->admin;
    struct writer writer;
    writer_init(&writer, &wait->line);
    reply_begin(&writer, wait->request.id);
    writer_key_array(&writer, "letters");
    for (size_t at = 0; at < query->count; at++)
        write_letter(store_query_row(query, at), &writer);
    writer_end(&writer);
    if (turn_page(&wait->letters, query))
        write_next(&wait->letters.last, &writer);
    reply_end(&writer);
    buffer_append_byte(&wait->line, '\n');
    wait->state = ADMIN_ANSWERED;
}

/* ---- one that was set aside */

static const struct store_letter *find_letter(const struct admin_request *request,
                                              const struct store_query *query)
{
    for (size_t at = 0; at < query->count; at++) {
        const struct store_letter *letter = store_query_row(query, at);
        if (letter->addressee == request->letter.addressee && letter->id == request->letter.id)
            return letter;
    }
    return NULL;
}

static void put_change(struct hub *hub, const struct store_letter *letter)
{
    struct batch *batch = hub->commit.filling;
    struct store_letter waiting = *letter;
    waiting.state = STORE_LETTER_WAITS;
    if (hub->admin.request.op == ADMIN_DISCARD) {
        batch_drop_row(batch, &store_letter_table, letter);
    } else {
        mail_forget_failure(hub, letter);
        batch_put_row(batch, &store_letter_table, &waiting);
        batch->has_letters = true;
    }
    batch_defer(batch, &(struct pending){.kind = PENDING_ADMIN});
}

/* What was read may have been put back, applied and dropped since. */
static bool is_as_it_was(const struct hub *hub)
{
    const struct admin_letters *letters = &hub->admin.letters;
    return letters->left_alone && hub->mail.state == STORE_LETTER_WAITS &&
           letters->put_back == hub->mail.put_back;
}

static void change_letter(struct hub *hub, const struct store_letter *letter)
{
    struct refusal refusal = {.error = change_allowed(hub, 1)};
    if (refusal.error == PROTOCOL_OK &&
        batch_reserve(hub->commit.filling, 1, 1, 0, letter->text_len + 1U) < 0)
        refusal.error = PROTOCOL_INTERNAL;
    if (refusal.error == PROTOCOL_OK && is_as_it_was(hub)) {
        put_change(hub, letter);
        return;
    }
    if (refusal.error == PROTOCOL_OK)
        (void)refuse_busy(&refusal);
    admin_wait_refuse(hub, &refusal);
}

static void look_for_letter(struct hub *hub, const struct store_query *query)
{
    const struct store_letter *letter = find_letter(&hub->admin.request, query);
    if (letter)
        change_letter(hub, letter);
    else if (turn_page(&hub->admin.letters, query))
        hub->admin.letters.wanted = true;
    else
        admin_wait_refuse(hub, &(struct refusal){.code = "unknown_letter",
                                                 .text = "No such letter is set aside.",
                                                 .field = "letter"});
}

void admin_letters_received(struct hub *hub, const struct store_query *query)
{
    assert(hub->admin.state == ADMIN_WAITING);
    if (query->result != STORE_OK)
        admin_wait_refuse(hub, &(struct refusal){.error = PROTOCOL_STORE_FAILING});
    else if (hub->admin.request.word->changes)
        look_for_letter(hub, query);
    else
        answer_list(hub, query);
}
