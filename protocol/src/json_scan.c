#include "json_scan.h"

#include <protocol/text.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct scanner {
    const char *at, *end;
    unsigned depth, depth_max;
    bool too_deep;
};

static void skip_space(struct scanner *scanner)
{
    while (scanner->at < scanner->end && (*scanner->at == ' ' || *scanner->at == '\t' ||
                                          *scanner->at == '\n' || *scanner->at == '\r'))
        scanner->at++;
}

static bool accept(struct scanner *scanner, char byte)
{
    if (scanner->at == scanner->end || *scanner->at != byte)
        return false;
    scanner->at++;
    return true;
}

static bool word(struct scanner *scanner, const char *text)
{
    size_t len = strlen(text);
    if ((size_t)(scanner->end - scanner->at) < len || memcmp(scanner->at, text, len) != 0)
        return false;
    scanner->at += len;
    return true;
}

static bool digits(struct scanner *scanner)
{
    const char *from = scanner->at;
    while (scanner->at < scanner->end && *scanner->at >= '0' && *scanner->at <= '9')
        scanner->at++;
    return scanner->at > from;
}

static bool number(struct scanner *scanner)
{
    (void)accept(scanner, '-');
    if (!accept(scanner, '0') && !digits(scanner))
        return false;
    if (accept(scanner, '.') && !digits(scanner))
        return false;
    if (accept(scanner, 'e') || accept(scanner, 'E')) {
        (void)(accept(scanner, '+') || accept(scanner, '-'));
        return digits(scanner);
    }
    return true;
}

/* The four digits behind \u; UTF8_BAD if they are none. */
static uint32_t four_digits(struct scanner *scanner)
{
    uint32_t unit = 0;
    for (int i = 0; i < 4; i++) {
        static const char HEX[] = "0123456789abcdef0123456789ABCDEF";
        const char *digit =
            scanner->at < scanner->end && *scanner->at ? strchr(HEX, *scanner->at) : NULL;
        if (!digit)
            return UTF8_BAD;
        unit = unit << 4 | (uint32_t)((digit - HEX) & 15);
        scanner->at++;
    }
    return unit;
}

/* What follows \u: a character, or a pair of surrogates; not U+0000. */
static bool unicode_escape(struct scanner *scanner)
{
    uint32_t unit = four_digits(scanner);
    if (unit == UTF8_BAD || unit == 0 || (unit >= 0xdc00 && unit <= 0xdfff))
        return false;
    if (unit < 0xd800 || unit > 0xdbff)
        return true;
    if (!word(scanner, "\\u"))
        return false;
    unit = four_digits(scanner);
    return unit >= 0xdc00 && unit <= 0xdfff;
}

static bool escape(struct scanner *scanner)
{
    if (scanner->at == scanner->end)
        return false;
    char byte = *scanner->at++;
    return byte == 'u' ? unicode_escape(scanner) : byte != '\0' && strchr("\"\\/bfnrt", byte);
}

static bool string(struct scanner *scanner)
{
    if (!accept(scanner, '"'))
        return false;
    while (scanner->at < scanner->end) {
        uint32_t point = utf8_next(&scanner->at, scanner->end);
        if (point == '"')
            return true;
        if (point == UTF8_BAD || point < 0x20 || (point == '\\' && !escape(scanner)))
            return false;
    }
    return false;
}

static bool value(struct scanner *scanner);

static bool member(struct scanner *scanner)
{
    skip_space(scanner);
    if (!string(scanner))
        return false;
    skip_space(scanner);
    return accept(scanner, ':') && value(scanner);
}

/* Behind the opening bracket: items with commas between, then `close`. */
static bool items(struct scanner *scanner, bool (*item)(struct scanner *), char close)
{
    if (++scanner->depth > scanner->depth_max) {
        scanner->too_deep = true;
        return false;
    }
    skip_space(scanner);
    if (!accept(scanner, close)) {
        do {
            if (!item(scanner))
                return false;
            skip_space(scanner);
        } while (accept(scanner, ','));
        if (!accept(scanner, close))
            return false;
    }
    scanner->depth--;
    return true;
}

/* Recurses no deeper than depth_max. */
static bool value(struct scanner *scanner)
{
    skip_space(scanner);
    if (accept(scanner, '{'))
        return items(scanner, member, '}');
    if (accept(scanner, '['))
        return items(scanner, value, ']');
    if (scanner->at < scanner->end && *scanner->at == '"')
        return string(scanner);
    return word(scanner, "true") || word(scanner, "false") || word(scanner, "null") ||
           number(scanner);
}

enum json_scan json_scan(const char *bytes, size_t len, unsigned depth_max)
{
    struct scanner scanner = {.at = bytes, .end = bytes + len, .depth_max = depth_max};
    bool fine = value(&scanner);
    skip_space(&scanner);
    if (scanner.too_deep)
        return JSON_SCAN_TOO_DEEP;
    return fine && scanner.at == scanner.end ? JSON_SCAN_FINE : JSON_SCAN_BAD;
}
