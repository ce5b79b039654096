/*
 * The line that a person types, with editing, history and completion, on a libuv loop.
 *
 * libedit edits; it is handed one whole key at a time, so that it never waits for the rest of one
 * and the loop is never blocked. The terminal is in raw mode from create to destroy.
 */
#ifndef CLI_PROMPT_H
#define CLI_PROMPT_H

#include "key.h"
#include <stdbool.h>
#include <uv.h>

struct prompt;

enum { PROMPT_TEXT = 256 }; /* bytes of the text before the line */

struct prompt_events {
    void (*line)(void *user, const char *line);
    void (*end)(void *user); /* the terminal is gone */
    /* KEY_PAN_... or KEY_REDRAW, whatever the line has; KEY_END where it is empty. */
    void (*key)(void *user, enum key_kind key);
    /*
     * Any other key, the mouse included, while the line is empty and nothing is being pasted; and
     * KEY_PASTE_BEGIN. True if it is used up, else it edits the line as ever. With text in the line
     * the arrows are history and cursor, and the mouse does nothing.
     */
    bool (*press)(void *user, const struct key *key);
    /*
     * Tab. `text` is the line up to the cursor. Writes what to insert there, or "", to `insert`;
     * shows the choices if there are several.
     */
    void (*complete)(void *user, const char *text, char *insert, size_t size);
};

/* NULL if it is no terminal, or memory ran out. */
struct prompt *prompt_create(uv_loop_t *loop, const struct prompt_events *events, void *user);
void prompt_destroy(struct prompt *prompt);

/* The text before the line; shown at the next prompt_show. */
void prompt_text(struct prompt *prompt, const char *text);

/* Takes the line off the screen, the cursor where it began; and draws it at the cursor again. */
void prompt_hide(struct prompt *prompt);
void prompt_show(struct prompt *prompt);

/* Gives the terminal back as it was, what is typed is kept; and takes it again. */
void prompt_suspend(struct prompt *prompt);
void prompt_resume(struct prompt *prompt);

/* Drops the line that is being typed. False if it is empty. */
bool prompt_clear(struct prompt *prompt);

/* Forgets the lines that were typed before. */
void prompt_forget(struct prompt *prompt);

/* The terminal has another size. */
void prompt_resize(struct prompt *prompt);

#endif
