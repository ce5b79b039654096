#include "guest_book.h"

#include "guest_book_private.h"
#include "guest_table.h"
#include <assert.h>
#include <hub/admin_request.h>
#include <hub/call.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/kernel_query.h>
#include <hub/prometheus.h>
#include <protocol/reply.h>
#include <room/result.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct asker {
    int asked;              /* by this connection */
    struct guest_word last; /* of the page that it has seen last */
};

static const struct feature_memory memory = {.hub_bytes = sizeof(struct book),
                                             .conn_bytes = sizeof(struct asker)};

struct book *guest_book_of(const struct hub *hub)
{
    return kernel_state(hub, &memory);
}

unsigned guest_book_begun(const struct hub *hub)
{
    return guest_book_of(hub)->begun;
}

void guest_book_set_players(struct hub *hub, int players)
{
    guest_book_of(hub)->players = players;
}

void guest_book_set_greeting(struct hub *hub, uint64_t whom, const char *text)
{
    guest_book_of(hub)->whom = whom;
    (void)snprintf(guest_book_of(hub)->greeting, WORD_BYTES, "%s", text);
}

void guest_book_set_farewell(struct hub *hub, const char *text)
{
    (void)snprintf(guest_book_of(hub)->farewell, WORD_BYTES, "%s", text);
}

void guest_book_set_waiting(struct hub *hub, bool waits)
{
    guest_book_of(hub)->hurries = !waits;
}

static int begin(struct hub *hub)
{
    guest_book_of(hub)->cover = malloc(1);
    guest_book_of(hub)->players = 3;
    return guest_book_of(hub)->cover ? 0 : -1;
}

static int begin_beside(struct hub *hub)
{
    guest_book_of(hub)->draws = true;
    return begin(hub);
}

static void end(struct hub *hub)
{
    free(guest_book_of(hub)->cover);
}

/* ---- words */

bool guest_book_has_place(const struct book *book)
{
    return book->count < GUEST_BOOK_WORDS;
}

void guest_book_add_word(struct hub *hub, uint64_t session, const char *text)
{
    struct book *book = guest_book_of(hub);
    struct word *word = &book->words[book->count++];
    assert(strlen(text) < sizeof word->text);
    *word = (struct word){.session = session, .at_ms = kernel_now_ms(hub)};
    memcpy(word->text, text, strlen(text) + 1);
}

static void remove_words(struct book *book, bool (*goes)(const struct word *, int64_t),
                         int64_t what)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < book->count; i++) {
        if (!goes(&book->words[i], what))
            book->words[kept++] = book->words[i];
    }
    book->count = kept;
}

static void write_words(const struct book *book, struct writer *writer)
{
    writer_key_array(writer, "words");
    for (unsigned i = 0; i < book->count; i++)
        writer_string(writer, book->words[i].text);
    writer_end(writer);
}

/* ---- who asks */

static void answer_words(struct call *call)
{
    struct asker *asker = kernel_conn_state(call->hub, &memory, call);
    struct reply reply;
    call_reply_begin(call, &reply);
    writer_key_int(&reply.writer, "asked", ++asker->asked);
    write_words(guest_book_of(call->hub), &reply.writer);
    call_charge(call, reply.buffer.len);
    call_reply(call, &reply, NULL);
}

/* A room of three, of which the first is the host's and the others whose words are the oldest. */
static void invite(struct call *call)
{
    const struct book *book = guest_book_of(call->hub);
    const struct session *host = call->session;
    struct kernel_room_plan plan = {.host = kernel_session_id(host)};
    struct request create;
    struct refusal refusal;
    struct reply reply;
    char id[9];
    request_init(&create, 1, REQUEST_CREATE);
    create.fields = REQUEST_OPTIONS | REQUEST_TITLE;
    create.options = json_pack("{s:i}", "players", book->players);
    snprintf(create.title, sizeof create.title, "guests");
    plan.create = &create;
    plan.seat[0] = (struct kernel_seat){.session = plan.host, .name = kernel_session_name(host)};
    for (unsigned i = 0; i < book->count && i < 2; i++)
        plan.seat[i + 1] = (struct kernel_seat){.session = book->words[i].session, .name = "guest"};
    const bool opened = kernel_open_room(call->hub, &plan, id, &refusal);
    request_release(&create);
    if (!opened) {
        call_error(call, refusal.error, NULL);
        return;
    }
    call_reply_begin(call, &reply);
    writer_key_string(&reply.writer, "room", id);
    call_reply(call, &reply, NULL);
}

/* ---- words that are kept */

struct change {
    struct kernel_change change;
    char text[WORD_BYTES];
};

static void tell(struct hub *hub, const struct session *session, const char *text)
{
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, 256);
    writer_init(&writer, &buffer);
    push_begin(&writer, "greeting", NULL);
    writer_key_string(&writer, "text", text);
    push_end(&writer);
    if (!buffer.failed)
        kernel_tell_session(hub, session, NULL, buffer_payload(&buffer), buffer.len);
    buffer_release(&buffer);
}

static void carry_out(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const char *text = ((struct change *)(void *)change)->text;
    if (guest_book_has_place(guest_book_of(hub)))
        guest_book_add_word(hub, kernel_session_id(session), text);
    if (strcmp(text, GUEST_BOOK_TELLS) == 0)
        tell(hub, session, text);
}

static void drop_change(struct kernel_change *change)
{
    free(change);
}

static void is_taken(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)change;
    if (guest_book_has_place(guest_book_of(hub)))
        guest_book_add_word(hub, kernel_session_id(session), "taken");
}

static const struct kernel_change_type change_type = {.carry_out = carry_out,
                                                      .taken = is_taken,
                                                      .taken_error = PROTOCOL_SEAT_TAKEN,
                                                      .destroy = drop_change};

void guest_book_keep_word(struct hub *hub, uint64_t session, const char *text)
{
    struct book *book = guest_book_of(hub);
    const struct guest_word word = {.session = session,
                                    .id = ++book->kept * 2 + kernel_env(hub)->part,
                                    .at_ms = kernel_now_ms(hub),
                                    .words = text};
    kernel_put_row(hub, &guest_word_table, &word);
}

/* A page may begin behind it (guest_pages.c). */
static uint64_t draw_place(const struct hub *hub)
{
    const struct hub_env *env = kernel_env(hub);
    uint64_t place;
    env->random(env->ctx, &place, sizeof place);
    return place >> 11 | 1;
}

/* Of the session, which is not changing; memory has been reserved. NULL: there is none. */
static struct kernel_change *keep_word(struct hub *hub, const struct session *session,
                                       const char *text, const char *name)
{
    struct book *book = guest_book_of(hub);
    struct change *change = calloc(1, sizeof *change);
    if (!change)
        return NULL;
    change->change.type = &change_type;
    (void)snprintf(change->text, sizeof change->text, "%s", text);
    const uint32_t place = ++book->kept * 2 + kernel_env(hub)->part;
    struct guest_word word = {.session = kernel_session_id(session),
                              .id = place,
                              .at_ms = kernel_now_ms(hub),
                              .place = book->draws ? draw_place(hub) : place,
                              .words = change->text};
    (void)snprintf(word.name, sizeof word.name, "%s", name);
    kernel_put_row(hub, &guest_word_table, &word);
    return &change->change;
}

static const struct store_table *const kept_tables[] = {&guest_word_table, &guest_page_table, NULL};

static bool restore_row(struct hub *hub, const struct store_table *table, const void *row)
{
    struct book *book = guest_book_of(hub);
    if (table == &guest_page_table) {
        book->pages = ((const struct guest_page *)row)->number;
        return true;
    }
    assert(table == &guest_word_table);
    const struct guest_word *word = row;
    if (word->id / 2 > book->kept)
        book->kept = word->id / 2;
    if (guest_book_has_place(book)) {
        guest_book_add_word(hub, word->session, word->words);
        book->words[book->count - 1].at_ms = word->at_ms;
    }
    return true;
}

/* It has been sent. */
static void remain(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)hub, (void)session, (void)change;
}

static const struct kernel_change_type sent_type = {.carry_out = remain, .destroy = drop_change};

static void answer_change(struct call *call, struct kernel_change *change)
{
    struct reply reply;
    call_reply_begin(call, &reply);
    if (!change || kernel_change_answered(call, call->session, &reply, change) < 0) {
        free(change);
        call_error(call, PROTOCOL_INTERNAL, NULL);
    }
}

static bool may_change(struct call *call)
{
    enum protocol_error error = kernel_may_store(call->hub, 1);
    if (error == PROTOCOL_OK && kernel_session_is_changing(call->session))
        error = PROTOCOL_SLOW_DOWN;
    if (error == PROTOCOL_OK && kernel_reserve(call->hub, 1, STORE_LETTER_TEXT_MAX) < 0)
        error = PROTOCOL_INTERNAL;
    if (error != PROTOCOL_OK)
        call_error(call, error, NULL);
    return error == PROTOCOL_OK;
}

static void keep(struct call *call)
{
    if (may_change(call))
        answer_change(call, keep_word(call->hub, call->session, "kept", ""));
}

static void claim(struct call *call)
{
    if (may_change(call))
        answer_change(call, keep_word(call->hub, call->session, "claimed",
                                      guest_book_of(call->hub)->greeting));
}

static void greet(struct call *call)
{
    const struct book *book = guest_book_of(call->hub);
    const struct kernel_letter letter = {.addressee = book->whom,
                                         .kind = "book.greeting",
                                         .text = book->greeting,
                                         .text_len = strlen(book->greeting),
                                         .session = kernel_session_id(call->session)};
    if (!may_change(call))
        return;
    struct kernel_change *change = calloc(1, sizeof(struct change));
    if (change && kernel_send_letter(call->hub, &letter) < 0) {
        free(change);
        change = NULL;
    }
    if (change)
        change->type = &sent_type;
    answer_change(call, change);
}

/* ---- by nobody's request */

static struct session *find_unchanging(struct hub *hub, uint64_t id)
{
    struct session *session = kernel_session_find(hub, id);
    if (!session || !kernel_session_is_durable(session) || kernel_session_is_changing(session) ||
        kernel_may_store(hub, 1) != PROTOCOL_OK)
        return NULL;
    return kernel_reserve(hub, 1, STORE_LETTER_TEXT_MAX) == 0 ? session : NULL;
}

bool guest_book_leave(struct hub *hub, uint64_t session, const char *text, const char *name)
{
    struct session *found = find_unchanging(hub, session);
    struct kernel_change *change = found ? keep_word(hub, found, text, name) : NULL;
    if (change)
        kernel_change_session(hub, found, change);
    return change;
}

bool guest_book_greet(struct hub *hub, uint64_t session, uint64_t whom, const char *text)
{
    const struct kernel_letter letter = {.addressee = whom,
                                         .kind = "book.greeting",
                                         .text = text,
                                         .text_len = strlen(text),
                                         .session = session};
    return find_unchanging(hub, session) && kernel_send_letter(hub, &letter) == 0;
}

/* ---- the desk's page */

static void turn_page(struct hub *hub, struct session *session, struct kernel_change *change)
{
    assert(!session);
    if (guest_book_has_place(guest_book_of(hub)))
        guest_book_add_word(hub, 0, ((struct change *)(void *)change)->text);
}

static void take_page_back(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)change;
    assert(!session);
    guest_book_of(hub)->pages--;
}

static const struct kernel_change_type page_type = {
    .carry_out = turn_page, .undo = take_page_back, .destroy = drop_change};

static enum letter_fate apply_page(struct hub *hub, const struct store_letter *letter)
{
    struct change *change = calloc(1, sizeof *change);
    if (!change)
        return LETTER_LATER;
    change->change.type = &page_type;
    (void)snprintf(change->text, sizeof change->text, "%s", letter->text);
    const struct guest_page page = {
        .number = ++guest_book_of(hub)->pages, .text = letter->text, .text_len = letter->text_len};
    kernel_put_row(hub, &guest_page_table, &page);
    kernel_change_hub(hub, &change->change);
    return LETTER_APPLIED;
}

static enum letter_fate apply_greeting(struct hub *hub, const struct store_letter *letter)
{
    struct session *session = kernel_session_find(hub, letter->addressee);
    if (strcmp(letter->text, GUEST_BOOK_POISON) == 0 || letter->text_len >= WORD_BYTES)
        return LETTER_REFUSED;
    if (letter->addressee == LETTER_TO_DESK)
        return apply_page(hub, letter);
    if (!session)
        return LETTER_APPLIED;
    if (kernel_session_is_changing(session) ||
        (strcmp(letter->text, GUEST_BOOK_WAITS) == 0 && !guest_book_of(hub)->hurries))
        return LETTER_LATER;
    struct kernel_change *change = keep_word(hub, session, letter->text, "");
    if (!change)
        return LETTER_LATER;
    kernel_change_session(hub, session, change);
    return LETTER_APPLIED;
}

/* Behind the page that this connection has seen last. */
static void ask_page(struct call *call)
{
    const struct asker *asker = kernel_conn_state(call->hub, &memory, call);
    const struct kernel_query query = {.table = &guest_word_table,
                                       .index = 0,
                                       .limit = 2,
                                       .behind = asker->last.session != 0,
                                       .from = &asker->last};
    if (!call_query(call, &query))
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
}

static void answer_page(struct call *call, const struct store_query *query)
{
    struct asker *asker = kernel_conn_state(call->hub, &memory, call);
    struct reply reply;
    if (query->result != STORE_OK) {
        call_error(call, PROTOCOL_STORE_FAILING, NULL);
        return;
    }
    call_reply_begin(call, &reply);
    writer_key_array(&reply.writer, "words");
    for (size_t at = 0; at < query->count; at++) {
        const struct guest_word *word = store_query_row(query, at);
        writer_string(&reply.writer, word->words);
        asker->last = *word;
    }
    writer_end(&reply.writer);
    writer_key_bool(&reply.writer, "more", query->more);
    call_charge(call, reply.buffer.len);
    call_reply(call, &reply, NULL);
}

/* Some words are not for the book. */
static bool do_as_told(struct call *call)
{
    static const struct {
        const char *word;
        void (*handle)(struct call *call);
    } told[] = {{GUEST_BOOK_INVITES, invite}, {GUEST_BOOK_GREETS, greet},
                {GUEST_BOOK_PAGES, ask_page}, {GUEST_BOOK_KEEPS, keep},
                {GUEST_BOOK_CLAIMS, claim},   {GUEST_BOOK_WELCOMES, guest_welcome_change}};
    for (size_t at = 0; at < sizeof told / sizeof told[0]; at++) {
        if (strcmp(call->request->after, told[at].word) == 0) {
            told[at].handle(call);
            return true;
        }
    }
    return false;
}

static void op_words(struct call *call)
{
    if (request_has(call->request, REQUEST_AFTER) && do_as_told(call))
        return;
    if (request_has(call->request, REQUEST_AFTER)) {
        if (!guest_book_has_place(guest_book_of(call->hub))) {
            call_error(call, PROTOCOL_FULL, NULL);
            return;
        }
        guest_book_add_word(call->hub, kernel_session_id(call->session), call->request->after);
    }
    answer_words(call);
}

static bool inscribe(struct hub *hub, const struct admin_request *request, struct writer *writer,
                     struct refusal *refusal)
{
    if (!guest_book_has_place(guest_book_of(hub))) {
        *refusal = (struct refusal){.error = PROTOCOL_FULL};
        return false;
    }
    guest_book_add_word(hub, 0, request->text);
    write_words(guest_book_of(hub), writer);
    return true;
}

static void write_figures(const struct hub *hub, struct buffer *out)
{
    prometheus_count(out, "guest_book_words", "gauge", "Words in the book.",
                     guest_book_of(hub)->count);
}

/* ---- what it is told */

static void match_over(struct hub *hub, const struct room *room, const struct room_result *result)
{
    (void)room;
    for (unsigned i = 0; i < result->seats; i++) {
        if (result->seat[i].won && guest_book_has_place(guest_book_of(hub)))
            guest_book_add_word(hub, result->seat[i].session, result->room_id);
    }
}

static void session_begun(struct hub *hub, struct session *session)
{
    assert(kernel_session_id(session) != 0);
    guest_book_of(hub)->begun++;
}

static bool session_ends(struct hub *hub, const struct session *session)
{
    const char *text = guest_book_of(hub)->farewell;
    const struct kernel_letter letter = {.addressee = LETTER_TO_DESK,
                                         .kind = "book.greeting",
                                         .text = text,
                                         .text_len = strlen(text),
                                         .session = kernel_session_id(session),
                                         .at_end = true};
    return !text[0] || kernel_send_letter(hub, &letter) == 0;
}

static bool is_of(const struct word *word, int64_t session)
{
    return word->session == (uint64_t)session;
}

static void session_gone(struct hub *hub, struct session *session)
{
    remove_words(guest_book_of(hub), is_of, (int64_t)kernel_session_id(session));
}

static bool is_old(const struct word *word, int64_t now_ms)
{
    return word->at_ms + GUEST_BOOK_KEPT_MS <= now_ms;
}

static void tick(struct hub *hub)
{
    remove_words(guest_book_of(hub), is_old, kernel_now_ms(hub));
}

/* Words are in the order of their times. */
static int64_t deadline_ms(const struct hub *hub)
{
    const struct book *book = guest_book_of(hub);
    return book->count ? book->words[0].at_ms + GUEST_BOOK_KEPT_MS : INT64_MAX;
}

static const struct letter_row letters[] = {
    {"book.greeting", 1, GUEST_WORDS_MAX + 1, apply_greeting},
};

static const struct request_row requests[] = {
    {REQUEST_GAMES, REQUEST_LONG | REQUEST_AT_HOME, op_words},
};
static const struct operator_word inscribe_word = {"inscribe", true, MEMBER_TEXT, 0};
static const struct operator_row operations[] = {{&inscribe_word, .carry_out = inscribe}};
const struct feature guest_book = {
    .name = "book",
    .memory = &memory,
    .begin = begin,
    .end = end,
    .requests = requests,
    .request_count = sizeof requests / sizeof requests[0],
    .operations = operations,
    .operation_count = sizeof operations / sizeof operations[0],
    .document = &guest_welcome,
    .pages = guest_pages,
    .page_count = GUEST_PAGES,
    .write_hello = guest_welcome_write_hello,
    .letters = letters,
    .letter_count = sizeof letters / sizeof letters[0],
    .queried = answer_page,
    .tables = kept_tables,
    .restore_row = restore_row,
    .write_figures = write_figures,
    .match_over = match_over,
    .session_ends = session_ends,
    .session_begun = session_begun,
    .session_gone = session_gone,
    .deadline_ms = deadline_ms,
    .tick = tick,
};

const struct feature guest_book_beside = {
    .name = "book",
    .memory = &memory,
    .begin = begin_beside,
    .end = end,
    .document = &guest_welcome,
    .pages = guest_pages,
    .page_count = GUEST_PAGES,
    .letters = letters,
    .letter_count = sizeof letters / sizeof letters[0],
    .tables = kept_tables,
    .restore_row = restore_row,
};
