#include "sealing_key.h"

#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

enum { TEXT_MAX = 2 * SITE_KEY_BYTES + 1 }; /* with a line feed */

static int say_problem(const char *path, const char *problem, int status)
{
    fprintf(stderr, "taluvad: %s%s\n", path, problem);
    return status;
}

static int read_open_file(struct sealing_key *key, const char *path, int fd)
{
    struct stat status;
    char text[TEXT_MAX + 1];
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
        return say_problem(path, " is not a file", EX_NOINPUT);
    if (status.st_mode & S_IRWXO)
        return say_problem(path, " holds a secret, and everybody may read it", EX_CONFIG);
    const ssize_t len = read(fd, text, sizeof text);
    if (len < 0)
        return say_problem(path, " cannot be read", EX_NOINPUT);
    key->given = site_key_read(key->bytes, text, (size_t)len);
    sodium_memzero(text, sizeof text);
    return key->given
               ? EX_OK
               : say_problem(path,
                             " has to have one line of 64 hexadecimal digits, as `openssl rand"
                             " -hex 32` prints them",
                             EX_CONFIG);
}

static int read_file(struct sealing_key *key, const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return say_problem(path, " cannot be read", EX_NOINPUT);
    const int status = read_open_file(key, path, fd);
    close(fd);
    return status;
}

int sealing_key_open(struct sealing_key *key, const struct options *options,
                     const struct store_choice *choice)
{
    char credential[OPTIONS_PATH_MAX + 16] = "";
    const char *path = options->site_key_file;
    *key = (struct sealing_key){.given = false};
    if (!path && options->credentials) {
        snprintf(credential, sizeof credential, "%.*s/site-key", OPTIONS_PATH_MAX,
                 options->credentials);
        path = access(credential, F_OK) == 0 ? credential : NULL;
    }
    if (path && !choice->database)
        return say_problem(
            path, ": only a site in a PostgreSQL database keeps its keys there, see --store",
            EX_USAGE);
    return path ? read_file(key, path) : EX_OK;
}

void sealing_key_wipe(struct sealing_key *key)
{
    sodium_memzero(key, sizeof *key);
}
