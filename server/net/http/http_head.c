#define _GNU_SOURCE /* memmem */
#include "http_head.h"

#include <string.h>
#include <strings.h>

struct parser {
    struct http_head *head;
    const char *protocol;
    const char *at, *end; /* the rest of the head */
    bool version_1_1;
    bool close, upgrade; /* of Connection */
    bool has_length, has_body, has_transfer;
};

static bool is_word(const char *at, size_t len, const char *word)
{
    return strlen(word) == len && strncasecmp(at, word, len) == 0;
}

bool http_text_is(const struct http_text *text, const char *word)
{
    return is_word(text->at, text->len, word);
}

static bool is_token(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || (byte != '\0' && strchr("!#$%&'*+-.^_`|~", byte));
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

static struct http_text trimmed_text(const char *begin, const char *end)
{
    while (begin < end && is_blank(*begin))
        begin++;
    while (begin < end && is_blank(end[-1]))
        end--;
    return (struct http_text){begin, (size_t)(end - begin)};
}

/* ---- lists */

/* The next element of a list with commas; false at its end. */
static bool next_element(struct http_text *rest, struct http_text *element)
{
    if (!rest->at)
        return false;
    const char *comma = memchr(rest->at, ',', rest->len), *end = rest->at + rest->len;
    *element = trimmed_text(rest->at, comma ? comma : end);
    rest->at = comma ? comma + 1 : NULL;
    rest->len = comma ? (size_t)(end - comma - 1) : 0;
    return true;
}

/* "gzip", or "gzip;q=0.5"; a weight of nothing says that it is not wanted. */
static bool accepts(const struct http_text *element, const char *coding)
{
    const char *end = element->at + element->len;
    const char *semicolon = memchr(element->at, ';', element->len);
    const struct http_text name = trimmed_text(element->at, semicolon ? semicolon : end);
    if (!http_text_is(&name, coding))
        return false;
    if (!semicolon)
        return true;
    const struct http_text weight = trimmed_text(semicolon + 1, end);
    bool any = false;
    for (size_t at = 0; at < weight.len; at++)
        any = any || (weight.at[at] >= '1' && weight.at[at] <= '9');
    return any;
}

bool http_list_accepts(struct http_text list, const char *coding)
{
    struct http_text element;
    while (next_element(&list, &element)) {
        if (accepts(&element, coding))
            return true;
    }
    return false;
}

bool http_list_has_tag(struct http_text list, const char *tag)
{
    struct http_text element;
    while (next_element(&list, &element)) {
        const size_t weak = element.len > 2 && memcmp(element.at, "W/", 2) == 0 ? 2 : 0;
        const struct http_text known = {element.at + weak, element.len - weak};
        if (http_text_is(&known, "*") ||
            (known.len == strlen(tag) && memcmp(known.at, tag, known.len) == 0))
            return true;
    }
    return false;
}

static void read_connection(struct parser *parser, struct http_text list)
{
    struct http_text element;
    while (next_element(&list, &element)) {
        parser->close |= http_text_is(&element, "close");
        parser->upgrade |= http_text_is(&element, "upgrade");
    }
}

static void read_protocols(struct parser *parser, struct http_text list)
{
    struct http_text element;
    while (next_element(&list, &element)) {
        if (element.len == strlen(parser->protocol) &&
            memcmp(element.at, parser->protocol, element.len) == 0)
            parser->head->offers_ours = true;
    }
}

/* A proxy may add a field of its own behind what the client sent. */
static void read_forwarded(struct http_head *head, struct http_text value)
{
    size_t have = strlen(head->forwarded), comma = head->forwarded_for;
    head->forwarded_for = true;
    if (have + comma + value.len >= sizeof head->forwarded) {
        head->forwarded_long = true;
        return;
    }
    if (comma)
        head->forwarded[have] = ',';
    memcpy(head->forwarded + have + comma, value.at, value.len); /* zeros follow */
}

/* ---- fields */

/* Once, and a number that cannot be misread. */
static bool read_length(struct parser *parser, struct http_text value)
{
    enum { DIGITS_MAX = 18 };
    if (parser->has_length || value.len == 0 || value.len > DIGITS_MAX)
        return false;
    parser->has_length = true;
    for (size_t at = 0; at < value.len; at++) {
        if (value.at[at] < '0' || value.at[at] > '9')
            return false;
        parser->head->length = parser->head->length * 10 + (size_t)(value.at[at] - '0');
    }
    parser->has_body = parser->head->length > 0;
    return true;
}

/* A field of which there may be one. */
static bool read_single(struct http_text *field, struct http_text value)
{
    if (field->at)
        return false;
    *field = value;
    return true;
}

static bool is_of_proxies(const struct http_text *name)
{
    static const char *const names[] = {"forwarded",         "via",
                                        "x-forwarded-for",   "x-forwarded-host",
                                        "x-forwarded-proto", "x-real-ip"};
    for (size_t at = 0; at < sizeof names / sizeof names[0]; at++) {
        if (http_text_is(name, names[at]))
            return true;
    }
    return false;
}

static bool read_value(struct parser *parser, struct http_text name, struct http_text value)
{
    struct http_head *head = parser->head;
    const struct {
        const char *name;
        struct http_text *field;
    } singles[] = {
        {"host", &head->host},
        {"origin", &head->origin},
        {"upgrade", &head->upgrade},
        {"sec-websocket-key", &head->key},
        {"sec-websocket-version", &head->version},
        {"content-type", &head->content_type},
        {"authorization", &head->authorization},
    };
    for (size_t at = 0; at < sizeof singles / sizeof singles[0]; at++) {
        if (http_text_is(&name, singles[at].name))
            return read_single(singles[at].field, value);
    }
    if (http_text_is(&name, "transfer-encoding")) {
        parser->has_transfer = true; /* nothing here reads such a body */
        return true;
    }
    if (http_text_is(&name, "content-length"))
        return read_length(parser, value);
    if (http_text_is(&name, "connection"))
        read_connection(parser, value);
    else if (http_text_is(&name, "sec-websocket-protocol"))
        read_protocols(parser, value);
    else if (http_text_is(&name, "x-forwarded-for"))
        read_forwarded(head, value);
    else if (http_text_is(&name, "expect"))
        head->waits = http_text_is(&value, "100-continue");
    else if (http_text_is(&name, "accept-encoding"))
        head->accept_encoding = value;
    else if (http_text_is(&name, "if-none-match"))
        head->if_none_match = value;
    head->through_proxy |= is_of_proxies(&name);
    return true;
}

/* A line is what stands before CRLF. Neither of the two stands alone, and there are no other
 * control characters but tabs. */
static bool next_line(struct parser *parser, struct http_text *line)
{
    const char *at = parser->at;
    while (at < parser->end && ((unsigned char)*at >= 0x20 || *at == '\t') && *at != 0x7f)
        at++;
    if (parser->end - at < 2 || at[0] != '\r' || at[1] != '\n')
        return false;
    *line = (struct http_text){parser->at, (size_t)(at - parser->at)};
    parser->at = at + 2;
    return true;
}

/* No blank before the colon, and none before the name, which once continued the line before. */
static bool read_field(struct parser *parser, struct http_text line)
{
    const char *colon = memchr(line.at, ':', line.len);
    if (!colon || colon == line.at)
        return false;
    struct http_text name = {line.at, (size_t)(colon - line.at)};
    for (size_t at = 0; at < name.len; at++) {
        if (!is_token(name.at[at]))
            return false;
    }
    return read_value(parser, name, trimmed_text(colon + 1, line.at + line.len));
}

/* ---- the first line */

/* Takes what stands before the next blank; false if there is nothing, or no blank. */
static bool next_word(struct http_text *line, struct http_text *word)
{
    const char *blank = memchr(line->at, ' ', line->len);
    if (!blank || blank == line->at)
        return false;
    *word = (struct http_text){line->at, (size_t)(blank - line->at)};
    line->len -= word->len + 1;
    line->at = blank + 1;
    return true;
}

/* A blank and the version follow it, so its beginning can be compared with whatever is shorter.
 * "/path?query" or "http://host/path?query", of which the path; "*" stays what it is. */
static bool read_target(struct http_head *head, struct http_text target)
{
    for (size_t at = 0; at < target.len; at++) {
        /* The only control character that a line may have is a tab. */
        if (target.at[at] == '\t' || (unsigned char)target.at[at] >= 0x80)
            return false;
    }
    size_t scheme = 0;
    if (strncasecmp(target.at, "http://", 7) == 0)
        scheme = 7;
    else if (strncasecmp(target.at, "https://", 8) == 0)
        scheme = 8;
    const char *end = target.at + target.len, *begin = target.at;
    if (scheme) {
        begin = memchr(target.at + scheme, '/', target.len - scheme);
        if (!begin || begin == target.at + scheme)
            return false; /* no path, or no host */
    }
    bool star = target.len == 1 && *target.at == '*';
    if (*begin != '/' && !star)
        return false;
    const char *query = memchr(begin, '?', (size_t)(end - begin));
    head->path = (struct http_text){begin, (size_t)((query ? query : end) - begin)};
    if (query)
        head->query = (struct http_text){query + 1, (size_t)(end - query - 1)};
    return true;
}

static bool read_first_line(struct parser *parser, struct http_text line)
{
    struct http_head *head = parser->head;
    struct http_text method, target;
    if (!next_word(&line, &method) || !next_word(&line, &target))
        return false;
    for (size_t at = 0; at < method.len; at++) {
        if (!is_token(method.at[at]))
            return false;
    }
    head->method = HTTP_OTHER; /* names of methods are told apart by case */
    if (method.len == 3 && memcmp(method.at, "GET", 3) == 0)
        head->method = HTTP_GET;
    else if (method.len == 4 && memcmp(method.at, "HEAD", 4) == 0)
        head->method = HTTP_HEAD;
    else if (method.len == 4 && memcmp(method.at, "POST", 4) == 0)
        head->method = HTTP_POST;
    bool version_1 = line.len == 8 && memcmp(line.at, "HTTP/1.", 7) == 0;
    if (!version_1 || (line.at[7] != '0' && line.at[7] != '1'))
        return false;
    parser->version_1_1 = line.at[7] == '1';
    return read_target(head, target);
}

/* ---- the head */

static bool read_lines(struct parser *parser)
{
    struct http_head *head = parser->head;
    struct http_text line;
    if (!next_line(parser, &line) || !read_first_line(parser, line))
        return false;
    head->fields = (struct http_text){parser->at, (size_t)(parser->end - parser->at)};
    for (;;) {
        if (!next_line(parser, &line))
            return false;
        if (line.len == 0)
            break;
        if (!read_field(parser, line))
            return false;
    }
    if (parser->version_1_1 && !head->host.at)
        return false;
    /* Two ways to say where a body ends are one too many, and so is one that is not read. */
    const bool may_end = head->method == HTTP_POST && !parser->has_length;
    if (parser->has_transfer && !may_end)
        return false;
    head->has_length = parser->has_length;
    head->has_origin = head->origin.at != NULL;
    head->wants_upgrade = parser->upgrade && head->upgrade.len > 0 && parser->version_1_1;
    if (head->wants_upgrade && parser->has_body)
        return false;
    const bool reads_body = head->method == HTTP_POST && parser->has_length;
    head->keep_alive = parser->version_1_1 && !parser->close && (reads_body || !parser->has_body);
    head->keep_alive = head->keep_alive && !parser->has_transfer;
    return true;
}

/* Where the head ends: behind its empty line. NULL: not yet. */
static const char *find_end(const char *bytes, const char *end)
{
    const char *empty_line = memmem(bytes, (size_t)(end - bytes), "\r\n\r\n", 4);
    return empty_line ? empty_line + 4 : NULL;
}

/* Bytes that no head begins with need no waiting for more. */
static bool may_become_one(const char *bytes, const char *end)
{
    for (const char *at = bytes; at < end && *at != ' '; at++) {
        if (!is_token(*at))
            return false;
    }
    return bytes == end || *bytes != ' ';
}

enum http_parsed http_head_parse(struct http_head *head, const char *bytes, size_t len,
                                 const char *protocol, size_t *used)
{
    const char *begin = bytes, *end = bytes + len;
    while (end - begin >= 2 && begin[0] == '\r' && begin[1] == '\n')
        begin += 2; /* some clients send empty lines behind a body */
    *used = (size_t)(begin - bytes);
    bool line_begun = end - begin == 1 && *begin == '\r';
    if (!line_begun && !may_become_one(begin, end))
        return HTTP_BAD;
    const char *head_end = find_end(begin, end);
    size_t head_len = (size_t)((head_end ? head_end : end) - begin);
    if (head_len > HTTP_HEAD_MAX || (!head_end && head_len == HTTP_HEAD_MAX))
        return HTTP_TOO_LARGE;
    if (!head_end)
        return HTTP_INCOMPLETE;
    *head = (struct http_head){.method = HTTP_OTHER};
    struct parser parser = {.head = head, .protocol = protocol, .at = begin, .end = head_end};
    *used = (size_t)(head_end - bytes);
    return read_lines(&parser) && parser.at == head_end ? HTTP_COMPLETE : HTTP_BAD;
}

/* They were read before: each has its colon. */
enum http_field http_head_find(const struct http_head *head, const char *name,
                               struct http_text *value)
{
    const char *at = head->fields.at, *end = at + head->fields.len;
    enum http_field found = HTTP_ABSENT;
    while (at < end) {
        const char *stop = memchr(at, '\r', (size_t)(end - at));
        const char *colon = memchr(at, ':', (size_t)(stop - at));
        if (colon && is_word(at, (size_t)(colon - at), name)) {
            if (found == HTTP_FOUND)
                return HTTP_TWICE;
            *value = trimmed_text(colon + 1, stop);
            found = HTTP_FOUND;
        }
        at = stop + 2;
    }
    return found;
}

bool http_text_bearer(const struct http_text *authorization,
                      char token[static PROTOCOL_ACCESS_BYTES + 1])
{
    static const char scheme[] = "Bearer";
    enum { SCHEME = sizeof scheme - 1 };
    const char *at = authorization->at;
    token[0] = '\0';
    if (authorization->len < SCHEME || strncasecmp(at, scheme, SCHEME) != 0 ||
        (authorization->len > SCHEME && at[SCHEME] != ' '))
        return false;
    const char *const end = at + authorization->len;
    for (at += SCHEME; at < end && *at == ' ';)
        at++;
    if (end - at <= PROTOCOL_ACCESS_BYTES) {
        memcpy(token, at, (size_t)(end - at));
        token[end - at] = '\0';
    }
    return true;
}
