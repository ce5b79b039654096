#include "kept.h"

#include "tally.h"
#include <hub/kernel.h>
#include <protocol/json_writer.h>

void people_write_kept(const struct hub *hub, uint64_t session, bool at_desk, struct writer *writer)
{
    const struct tally_row *row;
    size_t at = 0;
    if (at_desk || !kernel_session_find(hub, session))
        return;
    writer_key_array(writer, "matches");
    while ((row = tally_next(hub, session, &at)) != NULL) {
        writer_object(writer);
        tally_write(row, writer);
        writer_end(writer);
    }
    writer_end(writer);
}
