#include "online.h"

#include "follow_table.h"
#include "state.h"
#include <assert.h>
#include <hub/call.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <hub/kernel_query.h>
#include <hub/part.h>
#include <hub/store_query.h>
#include <protocol/encoding.h>
#include <room/room.h>
#include <stdlib.h>
#include <string.h>

/* ---- a listing that is being made */

struct followed {
    uint64_t session;
    int64_t since_ms;
    char handle[PROTOCOL_HANDLE_BYTES + 1];
    bool is_online, plays;
    char room[PROTOCOL_ROOM_BYTES + 1]; /* where, if anybody may watch; "": else */
};

enum {
    NOTE_ASKS = 1,
    NOTE_ANSWERS,
    NOTE_WHERE, /* who of them plays */
    NOTE_PLAYS,
    NOTE_HEAD = 1 + 8 + 4 + 1, /* kind, who asks, which listing, which note of it */
    NOTE_IDS = ((int)KERNEL_NOTE_BYTES - (int)NOTE_HEAD) / 8,
    NOTES_MAX = 128,                       /* of one listing: one for each part, or more */
    PLAYS_BYTES = 8 + PROTOCOL_ROOM_BYTES, /* of one who plays: an id, and in which room */
    /* As many as an answer has place for: other parts are asked about no more. */
    PLAYS_MAX = ((int)KERNEL_NOTE_BYTES - (int)NOTE_HEAD) / (int)PLAYS_BYTES,
};

struct listing {
    struct listing *next;
    struct call_later later;
    uint64_t session; /* who asks */
    uint16_t share;   /* of where they ask from */
    uint32_t serial;
    int64_t due_ms;
    bool incomplete;
    bool may_wait,
        asks_where; /* for other parts; where friends play, as it is known who is there */
    unsigned notes, missing;
    bool waits[NOTES_MAX]; /* for an answer to each note */
    size_t count, most;
    struct followed friends[];
};

static struct listing *create_listing(const struct call *call)
{
    const size_t most = (size_t)kernel_config(call->hub)->follows_per_account;
    struct listing *listing = calloc(1, sizeof *listing + most * sizeof listing->friends[0]);
    if (!listing)
        return NULL;
    listing->session = kernel_session_id(call->session);
    listing->share = kernel_source_share(call);
    listing->later = call_put_off(call);
    listing->most = most;
    return listing;
}

/* ---- who is seen, of those who are at home here */

static bool is_seen(const struct hub *hub, uint64_t whom, uint64_t asker)
{
    const struct session *session = kernel_session_find(hub, whom);
    return session && !kernel_is_elsewhere(hub, whom) && kernel_session_is_connected(session) &&
           follows_has(hub, whom, asker) && !unseen_is(hub, whom) &&
           !kernel_has_blocked(hub, session, asker);
}

/* ---- the answer */

static void write_friend(const struct followed *one, struct writer *writer)
{
    writer_object(writer);
    writer_key_string(writer, "handle", one->handle);
    writer_key_int(writer, "since", one->since_ms);
    if (one->is_online)
        writer_key_bool(writer, "online", true);
    if (one->is_online && one->plays)
        writer_key_bool(writer, "playing", true);
    if (one->is_online && one->room[0])
        writer_key_string(writer, "room", one->room);
    writer_end(writer);
}

/* Whom they have blocked they do not see either. */
static void write_listing(const struct call *call, const struct listing *listing,
                          struct writer *writer)
{
    writer_key_array(writer, "friends");
    for (size_t at = 0; at < listing->count; at++) {
        if (!kernel_has_blocked(call->hub, call->session, listing->friends[at].session))
            write_friend(&listing->friends[at], writer);
    }
    writer_end(writer);
    if (unseen_is(call->hub, listing->session))
        writer_key_bool(writer, "hidden", true);
    if (listing->incomplete)
        writer_key_bool(writer, "incomplete", true);
}

/* To whoever asked, if they are still there as the same. */
static void answer_listing(struct hub *hub, struct listing *listing)
{
    struct call call;
    struct reply reply;
    if (call_resume(hub, &listing->later, &call) &&
        kernel_session_id(call.session) == listing->session) {
        call_reply_begin(&call, &reply);
        write_listing(&call, listing, &reply.writer);
        call_charge(&call, reply.buffer.len);
        call_reply(&call, &reply, NULL);
    }
    free(listing);
}

/* ---- notes */

static size_t put_number(char *at, size_t bytes, uint64_t value)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = (char)(value >> 8 * (bytes - 1 - i));
    return bytes;
}

static uint64_t read_number(const char *at, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++)
        value = value << 8 | (unsigned char)at[i];
    return value;
}

struct note {
    size_t len;
    char text[KERNEL_NOTE_BYTES];
};

static void begin_note(struct note *note, int kind, uint64_t session, uint32_t serial,
                       unsigned number)
{
    note->len = put_number(note->text, 1, (uint64_t)kind);
    note->len += put_number(note->text + note->len, 8, session);
    note->len += put_number(note->text + note->len, 4, serial);
    note->len += put_number(note->text + note->len, 1, number);
    assert(note->len == NOTE_HEAD);
}

static void add_id(struct note *note, uint64_t id)
{
    note->len += put_number(note->text + note->len, 8, id);
}

static bool is_full(const struct note *note)
{
    return note->len + 8 > sizeof note->text;
}

/* ---- asking the other parts */

/* One that cannot be sent is as good as one that is lost. */
static void send_question(struct hub *hub, struct listing *listing, uint64_t to, struct note *note)
{
    if (note->len <= NOTE_HEAD)
        return;
    if (!kernel_send_note(hub, to, note->text, note->len)) {
        listing->incomplete = true;
        return;
    }
    listing->waits[listing->notes++] = true;
    listing->missing++;
}

/* One that falls to it as a session's does. */
static uint64_t number_of_part(const struct hub *hub, unsigned part)
{
    return (uint64_t)kernel_env(hub)->parts + part;
}

static void ask_part(struct hub *hub, struct listing *listing, unsigned part)
{
    struct note note = {0};
    begin_note(&note, NOTE_ASKS, listing->session, listing->serial, listing->notes);
    for (size_t at = 0; at < listing->count && listing->notes < NOTES_MAX; at++) {
        const uint64_t id = listing->friends[at].session;
        if (part_of_session(id, kernel_env(hub)->parts) != part)
            continue;
        add_id(&note, id);
        if (!is_full(&note))
            continue;
        send_question(hub, listing, number_of_part(hub, part), &note);
        begin_note(&note, NOTE_ASKS, listing->session, listing->serial, listing->notes);
    }
    if (listing->notes < NOTES_MAX)
        send_question(hub, listing, number_of_part(hub, part), &note);
}

static void ask_others(struct hub *hub, struct listing *listing)
{
    listing->serial = ++friends_of(hub)->serial;
    for (unsigned part = 0; part < kernel_env(hub)->parts; part++) {
        if (part != kernel_env(hub)->part)
            ask_part(hub, listing, part);
    }
}

static bool has_others(const struct hub *hub, const struct listing *listing)
{
    for (size_t at = 0; at < listing->count; at++) {
        if (kernel_is_elsewhere(hub, listing->friends[at].session))
            return true;
    }
    return false;
}

static void take_out(struct hub *hub, struct listing **link)
{
    *link = (*link)->next;
    friends_of(hub)->listing_count--;
}

/* What has not been answered by now is not waited for. */
static void end_listing(struct hub *hub, struct listing **link)
{
    struct listing *listing = *link;
    take_out(hub, link);
    listing->incomplete = true;
    answer_listing(hub, listing);
}

static void end_earlier(struct hub *hub, uint64_t session)
{
    struct listing **link = &friends_of(hub)->listings;
    while (*link && (*link)->session != session)
        link = &(*link)->next;
    if (*link)
        end_listing(hub, link);
}

static bool may_wait(const struct hub *hub, uint16_t share)
{
    const struct friends *friends = friends_of(hub);
    size_t count = 0;
    for (const struct listing *one = friends->listings; one; one = one->next)
        count += one->share == share;
    return friends->listing_count < LISTINGS_MAX && count < LISTINGS_PER_ADDRESS;
}

static void wait_for_others(struct hub *hub, struct listing *listing)
{
    struct friends *friends = friends_of(hub);
    listing->next = friends->listings;
    friends->listings = listing;
    friends->listing_count++;
}

/* ---- who of those who are there plays, and where */

static void note_room(struct followed *one, const struct hub_room *hub_room)
{
    const struct room *room = kernel_room(hub_room);
    one->plays = true;
    if (room_access(room) == PROTOCOL_ACCESS_OPEN)
        memcpy(one->room, room_id(room), sizeof one->room);
}

static size_t find_playing_here(struct hub *hub, struct listing *listing)
{
    size_t open = 0; /* of whom it is not known yet */
    for (size_t at = 0; at < listing->count; at++) {
        struct followed *one = &listing->friends[at];
        const struct hub_room *hub_room = one->is_online ? kernel_plays(hub, one->session) : NULL;
        if (hub_room)
            note_room(one, hub_room);
        open += one->is_online && !one->room[0];
    }
    return open;
}

/* The same of each part, as people sit at tables of all. */
static void ask_where(struct hub *hub, struct listing *listing)
{
    listing->serial = ++friends_of(hub)->serial;
    listing->notes = listing->missing = 0;
    for (unsigned part = 0; part < kernel_env(hub)->parts; part++) {
        struct note note = {0};
        if (part == kernel_env(hub)->part)
            continue;
        begin_note(&note, NOTE_WHERE, listing->session, listing->serial, listing->notes);
        for (size_t at = 0, asked = 0; at < listing->count; at++) {
            const struct followed *one = &listing->friends[at];
            if (!one->is_online || one->room[0])
                continue;
            if (asked == PLAYS_MAX) { /* no note has place for more */
                listing->incomplete = true;
                break;
            }
            add_id(&note, one->session);
            asked++;
        }
        send_question(hub, listing, number_of_part(hub, part), &note);
    }
}

/* Who is there is known: takes the listing, which nobody has. */
static void find_playing(struct hub *hub, struct listing *listing)
{
    listing->asks_where = true;
    if (find_playing_here(hub, listing) > 0 && kernel_env(hub)->parts > 1 && listing->may_wait)
        ask_where(hub, listing);
    if (listing->missing == 0)
        answer_listing(hub, listing);
    else
        wait_for_others(hub, listing);
}

/* All whom they follow are known: who of them is here is seen, who is elsewhere is asked for. */
static void find_online(struct hub *hub, struct listing *listing)
{
    end_earlier(hub, listing->session);
    for (size_t at = 0; at < listing->count; at++) {
        struct followed *one = &listing->friends[at];
        one->is_online = is_seen(hub, one->session, listing->session);
    }
    listing->may_wait = may_wait(hub, listing->share);
    if (has_others(hub, listing)) {
        if (listing->may_wait)
            ask_others(hub, listing);
        else
            listing->incomplete = true;
    }
    listing->due_ms = kernel_now_ms(hub) + ONLINE_WAIT_MS;
    if (listing->missing == 0)
        find_playing(hub, listing);
    else
        wait_for_others(hub, listing);
}

/* ---- what other parts say */

/* Whoever asks has to be at home where the answer goes: nobody else is told. */
static void answer_question(struct hub *hub, const char *text, size_t len)
{
    const uint64_t asker = read_number(text + 1, 8);
    struct note note;
    begin_note(&note, NOTE_ANSWERS, asker, (uint32_t)read_number(text + 9, 4),
               (unsigned)read_number(text + 13, 1));
    if (!kernel_is_elsewhere(hub, asker))
        return;
    for (size_t at = NOTE_HEAD; at < len; at += 8) {
        const uint64_t id = read_number(text + at, 8);
        if (is_seen(hub, id, asker))
            add_id(&note, id);
    }
    (void)kernel_send_note(hub, asker, note.text, note.len);
}

/* The same of who plays, and in which room. */
static void answer_where(struct hub *hub, const char *text, size_t len)
{
    const uint64_t asker = read_number(text + 1, 8);
    struct note note;
    begin_note(&note, NOTE_PLAYS, asker, (uint32_t)read_number(text + 9, 4),
               (unsigned)read_number(text + 13, 1));
    if (!kernel_is_elsewhere(hub, asker) || len > NOTE_HEAD + 8 * PLAYS_MAX)
        return;
    for (size_t at = NOTE_HEAD; at < len; at += 8) {
        const uint64_t id = read_number(text + at, 8);
        const struct hub_room *hub_room = kernel_plays(hub, id);
        struct followed one = {.session = id};
        if (!hub_room)
            continue;
        note_room(&one, hub_room);
        add_id(&note, id);
        memcpy(note.text + note.len, one.room, PROTOCOL_ROOM_BYTES); /* zeros: none is told */
        note.len += PROTOCOL_ROOM_BYTES;
    }
    (void)kernel_send_note(hub, asker, note.text, note.len);
}

static struct listing **find_listing(struct hub *hub, uint64_t session, uint32_t serial)
{
    struct listing **link = &friends_of(hub)->listings;
    while (*link && ((*link)->session != session || (*link)->serial != serial))
        link = &(*link)->next;
    return link;
}

static void set_online(struct listing *listing, uint64_t id)
{
    for (size_t at = 0; at < listing->count; at++) {
        if (listing->friends[at].session == id)
            listing->friends[at].is_online = true;
    }
}

static void set_playing(struct listing *listing, uint64_t id, const char *room)
{
    for (size_t at = 0; at < listing->count; at++) {
        struct followed *one = &listing->friends[at];
        if (one->session != id)
            continue;
        one->plays = true;
        if (room_id_valid(room, PROTOCOL_ROOM_BYTES))
            memcpy(one->room, room, PROTOCOL_ROOM_BYTES);
    }
}

static void take_answer(struct hub *hub, const char *text, size_t len)
{
    const bool is_where = text[0] == NOTE_PLAYS;
    struct listing **link =
        find_listing(hub, read_number(text + 1, 8), (uint32_t)read_number(text + 9, 4));
    struct listing *listing = *link;
    const unsigned number = (unsigned)read_number(text + 13, 1);
    if (!listing || listing->asks_where != is_where || number >= NOTES_MAX ||
        !listing->waits[number])
        return;
    listing->waits[number] = false;
    for (size_t at = NOTE_HEAD; at < len; at += is_where ? PLAYS_BYTES : 8) {
        if (is_where)
            set_playing(listing, read_number(text + at, 8), text + at + 8);
        else
            set_online(listing, read_number(text + at, 8));
    }
    if (--listing->missing > 0)
        return;
    take_out(hub, link);
    if (is_where)
        answer_listing(hub, listing);
    else
        find_playing(hub, listing);
}

void online_hear(struct hub *hub, const char *text, size_t len)
{
    if (len < NOTE_HEAD || len > KERNEL_NOTE_BYTES)
        return;
    const size_t rest = len - NOTE_HEAD;
    switch ((unsigned char)text[0]) {
    case NOTE_ASKS:
        if (rest % 8 == 0)
            answer_question(hub, text, len);
        return;
    case NOTE_WHERE:
        if (rest % 8 == 0)
            answer_where(hub, text, len);
        return;
    case NOTE_ANSWERS:
        if (rest % 8 == 0)
            take_answer(hub, text, len);
        return;
    case NOTE_PLAYS:
        if (rest % PLAYS_BYTES == 0)
            take_answer(hub, text, len);
        return;
    }
}

/* ---- time */

int64_t online_deadline_ms(const struct hub *hub)
{
    int64_t due_ms = INT64_MAX;
    for (const struct listing *one = friends_of(hub)->listings; one; one = one->next)
        due_ms = one->due_ms < due_ms ? one->due_ms : due_ms;
    return due_ms;
}

void online_tick(struct hub *hub)
{
    struct listing **link = &friends_of(hub)->listings;
    while (*link) {
        if ((*link)->due_ms <= kernel_now_ms(hub))
            end_listing(hub, link);
        else
            link = &(*link)->next;
    }
}

void online_release(struct hub *hub)
{
    while (friends_of(hub)->listings) {
        struct listing *listing = friends_of(hub)->listings;
        take_out(hub, &friends_of(hub)->listings);
        free(listing);
    }
}

/* ---- the rows */

struct asked {
    struct kernel_kept kept;
    struct listing *listing; /* owned; NULL: it has gone on */
};

static void destroy_asked(struct kernel_kept *kept)
{
    free(((struct asked *)(void *)kept)->listing);
    free(kept);
}

/* Takes the listing over. What cannot be asked is answered. */
static void ask_page(const struct call *call, struct listing *listing,
                     const struct follow_row *from, bool behind)
{
    struct asked *asked = listing ? malloc(sizeof *asked) : NULL;
    struct kernel_query query = {
        .table = &follow_table, .limit = STORE_QUERY_ROWS_MAX, .behind = behind, .from = from};
    if (!asked) {
        free(listing);
        call_error(call, PROTOCOL_INTERNAL, NULL);
        return;
    }
    *asked = (struct asked){{destroy_asked}, listing};
    query.kept = &asked->kept;
    if (call_query(call, &query))
        return;
    destroy_asked(&asked->kept);
    call_error(call, PROTOCOL_SLOW_DOWN, NULL);
}

void op_friends(struct call *call)
{
    const struct follow_row from = {.session = kernel_session_id(call->session)};
    if (kernel_needs_account(call))
        ask_page(call, create_listing(call), &from, false);
}

static void add_rows(struct listing *listing, const struct store_query *query)
{
    for (size_t at = 0; at < query->count && listing->count < listing->most; at++) {
        const struct follow_row *row = store_query_row(query, at);
        struct followed *one = &listing->friends[listing->count++];
        *one = (struct followed){.session = row->other, .since_ms = row->since_ms};
        memcpy(one->handle, row->handle, sizeof one->handle);
    }
}

void friends_queried(struct call *call, const struct store_query *query)
{
    struct asked *asked = (struct asked *)(void *)call->kept;
    struct listing *listing = asked->listing;
    if (query->result != STORE_OK) {
        call_error(call, PROTOCOL_STORE_FAILING, NULL);
        return;
    }
    asked->listing = NULL;
    add_rows(listing, query);
    if (query->more && listing->count < listing->most)
        ask_page(call, listing, store_query_row(query, query->count - 1), true);
    else
        find_online(call->hub, listing);
}
