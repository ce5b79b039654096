/*
 * The server's log: one line an event on stderr, in logfmt.
 *
 *     time=2026-11-20T21:20:00.123Z level=info event=listening url=http://127.0.0.1:7400
 *
 * Never logged: tokens, invitation codes, nonces, secrets, anything that a peer sent. Addresses of
 * peers only at level debug. A line is written with one call, so lines of threads do not mix; it is
 * cut at LOG_LINE_MAX.
 */
#ifndef NET_LOG_H
#define NET_LOG_H

#include <stdbool.h>
#include <stdint.h>

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };
enum { LOG_LINE_MAX = 1024 };

/* Names as in --log-level. */
const char *log_level_name(enum log_level level);
bool log_level_find(enum log_level *level, const char *name);

void log_set_level(enum log_level level); /* before other threads start */
bool log_enabled(enum log_level level);

/* `event` and the keys are words; a value is quoted where logfmt needs it. */
void log_event(enum log_level level, const char *event);
void log_text(enum log_level level, const char *event, const char *key, const char *value);
void log_number(enum log_level level, const char *event, const char *key, long long value);
void log_text_number(enum log_level level, const char *event, const char *key, const char *value,
                     const char *number_key, long long number);
void log_texts(enum log_level level, const char *event, const char *key, const char *value,
               const char *other_key, const char *other);

/* How many could not be written in full, on a full disk for example; the log itself says so as soon
 * as it can be written again. Any thread. */
uint64_t log_lines_lost(void);

#endif
