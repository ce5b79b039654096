#include "request_table.h"

#include <assert.h>
#include <protocol/account.h>
#include <protocol/encoding.h>
#include <protocol/scope.h>
#include <string.h>

static bool only(const char *text, size_t len, const char *allowed)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\0' || !strchr(allowed, text[i]))
            return false;
    }
    return true;
}

static bool game_form(const char *text, size_t len)
{
    return len > 0 && only(text, len, "abcdefghijklmnopqrstuvwxyz0123456789-");
}

static bool colour_form(const char *text, size_t len)
{
    return len > 0 && only(text, len, "abcdefghijklmnopqrstuvwxyz");
}

static bool nonce_form(const char *text, size_t len)
{
    return len >= PROTOCOL_NONCE_BYTES_MIN && only(text, len, "0123456789abcdefABCDEF");
}

static bool token_form(const char *text, size_t len)
{
    uint8_t bytes[TOKEN_RANDOM_BYTES];
    return token_decode(bytes, text, len);
}

/* Of a device, or a program. */
static bool opening_form(const char *text, size_t len)
{
    uint8_t bytes[TOKEN_RANDOM_BYTES];
    return token_decode(bytes, text, len) || access_token_decode(bytes, text, len);
}

static bool scope_form(const char *text, size_t len)
{
    unsigned scopes;
    return scopes_read(&scopes, text, len) && !(scopes & ~(unsigned)SCOPE_GIVEN);
}

static bool key_form(const char *text, size_t len, size_t wanted)
{
    return len == wanted &&
           only(text, len, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
}

static bool auth_form(const char *text, size_t len)
{
    return key_form(text, len, PROTOCOL_AUTH_BYTES);
}

static bool p256dh_form(const char *text, size_t len)
{
    return key_form(text, len, PROTOCOL_P256DH_BYTES);
}

static bool printable_form(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] < 0x20 || text[i] > 0x7e)
            return false;
    }
    return len > 0;
}

static bool purpose_form(const char *text, size_t len)
{
    (void)len; /* it holds no NUL */
    return strcmp(text, "add") == 0 || strcmp(text, "appeal") == 0 || strcmp(text, "enter") == 0 ||
           strcmp(text, "proof") == 0;
}

/* The signed part, a dot, and the secret. */
static bool voucher_form(const char *text, size_t len)
{
    enum { SIGNED = PROTOCOL_VOUCHER_BYTES - 1 - PROTOCOL_TOKEN_BYTES };
    return len == PROTOCOL_VOUCHER_BYTES && text[SIGNED] == '.' && base64url_valid(text, SIGNED) &&
           token_form(text + SIGNED + 1, PROTOCOL_TOKEN_BYTES);
}

static bool why_form(const char *text, size_t len)
{
    static const char *const words[] = {"talk", "name", "cheating", "stalling", "other"};
    (void)len; /* it holds no NUL */
    for (size_t at = 0; at < sizeof words / sizeof words[0]; at++) {
        if (strcmp(text, words[at]) == 0)
            return true;
    }
    return false;
}

static bool lang_form(const char *text, size_t len)
{
    enum protocol_lang lang;
    return protocol_lang_find(&lang, text, len);
}

static bool verdict_form(const char *text, size_t len)
{
    (void)len; /* it holds no NUL */
    return strcmp(text, "dismiss") == 0 || strcmp(text, "warn") == 0 ||
           strcmp(text, "silence") == 0 || strcmp(text, "ban") == 0 || strcmp(text, "uphold") == 0;
}

#define AT(member)     offsetof(struct request, member)
#define STRING(member) AT(member), sizeof((struct request *)0)->member

const struct field_row field_rows[FIELD_ROWS] = {
    {"access", FIELD_ACCESS, AT(access), 0, NULL},
    {"act", FIELD_OPTIONS, AT(options), 0, NULL},
    {"after", FIELD_WORD, STRING(after), room_id_valid},
    {"as", FIELD_VIEWER, AT(as), 0, NULL},
    {"auth", FIELD_WORD, STRING(auth), auth_form},
    {"case", FIELD_NUMBER, AT(case_id), 0, NULL},
    {"client", FIELD_TEXT, STRING(client), NULL},
    {"clock", FIELD_CLOCK, AT(clock), 0, NULL},
    {"code", FIELD_WORD, STRING(code), code_valid},
    {"colour", FIELD_WORD, STRING(colour), colour_form},
    {"confirm", FIELD_BOOL, AT(confirm), 0, NULL},
    {"days", FIELD_DAYS, AT(days), 0, NULL},
    {"device", FIELD_WORD, STRING(device), device_valid},
    {"endpoint", FIELD_WORD, STRING(endpoint), printable_form},
    {"event", FIELD_WORD, STRING(event), room_id_valid},
    {"for", FIELD_WORD, STRING(purpose), purpose_form},
    {"for_s", FIELD_TERM, AT(for_s), 0, NULL},
    {"game", FIELD_WORD, STRING(game), game_form},
    {"handle", FIELD_WORD, STRING(handle), handle_valid},
    {"have", FIELD_COUNT, AT(have), 0, NULL},
    {"hidden", FIELD_BOOL, AT(hidden), 0, NULL},
    {"hints", FIELD_BOOL, AT(hints), 0, NULL},
    {"invite", FIELD_WORD, STRING(invite), pass_valid},
    {"judgement", FIELD_NUMBER, AT(judgement), 0, NULL},
    {"key", FIELD_WORD, STRING(key), device_valid},
    {"lang", FIELD_WORD, STRING(lang), lang_form},
    {"level", FIELD_LEVEL, AT(level), 0, NULL},
    {"line", FIELD_NUMBER, AT(line), 0, NULL},
    {"move", FIELD_WORD, STRING(move), printable_form},
    {"name", FIELD_TEXT, STRING(name), NULL},
    {"nonce", FIELD_HEX, STRING(nonce), nonce_form},
    {"on", FIELD_BOOL, AT(on), 0, NULL},
    {"options", FIELD_OPTIONS, AT(options), 0, NULL},
    {"p256dh", FIELD_WORD, STRING(p256dh), p256dh_form},
    {"pass", FIELD_WORD, STRING(pass), pass_valid},
    {"passkey", FIELD_PASSKEY, AT(passkey), 0, NULL},
    {"ready", FIELD_BOOL, AT(ready), 0, NULL},
    {"room", FIELD_WORD, STRING(room), room_id_valid},
    {"rules", FIELD_OPTIONS, AT(options), 0, NULL},
    {"scope", FIELD_WORD, STRING(scope), scope_form},
    {"seat", FIELD_SEAT, AT(seat), 0, NULL},
    {"secret", FIELD_WORD, STRING(secret), token_form},
    {"text", FIELD_TEXT, STRING(text), NULL},
    {"title", FIELD_TEXT, STRING(title), NULL},
    {"token", FIELD_WORD, STRING(token), opening_form},
    {"verdict", FIELD_WORD, STRING(verdict), verdict_form},
    {"voucher", FIELD_WORD, STRING(voucher), voucher_form},
    {"what", FIELD_OFFER, AT(what), 0, NULL},
    {"why", FIELD_WORD, STRING(why), why_form},
};

static_assert(FIELD_ROWS < 64, "a bit for each, and a shift beyond all");
static_assert(UINT64_C(1) << (FIELD_ROWS - 1) == REQUEST_WHY, "one row for each bit");

#define NOTHING UINT64_C(0)
#define PLACE   (REQUEST_SEAT | REQUEST_COLOUR)

const struct op_row op_rows[REQUEST_OPS] = {
    [REQUEST_ANALYSIS] = {"analysis", REQUEST_ROOM, NOTHING},
    [REQUEST_APPEAL] = {"appeal", REQUEST_JUDGEMENT | REQUEST_TEXT, NOTHING},
    [REQUEST_BLOCK] = {"block", REQUEST_HANDLE, NOTHING},
    [REQUEST_BLOCKS] = {"blocks", NOTHING, NOTHING},
    [REQUEST_BOT] = {"bot", REQUEST_ROOM, PLACE | REQUEST_LEVEL},
    [REQUEST_BOT_ACCOUNT] = {"bot_account", REQUEST_HANDLE, NOTHING},
    [REQUEST_BOTS] = {"bots", NOTHING, NOTHING},
    [REQUEST_CASES] = {"cases", NOTHING, REQUEST_CASE},
    [REQUEST_CHAT] = {"chat", NOTHING, REQUEST_HAVE | REQUEST_LANG},
    [REQUEST_CHAT_DROP] = {"chat_drop", REQUEST_LINE, NOTHING},
    [REQUEST_CHAT_REPORT] = {"chat_report", REQUEST_LINE | REQUEST_WHY, REQUEST_TEXT},
    [REQUEST_CHAT_SAY] = {"chat_say", REQUEST_TEXT, REQUEST_LANG},
    [REQUEST_CHECK] = {"check", REQUEST_ROOM | REQUEST_MOVE_TEXT, NOTHING},
    [REQUEST_CLAIM] = {"claim", REQUEST_HANDLE, NOTHING},
    [REQUEST_ADOPT] = {"adopt", NOTHING, REQUEST_TOKEN | REQUEST_PASS},
    [REQUEST_CLOSE_ACCOUNT] = {"close_account", REQUEST_HANDLE, NOTHING},
    [REQUEST_CREATE] = {"create", NOTHING,
                        REQUEST_GAME | REQUEST_OPTIONS | REQUEST_ACCESS | REQUEST_CLOCK |
                            REQUEST_HINTS | REQUEST_TITLE},
    [REQUEST_DEVICES] = {"devices", NOTHING, NOTHING},
    [REQUEST_EVENT] = {"event", REQUEST_OF_EVENT, REQUEST_HAVE},
    [REQUEST_EVENT_ACT] = {"event_act", REQUEST_OF_EVENT | REQUEST_DIRECTED | REQUEST_TEXT,
                           NOTHING},
    [REQUEST_EVENT_ENTER] = {"event_enter", REQUEST_OF_EVENT, NOTHING},
    [REQUEST_EVENT_HERE] = {"event_here", REQUEST_OF_EVENT, NOTHING},
    [REQUEST_EVENT_LEAVE] = {"event_leave", REQUEST_OF_EVENT, NOTHING},
    [REQUEST_EVENT_LOG] = {"event_log", REQUEST_OF_EVENT, REQUEST_HAVE},
    [REQUEST_EVENT_MAKE] = {"event_make", REQUEST_TITLE | REQUEST_RULES, NOTHING},
    [REQUEST_EVENTS] = {"events", NOTHING, REQUEST_AFTER},
    [REQUEST_EXPORT] = {"export", NOTHING, NOTHING},
    [REQUEST_FOLLOW] = {"follow", REQUEST_HANDLE, NOTHING},
    [REQUEST_FORGET] = {"forget", REQUEST_DEVICE, NOTHING},
    [REQUEST_FRIENDS] = {"friends", NOTHING, NOTHING},
    [REQUEST_GAMES] = {"games", NOTHING, REQUEST_AFTER},
    [REQUEST_HEED] = {"heed", NOTHING, NOTHING},
    [REQUEST_HELLO] = {"hello", NOTHING,
                       REQUEST_NAME | REQUEST_TOKEN | REQUEST_PASS | REQUEST_PASSKEY_SENT |
                           REQUEST_SECRET | REQUEST_CLIENT | REQUEST_VOUCHER | REQUEST_FOR},
    [REQUEST_HINT] = {"hint", REQUEST_ROOM, NOTHING},
    [REQUEST_INVITE] = {"invite", NOTHING, NOTHING},
    [REQUEST_INVITES] = {"invites", NOTHING, NOTHING},
    [REQUEST_JOIN] = {"join", REQUEST_ROOM, REQUEST_CODE | PLACE | REQUEST_HAVE},
    [REQUEST_JUDGE] = {"judge", REQUEST_CASE | REQUEST_VERDICT | REQUEST_WHY,
                       REQUEST_FOR_S | REQUEST_TEXT},
    [REQUEST_KEEP_ACCOUNT] = {"keep_account", NOTHING, REQUEST_HANDLE},
    [REQUEST_KEPT] = {"kept", NOTHING, NOTHING},
    [REQUEST_KEPT_AT_DESK] = {"kept_at_desk", NOTHING, NOTHING},
    [REQUEST_LEAVE] = {"leave", REQUEST_ROOM, NOTHING},
    [REQUEST_LINK] = {"link", NOTHING, NOTHING},
    [REQUEST_MOVE] = {"move", REQUEST_ROOM | REQUEST_MOVE_TEXT, REQUEST_CONFIRM},
    [REQUEST_MOVES] = {"moves", REQUEST_ROOM, NOTHING},
    [REQUEST_NOTIFY] = {"notify", REQUEST_ENDPOINT | REQUEST_P256DH | REQUEST_AUTH, NOTHING},
    [REQUEST_OFFER] = {"offer", REQUEST_ROOM | REQUEST_WHAT, NOTHING},
    [REQUEST_PASSKEY] = {"passkey", REQUEST_FOR, NOTHING},
    [REQUEST_PASSKEY_ADD] = {"passkey_add", REQUEST_PASSKEY_SENT, REQUEST_NAME},
    [REQUEST_PASSKEY_DROP] = {"passkey_drop", REQUEST_KEY, NOTHING},
    [REQUEST_PASSKEYS] = {"passkeys", NOTHING, NOTHING},
    [REQUEST_PAST] = {"past", REQUEST_ROOM | REQUEST_HAVE, REQUEST_CODE | REQUEST_AS},
    [REQUEST_PHRASE] = {"phrase", NOTHING, NOTHING},
    [REQUEST_PING] = {"ping", NOTHING, NOTHING},
    [REQUEST_PRESENCE] = {"presence", REQUEST_IS_HIDDEN, NOTHING},
    [REQUEST_PROFILE] = {"profile", REQUEST_HANDLE, NOTHING},
    [REQUEST_PROFILE_SHOW] = {"profile_show", REQUEST_IS_HIDDEN, NOTHING},
    [REQUEST_PROVE] = {"prove", NOTHING, REQUEST_PASS | REQUEST_PASSKEY_SENT},
    [REQUEST_QUIET] = {"quiet", REQUEST_ON, NOTHING},
    [REQUEST_READY] = {"ready", REQUEST_ROOM | REQUEST_IS_READY, REQUEST_NONCE},
    [REQUEST_RECORD] = {"record", REQUEST_ROOM, REQUEST_HAVE},
    [REQUEST_REDEEM] = {"redeem", REQUEST_INVITE_CODE, NOTHING},
    [REQUEST_REMATCH] = {"rematch", REQUEST_ROOM, NOTHING},
    [REQUEST_RENAME] = {"rename", REQUEST_NAME, REQUEST_DEVICE},
    [REQUEST_REPORT] = {"report", REQUEST_ROOM | REQUEST_SEAT | REQUEST_WHY, REQUEST_TEXT},
    [REQUEST_RESIGN] = {"resign", REQUEST_ROOM, NOTHING},
    [REQUEST_ROOMS] = {"rooms", NOTHING, REQUEST_AFTER},
    [REQUEST_SAY] = {"say", REQUEST_ROOM | REQUEST_TEXT, NOTHING},
    [REQUEST_SEEK] = {"seek", NOTHING,
                      REQUEST_GAME | REQUEST_OPTIONS | REQUEST_HANDLE | REQUEST_DEVICE},
    [REQUEST_SIGN_IN] = {"sign_in", REQUEST_VOUCHER, NOTHING},
    [REQUEST_SIGN_IN_DROP] = {"sign_in_drop", NOTHING, NOTHING},
    [REQUEST_SIT] = {"sit", REQUEST_ROOM, PLACE},
    [REQUEST_START] = {"start", REQUEST_ROOM, NOTHING},
    [REQUEST_TOKEN_ADD] = {"token_add", REQUEST_NAME | REQUEST_SCOPE | REQUEST_DAYS,
                           REQUEST_HANDLE},
    [REQUEST_TOKEN_DROP] = {"token_drop", REQUEST_KEY, REQUEST_HANDLE},
    [REQUEST_TOKENS] = {"tokens", NOTHING, REQUEST_HANDLE},
    [REQUEST_UNBLOCK] = {"unblock", REQUEST_HANDLE, NOTHING},
    [REQUEST_UNDO] = {"undo", REQUEST_ROOM, NOTHING},
    [REQUEST_UNFOLLOW] = {"unfollow", REQUEST_HANDLE, NOTHING},
    [REQUEST_UNNOTIFY] = {"unnotify", NOTHING, REQUEST_ENDPOINT},
    [REQUEST_UNSEAT] = {"unseat", REQUEST_ROOM | REQUEST_SEAT, NOTHING},
    [REQUEST_UNSEEK] = {"unseek", NOTHING, NOTHING},
    [REQUEST_WATCH] = {"watch", REQUEST_ROOM, REQUEST_CODE | REQUEST_HAVE},
    [REQUEST_WITHDRAW] = {"withdraw", REQUEST_ROOM | REQUEST_WHAT, NOTHING},
};

#define CLOCK(member) #member, offsetof(struct protocol_clock, member)
#define HAS(kind)     (1U << PROTOCOL_CLOCK_##kind)

const struct clock_row clock_rows[CLOCK_ROWS] = {
    {CLOCK(bank_s), 0, PROTOCOL_CLOCK_SECONDS_MAX, HAS(FISCHER) | HAS(BYOYOMI)},
    {CLOCK(days), 1, PROTOCOL_CLOCK_DAYS_MAX, HAS(DAYS)},
    {CLOCK(increment_s), 0, PROTOCOL_CLOCK_SECONDS_MAX, HAS(FISCHER)},
    {CLOCK(move_s), 1, PROTOCOL_CLOCK_SECONDS_MAX, HAS(MOVE)},
    {CLOCK(period_s), 1, PROTOCOL_CLOCK_SECONDS_MAX, HAS(BYOYOMI)},
    {CLOCK(periods), 1, PROTOCOL_CLOCK_PERIODS_MAX, HAS(BYOYOMI)},
};

#define OF(op)  (UINT64_C(1) << REQUEST_##op)
#define PROOFS  (OF(HELLO) | OF(PROVE))
#define AS_LONG PROTOCOL_MESSAGE_BYTES

const struct passkey_row passkey_rows[PASSKEY_ROWS] = {
    {"attestation", AS_LONG, OF(PASSKEY_ADD), NOTHING},
    {"auth_data", AS_LONG, PROOFS, NOTHING},
    {"client_data", AS_LONG, OF(PASSKEY_ADD) | PROOFS, NOTHING},
    {"id", PROTOCOL_PASSKEY_ID_BYTES, PROOFS, NOTHING},
    {"signature", AS_LONG, PROOFS, NOTHING},
    {"user", PROTOCOL_PASSKEY_USER_BYTES, NOTHING, PROOFS},
};

static_assert(REQUEST_PROVE < 64, "a bit for each that has a passkey, of which it is the last");
