#include <net/log.h>

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static const char *const names[] = {"error", "warn", "info", "debug"};
static enum log_level threshold = LOG_INFO;
static atomic_ullong lost, lost_unsaid; /* lines: ever, and since it was logged */
static atomic_bool torn;                /* the last line was not written to its end */

struct line {
    char bytes[LOG_LINE_MAX];
    size_t len;
};

const char *log_level_name(enum log_level level)
{
    return names[level];
}

bool log_level_find(enum log_level *level, const char *name)
{
    for (int at = LOG_ERROR; at <= LOG_DEBUG; at++) {
        if (strcmp(names[at], name) == 0) {
            *level = (enum log_level)at;
            return true;
        }
    }
    return false;
}

void log_set_level(enum log_level level)
{
    threshold = level;
}

bool log_enabled(enum log_level level)
{
    return level <= threshold;
}

/* The last byte is kept for the newline. */
static void put_bytes(struct line *line, const char *bytes, size_t len)
{
    size_t room = LOG_LINE_MAX - 1 - line->len;
    len = len < room ? len : room;
    memcpy(line->bytes + line->len, bytes, len);
    line->len += len;
}

static void put_string(struct line *line, const char *string)
{
    put_bytes(line, string, strlen(string));
}

/* How many bytes of it are a control character, of C1 two (U+0080 to U+009F); 0: it is none. */
static size_t control_len(const char *text)
{
    const unsigned char byte = (unsigned char)text[0], next = byte ? (unsigned char)text[1] : 0;
    if (byte < 0x20 || byte == 0x7f)
        return 1;
    return byte == 0xc2 && next >= 0x80 && next < 0xa0 ? 2 : 0;
}

/* Control characters would end the line or repaint a terminal. */
static void put_value(struct line *line, const char *value)
{
    if (*value && strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./:@+,[]%") == strlen(value)) {
        put_string(line, value);
        return;
    }
    put_bytes(line, "\"", 1);
    while (*value) {
        const size_t control = control_len(value);
        if (*value == '"' || *value == '\\')
            put_bytes(line, "\\", 1);
        put_bytes(line, control > 0 ? "?" : value, 1);
        value += control > 0 ? control : 1;
    }
    put_bytes(line, "\"", 1);
}

static void begin_line(struct line *line, enum log_level level, const char *event)
{
    struct timespec now;
    struct tm utc;
    char when[40];
    line->len = 0;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    size_t len = strftime(when, sizeof when, "time=%Y-%m-%dT%H:%M:%S", &utc);
    put_bytes(line, when, len);
    snprintf(when, sizeof when, ".%03dZ level=", (int)(now.tv_nsec / 1000000));
    put_string(line, when);
    put_string(line, names[level]);
    put_string(line, " event=");
    put_string(line, event);
}

static void put_text_pair(struct line *line, const char *key, const char *value)
{
    put_bytes(line, " ", 1);
    put_string(line, key);
    put_bytes(line, "=", 1);
    put_value(line, value);
}

static void put_number_pair(struct line *line, const char *key, long long number)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", number);
    put_text_pair(line, key, text);
}

/* What a full disk has of a line is ended first, so that the next one can be read. */
static bool write_line(struct line *line)
{
    static char newline = '\n';
    const size_t before = atomic_load(&torn);
    const struct iovec parts[] = {{.iov_base = &newline, .iov_len = before},
                                  {.iov_base = line->bytes, .iov_len = line->len}};
    const ssize_t written = writev(STDERR_FILENO, parts, 2);
    if (written > 0)
        atomic_store(&torn, (size_t)written > before && (size_t)written < before + line->len);
    return written == (ssize_t)(before + line->len);
}

/* There is nowhere to report a log that cannot be written, until it can be. */
static void end_line(struct line *line)
{
    line->bytes[line->len++] = '\n';
    const bool whole = write_line(line);
    if (!whole) {
        atomic_fetch_add(&lost, 1);
        atomic_fetch_add(&lost_unsaid, 1);
        return;
    }
    const long long unsaid = (long long)atomic_exchange(&lost_unsaid, 0);
    if (unsaid > 0)
        log_number(LOG_WARN, "log_lines_lost", "count", unsaid);
}

uint64_t log_lines_lost(void)
{
    return atomic_load(&lost);
}

void log_event(enum log_level level, const char *event)
{
    struct line line;
    if (!log_enabled(level))
        return;
    begin_line(&line, level, event);
    end_line(&line);
}

void log_text(enum log_level level, const char *event, const char *key, const char *value)
{
    struct line line;
    if (!log_enabled(level))
        return;
    begin_line(&line, level, event);
    put_text_pair(&line, key, value);
    end_line(&line);
}

void log_number(enum log_level level, const char *event, const char *key, long long value)
{
    struct line line;
    if (!log_enabled(level))
        return;
    begin_line(&line, level, event);
    put_number_pair(&line, key, value);
    end_line(&line);
}

void log_text_number(enum log_level level, const char *event, const char *key, const char *value,
                     const char *number_key, long long number)
{
    struct line line;
    if (!log_enabled(level))
        return;
    begin_line(&line, level, event);
    put_text_pair(&line, key, value);
    put_number_pair(&line, number_key, number);
    end_line(&line);
}

void log_texts(enum log_level level, const char *event, const char *key, const char *value,
               const char *other_key, const char *other)
{
    struct line line;
    if (!log_enabled(level))
        return;
    begin_line(&line, level, event);
    put_text_pair(&line, key, value);
    put_text_pair(&line, other_key, other);
    end_line(&line);
}
