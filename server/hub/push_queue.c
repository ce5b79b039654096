#include "push_queue.h"

#include "batch.h"
#include "blob.h"
#include "browser.h"
#include "change.h"
#include "entry.h"
#include "hub_private.h"
#include "hub_room.h"
#include "note_queue.h"
#include "session.h"
#include "subscription.h"
#include <assert.h>
#include <protocol/json_writer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES_MAX = 5, RETRY_MIN_MS = 30000, RETRY_MAX_MS = 3600000, NAMES_MAX = 5 };

/* ---- the shares of addresses */

/* So nobody's messages, to a service that answers slowly or never, hold up those to all others. */
static bool may_go_out(const struct hub *hub, const struct push_entry *entry)
{
    return !entry->out && (entry->share == 0 ||
                           hub->shares.sending[entry->share] < (hub->config.push_at_once + 1) / 2);
}

static bool may_wait(const struct hub *hub, const struct push_entry *entry)
{
    return entry->share == 0 || hub->shares.pushes[entry->share] < hub->config.push_per_address;
}

static void set_out(struct hub *hub, struct push_entry *entry, bool out)
{
    entry->out = out;
    if (out) {
        hub->pushes.out++;
        hub->shares.sending[entry->share]++;
    } else {
        hub->pushes.out--;
        hub->shares.sending[entry->share]--;
    }
}

/* ---- the queue */

static void find_due(struct hub *hub)
{
    struct push_queue *queue = &hub->pushes;
    queue->due_ms = INT64_MAX;
    for (size_t i = 0; i < queue->count; i++) {
        const struct push_entry *entry = &queue->entries[i];
        if (may_go_out(hub, entry) && entry->due_ms < queue->due_ms)
            queue->due_ms = entry->due_ms;
    }
}

static void remove_entry(struct hub *hub, size_t at)
{
    struct push_queue *queue = &hub->pushes;
    hub->shares.pushes[queue->entries[at].share]--;
    blob_unref(queue->entries[at].text);
    queue->entries[at] = queue->entries[--queue->count];
}

static bool grow(struct push_queue *queue, size_t max)
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

/* A later turn takes the place of an earlier one of which the browser has not been told. Takes a
 * reference of its own to the text. */
static void put(struct hub *hub, const struct push_entry *wanted)
{
    struct push_queue *queue = &hub->pushes;
    for (size_t i = 0; i < queue->count; i++) {
        struct push_entry *entry = &queue->entries[i];
        if (!entry->out && entry->browser == wanted->browser && entry->session == wanted->session &&
            strcmp(entry->room_id, wanted->room_id) == 0) {
            const uint16_t share = entry->share;
            blob_unref(entry->text);
            *entry = *wanted;
            entry->share = share;
            entry->text = wanted->text ? blob_ref(wanted->text) : NULL;
            return;
        }
    }
    if (!may_wait(hub, wanted) || !grow(queue, (size_t)hub->config.push_queue)) {
        hub->metrics.pushes_lost++;
        return;
    }
    if (wanted->text)
        blob_ref(wanted->text);
    queue->entries[queue->count++] = *wanted;
    hub->shares.pushes[wanted->share]++;
}

static void put_all(struct hub *hub, const struct session *session, struct push_entry *wanted)
{
    wanted->session = session->id;
    wanted->share = session->share;
    for (const struct browser *browser = session->browsers; browser; browser = browser->next) {
        wanted->browser = browser->key;
        put(hub, wanted);
    }
}

void push_queue_tell(struct hub *hub, const struct session *session, const char room_id[static 9],
                     const char *text, size_t len)
{
    struct push_entry wanted = {.due_ms = hub->now_ms};
    if (!hub->env.push || !session->browsers)
        return;
    wanted.text = blob_copy(text, len);
    if (!wanted.text) {
        hub->metrics.pushes_lost++;
        return;
    }
    memcpy(wanted.room_id, room_id, sizeof wanted.room_id);
    put_all(hub, session, &wanted);
    blob_unref(wanted.text);
    find_due(hub);
}

/* ---- turns of the rooms that are here */

/* The home of the session has its browsers. */
static void tell_home(struct hub *hub, struct hub_room *hub_room, uint8_t seat)
{
    struct seat_link *link = &hub_room->links[seat];
    struct note_entry turn = {.session = link->session_id,
                              .due_ms = hub->now_ms + hub->config.push_after_ms,
                              .seat = seat,
                              .share = link->session ? link->session->share : 0};
    memcpy(turn.room_id, hub_room->id, sizeof turn.room_id);
    link->told_ms = note_queue_turn(hub, &turn) ? turn.due_ms : 0;
}

static void tell(struct hub *hub, struct hub_room *hub_room, uint8_t seat)
{
    const struct session *session = hub_room->links[seat].session;
    struct push_entry wanted = {.seat = seat, .due_ms = hub->now_ms + hub->config.push_after_ms};
    if (session_is_elsewhere(hub, hub_room->links[seat].session_id)) {
        tell_home(hub, hub_room, seat);
    } else if (session) {
        memcpy(wanted.room_id, hub_room->id, sizeof wanted.room_id);
        put_all(hub, session, &wanted);
    }
}

void push_queue_follow(struct hub *hub, struct hub_room *hub_room, bool wanted)
{
    if (!hub->env.push || hub_room_is_dirty(hub_room))
        return;
    const uint32_t turn = room_waits_for(hub_room->room);
    const uint32_t begun = turn & ~hub_room->turn;
    hub_room->turn = turn;
    if (!begun || !wanted || room_move_s(hub_room->room) < hub->config.push_slow_s)
        return;
    for (uint8_t seat = 0; seat < hub_room->seats; seat++) {
        if (begun >> seat & 1)
            tell(hub, hub_room, seat);
    }
    find_due(hub);
}

int64_t push_queue_deadline_ms(const struct hub *hub)
{
    return hub->pushes.out < (size_t)hub->config.push_at_once ? hub->pushes.due_ms : INT64_MAX;
}

void push_queue_release(struct hub *hub)
{
    for (size_t i = 0; i < hub->pushes.count; i++)
        blob_unref(hub->pushes.entries[i].text);
    free(hub->pushes.entries);
    hub->pushes = (struct push_queue){.due_ms = INT64_MAX};
}

/* ---- what is due */

static bool watches(const struct session *session, const struct hub_room *hub_room)
{
    for (const struct conn *conn = session->conns; conn; conn = conn->session_next) {
        if (subscription_find(conn, hub_room))
            return true;
    }
    return false;
}

bool push_queue_still(const struct hub *hub, uint64_t id, const struct hub_room *hub_room,
                      uint8_t seat)
{
    const struct session *session = session_find(hub, id);
    return room_phase(hub_room->room) != PROTOCOL_PHASE_OVER &&
           hub_room->links[seat].session_id == id && hub_room->turn >> seat & 1 &&
           !(session && watches(session, hub_room));
}

/*
 * The browser, if it is still to be told: NULL otherwise. Of a room in another part that was known
 * there when the message came from it.
 */
static const struct browser *wanted_by(const struct hub *hub, const struct push_entry *entry)
{
    const struct session *session = session_find(hub, entry->session);
    const struct hub_room *hub_room = hub_room_find(hub, entry->room_id);
    if (!session || session_is_gone(session))
        return NULL;
    if (!entry->text &&
        (!hub_room || !push_queue_still(hub, entry->session, hub_room, entry->seat)))
        return NULL;
    return browser_find(session->browsers, entry->browser);
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

bool push_queue_write(const struct hub_room *hub_room, uint8_t seat, char *text, size_t *len)
{
    const struct room *room = hub_room->room;
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, HUB_PUSH_TEXT_MAX);
    writer_init(&writer, &buffer);
    writer_object(&writer);
    writer_key_string(&writer, "kind", "turn");
    writer_key_string(&writer, "room", hub_room->id);
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

static bool write_text(const struct hub *hub, const struct push_entry *entry,
                       struct hub_push_job *job)
{
    if (!entry->text)
        return push_queue_write(hub_room_find(hub, entry->room_id), entry->seat, job->text,
                                &job->text_len);
    job->text_len = entry->text->len;
    memcpy(job->text, blob_bytes(entry->text), job->text_len);
    return true;
}

static bool fill_in(const struct hub *hub, const struct push_entry *entry,
                    const struct browser *browser, struct hub_push_job *job)
{
    job->ticket = hub->pushes.tickets + 1;
    snprintf(job->endpoint, sizeof job->endpoint, "%s", browser->endpoint);
    memcpy(job->point, browser->point, sizeof job->point);
    memcpy(job->auth, browser->auth, sizeof job->auth);
    memcpy(job->topic, entry->room_id, sizeof job->topic);
    return write_text(hub, entry, job);
}

/* False: there is nothing to send, and it is removed. */
static bool take(struct hub *hub, size_t at, struct hub_push_job *job)
{
    struct push_queue *queue = &hub->pushes;
    struct push_entry *entry = &queue->entries[at];
    const struct browser *browser = wanted_by(hub, entry);
    if (!browser || !fill_in(hub, entry, browser, job)) {
        hub->metrics.pushes_needless++;
        remove_entry(hub, at);
        return false;
    }
    entry->ticket = ++queue->tickets;
    entry->tries++;
    set_out(hub, entry, true);
    return true;
}

bool hub_push_take(struct hub *hub, struct hub_push_job *job, int64_t now_ms)
{
    struct push_queue *queue = &hub->pushes;
    bool taken = false;
    entry_begin(hub, now_ms);
    if (push_queue_deadline_ms(hub) > hub->now_ms)
        return false;
    for (size_t i = 0; !taken && push_queue_deadline_ms(hub) <= hub->now_ms && i < queue->count;) {
        const struct push_entry *entry = &queue->entries[i];
        if (!may_go_out(hub, entry) || entry->due_ms > hub->now_ms)
            i++;
        else
            taken = take(hub, i, job);
    }
    find_due(hub);
    return taken;
}

/* ---- what has become of it */

/* No reply waits for it: if it cannot be stored now, the next message finds it gone again. */
static void forget_browser(struct hub *hub, const struct push_entry *entry)
{
    struct session *session = session_find(hub, entry->session);
    struct batch *batch = hub->commit.filling;
    if (!session || session->state != SESSION_STORED || session->changing ||
        !browser_find(session->browsers, entry->browser) || change_allowed(hub, 1) != PROTOCOL_OK ||
        batch_reserve(batch, 1, 1, 0, 0) < 0)
        return;
    struct browser_change *change = browser_change_create(NULL);
    if (!change)
        return;
    browser_change_drop(change, entry->browser);
    browser_change_store(hub, session->id, change);
    session->changing = true;
    batch_defer(batch, &(struct pending){.kind = PENDING_BROWSERS,
                                         .op = REQUEST_OPS,
                                         .session = session->id,
                                         .u.browsers = change});
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

void hub_push_done(struct hub *hub, uint64_t ticket, enum hub_push_outcome outcome,
                   int64_t retry_after_ms, int64_t now_ms)
{
    struct push_queue *queue = &hub->pushes;
    entry_begin(hub, now_ms);
    const size_t at = place_of(queue, ticket);
    struct push_entry *entry = &queue->entries[at];
    hub->metrics.pushes[outcome]++;
    set_out(hub, entry, false);
    if (outcome == HUB_PUSH_GONE)
        forget_browser(hub, entry);
    if (outcome == HUB_PUSH_LATER && entry->tries < TRIES_MAX)
        entry->due_ms = hub->now_ms + retry_ms(entry, retry_after_ms);
    else
        remove_entry(hub, at);
    find_due(hub);
    entry_end(hub);
}
