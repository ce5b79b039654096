#include "pages.h"

#include "erased.h"
#include "levels.h"
#include "rows/rows.h"
#include "rows/state.h"
#include "waiting/told.h"
#include <assert.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/kernel_query.h>
#include <inttypes.h>
#include <protocol/buffer.h>
#include <protocol/encoding.h>
#include <protocol/json_writer.h>
#include <protocol/signature.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Who has not played for so long has no place in lists. */
#define LISTED_AWAY_MS (INT64_C(45) * 86400000)
enum { ACCOUNT_DIGITS = 16 };

static void write_hash(char text[static 2 * BOOK_HASH_BYTES + 1], const uint8_t *hash)
{
    hex_encode(text, hash, BOOK_HASH_BYTES);
}

/* ---- /api/book, /api/book/N: the lines behind number N */

static bool ask_book(struct hub *hub, const char *rest, struct kernel_query *query, void *from)
{
    struct book_row *row = from;
    char *end = NULL;
    (void)hub;
    row->n = rest[0] ? strtoull(rest, &end, 10) : 0;
    query->table = &book_table;
    query->index = 0;
    query->behind = true;
    return !rest[0] || (rest[0] >= '0' && rest[0] <= '9' && !*end && strlen(rest) < 17);
}

static void write_line(struct hub *hub, const void *stored, struct buffer *out)
{
    const struct book_row *row = stored;
    char hash[2 * BOOK_HASH_BYTES + 1];
    (void)hub;
    write_hash(hash, row->hash);
    buffer_append_string(out, "{\"hash\":\"");
    buffer_append_string(out, hash);
    buffer_append_string(out, "\",\"entry\":");
    buffer_append(out, row->line, row->line_len);
    buffer_append_string(out, "}\n");
}

/* ---- /.well-known/taluva-book.json: where it ends, signed with the key of records */

static void write_signature(const struct record_signer *signer, const char *text,
                            struct writer *writer)
{
    unsigned char bytes[crypto_sign_BYTES];
    char signature[SIGNATURE_TEXT_BYTES + 1];
    crypto_sign_detached(bytes, NULL, (const unsigned char *)text, strlen(text), signer->secret);
    sodium_bin2base64(signature, sizeof signature, bytes, sizeof bytes,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    writer_key_string(writer, "key", signer->keys.list[0].id);
    writer_key_string(writer, "signature", signature);
}

static void get_end(struct hub *hub, const char *rest, struct hub_http_answer *answer)
{
    enum { END_BYTES = 512 };
    const struct desk *desk = desk_of(hub);
    const struct record_signer *signer = kernel_env(hub)->signer;
    const int64_t now_ms = kernel_now_ms(hub);
    char hash[2 * BOOK_HASH_BYTES + 1], text[END_BYTES];
    struct buffer buffer;
    struct writer writer;
    (void)rest;
    write_hash(hash, desk->durable_hash);
    (void)snprintf(text, sizeof text, "taluva-book-head 1\n%" PRIu64 "\n%s\n%" PRId64 "\n",
                   desk->durable_n, hash, now_ms);
    buffer_init(&buffer, 0, END_BYTES);
    writer_init(&writer, &buffer);
    writer_object(&writer);
    writer_key_int(&writer, "n", (int64_t)desk->durable_n);
    writer_key_string(&writer, "hash", hash);
    writer_key_int(&writer, "time", now_ms);
    if (signer)
        write_signature(signer, text, &writer);
    writer_end(&writer);
    hub_http_make(answer, buffer.failed ? 503 : 200, "", buffer_payload(&buffer), buffer.len);
    buffer_release(&buffer);
}

/* ---- /api/leaders/CLASS */

static void write_rating(const struct rating_row *row, struct writer *writer)
{
    writer_key_int(writer, "rating", told_points(row->strength));
    writer_key_int(writer, "deviation", told_points(row->deviation));
    if (row->deviation > RATING_PROVISIONAL_DEVIATION)
        writer_key_bool(writer, "provisional", true);
    writer_key_int(writer, "matches", row->matches);
    writer_key_int(writer, "last", row->last_ms);
}

static bool ask_leaders(struct hub *hub, const char *rest, struct kernel_query *query, void *from)
{
    struct rating_row *row = from;
    (void)hub;
    row->class = (uint8_t)rating_class_find(rest);
    query->table = &rating_table;
    query->index = 0;
    return row->class != 0;
}

static void write_leader(struct hub *hub, const void *stored, struct buffer *out)
{
    const struct rating_row *row = stored;
    struct writer writer;
    if (row->listed == 0 || kernel_now_ms(hub) - row->last_ms > LISTED_AWAY_MS)
        return;
    writer_init(&writer, out);
    writer_object(&writer);
    writer_key_string(&writer, "handle", row->handle[0] ? row->handle : RATING_ERASED_NAME);
    write_rating(row, &writer);
    writer_end(&writer);
    buffer_append_byte(out, '\n');
}

/* ---- /api/ratings/ACCOUNT; and how one has changed: /api/curves/ACCOUNT/CLASS */

static bool read_account(const char *rest, uint64_t *account)
{
    uint8_t bytes[ACCOUNT_DIGITS / 2];
    if (strlen(rest) < ACCOUNT_DIGITS || !hex_decode(bytes, sizeof bytes, rest, ACCOUNT_DIGITS))
        return false;
    *account = 0;
    for (size_t at = 0; at < sizeof bytes; at++)
        *account = *account << 8 | bytes[at];
    return true;
}

static bool ask_ratings(struct hub *hub, const char *rest, struct kernel_query *query, void *from)
{
    struct rating_row *row = from;
    (void)hub;
    query->table = &rating_table;
    query->index = RATING_OF_ACCOUNT;
    return read_account(rest, &row->account) && !rest[ACCOUNT_DIGITS];
}

static bool ask_curve(struct hub *hub, const char *rest, struct kernel_query *query, void *from)
{
    struct rating_step_row *step = from;
    (void)hub;
    query->table = &rating_step_table;
    query->index = 0;
    if (!read_account(rest, &step->account) || rest[ACCOUNT_DIGITS] != '/')
        return false;
    step->class = (uint8_t)rating_class_find(rest + ACCOUNT_DIGITS + 1);
    return step->class != 0;
}

static void write_own(struct hub *hub, const void *stored, struct buffer *out)
{
    const struct rating_row *row = stored;
    struct writer writer;
    (void)hub;
    writer_init(&writer, out);
    writer_object(&writer);
    writer_key_string(&writer, "class", rating_class_at(row->class)->name);
    write_rating(row, &writer);
    writer_end(&writer);
    buffer_append_byte(out, '\n');
}

static void write_step(struct hub *hub, const void *stored, struct buffer *out)
{
    const struct rating_step_row *row = stored;
    struct writer writer;
    (void)hub;
    writer_init(&writer, out);
    writer_object(&writer);
    writer_key_int(&writer, "n", (int64_t)row->n);
    writer_key_int(&writer, "at", row->at_ms);
    if (row->room[0]) /* else something was given back */
        writer_key_string(&writer, "room", row->room);
    writer_key_int(&writer, "before", told_points(row->before));
    writer_key_int(&writer, "rating", told_points(row->strength));
    writer_key_int(&writer, "deviation", told_points(row->deviation));
    writer_end(&writer);
    buffer_append_byte(out, '\n');
}

/* ---- /api/yardstick/CLASS: of what it follows what a level of the computer is worth */

static bool ask_counts(struct hub *hub, const char *rest, struct kernel_query *query, void *from)
{
    struct level_row *row = from;
    (void)hub;
    row->class = (uint8_t)rating_class_find(rest);
    query->table = &level_table;
    query->index = LEVEL_OF_CLASS;
    return row->class != 0;
}

static void write_count(struct hub *hub, const void *stored, struct buffer *out)
{
    const struct level_row *row = stored;
    struct writer writer;
    (void)hub;
    writer_init(&writer, out);
    writer_object(&writer);
    writer_key_string(&writer, "level", row->level);
    writer_key_int(&writer, "sides", row->sides);
    writer_key_int(&writer, "inside", row->inside);
    writer_key_int(&writer, "strength", row->strength);
    writer_key_int(&writer, "trials", (int64_t)row->trials);
    writer_key_int(&writer, "won", (int64_t)row->won);
    writer_end(&writer);
    buffer_append_byte(out, '\n');
}

static const char ndjson[] = "application/x-ndjson";

const struct feature_page rating_pages[RATING_PAGES] = {
    {"/api/book", PAGE_ANYWHERE, ndjson, .ask = ask_book, .write_row = write_line},
    {"/api/book/", PAGE_ANYWHERE, ndjson, .ask = ask_book, .write_row = write_line},
    {"/api/leaders/", PAGE_ANYWHERE, ndjson, .ask = ask_leaders, .write_row = write_leader},
    {"/api/ratings/", PAGE_ANYWHERE, ndjson, .ask = ask_ratings, .write_row = write_own},
    {"/api/curves/", PAGE_ANYWHERE, ndjson, .ask = ask_curve, .write_row = write_step},
    {"/api/levels/", PAGE_OF_DESK, ndjson, .get = levels_get},
    {"/api/yardstick/", PAGE_ANYWHERE, ndjson, .ask = ask_counts, .write_row = write_count},
    {"/.well-known/taluva-book.json", PAGE_OF_DESK, "application/json", .get = get_end},
};
