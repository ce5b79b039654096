/*
 * What the bytes of a terminal mean: arrows, the mouse (SGR reports, mode 1006), pasted text. Knows
 * bytes alone; reads nothing and keeps nothing.
 */
#ifndef CLI_KEY_H
#define CLI_KEY_H

#include <stdbool.h>
#include <stddef.h>

enum key_kind {
    KEY_TEXT, /* a character, or a key that edits the line; `letter` if it is one of ASCII */
    KEY_UP,
    KEY_DOWN,
    KEY_LEFT,
    KEY_RIGHT,
    KEY_PAN_UP, /* an arrow with Shift, Control or Alt */
    KEY_PAN_DOWN,
    KEY_PAN_LEFT,
    KEY_PAN_RIGHT,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_ENTER,
    KEY_TAB,
    KEY_BACK_TAB, /* Shift with Tab */
    KEY_ESCAPE,   /* alone: only who waits for more bytes can tell; never from key_read */
    KEY_END,      /* Control-D */
    KEY_REDRAW,   /* Control-L */
    KEY_MOUSE,
    KEY_PASTE_BEGIN, /* what follows up to the end is pasted, not typed */
    KEY_PASTE_END,
    KEY_UNKNOWN, /* a whole sequence that is none of these and edits nothing */
};

enum mouse_kind {
    MOUSE_LEFT, /* pressed */
    MOUSE_RIGHT,
    MOUSE_WHEEL_UP,
    MOUSE_WHEEL_DOWN,
    MOUSE_OTHER, /* let go, moved, another button */
};

struct mouse {
    enum mouse_kind kind;
    int x, y; /* (0, 0) is the upper left corner of the terminal */
};

struct key {
    enum key_kind kind;
    char letter;        /* of KEY_TEXT, '\0' if it is no character of ASCII */
    struct mouse mouse; /* of KEY_MOUSE */
};

enum { KEY_BYTES = 32 }; /* no key is longer */

/* The first key of the bytes. Returns how many it has, 0 if it is not complete yet. */
size_t key_read(struct key *key, const unsigned char *bytes, size_t count);

#endif
