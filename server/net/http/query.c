#include "query.h"

#include <protocol/encoding.h>
#include <stdint.h>
#include <string.h>

/* False: see QUERY_BAD. */
static bool unescape(const char *at, const char *end, char *value, size_t size)
{
    size_t len = 0;
    while (at < end) {
        uint8_t byte = (uint8_t)*at;
        const bool escaped = *at == '%';
        if (escaped && (end - at < 3 || !hex_decode(&byte, 1, at + 1, 2)))
            return false;
        if (!escaped && byte == '+')
            byte = ' ';
        if (byte < ' ' || byte == 0x7f || len + 1 >= size)
            return false;
        value[len++] = (char)byte;
        at += escaped ? 3 : 1;
    }
    value[len] = '\0';
    return true;
}

enum query_found query_find(struct http_text query, const char *name, char *value, size_t size)
{
    const size_t name_len = strlen(name);
    const char *at = query.at, *end = at ? at + query.len : NULL;
    enum query_found found = QUERY_ABSENT;
    while (at < end) {
        const char *mark = memchr(at, '&', (size_t)(end - at));
        const char *stop = mark ? mark : end;
        if ((size_t)(stop - at) > name_len && memcmp(at, name, name_len) == 0 &&
            at[name_len] == '=') {
            if (found != QUERY_ABSENT || !unescape(at + name_len + 1, stop, value, size))
                return QUERY_BAD;
            found = QUERY_FOUND;
        }
        at = stop + (mark != NULL);
    }
    return found;
}
