/*
 * What the terminal can do: its size, colours, characters.
 */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <cli/canvas.h>

struct terminal {
    bool is_terminal; /* both ends, and it can do more than print lines: a person types and looks */
    bool ascii;
    enum canvas_colours colours;
    int columns, rows; /* 80x24 where it cannot be asked */
};

/* Asks the environment and the standard output. */
struct terminal terminal_look(bool force_ascii, bool no_color);

/* Asks for the size again. */
void terminal_measure(struct terminal *terminal);

/*
 * What to write to the terminal, and its modes as they are now, should the program crash from now
 * on; NULL: nothing any more. The text is not copied.
 */
void terminal_guard(const char *given_back);

#endif
