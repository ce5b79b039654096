#include <hub/note.h>

#include "changes/change.h"
#include "feature_table.h"
#include "hub_private.h"
#include "mail.h"
#include "rooms/entry.h"
#include "rooms/hub_room.h"
#include "sessions/session.h"
#include "waiting/batch.h"
#include "waiting/note_queue.h"
#include <assert.h>
#include <protocol/encoding.h>
#include <stdlib.h>
#include <string.h>

/* ---- out */

/* False: there is nothing to tell, as the turn is over or its owner watches. */
static bool write_turn(struct hub *hub, const struct note_entry *entry, struct hub_note *note)
{
    struct hub_room *hub_room = hub_room_find(hub, entry->room_id);
    if (!hub_room || hub_room->links[entry->seat].told_ms != entry->due_ms)
        return false; /* another turn has taken its place */
    hub_room->links[entry->seat].told_ms = 0;
    if (!hub->features.poster->write_turn(hub, hub_room, entry->seat, note->text, &note->text_len))
        return false;
    note->kind = HUB_NOTE_MESSAGE;
    memcpy(note->room_id, hub_room->id, sizeof note->room_id);
    return true;
}

static void write_word(struct note_entry *entry, struct hub_note *note)
{
    assert(entry->word_len <= sizeof note->text);
    note->kind = HUB_NOTE_WORD;
    note->text_len = entry->word_len;
    memcpy(note->text, entry->word, entry->word_len);
    free(entry->word);
}

bool hub_note_take(struct hub *hub, struct hub_note *note, int64_t now_ms)
{
    struct note_entry entry;
    entry_begin(hub, now_ms);
    while (note_queue_pop(hub, &entry)) {
        note->session = entry.session;
        note->kind = entry.letter ? HUB_NOTE_LETTER : HUB_NOTE_PLAYER;
        note->room_id[0] = '\0';
        note->text_len = 0;
        if (entry.word)
            write_word(&entry, note);
        if (!entry.room_id[0] || write_turn(hub, &entry, note))
            return true;
    }
    return false;
}

/* ---- in */

/*
 * It was seen after it was made, and so is a player after a restart too. No reply waits for it: if
 * it cannot be stored now, its next hello stores it.
 */
static void store_player(struct hub *hub, struct session *session)
{
    struct store_session row;
    if (session->seen_ms > session->created_ms || session->state != SESSION_STORED ||
        change_allowed(hub, 1) != PROTOCOL_OK || batch_reserve(hub->commit.filling, 1, 0, 0, 0) < 0)
        return;
    session->seen_ms = hub->now_ms > session->created_ms ? hub->now_ms : session->created_ms + 1;
    session_row(session, NULL, &row);
    batch_put_session(hub->commit.filling, &row);
}

static void take_message(struct hub *hub, struct session *session, const struct hub_note *note)
{
    const bool has_end = memchr(note->room_id, 0, sizeof note->room_id) != NULL;
    const struct feature_poster *poster = hub->features.poster;
    if (poster && has_end && room_id_valid(note->room_id, strlen(note->room_id)) &&
        note->text_len > 0 && note->text_len <= sizeof note->text)
        poster->tell(hub, session, note->room_id, note->text, note->text_len);
}

static void hear_word(struct hub *hub, const struct hub_note *note)
{
    const struct feature *hearer = hub->features.hearer;
    if (hearer && note->text_len > 0 && note->text_len <= sizeof note->text)
        hearer->hear(hub, note->text, note->text_len);
}

static void tell_session(struct hub *hub, struct session *session, const struct hub_note *note)
{
    switch (note->kind) {
    case HUB_NOTE_PLAYER:
        session_keep(hub, session);
        store_player(hub, session);
        break;
    case HUB_NOTE_MESSAGE:
        take_message(hub, session, note);
        break;
    case HUB_NOTE_LETTER: /* these need not be a session's */
    case HUB_NOTE_WORD:
        break;
    }
}

void hub_note(struct hub *hub, const struct hub_note *note, int64_t now_ms)
{
    entry_begin(hub, now_ms);
    struct session *session = session_find(hub, note->session);
    if (note->kind == HUB_NOTE_LETTER)
        mail_wake(hub);
    if (note->kind == HUB_NOTE_WORD)
        hear_word(hub, note);
    if (session && session->state != SESSION_FOREIGN && !session_is_gone(session))
        tell_session(hub, session, note);
    entry_end(hub);
}
