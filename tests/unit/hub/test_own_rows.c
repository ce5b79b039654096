/*
 * All that is kept, and what becomes of it with an account: where its owner is told of it, and how
 * it is erased. A table that is added has its line here, or these tests fail.
 */
#include "suites.h"
#include <hub/store_document.h>
#include <hub/store_tables.h>
#include <protocol/export.h>
#include <registry/registry.h>
#include <string.h>

/* How it goes, at the latest, when an account ends. */
enum erased {
    WITH_SESSION, /* the store drops it in the same batch */
    AFTER_A_TIME, /* what others have said of it: when that is no longer kept */
    NAMELESS,     /* it has no text of the account's, but its number, which leads to nobody then */
    OF_NOBODY,    /* it is about no account */
};

struct kept {
    const char *table;
    enum erased erased;
    const char *told;  /* an operation or a member of an export; NULL: none, and: */
    const char *why;   /* ... for that reason */
    const char *texts; /* of NAMELESS, OF_NOBODY: columns of text, none of which anybody chooses */
};

static const struct kept all[] = {
    {"pass", WITH_SESSION, "devices", NULL, NULL},
    {"push", WITH_SESSION, "kept", NULL, NULL},
    {"passkey", WITH_SESSION, "passkeys", NULL, NULL},
    {"token", WITH_SESSION, "tokens", NULL, NULL},
    {"external", WITH_SESSION, "kept", NULL, NULL},
    {"account", WITH_SESSION, "account", NULL, NULL},
    {"bot", WITH_SESSION, "bots", NULL, NULL},
    {"tally", WITH_SESSION, "kept", NULL, NULL},
    {"archive", WITH_SESSION, "games", NULL, NULL},
    {"game", WITH_SESSION, "games", NULL, NULL},
    {"profile", WITH_SESSION, "profile", NULL, NULL},
    {"invite", WITH_SESSION, "invites", NULL, NULL},
    {"invited", WITH_SESSION, "kept", NULL, NULL},
    {"closing", WITH_SESSION, "account", NULL, NULL},
    {"quiet", WITH_SESSION, "account", NULL, NULL},
    {"follow", WITH_SESSION, "friends", NULL, NULL},
    {"unseen", WITH_SESSION, "friends", NULL, NULL},
    {"block", WITH_SESSION, "blocks", NULL, NULL},
    {"judged", WITH_SESSION, "judgements", NULL, NULL},
    {"appeal", WITH_SESSION, "judgements", NULL, NULL},
    {"moderator", WITH_SESSION, "moderator", NULL, NULL},
    {"conduct", WITH_SESSION, "kept", NULL, NULL},
    {"report", AFTER_A_TIME, "kept_at_desk", NULL, NULL},
    {"judgement", AFTER_A_TIME, "judgements", NULL, NULL},
    {"seek", AFTER_A_TIME, "kept_at_desk", NULL, NULL},
    {"wish", NAMELESS, "kept_at_desk", NULL, ""},
    {"choice", NAMELESS, "kept_at_desk", NULL, ""},
    {"offer", NAMELESS, "seats", NULL, "room"},
    {"place", NAMELESS, "seats", NULL, "room"},
    {"meeting", NAMELESS, NULL, "numbers of who met whom, which are in the book", ""},
    {"rating", NAMELESS, "kept_at_desk", NULL, "handle"},
    {"rating_step", NAMELESS, NULL, "anybody is shown it, /api/curves", "room"},
    {"book", NAMELESS, NULL, "anybody is shown it, /api/book", "line"},
    {"book_end", OF_NOBODY, NULL, "where the book ends", ""},
    {"yardstick", OF_NOBODY, NULL, "levels of the computer", "level"},
    {"site_invite", OF_NOBODY, NULL, "the operator's", "code_hash"},
    {"burnt", OF_NOBODY, NULL, "hashes that lead to nobody", "claim"},
    {"contest", OF_NOBODY, NULL, "an event and its secret", "event"},
    {"contest_entry", AFTER_A_TIME, NULL, "anybody is shown it, event_log", NULL},
    {"contest_entrant", AFTER_A_TIME, "kept_at_desk", NULL, NULL},
    {"contest_room", OF_NOBODY, NULL, "rooms of tables", "event room"},
    {"letter", AFTER_A_TIME, NULL, "on its way to one of the others", NULL},
    {"jump", OF_NOBODY, NULL, "times of the clock", ""},
    {"document", AFTER_A_TIME, NULL, "the operator's: bans", NULL},
};
enum { KEPT = sizeof all / sizeof all[0] };

static void begin_tables(void)
{
    store_tables_of(registry);
}

static const struct kept *find_kept(const char *table)
{
    size_t at = 0;
    while (at < KEPT && strcmp(all[at].table, table) != 0)
        at++;
    return at < KEPT ? &all[at] : NULL;
}

static const struct store_table *find_table(const char *name)
{
    size_t at = 0;
    while (store_tables[at] && strcmp(store_tables[at]->name, name) != 0)
        at++;
    return store_tables[at];
}

START_TEST(each_table_has_its_line)
{
    size_t count = 0;
    for (; store_tables[count]; count++)
        ck_assert_msg(find_kept(store_tables[count]->name), "what becomes of %s with an account?",
                      store_tables[count]->name);
    ck_assert_uint_eq(count, KEPT);
    for (size_t at = 0; at < KEPT; at++)
        ck_assert_msg(find_table(all[at].table), "no %s is kept", all[at].table);
}
END_TEST

static bool is_exported(const char *told)
{
    bool found = false;
    for (size_t at = 0; at < EXPORT_STEPS; at++)
        found |= strcmp(export_steps[at].op, told) == 0;
    for (size_t at = 0; at < EXPORT_HELLO; at++)
        found |= strcmp(export_hello[at], told) == 0;
    return found;
}

START_TEST(it_can_be_had)
{
    const struct kept *kept = &all[_i];
    ck_assert(!kept->told != !kept->why);
    if (kept->told)
        ck_assert_msg(is_exported(kept->told), "%s", kept->told);
}
END_TEST

/* A word of a list with blanks between. */
static bool is_in(const char *list, const char *word)
{
    const size_t len = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += len) {
        if ((at == list || at[-1] == ' ') && (at[len] == ' ' || !at[len]))
            return true;
    }
    return false;
}

static bool is_text(const struct store_column *column)
{
    return column->type != STORE_NUMBER && column->type != STORE_BYTES;
}

START_TEST(it_is_erased)
{
    const struct kept *kept = &all[_i];
    const struct store_table *table = find_table(kept->table);
    ck_assert(table);
    ck_assert((table->owner == STORE_OF_SESSION) == (kept->erased == WITH_SESSION));
    ck_assert((kept->erased == NAMELESS || kept->erased == OF_NOBODY) == (kept->texts != NULL));
    for (size_t at = 0; at < table->count && kept->texts; at++)
        ck_assert_msg(!is_text(&table->columns[at]) || is_in(kept->texts, table->columns[at].name),
                      "who writes %s.%s?", table->name, table->columns[at].name);
}
END_TEST

Suite *own_rows_suite(void)
{
    Suite *suite = suite_create("rows of accounts");
    TCase *tests = tcase_create("rows of accounts");
    tcase_add_checked_fixture(tests, begin_tables, NULL);
    tcase_add_test(tests, each_table_has_its_line);
    tcase_add_loop_test(tests, it_can_be_had, 0, KEPT);
    tcase_add_loop_test(tests, it_is_erased, 0, KEPT);
    suite_add_tcase(suite, tests);
    return suite;
}
