/* The guest book's pages of HTTP. */
#include "guest_book_private.h"
#include "guest_table.h"
#include <assert.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/kernel_query.h>
#include <protocol/buffer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void get_word(struct hub *hub, const char *rest, struct hub_http_answer *answer)
{
    const struct book *book = guest_book_of(hub);
    const unsigned at = (unsigned)atoi(rest);
    if (at < book->count)
        hub_http_make(answer, 200, "text/plain", book->words[at].text,
                      strlen(book->words[at].text));
    else
        hub_http_make(answer, 404, "text/plain", "no such word", 12);
}

static void get_cover(struct hub *hub, const char *rest, struct hub_http_answer *answer)
{
    (void)hub;
    assert(!rest[0]);
    hub_http_make(answer, 200, "text/plain", "a book", 6);
}

static void get_part(struct hub *hub, const char *rest, struct hub_http_answer *answer)
{
    char text[32];
    (void)rest;
    const int len = snprintf(text, sizeof text, "part %u", kernel_env(hub)->part);
    hub_http_make(answer, 200, "", text, (size_t)len);
}

/* "N": the words behind place N, of the whole site. */
static bool ask_words(struct hub *hub, const char *rest, struct kernel_query *query, void *from)
{
    (void)hub;
    struct guest_word *word = from;
    word->place = strtoul(rest, NULL, 10);
    *query = (struct kernel_query){
        .table = &guest_word_table, .index = 0, .limit = 2, .behind = true, .from = from};
    return rest[0] != '-';
}

static void write_word(struct hub *hub, const void *row, struct buffer *out)
{
    (void)hub;
    const struct guest_word *word = row;
    buffer_append(out, word->words, strlen(word->words));
    buffer_append(out, "\n", 1);
}

/* "SESSION WORD": leaves a word of that session, which is kept with it. "WORD": one of nobody's. */
static uint64_t post_word(struct hub *hub, const char *rest, const struct hub_http_post *post,
                          struct hub_http_answer *answer)
{
    char text[GUEST_BOOK_POST_BYTES + 1], said[600];
    unsigned long long id = 0;
    int at = 0;
    memcpy(text, post->body, post->len);
    text[post->len] = '\0';
    (void)sscanf(text, "%16llx %n", &id, &at);
    struct session *session = at > 0 ? kernel_session_find(hub, id) : NULL;
    if (session && kernel_may_store(hub, 1) != PROTOCOL_OK) {
        hub_http_make(answer, 503, "", "not now", 7);
        return 0;
    }
    if (!guest_book_has_place(guest_book_of(hub)) ||
        (session && kernel_reserve(hub, 1, sizeof text) < 0)) {
        hub_http_make(answer, 409, "", "full", 4);
        return 0;
    }
    guest_book_add_word(hub, session ? id : 0, session ? text + at : text);
    if (session)
        guest_book_keep_word(hub, id, text + at);
    const int len = snprintf(said, sizeof said, "%s from %s to %s%s", text + at, post->origin,
                             post->host, rest);
    hub_http_make(answer, 200, "", said, (size_t)len);
    return session ? id : 0;
}

/* Changes nothing: says how much it was, and where it ended. */
static uint64_t post_much(struct hub *hub, const char *rest, const struct hub_http_post *post,
                          struct hub_http_answer *answer)
{
    char said[64];
    const char *body = post->body;
    (void)hub, (void)rest;
    const int len = snprintf(said, sizeof said, "%zu bytes, the last %c", post->len,
                             post->len > 0 ? body[post->len - 1] : '-');
    hub_http_make(answer, 200, "", said, (size_t)len);
    return 0;
}

const struct feature_page guest_pages[GUEST_PAGES] = {
    {"/api/guest-book", PAGE_ANYWHERE, "text/plain", .get = get_cover},
    {"/api/guest-book/of-room/", PAGE_OF_ROOM, "text/x-part", .get = get_part},
    {"/api/guest-book/of-session/", PAGE_OF_SESSION, "text/x-part", .get = get_part},
    {"/api/guest-book/much", PAGE_ANYWHERE, "text/x-much", .post = post_much,
     .post_type = "text/x-word", .post_bytes = HUB_HTTP_POST_MAX},
    {"/api/guest-book/words", PAGE_OF_DESK, "text/x-left", .post = post_word,
     .post_type = "text/x-word", .post_bytes = GUEST_BOOK_POST_BYTES},
    {"/api/guest-book/words/", PAGE_OF_SESSION, "text/x-left", .get = get_part, .post = post_word,
     .post_type = "text/x-word", .post_bytes = GUEST_BOOK_POST_BYTES},
    {"/api/guest-book/behind/", PAGE_ANYWHERE, "text/x-words", .ask = ask_words,
     .write_row = write_word},
    {"/api/guest-book/", PAGE_OF_DESK, "text/x-word", .get = get_word},
};
