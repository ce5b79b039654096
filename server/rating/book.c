#include <rating/book.h>

#include <assert.h>
#include <inttypes.h>
#include <protocol/encoding.h>
#include <rating/class.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- writing */

struct line {
    char *text;
    size_t len;
};

__attribute__((format(printf, 2, 3))) static void add(struct line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int len =
        vsnprintf(line->text + line->len, BOOK_LINE_MAX + 1 - line->len, format, arguments);
    va_end(arguments);
    assert(len >= 0 && line->len + (size_t)len <= BOOK_LINE_MAX);
    line->len += (size_t)len;
}

static void add_sides(struct line *line, const char *name, uint32_t sides)
{
    const char *before = "";
    add(line, ",\"%s\":[", name);
    for (unsigned side = 0; sides >> side; side++) {
        if (!(sides >> side & 1))
            continue;
        add(line, "%s%u", before, side);
        before = ",";
    }
    add(line, "]");
}

static void add_places(struct line *line, const struct book_match *match)
{
    add(line, ",\"places\":[");
    for (unsigned side = 0; side < match->sides; side++)
        add(line, "%s%u", side ? "," : "", (unsigned)match->place[side]);
    add(line, "]");
}

static void add_match(struct line *line, const struct book_match *match)
{
    const struct rating_class *class = rating_class_at(match->class);
    add(line, "\"match\",\"room\":\"%s\",\"ended\":%" PRId64 ",\"class\":\"%s\",\"seats\":[",
        match->room, match->ended_ms, class->name);
    for (unsigned i = 0; i < match->seats; i++) {
        const struct book_seat *seat = &match->seat[i];
        add(line,
            "%s{\"account\":\"%016" PRIx64 "\",\"side\":%u,\"before\":[%" PRIu32 ",%" PRIu32
            "],\"after\":[%" PRIu32 ",%" PRIu32 "]}",
            i ? "," : "", seat->account, (unsigned)seat->side, seat->before.strength,
            seat->before.deviation, seat->after.strength, seat->after.deviation);
    }
    add(line, "]");
    if (class->places)
        add_places(line, match);
    else
        add_sides(line, "winners", match->winners);
    add_sides(line, "still", match->still);
}

static void add_annul(struct line *line, const struct book_annul *annul)
{
    add(line, "\"annul\",\"of\":%" PRIu64 ",\"class\":\"%s\",\"reason\":\"%s\",\"refunds\":[",
        annul->of, rating_class_at(annul->class)->name, annul->reason);
    for (unsigned i = 0; i < annul->refunds; i++)
        add(line, "%s{\"account\":\"%016" PRIx64 "\",\"points\":%" PRIu32 "}", i ? "," : "",
            annul->refund[i].account, annul->refund[i].points);
    add(line, "]");
}

size_t book_write(const struct book_entry *entry, char text[static BOOK_LINE_MAX + 1])
{
    struct line line = {.text = text};
    add(&line, "{\"n\":%" PRIu64 ",\"at\":%" PRId64 ",\"kind\":", entry->n, entry->at_ms);
    switch (entry->kind) {
    case BOOK_SYSTEM:
        add(&line, "\"system\",\"version\":%u", entry->u.system);
        break;
    case BOOK_MATCH:
        add_match(&line, &entry->u.match);
        break;
    case BOOK_ANNUL:
        add_annul(&line, &entry->u.annul);
        break;
    case BOOK_GONE:
        add(&line, "\"gone\",\"account\":\"%016" PRIx64 "\"", entry->u.gone);
        break;
    }
    add(&line, "}");
    return line.len;
}

/* ---- reading: what was written, byte by byte */

struct cursor {
    const char *at, *end;
    bool wrong;
};

/* Is that next? Then it is passed. */
static bool passes_text(struct cursor *cursor, const char *text)
{
    const size_t len = strlen(text);
    if (cursor->wrong || (size_t)(cursor->end - cursor->at) < len ||
        memcmp(cursor->at, text, len) != 0)
        return false;
    cursor->at += len;
    return true;
}

static void expect_text(struct cursor *cursor, const char *text)
{
    cursor->wrong = !passes_text(cursor, text);
}

static uint64_t read_number(struct cursor *cursor, uint64_t most)
{
    uint64_t number = 0;
    const char *begin = cursor->at;
    while (!cursor->wrong && cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9') {
        const unsigned digit = (unsigned)(*cursor->at++ - '0');
        cursor->wrong = digit > most || number > (most - digit) / 10;
        number = number * 10 + digit;
    }
    cursor->wrong |= cursor->at == begin || number > most;
    return cursor->wrong ? 0 : number;
}

static int64_t read_time(struct cursor *cursor)
{
    return (int64_t)read_number(cursor, (uint64_t)PROTOCOL_INTEGER_MAX);
}

/* To the next quotation mark, which is passed. */
static void read_word(struct cursor *cursor, char *word, size_t max)
{
    const char *end =
        cursor->wrong ? NULL : memchr(cursor->at, '"', (size_t)(cursor->end - cursor->at));
    cursor->wrong = !end || (size_t)(end - cursor->at) > max;
    if (cursor->wrong)
        return;
    memcpy(word, cursor->at, (size_t)(end - cursor->at));
    word[end - cursor->at] = '\0';
    cursor->at = end + 1;
}

static uint8_t read_class(struct cursor *cursor)
{
    char name[RATING_CLASS_BYTES + 1] = "";
    read_word(cursor, name, RATING_CLASS_BYTES);
    const unsigned class = rating_class_find(name);
    cursor->wrong |= class == 0;
    return (uint8_t) class;
}

static uint64_t read_account(struct cursor *cursor)
{
    enum { DIGITS = 16 };
    uint8_t bytes[DIGITS / 2];
    uint64_t account = 0;
    if (cursor->wrong || cursor->end - cursor->at < DIGITS ||
        !hex_decode(bytes, sizeof bytes, cursor->at, DIGITS)) {
        cursor->wrong = true;
        return 0;
    }
    cursor->at += DIGITS;
    for (size_t i = 0; i < sizeof bytes; i++)
        account = account << 8 | bytes[i];
    return account;
}

static struct rating read_rating(struct cursor *cursor)
{
    struct rating rating;
    rating.strength = (uint32_t)read_number(cursor, RATING_MAX);
    expect_text(cursor, ",");
    rating.deviation = (uint32_t)read_number(cursor, RATING_DEVIATION_MAX);
    expect_text(cursor, "]");
    cursor->wrong |= rating.strength < RATING_MIN || rating.deviation < RATING_DEVIATION_MIN;
    return rating;
}

static uint32_t read_sides(struct cursor *cursor, unsigned sides)
{
    uint32_t set = 0;
    while (!cursor->wrong && !passes_text(cursor, "]")) {
        (void)passes_text(cursor, ",");
        set |= UINT32_C(1) << read_number(cursor, sides - 1);
    }
    return set;
}

/* What is read too freely here is not written again as it was: book_read sees that. */
static void read_seats(struct cursor *cursor, struct book_match *match)
{
    do {
        if (match->seats == RATING_SEATS) {
            cursor->wrong = true;
            return;
        }
        struct book_seat *seat = &match->seat[match->seats++];
        expect_text(cursor, "{\"account\":\"");
        seat->account = read_account(cursor);
        expect_text(cursor, "\",\"side\":");
        seat->side = (uint8_t)read_number(cursor, RATING_SEATS - 1);
        expect_text(cursor, ",\"before\":[");
        seat->before = read_rating(cursor);
        expect_text(cursor, ",\"after\":[");
        seat->after = read_rating(cursor);
        expect_text(cursor, "}");
        match->sides = seat->side >= match->sides ? (uint8_t)(seat->side + 1) : match->sides;
    } while (passes_text(cursor, ","));
    expect_text(cursor, "]");
}

static bool sides_are_whole(const struct book_match *match, const struct rating_class *class)
{
    unsigned count[RATING_SEATS] = {0};
    for (unsigned i = 0; i < match->seats; i++)
        count[match->seat[i].side]++;
    for (unsigned side = 0; side < match->sides; side++) {
        if (count[side] != class->side_seats)
            return false;
    }
    return rating_class_has_sides(class, match->sides);
}

static void read_places(struct cursor *cursor, struct book_match *match)
{
    for (unsigned side = 0; side < match->sides; side++) {
        expect_text(cursor, side ? "," : "[");
        match->place[side] = (uint8_t)read_number(cursor, match->sides);
        cursor->wrong |= match->place[side] == 0;
    }
    expect_text(cursor, "]");
}

static void read_match(struct cursor *cursor, struct book_match *match)
{
    expect_text(cursor, ",\"room\":\"");
    read_word(cursor, match->room, PROTOCOL_ROOM_BYTES);
    expect_text(cursor, ",\"ended\":");
    match->ended_ms = read_time(cursor);
    expect_text(cursor, ",\"class\":\"");
    match->class = read_class(cursor);
    expect_text(cursor, ",\"seats\":[");
    if (cursor->wrong || !room_id_valid(match->room, strlen(match->room))) {
        cursor->wrong = true;
        return;
    }
    const struct rating_class *class = rating_class_at(match->class);
    read_seats(cursor, match);
    cursor->wrong |= !sides_are_whole(match, class);
    expect_text(cursor, class->places ? ",\"places\":" : ",\"winners\":[");
    if (class->places)
        read_places(cursor, match);
    else
        match->winners = read_sides(cursor, match->sides);
    expect_text(cursor, ",\"still\":[");
    match->still = read_sides(cursor, match->sides);
}

static void read_annul(struct cursor *cursor, struct book_annul *annul)
{
    expect_text(cursor, ",\"of\":");
    annul->of = read_number(cursor, (uint64_t)PROTOCOL_INTEGER_MAX);
    expect_text(cursor, ",\"class\":\"");
    annul->class = read_class(cursor);
    expect_text(cursor, ",\"reason\":\"");
    read_word(cursor, annul->reason, BOOK_REASON_MAX);
    expect_text(cursor, ",\"refunds\":[");
    while (!cursor->wrong && !passes_text(cursor, "]")) {
        struct book_refund *refund = &annul->refund[annul->refunds];
        if (annul->refunds++ == RATING_SEATS) {
            cursor->wrong = true;
            return;
        }
        (void)passes_text(cursor, ",");
        expect_text(cursor, "{\"account\":\"");
        refund->account = read_account(cursor);
        expect_text(cursor, "\",\"points\":");
        refund->points = (uint32_t)read_number(cursor, BOOK_REFUND_MAX);
        expect_text(cursor, "}");
    }
}

bool book_reason_valid(const char *reason)
{
    const size_t len = strlen(reason);
    for (size_t at = 0; at < len; at++) {
        if (reason[at] < ' ' || reason[at] > '~' || reason[at] == '"' || reason[at] == '\\')
            return false;
    }
    return len > 0 && len <= BOOK_REASON_MAX;
}

bool book_read(struct book_entry *entry, const char *line, size_t len)
{
    struct cursor cursor = {.at = line, .end = line + len};
    char again[BOOK_LINE_MAX + 1];
    *entry = (struct book_entry){0};
    expect_text(&cursor, "{\"n\":");
    entry->n = read_number(&cursor, (uint64_t)PROTOCOL_INTEGER_MAX);
    expect_text(&cursor, ",\"at\":");
    entry->at_ms = read_time(&cursor);
    expect_text(&cursor, ",\"kind\":\"");
    if (passes_text(&cursor, "match\"")) {
        entry->kind = BOOK_MATCH;
        read_match(&cursor, &entry->u.match);
    } else if (passes_text(&cursor, "annul\"")) {
        entry->kind = BOOK_ANNUL;
        read_annul(&cursor, &entry->u.annul);
        cursor.wrong |= !book_reason_valid(entry->u.annul.reason);
    } else if (passes_text(&cursor, "gone\"")) {
        entry->kind = BOOK_GONE;
        expect_text(&cursor, ",\"account\":\"");
        entry->u.gone = read_account(&cursor);
        expect_text(&cursor, "\"");
    } else {
        entry->kind = BOOK_SYSTEM;
        expect_text(&cursor, "system\",\"version\":");
        entry->u.system = (unsigned)read_number(&cursor, UINT16_MAX);
    }
    expect_text(&cursor, "}");
    return !cursor.wrong && len <= BOOK_LINE_MAX && book_write(entry, again) == len &&
           memcmp(again, line, len) == 0;
}

void book_hash(uint8_t hash[static BOOK_HASH_BYTES], const uint8_t before[static BOOK_HASH_BYTES],
               const char *line, size_t len)
{
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, before, BOOK_HASH_BYTES);
    crypto_hash_sha256_update(&state, (const unsigned char *)line, len);
    crypto_hash_sha256_final(&state, hash);
}
