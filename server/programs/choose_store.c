#include "choose_store.h"

#include <fcntl.h>
#include <postgres/store.h>
#include <sodium.h>
#include <stdio.h>
#include <store/store.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

int exit_status_of(enum store_result result)
{
    switch (result) {
    case STORE_OK:
        return EX_OK;
    case STORE_FULL:
    case STORE_FAILED:
        return EX_IOERR;
    case STORE_FENCED:
    case STORE_REFUSED:
    case STORE_TAKEN:
    case STORE_CROWDED:
        return EX_TEMPFAIL;
    case STORE_CORRUPT:
    case STORE_NEWER:
        return EX_DATAERR;
    }
    return EX_SOFTWARE;
}

/* ---- which one */

static int say_problem(char message[static STORE_MESSAGE_MAX], const char *path,
                       const char *problem, int status)
{
    snprintf(message, STORE_MESSAGE_MAX, "%.300s%s", path, problem);
    return status;
}

/* The only line of the file. */
static int read_line(struct store_choice *choice, const char *path, int fd,
                     char message[static STORE_MESSAGE_MAX])
{
    struct stat status;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
        return say_problem(message, path, " is not a file", EX_NOINPUT);
    if (status.st_mode & S_IRWXO)
        return say_problem(message, path, " holds a secret, and everybody may read it", EX_CONFIG);
    const ssize_t len = read(fd, choice->where, sizeof choice->where - 1);
    if (len < 0)
        return say_problem(message, path, " cannot be read", EX_NOINPUT);
    choice->where[len] = '\0';
    const size_t line = strcspn(choice->where, "\r\n");
    if (line == 0 || choice->where[line + strspn(choice->where + line, "\r\n")] != '\0')
        return say_problem(message, path, " has to have one line, the URL of the store", EX_CONFIG);
    choice->where[line] = '\0';
    return EX_OK;
}

static int read_file(struct store_choice *choice, const char *path,
                     char message[static STORE_MESSAGE_MAX])
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return say_problem(message, path, " cannot be read", EX_NOINPUT);
    const int status = read_line(choice, path, fd, message);
    close(fd);
    return status;
}

static int put_path(struct store_choice *choice, const char *where,
                    char message[static STORE_MESSAGE_MAX])
{
    const int len = snprintf(choice->where, sizeof choice->where, "%s", where);
    return len > 0 && (size_t)len < sizeof choice->where
               ? EX_OK
               : say_problem(message, "--store", " is too long", EX_USAGE);
}

int store_choose(struct store_choice *choice, const struct options *options,
                 char message[static STORE_MESSAGE_MAX])
{
    char credential[OPTIONS_PATH_MAX + 8] = "";
    *choice = (struct store_choice){.lock_fd = -1};
    if (options->credentials)
        snprintf(credential, sizeof credential, "%.*s/store", OPTIONS_PATH_MAX,
                 options->credentials);
    int status;
    if (options->store)
        status = put_path(choice, options->store, message);
    else if (options->store_file)
        status = read_file(choice, options->store_file, message);
    else if (credential[0] && access(credential, F_OK) == 0)
        status = read_file(choice, credential, message);
    else
        status = put_path(choice, options->data, message);
    choice->database = status == EX_OK && postgres_is_url(choice->where);
    choice->sign_of_life_ms = choice->database ? POSTGRES_SIGN_MS : 0;
    choice->lease_ms = choice->database && !options->alone ? POSTGRES_LEASE_MS : 0;
    if (status == EX_OK && options->standby && options->alone)
        status = say_problem(message, "--standby", " and --alone exclude each other", EX_USAGE);
    if (status == EX_OK && options->standby && !choice->database)
        status = say_problem(message, "--standby", " needs a PostgreSQL database, see --store",
                             EX_USAGE);
    if (status == EX_OK && options->node && !choice->database)
        status =
            say_problem(message, "--node", " needs a PostgreSQL database, see --store", EX_USAGE);
    if (status == EX_OK && !choice->database && strstr(choice->where, "://"))
        status = say_problem(message, "the store", ": URLs begin with postgres://", EX_USAGE);
    return status;
}

int store_choose_folder(struct store_choice *choice, const struct options *options)
{
    char message[STORE_MESSAGE_MAX];
    const int status = store_choose(choice, options, message);
    if (status != EX_OK) {
        fprintf(stderr, "taluvad: %s\n", message);
        return status;
    }
    if (!choice->database)
        return EX_OK;
    fputs("taluvad: the store is a PostgreSQL database, which has tools of its own for this, like "
          "pg_dump\n",
          stderr);
    store_choice_release(choice);
    return EX_USAGE;
}

void store_choice_release(struct store_choice *choice)
{
    sodium_memzero(choice->where, sizeof choice->where);
    if (choice->lock_fd >= 0)
        close(choice->lock_fd);
    choice->lock_fd = -1;
}

/* ---- opening */

int64_t store_choice_taken_ms(const struct store_choice *choice, const struct store *store)
{
    return choice->database ? postgres_store_taken_ms(store) : 0;
}

static int folder_failed(const char *folder, const char *message, enum store_result result)
{
    static const char *const advice[] = {
        [-STORE_FAILED] = "; --data names another folder",
        [-STORE_CORRUPT] = "; `taluvad check` says what is damaged; restore a backup",
        [-STORE_NEWER] = "; install that version, or restore a backup",
        [-STORE_REFUSED] = NULL,
    };
    const char *then = advice[-(int)result];
    fprintf(stderr, "taluvad: the store in %s: %s%s\n", folder, message, then ? then : "");
    return result == STORE_FAILED ? EX_CANTCREAT : exit_status_of(result);
}

int store_database_failed(const char *name, enum postgres_problem problem, const char *message)
{
    static const struct {
        int status;
        const char *advice;
    } known[] = {
        [POSTGRES_FINE] = {EX_IOERR, ""},
        [POSTGRES_BAD_URL] = {EX_USAGE, ""},
        [POSTGRES_UNREACHABLE] = {EX_UNAVAILABLE, ""},
        [POSTGRES_DENIED] = {EX_NOPERM, ""},
        [POSTGRES_POOLED] = {EX_CONFIG, ""},
        [POSTGRES_TAKEN] = {EX_TEMPFAIL, ""},
        [POSTGRES_NEWER] = {EX_DATAERR, "; install the version that made it"},
        [POSTGRES_FOREIGN] = {EX_DATAERR, "; give the server a database of its own"},
        [POSTGRES_PARTS] = {EX_CONFIG, ""},
        [POSTGRES_FAILED] = {EX_IOERR, ""},
    };
    fprintf(stderr, "taluvad: the store at %s: %s%s\n", name, message, known[problem].advice);
    return known[problem].status;
}

static int database_failed(const struct store *store, const char *message, enum store_result result)
{
    const enum postgres_problem problem = postgres_store_problem(store);
    const int status = store_database_failed(postgres_store_name(store), problem, message);
    if (problem == POSTGRES_PARTS)
        fputs("taluvad: such a site is served by nodes, see --node\n", stderr);
    return problem == POSTGRES_FINE ? exit_status_of(result) : status;
}

static struct store *create_store(const struct store_choice *choice, const struct options *options)
{
    if (choice->database) {
        const bool waits = options && options->standby;
        const struct postgres_options how = {.timeouts = waits ? &postgres_timeouts_standby : NULL,
                                             .parts = choice->parts};
        return postgres_store_create(choice->where, &how);
    }
    sqlite_store_prepare();
    return sqlite_store_create(choice->where);
}

/* An embedded store in it has its own lock there. */
static enum store_result take_folder(struct store_choice *choice, const struct options *options,
                                     char message[static STORE_MESSAGE_MAX])
{
    if (!options || choice->lock_fd >= 0 ||
        (!choice->database && strcmp(choice->where, options->data) == 0))
        return STORE_OK;
    return store_folder_take(options->data, &choice->lock_fd, message);
}

int store_choice_take_folder(struct store_choice *choice, const struct options *options)
{
    char message[STORE_MESSAGE_MAX];
    const enum store_result result = take_folder(choice, options, message);
    return result == STORE_OK ? EX_OK : folder_failed(options->data, message, result);
}

/* A site that begins anew tells each player who comes back that it does not know them. */
static bool is_lost(const struct store_choice *choice, const struct options *options)
{
    return options && !options->new_store && !choice->database &&
           sqlite_store_missing(choice->where, options->data);
}

static int say_lost(const struct store_choice *choice)
{
    fprintf(stderr,
            "taluvad: there is no store in %s, but keys of a server are there: restore a backup "
            "with `taluvad restore`, or begin anew with --new-store\n",
            choice->where);
    return EX_NOINPUT;
}

int store_choice_open(struct store_choice *choice, const struct options *options,
                      const struct store_sink *sink,
                      void (*warn)(const char *event, const char *message,
                                   enum store_result result),
                      struct store **store)
{
    char message[STORE_MESSAGE_MAX] = "out of memory";
    enum store_result result = take_folder(choice, options, message);
    if (result != STORE_OK)
        return folder_failed(options->data, message, result);
    if (is_lost(choice, options))
        return say_lost(choice);
    *store = create_store(choice, options);
    if (!*store)
        return folder_failed(options->data, message, STORE_FAILED);
    (*store)->warn = warn;
    result = (*store)->engine->open(*store, sink, message);
    if (result == STORE_OK)
        return EX_OK;
    return choice->database ? database_failed(*store, message, result)
                            : folder_failed(choice->where, message, result);
}
