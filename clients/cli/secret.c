#include "secret.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <termios.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { SIGNALS = sizeof signals / sizeof signals[0] };

/* The terminal as it was, and what signals did. */
struct guarded {
    struct termios modes;
    struct sigaction before[SIGNALS], stop;
    bool typed;
};

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

/* A signal ends the reading, so that the terminal shows again what is typed; it cannot be stopped.
 */
static void guard_terminal(struct guarded *guarded)
{
    struct sigaction action = {.sa_handler = on_signal}, ignore = {.sa_handler = SIG_IGN};
    (void)sigemptyset(&action.sa_mask);
    (void)sigemptyset(&ignore.sa_mask);
    interrupted = 0;
    for (size_t i = 0; i < SIGNALS; i++)
        (void)sigaction(signals[i], &action, &guarded->before[i]);
    (void)sigaction(SIGTSTP, &ignore, &guarded->stop);
    guarded->typed = tcgetattr(STDIN_FILENO, &guarded->modes) == 0;
    if (!guarded->typed)
        return;
    struct termios quiet = guarded->modes;
    quiet.c_lflag &= ~(tcflag_t)ECHO;
    quiet.c_lflag |= ECHONL;
    (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet);
}

static void unguard_terminal(const struct guarded *guarded)
{
    if (guarded->typed)
        (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &guarded->modes);
    for (size_t i = 0; i < SIGNALS; i++)
        (void)sigaction(signals[i], &guarded->before[i], NULL);
    (void)sigaction(SIGTSTP, &guarded->stop, NULL);
}

/* Byte by byte: what stands behind the line is left for others to read. */
static enum secret_read read_line(char *line, size_t size)
{
    size_t len = 0;
    for (;;) {
        char byte;
        const ssize_t got = interrupted ? -1 : read(STDIN_FILENO, &byte, 1);
        line[len] = '\0';
        if (interrupted)
            return SECRET_INTERRUPTED;
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return len > 0 ? SECRET_READ : SECRET_NONE;
        if (byte == '\n')
            return SECRET_READ;
        if (len + 1 < size)
            line[len++] = byte;
    }
}

enum secret_read secret_read(const char *prompt, char *line, size_t size)
{
    struct guarded guarded;
    guard_terminal(&guarded);
    if (guarded.typed)
        fputs(prompt, stderr);
    const enum secret_read read = read_line(line, size);
    unguard_terminal(&guarded);
    if (guarded.typed && read != SECRET_READ)
        fputc('\n', stderr);
    return read;
}

bool secret_is_typed(void)
{
    return isatty(STDIN_FILENO) == 1;
}
