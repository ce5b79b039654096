#include <protocol/text.h>

#include <assert.h>
#include <string.h>

uint32_t utf8_next(const char **at, const char *end)
{
    const unsigned char *p = (const unsigned char *)*at;
    size_t have = (size_t)(end - *at);
    assert(have > 0);
    *at += 1;
    if (p[0] < 0x80)
        return p[0];
    size_t need = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4 || have < need)
        return UTF8_BAD;
    uint32_t point = p[0] & (0xffU >> (need + 1));
    for (size_t i = 1; i < need; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return UTF8_BAD;
        point = point << 6 | (p[i] & 0x3fU);
    }
    bool overlong = (need == 3 && point < 0x800) || (need == 4 && point < 0x10000);
    bool surrogate = point >= 0xd800 && point <= 0xdfff;
    if (overlong || surrogate || point > 0x10ffff)
        return UTF8_BAD;
    *at += need - 1;
    return point;
}

bool utf8_valid(const char *bytes, size_t len)
{
    const char *at = bytes, *end = len > 0 ? bytes + len : bytes;
    while (at != end) {
        if (utf8_next(&at, end) == UTF8_BAD)
            return false;
    }
    return true;
}

struct range {
    uint32_t first, last;
};

/* Every `step`th of them folds to the one that is `delta` further. */
struct fold_run {
    uint32_t first, last, step;
    int32_t delta;
};

/* Folds to two or three. */
struct fold {
    uint32_t point, to[TEXT_FOLD_MAX];
};

#include "unicode_table.h"

static bool is_within(uint32_t point, const struct range *ranges, size_t count)
{
    size_t from = 0, to = count;
    while (from < to) {
        const size_t middle = (from + to) / 2;
        if (point > ranges[middle].last)
            from = middle + 1;
        else
            to = middle;
    }
    return from < count && point >= ranges[from].first;
}

#define WITHIN(point, ranges) is_within((point), (ranges), sizeof ranges / sizeof(ranges)[0])

bool text_forbidden(uint32_t point)
{
    return WITHIN(point, REFUSED);
}

/* Narrows [*from, *end) to what lies between the white space at its ends; false if it is no UTF-8.
 */
static bool trim_ends(const char **from, const char **end)
{
    const char *first = NULL, *last = *from;
    for (const char *at = *from; at < *end;) {
        const char *begin = at;
        uint32_t point = utf8_next(&at, *end);
        if (point == UTF8_BAD)
            return false;
        if (WITHIN(point, SPACE))
            continue;
        if (!first)
            first = begin;
        last = at;
    }
    *from = first ? first : *end;
    *end = first ? last : *end;
    return true;
}

/* `seen`: whether a text of which nothing can be seen is refused. */
static bool clean_text(char *out, size_t size, const char *in, size_t len, size_t chars_max,
                       bool seen)
{
    assert(size > 0);
    const char *from = in, *end = in + len;
    size_t chars = 0;
    out[0] = '\0';
    if (!trim_ends(&from, &end) || from == end)
        return false;
    for (const char *at = from; at < end;) {
        uint32_t point = utf8_next(&at, end);
        if (text_forbidden(point) || ++chars > chars_max)
            return false;
        seen = seen || !WITHIN(point, UNSEEN);
    }
    if (!seen || (size_t)(end - from) >= size)
        return false;
    memcpy(out, from, (size_t)(end - from));
    out[end - from] = '\0';
    return true;
}

bool text_clean(char *out, size_t size, const char *in, size_t len, size_t chars_max)
{
    return clean_text(out, size, in, len, chars_max, false);
}

bool text_kept(char *out, size_t size, const char *in, size_t len, size_t chars_max)
{
    return clean_text(out, size, in, len, chars_max, true);
}

/* ---- looks */

static size_t fold_to_several(uint32_t point, uint32_t to[TEXT_FOLD_MAX])
{
    size_t from = 0, end = sizeof FOLDS / sizeof FOLDS[0], count = 0;
    while (from < end) {
        const size_t middle = (from + end) / 2;
        if (point > FOLDS[middle].point)
            from = middle + 1;
        else
            end = middle;
    }
    if (from == sizeof FOLDS / sizeof FOLDS[0] || FOLDS[from].point != point)
        return 0;
    while (count < TEXT_FOLD_MAX && FOLDS[from].to[count] != 0) {
        to[count] = FOLDS[from].to[count];
        count++;
    }
    return count;
}

static uint32_t fold_to_one(uint32_t point)
{
    size_t from = 0, end = sizeof FOLD_RUNS / sizeof FOLD_RUNS[0];
    while (from < end) {
        const size_t middle = (from + end) / 2;
        if (point > FOLD_RUNS[middle].last)
            from = middle + 1;
        else
            end = middle;
    }
    if (from == sizeof FOLD_RUNS / sizeof FOLD_RUNS[0])
        return point;
    const struct fold_run *run = &FOLD_RUNS[from];
    if (point < run->first || (point - run->first) % run->step != 0)
        return point;
    return (uint32_t)((int32_t)point + run->delta);
}

/* A syllable of Hangul is two or three letters; by Unicode's own arithmetic, without a table. */
static size_t fold_syllable(uint32_t point, uint32_t to[TEXT_FOLD_MAX])
{
    enum { SYLLABLES = 0xac00, LEADS = 0x1100, VOWELS = 0x1161, TAILS = 0x11a7 };
    enum { VOWEL_COUNT = 21, TAIL_COUNT = 28, SYLLABLE_COUNT = 19 * VOWEL_COUNT * TAIL_COUNT };
    to[0] = point;
    if (point < SYLLABLES || point >= SYLLABLES + SYLLABLE_COUNT)
        return 1;
    const uint32_t at = point - SYLLABLES, tail = at % TAIL_COUNT;
    to[0] = LEADS + at / (VOWEL_COUNT * TAIL_COUNT);
    to[1] = VOWELS + at / TAIL_COUNT % VOWEL_COUNT;
    to[2] = TAILS + tail;
    return tail == 0 ? 2 : 3;
}

size_t text_fold(uint32_t point, uint32_t to[TEXT_FOLD_MAX])
{
    if (WITHIN(point, IGNORED) || WITHIN(point, SPACE))
        return 0;
    const size_t count = fold_to_several(point, to);
    if (count > 0)
        return count;
    return fold_syllable(fold_to_one(point), to);
}

/* A text that is read as what it folds to. */
struct folding {
    const char *at, *end;
    uint32_t now[TEXT_FOLD_MAX];
    size_t count, next;
};

static uint32_t next_folded(struct folding *folding)
{
    while (folding->next == folding->count) {
        if (folding->at == folding->end)
            return 0;
        folding->count = text_fold(utf8_next(&folding->at, folding->end), folding->now);
        folding->next = 0;
    }
    return folding->now[folding->next++];
}

bool text_looks_alike(const char *one, const char *other)
{
    struct folding a = {.at = one, .end = one + strlen(one)};
    struct folding b = {.at = other, .end = other + strlen(other)};
    for (;;) {
        const uint32_t point = next_folded(&a);
        if (point != next_folded(&b))
            return false;
        if (point == 0)
            return true;
    }
}
