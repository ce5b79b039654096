#include <cli/terminal.h>

#include <langinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
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
        /* One that is dumb is written to like a pipe. */
        .is_terminal =
            isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !variable_has("TERM", "dumb"),
        .ascii = force_ascii || !utf8,
        .colours = colours_of(no_color),
    };
    terminal_measure(&terminal);
    return terminal;
}

/* ---- crashes */

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { CRASHES = sizeof crashes / sizeof crashes[0] };

static struct {
    const char *given_back; /* NULL: not guarded */
    size_t len;
    struct termios modes;
    bool has_modes;
    struct sigaction before[CRASHES];
} guard;

/* Then whoever would have been told is told. Calls only what a handler of signals may call. */
static void on_crash(int number)
{
    if (write(STDOUT_FILENO, guard.given_back, guard.len) < 0)
        (void)number; /* there is nobody left to tell */
    if (guard.has_modes)
        (void)tcsetattr(STDIN_FILENO, TCSANOW, &guard.modes);
    for (size_t i = 0; i < CRASHES; i++)
        (void)sigaction(crashes[i], &guard.before[i], NULL);
    (void)raise(number);
}

static void set_guard(const char *given_back)
{
    struct sigaction action = {.sa_handler = on_crash};
    (void)sigemptyset(&action.sa_mask);
    guard.given_back = given_back;
    guard.len = strlen(given_back);
    guard.has_modes = tcgetattr(STDIN_FILENO, &guard.modes) == 0;
    for (size_t i = 0; i < CRASHES; i++)
        (void)sigaction(crashes[i], &action, &guard.before[i]);
}

void terminal_guard(const char *given_back)
{
    if (guard.given_back) {
        for (size_t i = 0; i < CRASHES; i++)
            (void)sigaction(crashes[i], &guard.before[i], NULL);
        guard.given_back = NULL;
    }
    if (given_back)
        set_guard(given_back);
}
