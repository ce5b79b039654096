#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { PROGRAMS_MAX = 8, STEP_MS = 5 };

const char *program_fault_name(enum program_fault fault)
{
    static const char *const names[PROGRAM_FAULTS] = {
        [PROGRAM_FINE] = "fine", [PROGRAM_ENDED] = "ended",     [PROGRAM_SILENT] = "silent",
        [PROGRAM_DEAF] = "deaf", [PROGRAM_RUBBISH] = "rubbish", [PROGRAM_REFUSED] = "refused",
    };
    return names[fault];
}

/* ---- start and stop */

static bool make_pipe(int ends[2])
{
    if (pipe(ends) != 0)
        return false;
    return fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

static bool spawn(struct program *program, const char *command, int input, int output)
{
    char shell[] = "/bin/sh", option[] = "-c", *text = strdup(command);
    char *const arguments[] = {shell, option, text, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawnattr_init(&attributes);
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    const int failed = posix_spawn(&program->pid, shell, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    free(text);
    return failed == 0;
}

bool program_start(struct program *program, const char *command)
{
    int input[2], output[2];
    memset(program, 0, sizeof *program);
    if (!make_pipe(input) || !make_pipe(output))
        return false;
    const bool started = spawn(program, command, input[0], output[1]);
    close(input[0]);
    close(output[1]);
    program->to = input[1];
    program->from = output[0];
    fcntl(program->to, F_SETFL, O_NONBLOCK);
    fcntl(program->from, F_SETFL, O_NONBLOCK);
    if (!started)
        program->pid = 0;
    return started;
}

static void pause_ms(int ms)
{
    const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};
    nanosleep(&time, NULL);
}

void program_stop(struct program *program, int patience_ms)
{
    if (program->pid == 0)
        return;
    close(program->to);
    for (int waited = 0; waited < patience_ms; waited += STEP_MS) {
        if (waitpid(program->pid, NULL, WNOHANG) == program->pid) {
            program->pid = 0;
            break;
        }
        pause_ms(STEP_MS);
    }
    if (program->pid != 0) {
        kill(-program->pid, SIGKILL);
        waitpid(program->pid, NULL, 0);
    }
    close(program->from);
    free(program->unread);
    program->unread = NULL;
    program->pid = 0;
}

/* ---- lines to it */

static void flush_unread(struct program *program)
{
    while (program->unread_len > 0) {
        const ssize_t written = write(program->to, program->unread, program->unread_len);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0 && errno != EAGAIN)
            program->unread_len = 0; /* it has gone: its output tells */
        if (written <= 0)
            return;
        program->unread_len -= (size_t)written;
        memmove(program->unread, program->unread + written, program->unread_len);
    }
}

static bool make_space(struct program *program, size_t len)
{
    const size_t needed = program->unread_len + len;
    if (needed > PROGRAM_UNREAD_BYTES)
        return false;
    if (needed <= program->unread_size)
        return true;
    char *const larger = realloc(program->unread, 2 * needed);
    if (!larger)
        return false;
    program->unread = larger;
    program->unread_size = 2 * needed;
    return true;
}

void program_tell(struct program *program, const char *line, size_t len)
{
    if (program->pid == 0 || program->fault != PROGRAM_FINE)
        return;
    if (!make_space(program, len + 1)) {
        program->fault = PROGRAM_DEAF;
        return;
    }
    memcpy(program->unread + program->unread_len, line, len);
    program->unread[program->unread_len + len] = '\n';
    program->unread_len += len + 1;
    flush_unread(program);
}

/* ---- lines from it */

static void read_some(struct program *program)
{
    if (program->line_len == sizeof program->line) {
        program->fault = PROGRAM_RUBBISH;
        return;
    }
    const ssize_t got = read(program->from, program->line + program->line_len,
                             sizeof program->line - program->line_len);
    if (got > 0)
        program->line_len += (size_t)got;
    else if (got == 0 || (errno != EAGAIN && errno != EINTR))
        program->fault = PROGRAM_ENDED;
}

const char *program_line(struct program *program)
{
    program->line_len -= program->taken;
    memmove(program->line, program->line + program->taken, program->line_len);
    program->taken = 0;
    char *const end = memchr(program->line, '\n', program->line_len);
    if (!end)
        return NULL;
    *end = '\0';
    program->taken = (size_t)(end - program->line) + 1;
    return program->line;
}

void programs_wait(struct program *const *programs, size_t count, int timeout_ms)
{
    struct pollfd watched[2 * PROGRAMS_MAX];
    struct program *who[PROGRAMS_MAX];
    nfds_t n = 0;
    for (size_t i = 0; i < count && n < PROGRAMS_MAX; i++) {
        if (programs[i]->pid == 0 || programs[i]->fault != PROGRAM_FINE)
            continue;
        const bool unread = programs[i]->unread_len > 0;
        watched[2 * n] = (struct pollfd){.fd = programs[i]->from, .events = POLLIN};
        watched[2 * n + 1] =
            (struct pollfd){.fd = unread ? programs[i]->to : -1, .events = POLLOUT};
        who[n++] = programs[i];
    }
    if (poll(watched, 2 * n, timeout_ms) <= 0)
        return;
    for (nfds_t i = 0; i < n; i++) {
        if (watched[2 * i + 1].revents != 0)
            flush_unread(who[i]);
        if (watched[2 * i].revents != 0)
            read_some(who[i]);
    }
}
