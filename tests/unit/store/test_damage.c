/* Bits and pages of a store's file that turn: nothing wrong is served. */
#include "cases.h"
#include "scenario.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = 4096, BITS = 300, PAGES = 30 };

static const char *const room_ids[] = {"room000a", "room000b", "room000c", "room000d"};
enum { ROOMS = sizeof room_ids / sizeof room_ids[0] };

/* What one opening of the store hands out: all that is live, and each room that is archived. */
struct served {
    bool told;  /* damage was told */
    char *live; /* NULL: opening was refused */
    char *archived[ROOMS];
};

static char *read_archived(struct sqlite_store *store, const char *room_id, bool *told)
{
    struct sqlite_reading *reading;
    char *text = NULL;
    size_t len = 0;
    if (sqlite_store_read(store, room_id, &reading) != STORE_OK) {
        *told = true;
        return NULL;
    }
    FILE *out = open_memstream(&text, &len);
    if (reading->rows.room)
        dump_rows(out, &reading->rows);
    fclose(out);
    sqlite_reading_destroy(reading);
    return text;
}

static struct served serve(void)
{
    struct served served = {.told = true};
    char message[STORE_MESSAGE_MAX];
    struct sqlite_store *store;
    size_t len = 0;
    if (sqlite_store_open(scratch.folder, &store, message) != STORE_OK)
        return served;
    FILE *out = open_memstream(&served.live, &len);
    bool loaded = dump_into(store, out) == STORE_OK;
    fclose(out);
    served.told = sqlite_store_left_out(store) > 0 || strstr(served.live, "damaged ");
    if (loaded) {
        for (size_t at = 0; at < ROOMS; at++)
            served.archived[at] = read_archived(store, room_ids[at], &served.told);
    } else {
        free(served.live);
        served = (struct served){.told = true};
    }
    sqlite_store_close(store);
    return served;
}

static void served_release(struct served *served)
{
    free(served->live);
    for (size_t at = 0; at < ROOMS; at++)
        free(served->archived[at]);
}

/* Of the lines of a live room; 0 also if it was set apart. */
static int lines_of(const char *text, const char *room_id)
{
    char damaged[32], word[32];
    int count = 0;
    snprintf(damaged, sizeof damaged, "damaged %s", room_id);
    if (strstr(text, damaged))
        return 0;
    snprintf(word, sizeof word, " %s ", room_id);
    for (; (text = strstr(text, word)); text += strlen(word))
        count++;
    return count;
}

static bool every_line_is_in(const char *text, const char *whole)
{
    while (*text) {
        size_t len = strcspn(text, "\n") + 1;
        char line[4096];
        ck_assert_uint_lt(len, sizeof line);
        snprintf(line, len + 1, "%s", text);
        if (strncmp(line, "damaged ", 8) != 0 && !strstr(whole, line))
            return false;
        text += len;
    }
    return true;
}

static const char *wrong_of(const struct served *now, const struct served *before)
{
    if (!now->live)
        return NULL;
    if (!every_line_is_in(now->live, before->live))
        return "a live row is not as it was";
    if (!now->told && strcmp(now->live, before->live) != 0)
        return "something is missing, and nobody is told";
    for (size_t at = 0; at < ROOMS; at++) {
        int lines = lines_of(now->live, room_ids[at]);
        if (!now->told && lines != lines_of(before->live, room_ids[at]))
            return "a live room is not whole";
        if (now->archived[at] && now->archived[at][0] &&
            strcmp(now->archived[at], before->archived[at]) != 0)
            return "an archived room is not as it was";
    }
    return NULL;
}

static void make_store(void)
{
    static struct scenario scenario;
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    struct store_op begin[] = {op_room("room000d"), op_event("room000d", 1),
                               op_event("room000d", 2)};
    scenario_init(&scenario);
    for (int number = 0; number < 11; number++)
        ck_assert_int_eq(commit_batch(store, scenario_batch(&scenario, number)), STORE_OK);
    ck_assert_int_eq(commit_ops(store, begin, 3), STORE_OK);
    ck_assert_int_eq(commit_one(store, op_of(STORE_ARCHIVE_ROOM, "room000d")), STORE_OK);
    sqlite_store_close(store);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static const char *damage(const unsigned char *bytes, size_t len, bool page, uint64_t at,
                          const struct served *before, int *noticed)
{
    unsigned char *copy = malloc(len);
    char path[128];
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, bytes, len);
    if (page)
        memset(copy + at % (len / PAGE) * PAGE, 0, PAGE);
    else
        copy[at / 8 % len] ^= (unsigned char)(1 << at % 8);
    snprintf(path, sizeof path, "%s-wal", scratch.file);
    unlink(path);
    spit(scratch.file, copy, len);
    free(copy);
    struct served now = serve();
    const char *wrong = wrong_of(&now, before);
    *noticed += now.told;
    served_release(&now);
    return wrong;
}

START_TEST(what_turned_in_the_file_is_not_served)
{
    size_t len;
    int noticed = 0;
    make_store();
    unsigned char *bytes = slurp(scratch.file, &len);
    struct served before = serve();
    ck_assert(before.live && !before.told && before.archived[3][0]);
    uint64_t state = 20260730 + (uint64_t)_i;
    for (int turn = 0; turn < (_i ? PAGES : BITS); turn++) {
        uint64_t at = next_random(&state) >> 3;
        const char *wrong = damage(bytes, len, _i == 1, at, &before, &noticed);
        ck_assert_msg(!wrong, "%s %llu: %s", _i ? "page" : "bit", (unsigned long long)at, wrong);
    }
    ck_assert_int_gt(noticed, 0);
    served_release(&before);
    free(bytes);
}
END_TEST

static const char *const archive_damages[] = {
    "UPDATE archived_event SET text = 'dras' WHERE seq = 2",
    "UPDATE archived_event SET seat = 3 WHERE seq = 1",
    "DELETE FROM archived_event WHERE seq = 3",
    "DELETE FROM archived_event WHERE seq = 2",
    "DELETE FROM archived_event",
    "UPDATE room SET host = host + 1",
    "UPDATE room SET hash = x''",
};

START_TEST(an_archived_room_that_was_changed_is_not_served)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    struct sqlite_reading *reading;
    struct store_op ops[] = {op_room("room000a"), op_event("room000a", 1), op_event("room000a", 2),
                             op_event("room000a", 3), op_of(STORE_ARCHIVE_ROOM, "room000a")};
    ck_assert_int_eq(commit_ops(store, ops, 5), STORE_OK);
    ck_assert_int_eq(sqlite_store_read(store, "room000a", &reading), STORE_OK);
    ck_assert_uint_eq(reading->rows.count, 3);
    sqlite_reading_destroy(reading);
    scratch_sql(&scratch, archive_damages[_i]);
    ck_assert_int_eq(sqlite_store_read(store, "room000a", &reading), STORE_CORRUPT);
    ck_assert_ptr_null(reading);
    sqlite_store_close(store);
}
END_TEST

/* A copy of a damaged store is none. */
START_TEST(a_damaged_store_is_not_copied)
{
    char copy[128], message[STORE_MESSAGE_MAX] = "";
    size_t len;
    make_store();
    snprintf(copy, sizeof copy, "%s/copy.db", scratch.root);
    unsigned char *bytes = slurp(scratch.file, &len);
    memset(bytes + len - PAGE, 0x55, PAGE);
    spit(scratch.file, bytes, len);
    free(bytes);
    ck_assert_int_eq(sqlite_store_backup(scratch.folder, copy, false, message), STORE_CORRUPT);
    ck_assert_str_ne(message, "");
    ck_assert_int_ne(access(copy, F_OK), 0);
}
END_TEST

void add_damage_tests(TCase *tests)
{
    tcase_add_test(tests, a_damaged_store_is_not_copied);
    tcase_add_loop_test(tests, an_archived_room_that_was_changed_is_not_served, 0,
                        sizeof archive_damages / sizeof archive_damages[0]);
    tcase_add_loop_test(tests, what_turned_in_the_file_is_not_served, 0, 2);
}
