/*
 * One request as a struct of fixed size: the layers above see nothing else of a client's message,
 * and the clients in C fill one in to send it.
 *
 * Decoding is strict: one JSON object, UTF-8, no NUL, no key twice, bounded depth, a known op,
 * every required field, no unknown field, every value of its type, form and range. It changes
 * nothing outside the struct and knows no room and no game.
 *
 *     struct request request;
 *     enum protocol_error error = request_decode(&request, bytes, len);
 *     if (error != PROTOCOL_OK)
 *         reply_error(&writer, request.id, error, request.bad_field);
 *     ...
 *     request_release(&request);
 */
#ifndef PROTOCOL_REQUEST_H
#define PROTOCOL_REQUEST_H

#include <jansson.h>
#include <protocol/error.h>
#include <protocol/limits.h>
#include <protocol/terms.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct writer;

enum request_op {
    REQUEST_ANALYSIS,
    REQUEST_BOT,
    REQUEST_CHECK,
    REQUEST_CREATE,
    REQUEST_DEVICES,
    REQUEST_FORGET,
    REQUEST_GAMES,
    REQUEST_HELLO,
    REQUEST_HINT,
    REQUEST_JOIN,
    REQUEST_LEAVE,
    REQUEST_LINK,
    REQUEST_MOVE,
    REQUEST_MOVES,
    REQUEST_NOTIFY,
    REQUEST_OFFER,
    REQUEST_PAST,
    REQUEST_PHRASE,
    REQUEST_PING,
    REQUEST_READY,
    REQUEST_RECORD,
    REQUEST_REMATCH,
    REQUEST_RENAME,
    REQUEST_RESIGN,
    REQUEST_ROOMS,
    REQUEST_SAY,
    REQUEST_SIT,
    REQUEST_START,
    REQUEST_UNDO,
    REQUEST_UNNOTIFY,
    REQUEST_UNSEAT,
    REQUEST_WATCH,
    REQUEST_WITHDRAW,
    REQUEST_OPS
};

/* Bits of `request.fields`: which members were there. A member whose bit is not set is undefined.
 */
enum request_field {
    REQUEST_ACCESS = 1U << 0,
    REQUEST_AFTER = 1U << 1,
    REQUEST_AS = 1U << 2,
    REQUEST_AUTH = 1U << 3,
    REQUEST_CLIENT = 1U << 4,
    REQUEST_CLOCK = 1U << 5,
    REQUEST_CODE = 1U << 6,
    REQUEST_COLOUR = 1U << 7,
    REQUEST_CONFIRM = 1U << 8,
    REQUEST_DEVICE = 1U << 9,
    REQUEST_ENDPOINT = 1U << 10,
    REQUEST_GAME = 1U << 11,
    REQUEST_HAVE = 1U << 12,
    REQUEST_HINTS = 1U << 13,
    REQUEST_LEVEL = 1U << 14,
    REQUEST_MOVE_TEXT = 1U << 15,
    REQUEST_NAME = 1U << 16,
    REQUEST_NONCE = 1U << 17,
    REQUEST_OPTIONS = 1U << 18,
    REQUEST_P256DH = 1U << 19,
    REQUEST_PASS = 1U << 20,
    REQUEST_IS_READY = 1U << 21,
    REQUEST_ROOM = 1U << 22,
    REQUEST_SEAT = 1U << 23,
    REQUEST_TEXT = 1U << 24,
    REQUEST_TITLE = 1U << 25,
    REQUEST_TOKEN = 1U << 26,
    REQUEST_WHAT = 1U << 27,
};

#define REQUEST_NO_ID INT64_C(-1)

/* Whose view is meant, beside the numbers of seats: the server's, who knows everything. */
enum { REQUEST_AS_SERVER = 254, REQUEST_AS_WATCHER = 255 };

struct request {
    int64_t id; /* REQUEST_NO_ID if it could not be read: answered with "id": null */
    enum request_op op;
    uint32_t fields; /* enum request_field */

    bool ready;
    bool confirm;
    bool hints;
    uint8_t seat;  /* < PROTOCOL_SEATS */
    uint8_t level; /* of a computer player, 1 to PROTOCOL_LEVELS */
    uint8_t as;    /* < PROTOCOL_SEATS, or REQUEST_AS_SERVER, REQUEST_AS_WATCHER */
    enum protocol_access access;
    enum protocol_offer what;
    int64_t have;
    struct protocol_clock clock;
    json_t *options; /* an object, owned by the request; opaque here, the game reads it */

    /* Strings end with NUL and hold none. Text for people is trimmed and cleaned, see text.h. */
    char room[PROTOCOL_ROOM_BYTES + 1];
    char after[PROTOCOL_ROOM_BYTES + 1];
    char code[PROTOCOL_CODE_BYTES + 1];
    char game[PROTOCOL_GAME_BYTES + 1];
    char colour[PROTOCOL_COLOUR_BYTES + 1];
    char token[PROTOCOL_TOKEN_BYTES + 1];
    char pass[PROTOCOL_PASS_BYTES + 1];
    char device[PROTOCOL_DEVICE_BYTES + 1];
    char nonce[PROTOCOL_NONCE_BYTES + 1]; /* lower case */
    char p256dh[PROTOCOL_P256DH_BYTES + 1];
    char auth[PROTOCOL_AUTH_BYTES + 1];
    char endpoint[PROTOCOL_ENDPOINT_BYTES + 1];
    char move[PROTOCOL_MOVE_BYTES + 1];
    char name[PROTOCOL_NAME_BYTES + 1];
    char title[PROTOCOL_TITLE_BYTES + 1];
    char client[PROTOCOL_CLIENT_BYTES + 1];
    char text[PROTOCOL_SAY_BYTES + 1];

    /* After a refused decode: which field was wrong, cut to fit; empty if none in particular.
     * Members of `clock` are called "clock.bank_s". */
    char bad_field[PROTOCOL_FIELD_BYTES + 1];
};

/* An empty request for a client to fill in: set members and their bits in `fields`. */
void request_init(struct request *request, int64_t id, enum request_op op);

/*
 * Reads one message. On refusal `id` is set if it could be read, `bad_field` says where, and
 * nothing else may be used. PROTOCOL_INTERNAL means that memory ran out. Either way the request
 * must be released.
 */
enum protocol_error request_decode(struct request *request, const char *bytes, size_t len);

/* Releases `options`. May be called again. */
void request_release(struct request *request);

static inline bool request_has(const struct request *request, enum request_field field)
{
    return (request->fields & (uint32_t)field) != 0;
}

/* Writes what `request_decode` reads, fields in the order of enum request_field. */
void request_encode(struct writer *writer, const struct request *request);

/*
 * A number that two requests share if they ask the same, whatever their order of keys, white space,
 * id or `have` (what a client holds may well have grown when it asks again). It stays the same for
 * ever, so it may be stored. It is not collision resistant: it detects mistakes and not attacks.
 */
uint64_t request_digest(const struct request *request);

/* The op's word on the wire, static. */
const char *request_op_name(enum request_op op);

#endif
