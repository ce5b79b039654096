#include <cli/terminal.h>

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value;
}

static bool variable_has(const char *name, const char *part)
{
    const char *value = getenv(name);
    return value && strstr(value, part);
}

static enum canvas_colours colours_of(bool no_color)
{
    if (no_color || is_set("NO_COLOR") || !isatty(STDOUT_FILENO) || !is_set("TERM") ||
        variable_has("TERM", "dumb"))
        return CANVAS_MONO;
    if (variable_has("COLORTERM", "truecolor") || variable_has("COLORTERM", "24bit"))
        return CANVAS_TRUE;
    return variable_has("TERM", "256") || variable_has("TERM", "direct") ? CANVAS_256 : CANVAS_16;
}

void terminal_measure(struct terminal *terminal)
{
    struct winsize size = {0};
    terminal->columns = 80;
    terminal->rows = 24;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
        terminal->columns = size.ws_col;
        terminal->rows = size.ws_row;
    }
}

struct terminal terminal_look(bool force_ascii, bool no_color)
{
    bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    struct terminal terminal = {
        .is_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO),
        .ascii = force_ascii || !utf8,
        .colours = colours_of(no_color),
    };
    terminal_measure(&terminal);
    return terminal;
}
