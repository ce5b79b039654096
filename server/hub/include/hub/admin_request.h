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
#include <protocol/terms.h>
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

/* What is asked for beside `id` and `op`. */
enum operator_member {
    MEMBER_AFTER = 1 << 0,
    MEMBER_ALL = 1 << 1,
    MEMBER_CANCEL = 1 << 2,
    MEMBER_ROOM = 1 << 3,
    MEMBER_REASON = 1 << 4,
    MEMBER_TEXT = 1 << 5,
    MEMBER_TARGET = 1 << 6,
    MEMBER_FOR = 1 << 7,
    MEMBER_FORCE = 1 << 8,
    MEMBER_LETTER = 1 << 9,
    MEMBER_HANDLE = 1 << 10,
    MEMBER_TO = 1 << 11,
    MEMBER_REPORT = 1 << 12,
    MEMBER_VERDICT = 1 << 13,
    MEMBER_WHY = 1 << 14,
    MEMBER_MATCH = 1 << 15,
    MEMBER_LANG = 1 << 16,
    MEMBER_LINE = 1 << 17,
};

/*
 * An operation. Those of all servers stand in admin_request.c, those of a feature in its rows
 * (features/feature.h), and nowhere else.
 */
struct operator_word {
    const char *word;
    bool changes;         /* it does more than look: then it belongs into the audit log */
    unsigned needed, may; /* enum operator_member: it has all of these, and may have those */
};

/* What all servers have. */
enum admin_op {
    ADMIN_STATUS,
    ADMIN_ROOMS,
    ADMIN_ROOM,
    ADMIN_SESSIONS,
    ADMIN_ADDRESSES,
    ADMIN_DRAIN,
    ADMIN_CLOSE,
    ADMIN_ANNOUNCE,
    ADMIN_LETTERS,
    ADMIN_RETRY,
    ADMIN_DISCARD,
    ADMIN_OF_FEATURE /* anything else: request->word says which */
};

struct feature;
enum { OPERATOR_WORDS_MAX = 64 };
/* All operations of a server with these features, those of all servers first, by their enum. NULL:
 * there are no more. */
const struct operator_word *operator_word_at(const struct feature *const *features, size_t at);

/* A letter's name: whom it is for, and which of theirs it is, 16 hexadecimal digits each. */
enum { ADMIN_LETTER_TEXT = 32 };
void admin_letter_format(uint64_t addressee, uint64_t id, char text[static ADMIN_LETTER_TEXT + 1]);

struct admin_request {
    int64_t id; /* REQUEST_NO_ID: none could be read */
    enum admin_op op;
    bool all;    /* of a list: what is not in use too */
    bool cancel; /* of `drain`; of `moderator`: not any more */
    bool force;  /* of `ban` and `silence`: also what is dangerous */
    bool has_after;
    const struct operator_word *word;
    size_t number; /* of the word among all (operator_word_at) */
    int64_t for_s;
    int64_t report;          /* its number */
    int64_t match;           /* the number of one that was counted */
    int64_t line;            /* of the lobby */
    enum protocol_lang lang; /* ... of which room there */
    char verdict[ADMIN_WORD_BYTES + 1], why[ADMIN_WORD_BYTES + 1]; /* of `judge` */
    struct ban_target target;
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

/* Reads one line, of a server with these features (NULL at the end). False: `refusal` says what is
 * wrong; its field is within the request. */
bool admin_request_read(struct admin_request *request, const struct feature *const *features,
                        const char *line, size_t len, struct refusal *refusal);
/* The operation and what it is about, as members of an object that the caller has begun. */
void admin_request_write(const struct admin_request *request, struct writer *writer);

#endif
