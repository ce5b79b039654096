/*
 * A command of Totem that is put together by keys: a table with a line for each kind of people or
 * spell, a column for each hut, and how many of them are meant there. Every decision of the game
 * is such a table. Knows what the server asks (`asked` of its answer to `moves`), no rules.
 */
#ifndef CLI_TOTEM_FORM_H
#define CLI_TOTEM_FORM_H

#include "village.h"

enum {
    FORM_ROWS = VILLAGE_SPELLS,
    FORM_COLUMNS = VILLAGE_FAMILIES * VILLAGE_HUTS,
    FORM_KIND = 8, /* bytes of "reveal" */
};

struct form {
    char kind[FORM_KIND]; /* as the server calls it: "settle"; "" while it is closed */
    char family;
    char from; /* starve, take: whose people go */
    int rows, columns;
    char letters[FORM_ROWS + 1];      /* of the lines: kinds of people or spells */
    char columns_of[FORM_COLUMNS][3]; /* "R1"; "" where no hut is meant */
    int value[FORM_ROWS][FORM_COLUMNS];
    int most[FORM_ROWS][FORM_COLUMNS]; /* of each cell */
    int row_most[FORM_ROWS];           /* of a line together */
    int column_most;                   /* of each column together */
    int total_most;                    /* of all together */
    bool exact;                        /* neither more nor fewer than that */
    bool may_pass;                     /* cast: nothing is an answer as well */
    int row, column;                   /* the cell that is being changed */
};

/*
 * What this family is asked, filled in so that it can be played where that is possible. `moves` are
 * the commands that the server lists, if it does. False if nothing can be read; then it is closed.
 */
bool form_open(struct form *form, char family, const json_t *asked, const json_t *moves);

/* The same with what this command says. False if it does not answer what is asked. */
bool form_read(struct form *form, const char *move);

/* To a neighbour of the cell, around the edges. */
void form_step(struct form *form, int rows, int columns);

/*
 * One more at the cell, out of who or what is left, else from another cell of the line. A spell
 * that is there already is taken away.
 */
void form_more(struct form *form);
void form_fewer(struct form *form);

bool form_is_of_people(const struct form *form); /* else of spells */
int form_total(const struct form *form);

/* The command so far, as the server takes it; true if it is whole. */
bool form_write(char *text, size_t size, const struct form *form);

#endif
