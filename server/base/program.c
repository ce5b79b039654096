#include <base/program.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

static int output_error; /* 0: none yet */
static bool ends_by_pipe;

/* Read only also for output: there a write has to fail. */
static void open_standard_descriptors(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDONLY);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd > STDERR_FILENO)
        close(fd);
}

void program_begin(void)
{
    struct sigaction pipe_action;
    open_standard_descriptors();
    ends_by_pipe = sigaction(SIGPIPE, NULL, &pipe_action) == 0 && pipe_action.sa_handler != SIG_IGN;
    (void)signal(SIGXFSZ, SIG_IGN);
}

void program_output_failed(int error)
{
    if (output_error == 0)
        output_error = error;
}

void program_flush_output(void)
{
    if (fflush(stdout) != 0)
        program_output_failed(errno);
}

/* As `stream` tells why only when it fails, EIO stands for what failed before. */
static void flush_output(void)
{
    errno = EIO;
    if (fflush(stdout) != 0 || ferror(stdout))
        program_output_failed(errno);
}

int program_end(const char *program, int status)
{
    flush_output();
    if (output_error == 0)
        return status;
    if (output_error == EPIPE && ends_by_pipe) {
        (void)signal(SIGPIPE, SIG_DFL);
        (void)raise(SIGPIPE);
    }
    (void)fprintf(stderr, "%s: the output could not be written: %s\n", program,
                  strerror(output_error));
    return EX_IOERR;
}
