#include <site/program.h>

#include "http/program_page.h"
#include "site_private.h"
#include <assert.h>
#include <hub/address_prefix.h>
#include <jansson.h>
#include <protocol/buffer.h>
#include <protocol/encoding.h>
#include <protocol/error.h>
#include <protocol/limits.h>
#include <protocol/reply.h>
#include <protocol/request.h>
#include <site/site.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STATUS_OK = 200,
    STATUS_BAD = 400,
    STATUS_UNKNOWN = 401,
    STATUS_REFUSED = 403,
    STATUS_MISSING = 404,
    STATUS_SLOW_DOWN = 429,
    STATUS_UNAVAILABLE = 503,
    NUMBERS = 32, /* of requests that follow from that of a body */
};
static_assert((int)NUMBERS > (int)SITE_PROGRAM_ROOMS_MAX, "hello has one too");
static const char type_json[] = "application/json";

/* ---- one of them */

struct site_program {
    struct site *site;
    struct site_program *next, **back; /* among those of the site */
    struct hub_peer peer;
    struct address_prefix prefix; /* of who pays */
    struct program_page page;
    json_t *requests;      /* an array of objects, in their order; the first is hello */
    struct buffer results; /* of those behind it that were answered, as they will be told */
    json_int_t number;     /* of the first request, hello */
    size_t asked;          /* so many were sent */
};

static void destroy_program(struct site_program *program)
{
    json_decref(program->requests);
    buffer_release(&program->results);
    *program->back = program->next;
    if (program->next)
        program->next->back = program->back;
    free(program);
}

void site_program_end(struct site_program *program, int64_t now_ms)
{
    if (!program)
        return;
    site_disconnect(program->site, program->peer, now_ms);
    destroy_program(program);
}

struct hub_peer site_program_peer(const struct site_program *program)
{
    return program->peer;
}

/* ---- answers */

static void tell_code(struct site_program_told *told, int status, const char *code)
{
    char text[96];
    const int len = snprintf(text, sizeof text, "{\"code\":\"%s\"}\n", code);
    *told = (struct site_program_told){0};
    hub_http_make(&told->answer, status, type_json, text, (size_t)len);
}

static int status_of(enum protocol_error error)
{
    static const struct {
        enum protocol_error error;
        int status;
    } known[] = {
        {PROTOCOL_UNKNOWN_TOKEN, STATUS_UNKNOWN},
        {PROTOCOL_NOT_ALLOWED, STATUS_REFUSED},
        {PROTOCOL_BANNED, STATUS_REFUSED},
        {PROTOCOL_SLOW_DOWN, STATUS_SLOW_DOWN},
        {PROTOCOL_TOO_MANY_CONNECTIONS, STATUS_SLOW_DOWN},
        {PROTOCOL_STORE_FAILING, STATUS_UNAVAILABLE},
        {PROTOCOL_DRAINING, STATUS_UNAVAILABLE},
        {PROTOCOL_PART_AWAY, STATUS_UNAVAILABLE},
        {PROTOCOL_FULL, STATUS_UNAVAILABLE},
        {PROTOCOL_INTERNAL, STATUS_UNAVAILABLE},
    };
    for (size_t at = 0; at < sizeof known / sizeof known[0]; at++) {
        if (known[at].error == error)
            return known[at].status;
    }
    return STATUS_BAD;
}

static void tell_refused(struct site_program_told *told, enum protocol_error error)
{
    tell_code(told, status_of(error), protocol_error_code(error));
}

static void tell_bytes(struct site_program_told *told, int status, const char *text, size_t len)
{
    *told = (struct site_program_told){0};
    if (len <= SITE_PROGRAM_BYTES)
        hub_http_make(&told->answer, status, type_json, text, len);
    else
        tell_refused(told, PROTOCOL_INTERNAL);
}

/* To one of the requests. */
struct answer {
    bool refused;
    enum protocol_error error; /* of a refusal; PROTOCOL_OK: of a game's rules */
    struct reply_contents contents;
};

static void tell_error(const struct site_program *program, const struct answer *refusal,
                       struct site_program_told *told)
{
    tell_bytes(told, status_of(refusal->error), refusal->contents.at, refusal->contents.len);
    if (refusal->error == PROTOCOL_NOT_ALLOWED)
        told->scope = program->page.scope;
}

/* ---- what is asked */

static json_t *hello_of(const char *token)
{
    return json_pack("{s:s,s:s,s:s}", "op", "hello", "token", token, "client", "HTTP");
}

/* What is asked behind `hello`, which is asked of all. */
static bool add_get(json_t *requests, const struct program_page *page)
{
    json_t *request = strcmp(page->op, "hello") == 0 ? NULL : json_pack("{s:s}", "op", page->op);
    if (request && page->after[0])
        (void)json_object_set_new(request, "after", json_string(page->after));
    return !page->bad && (!request || json_array_append_new(requests, request) == 0);
}

/* Members of `create`; which operation it is, and its id, are ours to say. */
static bool add_room(json_t *requests, json_t *room)
{
    if (!json_is_object(room) || json_object_get(room, "op") || json_object_get(room, "id"))
        return false;
    return json_object_set_new(room, "op", json_string("create")) == 0 &&
           json_array_append(requests, room) == 0;
}

/* Each body has a number of its own, which the numbers of its requests follow from: what is sent
 * again is answered as the first time. */
static bool read_number(const json_t *body, json_int_t *number)
{
    const json_int_t id = json_integer_value(json_object_get(body, "id"));
    if (id <= 0 || id > PROTOCOL_INTEGER_MAX / NUMBERS - 1)
        return false;
    *number = id * NUMBERS;
    return true;
}

static bool add_rooms(json_t *requests, const struct site_program_asked *asked, json_int_t *number)
{
    json_t *body = json_loadb(asked->body, asked->len, JSON_REJECT_DUPLICATES, NULL);
    json_t *rooms = json_object_get(body, "rooms"), *room;
    const size_t count = json_array_size(rooms);
    bool fine = count > 0 && count <= SITE_PROGRAM_ROOMS_MAX && json_object_size(body) == 2 &&
                read_number(body, number);
    size_t at;
    json_array_foreach(rooms, at, room) fine = fine && add_room(requests, room);
    json_decref(body);
    return fine;
}

/* NULL: it cannot be asked so, or there is no memory. */
static json_t *read_requests(const struct program_page *page,
                             const struct site_program_asked *asked, json_int_t *number)
{
    json_t *requests = json_array();
    *number = 1;
    bool fine = json_array_append_new(requests, hello_of(asked->token)) == 0;
    if (page->gets)
        fine = fine && add_get(requests, page);
    else
        fine = fine && add_rooms(requests, asked, number);
    if (fine)
        return requests;
    json_decref(requests);
    return NULL;
}

/* As it is sent: the caller's to free. NULL: no memory. */
static char *write_request(json_t *request, json_int_t id)
{
    return json_object_set_new(request, "id", json_integer(id)) == 0
               ? json_dumps(request, JSON_COMPACT)
               : NULL;
}

/* Why that is no request with a number, so that its answer would have none; PROTOCOL_OK: it is. */
static enum protocol_error find_fault(struct site *site, json_t *request, json_int_t id)
{
    char *text = write_request(request, id);
    const enum protocol_error error =
        text ? request_decode(&site->decoded.request, text, strlen(text)) : PROTOCOL_INTERNAL;
    const bool good = text && site->decoded.request.id == id;
    if (text)
        request_release(&site->decoded.request);
    free(text);
    return good ? PROTOCOL_OK : error;
}

/* What is wrong with one of them. */
static enum protocol_error find_faults(struct site *site, const json_t *requests, json_int_t number)
{
    enum protocol_error error = PROTOCOL_OK;
    for (size_t at = 0; error == PROTOCOL_OK && at < json_array_size(requests); at++)
        error = find_fault(site, json_array_get(requests, at), number + (json_int_t)at);
    return error;
}

static void send_next(struct site_program *program, int64_t now_ms)
{
    const json_int_t id = program->number + (json_int_t)program->asked;
    char *text = write_request(json_array_get(program->requests, program->asked++), id);
    if (text)
        site_receive(program->site, program->peer, text, strlen(text), now_ms);
    else
        site_reject(program->site, program->peer, CLOSE_SERVER_FAULT);
    free(text);
}

/* ---- beginning */

static bool is_token(const char *token)
{
    uint8_t bytes[TOKEN_RANDOM_BYTES];
    return token && access_token_decode(bytes, token, strlen(token));
}

/* Why there is no place for one more: of an address only so many have one. */
static enum protocol_error find_crowd(const struct site *site, const struct address_prefix *prefix)
{
    size_t count = 0, same = 0;
    for (const struct site_program *other = site->programs; other; other = other->next) {
        count++;
        same += memcmp(&other->prefix, prefix, sizeof *prefix) == 0;
    }
    if (count >= SITE_PROGRAMS_MAX)
        return PROTOCOL_FULL;
    return same >= SITE_PROGRAMS_OF_ADDRESS ? PROTOCOL_SLOW_DOWN : PROTOCOL_OK;
}

/* Takes the requests. NULL: out of memory. */
static struct site_program *make_program(struct site *site, const struct program_page *page,
                                         const struct address_prefix *prefix, json_t *requests)
{
    struct site_program *program = calloc(1, sizeof *program);
    if (!program) {
        json_decref(requests);
        return NULL;
    }
    *program = (struct site_program){.site = site,
                                     .next = site->programs,
                                     .back = &site->programs,
                                     .prefix = *prefix,
                                     .page = *page,
                                     .requests = requests};
    buffer_init(&program->results, 0, SITE_PROGRAM_BYTES);
    if (program->next)
        program->next->back = &program->next;
    site->programs = program;
    return program;
}

/* The requests. NULL: it cannot be asked so, as is told. */
static json_t *read_asked(struct site *site, const struct site_program_asked *asked,
                          const struct address_prefix *prefix, struct program_page *page,
                          json_int_t *number, struct site_program_told *told)
{
    if (!program_page_find(asked->path, page)) {
        tell_code(told, STATUS_MISSING, "no_such_page");
        return NULL;
    }
    if (!is_token(asked->token)) {
        tell_refused(told, PROTOCOL_UNKNOWN_TOKEN);
        return NULL;
    }
    json_t *requests = read_requests(page, asked, number);
    enum protocol_error error = requests ? find_faults(site, requests, *number) : PROTOCOL_BAD_JSON;
    if (error == PROTOCOL_OK)
        error = find_crowd(site, prefix);
    if (error == PROTOCOL_OK)
        return requests;
    tell_refused(told, error);
    json_decref(requests);
    return NULL;
}

struct site_program *site_program_begin(struct site *site, const struct site_program_asked *asked,
                                        const uint8_t address[static 16], int64_t now_ms,
                                        struct site_program_told *told)
{
    struct program_page page;
    const struct address_prefix prefix = address_network_of(address);
    json_int_t number = 1;
    json_t *requests = read_asked(site, asked, &prefix, &page, &number, told);
    if (!requests)
        return NULL;
    struct site_program *program = make_program(site, &page, &prefix, requests);
    if (program && site_connect(site, address, now_ms, &program->peer) != 0) {
        destroy_program(program);
        program = NULL;
    }
    if (!program) {
        tell_refused(told, PROTOCOL_FULL);
        return NULL;
    }
    program->number = number;
    send_next(program, now_ms);
    return program;
}

/* ---- going on */

static void add_result(struct buffer *results, const struct answer *answer)
{
    static const char first[] = "{\"rooms\":[", refused[] = "{\"error\":";
    if (results->len == 0)
        buffer_append(results, first, sizeof first - 1);
    else
        buffer_append_byte(results, ',');
    if (answer->refused)
        buffer_append(results, refused, sizeof refused - 1);
    buffer_append(results, answer->contents.at, answer->contents.len);
    if (answer->refused)
        buffer_append_byte(results, '}');
}

static void tell_results(struct buffer *results, struct site_program_told *told)
{
    buffer_append(results, "]}", 2);
    if (results->failed)
        tell_refused(told, PROTOCOL_INTERNAL);
    else
        tell_bytes(told, STATUS_OK, buffer_payload(results), results->len);
}

/* True: that is the answer to all. */
static bool take_result(struct site_program *program, const struct answer *answer, int64_t now_ms,
                        struct site_program_told *told)
{
    const bool is_hello = program->asked == 1;
    const bool ends = is_hello || program->page.gets || status_of(answer->error) == STATUS_REFUSED;
    if (answer->refused && ends) {
        tell_error(program, answer, told);
        return true;
    }
    if (program->page.gets && program->asked == json_array_size(program->requests)) {
        tell_bytes(told, STATUS_OK, answer->contents.at, answer->contents.len);
        return true;
    }
    if (!is_hello)
        add_result(&program->results, answer);
    if (program->asked < json_array_size(program->requests)) {
        send_next(program, now_ms);
        return false;
    }
    tell_results(&program->results, told);
    return true;
}

static bool take_message(struct site_program *program, const struct hub_head *head,
                         const char *text, size_t len, int64_t now_ms,
                         struct site_program_told *told)
{
    struct answer answer = {.refused = head->kind == HUB_REFUSAL,
                            .error = (enum protocol_error)head->error};
    const bool is_its =
        head_is_reply(head) && head->id == program->number + (json_int_t)program->asked - 1;
    const bool is_unread = answer.refused && head->id == REQUEST_NO_ID;
    return (is_its || is_unread) &&
           reply_open(&answer.contents, head->id, answer.refused, text, len) &&
           take_result(program, &answer, now_ms, told);
}

bool site_program_take(struct site_program *program, int64_t now_ms, struct site_program_told *told)
{
    struct site *site = program->site;
    const void *bytes;
    size_t len;
    bool done = false;
    while (!done && (bytes = site_output(site, program->peer, &len)) != NULL) {
        const struct hub_head head = *site_output_head(site, program->peer);
        char *copy = malloc(len);
        if (copy)
            memcpy(copy, bytes, len);
        site_sent(site, program->peer);
        done = copy && take_message(program, &head, copy, len, now_ms, told);
        free(copy);
    }
    if (!done && site_close_code(site, program->peer) != 0) {
        tell_refused(told, PROTOCOL_INTERNAL);
        done = true;
    }
    if (done)
        site_program_end(program, now_ms);
    return done;
}
