/*
 * Frames of links. Messages of the WebSocket are binary; each holds one frame or several, every one
 * behind its length (4 bytes, the highest first): a frame of a few bytes costs neither a system
 * call nor a record of TLS of its own.
 */
#include "relay_frames.h"

#include "relay_end.h"
#include <libwebsockets.h>
#include <stdlib.h>
#include <string.h>

enum {
    LENGTH_BYTES = 4,
    INPUT_KEPT = 65536, /* of memory for a frame that comes in pieces */
    UNIT_BYTES = 1024,
};

/* ---- what comes in */

static void deliver_frame(struct relay_conn *conn, const unsigned char *bytes, size_t len)
{
    struct relay *const relay = conn->relay;
    relay->figures.frames_in++;
    conn->node->traffic.frames_in++;
    conn->units -= 1 + (int64_t)(len / UNIT_BYTES);
    if (!relay->ends->receive(relay->ctx, conn->end, bytes, len))
        relay_conn_end(conn, "a frame that is none");
}

/* Of the frame that begins there. */
static size_t length_at(const unsigned char *at)
{
    return (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
}

static bool reserve_input(struct relay_conn *conn, size_t need)
{
    const size_t size = need < 256 ? 256 : need;
    if (size <= conn->input_size)
        return true;
    unsigned char *const input = realloc(conn->input, size);
    if (!input)
        return false;
    conn->input = input;
    conn->input_size = size;
    return true;
}

static void release_large(struct relay_conn *conn)
{
    if (conn->input_size <= INPUT_KEPT)
        return;
    free(conn->input);
    conn->input = NULL;
    conn->input_size = 0;
}

/* A piece of a frame; returns how much of it is used. */
static size_t keep_piece(struct relay_conn *conn, const unsigned char *bytes, size_t len)
{
    const bool has_length = conn->input_len >= LENGTH_BYTES;
    const size_t need = LENGTH_BYTES + (has_length ? length_at(conn->input) : 0);
    const size_t missing = need - conn->input_len, used = missing < len ? missing : len;
    if (!reserve_input(conn, need)) {
        relay_conn_end(conn, "out of memory");
        return len;
    }
    memcpy(conn->input + conn->input_len, bytes, used);
    conn->input_len += used;
    if (conn->input_len < need)
        return used;
    const size_t length = length_at(conn->input);
    if (length == 0 || length > RELAY_FRAME_MAX) {
        relay_conn_end(conn, "a frame too long, or empty");
    } else if (has_length) {
        conn->input_len = 0;
        deliver_frame(conn, conn->input + LENGTH_BYTES, length);
        release_large(conn);
    }
    return used;
}

/* The usual case, a whole frame, is not copied. */
static size_t take_frame(struct relay_conn *conn, const unsigned char *bytes, size_t len)
{
    const size_t length =
        conn->input_len == 0 && len >= LENGTH_BYTES ? length_at(bytes) : RELAY_FRAME_MAX;
    if (length == 0 || length > len - LENGTH_BYTES || length >= RELAY_FRAME_MAX)
        return keep_piece(conn, bytes, len);
    deliver_frame(conn, bytes + LENGTH_BYTES, length);
    return LENGTH_BYTES + length;
}

void relay_conn_pause(struct relay_conn *conn, bool paused)
{
    if (conn->paused == paused || conn->state != RELAY_LINK)
        return;
    conn->paused = paused;
    lws_rx_flow_control(conn->wsi, !paused);
}

void relay_conn_receive(struct relay_conn *conn, const unsigned char *bytes, size_t len)
{
    conn->silent = 0;
    conn->received = true;
    conn->relay->figures.bytes_in += len;
    if (conn->node)
        conn->node->traffic.bytes_in += len;
    if (conn->state == RELAY_LINK && !lws_frame_is_binary(conn->wsi))
        relay_conn_end(conn, "a message that is not binary");
    while (len > 0 && conn->state == RELAY_LINK) {
        const size_t used = take_frame(conn, bytes, len);
        bytes += used;
        len -= used;
    }
    if (conn->state == RELAY_LINK && lws_is_final_fragment(conn->wsi) && conn->input_len > 0)
        relay_conn_end(conn, "a message that ends within a frame");
    if (conn->units <= 0)
        relay_conn_pause(conn, true);
}

/* ---- what goes out */

static void write_message(struct relay_conn *conn, unsigned char *bytes, size_t len)
{
    conn->relay->figures.bytes_out += len;
    conn->node->traffic.bytes_out += len;
    if (lws_write(conn->wsi, bytes, len, LWS_WRITE_BINARY) < 0)
        relay_conn_end(conn, "cannot be written to");
}

static size_t put_frame(unsigned char *at, const unsigned char *bytes, size_t len)
{
    for (int i = 0; i < LENGTH_BYTES; i++)
        at[i] = (unsigned char)(len >> 8 * (LENGTH_BYTES - 1 - i));
    memcpy(at + LENGTH_BYTES, bytes, len);
    return LENGTH_BYTES + len;
}

static void frame_is_out(struct relay_conn *conn)
{
    conn->relay->figures.frames_out++;
    conn->node->traffic.frames_out++;
    conn->stuck = 0;
    conn->relay->ends->sent(conn->end);
}

static void write_large(struct relay_conn *conn, const unsigned char *bytes, size_t len)
{
    unsigned char *const copy =
        len <= RELAY_FRAME_MAX ? malloc(LWS_PRE + LENGTH_BYTES + len) : NULL;
    if (!copy) {
        relay_conn_end(conn, "a frame too long, or no memory for it");
        return;
    }
    put_frame(copy + LWS_PRE, bytes, len);
    frame_is_out(conn);
    write_message(conn, copy + LWS_PRE, LENGTH_BYTES + len);
    free(copy);
}

/* One message's worth; false: there was nothing. */
static bool write_some(struct relay_conn *conn)
{
    const struct relay_ends *const ends = conn->relay->ends;
    unsigned char gather[LWS_PRE + RELAY_MESSAGE_BYTES];
    size_t gathered = 0, len = 0;
    unsigned char *bytes;
    while ((bytes = ends->output(conn->end, &len)) != NULL &&
           gathered + LENGTH_BYTES + len <= RELAY_MESSAGE_BYTES) {
        gathered += put_frame(gather + LWS_PRE + gathered, bytes, len);
        frame_is_out(conn);
    }
    if (gathered > 0)
        write_message(conn, gather + LWS_PRE, gathered);
    else if (bytes)
        write_large(conn, bytes, len);
    return gathered > 0 || bytes;
}

void relay_conn_flush(struct relay_conn *conn)
{
    bool more = true;
    while (more && conn->state == RELAY_LINK && !lws_partial_buffered(conn->wsi))
        more = write_some(conn);
    if (conn->state != RELAY_LINK)
        return;
    if (conn->relay->ends->broken(conn->end))
        relay_conn_end(conn, "broken");
    else if (more)
        lws_callback_on_writable(conn->wsi);
}
