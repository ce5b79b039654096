#include "kept.h"

#include "invitations/invite.h"
#include "tally.h"
#include <hub/kernel.h>
#include <protocol/json_writer.h>

/* From whom is theirs, and not in it. */
static void write_invited(int64_t since_ms, struct writer *writer)
{
    if (since_ms == 0)
        return;
    writer_key_object(writer, "invited");
    writer_key_int(writer, "since", since_ms);
    writer_end(writer);
}

void people_write_kept(const struct hub *hub, uint64_t session, bool at_desk, struct writer *writer)
{
    const struct session *known = at_desk ? NULL : kernel_session_find(hub, session);
    const struct tally_row *row;
    size_t at = 0;
    if (!known)
        return;
    write_invited(invite_since_ms(hub, known), writer);
    writer_key_array(writer, "matches");
    while ((row = tally_next(hub, session, &at)) != NULL) {
        writer_object(writer);
        tally_write(row, writer);
        writer_end(writer);
    }
    writer_end(writer);
}
