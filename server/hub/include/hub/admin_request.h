/*
 * One request of the operator: a line of JSON, read, checked and named. protocol/admin.md describes
 * the lines. Knows no hub.
 */
#ifndef HUB_ADMIN_REQUEST_H
#define HUB_ADMIN_REQUEST_H

#include <hub/ban_target.h>
#include <protocol/json_writer.h>
#include <protocol/limits.h>
#include <protocol/reply.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ADMIN_LINE_BYTES = PROTOCOL_MESSAGE_BYTES,
    ADMIN_ANSWER_BYTES = 1048576,
    ADMIN_PAGE = 100,
    ADMIN_AFTER_BYTES = 8,         /* of the end of a page, */
    ADMIN_AFTER_LETTER_BYTES = 25, /* and of a page of letters */
    ADMIN_WORD_BYTES = 8,
    ADMIN_FOR_S_MAX = 3650 * 24 * 3600, /* ten years */
};

/* ROW(name, word, does it change anything) */
#define ADMIN_OPS(ROW)                                                                             \
    ROW(STATUS, "status", false)                                                                   \
    ROW(ROOMS, "rooms", false)                                                                     \
    ROW(ROOM, "room", false)                                                                       \
    ROW(SESSIONS, "sessions", false)                                                               \
    ROW(ADDRESSES, "addresses", false)                                                             \
    ROW(DRAIN, "drain", true)                                                                      \
    ROW(CLOSE, "close", true)                                                                      \
    ROW(ANNOUNCE, "announce", true)                                                                \
    ROW(BANS, "bans", false)                                                                       \
    ROW(BAN, "ban", true)                                                                          \
    ROW(SILENCE, "silence", true)                                                                  \
    ROW(LIFT, "lift", true)                                                                        \
    ROW(LETTERS, "letters", false)                                                                 \
    ROW(RETRY, "retry", true)                                                                      \
    ROW(DISCARD, "discard", true)                                                                  \
    ROW(INVITE, "invite", true)                                                                    \
    ROW(ACCOUNT, "account", false)                                                                 \
    ROW(RENAME, "rename", true)                                                                    \
    ROW(LINK, "link", true)                                                                        \
    ROW(REPORTS, "reports", false)                                                                 \
    ROW(REPORT, "report", false)                                                                   \
    ROW(JUDGE, "judge", true)                                                                      \
    ROW(ANNUL, "annul", true)                                                                      \
    ROW(MODERATORS, "moderators", false)                                                           \
    ROW(MODERATOR, "moderator", true)

enum admin_op {
#define ADMIN_OP(name, word, changes) ADMIN_##name,
    ADMIN_OPS(ADMIN_OP)
#undef ADMIN_OP
        ADMIN_OP_COUNT
};
const char *admin_op_name(enum admin_op op);
/* Does it do more than look? Then it belongs into the audit log. */
bool admin_op_changes(enum admin_op op);

/* A letter's name: whom it is for, and which of theirs it is, 16 hexadecimal digits each. */
enum { ADMIN_LETTER_TEXT = 32 };
void admin_letter_format(uint64_t addressee, uint64_t id, char text[static ADMIN_LETTER_TEXT + 1]);

struct admin_request {
    int64_t id; /* REQUEST_NO_ID: none could be read */
    enum admin_op op;
    bool all;    /* of a list: what is not in use too */
    bool cancel; /* of `drain`; of `moderator`: not any more */
    bool force;  /* of `ban` and `silence`: also what is dangerous */
    int64_t for_s;
    int64_t report; /* its number */
    int64_t match;  /* of `annul`: its line of the book of ratings */
    char verdict[ADMIN_WORD_BYTES + 1], why[ADMIN_WORD_BYTES + 1]; /* of `judge` */
    struct ban_target target;
    bool has_after;
    uint8_t after[ADMIN_AFTER_LETTER_BYTES]; /* the end of the page before; of other lists its
                                                first ADMIN_AFTER_BYTES */
    struct {
        uint64_t addressee, id;
    } letter;                               /* of `retry` and `discard` (hub/store.h) */
    char handle[PROTOCOL_HANDLE_BYTES + 1]; /* of what is about an account: that it has or had */
    char to[PROTOCOL_HANDLE_BYTES + 1];     /* of `rename`: that it gets */
    uint64_t session; /* the account, once the server has found it; 0: not yet */
    char room[PROTOCOL_ROOM_BYTES + 1];
    char text[PROTOCOL_SAY_BYTES +
              1]; /* of `announce` and `judge`; the reason of the others, or "" */
};

/* Reads one line. False: `refusal` says what is wrong; its field is within the request. */
bool admin_request_read(struct admin_request *request, const char *line, size_t len,
                        struct refusal *refusal);
/* The operation and what it is about, as members of an object that the caller has begun. */
void admin_request_write(const struct admin_request *request, struct writer *writer);

#endif
