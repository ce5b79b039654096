/* What the hub itself keeps as described rows, letters, documents and jumps of the clock, and all
 * that there are beside them. */
#include <hub/store_tables.h>

#include <assert.h>
#include <features/feature.h>
#include <hub/store.h>
#include <hub/store_document.h>

const struct store_table store_letter_table = {
    .name = "letter",
    .what = "a letter",
    .number = 9,
    .size = sizeof(struct store_letter),
    .owner = STORE_ADDRESSED,
    .unloaded = true,
    .keys = 2,
    .count = 6,
    .columns = {{"addressee", STORE_NUMBER, STORE_MEMBER(struct store_letter, addressee)},
                {"id", STORE_NUMBER, STORE_MEMBER(struct store_letter, id)},
                {"state", STORE_NUMBER, STORE_MEMBER(struct store_letter, state),
                 .max = STORE_LETTER_STATES - 1},
                {"at_ms", STORE_NUMBER, STORE_MEMBER(struct store_letter, at_ms)},
                {"kind", STORE_STRING, STORE_MEMBER(struct store_letter, kind)},
                {"text", STORE_TEXT, STORE_MEMBER(struct store_letter, text),
                 .len_at = offsetof(struct store_letter, text_len), .max = STORE_LETTER_TEXT_MAX}},
    .indexes = {{"waiting", .columns = {2, 3}, .count = 2, .same = 1}},
};

const struct store_table store_document_table = {
    .name = "document",
    .what = "a document",
    .number = 10,
    .size = sizeof(struct store_document),
    .owner = STORE_OF_SITE,
    .keys = 1,
    .count = 3,
    .columns = {{"name", STORE_STRING, STORE_MEMBER(struct store_document, name)},
                {"revision", STORE_NUMBER, STORE_MEMBER(struct store_document, revision),
                 .flags = STORE_REVISION},
                {"text", STORE_LENT, STORE_MEMBER(struct store_document, text),
                 .max = STORE_DOCUMENT_BYTES_MAX}},
};

const struct store_table store_jump_table = {
    .name = "jump",
    .what = "a time by which the clock was set ahead",
    .number = 11,
    .size = sizeof(struct store_jump),
    .owner = STORE_ADDRESSED,
    .keys = 2,
    .count = 4,
    .columns = {{"part", STORE_NUMBER, STORE_MEMBER(struct store_jump, part)},
                {"place", STORE_NUMBER, STORE_MEMBER(struct store_jump, place)},
                {"since_ms", STORE_NUMBER, STORE_MEMBER(struct store_jump, since_ms)},
                {"until_ms", STORE_NUMBER, STORE_MEMBER(struct store_jump, until_ms)}},
};

/* ---- all of them */

static const struct store_table *all_tables[STORE_TABLES_MAX + 1] = {
    &store_document_table, &store_letter_table, &store_jump_table};
const struct store_table *const *store_tables = all_tables;

bool store_tables_have(const struct store_table *table)
{
    const struct store_table *const *at = store_tables;
    while (*at && *at != table)
        at++;
    return *at;
}

static void add_table(size_t *count, const struct store_table *table)
{
    if (store_tables_have(table))
        return;
    assert(*count < STORE_TABLES_MAX);
    all_tables[(*count)++] = table;
    all_tables[*count] = NULL;
}

void store_tables_of(const struct feature *const *features)
{
    size_t count = 0;
    store_tables = all_tables;
    all_tables[0] = NULL;
    for (; *features; features++) {
        const struct store_table *const *table = (*features)->tables;
        while (table && *table)
            add_table(&count, *table++);
    }
    add_table(&count, &store_document_table);
    add_table(&count, &store_letter_table);
    add_table(&count, &store_jump_table);
}
