#include <hub/facts.h>

#include <protocol/encoding.h>
#include <protocol/text.h>
#include <string.h>

enum facts_kind { FACTS_HELLO = 1, FACTS_ACCOUNT, FACTS_ROOMS };
enum {
    ROOMS_HEAD_BYTES = 2,
    ROOM_BYTES = 4 + 4 + 1 + PROTOCOL_ROOM_BYTES,
    HASH_BYTES = 32,
    LENGTH_BYTES = 4
};
enum room_bits { ROOM_OWN = 1 << 0, ROOM_LOBBY = 1 << 1, ROOM_BITS = ROOM_OWN | ROOM_LOBBY };

enum { ACCOUNT_QUIET = 1 << 7 }; /* beside the kind of an account */

/* ---- writing */

static void put_number(struct buffer *facts, size_t bytes, uint64_t value)
{
    while (bytes > 0)
        buffer_append_byte(facts, (char)(value >> 8 * --bytes & 0xff));
}

static void put_text(struct buffer *facts, const char *text)
{
    put_number(facts, 1, strlen(text));
    buffer_append(facts, text, strlen(text));
}

static void add_account(struct buffer *facts, const struct protocol_account *account)
{
    put_number(facts, 1, account->kind | (account->quiet ? ACCOUNT_QUIET : 0U));
    put_text(facts, account->kind == ACCOUNT_NONE ? "" : account->handle);
}

void facts_put_hello(struct buffer *facts, const struct facts_hello *hello)
{
    put_number(facts, 1, FACTS_HELLO);
    put_number(facts, 8, hello->session);
    put_number(facts, 1, hello->scopes);
    put_number(facts, 4, hello->seats_end);
    put_number(facts, 1, hello->any_seat);
    add_account(facts, &hello->account);
    put_text(facts, hello->name);
}

void facts_put_token(struct buffer *facts, const uint8_t hash[static HASH_BYTES])
{
    buffer_append(facts, hash, HASH_BYTES);
}

void facts_put_account(struct buffer *facts, const struct protocol_account *account)
{
    put_number(facts, 1, FACTS_ACCOUNT);
    add_account(facts, account);
}

void facts_begin_rooms(struct buffer *facts)
{
    put_number(facts, 1, FACTS_ROOMS);
    put_number(facts, 1, 0);
}

void facts_put_room(struct buffer *facts, const struct facts_room *room)
{
    put_number(facts, 4, room->place);
    put_number(facts, 4, room->len);
    put_number(facts, 1, (room->own ? ROOM_OWN : 0U) | (room->lobby ? ROOM_LOBBY : 0U));
    buffer_append(facts, room->id, PROTOCOL_ROOM_BYTES);
}

void facts_end_rooms(struct buffer *facts, bool more)
{
    if (!facts->failed)
        facts->bytes[facts->headroom + 1] = (char)more;
}

void facts_append(struct buffer *page, const struct buffer *facts)
{
    buffer_append(page, buffer_payload(facts), facts->len);
    put_number(page, LENGTH_BYTES, facts->len);
    page->failed = page->failed || facts->failed;
}

/* ---- reading */

static const unsigned char *take_bytes(struct facts *facts, size_t len)
{
    const unsigned char *at = facts->at;
    if (facts->len < len)
        return NULL;
    facts->at += len;
    facts->len -= len;
    return at;
}

static bool take_number(struct facts *facts, size_t bytes, uint64_t *value)
{
    const unsigned char *at = take_bytes(facts, bytes);
    *value = 0;
    for (size_t i = 0; at && i < bytes; i++)
        *value = *value << 8 | at[i];
    return at;
}

static bool take_kind(struct facts *facts, enum facts_kind kind)
{
    uint64_t value;
    return take_number(facts, 1, &value) && value == (uint64_t)kind;
}

/* Of `size` bytes with its NUL. */
static bool take_text(struct facts *facts, char *text, size_t size)
{
    uint64_t len;
    if (!take_number(facts, 1, &len) || len >= size)
        return false;
    const unsigned char *at = take_bytes(facts, len);
    if (!at)
        return false;
    memcpy(text, at, len);
    text[len] = '\0';
    return strlen(text) == len;
}

static bool take_account(struct facts *facts, struct protocol_account *account)
{
    uint64_t kind;
    *account = (struct protocol_account){.kind = ACCOUNT_NONE};
    if (!take_number(facts, 1, &kind) || (kind & ~(uint64_t)ACCOUNT_QUIET) > ACCOUNT_BOT ||
        !take_text(facts, account->handle, sizeof account->handle))
        return false;
    account->quiet = kind & ACCOUNT_QUIET;
    account->kind = (enum protocol_account_kind)(kind & ~(uint64_t)ACCOUNT_QUIET);
    return account->kind == ACCOUNT_NONE ? account->handle[0] == '\0'
                                         : handle_valid(account->handle, strlen(account->handle));
}

/* What stands there is the end of a list within the text. */
static bool take_seats_end(struct facts *facts, size_t text_len, struct facts_hello *hello)
{
    uint64_t end, any;
    if (!take_number(facts, 4, &end) || !take_number(facts, 1, &any) || end >= text_len)
        return false;
    hello->seats_end = end;
    hello->any_seat = any != 0;
    return true;
}

static bool take_token(struct facts *facts, struct facts_hello *hello)
{
    const unsigned char *hash = facts->len > 0 ? take_bytes(facts, HASH_BYTES) : NULL;
    hello->has_token = hash != NULL;
    if (hash)
        memcpy(hello->token_hash, hash, HASH_BYTES);
    return facts->len == 0;
}

bool facts_read_hello(struct facts facts, size_t text_len, struct facts_hello *hello)
{
    uint64_t scopes;
    *hello = (struct facts_hello){0};
    if (!take_kind(&facts, FACTS_HELLO) || !take_number(&facts, 8, &hello->session) ||
        !take_number(&facts, 1, &scopes) || !take_seats_end(&facts, text_len, hello) ||
        !take_account(&facts, &hello->account) ||
        !take_text(&facts, hello->name, sizeof hello->name))
        return false;
    hello->scopes = (unsigned)scopes;
    return hello->name[0] && utf8_valid(hello->name, strlen(hello->name)) &&
           take_token(&facts, hello);
}

bool facts_read_account(struct facts facts, struct protocol_account *account)
{
    return take_kind(&facts, FACTS_ACCOUNT) && take_account(&facts, account) && facts.len == 0;
}

bool facts_read_rooms(struct facts facts, bool *more)
{
    uint64_t value;
    if (!take_kind(&facts, FACTS_ROOMS) || !take_number(&facts, 1, &value) ||
        facts.len % ROOM_BYTES != 0)
        return false;
    *more = value != 0;
    return true;
}

bool facts_split(const unsigned char *page, size_t len, struct facts *facts, size_t *text_len)
{
    uint64_t facts_len;
    if (len < LENGTH_BYTES)
        return false;
    struct facts end = {page + len - LENGTH_BYTES, LENGTH_BYTES};
    (void)take_number(&end, LENGTH_BYTES, &facts_len);
    if (facts_len > len - LENGTH_BYTES)
        return false;
    *text_len = len - LENGTH_BYTES - facts_len;
    *facts = (struct facts){page + *text_len, facts_len};
    return true;
}

bool facts_next_room(struct facts facts, size_t text_len, size_t *at, struct facts_room *room)
{
    uint64_t place, len, bits;
    *at = *at == 0 ? ROOMS_HEAD_BYTES : *at;
    if (facts.len < *at)
        return false;
    facts = (struct facts){facts.at + *at, facts.len - *at};
    if (!take_number(&facts, 4, &place) || !take_number(&facts, 4, &len) ||
        !take_number(&facts, 1, &bits) || bits > ROOM_BITS || place > text_len ||
        len > text_len - place)
        return false;
    const unsigned char *id = take_bytes(&facts, PROTOCOL_ROOM_BYTES);
    if (!id || !room_id_valid((const char *)id, PROTOCOL_ROOM_BYTES))
        return false;
    *room = (struct facts_room){place, len, (bits & ROOM_OWN) != 0, (bits & ROOM_LOBBY) != 0, ""};
    memcpy(room->id, id, PROTOCOL_ROOM_BYTES);
    *at += ROOM_BYTES;
    return true;
}
