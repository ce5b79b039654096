#include "sat.h"

#include "seat.h"
#include "setup.h"
#include <assert.h>
#include <protocol/account.h>
#include <string.h>

static const char account_words[][6] = {
    [ACCOUNT_NONE] = "human", [ACCOUNT_PERSON] = "human", [ACCOUNT_BOT] = "agent"};

size_t sat_write(char text[ROOM_EVENT_TEXT_MAX], const struct sat_sitter *sitter)
{
    static const struct protocol_account none;
    const struct protocol_account *account = sitter->account ? sitter->account : &none;
    const bool named = sitter->level || account->handle[0];
    const char *words[] = {sitter->colour,
                           " ",
                           sitter->level ? "bot" : account_words[account->kind],
                           named ? ":" : "",
                           sitter->level ? sitter->level : account->handle,
                           " ",
                           sitter->name};
    size_t len = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        assert(len + n <= ROOM_EVENT_TEXT_MAX);
        memcpy(text + len, words[i], n);
        len += n;
    }
    return len;
}

/* The word before the next space, which is skipped; *len bytes. NULL: there is no space. */
static const char *next_word(const char **at, const char *end, size_t *len)
{
    const char *word = *at;
    const char *space = memchr(word, ' ', (size_t)(end - word));
    if (!space)
        return NULL;
    *len = (size_t)(space - word);
    *at = space + 1;
    return word;
}

/* "human:" or "agent:", and a handle. */
static bool read_account(const char *word, size_t len, struct protocol_account *account)
{
    enum { HANDLE_AT = sizeof account_words[0] };
    if (len < HANDLE_AT || word[HANDLE_AT - 1] != ':' ||
        !handle_valid(word + HANDLE_AT, len - HANDLE_AT))
        return false;
    for (enum protocol_account_kind kind = ACCOUNT_PERSON; kind <= ACCOUNT_BOT; kind++) {
        if (memcmp(word, account_words[kind], HANDLE_AT - 1) == 0)
            account->kind = kind;
    }
    memcpy(account->handle, word + HANDLE_AT, len - HANDLE_AT);
    return account->kind != ACCOUNT_NONE;
}

/* "human"; an account; "bot:" and a level; or "bot" alone, from before there were levels. */
static bool read_player(const struct setup *setup, const char *word, size_t len, struct seat *seat)
{
    static const char human[] = "human", bot[] = "bot", level[] = "bot:";
    if (len == strlen(human) && memcmp(word, human, len) == 0)
        return true;
    if (read_account(word, len, &seat->account))
        return true;
    if (len == strlen(bot) && memcmp(word, bot, len) == 0)
        seat->level = (uint8_t)setup->game->computer->level_unnamed;
    else if (len > strlen(level) && memcmp(word, level, strlen(level)) == 0)
        seat->level =
            (uint8_t)game_level_find(setup->game, word + strlen(level), len - strlen(level));
    seat->bot = seat->level > 0;
    return seat->bot;
}

bool sat_read(const struct setup *setup, const struct room_event *event, struct seat *seat)
{
    const char *at = event->text, *end = event->text + event->text_len;
    size_t len;
    const char *word = next_word(&at, end, &len);
    int colour = word ? setup_find_colour(setup, word, len) : -1;
    if (colour < 0)
        return false;
    word = next_word(&at, end, &len);
    if (!word || !read_player(setup, word, len, seat))
        return false;
    seat->colour = (uint8_t)colour;
    len = (size_t)(end - at);
    if (len == 0 || len > PROTOCOL_NAME_BYTES)
        return false;
    memset(seat->name, 0, sizeof seat->name);
    memcpy(seat->name, at, len);
    return true;
}
