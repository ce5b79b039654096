#include "message.h"

bool message_answer(const char *bytes, size_t len, int64_t *id, int64_t *seq)
{
    struct scan scan = {bytes, bytes + len};
    return scan_text(&scan, "{\"id\":") && scan_number(&scan, id) &&
           scan_text(&scan, ",\"ok\":{\"seq\":") && scan_number(&scan, seq) &&
           scan_text(&scan, "}}") && scan.at == scan.end;
}

bool message_event(struct message_event *event, const char *bytes, size_t len, const char *room)
{
    struct scan scan = {bytes, bytes + len};
    int64_t at_ms;
    if (!scan_text(&scan, "{\"push\":\"event\",\"room\":\"") || !scan_text(&scan, room) ||
        !scan_text(&scan, "\",\"seq\":") || !scan_number(&scan, &event->seq) ||
        !scan_text(&scan, ",\"at\":") || !scan_number(&scan, &at_ms) ||
        !scan_text(&scan, ",\"event\":{\"kind\":\""))
        return false;
    event->is_move = scan_text(&scan, "move\",\"seat\":") && scan_number(&scan, &event->seat) &&
                     scan_text(&scan, ",\"move\":\"");
    event->move = scan;
    return true;
}
