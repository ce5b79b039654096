/*
 * What a part of the site tells the home of a foreign session (hub/part.h):
 *
 *     the part of the room: hub_note_take --> carried by the caller --> the session's home:
 * hub_note
 *
 * - that it has become a player: it has got a seat there, or hosts a room. Its home keeps it longer
 *   than a visitor from now on.
 * - that its browsers are to be told, of its turn for example. The part of the room decides whether
 *   and when, by the rules of hub/push.h, and writes the message; the home has the browsers.
 *
 * - that there are letters for it (hub/letter.h), or for another number that falls to its home.
 *   They are looked for in any case; so the letters come sooner.
 *
 * - what a feature asks of it, or answers (kernel_send_note): who is there, say.
 *
 * The home does what it would have done for a room of its own. News may be lost on the way: it is
 * not said again, but for the first kind, which is said each time that the session comes to the
 * part anew and gets a seat, and when the part is started again. Twice is as once. What a home is
 * told of a session that it does not have, or in a wrong form, has no effect.
 *
 * What waits is bounded by config.note_queue, each kind by itself.
 */
#ifndef HUB_NOTE_H
#define HUB_NOTE_H

#include <hub/push.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;

enum hub_note_kind { HUB_NOTE_PLAYER, HUB_NOTE_MESSAGE, HUB_NOTE_LETTER, HUB_NOTE_WORD };

struct hub_note {
    enum hub_note_kind kind;
    uint64_t session; /* part_of_session says which hub is to be told */
    /* Of HUB_NOTE_MESSAGE: */
    char room_id[9]; /* a later message of that room takes the place of this one */
    /* Of that, as of a hub_push_job; and of HUB_NOTE_WORD: */
    char text[HUB_PUSH_TEXT_MAX];
    size_t text_len;
};

/* The next one; false: none is due. */
bool hub_note_take(struct hub *hub, struct hub_note *note, int64_t now_ms);
/* To the home of note->session. */
void hub_note(struct hub *hub, const struct hub_note *note, int64_t now_ms);

#endif
