/*
 * What was said in the lobby last: CHAT_LINES lines of each of its rooms, one for each language of
 * the page, in memory alone, of the desk. Values in, values out: it knows no hub, and time is an
 * argument.
 *
 * Lines and changes of them have numbers of one row, which never goes back, nor at a new desk, as
 * they are not below the time in milliseconds. So a client says by one number what it has, and
 * whether that is of this desk.
 */
#ifndef CHAT_LINES_H
#define CHAT_LINES_H

#include <protocol/limits.h>
#include <protocol/terms.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct writer;

enum { CHAT_LINES = 100, CHAT_MINUTE_MS = 60000 };

struct chat_line {
    int64_t n;       /* its number */
    int64_t changed; /* ... or when it was taken away, in the same row of numbers */
    int64_t at_ms;
    enum protocol_lang lang; /* in which room */
    bool gone;               /* nothing is left of it but who has said it, so that it counts */
    uint64_t session; /* 0: they were erased; of a line that is there: the operator says it */
    uint64_t source;  /* where it was said from (kernel_source); 0: that is not known */
    char handle[PROTOCOL_HANDLE_BYTES + 1];
    char name[PROTOCOL_NAME_BYTES + 1];
    char text[PROTOCOL_CHAT_BYTES + 1];
};

/* All zeros: nothing was said, and nobody has asked. */
struct chat_lines {
    struct chat_line *items; /* of all rooms, the oldest first; NULL: nothing was said */
    size_t count;
    int64_t since;    /* numbers up to this are of another desk; 0: nobody has asked */
    int64_t revision; /* the last number */
    int64_t lost[PROTOCOL_LANG_COUNT]; /* the last line that is there no more; 0: none */
};

/* Nobody is told a number before. */
void chat_lines_begin(struct chat_lines *lines, int64_t now_ms);
void chat_lines_release(struct chat_lines *lines);

/* The oldest is 0, of lines->count. */
struct chat_line *chat_lines_at(const struct chat_lines *lines, size_t at);
/* One more, in place of the oldest of its room; who and what are to be filled in. NULL: no memory.
 */
struct chat_line *chat_lines_add(struct chat_lines *lines, enum protocol_lang lang, int64_t now_ms);
/* NULL: there is none, or it is gone. */
struct chat_line *chat_lines_find(const struct chat_lines *lines, int64_t n);
void chat_lines_take_away(struct chat_lines *lines, struct chat_line *line, int64_t now_ms);
/* Has that one said any of them? Of them nothing is left. */
bool chat_lines_are_of(const struct chat_lines *lines, uint64_t session);
void chat_lines_erase(struct chat_lines *lines, uint64_t session, int64_t now_ms);
/* Those that are as old are gone; has there been one? And when the next one will be; INT64_MAX: no
 * more. */
bool chat_lines_let_go(struct chat_lines *lines, int64_t keep_ms, int64_t now_ms);
int64_t chat_lines_due_ms(const struct chat_lines *lines, int64_t keep_ms);

/* Does whoever has that need all of that room anew? */
bool chat_lines_are_missed(const struct chat_lines *lines, enum protocol_lang lang, int64_t have);

/*
 * In how many milliseconds one more fits into a minute that has `most` lines, in all rooms: of that
 * session, of the address of that source, of anybody (both 0); 0: now.
 */
int64_t chat_lines_wait_ms(const struct chat_lines *lines, uint64_t session, uint64_t source,
                           int64_t most, int64_t now_ms);
/* The last line that they have said in that room is that one: its number. 0: it is not. */
int64_t chat_lines_repeated(const struct chat_lines *lines, uint64_t session,
                            enum protocol_lang lang, const char *text);

/* Has the operator said it? It has neither handle nor name. */
bool chat_line_is_operators(const struct chat_line *line);
/* As whoever listens is told it, and a report keeps it. */
void chat_line_write_members(const struct chat_line *line, struct writer *writer);
void chat_line_write(const struct chat_line *line, struct writer *writer);

/* Would somebody find a page of the web by it? */
bool chat_has_link(const char *text);

#endif
