#include "line.h"

#include <protocol/limits.h>

bool line_route_init(struct line_route *route, uv_loop_t *loop, const struct wire_url *url,
                     const char *source, unsigned answer_s)
{
    *route = (struct line_route){.url = *url};
    if (wire_plain_reaches(url)) {
        const struct wire_plain_config config = {
            .loop = loop,
            .subprotocol = PROTOCOL_SUBPROTOCOL,
            .source = source,
        };
        route->plain = wire_plain_context_create(&config);
        return route->plain != NULL;
    }
    route->full = wire_context_create(loop, NULL, answer_s);
    return route->full && wire_context_source(route->full, source ? source : "");
}

bool line_open(struct line *line, const struct line_route *route,
               const struct wire_socket_events *events, void *user)
{
    *line = (struct line){NULL, NULL};
    if (route->plain)
        line->plain = wire_plain_open(route->plain, &route->url, events, user);
    else
        line->full = wire_socket_open(route->full, &route->url, events, user);
    return line_is_there(line);
}

bool line_send(const struct line *line, const char *bytes, size_t len)
{
    return line->plain ? wire_plain_send(line->plain, bytes, len)
                       : wire_socket_send(line->full, bytes, len);
}

void line_read(const struct line *line, bool on)
{
    if (line->plain)
        wire_plain_read(line->plain, on);
    else
        wire_socket_read(line->full, on);
}

void line_cut(const struct line *line)
{
    if (line->plain)
        wire_plain_cut(line->plain);
    else
        wire_socket_cut(line->full);
}
