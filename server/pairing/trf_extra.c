/* Acceleration: what is added to somebody's score for the pairing of a round alone. */
#include "trf_reader.h"

static void add_extra(struct trf_reader *reader, unsigned number, unsigned round, unsigned tenths)
{
    reader->event->entrant[number - 1].extra[round - 1] = (uint16_t)tenths;
    reader->extra_given = true;
    if (tenths != 0 && number > reader->extra_most)
        reader->extra_most = number;
}

static bool read_bounded(const struct trf_line *line, unsigned from, unsigned to, unsigned most,
                         unsigned *number)
{
    return trf_number(line, from, to, number) && *number > 0 && *number <= most;
}

/* 250: points of a match (of teams), points, first and last round, first and last number. */
enum trf_error trf_read_extra(struct trf_reader *reader)
{
    const struct trf_line *line = &reader->line;
    unsigned match = 0, tenths, rounds[2], numbers[2];
    if (!trf_is_blank(line, 5, 8) && (!trf_tenths(line, 5, 8, &match) || match != 0))
        return TRF_NOT_SUPPORTED;
    if (!trf_tenths(line, 10, 13, &tenths) || tenths > TRF_POINTS_MAX ||
        !read_bounded(line, 15, 17, PAIRING_ROUNDS_MAX, &rounds[0]) ||
        !read_bounded(line, 19, 21, PAIRING_ROUNDS_MAX, &rounds[1]) || rounds[0] > rounds[1])
        return TRF_BAD_VALUE;
    if (!read_bounded(line, 23, 26, PAIRING_ENTRANTS_MAX, &numbers[0]) ||
        !read_bounded(line, 28, 31, PAIRING_ENTRANTS_MAX, &numbers[1]) || numbers[0] > numbers[1])
        return TRF_BAD_NUMBER;
    for (unsigned number = numbers[0]; number <= numbers[1]; number++) {
        for (unsigned round = rounds[0]; round <= rounds[1]; round++)
            add_extra(reader, number, round, tenths);
    }
    return TRF_OK;
}

/* XXA: a number, and its points of each round. */
enum trf_error trf_read_extra_of(struct trf_reader *reader)
{
    const struct trf_line *line = &reader->line;
    unsigned number, tenths, round = 1;
    if (!read_bounded(line, 5, 8, PAIRING_ENTRANTS_MAX, &number))
        return TRF_BAD_NUMBER;
    for (unsigned at = 10; at <= line->columns; at += 5, round++) {
        if (trf_is_blank(line, at, at + 4))
            continue;
        if (round > PAIRING_ROUNDS_MAX)
            return TRF_TOO_MANY_ROUNDS;
        if (!trf_tenths(line, at, at + 3, &tenths) || tenths > TRF_POINTS_MAX)
            return TRF_BAD_VALUE;
        add_extra(reader, number, round, tenths);
    }
    return TRF_OK;
}
