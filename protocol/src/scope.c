#include <protocol/scope.h>

#include <stdio.h>
#include <string.h>

static const struct {
    const char *word;
    unsigned scope;
} words[] = {
    {"play", SCOPE_PLAY},     {"room", SCOPE_ROOM},     {"games", SCOPE_GAMES},
    {"people", SCOPE_PEOPLE}, {"export", SCOPE_EXPORT},
};

enum { WORDS = sizeof words / sizeof words[0] };

/* 0: it is none. */
static unsigned scope_of_word(const char *word, size_t len)
{
    for (size_t at = 0; at < WORDS; at++) {
        if (strlen(words[at].word) == len && memcmp(words[at].word, word, len) == 0)
            return words[at].scope;
    }
    return 0;
}

bool scopes_read(unsigned *scopes, const char *text, size_t len)
{
    const char *end = text + len;
    *scopes = 0;
    for (;;) {
        const char *blank = memchr(text, ' ', (size_t)(end - text));
        const unsigned scope = scope_of_word(text, (size_t)((blank ? blank : end) - text));
        if (!scope || *scopes & scope)
            return false;
        *scopes |= scope;
        if (!blank)
            return true;
        text = blank + 1;
    }
}

void scopes_write(char text[PROTOCOL_SCOPE_BYTES + 1], unsigned scopes)
{
    size_t len = 0;
    text[0] = '\0';
    for (size_t at = 0; at < WORDS; at++) {
        if (scopes & words[at].scope)
            len += (size_t)snprintf(text + len, PROTOCOL_SCOPE_BYTES + 1 - len, "%s%s",
                                    len ? " " : "", words[at].word);
    }
}

/*
 * What is not named is the owner's alone, and what is kept of the account also that of who fetches
 * a copy of it: what opens the session, what it is called, and its end;
 * and looking for rated matches, as ratings are people's. What shows a room as its own seat sees it
 * takes a scope that has to do with seats.
 */
static const unsigned char scopes_of[REQUEST_OPS] = {
    [REQUEST_ANALYSIS] = SCOPE_LOOK,
    [REQUEST_APPEAL] = SCOPE_OWNER | SCOPE_APPEAL,
    [REQUEST_BLOCK] = SCOPE_PEOPLE,
    [REQUEST_BLOCKS] = SCOPE_PEOPLE | SCOPE_EXPORT,
    [REQUEST_BOT] = SCOPE_ROOM,
    [REQUEST_BOTS] = SCOPE_OWNER | SCOPE_EXPORT,
    [REQUEST_CHECK] = SCOPE_PLAY,
    [REQUEST_CREATE] = SCOPE_ROOM,
    [REQUEST_DEVICES] = SCOPE_OWNER | SCOPE_EXPORT,
    [REQUEST_EVENT] = SCOPE_LOOK,
    [REQUEST_EVENT_ACT] = SCOPE_ROOM,
    [REQUEST_EVENT_ENTER] = SCOPE_PLAY,
    [REQUEST_EVENT_HERE] = SCOPE_PLAY,
    [REQUEST_EVENT_LEAVE] = SCOPE_PLAY,
    [REQUEST_EVENT_LOG] = SCOPE_LOOK,
    [REQUEST_EVENT_MAKE] = SCOPE_ROOM,
    [REQUEST_EVENTS] = SCOPE_LOOK,
    [REQUEST_FOLLOW] = SCOPE_PEOPLE,
    [REQUEST_FRIENDS] = SCOPE_PEOPLE | SCOPE_EXPORT,
    [REQUEST_GAMES] = SCOPE_GAMES | SCOPE_EXPORT,
    [REQUEST_HELLO] = SCOPE_LOOK,
    [REQUEST_HINT] = SCOPE_PLAY,
    [REQUEST_INVITES] = SCOPE_OWNER | SCOPE_EXPORT,
    [REQUEST_JOIN] = SCOPE_PLAY | SCOPE_ROOM,
    [REQUEST_KEPT] = SCOPE_OWNER | SCOPE_EXPORT,
    [REQUEST_KEPT_AT_DESK] = SCOPE_OWNER | SCOPE_EXPORT,
    [REQUEST_LEAVE] = SCOPE_PLAY | SCOPE_ROOM,
    [REQUEST_MOVE] = SCOPE_PLAY,
    [REQUEST_MOVES] = SCOPE_PLAY,
    [REQUEST_OFFER] = SCOPE_PLAY,
    [REQUEST_PAST] = SCOPE_PLAY | SCOPE_ROOM,
    [REQUEST_PASSKEYS] = SCOPE_OWNER | SCOPE_EXPORT,
    [REQUEST_PING] = SCOPE_LOOK,
    [REQUEST_PROFILE] = SCOPE_LOOK,
    [REQUEST_READY] = SCOPE_PLAY,
    [REQUEST_RECORD] = SCOPE_LOOK,
    [REQUEST_REMATCH] = SCOPE_PLAY | SCOPE_ROOM,
    [REQUEST_RESIGN] = SCOPE_PLAY,
    [REQUEST_ROOMS] = SCOPE_LOOK,
    [REQUEST_SAY] = SCOPE_PLAY,
    [REQUEST_SIT] = SCOPE_PLAY,
    [REQUEST_START] = SCOPE_PLAY | SCOPE_ROOM,
    [REQUEST_TOKENS] = SCOPE_OWNER | SCOPE_EXPORT,
    [REQUEST_UNBLOCK] = SCOPE_PEOPLE,
    [REQUEST_UNDO] = SCOPE_PLAY,
    [REQUEST_UNFOLLOW] = SCOPE_PEOPLE,
    [REQUEST_UNSEAT] = SCOPE_ROOM,
    [REQUEST_WATCH] = SCOPE_PLAY | SCOPE_ROOM,
    [REQUEST_WITHDRAW] = SCOPE_PLAY,
};

unsigned scopes_of_request(enum request_op op)
{
    return scopes_of[op] ? scopes_of[op] : SCOPE_OWNER;
}

const char *scope_needed(enum request_op op)
{
    size_t at = 0;
    while (at < WORDS && !(scopes_of[op] & SCOPE_GIVEN & words[at].scope))
        at++;
    return at < WORDS ? words[at].word : NULL;
}
