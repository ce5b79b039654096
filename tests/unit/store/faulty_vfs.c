#include "faulty_vfs.h"

#include "scratch.h"
#include <assert.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the plan */

static struct {
    int at, count, code;
    bool late;
    int changes;
    int reads, read_at; /* -1: none fails */
    int hook_at;        /* a reading; -1: none */
    void (*hook)(void *ctx);
    void *hook_ctx;
    bool struck;
} plan = {.read_at = -1, .hook_at = -1};

void faulty_plan(int at, int count, int code, bool late)
{
    plan.at = at;
    plan.count = count;
    plan.code = code;
    plan.late = late;
    plan.changes = 0;
    plan.reads = 0;
    plan.read_at = -1;
    plan.hook_at = -1;
    plan.struck = false;
}

void faulty_plan_read(int at)
{
    faulty_clear();
    plan.read_at = at;
}

void faulty_hook_read(int at, void (*hook)(void *ctx), void *ctx)
{
    faulty_clear();
    plan.hook_at = at;
    plan.hook = hook;
    plan.hook_ctx = ctx;
}

int faulty_reads(void)
{
    return plan.reads;
}

void faulty_clear(void)
{
    faulty_plan(0, 0, 0, false);
}

int faulty_changes(void)
{
    return plan.changes;
}

bool faulty_struck(void)
{
    return plan.struck;
}

/* Counts one change; true if it is to fail. */
static bool fails_now(void)
{
    int number = plan.changes++;
    bool fails = number >= plan.at && number - plan.at < plan.count;
    plan.struck |= fails;
    return fails;
}

/* ---- the tape */

enum { TAPE_FILES = 4, SECTOR = 512 };
enum change_kind { WRITE, TRUNCATE, SYNC, REMOVE };

struct change {
    enum change_kind kind;
    int file;
    int64_t at; /* offset, or the new length */
    size_t len;
    unsigned char *bytes;
};

struct image {
    unsigned char *bytes;
    size_t len;
    bool there;
};

static struct {
    bool on;
    char names[TAPE_FILES][512];
    struct image first[TAPE_FILES];
    int files;
    struct change *changes;
    size_t count, size;
} tape;

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int tape_file(const char *path)
{
    for (int file = 0; file < tape.files; file++) {
        if (strcmp(tape.names[file], path) == 0)
            return file;
    }
    assert(tape.files < TAPE_FILES);
    struct image *first = &tape.first[tape.files];
    *first = (struct image){0};
    if (access(path, F_OK) == 0) {
        first->bytes = slurp(path, &first->len);
        first->there = true;
    }
    snprintf(tape.names[tape.files], sizeof tape.names[0], "%s", path);
    return tape.files++;
}

static void record(enum change_kind kind, const char *path, int64_t at, const void *bytes,
                   size_t len)
{
    if (!tape.on)
        return;
    if (tape.count == tape.size) {
        tape.size = tape.size ? tape.size * 2 : 256;
        tape.changes = realloc(tape.changes, tape.size * sizeof *tape.changes);
        assert(tape.changes);
    }
    struct change *change = &tape.changes[tape.count++];
    *change = (struct change){kind, tape_file(path), at, len, NULL};
    if (len > 0) {
        change->bytes = malloc(len);
        assert(change->bytes);
        memcpy(change->bytes, bytes, len);
    }
}

void tape_end(void)
{
    for (size_t at = 0; at < tape.count; at++)
        free(tape.changes[at].bytes);
    for (int file = 0; file < tape.files; file++)
        free(tape.first[file].bytes);
    free(tape.changes);
    memset(&tape, 0, sizeof tape);
}

void tape_begin(void)
{
    tape_end();
    tape.on = true;
}

void tape_pause(void)
{
    tape.on = false;
}

void tape_resume(void)
{
    tape.on = true;
}

size_t tape_length(void)
{
    return tape.count;
}

static void image_resize(struct image *image, size_t len)
{
    image->bytes = realloc(image->bytes, len + 1);
    assert(image->bytes);
    if (len > image->len)
        memset(image->bytes + image->len, 0, len - image->len);
    image->len = len;
    image->there = true;
}

static void image_write(struct image *image, size_t at, const unsigned char *bytes, size_t len)
{
    if (at + len > image->len)
        image_resize(image, at + len);
    memcpy(image->bytes + at, bytes, len);
}

static void image_copy(struct image *to, const struct image *from)
{
    image_resize(to, from->len);
    if (from->len > 0)
        memcpy(to->bytes, from->bytes, from->len);
    to->there = from->there;
}

static bool coin(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 24) & 1;
}

static void change_apply(struct image *image, const struct change *change)
{
    switch (change->kind) {
    case WRITE:
        image_write(image, (size_t)change->at, change->bytes, change->len);
        break;
    case TRUNCATE:
        image_resize(image, (size_t)change->at);
        break;
    case SYNC:
        break;
    case REMOVE:
        image_resize(image, 0);
        image->there = false;
        break;
    }
}

/* Disks write sectors: of one write, some arrive and some do not. */
static void change_apply_some(struct image *image, const struct change *change, uint32_t *seed)
{
    if (change->kind != WRITE) {
        if (change->kind == REMOVE || coin(seed))
            change_apply(image, change);
        return;
    }
    for (size_t from = 0; from < change->len;) {
        size_t len = SECTOR - ((size_t)change->at + from) % SECTOR;
        len = len < change->len - from ? len : change->len - from;
        if (coin(seed))
            image_write(image, (size_t)change->at + from, change->bytes + from, len);
        from += len;
    }
}

static size_t last_sync(int file, size_t length)
{
    for (size_t at = length; at > 0; at--) {
        if (tape.changes[at - 1].file == file && tape.changes[at - 1].kind == SYNC)
            return at;
    }
    return 0;
}

void tape_restore(const char *folder, size_t length, enum tape_loss loss, uint32_t seed)
{
    for (int file = 0; file < tape.files; file++) {
        struct image image = {0};
        image_copy(&image, &tape.first[file]);
        size_t synced = loss == TAPE_KEEP_ALL ? length : last_sync(file, length);
        for (size_t at = 0; at < length; at++) {
            const struct change *change = &tape.changes[at];
            if (change->file != file)
                continue;
            if (at < synced || change->kind == REMOVE)
                change_apply(&image, change);
            else if (loss == TAPE_LOSE_SOME)
                change_apply_some(&image, change, &seed);
        }
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, last_part(tape.names[file]));
        unlink(path);
        if (image.there)
            spit(path, image.bytes, image.len);
        free(image.bytes);
    }
}

/* ---- the VFS */

struct faulty_file {
    sqlite3_file base;
    char path[512];
    bool taped;
    sqlite3_file *real; /* right behind this struct */
};

static sqlite3_vfs *real_vfs;

static sqlite3_file *real_of(sqlite3_file *file)
{
    return ((struct faulty_file *)file)->real;
}

static int faulty_close(sqlite3_file *file)
{
    return real_of(file)->pMethods->xClose(real_of(file));
}

static int faulty_read(sqlite3_file *file, void *bytes, int len, sqlite3_int64 at)
{
    int number = plan.reads++;
    if (number == plan.hook_at)
        plan.hook(plan.hook_ctx);
    if (number == plan.read_at) {
        plan.struck = true;
        return SQLITE_IOERR_READ;
    }
    return real_of(file)->pMethods->xRead(real_of(file), bytes, len, at);
}

static int faulty_write(sqlite3_file *file, const void *bytes, int len, sqlite3_int64 at)
{
    const struct faulty_file *faulty = (const struct faulty_file *)file;
    bool fails = fails_now();
    if (fails && !plan.late)
        len = len / 2; /* a failing write may have begun */
    if (faulty->taped)
        record(WRITE, faulty->path, at, bytes, (size_t)len);
    int code = real_of(file)->pMethods->xWrite(real_of(file), bytes, len, at);
    return fails ? plan.code : code;
}

static int faulty_truncate(sqlite3_file *file, sqlite3_int64 len)
{
    const struct faulty_file *faulty = (const struct faulty_file *)file;
    bool fails = fails_now();
    if (fails && !plan.late)
        return plan.code;
    if (faulty->taped)
        record(TRUNCATE, faulty->path, len, NULL, 0);
    int code = real_of(file)->pMethods->xTruncate(real_of(file), len);
    return fails ? plan.code : code;
}

static int faulty_sync(sqlite3_file *file, int flags)
{
    const struct faulty_file *faulty = (const struct faulty_file *)file;
    bool fails = fails_now();
    if (fails && !plan.late)
        return plan.code;
    if (faulty->taped)
        record(SYNC, faulty->path, 0, NULL, 0);
    (void)flags; /* what syncing is good for is on the tape; the real one would only be slow */
    return fails ? plan.code : SQLITE_OK;
}

static int faulty_size(sqlite3_file *file, sqlite3_int64 *len)
{
    return real_of(file)->pMethods->xFileSize(real_of(file), len);
}

static int faulty_lock(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xLock(real_of(file), level);
}

static int faulty_unlock(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int faulty_check_lock(sqlite3_file *file, int *taken)
{
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), taken);
}

static int faulty_control(sqlite3_file *file, int op, void *arg)
{
    return real_of(file)->pMethods->xFileControl(real_of(file), op, arg);
}

static int faulty_sector_size(sqlite3_file *file)
{
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int faulty_characteristics(sqlite3_file *file)
{
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

static int faulty_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **map)
{
    return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, map);
}

static int faulty_shm_lock(sqlite3_file *file, int offset, int n, int flags)
{
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, n, flags);
}

static void faulty_shm_barrier(sqlite3_file *file)
{
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}

static int faulty_shm_unmap(sqlite3_file *file, int remove)
{
    return real_of(file)->pMethods->xShmUnmap(real_of(file), remove);
}

static const sqlite3_io_methods faulty_methods = {
    .iVersion = 2,
    .xClose = faulty_close,
    .xRead = faulty_read,
    .xWrite = faulty_write,
    .xTruncate = faulty_truncate,
    .xSync = faulty_sync,
    .xFileSize = faulty_size,
    .xLock = faulty_lock,
    .xUnlock = faulty_unlock,
    .xCheckReservedLock = faulty_check_lock,
    .xFileControl = faulty_control,
    .xSectorSize = faulty_sector_size,
    .xDeviceCharacteristics = faulty_characteristics,
    .xShmMap = faulty_shm_map,
    .xShmLock = faulty_shm_lock,
    .xShmBarrier = faulty_shm_barrier,
    .xShmUnmap = faulty_shm_unmap,
};

static int faulty_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags,
                       int *out_flags)
{
    (void)vfs;
    struct faulty_file *faulty = (struct faulty_file *)file;
    faulty->real = (sqlite3_file *)(void *)(faulty + 1);
    faulty->taped = name && (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL)) != 0;
    snprintf(faulty->path, sizeof faulty->path, "%s", name ? name : "");
    if (faulty->taped && tape.on)
        tape_file(name);
    int code = real_vfs->xOpen(real_vfs, name, faulty->real, flags, out_flags);
    faulty->base.pMethods = faulty->real->pMethods ? &faulty_methods : NULL;
    return code;
}

static int faulty_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
    (void)vfs;
    if (strstr(name, "-wal"))
        record(REMOVE, name, 0, NULL, 0);
    return real_vfs->xDelete(real_vfs, name, sync);
}

void faulty_install(void)
{
    static sqlite3_vfs vfs;
    if (real_vfs)
        return;
    real_vfs = sqlite3_vfs_find(NULL);
    vfs = *real_vfs;
    vfs.zName = "faulty";
    vfs.szOsFile = (int)sizeof(struct faulty_file) + real_vfs->szOsFile;
    vfs.xOpen = faulty_open;
    vfs.xDelete = faulty_delete;
    sqlite3_vfs_register(&vfs, 1);
}
