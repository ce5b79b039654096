#include "account_told.h"

#include "tables/account_table.h"
#include "tables/closing_table.h"
#include "tables/quiet_table.h"
#include <hub/kernel.h>
#include <protocol/buffer.h>
#include <protocol/reply.h>

enum { TOLD_BYTES = 512 };

void account_write_as(const struct account_row *row, int64_t closing_ms, bool is_quiet,
                      struct writer *writer)
{
    writer_key_object(writer, "account");
    writer_key_string(writer, "handle", row->handle);
    if (row->kind == ACCOUNT_BOT)
        writer_key_bool(writer, "bot", true);
    writer_key_int(writer, "since", row->since_ms);
    if (row->number == 0)
        writer_key_int(writer, "rename_until", row->since_ms + ACCOUNT_RENAME_MS);
    if (closing_ms != 0)
        writer_key_int(writer, "closing", closing_ms);
    if (is_quiet)
        writer_key_bool(writer, "quiet", true);
    writer_end(writer);
}

void account_write(const struct hub *hub, const struct account_row *row, struct writer *writer)
{
    account_write_as(row, closing_at_ms(hub, row->session), quiet_is(hub, row->session), writer);
}

void account_tell(struct hub *hub, const struct session *session)
{
    const struct account_row *row = account_of(hub, session);
    struct buffer text;
    struct writer writer;
    buffer_init(&text, 0, TOLD_BYTES);
    writer_init(&writer, &text);
    push_begin(&writer, "account", NULL);
    account_write(hub, row, &writer);
    push_end(&writer);
    if (!text.failed) /* else they see it when they come again */
        kernel_tell_account(hub, session, buffer_payload(&text), text.len);
    buffer_release(&text);
}
