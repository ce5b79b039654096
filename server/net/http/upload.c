#include "upload.h"

#include "connection.h"
#include "http_head.h"
#include <libwebsockets.h>
#include <site/site.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

struct upload {
    char path[UPLOAD_PATH_MAX + 1];
    char host[HUB_HTTP_NAME_MAX + 1], origin[HUB_HTTP_NAME_MAX + 1];
    bool has_token; /* of a program's */
    char token[PROTOCOL_ACCESS_BYTES + 1];
    bool keep_alive;
    size_t size, len; /* of the body, and how much of it is here */
    char body[];
};

/* Without parameters, as of the charset, which is what the page says it is. */
static bool is_of_type(const struct http_head *head, const char *type)
{
    struct http_text found = head->content_type;
    const char *end = found.len > 0 ? memchr(found.at, ';', found.len) : NULL;
    if (end)
        found.len = (size_t)(end - found.at);
    while (found.len > 0 && (found.at[found.len - 1] == ' ' || found.at[found.len - 1] == '\t'))
        found.len--;
    return found.len > 0 && http_text_is(&found, type);
}

unsigned int upload_check(const struct site_page *page, const struct http_head *head)
{
    if (!page->post_type)
        return HTTP_STATUS_METHOD_NOT_ALLOWED;
    if (!head->has_length)
        return HTTP_STATUS_LENGTH_REQUIRED;
    if (head->length > page->post_bytes)
        return HTTP_STATUS_REQ_ENTITY_TOO_LARGE;
    if (!is_of_type(head, page->post_type))
        return HTTP_STATUS_UNSUPPORTED_MEDIA_TYPE;
    if (head->host.len > HUB_HTTP_NAME_MAX || head->origin.len > HUB_HTTP_NAME_MAX)
        return HTTP_STATUS_BAD_REQUEST;
    return 0;
}

static void copy_name(char *to, const struct http_text *name)
{
    if (name->len > 0)
        memcpy(to, name->at, name->len); /* zeros follow */
}

bool upload_begin(struct connection *connection, const struct http_head *head)
{
    struct upload *upload = calloc(1, sizeof *upload + head->length);
    if (!upload)
        return false;
    upload->keep_alive = head->keep_alive;
    upload->size = head->length;
    copy_name(upload->path, &head->path);
    copy_name(upload->host, &head->host);
    copy_name(upload->origin, &head->origin);
    upload->has_token = http_text_bearer(&head->authorization, upload->token);
    connection->upload = upload;
    connection_hold(connection, sizeof *upload + head->length);
    return true;
}

bool upload_take(struct connection *connection, size_t *used)
{
    struct upload *upload = connection->upload;
    const size_t there = connection->input_len - *used, need = upload->size - upload->len;
    const size_t len = there < need ? there : need;
    if (len > 0)
        memcpy(upload->body + upload->len, connection->input + *used, len);
    upload->len += len;
    *used += len;
    return upload->len == upload->size;
}

struct hub_http_post upload_post(const struct upload *upload)
{
    return (struct hub_http_post){.path = upload->path,
                                  .host = upload->host,
                                  .origin = upload->origin,
                                  .body = upload->body,
                                  .len = upload->len};
}

const char *upload_token(const struct upload *upload)
{
    return upload->has_token ? upload->token : NULL;
}

bool upload_keeps_alive(const struct upload *upload)
{
    return upload->keep_alive;
}

void upload_forget(struct connection *connection)
{
    if (!connection->upload)
        return;
    sodium_memzero(connection->upload->token, sizeof connection->upload->token);
    free(connection->upload);
    connection->upload = NULL;
    connection_let_go(connection);
}
