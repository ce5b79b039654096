#include "prompt.h"

#include "input.h"
#include <cli/glyph.h>
#include <errno.h>
#include <histedit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

enum {
    BYTES_MAX = 4096,
    PASTE_MAX = 240, /* bytes of a line that pasting fills; more is dropped */
    ESCAPE_MS = 60,  /* a lone Escape is a key of its own after so long */
    HISTORY_LINES = 200,
    ESC = 0x1b,
};

struct prompt {
    EditLine *edit;
    History *history;
    uv_poll_t poll;
    uv_timer_t escape;
    int open_handles;
    struct prompt_events events;
    void *user;
    char text[PROMPT_TEXT];
    unsigned char bytes[BYTES_MAX]; /* typed, not yet handled */
    size_t count, next;             /* `next`: libedit has read so far, of the key it was given */
    size_t key_end;
    bool shown;
    bool in_line; /* a finished line is being handled: there is none to draw */
    bool pasting; /* what comes now is text, whatever it looks like */
    bool has_gap; /* of what is pasted: a blank is due before the next character */
};

/* ---- keys */

/* libedit asks for the bytes of the key, one character at a time; there is never less than one. */
static int next_character(EditLine *edit, wchar_t *out)
{
    struct prompt *prompt;
    mbstate_t state = {0};
    el_get(edit, EL_CLIENTDATA, &prompt);
    if (prompt->next >= prompt->key_end)
        return 0;
    const char *at = (const char *)prompt->bytes + prompt->next;
    size_t len = mbrtowc(out, at, prompt->key_end - prompt->next, &state);
    if (len == (size_t)-1 || len == (size_t)-2 || len == 0) {
        *out = L'?';
        len = 1;
    }
    prompt->next += len;
    return 1;
}

/* ---- lines */

static bool line_is_empty(struct prompt *prompt)
{
    const LineInfo *line = el_line(prompt->edit);
    return line->buffer == line->lastchar;
}

/* A finished line: the editor starts anew before it is handed out, so that it may print. */
static void finish_line(struct prompt *prompt, const char *typed, int len)
{
    char line[BYTES_MAX];
    HistEvent event;
    if (len >= (int)sizeof line)
        len = (int)sizeof line - 1;
    memcpy(line, typed, (size_t)len);
    line[len] = '\0';
    line[strcspn(line, "\r\n")] = '\0';
    if (*line)
        history(prompt->history, &event, H_ENTER, line);
    el_set(prompt->edit, EL_UNBUFFERED, 0);
    prompt->shown = false;
    prompt->in_line = true;
    prompt->events.line(prompt->user, line);
    prompt->in_line = false;
    el_set(prompt->edit, EL_UNBUFFERED, 1);
    prompt->shown = true;
}

static void edit_key(struct prompt *prompt)
{
    int count = 0;
    const char *typed = el_gets(prompt->edit, &count);
    if (count > 0 && typed[count - 1] == '\n')
        finish_line(prompt, typed, count);
}

static void complete_word(struct prompt *prompt)
{
    char text[BYTES_MAX], insert[256] = "";
    const LineInfo *line = el_line(prompt->edit);
    size_t len = (size_t)(line->cursor - line->buffer);
    if (len >= sizeof text)
        return;
    memcpy(text, line->buffer, len);
    text[len] = '\0';
    prompt->events.complete(prompt->user, text, insert, sizeof insert);
    if (*insert)
        el_insertstr(prompt->edit, insert);
    prompt_hide(prompt);
    prompt_show(prompt);
}

/* Is the key of use to the owner? It is shown to who edits nothing yet. */
static bool is_pressed(struct prompt *prompt, const struct key *key)
{
    return !prompt->pasting && line_is_empty(prompt) && prompt->events.press(prompt->user, key);
}

static void mark_paste(struct prompt *prompt, bool begins)
{
    const struct key key = {.kind = KEY_PASTE_BEGIN};
    if (begins)
        (void)prompt->events.press(prompt->user, &key);
    prompt->pasting = begins;
    prompt->has_gap = false;
}

/* A printable character, neither a control character nor a key with Alt. */
static bool is_printable(const struct prompt *prompt, const struct key *key)
{
    const unsigned char first = prompt->bytes[0];
    const bool is_control = first < ' ' || first == 0x7f ||
                            (first == 0xc2 && prompt->key_end > 1 && prompt->bytes[1] < 0xa0);
    return key->kind == KEY_TEXT && !is_control;
}

/*
 * What is pasted only fills the line, so that nothing of it is run before Enter is pressed. The end
 * of a line, and any other control character, becomes a blank.
 */
static void paste_key(struct prompt *prompt, const struct key *key)
{
    const LineInfo *line = el_line(prompt->edit);
    if (line->lastchar - line->buffer >= PASTE_MAX)
        return;
    if (!is_printable(prompt, key)) {
        prompt->has_gap = true;
        return;
    }
    if (prompt->has_gap && !line_is_empty(prompt)) {
        el_insertstr(prompt->edit, " ");
        el_set(prompt->edit, EL_REFRESH);
    }
    prompt->has_gap = false;
    edit_key(prompt);
}

static void press_tab(struct prompt *prompt, const struct key *key)
{
    if (!is_pressed(prompt, key))
        complete_word(prompt);
}

static void type_key(struct prompt *prompt, const struct key *key)
{
    switch (key->kind) {
    case KEY_END:
        if (line_is_empty(prompt))
            prompt->events.key(prompt->user, KEY_END);
        else
            edit_key(prompt);
        break;
    case KEY_REDRAW:
    case KEY_PAN_UP:
    case KEY_PAN_DOWN:
    case KEY_PAN_LEFT:
    case KEY_PAN_RIGHT:
        prompt->events.key(prompt->user, key->kind);
        break;
    case KEY_TAB:
        press_tab(prompt, key);
        break;
    case KEY_PASTE_BEGIN:
    case KEY_PASTE_END:
        mark_paste(prompt, key->kind == KEY_PASTE_BEGIN);
        break;
    case KEY_MOUSE:
    case KEY_PAGE_UP:
    case KEY_PAGE_DOWN:
        (void)is_pressed(prompt, key);
        break;
    case KEY_UNKNOWN:
        break;
    case KEY_TEXT:
    case KEY_UP:
    case KEY_DOWN:
    case KEY_LEFT:
    case KEY_RIGHT:
    case KEY_ENTER:
    case KEY_BACK_TAB:
    case KEY_ESCAPE:
        if (!is_pressed(prompt, key))
            edit_key(prompt);
        break;
    }
}

static void handle_key(struct prompt *prompt, const struct key *key, size_t len)
{
    prompt->key_end = len;
    prompt->next = 0;
    if (prompt->pasting && key->kind != KEY_PASTE_END)
        paste_key(prompt, key);
    else
        type_key(prompt, key);
    prompt->count -= len;
    memmove(prompt->bytes, prompt->bytes + len, prompt->count);
}

/* Escape alone is a key; an incomplete one is ignored. */
static void on_escape(uv_timer_t *timer)
{
    struct prompt *prompt = timer->data;
    const struct key key = {.kind = KEY_ESCAPE};
    if (prompt->count == 1 && prompt->bytes[0] == ESC)
        (void)is_pressed(prompt, &key);
    prompt->count = 0;
}

static void handle_keys(struct prompt *prompt)
{
    struct key key;
    size_t len;
    uv_timer_stop(&prompt->escape);
    while ((len = key_read(&key, prompt->bytes, prompt->count)) > 0)
        handle_key(prompt, &key, len);
    if (prompt->count > 0)
        uv_timer_start(&prompt->escape, on_escape, ESCAPE_MS, 0);
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
    struct prompt *prompt = poll->data;
    (void)events;
    ssize_t len = -1;
    if (status == 0)
        len = read(STDIN_FILENO, prompt->bytes + prompt->count, BYTES_MAX - prompt->count);
    if (len < 0 && (errno == EINTR || errno == EAGAIN) && status == 0)
        return;
    if (len <= 0) {
        uv_poll_stop(&prompt->poll);
        prompt->events.end(prompt->user);
        return;
    }
    prompt->count += (size_t)len;
    handle_keys(prompt);
}

/* ---- the screen */

static char *prompt_of(EditLine *edit)
{
    struct prompt *prompt;
    el_get(edit, EL_CLIENTDATA, &prompt);
    return prompt->text;
}

void prompt_text(struct prompt *prompt, const char *text)
{
    snprintf(prompt->text, sizeof prompt->text, "%s", text);
}

static int terminal_columns(EditLine *edit)
{
    int columns = 0;
    if (el_get(edit, EL_GETTC, "co", &columns) != 0 || columns < 1)
        return 80;
    return columns;
}

void prompt_hide(struct prompt *prompt)
{
    char left[BYTES_MAX];
    const LineInfo *line = el_line(prompt->edit);
    size_t len = (size_t)(line->cursor - line->buffer);
    if (!prompt->shown)
        return;
    len = len < sizeof left ? len : sizeof left - 1;
    memcpy(left, line->buffer, len);
    left[len] = '\0';
    int columns = glyph_columns(prompt->text) + glyph_columns(left);
    int up = columns / terminal_columns(prompt->edit);
    if (up > 0)
        fprintf(stdout, "\033[%dA", up);
    fputs("\r\033[J", stdout);
    prompt->shown = false;
}

void prompt_show(struct prompt *prompt)
{
    if (prompt->shown || prompt->in_line)
        return;
    el_set(prompt->edit, EL_REFRESH);
    prompt->shown = true;
    fflush(stdout);
}

void prompt_suspend(struct prompt *prompt)
{
    el_set(prompt->edit, EL_PREP_TERM, 0);
}

void prompt_resume(struct prompt *prompt)
{
    el_set(prompt->edit, EL_PREP_TERM, 1);
}

bool prompt_clear(struct prompt *prompt)
{
    prompt->pasting = false;
    if (line_is_empty(prompt))
        return false;
    prompt_hide(prompt);
    el_set(prompt->edit, EL_UNBUFFERED, 0);
    el_set(prompt->edit, EL_UNBUFFERED, 1); /* begins an empty line */
    prompt->shown = true;
    return true;
}

void prompt_forget(struct prompt *prompt)
{
    HistEvent event;
    history(prompt->history, &event, H_CLEAR);
}

void prompt_resize(struct prompt *prompt)
{
    el_resize(prompt->edit);
}

/* ---- creating and destroying */

static bool edit_init(struct prompt *prompt)
{
    HistEvent event;
    prompt->edit = el_init("taluva", stdin, stdout, stderr);
    prompt->history = history_init();
    if (!prompt->edit || !prompt->history)
        return false;
    history(prompt->history, &event, H_SETSIZE, HISTORY_LINES);
    history(prompt->history, &event, H_SETUNIQUE, 1);
    el_set(prompt->edit, EL_CLIENTDATA, prompt);
    el_set(prompt->edit, EL_EDITOR, "emacs");
    el_set(prompt->edit, EL_SIGNAL, 0);
    el_set(prompt->edit, EL_PROMPT, prompt_of);
    el_set(prompt->edit, EL_HIST, history, prompt->history);
    el_set(prompt->edit, EL_GETCFN, next_character);
    /* These wait for another key, which would stop the loop. */
    el_set(prompt->edit, EL_BIND, "^X", "ed-unassigned", NULL);
    el_set(prompt->edit, EL_BIND, "^V", "ed-unassigned", NULL);
    el_set(prompt->edit, EL_BIND, "^Q", "ed-unassigned", NULL);
    el_set(prompt->edit, EL_BIND, "^R", "ed-search-prev-history", NULL);
    el_set(prompt->edit, EL_BIND, "^S", "ed-search-next-history", NULL);
    return true;
}

struct prompt *prompt_create(uv_loop_t *loop, const struct prompt_events *events, void *user)
{
    struct prompt *prompt = calloc(1, sizeof *prompt);
    if (!prompt)
        return NULL;
    prompt->events = *events;
    prompt->user = user;
    prompt_text(prompt, "> ");
    if (!input_poll_init(loop, &prompt->poll)) {
        free(prompt);
        return NULL;
    }
    uv_timer_init(loop, &prompt->escape);
    prompt->open_handles = 2;
    prompt->poll.data = prompt->escape.data = prompt;
    if (!edit_init(prompt)) {
        prompt_destroy(prompt);
        return NULL;
    }
    uv_poll_start(&prompt->poll, UV_READABLE | UV_DISCONNECT, on_poll);
    el_set(prompt->edit, EL_UNBUFFERED, 1);
    prompt->shown = true;
    return prompt;
}

static void on_closed(uv_handle_t *handle)
{
    struct prompt *prompt = handle->data;
    if (--prompt->open_handles == 0)
        free(prompt);
}

void prompt_destroy(struct prompt *prompt)
{
    if (!prompt)
        return;
    if (prompt->edit) {
        el_set(prompt->edit, EL_UNBUFFERED, 0);
        el_end(prompt->edit);
    }
    if (prompt->history)
        history_end(prompt->history);
    uv_close((uv_handle_t *)&prompt->poll, on_closed);
    uv_close((uv_handle_t *)&prompt->escape, on_closed);
}
