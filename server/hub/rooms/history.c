#include "history.h"

#include "hub_private.h"
#include <assert.h>
#include <protocol/buffer.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE_EVENTS = 16 };

/* Of the events behind `base`, a multiple of PIECE_EVENTS. */
struct history_piece {
    struct hub_room *hub_room;
    struct history_piece *next; /* of the room */
    struct history_piece *newer, *older;
    uint64_t base;
    unsigned audience;
    unsigned count;
    size_t ends[PIECE_EVENTS]; /* where each push ends in `bytes` */
    char bytes[];
};

static size_t piece_size(const struct history_piece *piece)
{
    return sizeof *piece + piece->ends[piece->count - 1];
}

/* ---- the list of pieces */

static void link_newest(struct history *history, struct history_piece *piece)
{
    piece->newer = NULL;
    piece->older = history->newest;
    *(piece->older ? &piece->older->newer : &history->oldest) = piece;
    history->newest = piece;
}

static void unlink_piece(struct history *history, struct history_piece *piece)
{
    *(piece->older ? &piece->older->newer : &history->oldest) = piece->newer;
    *(piece->newer ? &piece->newer->older : &history->newest) = piece->older;
}

static void drop_piece(struct history *history, struct history_piece *piece)
{
    struct history_piece **link = &piece->hub_room->history;
    while (*link != piece)
        link = &(*link)->next;
    *link = piece->next;
    unlink_piece(history, piece);
    history->bytes -= piece_size(piece);
    free(piece);
}

static struct history_piece *find_piece(const struct hub_room *hub_room, unsigned audience,
                                        uint64_t base)
{
    struct history_piece *piece = hub_room->history;
    while (piece && (piece->base != base || piece->audience != audience))
        piece = piece->next;
    return piece;
}

static void keep_piece(struct hub *hub, struct history_piece *piece)
{
    struct history *history = &hub->history;
    struct history_piece *old = find_piece(piece->hub_room, piece->audience, piece->base);
    if (old)
        drop_piece(history, old);
    piece->next = piece->hub_room->history;
    piece->hub_room->history = piece;
    link_newest(history, piece);
    history->bytes += piece_size(piece);
    while (history->oldest && history->bytes > (size_t)hub->config.history_bytes) {
        /* Nothing is older: it is the next one then. NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
        drop_piece(history, history->oldest);
    }
}

void history_forget(struct hub *hub, struct hub_room *hub_room)
{
    while (hub_room->history)
        drop_piece(&hub->history, hub_room->history);
}

/* ---- from pieces that exist */

struct asked {
    struct hub *hub;
    struct hub_room *hub_room;
    unsigned audience;
    uint64_t done, upto; /* events in (done, upto] are still to be given */
    int (*sink)(void *ctx, const char *bytes, size_t len);
    void *ctx;
    size_t *encoded_bytes;

    uint64_t encoded; /* the last event that was encoded */

    /* The piece that is being made. */
    uint64_t base;
    unsigned count;
    size_t ends[PIECE_EVENTS];
    struct buffer buffer;
};

/* Hands out the events that the piece has. */
static int give_piece(struct asked *asked, struct history_piece *piece)
{
    unlink_piece(&asked->hub->history, piece);
    link_newest(&asked->hub->history, piece);
    int result = 0;
    while (result == 0 && asked->done < asked->upto && asked->done < piece->base + piece->count) {
        size_t at = (size_t)(asked->done - piece->base);
        size_t begin = at ? piece->ends[at - 1] : 0;
        result = asked->sink(asked->ctx, piece->bytes + begin, piece->ends[at] - begin);
        asked->done++;
    }
    return result;
}

/* ---- encoding what is missing */

/* If there is no memory for it, it is encoded again the next time it is asked for. */
static void finish_piece(struct asked *asked)
{
    struct history_piece *piece = NULL;
    if (asked->count > 0 && !asked->buffer.failed)
        piece = malloc(sizeof *piece + asked->buffer.len);
    if (piece) {
        *piece = (struct history_piece){.hub_room = asked->hub_room,
                                        .base = asked->base,
                                        .audience = asked->audience,
                                        .count = asked->count};
        memcpy(piece->ends, asked->ends, sizeof piece->ends);
        memcpy(piece->bytes, buffer_payload(&asked->buffer), asked->buffer.len);
        keep_piece(asked->hub, piece);
    }
    buffer_clear(&asked->buffer);
    asked->base += PIECE_EVENTS;
    asked->count = 0;
}

static int take_event(void *ctx, const char *bytes, size_t len)
{
    struct asked *asked = ctx;
    asked->encoded++;
    *asked->encoded_bytes += len;
    if (asked->encoded <= asked->hub_room->durable_seq) {
        buffer_append(&asked->buffer, bytes, len);
        asked->ends[asked->count++] = asked->buffer.len;
    }
    if (asked->count == PIECE_EVENTS)
        finish_piece(asked);
    if (asked->encoded <= asked->done)
        return 0;
    asked->done = asked->encoded;
    return asked->sink(asked->ctx, bytes, len);
}

/* From the beginning of a piece to the end of what is asked for, or until the sink has enough. */
static int make_pieces(struct asked *asked, uint64_t base)
{
    enum { PIECE_BYTES_MAX = 1 << 21 };
    asked->base = asked->encoded = base;
    asked->count = 0;
    buffer_init(&asked->buffer, 0, PIECE_BYTES_MAX);
    int result = room_write_missed(asked->hub_room->room, asked->audience, base, asked->upto,
                                   take_event, asked);
    finish_piece(asked);
    buffer_release(&asked->buffer);
    return result;
}

int history_write(struct hub *hub, struct hub_room *hub_room, unsigned audience, uint64_t have,
                  uint64_t upto, int (*sink)(void *ctx, const char *bytes, size_t len), void *ctx,
                  size_t *encoded_bytes)
{
    struct asked asked = {.hub = hub,
                          .hub_room = hub_room,
                          .audience = audience,
                          .done = have,
                          .upto = upto,
                          .sink = sink,
                          .ctx = ctx,
                          .encoded_bytes = encoded_bytes};
    int result = 0;
    while (asked.done < upto && result == 0) {
        uint64_t base = asked.done - asked.done % PIECE_EVENTS;
        struct history_piece *piece = find_piece(hub_room, audience, base);
        if (piece && piece->base + piece->count > asked.done)
            result = give_piece(&asked, piece);
        else
            result = make_pieces(&asked, base);
    }
    return result;
}
