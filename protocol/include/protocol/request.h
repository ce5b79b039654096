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
    REQUEST_ADOPT,
    REQUEST_ANALYSIS,
    REQUEST_APPEAL,
    REQUEST_BLOCK,
    REQUEST_BLOCKS,
    REQUEST_BOT,
    REQUEST_BOT_ACCOUNT,
    REQUEST_BOTS,
    REQUEST_CASES,
    REQUEST_CHAT,
    REQUEST_CHAT_DROP,
    REQUEST_CHAT_REPORT,
    REQUEST_CHAT_SAY,
    REQUEST_CHECK,
    REQUEST_CLAIM,
    REQUEST_CLOSE_ACCOUNT,
    REQUEST_CREATE,
    REQUEST_DEVICES,
    REQUEST_EVENT,
    REQUEST_EVENT_ACT,
    REQUEST_EVENT_ENTER,
    REQUEST_EVENT_HERE,
    REQUEST_EVENT_LEAVE,
    REQUEST_EVENT_LOG,
    REQUEST_EVENT_MAKE,
    REQUEST_EVENTS,
    REQUEST_EXPORT,
    REQUEST_FOLLOW,
    REQUEST_FORGET,
    REQUEST_FRIENDS,
    REQUEST_GAMES,
    REQUEST_HEED,
    REQUEST_HELLO,
    REQUEST_HINT,
    REQUEST_INVITE,
    REQUEST_INVITES,
    REQUEST_JOIN,
    REQUEST_JUDGE,
    REQUEST_KEEP_ACCOUNT,
    REQUEST_KEPT,
    REQUEST_KEPT_AT_DESK,
    REQUEST_LEAVE,
    REQUEST_LINK,
    REQUEST_MOVE,
    REQUEST_MOVES,
    REQUEST_NOTIFY,
    REQUEST_OFFER,
    REQUEST_PASSKEY,
    REQUEST_PASSKEY_ADD,
    REQUEST_PASSKEY_DROP,
    REQUEST_PASSKEYS,
    REQUEST_PAST,
    REQUEST_PHRASE,
    REQUEST_PING,
    REQUEST_PRESENCE,
    REQUEST_PROFILE,
    REQUEST_PROFILE_SHOW,
    REQUEST_PROVE,
    REQUEST_QUIET,
    REQUEST_READY,
    REQUEST_RECORD,
    REQUEST_REDEEM,
    REQUEST_REMATCH,
    REQUEST_RENAME,
    REQUEST_REPORT,
    REQUEST_RESIGN,
    REQUEST_ROOMS,
    REQUEST_SAY,
    REQUEST_SEEK,
    REQUEST_SIGN_IN,
    REQUEST_SIGN_IN_DROP,
    REQUEST_SIT,
    REQUEST_START,
    REQUEST_TOKEN_ADD,
    REQUEST_TOKEN_DROP,
    REQUEST_TOKENS,
    REQUEST_UNBLOCK,
    REQUEST_UNDO,
    REQUEST_UNFOLLOW,
    REQUEST_UNNOTIFY,
    REQUEST_UNSEAT,
    REQUEST_UNSEEK,
    REQUEST_WATCH,
    REQUEST_WITHDRAW,
    REQUEST_OPS
};

/* Bits of `request.fields`: which members were there. A member whose bit is not set is undefined.
 * In the order of their names on the wire; 63 at most. */
#define REQUEST_ACCESS       (UINT64_C(1) << 0)
#define REQUEST_DIRECTED     (UINT64_C(1) << 1)
#define REQUEST_AFTER        (UINT64_C(1) << 2)
#define REQUEST_AS           (UINT64_C(1) << 3)
#define REQUEST_AUTH         (UINT64_C(1) << 4)
#define REQUEST_CASE         (UINT64_C(1) << 5)
#define REQUEST_CLIENT       (UINT64_C(1) << 6)
#define REQUEST_CLOCK        (UINT64_C(1) << 7)
#define REQUEST_CODE         (UINT64_C(1) << 8)
#define REQUEST_COLOUR       (UINT64_C(1) << 9)
#define REQUEST_CONFIRM      (UINT64_C(1) << 10)
#define REQUEST_DAYS         (UINT64_C(1) << 11)
#define REQUEST_DEVICE       (UINT64_C(1) << 12)
#define REQUEST_ENDPOINT     (UINT64_C(1) << 13)
#define REQUEST_OF_EVENT     (UINT64_C(1) << 14)
#define REQUEST_FOR          (UINT64_C(1) << 15)
#define REQUEST_FOR_S        (UINT64_C(1) << 16)
#define REQUEST_GAME         (UINT64_C(1) << 17)
#define REQUEST_HANDLE       (UINT64_C(1) << 18)
#define REQUEST_HAVE         (UINT64_C(1) << 19)
#define REQUEST_IS_HIDDEN    (UINT64_C(1) << 20)
#define REQUEST_HINTS        (UINT64_C(1) << 21)
#define REQUEST_INVITE_CODE  (UINT64_C(1) << 22)
#define REQUEST_JUDGEMENT    (UINT64_C(1) << 23)
#define REQUEST_KEY          (UINT64_C(1) << 24)
#define REQUEST_LANG         (UINT64_C(1) << 25)
#define REQUEST_LEVEL        (UINT64_C(1) << 26)
#define REQUEST_LINE         (UINT64_C(1) << 27)
#define REQUEST_MOVE_TEXT    (UINT64_C(1) << 28)
#define REQUEST_NAME         (UINT64_C(1) << 29)
#define REQUEST_NONCE        (UINT64_C(1) << 30)
#define REQUEST_ON           (UINT64_C(1) << 31)
#define REQUEST_OPTIONS      (UINT64_C(1) << 32)
#define REQUEST_P256DH       (UINT64_C(1) << 33)
#define REQUEST_PASS         (UINT64_C(1) << 34)
#define REQUEST_PASSKEY_SENT (UINT64_C(1) << 35)
#define REQUEST_IS_READY     (UINT64_C(1) << 36)
#define REQUEST_ROOM         (UINT64_C(1) << 37)
#define REQUEST_RULES        (UINT64_C(1) << 38)
#define REQUEST_SCOPE        (UINT64_C(1) << 39)
#define REQUEST_SEAT         (UINT64_C(1) << 40)
#define REQUEST_SECRET       (UINT64_C(1) << 41)
#define REQUEST_TEXT         (UINT64_C(1) << 42)
#define REQUEST_TITLE        (UINT64_C(1) << 43)
#define REQUEST_TOKEN        (UINT64_C(1) << 44)
#define REQUEST_VERDICT      (UINT64_C(1) << 45)
#define REQUEST_VOUCHER      (UINT64_C(1) << 46)
#define REQUEST_WHAT         (UINT64_C(1) << 47)
#define REQUEST_WHY          (UINT64_C(1) << 48)

#define REQUEST_NO_ID INT64_C(-1)

/* Whose view is meant, beside the numbers of seats: the server's, who knows everything. */
enum { REQUEST_AS_SERVER = 254, REQUEST_AS_WATCHER = 255 };

struct request {
    int64_t id; /* REQUEST_NO_ID if it could not be read: answered with "id": null */
    enum request_op op;
    uint64_t fields; /* bits, see above */

    bool ready;
    bool confirm;
    bool kept; /* read by request_decode_kept */
    /* Never of a client: its site watches a room for it again, and has chosen the id. */
    bool follows;
    bool hints;
    bool hidden;
    bool on;
    uint8_t seat;  /* < PROTOCOL_SEATS */
    uint8_t level; /* of a computer player, 1 to PROTOCOL_LEVELS */
    uint8_t as;    /* < PROTOCOL_SEATS, or REQUEST_AS_SERVER, REQUEST_AS_WATCHER */
    enum protocol_access access;
    enum protocol_offer what;
    int64_t have;
    int64_t days; /* of a program's token, 1 to PROTOCOL_TOKEN_DAYS_MAX */
    int64_t case_id, judgement, line;
    int64_t for_s; /* a judgement holds, 1 to PROTOCOL_JUDGED_S_MAX */
    struct protocol_clock clock;
    /* An object, owned by the request; opaque here: `options`, which the game reads, `rules` of an
     * event, or an act of who directs one. No operation has two of them. */
    json_t *options;
    /* An object, owned by the request. Its members are base64url without padding, within the bounds
     * of limits.h; which it has depends on the operation. */
    json_t *passkey;

    /* Strings end with NUL and hold none. Text for people is trimmed and cleaned, see text.h. */
    char room[PROTOCOL_ROOM_BYTES + 1];
    char after[PROTOCOL_ROOM_BYTES + 1];
    char event[PROTOCOL_ROOM_BYTES + 1];
    char code[PROTOCOL_CODE_BYTES + 1];
    char game[PROTOCOL_GAME_BYTES + 1];
    char colour[PROTOCOL_COLOUR_BYTES + 1];
    char token[PROTOCOL_ACCESS_BYTES + 1]; /* of a device, or a program */
    char pass[PROTOCOL_PASS_BYTES + 1];
    char invite[PROTOCOL_PASS_BYTES + 1];
    char secret[PROTOCOL_TOKEN_BYTES + 1];
    char device[PROTOCOL_DEVICE_BYTES + 1];
    char key[PROTOCOL_DEVICE_BYTES + 1];
    char purpose[PROTOCOL_PURPOSE_BYTES + 1]; /* "add", "appeal", "enter", "proof" */
    char why[PROTOCOL_WHY_BYTES + 1];         /* of a report: "talk", "name", "cheating", ... */
    char verdict[PROTOCOL_VERDICT_BYTES + 1]; /* of a case: "dismiss", ..., "uphold" */
    char voucher[PROTOCOL_VOUCHER_BYTES + 1];
    char nonce[PROTOCOL_NONCE_BYTES + 1]; /* lower case */
    char p256dh[PROTOCOL_P256DH_BYTES + 1];
    char auth[PROTOCOL_AUTH_BYTES + 1];
    char endpoint[PROTOCOL_ENDPOINT_BYTES + 1];
    char move[PROTOCOL_MOVE_BYTES + 1];
    char name[PROTOCOL_NAME_BYTES + 1];
    char title[PROTOCOL_TITLE_BYTES + 1];
    char lang[PROTOCOL_LANG_BYTES + 1]; /* protocol_lang_find */
    char client[PROTOCOL_CLIENT_BYTES + 1];
    char text[PROTOCOL_SAY_BYTES + 1];
    char handle[PROTOCOL_HANDLE_BYTES + 1];
    char scope[PROTOCOL_SCOPE_BYTES + 1]; /* of a program's token: words, see scope.h */
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
/* The same of one that was stored: what was clean text then still is (text_kept). */
enum protocol_error request_decode_kept(struct request *request, const char *bytes, size_t len);

/* Releases `options` and `passkey`. May be called again. */
void request_release(struct request *request);

static inline bool request_has(const struct request *request, uint64_t field)
{
    return (request->fields & field) != 0;
}

/* Writes what `request_decode` reads, fields in the order of their bits. */
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
