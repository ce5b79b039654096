#include "poster.h"

#include <push/poster.h>
#include <push/service.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool push_posting_begin(char message[static PUSH_MESSAGE_MAX])
{
    if (!libcurl_load(message, PUSH_MESSAGE_MAX))
        return false;
    snprintf(message, PUSH_MESSAGE_MAX, "libcurl cannot start");
    return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

void push_posting_end(void)
{
    curl_global_cleanup();
}

/* ---- called by libcurl */

/* Anything but `len` ends the transfer. */
static size_t count_bytes(const char *bytes, size_t size, size_t len, void *ctx)
{
    struct push_poster *poster = ctx;
    (void)bytes;
    poster->received += size * len;
    return poster->received > poster->most ? 0 : size * len;
}

static size_t take_body(const char *bytes, size_t size, size_t len, void *ctx)
{
    struct push_poster *poster = ctx;
    if (poster->body && size * len > poster->body_max - poster->body_len)
        return 0;
    if (poster->body)
        memcpy(poster->body + poster->body_len, bytes, size * len);
    poster->body_len += poster->body ? size * len : 0;
    return count_bytes(bytes, size, len, ctx);
}

/* After the name was looked up, so a name that leads into the local network does not help. */
static curl_socket_t open_socket(void *ctx, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct push_poster *poster = ctx;
    (void)purpose;
    if (!poster->named && !push_address_is_public(&address->addr)) {
        poster->not_public = true;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* Called at least once a second. Anything but 0 ends the transfer. */
static int look_up(void *ctx, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
    const struct push_poster *poster = ctx;
    (void)a, (void)b, (void)c, (void)d;
    return poster->cancel && atomic_load(poster->cancel);
}

/* ---- one poster */

/* What holds for every message. False: this libcurl does not know an option, or no memory. */
static bool set_up(struct push_poster *poster)
{
    CURL *curl = poster->curl;
    return curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PROXY, "") == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_MAXCONNECTS, 4L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_socket) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, poster) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, look_up) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_XFERINFODATA, poster) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_WRITEDATA, poster) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, count_bytes) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HEADERDATA, poster) == CURLE_OK;
}

struct push_poster *push_poster_create(void)
{
    struct push_poster *poster = calloc(1, sizeof *poster);
    if (!poster)
        return NULL;
    poster->curl = curl_easy_init();
    if (poster->curl && set_up(poster))
        return poster;
    push_poster_destroy(poster);
    return NULL;
}

void push_poster_destroy(struct push_poster *poster)
{
    if (poster)
        curl_easy_cleanup(poster->curl);
    free(poster);
}
