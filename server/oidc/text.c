#include "text.h"

#include <protocol/json_read.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 8 };

size_t text_bytes(uint8_t *bytes, size_t max, const char *text, size_t len)
{
    size_t count = 0;
    return sodium_base642bin(bytes, max, text, len, NULL, &count, NULL,
                             sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0
               ? count
               : 0;
}

json_t *text_object(const char *text, size_t len, bool *memory)
{
    json_t *value = NULL;
    char *scratch = malloc(len + 1);
    const enum json_read read =
        scratch ? json_read_long(&value, text, len, DEPTH_MAX, scratch) : JSON_READ_NO_MEMORY;
    free(scratch);
    *memory = read != JSON_READ_NO_MEMORY;
    if (json_is_object(value))
        return value;
    json_decref(value);
    return NULL;
}

const char *text_member(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

/* ---- URLs */

static const char *behind(const char *text, const char *start)
{
    const size_t len = strlen(start);
    return strncmp(text, start, len) == 0 ? text + len : NULL;
}

/* Where the host begins; NULL: no such scheme. */
static const char *host_of(const char *url)
{
    const char *host = behind(url, "https://");
    return host ? host : behind(url, "http://");
}

static size_t origin_len(const char *url)
{
    const char *host = host_of(url);
    return host ? (size_t)(host - url) + strcspn(host, "/?") : 0;
}

bool text_is_of_this_machine(const char *url)
{
    static const char *const hosts[] = {"localhost", "127.0.0.1", "[::1]"};
    const char *host = host_of(url);
    for (size_t at = 0; host && at < sizeof hosts / sizeof hosts[0]; at++) {
        const char *rest = behind(host, hosts[at]);
        if (rest && (*rest == ':' || *rest == '/' || *rest == '?' || *rest == '\0'))
            return true;
    }
    return false;
}

/* A name, or an address in its brackets. */
static size_t name_len(const char *host)
{
    static const char NAMES[] = "abcdefghijklmnopqrstuvwxyz0123456789.-";
    if (host[0] != '[')
        return strspn(host, NAMES);
    const size_t len = 1 + strspn(host + 1, "0123456789abcdef:.");
    return len > 2 && host[len] == ']' ? len + 1 : 0;
}

/* False: there is something else behind the name than a port. */
static bool port_is_fine(const char *at, const char **rest)
{
    const size_t digits = *at == ':' ? strspn(at + 1, "0123456789") : 0;
    *rest = *at == ':' ? at + 1 + digits : at;
    return *at != ':' || (digits > 0 && digits <= 5 && at[1] != '0');
}

static bool path_is_fine(const char *path)
{
    static const char MARKS[] = "/-._~!$&'()*+,;=:@%?";
    if (*path != '\0' && *path != '/' && *path != '?')
        return false;
    for (; *path; path++) {
        const bool plain = (*path >= 'a' && *path <= 'z') || (*path >= 'A' && *path <= 'Z') ||
                           (*path >= '0' && *path <= '9');
        if (!plain && !strchr(MARKS, *path))
            return false;
    }
    return true;
}

bool text_is_url(const char *url, size_t max)
{
    const char *host = host_of(url), *rest;
    if (!host || strlen(url) > max || (!behind(url, "https://") && !text_is_of_this_machine(url)))
        return false;
    const size_t len = name_len(host);
    return len > 0 && port_is_fine(host + len, &rest) && path_is_fine(rest);
}

bool text_same_origin(const char *url, const char *other)
{
    const size_t len = origin_len(url);
    return len > 0 && len == origin_len(other) && memcmp(url, other, len) == 0;
}

/* ---- putting together */

static void put_byte(struct text *text, char byte)
{
    if (text->end - text->at < 2) {
        text->full = true;
        return;
    }
    *text->at++ = byte;
    *text->at = '\0';
}

void text_put(struct text *text, const char *bytes)
{
    for (; *bytes; bytes++)
        put_byte(text, *bytes);
}

void text_put_escaped(struct text *text, const char *bytes)
{
    static const char DIGITS[] = "0123456789ABCDEF";
    for (; *bytes; bytes++) {
        const unsigned char byte = (unsigned char)*bytes;
        const bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                           (byte >= '0' && byte <= '9') || strchr("-._~", byte);
        if (plain) {
            put_byte(text, (char)byte);
            continue;
        }
        put_byte(text, '%');
        put_byte(text, DIGITS[byte >> 4]);
        put_byte(text, DIGITS[byte & 15]);
    }
}
