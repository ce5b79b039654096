#include "upgrade.h"

#include "answer.h"
#include "host_name.h"
#include "http_head.h"
#include "origin.h"
#include <assert.h>
#include <libwebsockets.h>
#include <stdio.h>
#include <string.h>

enum { KEY_LEN = 24 }; /* 16 bytes in base64 */

static bool key_is_valid(const struct http_text *key)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (key->len != KEY_LEN || memcmp(key->at + KEY_LEN - 2, "==", 2) != 0)
        return false;
    for (size_t at = 0; at < KEY_LEN - 2; at++) {
        if (!strchr(digits, key->at[at]))
            return false;
    }
    return true;
}

int upgrade_check(const struct http_head *head)
{
    if (!http_text_is(&head->upgrade, "websocket") || head->method != HTTP_GET)
        return HTTP_STATUS_BAD_REQUEST;
    if (head->path.len != strlen("/ws") || memcmp(head->path.at, "/ws", head->path.len) != 0)
        return HTTP_STATUS_NOT_FOUND;
    if (!http_text_is(&head->version, "13"))
        return STATUS_OTHER_VERSION;
    return head->offers_ours && key_is_valid(&head->key) ? 0 : HTTP_STATUS_BAD_REQUEST;
}

/* False: longer than any that could be meant. */
static bool copy_field(char *to, size_t size, const struct http_text *text)
{
    if (text->len >= size)
        return false;
    if (text->len > 0)
        memcpy(to, text->at, text->len);
    to[text->len] = '\0';
    return true;
}

bool upgrade_host_is_known(const struct http_head *head, const char *const *names,
                           const char *const *origins)
{
    char host[256];
    return !head->host.at ||
           (copy_field(host, sizeof host, &head->host) && host_is_known(host, names, origins));
}

bool upgrade_host_is_named(const struct http_head *head, const char *const *names)
{
    char host[256];
    const bool has_host = head->host.at && copy_field(host, sizeof host, &head->host);
    return !has_host || host_is_named(host, names);
}

bool upgrade_origin_is_allowed(const struct http_head *head, const char *const *allowed)
{
    char origin[256], host[256];
    if (!head->has_origin)
        return true;
    return copy_field(origin, sizeof origin, &head->origin) &&
           copy_field(host, sizeof host, &head->host) && origin_is_allowed(origin, host, allowed);
}

size_t upgrade_write_answer(const struct http_head *head, char to[static UPGRADE_ANSWER_MAX])
{
    static const char salt[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    char salted[KEY_LEN + sizeof salt], accept[32];
    unsigned char digest[20];
    assert(head->key.len == KEY_LEN);
    memcpy(salted, head->key.at, KEY_LEN);
    memcpy(salted + KEY_LEN, salt, sizeof salt);
    lws_SHA1((const unsigned char *)salted, sizeof salted - 1, digest);
    lws_b64_encode_string((const char *)digest, sizeof digest, accept, sizeof accept);
    int len = snprintf(to, UPGRADE_ANSWER_MAX,
                       "HTTP/1.1 101 Switching Protocols\r\n"
                       "Upgrade: WebSocket\r\nConnection: Upgrade\r\n"
                       "Sec-WebSocket-Accept: %s\r\nSec-WebSocket-Protocol: %s\r\n\r\n",
                       accept, UPGRADE_PROTOCOL);
    assert(len > 0 && len < UPGRADE_ANSWER_MAX);
    return (size_t)len;
}
