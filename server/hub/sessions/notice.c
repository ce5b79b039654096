#include "notice.h"

#include "connections/blob.h"
#include "connections/conn.h"
#include "connections/left_out.h"
#include "hub_private.h"
#include "session.h"
#include <protocol/reply.h>

enum { NOTICE_BYTES = 4096 };

static const char *const sentences[PROTOCOL_NOTICE_COUNT] = {
    [PROTOCOL_NOTICE_DRAINING] = "The server will restart soon; matches continue afterwards.",
    [PROTOCOL_NOTICE_STORE_FAILING] =
        "The server cannot save moves right now, so it accepts none until it can.",
    [PROTOCOL_NOTICE_STORE_RECOVERED] = "The server can save moves again; the match continues.",
    [PROTOCOL_NOTICE_CLOSED] = "The operator of this server has closed this room.",
    [PROTOCOL_NOTICE_SERVING] = "The server does not restart now; new matches can begin.",
    [PROTOCOL_NOTICE_WHOLE] = "Tables that could not be listed are there again.",
    [PROTOCOL_NOTICE_LEFT_OUT] = "Your connection is slow: some of what was said was left out.",
};

static struct blob *notice_blob(enum protocol_notice notice, const struct hub_room *hub_room,
                                const char *text)
{
    struct buffer buffer;
    struct writer writer;
    blob_buffer_init(&buffer, NOTICE_BYTES);
    writer_init(&writer, &buffer);
    push_notice(&writer, notice, hub_room ? hub_room->id : NULL, text ? text : sentences[notice]);
    struct hub_head head = head_push(HUB_NOTICE, hub_room ? hub_room->id : NULL, 0);
    head.notice = (uint8_t)notice;
    return blob_message(&buffer, &head);
}

void notice_to_all(struct hub *hub, enum protocol_notice notice, const char *text)
{
    uint32_t at = 0;
    struct conn *conn;
    struct blob *blob = notice_blob(notice, NULL, text);
    while (blob && (conn = conn_next(hub, &at)) != NULL)
        left_out_or_noticed(hub, conn, blob);
    blob_unref(blob);
}

void notice_to_session(struct hub *hub, const struct session *session, enum protocol_notice notice,
                       const char *text)
{
    struct blob *blob = session->conns ? notice_blob(notice, NULL, text) : NULL;
    for (struct conn *conn = session->conns, *next; blob && conn; conn = next) {
        next = conn->session_next;
        left_out_or_noticed(hub, conn, blob);
    }
    blob_unref(blob);
}

size_t notice_to_own(struct hub *hub, enum protocol_notice notice, const char *text)
{
    uint32_t at = 0;
    size_t told = 0;
    struct conn *conn;
    struct blob *blob = notice_blob(notice, NULL, text);
    while (blob && (conn = conn_next(hub, &at)) != NULL) {
        if (!session_is_own(conn))
            continue;
        told++;
        left_out_or_noticed(hub, conn, blob);
    }
    blob_unref(blob);
    return told;
}

void notice_to_room(struct hub *hub, const struct hub_room *hub_room, enum protocol_notice notice,
                    const char *text)
{
    const bool store =
        notice == PROTOCOL_NOTICE_STORE_FAILING || notice == PROTOCOL_NOTICE_STORE_RECOVERED;
    struct blob *blob = hub_room->subscriptions ? notice_blob(notice, hub_room, text) : NULL;
    if (blob)
        left_out_or_sent(hub, hub_room, blob, store ? LEFT_OUT_STORE_NOTICE : LEFT_OUT_NOTICE);
    blob_unref(blob);
}

void notice_to_conn(struct hub *hub, struct conn *conn, enum protocol_notice notice,
                    const struct hub_room *hub_room)
{
    struct blob *blob = notice_blob(notice, hub_room, NULL);
    if (blob)
        conn_send(hub, conn, blob);
    blob_unref(blob);
}
