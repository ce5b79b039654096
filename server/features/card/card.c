#include <card/card.h>

#include "asked.h"
#include "picture.h"
#include "png.h"
#include <ctype.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <inttypes.h>
#include <protocol/buffer.h>
#include <protocol/limits.h>
#include <room/drawing.h>
#include <room/room.h>
#include <stdio.h>
#include <string.h>

enum { CARD_BYTES = 16384, SENTENCE_BYTES = 2048 };

/* ---- what it says */

static void add(struct buffer *out, const char *text)
{
    buffer_append(out, text, strlen(text));
}

/* As text or in quotes: what people have written must not become markup. */
static void add_escaped(struct buffer *out, const char *text)
{
    for (; *text; text++) {
        const char *as = *text == '&'    ? "&amp;"
                         : *text == '<'  ? "&lt;"
                         : *text == '>'  ? "&gt;"
                         : *text == '"'  ? "&quot;"
                         : *text == '\'' ? "&#39;"
                                         : NULL;
        if (as)
            add(out, as);
        else
            buffer_append(out, text, 1);
    }
}

/* "Taluva" for "taluva". */
static void write_game(const struct room *room, char *name, size_t size)
{
    (void)snprintf(name, size, "%s", room_game(room));
    name[0] = (char)toupper((unsigned char)name[0]);
}

static const char *first_person(const struct room *room)
{
    for (unsigned seat = 0; seat < room_seats(room); seat++) {
        if (room_seat_session(room, (uint8_t)seat) != 0)
            return room_seat_name(room, (uint8_t)seat);
    }
    return NULL;
}

static void write_title(const struct room *room, char *title, size_t size)
{
    char game[PROTOCOL_NAME_BYTES + 1];
    const char *who = room ? first_person(room) : NULL;
    if (!room) {
        (void)snprintf(title, size, "Taluva");
        return;
    }
    write_game(room, game, sizeof game);
    if (who && room_phase(room) == PROTOCOL_PHASE_LOBBY)
        (void)snprintf(title, size, "%s invites you to %s", who, game);
    else
        (void)snprintf(title, size, "A match of %s", game);
}

/* "Friday evening: Ana, Bo, 2 of 4 seats taken". */
static void write_line(const struct room *room, char *line, size_t size)
{
    unsigned taken = 0;
    size_t len = 0;
    if (!room) {
        (void)snprintf(line, size, "Play with friends, in the browser.");
        return;
    }
    line[0] = '\0';
    if (room_title(room)[0])
        len += (size_t)snprintf(line, size, "%s: ", room_title(room));
    for (uint8_t seat = 0; seat < room_seats(room) && len < size; seat++) {
        const char *name = room_seat_name(room, seat);
        taken += name[0] != '\0';
        if (name[0])
            len += (size_t)snprintf(line + len, size - len, "%s, ", name);
    }
    if (len < size)
        (void)snprintf(line + len, size - len, "%u of %u seats taken", taken, room_seats(room));
}

/* ---- the page */

static void add_property(struct buffer *out, const char *name, const char *before,
                         const char *value)
{
    add(out, "<meta property=\"");
    add(out, name);
    add(out, "\" content=\"");
    add(out, before);
    add_escaped(out, value);
    add(out, "\">\n");
}

/* That of the page, /card.png. */
enum { CARD_PNG_WIDTH = 1200, CARD_PNG_HEIGHT = 630 };

static void add_size(struct buffer *out, unsigned width, unsigned height)
{
    char text[16];
    (void)snprintf(text, sizeof text, "%u", width);
    add_property(out, "og:image:width", "", text);
    (void)snprintf(text, sizeof text, "%u", height);
    add_property(out, "og:image:height", "", text);
}

/*
 * Messengers want the whole address of a picture, so there is one if the page's own is known. That
 * of a match is another with each event, so that what they keep is not shown later.
 */
static void add_picture(const struct hub *hub, const struct asked *asked, const struct room *room,
                        struct buffer *out)
{
    char address[96];
    const struct hub_passkeys *page = kernel_env(hub)->passkeys;
    if (!page || !page->origins[0])
        return;
    if (room && room_has_drawing(room)) {
        (void)snprintf(address, sizeof address, "/api/pictures/%s%s%s?%" PRIu64, asked->room,
                       asked->code[0] ? "/" : "", asked->code, room_seq(room));
        add_property(out, "og:image", page->origins[0], address);
        add_size(out, PNG_WIDTH, PNG_HEIGHT);
    } else {
        add_property(out, "og:image", page->origins[0], "/card.png");
        add_size(out, CARD_PNG_WIDTH, CARD_PNG_HEIGHT);
    }
    add(out, "<meta name=\"twitter:card\" content=\"summary_large_image\">\n");
}

/* The address may have the code of a private room: it is told to no other site, and found by no
 * search. */
static void add_kept_private(struct buffer *out)
{
    add(out, "<meta name=\"referrer\" content=\"no-referrer\">\n"
             "<meta name=\"robots\" content=\"noindex, nofollow\">\n");
}

/* To the page, which is above: relative, as a proxy may have put it anywhere. */
static void add_way(const struct asked *asked, struct buffer *out)
{
    char way[64];
    (void)snprintf(way, sizeof way, "%s#/r/%s%s%s", asked->code[0] ? "../../" : "../", asked->room,
                   asked->code[0] ? "/" : "", asked->code);
    add(out, "<meta http-equiv=\"refresh\" content=\"0; url=");
    add(out, way);
    add(out, "\">\n</head>\n<body><p><a href=\"");
    add(out, way);
    add(out, "\">");
}

static void get_card(struct hub *hub, const char *rest, struct hub_http_answer *answer)
{
    static const char missing[] = "no such page\n";
    char title[SENTENCE_BYTES], line[SENTENCE_BYTES];
    struct asked asked;
    struct buffer out;
    if (!asked_read(rest, &asked)) {
        hub_http_make(answer, STATUS_NOT_FOUND, "", missing, sizeof missing - 1);
        return;
    }
    const struct room *room = asked_room(hub, &asked);
    write_title(room, title, sizeof title);
    write_line(room, line, sizeof line);
    buffer_init(&out, 0, CARD_BYTES);
    add(&out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    add_kept_private(&out);
    add(&out, "<title>");
    add_escaped(&out, title);
    add(&out, "</title>\n");
    add_property(&out, "og:type", "", "website");
    add_property(&out, "og:title", "", title);
    add_property(&out, "og:description", "", line);
    add_picture(hub, &asked, room, &out);
    add_way(&asked, &out);
    add_escaped(&out, title);
    add(&out, "</a></p></body>\n</html>\n");
    if (!out.failed)
        hub_http_make(answer, STATUS_OK, "", buffer_payload(&out), out.len);
    buffer_release(&out);
}

static const struct feature_page pages[] = {
    {"/r/", PAGE_OF_ROOM, "text/html; charset=utf-8", .get = get_card},
    {"/api/pictures/", PAGE_OF_ROOM, "image/png", .begin = picture_begin},
};

const struct feature feature_card = {
    .name = "card",
    .memory = &picture_memory,
    .end = pictures_release,
    .pages = pages,
    .page_count = sizeof pages / sizeof pages[0],
};
