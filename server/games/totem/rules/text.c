#include "text.h"

#include <assert.h>
#include <string.h>

const char totem_family_letters[] = "RGBY";
const char totem_kind_letters[] = "gbwmWMe";
const char totem_spell_letters[] = "GBTIAFMPHL";

/* ---- reading */

void totem_reader_init(struct totem_reader *in, const char *text, size_t len)
{
    *in = (struct totem_reader){.text = text, .len = len};
}

bool totem_reader_ok(const struct totem_reader *in)
{
    return in->failed == NULL;
}

bool totem_fail(struct totem_reader *in, const char *what)
{
    if (!in->failed)
        in->failed = what;
    return false;
}

bool totem_reader_done(struct totem_reader *in)
{
    if (in->at < in->len)
        totem_fail(in, "something follows");
    return totem_reader_ok(in);
}

char totem_peek(const struct totem_reader *in)
{
    return totem_reader_ok(in) && in->at < in->len ? in->text[in->at] : '\0';
}

bool totem_accept(struct totem_reader *in, char c)
{
    if (!totem_reader_ok(in) || in->at >= in->len || in->text[in->at] != c)
        return false;
    in->at++;
    return true;
}

bool totem_accept_word(struct totem_reader *in, const char *word)
{
    size_t n = 0;
    while (word[n] != '\0') {
        if (in->at + n >= in->len || in->text[in->at + n] != word[n])
            return false;
        n++;
    }
    if (!totem_reader_ok(in))
        return false;
    in->at += n;
    return true;
}

void totem_expect(struct totem_reader *in, char c, const char *what)
{
    if (!totem_accept(in, c))
        totem_fail(in, what);
}

/* The index of a letter; -1 for any other byte. */
static int index_of(const char *letters, char c)
{
    for (int i = 0; c != '\0' && letters[i] != '\0'; i++) {
        if (letters[i] == c)
            return i;
    }
    return -1;
}

bool totem_peek_letter(const struct totem_reader *in, const char *letters)
{
    return index_of(letters, totem_peek(in)) >= 0;
}

unsigned totem_read_letter(struct totem_reader *in, const char *letters, const char *what)
{
    const int index = index_of(letters, totem_peek(in));
    if (index < 0) {
        totem_fail(in, what);
        return 0;
    }
    in->at++;
    return (unsigned)index;
}

unsigned totem_read_number(struct totem_reader *in, unsigned min, unsigned max, const char *what)
{
    const size_t start = in->at;
    unsigned number = 0;
    while (totem_peek_letter(in, "0123456789")) {
        const bool leading = in->at > start && in->text[start] == '0';
        number = number * 10 + totem_read_letter(in, "0123456789", what);
        if (leading || number > max) {
            totem_fail(in, what);
            return min;
        }
    }
    if (in->at == start || number < min) {
        totem_fail(in, what);
        return min;
    }
    return number;
}

unsigned totem_read_hut(struct totem_reader *in)
{
    const unsigned family = totem_read_letter(in, totem_family_letters, "a hut's family");
    return family * TOTEM_HUTS + totem_read_letter(in, "123", "a hut is 1, 2 or 3");
}

void totem_read_people(struct totem_reader *in, struct totem_people *people)
{
    unsigned last = 0, count = 0;
    memset(people, 0, sizeof *people);
    if (totem_accept(in, '-'))
        return;
    do {
        const unsigned kind = totem_read_letter(in, totem_kind_letters, "a list of people, or -");
        if (kind < last || ++count > TOTEM_HUT_PEOPLE_MAX) {
            totem_fail(in, "people stand in their order");
        } else {
            people->of[kind]++;
            last = kind;
        }
    } while (totem_peek_letter(in, totem_kind_letters));
}

void totem_read_huts(struct totem_reader *in, struct totem_people people[TOTEM_HUTS],
                     char separator)
{
    for (unsigned hut = 0; hut < TOTEM_HUTS; hut++) {
        if (hut > 0)
            totem_expect(in, separator, "three lists of people");
        totem_read_people(in, &people[hut]);
    }
}

void totem_read_puts(struct totem_reader *in, struct totem_puts *puts)
{
    unsigned next = 0;
    memset(puts, TOTEM_NONE, sizeof *puts);
    if (totem_accept(in, '-'))
        return;
    do {
        const unsigned spell = totem_read_letter(in, totem_spell_letters, "a spell");
        totem_expect(in, ':', ": after a spell");
        const unsigned hut = totem_read_hut(in);
        if (spell < next)
            totem_fail(in, "spells stand in their order, each once");
        puts->hut[spell] = (uint8_t)hut;
        next = spell + 1;
    } while (totem_accept(in, ','));
}

/* ---- writing */

void totem_write_char(struct totem_writer *out, char c)
{
    assert(out->len + 1 < out->size);
    out->text[out->len++] = c;
}

void totem_write_text(struct totem_writer *out, const char *text)
{
    for (; *text != '\0'; text++)
        totem_write_char(out, *text);
}

void totem_write_number(struct totem_writer *out, unsigned number)
{
    char digits[10];
    size_t n = 0;
    do {
        digits[n++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (n > 0)
        totem_write_char(out, digits[--n]);
}

void totem_write_family(struct totem_writer *out, unsigned family)
{
    assert(family < TOTEM_FAMILIES);
    totem_write_char(out, totem_family_letters[family]);
}

void totem_write_hut(struct totem_writer *out, unsigned hut)
{
    totem_write_family(out, hut / TOTEM_HUTS);
    totem_write_number(out, hut % TOTEM_HUTS + 1);
}

void totem_write_people(struct totem_writer *out, const struct totem_people *people)
{
    if (totem_count(people) == 0)
        totem_write_char(out, '-');
    for (unsigned kind = 0; kind < TOTEM_KINDS; kind++) {
        for (unsigned i = 0; i < people->of[kind]; i++)
            totem_write_char(out, totem_kind_letters[kind]);
    }
}

void totem_write_huts(struct totem_writer *out, const struct totem_people people[TOTEM_HUTS],
                      char separator)
{
    for (unsigned hut = 0; hut < TOTEM_HUTS; hut++) {
        if (hut > 0)
            totem_write_char(out, separator);
        totem_write_people(out, &people[hut]);
    }
}

void totem_write_set(struct totem_writer *out, unsigned set)
{
    if (set == 0)
        totem_write_char(out, '-');
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        if ((set >> spell & 1) != 0)
            totem_write_char(out, totem_spell_letters[spell]);
    }
}

static void write_put(struct totem_writer *out, char letter, unsigned hut, bool *any)
{
    if (*any)
        totem_write_char(out, ',');
    *any = true;
    totem_write_char(out, letter);
    totem_write_char(out, ':');
    totem_write_hut(out, hut);
}

void totem_write_puts(struct totem_writer *out, const struct totem_puts *puts, bool hidden)
{
    bool any = false;
    for (unsigned hut = 0; hidden && hut < TOTEM_HUTS_ALL; hut++) {
        for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
            if (puts->hut[spell] == hut)
                write_put(out, '?', hut, &any);
        }
    }
    for (unsigned spell = 0; !hidden && spell < TOTEM_SPELLS; spell++) {
        if (puts->hut[spell] != TOTEM_NONE)
            write_put(out, totem_spell_letters[spell], puts->hut[spell], &any);
    }
    if (!any)
        totem_write_char(out, '-');
}

size_t totem_writer_done(struct totem_writer *out)
{
    assert(out->len < out->size);
    out->text[out->len] = '\0';
    return out->len;
}
