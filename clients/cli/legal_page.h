/*
 * Legal moves as a person would type them, a page at a time. Knows no screen.
 */
#ifndef CLI_LEGAL_PAGE_H
#define CLI_LEGAL_PAGE_H

#include <cli/game.h>

struct legal_page {
    const struct game *game;
    const struct game_room *room;
    const json_t *legal; /* the server's answer */
    const char *filter;  /* lists what has this in it; a number in it is a whole one */
    size_t skip;         /* so many were listed before */
    int columns, rows;   /* of the list itself; a line or two are added */
};

/* Prints the page, and how many moves are left. Returns how many it has. */
size_t legal_page_print(const struct legal_page *page, FILE *out);

#endif
