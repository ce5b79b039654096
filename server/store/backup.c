/* A consistent copy of a store that may be in use: SQLite's backup in one step, so one snapshot. */
#include "database.h"
#include "files.h"
#include "restore.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum store_result open_source(const char *directory, sqlite3 **source,
                                     char message[STORE_MESSAGE_MAX])
{
    char path[FILES_PATH_SIZE];
    int64_t version = 0;
    if (!files_join(path, directory, STORE_FILE))
        return files_fail("opening", directory, message);
    if (access(path, R_OK | W_OK) != 0)
        return files_fail("opening", path, message);
    enum store_result result = restore_check_done(path, message);
    if (result != STORE_OK)
        return result;
    int code = database_open(path, SQLITE_OPEN_READWRITE, source);
    if (code != SQLITE_OK)
        return database_fail(*source, code, "opening the store", message);
    result = database_identify(*source, &version, message);
    if (result == STORE_OK && version == 0) {
        snprintf(message, STORE_MESSAGE_MAX, "there is no store in %.300s", directory);
        result = STORE_FAILED;
    }
    return result;
}

/* The files of a server that uses this folder, which goes on writing those that it has open. */
static bool is_own_name(const char *name)
{
    static const char *const own[] = {"lock", "signing-keys", "push-key", "bans", NULL};
    const size_t len = sizeof STORE_FILE - 1;
    for (const char *const *at = own; *at; at++) {
        if (strcmp(name, *at) == 0)
            return true;
    }
    return strncmp(name, STORE_FILE, len) == 0 && (name[len] == '\0' || name[len] == '-');
}

/* Whatever the folder is called. */
static bool is_own_file(const char *directory, const char *path)
{
    char folder[FILES_PATH_SIZE];
    struct stat one, other;
    const char *const slash = strrchr(path, '/');
    const int len = slash ? (int)(slash - path) + 1 : 0;
    if (!is_own_name(slash ? slash + 1 : path) || len >= FILES_PATH_SIZE)
        return false;
    snprintf(folder, sizeof folder, "%.*s", len, path);
    return stat(directory, &one) == 0 && stat(len > 0 ? folder : ".", &other) == 0 &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* What is there already is told before the work. */
static enum store_result check_place(const char *directory, const char *path, bool replace,
                                     char message[STORE_MESSAGE_MAX])
{
    if (is_own_file(directory, path)) {
        snprintf(message, STORE_MESSAGE_MAX,
                 "%.300s is one of the server's own files, of which no backup takes the place",
                 path);
        return STORE_FAILED;
    }
    if (replace || access(path, F_OK) != 0)
        return STORE_OK;
    errno = EEXIST;
    return files_fail("writing", path, message);
}

static enum store_result copy_and_keep(sqlite3 *source, const char *directory, const char *path,
                                       bool replace, char message[STORE_MESSAGE_MAX])
{
    struct new_file file;
    enum store_result result = check_place(directory, path, replace, message);
    if (result == STORE_OK)
        result = files_begin(&file, path, message);
    if (result != STORE_OK)
        return result;
    result = database_copy_into(file.part, source, message);
    if (result == STORE_OK)
        return files_keep(&file, replace ? NEW_FILE_REPLACE : NEW_FILE_REFUSE, message);
    new_file_drop(&file);
    return result;
}

enum store_result sqlite_store_backup(const char *directory, const char *path, bool replace,
                                      char message[static STORE_MESSAGE_MAX])
{
    sqlite3 *source = NULL;
    enum store_result result = open_source(directory, &source, message);
    if (result == STORE_OK)
        result = copy_and_keep(source, directory, path, replace, message);
    sqlite3_close(source);
    return result;
}
