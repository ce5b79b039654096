#include <pairing/trf.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NAME_COLUMNS = 33 };

/* What does not fit is counted all the same. */
struct writer {
    char *text;
    size_t size, len;
};

static void write_bytes(struct writer *writer, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++, writer->len++) {
        if (writer->len < writer->size)
            writer->text[writer->len] = bytes[i];
    }
}

static void write_format(struct writer *writer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void write_format(struct writer *writer, const char *format, ...)
{
    char part[64];
    va_list arguments;
    va_start(arguments, format);
    const int len = vsnprintf(part, sizeof part, format, arguments);
    va_end(arguments);
    write_bytes(writer, part, (size_t)len);
}

static bool begins_character(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

/* So many columns of it; control characters are left out, and blanks fill up. */
static void write_text(struct writer *writer, const char *text, unsigned columns)
{
    unsigned written = 0;
    for (const char *at = text; *at; at++) {
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            continue;
        written += begins_character(*at);
        if (written > columns)
            break;
        write_bytes(writer, at, 1);
    }
    for (; written < columns; written++)
        write_bytes(writer, " ", 1);
}

static void end_line(struct writer *writer)
{
    write_bytes(writer, "\r\n", 2);
}

/* ---- lines */

static void write_point(struct writer *writer, char letter, unsigned tenths)
{
    write_format(writer, "%c%2u.%u    ", letter, tenths / 10, tenths % 10);
}

static void write_points(struct writer *writer, const struct pairing_points *points)
{
    if (points->win == 10 && points->draw == 5 && points->loss == 0 && points->none == 0 &&
        points->bye == 10)
        return;
    write_bytes(writer, "162  ", 5);
    write_point(writer, 'W', points->win);
    write_point(writer, 'D', points->draw);
    write_point(writer, 'L', points->loss);
    write_point(writer, 'Z', points->none);
    write_point(writer, 'P', points->bye);
    end_line(writer);
}

/* 162 has one letter for whoever was not there, paired or not. */
static void write_forfeit(struct writer *writer, const struct pairing_points *points)
{
    if (points->forfeit != points->none)
        write_format(writer, "BBF %2u.%u\r\n", points->forfeit / 10, points->forfeit % 10);
}

static void write_head(struct writer *writer, const struct pairing_event *event)
{
    write_bytes(writer, "012 ", 4);
    write_bytes(writer, event->title, strlen(event->title));
    end_line(writer);
    if (event->planned != 0)
        write_format(writer, "142 %u\r\n", event->planned);
    if (event->first != 0)
        write_format(writer, "152 %c\r\n", event->first == 'w' ? 'W' : 'B');
    write_points(writer, &event->points);
    write_forfeit(writer, &event->points);
    write_format(writer, "192 FIDE_DUTCH_2025%s\r\n", event->baku ? "_BAKU" : "");
}

/* By points, then by number. */
static unsigned find_rank(const unsigned points[], unsigned entrants, unsigned number)
{
    unsigned rank = 1;
    for (unsigned other = 1; other <= entrants; other++)
        rank +=
            points[other] > points[number] || (points[other] == points[number] && other < number);
    return rank;
}

static void write_meeting(struct writer *writer, const struct pairing_meeting *meeting)
{
    if (meeting->opponent == 0 && meeting->result == ' ')
        write_format(writer, "          ");
    else if (meeting->opponent == 0)
        write_format(writer, "  0000 - %c", meeting->result);
    else
        write_format(writer, "  %4u %c %c", meeting->opponent, meeting->colour, meeting->result);
}

static void write_entrant(struct writer *writer, const struct pairing_event *event,
                          const unsigned points[], unsigned number)
{
    const struct pairing_entrant *entrant = &event->entrant[number - 1];
    const unsigned tenths = points[number];
    write_format(writer, "001 %4u      ", number);
    write_text(writer, entrant->name, NAME_COLUMNS);
    if (entrant->rating != 0)
        write_format(writer, " %4u", entrant->rating);
    else
        write_format(writer, "     ");
    write_format(writer, "%28s", "");
    if (tenths < 1000 || tenths % 10 != 0)
        write_format(writer, "%2u.%u", tenths / 10, tenths % 10);
    else
        write_format(writer, "%4u", tenths / 10);
    write_format(writer, " %4u", find_rank(points, event->entrants, number));
    for (unsigned round = 1; round <= event->rounds; round++)
        write_meeting(writer, pairing_meeting_of(event, number, round));
    end_line(writer);
}

/* Whoever is not to be paired in the next round. */
static void write_away(struct writer *writer, const struct pairing_event *event)
{
    for (unsigned number = 1; number <= event->entrants; number++) {
        const struct pairing_entrant *entrant = &event->entrant[number - 1];
        if (!entrant->away || event->rounds == PAIRING_ROUNDS_MAX)
            continue;
        const char result = entrant->meeting[event->rounds].result;
        write_format(writer, "240 %c %03u %4u\r\n", result == 'F' || result == 'H' ? result : 'Z',
                     event->rounds + 1, number);
    }
}

/* The rounds from `from` on in which somebody has as much as in that one; up to which. */
static unsigned find_run(const struct pairing_entrant *entrant, unsigned from)
{
    unsigned to = from;
    while (to < PAIRING_ROUNDS_MAX && entrant->extra[to] == entrant->extra[from - 1])
        to++;
    return to;
}

/* The same rounds as the entrant before: in one line with that one. */
static bool has_run(const struct pairing_entrant *entrant, unsigned from, unsigned to,
                    unsigned tenths)
{
    const bool begins = from == 1 || entrant->extra[from - 2] != tenths;
    return begins && entrant->extra[from - 1] == tenths && find_run(entrant, from) == to;
}

static void write_run(struct writer *writer, const struct pairing_event *event, unsigned number,
                      unsigned from)
{
    const struct pairing_entrant *entrant = &event->entrant[number - 1];
    const unsigned tenths = entrant->extra[from - 1], to = find_run(entrant, from);
    unsigned last = number;
    if (number > 1 && has_run(entrant - 1, from, to, tenths))
        return;
    while (last < event->entrants && has_run(&event->entrant[last], from, to, tenths))
        last++;
    write_format(writer, "250      %2u.%u %03u %03u %4u %4u\r\n", tenths / 10, tenths % 10, from,
                 to, number, last);
}

static void write_extra(struct writer *writer, const struct pairing_event *event)
{
    for (unsigned number = 1; number <= event->entrants; number++) {
        const struct pairing_entrant *entrant = &event->entrant[number - 1];
        for (unsigned from = 1; from <= PAIRING_ROUNDS_MAX; from = find_run(entrant, from) + 1) {
            if (entrant->extra[from - 1] != 0)
                write_run(writer, event, number, from);
        }
    }
}

static void write_bans(struct writer *writer, const struct pairing_event *event)
{
    for (unsigned i = 0; i < event->bans; i++) {
        const struct pairing_ban *ban = &event->ban[i];
        write_format(writer, "260 %03u %03u %4u %4u\r\n", ban->from, ban->to, ban->b, ban->a);
    }
}

size_t trf_write(const struct pairing_event *event, char *text, size_t size)
{
    struct writer writer = {text, size, 0};
    unsigned points[PAIRING_ENTRANTS_MAX + 1];
    for (unsigned number = 1; number <= event->entrants; number++)
        points[number] = pairing_score(event, number, event->rounds + 1);
    write_head(&writer, event);
    for (unsigned number = 1; number <= event->entrants; number++)
        write_entrant(&writer, event, points, number);
    write_away(&writer, event);
    write_extra(&writer, event);
    write_bans(&writer, event);
    return writer.len;
}
