/*
 * A client's connection to the server: over <wire/plain.h>, which costs a fraction of
 * <wire/socket.h>, where that reaches it, and over the other where not: with TLS, or by a name. The
 * functions promise what those of both do that are called alike.
 */
#ifndef LOAD_LINE_H
#define LOAD_LINE_H

#include <wire/plain.h>

/* Through which context to which server; one of the two contexts is NULL. */
struct line_route {
    struct wire_plain_context *plain;
    struct wire_context *full;
    struct wire_url url;
};

/* `source`: an address of ours to connect from, or NULL. The contexts last as long as the process.
 * False: out of memory, or no such address. */
bool line_route_init(struct line_route *route, uv_loop_t *loop, const struct wire_url *url,
                     const char *source, unsigned answer_s);

/* One of the two; neither: there is no connection. Its owner sets it to zeros when it has closed.
 */
struct line {
    struct wire_plain *plain;
    struct wire_socket *full;
};

static inline bool line_is_there(const struct line *line)
{
    return line->plain || line->full;
}

/* False if memory ran out. */
bool line_open(struct line *line, const struct line_route *route,
               const struct wire_socket_events *events, void *user);
bool line_send(const struct line *line, const char *bytes, size_t len);
void line_read(const struct line *line, bool on);
void line_cut(const struct line *line);

#endif
