#include <wire/plain.h>

#include "lookup.h"
#include "unreachable.h"
#include <protocol/buffer.h>
#include <protocol/limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum opcode { CONTINUED = 0, TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10 };
enum {
    FINAL = 0x80,
    OPCODE = 0x0f,
    MASKED = 0x80,
    LEN_16 = 126,
    LEN_64 = 127,
    CONTROL_MAX = 125, /* bytes of a ping, a pong or a close */
    HEADER_MAX = 14,
    HEAD_MAX = 4096, /* bytes of the answer to the upgrade */
    READ_BYTES = 1 << 16,
};

struct wire_plain_context {
    struct wire_plain_config config;
    struct sockaddr_storage source;                /* of any family: there is one */
    char in[READ_BYTES];                           /* nothing stays in it after a read */
    char out[HEADER_MAX + PROTOCOL_MESSAGE_BYTES]; /* nor here after a write */
};

struct wire_plain {
    uv_tcp_t tcp;
    uv_connect_t connect;
    struct wire_plain_context *context;
    struct wire_url url;
    const struct wire_socket_events *events;
    void *user;
    struct buffer rest;  /* the beginning of what has not arrived whole */
    struct buffer parts; /* of a message that comes in pieces */
    bool open, in_parts, ending;
    int code;
    char reason[UNREACHABLE_TEXT];
};

/* What the kernel did not take at once. */
struct unwritten {
    uv_write_t request;
    char bytes[];
};

/* ---- the end */

static void on_handle_closed(uv_handle_t *handle)
{
    struct wire_plain *plain = handle->data;
    plain->events->closed(plain->user, plain->code, plain->reason);
    buffer_release(&plain->rest);
    buffer_release(&plain->parts);
    free(plain);
}

/* What the server has said goes before what is found out while it is answered. */
static void end_connection(struct wire_plain *plain, int code)
{
    if (plain->ending)
        return;
    plain->ending = true;
    if (plain->code == 0)
        plain->code = code;
    uv_close((uv_handle_t *)&plain->tcp, on_handle_closed);
}

void wire_plain_cut(struct wire_plain *plain)
{
    end_connection(plain, plain->open ? WIRE_CLOSED_LOST : WIRE_CLOSED_UNREACHABLE);
}

/* ---- out */

static void on_written(uv_write_t *request, int status)
{
    (void)status; /* the reader sees what is wrong */
    free(request->data);
}

static bool queue_bytes(struct wire_plain *plain, const char *bytes, size_t len)
{
    struct unwritten *unwritten = malloc(sizeof *unwritten + len);
    if (!unwritten)
        return false;
    uv_buf_t piece = uv_buf_init(unwritten->bytes, (unsigned)len);
    unwritten->request.data = unwritten;
    memcpy(unwritten->bytes, bytes, len);
    if (uv_write(&unwritten->request, (uv_stream_t *)&plain->tcp, &piece, 1, on_written) == 0)
        return true;
    free(unwritten);
    return false;
}

/* Half a message is none: if the rest of it can neither be written nor kept, the connection ends.
 */
static bool write_all(struct wire_plain *plain, char *bytes, size_t len)
{
    uv_stream_t *stream = (uv_stream_t *)&plain->tcp;
    uv_buf_t piece = uv_buf_init(bytes, (unsigned)len);
    if (plain->ending || uv_stream_get_write_queue_size(stream) + len > WIRE_QUEUE_BYTES_MAX)
        return false;
    const int wrote = uv_try_write(stream, &piece, 1);
    const size_t written = wrote > 0 ? (size_t)wrote : 0;
    if (written == len)
        return true;
    if ((wrote > 0 || wrote == UV_EAGAIN) && queue_bytes(plain, bytes + written, len - written))
        return true;
    wire_plain_cut(plain);
    return false;
}

static size_t put_header(char *frame, enum opcode opcode, size_t len)
{
    frame[0] = (char)(FINAL | opcode);
    if (len < LEN_16) {
        frame[1] = (char)(MASKED | len);
        return 2;
    }
    frame[1] = (char)(MASKED | LEN_16);
    frame[2] = (char)(len >> 8);
    frame[3] = (char)len;
    return 4;
}

_Static_assert(PROTOCOL_MESSAGE_BYTES <= UINT16_MAX, "a frame's length takes two bytes");

/*
 * The mask, which hides from proxies what they might take for HTTP, is always the same one: to draw
 * it would cost as much as to write. A mask of zeros would spare the server what browsers ask of
 * it.
 */
static bool send_frame(struct wire_plain *plain, enum opcode opcode, const char *bytes, size_t len)
{
    static const unsigned char mask[4] = {0x5a, 0x17, 0xc3, 0x6e};
    char *frame = plain->context->out;
    if (!plain->open || len > PROTOCOL_MESSAGE_BYTES)
        return false;
    size_t at = put_header(frame, opcode, len);
    memcpy(frame + at, mask, sizeof mask);
    at += sizeof mask;
    for (size_t i = 0; i < len; i++)
        frame[at + i] = (char)(bytes[i] ^ mask[i % sizeof mask]);
    return write_all(plain, frame, at + len);
}

bool wire_plain_send(struct wire_plain *plain, const char *bytes, size_t len)
{
    return send_frame(plain, TEXT, bytes, len);
}

bool wire_plain_send_binary(struct wire_plain *plain, const char *bytes, size_t len)
{
    return send_frame(plain, BINARY, bytes, len);
}

/* ---- frames */

struct frame {
    unsigned char first;
    const char *bytes;
    size_t len;
};

/* False: that is no message, or a longer one than may be. */
static bool take_message(struct wire_plain *plain, const struct frame *frame)
{
    const bool continued = (frame->first & OPCODE) == CONTINUED;
    if (continued != plain->in_parts ||
        ((frame->first & OPCODE) == BINARY && !plain->context->config.binary))
        return false;
    plain->in_parts = (frame->first & FINAL) == 0;
    if (!continued && !plain->in_parts) {
        plain->events->message(plain->user, frame->bytes, frame->len);
        return true;
    }
    if (!continued)
        buffer_clear(&plain->parts);
    buffer_append(&plain->parts, frame->bytes, frame->len);
    if (plain->parts.failed)
        return false;
    if (!plain->in_parts)
        plain->events->message(plain->user, buffer_payload(&plain->parts), plain->parts.len);
    return true;
}

static void server_closes(struct wire_plain *plain, const struct frame *frame)
{
    const unsigned char *code = (const unsigned char *)frame->bytes;
    const bool coded = frame->len >= 2;
    if (coded) {
        plain->code = code[0] << 8 | code[1];
        (void)snprintf(plain->reason, sizeof plain->reason, "%.*s", (int)frame->len - 2,
                       frame->bytes + 2);
    }
    (void)send_frame(plain, CLOSE, frame->bytes, coded ? 2 : 0);
    end_connection(plain, WIRE_CLOSED_LOST);
}

static bool take_frame(struct wire_plain *plain, const struct frame *frame)
{
    switch (frame->first) {
    case TEXT:
    case BINARY:
    case CONTINUED:
    case FINAL | TEXT:
    case FINAL | BINARY:
    case FINAL | CONTINUED:
        return take_message(plain, frame);
    case FINAL | PING:
        (void)send_frame(plain, PONG, frame->bytes, frame->len);
        return true;
    case FINAL | PONG:
        return true;
    case FINAL | CLOSE:
        server_closes(plain, frame);
        return true;
    default:
        return false;
    }
}

enum found { FOUND, FOUND_PART, FOUND_WRONG };

/* The frame that begins at `bytes`, and where it ends. */
static enum found find_frame(const char *bytes, size_t len, struct frame *frame, size_t *end_at)
{
    const unsigned char *head = (const unsigned char *)bytes;
    if (len < 2)
        return FOUND_PART;
    const size_t more = head[1] < LEN_16 ? 0 : head[1] == LEN_16 ? 2 : 8;
    if (head[1] > LEN_64 || ((head[0] & CLOSE) != 0 && head[1] > CONTROL_MAX))
        return FOUND_WRONG;
    if (len < 2 + more)
        return FOUND_PART;
    uint64_t payload = more == 0 ? head[1] : 0;
    for (size_t i = 0; i < more; i++)
        payload = payload << 8 | head[2 + i];
    if (payload > WIRE_MESSAGE_BYTES_MAX)
        return FOUND_WRONG;
    *frame = (struct frame){head[0], bytes + 2 + more, (size_t)payload};
    *end_at = 2 + more + frame->len;
    return len < *end_at ? FOUND_PART : FOUND;
}

/* How many of the bytes were whole frames. */
static size_t take_frames(struct wire_plain *plain, const char *bytes, size_t len)
{
    size_t at = 0, frame_len = 0;
    while (!plain->ending) {
        struct frame frame;
        const enum found found = find_frame(bytes + at, len - at, &frame, &frame_len);
        if (found == FOUND_PART)
            break;
        if (found == FOUND_WRONG || !take_frame(plain, &frame))
            wire_plain_cut(plain);
        else
            at += frame_len;
    }
    return at;
}

/* ---- the upgrade */

/* The key is always the same one, and so is what it must be answered with. */
#define KEY      "dGhlIHNhbXBsZSBub25jZQ=="
#define ACCEPTED "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

static void ask_for_upgrade(struct wire_plain *plain)
{
    char host[WIRE_URL_HOST_HEADER];
    char *request = plain->context->out;
    const size_t size = sizeof plain->context->out;
    const char *subprotocol = plain->context->config.subprotocol;
    wire_url_host_header(&plain->url, host);
    const int len = snprintf(request, size,
                             "GET %s HTTP/1.1\r\n"
                             "Host: %s\r\n"
                             "Upgrade: websocket\r\n"
                             "Connection: Upgrade\r\n"
                             "Sec-WebSocket-Key: " KEY "\r\n"
                             "Sec-WebSocket-Version: 13\r\n"
                             "%s%s%s\r\n",
                             plain->url.path, host, subprotocol ? "Sec-WebSocket-Protocol: " : "",
                             subprotocol ? subprotocol : "", subprotocol ? "\r\n" : "");
    (void)write_all(plain, request, (size_t)len);
}

/* `head`: lines, each with its end. */
static bool has_line(const char *head, size_t len, const char *wanted)
{
    const size_t wanted_len = strlen(wanted);
    for (const char *at = head, *line_end; (line_end = memchr(at, '\n', len)) != NULL;
         at = line_end + 1) {
        if ((size_t)(line_end - at) == wanted_len + 1 && strncasecmp(at, wanted, wanted_len) == 0)
            return true;
        len -= (size_t)(line_end + 1 - at);
    }
    return false;
}

/* The three digits in "HTTP/1.1 404 Not Found"; 0: there are none. */
static int status_of(const char *head, size_t len)
{
    static const char version[] = "HTTP/1.1 ";
    int status = 0;
    if (len < strlen(version) + 3 || memcmp(head, version, strlen(version) - 2) != 0)
        return 0;
    for (const char *digit = head + strlen(version); digit < head + strlen(version) + 3; digit++) {
        if (*digit < '0' || *digit > '9')
            return 0;
        status = 10 * status + *digit - '0';
    }
    return status;
}

/* `head`: the lines of its answer, of which none need be there. */
static void end_refused(struct wire_plain *plain, const char *head, size_t len)
{
    const struct unreachable_facts facts = {.status = status_of(head, len)};
    unreachable_answer(plain->reason, &facts);
    end_connection(plain, WIRE_CLOSED_UNREACHABLE);
}

/* How many bytes the answer to the upgrade has; 0: it is not whole yet, or not what it must be. */
static size_t take_upgrade(struct wire_plain *plain, const char *bytes, size_t len)
{
    static const char first[] = "HTTP/1.1 101", blank[] = "\r\n\r\n";
    const char *found = memmem(bytes, len, blank, strlen(blank));
    if (!found && len > HEAD_MAX) {
        end_refused(plain, "", 0);
        return 0;
    }
    if (!found)
        return 0;
    const size_t head = (size_t)(found - bytes) + strlen(blank);
    if (strncmp(bytes, first, strlen(first)) != 0 || !has_line(bytes, head, ACCEPTED)) {
        end_refused(plain, bytes, head);
        return 0;
    }
    plain->open = true;
    plain->events->opened(plain->user);
    return head;
}

/* ---- in */

static size_t take_bytes(struct wire_plain *plain, const char *bytes, size_t len)
{
    const size_t head = plain->open ? 0 : take_upgrade(plain, bytes, len);
    return plain->open ? head + take_frames(plain, bytes + head, len - head) : 0;
}

/* Most reads are of whole frames, which are taken from where they arrived. */
static void take_read(struct wire_plain *plain, const char *bytes, size_t len)
{
    struct buffer *rest = &plain->rest;
    const bool from_rest = rest->len > 0;
    if (from_rest) {
        buffer_append(rest, bytes, len);
        bytes = buffer_payload(rest);
        len = rest->len;
    }
    const size_t taken = rest->failed ? 0 : take_bytes(plain, bytes, len);
    if (from_rest) {
        rest->len -= taken;
        memmove(rest->bytes, rest->bytes + taken, rest->len);
    } else if (taken < len) {
        buffer_append(rest, bytes + taken, len - taken);
    }
    if (rest->failed)
        wire_plain_cut(plain);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *arrived)
{
    struct wire_plain *plain = stream->data;
    if (n > 0)
        take_read(plain, arrived->base, (size_t)n);
    else if (n < 0 && plain->open)
        wire_plain_cut(plain);
    else if (n < 0)
        end_refused(plain, "", 0);
}

static void on_space(uv_handle_t *handle, size_t suggested, uv_buf_t *space)
{
    struct wire_plain *plain = handle->data;
    (void)suggested;
    *space = uv_buf_init(plain->context->in, READ_BYTES);
}

void wire_plain_read(struct wire_plain *plain, bool on)
{
    if (!plain->open || plain->ending)
        return;
    if (on)
        (void)uv_read_start((uv_stream_t *)&plain->tcp, on_space, on_read);
    else
        (void)uv_read_stop((uv_stream_t *)&plain->tcp);
}

/* ---- opening */

static void not_connected(struct wire_plain *plain, int status)
{
    if (!plain->ending) /* it was not cut meanwhile */
        unreachable_connect(plain->reason, -status);
    end_connection(plain, WIRE_CLOSED_UNREACHABLE);
}

static void on_connected(uv_connect_t *connect, int status)
{
    struct wire_plain *plain = connect->data;
    if (status < 0) {
        not_connected(plain, status);
        return;
    }
    (void)uv_tcp_nodelay(&plain->tcp, 1);
    (void)uv_read_start((uv_stream_t *)&plain->tcp, on_space, on_read);
    ask_for_upgrade(plain);
}

/* One in numbers. */
static bool find_address(struct sockaddr_storage *address, const char *host, uint16_t port)
{
    return uv_ip4_addr(host, port, (struct sockaddr_in *)address) == 0 ||
           uv_ip6_addr(host, port, (struct sockaddr_in6 *)address) == 0;
}

bool wire_plain_reaches(const struct wire_url *url)
{
    struct sockaddr_storage address;
    return !url->tls && find_address(&address, url->host, url->port);
}

static int start_connecting(struct wire_plain *plain)
{
    const struct wire_plain_context *context = plain->context;
    const struct sockaddr *source = (const struct sockaddr *)&context->source;
    struct sockaddr_storage address;
    if (!find_address(&address, plain->url.host, plain->url.port))
        return UV_EINVAL;
    const int status = source->sa_family != AF_UNSPEC ? uv_tcp_bind(&plain->tcp, source, 0) : 0;
    return status < 0 ? status
                      : uv_tcp_connect(&plain->connect, &plain->tcp,
                                       (const struct sockaddr *)&address, on_connected);
}

struct wire_plain *wire_plain_open(struct wire_plain_context *context, const struct wire_url *url,
                                   const struct wire_socket_events *events, void *user)
{
    struct wire_plain *plain = calloc(1, sizeof *plain);
    if (!plain)
        return NULL;
    *plain = (struct wire_plain){.context = context, .url = *url, .events = events, .user = user};
    buffer_init(&plain->rest, 0, WIRE_MESSAGE_BYTES_MAX + READ_BYTES + HEADER_MAX);
    buffer_init(&plain->parts, 0, WIRE_MESSAGE_BYTES_MAX);
    (void)uv_tcp_init(context->config.loop, &plain->tcp);
    plain->tcp.data = plain->connect.data = plain;
    const int status = start_connecting(plain);
    if (status < 0)
        not_connected(plain, status);
    return plain;
}

struct wire_plain_context *wire_plain_context_create(const struct wire_plain_config *config)
{
    struct wire_plain_context *context = calloc(1, sizeof *context);
    if (!context)
        return NULL;
    context->config = *config;
    if (!config->source || find_address(&context->source, config->source, 0))
        return context;
    free(context);
    return NULL;
}

void wire_plain_context_destroy(struct wire_plain_context *context)
{
    free(context);
}
