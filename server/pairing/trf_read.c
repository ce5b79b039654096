#include "trf_reader.h"
#include <stdlib.h>
#include <string.h>

/* Columns of an entrant's line. */
enum {
    COLUMN_NUMBER = 5,
    COLUMN_NAME = 15,
    COLUMN_RATING = 49,
    COLUMN_POINTS = 81,
    COLUMN_ROUNDS = 92,
    COLUMNS_OF_ROUND = 10,
};

static const char *const error_texts[] = {
    [TRF_OK] = "nothing is wrong",
    [TRF_OUT_OF_MEMORY] = "not enough memory",
    [TRF_TOO_LONG] = "the file is too long",
    [TRF_SHORT_LINE] = "the line ends before its points",
    [TRF_BAD_NUMBER] = "no number where one belongs, or one too large",
    [TRF_REPEATED] = "a second line for the same entrant",
    [TRF_GAP] = "there is no entrant of this number",
    [TRF_NOBODY] = "there are no entrants",
    [TRF_BAD_OPPONENT] = "an opponent that cannot be",
    [TRF_BAD_COLOUR] = "a colour that is none, or that is missing",
    [TRF_BAD_RESULT] = "a result that is none",
    [TRF_CONTRADICTION] = "the opponent's line says something else",
    [TRF_BAD_POINTS] = "the points are not what the results give",
    [TRF_TOO_MANY_ROUNDS] = "more rounds than there can be",
    [TRF_BAD_VALUE] = "a value that cannot be",
    [TRF_NOT_SUPPORTED] = "teams, points by hand and other systems are not known here",
};

const char *trf_error_text(enum trf_error error)
{
    return error_texts[error];
}

/* ---- entrants */

/* What stands where a result stands; 0: none that there is. */
static char read_result(const struct trf_line *line, unsigned at)
{
    char result = trf_column(line, at + 7);
    if (result >= 'a' && result <= 'z')
        result = (char)(result - 'a' + 'A');
    return strchr("1=0WDL+-UFHZ ", result) ? result : 0;
}

static enum trf_error check_meeting(const struct pairing_meeting *meeting, unsigned number)
{
    if (meeting->opponent == number)
        return TRF_BAD_OPPONENT;
    if (meeting->opponent != 0) {
        if (strchr("UFHZ ", meeting->result))
            return TRF_BAD_RESULT;
        return pairing_was_played(meeting) && meeting->colour == '-' ? TRF_BAD_COLOUR : TRF_OK;
    }
    if (meeting->colour != '-')
        return TRF_BAD_COLOUR;
    return strchr("10WDL", meeting->result) ? TRF_BAD_OPPONENT : TRF_OK;
}

static enum trf_error read_meeting(const struct trf_line *line, unsigned at, unsigned number,
                                   struct pairing_meeting *meeting)
{
    unsigned opponent = 0;
    const char colour = trf_column(line, at + 5);
    if (!trf_is_blank(line, at, at + 3) && !trf_number(line, at, at + 3, &opponent))
        return TRF_BAD_NUMBER;
    if (opponent > PAIRING_ENTRANTS_MAX)
        return TRF_GAP;
    if (!colour || !strchr("wb- ", colour))
        return TRF_BAD_COLOUR;
    meeting->opponent = (uint16_t)opponent;
    meeting->colour = colour == ' ' ? '-' : colour;
    meeting->result = read_result(line, at);
    if (meeting->result == 0)
        return TRF_BAD_RESULT;
    if (meeting->opponent == 0 && meeting->result == '=')
        meeting->result = 'H';
    return check_meeting(meeting, number);
}

static enum trf_error read_meetings(struct trf_reader *reader, unsigned number)
{
    struct pairing_entrant *entrant = &reader->event->entrant[number - 1];
    unsigned round = 1, at = COLUMN_ROUNDS;
    for (; at <= reader->line.columns; at += COLUMNS_OF_ROUND, round++) {
        if (trf_is_blank(&reader->line, at, at + COLUMNS_OF_ROUND - 1))
            continue;
        reader->place->round = round;
        if (round > PAIRING_ROUNDS_MAX)
            return TRF_TOO_MANY_ROUNDS;
        const enum trf_error error =
            read_meeting(&reader->line, at, number, &entrant->meeting[round - 1]);
        if (error != TRF_OK)
            return error;
        reader->last[number] = round;
    }
    reader->place->round = 0;
    return TRF_OK;
}

static void blank_meetings(struct pairing_entrant *entrant)
{
    for (unsigned round = 0; round < PAIRING_ROUNDS_MAX; round++)
        entrant->meeting[round] = (struct pairing_meeting){.colour = '-', .result = ' '};
}

static enum trf_error read_entrant(struct trf_reader *reader)
{
    const struct trf_line *line = &reader->line;
    unsigned number, rating = 0;
    if (line->columns < COLUMN_POINTS + 3)
        return TRF_SHORT_LINE;
    if (!trf_number(line, COLUMN_NUMBER, COLUMN_NUMBER + 3, &number) || number == 0 ||
        number > PAIRING_ENTRANTS_MAX)
        return TRF_BAD_NUMBER;
    reader->place->entrant = number;
    if (reader->there[number])
        return TRF_REPEATED;
    if (!trf_is_blank(line, COLUMN_RATING, COLUMN_RATING + 3) &&
        !trf_number(line, COLUMN_RATING, COLUMN_RATING + 3, &rating))
        return TRF_BAD_NUMBER;
    if (!trf_tenths(line, COLUMN_POINTS, COLUMN_POINTS + 3, &reader->points[number]))
        return TRF_BAD_POINTS;
    struct pairing_entrant *entrant = &reader->event->entrant[number - 1];
    trf_text(line, COLUMN_NAME, COLUMN_NAME + 32, entrant->name, sizeof entrant->name);
    entrant->rating = (uint16_t)rating;
    reader->there[number] = true;
    reader->line_of[number] = reader->place->line;
    reader->highest = number > reader->highest ? number : reader->highest;
    blank_meetings(entrant);
    return read_meetings(reader, number);
}

/* ---- other lines */

static enum trf_error read_planned(struct trf_reader *reader)
{
    unsigned rounds;
    if (!trf_number(&reader->line, 4, reader->line.columns, &rounds) || rounds == 0)
        return TRF_BAD_VALUE;
    reader->event->planned = rounds;
    return TRF_OK;
}

static enum trf_error read_first(struct trf_reader *reader)
{
    if (trf_says(&reader->line, 4, reader->line.columns, "W"))
        reader->event->first = 'w';
    else if (trf_says(&reader->line, 4, reader->line.columns, "B"))
        reader->event->first = 'b';
    else
        return TRF_BAD_VALUE;
    return TRF_OK;
}

/* A word of a line without columns, from *column on, which goes behind it. False: no more. */
static bool next_word(const struct trf_line *line, unsigned *column, unsigned *from)
{
    while (*column <= line->columns && trf_column(line, *column) == ' ')
        ++*column;
    *from = *column;
    while (*column <= line->columns && trf_column(line, *column) != ' ')
        ++*column;
    return *column > *from;
}

static enum trf_error read_words(struct trf_reader *reader)
{
    unsigned column = 4, from;
    while (next_word(&reader->line, &column, &from)) {
        if (trf_says(&reader->line, from, column - 1, "white1"))
            reader->event->first = 'w';
        else if (trf_says(&reader->line, from, column - 1, "black1"))
            reader->event->first = 'b';
        else if (trf_says(&reader->line, from, column - 1, "rank"))
            return TRF_NOT_SUPPORTED;
    }
    return TRF_OK;
}

#define POINT_LETTERS "WDLZFU"

/* 162: a letter and four columns for its points, again and again. */
static enum trf_error read_points(struct trf_reader *reader)
{
    struct pairing_points *points = &reader->event->points;
    for (unsigned at = 6; at <= reader->line.columns; at += 9) {
        unsigned tenths;
        if (trf_is_blank(&reader->line, at, at + 8))
            continue;
        if (!trf_tenths(&reader->line, at + 1, at + 4, &tenths) || tenths > TRF_POINTS_MAX)
            return TRF_BAD_VALUE;
        switch (trf_column(&reader->line, at)) {
        case 'W':
            points->win = (uint16_t)tenths;
            break;
        case 'D':
            points->draw = (uint16_t)tenths;
            break;
        case 'L':
            points->loss = (uint16_t)tenths;
            break;
        case 'Z':
        case 'A':
            points->none = points->forfeit = (uint16_t)tenths;
            break;
        case 'P':
            points->bye = (uint16_t)tenths;
            reader->bye_given = true;
            break;
        default:
            return TRF_BAD_VALUE;
        }
    }
    if (!reader->bye_given)
        points->bye = points->win;
    return TRF_OK;
}

/* BBW BBD BBL BBZ BBF BBU: the points of one result. */
static enum trf_error read_point(struct trf_reader *reader)
{
    struct pairing_points *points = &reader->event->points;
    unsigned tenths;
    if (!trf_tenths(&reader->line, 4, reader->line.columns, &tenths) || tenths > TRF_POINTS_MAX)
        return TRF_BAD_VALUE;
    const char letter = trf_column(&reader->line, 3);
    uint16_t *const of[] = {&points->win,  &points->draw,    &points->loss,
                            &points->none, &points->forfeit, &points->bye};
    *of[strchr(POINT_LETTERS, letter) - POINT_LETTERS] = (uint16_t)tenths;
    reader->bye_given |= letter == 'U';
    if (!reader->bye_given)
        points->bye = points->win;
    return TRF_OK;
}

static enum trf_error read_system(struct trf_reader *reader)
{
    static const struct {
        const char *name;
        bool baku;
    } systems[] = {
        {"", false},
        {"FIDE_DUTCH", false},
        {"FIDE_DUTCH_2025", false},
        {"FIDE_DUTCH_2026", false},
        {"FIDE_DUTCH_BAKU", true},
        {"FIDE_DUTCH_2025_BAKU", true},
        {"FIDE_DUTCH_2026_BAKU", true},
    };
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        if (!trf_says(&reader->line, 4, reader->line.columns, systems[i].name))
            continue;
        reader->event->baku = systems[i].baku;
        return TRF_OK;
    }
    return TRF_NOT_SUPPORTED;
}

static bool read_number(const struct trf_reader *reader, unsigned from, unsigned to, unsigned most,
                        unsigned *number)
{
    return trf_number(&reader->line, from, to, number) && *number > 0 && *number <= most;
}

static void note_bye(struct trf_reader *reader, unsigned number, uint64_t round, char kind)
{
    reader->away[number] |= round;
    if (kind == 'F')
        reader->full[number] |= round;
    if (kind == 'H')
        reader->half[number] |= round;
}

/* 240: byes asked for. */
static enum trf_error read_byes(struct trf_reader *reader)
{
    unsigned round, number;
    const char kind = trf_column(&reader->line, 5);
    if (!kind || !strchr("FHZ", kind) || !read_number(reader, 7, 9, PAIRING_ROUNDS_MAX, &round))
        return TRF_BAD_VALUE;
    for (unsigned at = 11; at <= reader->line.columns; at += 5) {
        if (trf_is_blank(&reader->line, at, at + 4))
            continue;
        if (!read_number(reader, at, at + 3, PAIRING_ENTRANTS_MAX, &number))
            return TRF_BAD_NUMBER;
        note_bye(reader, number, UINT64_C(1) << (round - 1), trf_column(&reader->line, 5));
    }
    return TRF_OK;
}

/* None of a list may meet another of it. */
static enum trf_error ban_all(struct trf_reader *reader, const uint16_t list[], unsigned count,
                              unsigned from, unsigned to)
{
    struct pairing_event *event = reader->event;
    for (unsigned i = 0; i < count; i++) {
        for (unsigned j = 0; j < i; j++) {
            if (event->bans == PAIRING_BANS_MAX)
                return TRF_TOO_LONG;
            event->ban[event->bans++] =
                (struct pairing_ban){list[i], list[j], (uint8_t)from, (uint8_t)to};
        }
    }
    return TRF_OK;
}

/* 260 */
static enum trf_error read_bans(struct trf_reader *reader)
{
    uint16_t list[PAIRING_ENTRANTS_MAX];
    unsigned from, to, number, count = 0;
    if (!read_number(reader, 5, 7, PAIRING_ROUNDS_MAX, &from) ||
        !read_number(reader, 9, 11, PAIRING_ROUNDS_MAX, &to) || from > to)
        return TRF_BAD_VALUE;
    for (unsigned at = 13; at <= reader->line.columns; at += 5) {
        if (trf_is_blank(&reader->line, at, at + 4))
            continue;
        if (!read_number(reader, at, at + 3, PAIRING_ENTRANTS_MAX, &number) ||
            count == PAIRING_ENTRANTS_MAX)
            return TRF_BAD_NUMBER;
        list[count++] = (uint16_t)number;
    }
    return ban_all(reader, list, count, from, to);
}

/* XXP */
static enum trf_error read_words_banned(struct trf_reader *reader)
{
    uint16_t list[PAIRING_ENTRANTS_MAX];
    unsigned column = 4, from, number, count = 0;
    while (next_word(&reader->line, &column, &from)) {
        if (!read_number(reader, from, column - 1, PAIRING_ENTRANTS_MAX, &number) ||
            count == PAIRING_ENTRANTS_MAX)
            return TRF_BAD_NUMBER;
        list[count++] = (uint16_t)number;
    }
    return ban_all(reader, list, count, 1, PAIRING_ROUNDS_MAX);
}

static enum trf_error read_title(struct trf_reader *reader)
{
    trf_text(&reader->line, 5, reader->line.columns, reader->event->title,
             sizeof reader->event->title);
    return TRF_OK;
}

static enum trf_error refuse_line(struct trf_reader *reader)
{
    (void)reader;
    return TRF_NOT_SUPPORTED;
}

static const struct {
    char code[4];
    enum trf_error (*read)(struct trf_reader *reader);
} lines[] = {
    {"001", read_entrant},      {"012", read_title},     {"013", refuse_line},
    {"142", read_planned},      {"XXR", read_planned},   {"152", read_first},
    {"XXC", read_words},        {"162", read_points},    {"192", read_system},
    {"240", read_byes},         {"250", trf_read_extra}, {"260", read_bans},
    {"299", refuse_line},       {"310", refuse_line},    {"XXA", trf_read_extra_of},
    {"XXP", read_words_banned}, {"XXS", refuse_line},    {"XXZ", refuse_line},
    {"BBW", read_point},        {"BBD", read_point},     {"BBL", read_point},
    {"BBZ", read_point},        {"BBF", read_point},     {"BBU", read_point},
};

static enum trf_error read_line(struct trf_reader *reader, const char *text, size_t len)
{
    for (size_t i = 0; len >= 3 && i < sizeof lines / sizeof lines[0]; i++) {
        if (memcmp(text, lines[i].code, 3) != 0)
            continue;
        reader->place->entrant = 0;
        trf_line_read(&reader->line, text, len);
        return lines[i].read(reader);
    }
    return TRF_OK;
}

static enum trf_error read_lines(struct trf_reader *reader, const char *text, size_t len)
{
    enum trf_error error = TRF_OK;
    size_t at = len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < len && error == TRF_OK) {
        size_t end = at;
        while (end < len && text[end] != '\r' && text[end] != '\n')
            end++;
        reader->place->line++;
        error = read_line(reader, text + at, end - at);
        at = end + 1 < len && text[end] == '\r' && text[end + 1] == '\n' ? end + 2 : end + 1;
    }
    return error;
}

/* ---- the whole */

enum trf_error trf_read(struct pairing_event *event, const char *text, size_t len,
                        struct trf_place *place)
{
    *place = (struct trf_place){0};
    if (len > TRF_BYTES_MAX)
        return TRF_TOO_LONG;
    struct trf_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return TRF_OUT_OF_MEMORY;
    reader->event = event;
    reader->place = place;
    enum trf_error error = read_lines(reader, text, len);
    if (error == TRF_OK)
        error = trf_check_whole(reader);
    free(reader);
    return error;
}
