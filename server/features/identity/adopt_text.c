#include "adopt_text.h"

#include <protocol/encoding.h>
#include <string.h>

struct adopt_text adopt_text_of(const struct store_letter *letter)
{
    return (struct adopt_text){letter->text, letter->text + letter->text_len, false};
}

static void skip_blank(struct adopt_text *text)
{
    if (text->at == text->end)
        return;
    text->wrong |= *text->at != ' ';
    text->at++;
}

void adopt_text_bytes(struct adopt_text *text, uint8_t *bytes, unsigned count)
{
    const size_t digits = (size_t)count * 2;
    memset(bytes, 0, count);
    text->wrong |= (size_t)(text->end - text->at) < digits;
    if (text->wrong)
        return;
    text->wrong |= !hex_decode(bytes, count, text->at, digits);
    text->at += digits;
    skip_blank(text);
}

uint64_t adopt_text_number(struct adopt_text *text, unsigned digits)
{
    uint8_t bytes[ADOPT_ID_DIGITS / 2];
    uint64_t number = 0;
    adopt_text_bytes(text, bytes, digits / 2);
    for (unsigned at = 0; at < digits / 2; at++)
        number = number << 8 | bytes[at];
    return text->wrong ? 0 : number;
}

char adopt_text_word(struct adopt_text *text, const char *words)
{
    const char word = text->at < text->end ? *text->at : '\0';
    text->wrong |= word == '\0' || !strchr(words, word);
    if (text->wrong)
        return '\0';
    text->at++;
    skip_blank(text);
    return word;
}

bool adopt_text_is_read(const struct adopt_text *text)
{
    return !text->wrong && text->at == text->end;
}
