#include "guest_table.h"

#include <history/game_table.h>
#include <identity/credential_table.h>
#include <notify/browser_table.h>

const struct store_table guest_word_table = {
    .name = "guest_word",
    .what = "a word of a guest",
    .number = 1001,
    .size = sizeof(struct guest_word),
    .owner = STORE_OF_SESSION,
    .bounded = true,
    .keys = 2,
    .count = 7,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct guest_word, session)},
                {"id", STORE_NUMBER, STORE_MEMBER(struct guest_word, id)},
                {"at_ms", STORE_NUMBER, STORE_MEMBER(struct guest_word, at_ms)},
                {"name", STORE_STRING, STORE_MEMBER(struct guest_word, name), .flags = STORE_CLAIM},
                {"place", STORE_NUMBER, STORE_MEMBER(struct guest_word, place),
                 .flags = STORE_CLAIM},
                {"seal", STORE_BYTES, STORE_MEMBER(struct guest_word, seal)},
                {"words", STORE_LENT, STORE_MEMBER(struct guest_word, words),
                 .max = GUEST_WORDS_MAX}},
    .indexes = {{"by_place", .columns = {4}, .count = 1, .descending = true},
                {"by_time", .columns = {1, 2, 3}, .count = 3, .same = 1},
                {"by_key", .columns = {0}, .count = 1, .same = 1, .descending = true}},
};

const struct store_table guest_page_table = {
    .name = "guest_page",
    .what = "a page of the guest book",
    .number = 1002,
    .size = sizeof(struct guest_page),
    .owner = STORE_OF_DESK,
    .keys = 1,
    .count = 3,
    .columns = {{"number", STORE_NUMBER, STORE_MEMBER(struct guest_page, number)},
                {"mood", STORE_NUMBER, STORE_MEMBER(struct guest_page, mood), .max = 2},
                {"text", STORE_TEXT, STORE_MEMBER(struct guest_page, text),
                 .len_at = offsetof(struct guest_page, text_len), .max = STORE_TEXT_MAX}},
};

const struct store_table *const guest_tables[] = {
    &credential_table,     &browser_table,      &guest_word_table, &guest_page_table,
    &store_document_table, &store_letter_table, &game_table,       NULL};
