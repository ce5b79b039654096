/*
 * The head of an HTTP/1.1 request (RFC 9112), as strictly as the standard allows: whatever a proxy
 * could understand differently is refused, which prevents request smuggling. Bytes in, a struct
 * out; knows no socket.
 */
#ifndef NET_HTTP_HEAD_H
#define NET_HTTP_HEAD_H

#include <protocol/limits.h>
#include <stdbool.h>
#include <stddef.h>

enum { HTTP_HEAD_MAX = 16384, HTTP_FORWARDED_MAX = 512 };

/* Within the bytes that were parsed, without a NUL; of length 0 if the field is missing. */
struct http_text {
    const char *at;
    size_t len;
};

enum http_method { HTTP_GET, HTTP_HEAD, HTTP_POST, HTTP_OTHER };

struct http_head {
    enum http_method method;
    bool keep_alive;     /* the connection may be used again; no body either, but of POST */
    bool wants_upgrade;  /* Connection: upgrade, and a field Upgrade */
    bool offers_ours;    /* our protocol is among Sec-WebSocket-Protocol */
    bool forwarded_for;  /* there is a field X-Forwarded-For */
    bool through_proxy;  /* that, or another one that only proxies write */
    bool forwarded_long; /* and it does not fit */
    bool has_origin;
    bool has_length;         /* of POST: says how long its body is; else that cannot be known */
    bool waits;              /* Expect: 100-continue, for the word that the body may come */
    size_t length;           /* of the body */
    struct http_text path;   /* as it was sent, without the query */
    struct http_text query;  /* what follows the "?" */
    struct http_text fields; /* all of them, each with its line's end; see http_head_find */
    struct http_text host, origin, upgrade, key, version, accept_encoding, if_none_match;
    struct http_text content_type, authorization;
    char forwarded[HTTP_FORWARDED_MAX]; /* all fields X-Forwarded-For, joined with commas */
};

enum http_parsed {
    HTTP_INCOMPLETE,
    HTTP_COMPLETE, /* `*used` bytes of it */
    HTTP_BAD,      /* what follows cannot be told apart: answer and close */
    HTTP_TOO_LARGE,
};

/* `protocol` is the WebSocket subprotocol that `offers_ours` speaks of. */
enum http_parsed http_head_parse(struct http_head *head, const char *bytes, size_t len,
                                 const char *protocol, size_t *used);

/* A field that few need, whatever the case of its name; of length 0 if there is nothing in it. */
enum http_field { HTTP_ABSENT, HTTP_FOUND, HTTP_TWICE };
enum http_field http_head_find(const struct http_head *head, const char *name,
                               struct http_text *value);

bool http_text_is(const struct http_text *text, const char *word); /* without regard to case */
/*
 * Of Authorization: what stands behind "Bearer". False: there is no such field, or it is of another
 * scheme, as a proxy may have asked for. One that is too long becomes "", which is no token.
 */
bool http_text_bearer(const struct http_text *authorization,
                      char token[static PROTOCOL_ACCESS_BYTES + 1]);
/* Of Accept-Encoding: is that coding one of those, with a weight above 0? */
bool http_list_accepts(struct http_text list, const char *coding);
/* Of If-None-Match: is the tag, with its quotes, one of those, weak or not; or are they all? */
bool http_list_has_tag(struct http_text list, const char *tag);

#endif
