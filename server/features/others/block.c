#include "block.h"

#include "block_table.h"
#include <hub/call.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <hub/part.h>
#include <hub/store_query.h>
#include <inttypes.h>
#include <protocol/encoding.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char block_letter[] = "others.block";

/* "SESSION OTHER 1", or 0, both in hex. */
enum { ID_DIGITS = 16, LETTER_LEN = 2 * ID_DIGITS + 3, LETTER_BYTES = 64 };

/* ---- the change */

struct change {
    struct kernel_change change;
    struct block_row row;
};

static void remember_block(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct block_row *row = &((const struct change *)(const void *)change)->row;
    blocks_remove_coming(hub, row->other);
    blocks_put(blocks_of(hub, session), row);
}

static void forget_block(struct hub *hub, struct session *session, struct kernel_change *change)
{
    blocks_drop(blocks_of(hub, session), ((struct change *)(void *)change)->row.other);
}

static void undo_block(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)session;
    blocks_remove_coming(hub, ((const struct change *)(const void *)change)->row.other);
}

static void destroy_change(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type put_type = {.carry_out = remember_block,
                                                   .undo = undo_block,
                                                   .destroy = destroy_change},
                                       drop_type = {.carry_out = forget_block,
                                                    .destroy = destroy_change};

/* One for each part but this one. */
static size_t count_letters(const struct hub *hub)
{
    return kernel_env(hub)->parts - 1U;
}

static enum protocol_error may_change(const struct call *call)
{
    const size_t ops = 1 + count_letters(call->hub) + KERNEL_APART_OPS;
    const enum protocol_error error = kernel_may_store(call->hub, ops);
    if (error != PROTOCOL_OK)
        return error;
    if (kernel_session_is_changing(call->session) || !kernel_session_is_durable(call->session))
        return PROTOCOL_SLOW_DOWN;
    const size_t text = count_letters(call->hub) * LETTER_BYTES + KERNEL_APART_TEXT;
    return kernel_reserve(call->hub, ops, text) == 0 && blocks_reserve(call->hub, call->session) &&
                   blocks_reserve_coming(call->hub)
               ? PROTOCOL_OK
               : PROTOCOL_INTERNAL;
}

static int tell_parts(struct hub *hub, const struct block_row *row, bool blocks)
{
    char text[LETTER_BYTES];
    const int len = snprintf(text, sizeof text, "%016" PRIx64 " %016" PRIx64 " %d", row->session,
                             row->other, blocks);
    for (unsigned part = 0; part < kernel_env(hub)->parts; part++) {
        const struct kernel_letter letter = {.addressee = part,
                                             .kind = block_letter,
                                             .text = text,
                                             .text_len = (size_t)len,
                                             .session = row->session};
        if (part != kernel_env(hub)->part && kernel_send_letter(hub, &letter) < 0)
            return -1;
    }
    return 0;
}

/* Memory has been reserved. False: there is none for the letters. */
static bool store_block(const struct call *call, const struct block_row *row, bool blocks)
{
    if (tell_parts(call->hub, row, blocks) < 0 ||
        kernel_tell_apart(call->hub, call->session, row->other, blocks) < 0)
        return false;
    if (blocks)
        kernel_put_row(call->hub, &block_table, row);
    else
        kernel_drop_row(call->hub, &block_table, row);
    return true;
}

static void carry_out(const struct call *call, const struct block_row *row, bool blocks)
{
    enum protocol_error error = may_change(call);
    struct change *change = error == PROTOCOL_OK ? malloc(sizeof *change) : NULL;
    struct reply reply;
    if (!change) {
        call_error(call, error == PROTOCOL_OK ? PROTOCOL_INTERNAL : error, NULL);
        return;
    }
    *change = (struct change){{blocks ? &put_type : &drop_type}, *row};
    call_reply_begin(call, &reply);
    if (!store_block(call, row, blocks)) {
        call_reply_drop(&reply);
        error = PROTOCOL_INTERNAL;
    } else if (kernel_change_answered(call, call->session, &reply, &change->change) < 0) {
        error = PROTOCOL_INTERNAL;
    } else if (blocks) {
        blocks_add_coming(call->hub, row->other);
    }
    if (error != PROTOCOL_OK) {
        free(change);
        call_error(call, error, NULL);
    }
}

/* ---- block */

void op_block(struct call *call)
{
    kernel_ask_named(call);
}

static enum protocol_error may_block(const struct call *call, const struct store_query *query,
                                     struct block_row *row)
{
    struct protocol_account account;
    if (query->result != STORE_OK)
        return PROTOCOL_STORE_FAILING;
    if (query->count == 0)
        return PROTOCOL_UNKNOWN_HANDLE;
    const uint64_t other = kernel_read_account(call->hub, store_query_row(query, 0), &account);
    *row = block_row_of(kernel_session_id(call->session), other);
    row->since_ms = kernel_now_ms(call->hub);
    memcpy(row->handle, account.handle, sizeof row->handle);
    return other != row->session ? PROTOCOL_OK : PROTOCOL_BAD_FIELD;
}

void op_block_queried(struct call *call, const struct store_query *query)
{
    const struct blocks *blocks = blocks_of(call->hub, call->session);
    struct block_row row;
    const enum protocol_error error = may_block(call, query, &row);
    if (error != PROTOCOL_OK) {
        call_error(call, error, error == PROTOCOL_STORE_FAILING ? NULL : "handle");
        return;
    }
    if (!blocks_find(blocks, row.other) &&
        blocks->count >= (uint64_t)kernel_config(call->hub)->blocks_per_account) {
        call_error(call, PROTOCOL_TOO_MANY_BLOCKS, NULL);
        return;
    }
    carry_out(call, &row, true);
}

/* ---- unblock */

static const struct block *find_called(const struct blocks *blocks, const char *handle)
{
    for (uint32_t at = 0; at < blocks->count; at++) {
        if (strcasecmp(blocks->items[at].handle, handle) == 0)
            return &blocks->items[at];
    }
    return NULL;
}

void op_unblock(struct call *call)
{
    const struct block *block =
        find_called(blocks_of(call->hub, call->session), call->request->handle);
    if (!block) {
        call_error(call, PROTOCOL_UNKNOWN_HANDLE, "handle");
        return;
    }
    const struct block_row row = block_row_of(kernel_session_id(call->session), block->other);
    carry_out(call, &row, false);
}

/* ---- blocks */

void op_blocks(struct call *call)
{
    const struct blocks *blocks = blocks_of(call->hub, call->session);
    struct reply reply;
    call_reply_begin(call, &reply);
    writer_key_array(&reply.writer, "blocks");
    for (uint32_t at = 0; at < blocks->count; at++) {
        writer_object(&reply.writer);
        writer_key_string(&reply.writer, "handle", blocks->items[at].handle);
        writer_key_int(&reply.writer, "since", blocks->items[at].since_ms);
        writer_end(&reply.writer);
    }
    writer_end(&reply.writer);
    call_reply(call, &reply, NULL);
}

/* ---- at other parts */

static bool read_id(const char *text, uint64_t *id)
{
    uint8_t bytes[ID_DIGITS / 2];
    if (!hex_decode(bytes, sizeof bytes, text, ID_DIGITS))
        return false;
    *id = 0;
    for (size_t at = 0; at < sizeof bytes; at++)
        *id = *id << 8 | bytes[at];
    return true;
}

/* It is the same whether it is done once or twice, so it waits for nothing. */
enum letter_fate block_apply(struct hub *hub, const struct store_letter *letter)
{
    uint64_t id, other;
    if (letter->text_len != LETTER_LEN || letter->text[ID_DIGITS] != ' ' ||
        letter->text[LETTER_LEN - 2] != ' ' || !read_id(letter->text, &id) ||
        !read_id(letter->text + ID_DIGITS + 1, &other))
        return LETTER_REFUSED;
    const struct session *session = kernel_session_find(hub, id);
    if (!session || !kernel_is_elsewhere(hub, id))
        return LETTER_APPLIED;
    struct blocks *blocks = blocks_of(hub, session);
    const struct block_row row = block_row_of(id, other);
    if (!blocks_reserve(hub, session))
        return LETTER_LATER;
    blocks->changes++;
    if (letter->text[LETTER_LEN - 1] == '1')
        blocks_put(blocks, &row);
    else
        blocks_drop(blocks, other);
    return LETTER_APPLIED;
}
