#include <protocol/account.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_word(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9');
}

bool handle_valid(const char *text, size_t len)
{
    if (len < PROTOCOL_HANDLE_BYTES_MIN || len > PROTOCOL_HANDLE_BYTES || !is_letter(text[0]))
        return false;
    for (size_t at = 1; at < len; at++) {
        const bool joins = (text[at] == '-' || text[at] == '_') && is_word(text[at - 1]);
        if (!is_word(text[at]) && !joins)
            return false;
    }
    return is_word(text[len - 1]);
}
