#include "push_queue.h"

#include "browser.h"
#include "push_text.h"
#include "state.h"
#include <assert.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/push.h>
#include <protocol/json_writer.h>
#include <room/room.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES_MAX = 5, RETRY_MIN_MS = 30000, RETRY_MAX_MS = 3600000, NAMES_MAX = 5 };

/* ---- the shares of addresses */

/* So nobody's messages, to a service that answers slowly or never, hold up those to all others. */
static bool may_go_out(const struct hub *hub, const struct push_entry *entry)
{
    return !entry->out && (entry->share == 0 || notify_of(hub)->sending[entry->share] <
                                                    (kernel_config(hub)->push_at_once + 1) / 2);
}

static bool may_wait(struct hub *hub, const struct push_entry *entry)
{
    return entry->share == 0 ||
           *kernel_share_messages(hub, entry->share) < kernel_config(hub)->push_per_address;
}

static void set_out(struct hub *hub, struct push_entry *entry, bool out)
{
    struct notify *notify = notify_of(hub);
    entry->out = out;
    if (out) {
        notify->queue.out++;
        notify->sending[entry->share]++;
    } else {
        notify->queue.out--;
        notify->sending[entry->share]--;
    }
}

/* ---- the queue */

static void find_due(struct hub *hub)
{
    struct push_queue *queue = &notify_of(hub)->queue;
    queue->due_ms = INT64_MAX;
    for (size_t i = 0; i < queue->count; i++) {
        const struct push_entry *entry = &queue->entries[i];
        if (may_go_out(hub, entry) && entry->due_ms < queue->due_ms)
            queue->due_ms = entry->due_ms;
    }
}

static void remove_entry(struct hub *hub, size_t at)
{
    struct push_queue *queue = &notify_of(hub)->queue;
    (*kernel_share_messages(hub, queue->entries[at].share))--;
    push_text_unref(queue->entries[at].text);
    queue->entries[at] = queue->entries[--queue->count];
}

static bool grow_queue(struct push_queue *queue, size_t max)
{
    if (queue->count < queue->size)
        return true;
    size_t size = queue->size ? queue->size * 2 : 16;
    if (size > max)
        size = max;
    struct push_entry *entries =
        queue->count < size ? realloc(queue->entries, size * sizeof *entries) : NULL;
    if (!entries)
        return false;
    queue->entries = entries;
    queue->size = size;
    return true;
}

/* How many are of that address. Of whom it is not known since a restart each counts alone. */
static unsigned count_of(struct hub *hub, uint16_t share)
{
    return share == 0 ? 1 : *kernel_share_messages(hub, share);
}

/* Of the address that has most, the one that is due first; NULL: all are out. */
static const struct push_entry *find_dearest(struct hub *hub)
{
    const struct push_queue *queue = &notify_of(hub)->queue;
    const struct push_entry *dearest = NULL;
    unsigned most = 0;
    for (size_t i = 0; i < queue->count; i++) {
        const struct push_entry *entry = &queue->entries[i];
        const unsigned has = count_of(hub, entry->share);
        if (entry->out || has < most ||
            (dearest && has == most && entry->due_ms >= dearest->due_ms))
            continue;
        dearest = entry;
        most = has;
    }
    return dearest;
}

/* So addresses that fill the queue have what they have at each other's cost, not at that of those
 * who have less in it. False: nobody has more than this one. */
static bool make_place(struct hub *hub, const struct push_entry *wanted)
{
    struct push_queue *queue = &notify_of(hub)->queue;
    if (queue->count < (size_t)kernel_config(hub)->push_queue)
        return true;
    const struct push_entry *dearest = find_dearest(hub);
    if (!dearest || count_of(hub, dearest->share) <= count_of(hub, wanted->share))
        return false;
    remove_entry(hub, (size_t)(dearest - queue->entries));
    notify_of(hub)->lost++;
    return true;
}

/* A later turn takes the place of an earlier one of which the browser has not been told. Takes a
 * reference of its own to the text. */
static void put_entry(struct hub *hub, const struct push_entry *wanted)
{
    struct push_queue *queue = &notify_of(hub)->queue;
    for (size_t i = 0; i < queue->count; i++) {
        struct push_entry *entry = &queue->entries[i];
        if (!entry->out && entry->browser == wanted->browser && entry->session == wanted->session &&
            strcmp(entry->room_id, wanted->room_id) == 0) {
            const uint16_t share = entry->share;
            push_text_unref(entry->text);
            *entry = *wanted;
            entry->share = share;
            push_text_ref(entry->text);
            return;
        }
    }
    if (!may_wait(hub, wanted) || !make_place(hub, wanted) ||
        !grow_queue(queue, (size_t)kernel_config(hub)->push_queue)) {
        notify_of(hub)->lost++;
        return;
    }
    push_text_ref(wanted->text);
    queue->entries[queue->count++] = *wanted;
    (*kernel_share_messages(hub, wanted->share))++;
}

static void put_all(struct hub *hub, const struct session *session, struct push_entry *wanted)
{
    const struct browser *browser = notify_of_session(hub, session)->browsers;
    wanted->session = kernel_session_id(session);
    wanted->share = kernel_share(session);
    for (; browser; browser = browser->next) {
        wanted->browser = browser->key;
        put_entry(hub, wanted);
    }
}

void push_queue_tell(struct hub *hub, struct session *session, const char *room_id,
                     const char *text, size_t len)
{
    struct push_entry wanted = {.due_ms = kernel_now_ms(hub)};
    if (!kernel_env(hub)->push || !notify_of_session(hub, session)->browsers)
        return;
    wanted.text = push_text_create(text, len);
    if (!wanted.text) {
        notify_of(hub)->lost++;
        return;
    }
    memcpy(wanted.room_id, room_id, sizeof wanted.room_id);
    put_all(hub, session, &wanted);
    push_text_unref(wanted.text);
    find_due(hub);
}

/* ---- turns of the rooms that are here */

static void tell_turn(struct hub *hub, struct hub_room *hub_room, uint8_t seat)
{
    struct session *session;
    struct push_entry wanted = {.seat = seat,
                                .due_ms = kernel_now_ms(hub) + kernel_config(hub)->push_after_ms};
    const uint64_t owner = kernel_seat_owner(hub_room, seat, &session);
    if (kernel_is_elsewhere(hub, owner)) {
        kernel_tell_home(hub, hub_room, seat, wanted.due_ms); /* which has its browsers */
    } else if (session) {
        memcpy(wanted.room_id, room_id(kernel_room(hub_room)), sizeof wanted.room_id);
        put_all(hub, session, &wanted);
    }
}

void push_queue_follow(struct hub *hub, struct hub_room *hub_room, bool restored)
{
    if (!kernel_env(hub)->push || !kernel_room_is_durable(hub_room))
        return;
    struct notify_room *known = notify_of_room(hub, hub_room);
    const struct room *room = kernel_room(hub_room);
    const uint32_t turn = room_waits_for(room);
    const uint32_t begun = turn & ~known->turn;
    known->turn = turn;
    if (!begun || restored || room_move_s(room) < kernel_config(hub)->push_slow_s)
        return;
    for (unsigned seat = 0; seat < room_seats(room); seat++) {
        if (begun >> seat & 1)
            tell_turn(hub, hub_room, (uint8_t)seat);
    }
    find_due(hub);
}

int64_t push_queue_deadline_ms(const struct hub *hub)
{
    const struct push_queue *queue = &notify_of(hub)->queue;
    return queue->out < (size_t)kernel_config(hub)->push_at_once ? queue->due_ms : INT64_MAX;
}

void push_queue_init(struct hub *hub)
{
    notify_of(hub)->queue.due_ms = INT64_MAX;
}

void push_queue_release(struct hub *hub)
{
    struct push_queue *queue = &notify_of(hub)->queue;
    for (size_t i = 0; i < queue->count; i++)
        push_text_unref(queue->entries[i].text);
    free(queue->entries);
}

/* ---- what is due */

/* Is it still its turn there, and does it not watch? */
static bool is_still(const struct hub *hub, uint64_t id, const struct hub_room *hub_room,
                     uint8_t seat)
{
    struct session *session;
    return room_phase(kernel_room(hub_room)) != PROTOCOL_PHASE_OVER &&
           kernel_seat_owner(hub_room, seat, &session) == id &&
           notify_of_room(hub, hub_room)->turn >> seat & 1 &&
           !(session && kernel_session_watches(session, hub_room));
}

/*
 * The browser, if it is still to be told: NULL otherwise. Of a room in another part that was known
 * there when the message came from it.
 */
static const struct browser *wanted_by(const struct hub *hub, const struct push_entry *entry)
{
    const struct session *session = kernel_session_find(hub, entry->session);
    const struct hub_room *hub_room = kernel_room_find(hub, entry->room_id);
    if (!session)
        return NULL;
    if (!entry->text && (!hub_room || !is_still(hub, entry->session, hub_room, entry->seat)))
        return NULL;
    return browser_find(notify_of_session(hub, session)->browsers, entry->browser);
}

/* Of the others at the table, as many as the text has room for. */
static void write_names(const struct room *room, uint8_t own_seat, struct writer *writer)
{
    unsigned count = 0;
    writer_key_array(writer, "names");
    for (uint8_t seat = 0; seat < room_seats(room) && count < NAMES_MAX; seat++) {
        const char *name = seat == own_seat ? "" : room_seat_name(room, seat);
        if (!name[0])
            continue;
        writer_string(writer, name);
        count++;
    }
    writer_end(writer);
}

/* What is said of that turn, HUB_PUSH_TEXT_MAX bytes at most. False: out of memory. */
static bool write_turn(const struct room *room, uint8_t seat, char *text, size_t *len)
{
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, HUB_PUSH_TEXT_MAX);
    writer_init(&writer, &buffer);
    writer_object(&writer);
    writer_key_string(&writer, "kind", "turn");
    writer_key_string(&writer, "room", room_id(room));
    writer_key_string(&writer, "game", room_game(room));
    if (room_title(room)[0])
        writer_key_string(&writer, "title", room_title(room));
    writer_key_int(&writer, "seat", seat);
    write_names(room, seat, &writer);
    writer_end(&writer);
    const bool written = !buffer.failed;
    if (written) {
        *len = buffer.len;
        memcpy(text, buffer_payload(&buffer), buffer.len);
    }
    buffer_release(&buffer);
    return written;
}

bool push_queue_write_turn(struct hub *hub, const struct hub_room *hub_room, uint8_t seat,
                           char *text, size_t *len)
{
    struct session *session;
    const uint64_t owner = kernel_seat_owner(hub_room, seat, &session);
    if (is_still(hub, owner, hub_room, seat) && write_turn(kernel_room(hub_room), seat, text, len))
        return true;
    notify_of(hub)->needless++;
    return false;
}

static bool write_text(const struct hub *hub, const struct push_entry *entry,
                       struct hub_push_job *job)
{
    if (!entry->text)
        return write_turn(kernel_room(kernel_room_find(hub, entry->room_id)), entry->seat,
                          job->text, &job->text_len);
    job->text_len = entry->text->len;
    memcpy(job->text, entry->text->bytes, job->text_len);
    return true;
}

static bool fill_in(const struct hub *hub, const struct push_entry *entry,
                    const struct browser *browser, struct hub_push_job *job)
{
    job->ticket = notify_of(hub)->queue.tickets + 1;
    snprintf(job->endpoint, sizeof job->endpoint, "%s", browser->endpoint);
    memcpy(job->point, browser->point, sizeof job->point);
    memcpy(job->auth, browser->auth, sizeof job->auth);
    memcpy(job->topic, entry->room_id, sizeof job->topic);
    return write_text(hub, entry, job);
}

/* False: there is nothing to send, and it is removed. */
static bool take_entry(struct hub *hub, size_t at, struct hub_push_job *job)
{
    struct push_queue *queue = &notify_of(hub)->queue;
    struct push_entry *entry = &queue->entries[at];
    const struct browser *browser = wanted_by(hub, entry);
    if (!browser || !fill_in(hub, entry, browser, job)) {
        notify_of(hub)->needless++;
        remove_entry(hub, at);
        return false;
    }
    entry->ticket = ++queue->tickets;
    entry->tries++;
    set_out(hub, entry, true);
    return true;
}

bool push_queue_take(struct hub *hub, struct hub_push_job *job)
{
    struct push_queue *queue = &notify_of(hub)->queue;
    bool taken = false;
    if (push_queue_deadline_ms(hub) > kernel_now_ms(hub))
        return false;
    for (size_t i = 0;
         !taken && push_queue_deadline_ms(hub) <= kernel_now_ms(hub) && i < queue->count;) {
        const struct push_entry *entry = &queue->entries[i];
        if (!may_go_out(hub, entry) || entry->due_ms > kernel_now_ms(hub))
            i++;
        else
            taken = take_entry(hub, i, job);
    }
    find_due(hub);
    return taken;
}

/* ---- what has become of it */

/* No reply waits for it: if it cannot be stored now, the next message finds it gone again. */
static void forget_browser(struct hub *hub, const struct push_entry *entry)
{
    struct session *session = kernel_session_find(hub, entry->session);
    if (!session || !kernel_session_is_durable(session) || kernel_session_is_changing(session) ||
        !browser_find(notify_of_session(hub, session)->browsers, entry->browser) ||
        kernel_may_store(hub, 1) != PROTOCOL_OK || kernel_reserve(hub, 1, 0) < 0)
        return;
    struct browser_change *change = browser_change_create(NULL);
    if (!change)
        return;
    browser_change_drop(change, entry->browser);
    browser_change_store(hub, entry->session, change);
    kernel_change_session(hub, session, &change->change);
}

static int64_t retry_ms(const struct push_entry *entry, int64_t retry_after_ms)
{
    int64_t pause_ms = RETRY_MIN_MS;
    for (unsigned i = 1; i < entry->tries; i++)
        pause_ms *= 4;
    if (pause_ms < retry_after_ms)
        pause_ms = retry_after_ms;
    return pause_ms < RETRY_MAX_MS ? pause_ms : RETRY_MAX_MS;
}

static size_t place_of(const struct push_queue *queue, uint64_t ticket)
{
    size_t at = 0;
    while (at < queue->count && !(queue->entries[at].out && queue->entries[at].ticket == ticket))
        at++;
    assert(at < queue->count);
    return at;
}

void push_queue_done(struct hub *hub, uint64_t ticket, int outcome, int64_t retry_after_ms)
{
    struct push_queue *queue = &notify_of(hub)->queue;
    const size_t at = place_of(queue, ticket);
    struct push_entry *entry = &queue->entries[at];
    notify_of(hub)->outcomes[outcome]++;
    set_out(hub, entry, false);
    if (outcome == HUB_PUSH_GONE)
        forget_browser(hub, entry);
    if (outcome == HUB_PUSH_LATER && entry->tries < TRIES_MAX)
        entry->due_ms = kernel_now_ms(hub) + retry_ms(entry, retry_after_ms);
    else
        remove_entry(hub, at);
    find_due(hub);
}
