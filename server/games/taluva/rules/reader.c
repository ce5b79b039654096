#include "reader.h"

#include <assert.h>
#include <string.h>

void rules_reader_init(struct rules_reader *in, const char *text, size_t len)
{
    memset(in, 0, sizeof *in);
    in->text = text;
    in->len = len;
}

bool rules_reader_fail(struct rules_reader *in, size_t offset, enum taluva_notation_status status,
                       const char *what)
{
    if (rules_reader_ok(in))
        in->error = (struct taluva_notation_error){status, offset, what};
    return false;
}

bool rules_reader_done(struct rules_reader *in, struct taluva_notation_error *error)
{
    if (in->at < in->len)
        rules_reader_fail(in, in->at, TALUVA_NOTATION_TRAILING, "something follows");
    if (error)
        *error = in->error;
    return rules_reader_ok(in);
}

char rules_peek(const struct rules_reader *in)
{
    return rules_reader_ok(in) && in->at < in->len ? in->text[in->at] : '\0';
}

bool rules_accept(struct rules_reader *in, char c)
{
    if (!rules_reader_ok(in) || in->at >= in->len || in->text[in->at] != c)
        return false;
    in->at++;
    return true;
}

bool rules_expect(struct rules_reader *in, char c, const char *what)
{
    return rules_accept(in, c) || rules_reader_fail(in, in->at, TALUVA_NOTATION_SYNTAX, what);
}

/* Whether `word`, which ends with 0, is just these bytes. */
static bool is_word(const char *word, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (word[i] == '\0' || word[i] != bytes[i])
            return false;
    }
    return word[n] == '\0';
}

static bool is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || c == '-';
}

unsigned rules_read_word(struct rules_reader *in, const char *const *words, unsigned n,
                         const char *what)
{
    size_t end = in->at;
    while (end < in->len && is_word_char(in->text[end]))
        end++;
    for (unsigned i = 0; i < n && rules_reader_ok(in); i++) {
        if (is_word(words[i], in->text + in->at, end - in->at)) {
            in->at = end;
            return i;
        }
    }
    rules_reader_fail(in, in->at, TALUVA_NOTATION_SYNTAX, what);
    return 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

unsigned rules_read_number(struct rules_reader *in, unsigned max, const char *what)
{
    const size_t start = in->at;
    unsigned number = 0;
    while (is_digit(rules_peek(in))) {
        if (in->at > start && in->text[start] == '0') {
            rules_reader_fail(in, start, TALUVA_NOTATION_NOT_CANONICAL, "a leading zero");
            return 0;
        }
        number = number * 10 + (unsigned)(in->text[in->at] - '0');
        if (number > max) {
            rules_reader_fail(in, start, TALUVA_NOTATION_RANGE, what);
            return 0;
        }
        in->at++;
    }
    if (in->at == start)
        rules_reader_fail(in, start, TALUVA_NOTATION_SYNTAX, what);
    return number;
}

bool rules_text_equal(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

void rules_write_text(struct rules_writer *out, const char *text)
{
    for (; *text != '\0'; text++)
        rules_write_char(out, *text);
}

void rules_write_number(struct rules_writer *out, int number)
{
    char digits[12];
    size_t n = 0;
    if (number >= 0 && number < 10) {
        rules_write_char(out, (char)('0' + number));
        return;
    }
    unsigned left = number < 0 ? 0u - (unsigned)number : (unsigned)number;
    do {
        digits[n++] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (number < 0)
        rules_write_char(out, '-');
    while (n > 0)
        rules_write_char(out, digits[--n]);
}

size_t rules_writer_done(struct rules_writer *out)
{
    assert(out->len < out->size);
    out->text[out->len] = '\0';
    return out->len;
}
