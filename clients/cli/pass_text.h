/*
 * What makes a program one more device of a player, as people have it before them: a link, or a
 * recovery phrase in groups (protocol/README.md, section 2.12).
 */
#ifndef CLI_PASS_TEXT_H
#define CLI_PASS_TEXT_H

#include <protocol/limits.h>
#include <stdbool.h>
#include <wire/url.h>

enum { PASS_GROUPED = PROTOCOL_PASS_BYTES + PROTOCOL_PASS_BYTES / 4 };

struct pass_text {
    char pass[PROTOCOL_PASS_BYTES + 1];
    char server[WIRE_URL_TEXT]; /* of a link: where it leads, for wire_url_parse; else "" */
};

/* What somebody has typed or copied. False: it is neither, or there is a slip in it. */
bool pass_text_read(struct pass_text *text, const char *typed);

/* In groups of four, to be written down. */
void pass_text_group(char grouped[PASS_GROUPED], const char *pass);

/* The link that the page of the server understands. */
enum { PASS_LINK = WIRE_URL_TEXT + 8 + PROTOCOL_PASS_BYTES };
void pass_text_link(char link[PASS_LINK], const struct wire_url *url, const char *pass);

#endif
