#include "handle.h"

#include <ctype.h>
#include <games/game.h>
#include <protocol/encoding.h>
#include <protocol/name_patterns.h>
#include <room/default_name.h>
#include <sodium.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static char fold_letter(char c)
{
    switch (c) {
    case '0':
        return 'o';
    case '1':
    case 'i':
        return 'l';
    case '5':
        return 's';
    }
    return c;
}

void handle_skeleton(const char *handle, char skeleton[static PROTOCOL_HANDLE_BYTES + 1])
{
    size_t len = 0;
    bool may_merge = false; /* what was merged is no part of another pair */
    for (; *handle && len < PROTOCOL_HANDLE_BYTES; handle++) {
        if (*handle == '-' || *handle == '_')
            continue;
        const char c = fold_letter((char)tolower((unsigned char)*handle));
        const char both = may_merge ? name_merge_letters(skeleton[len - 1], c) : '\0';
        if (both)
            skeleton[len - 1] = both;
        else
            skeleton[len++] = c;
        may_merge = !both;
    }
    skeleton[len] = '\0';
}

void handle_claim(const char *skeleton, char claim[static HANDLE_CLAIM_BYTES + 1])
{
    uint8_t hash[HANDLE_CLAIM_BYTES / 2];
    crypto_generichash(hash, sizeof hash, (const unsigned char *)skeleton, strlen(skeleton), NULL,
                       0);
    hex_encode(claim, hash, sizeof hash);
}

/* ---- reserved ones */

static bool is_like(const char *skeleton, const char *word, size_t len)
{
    char text[PROTOCOL_HANDLE_BYTES + 1], its[PROTOCOL_HANDLE_BYTES + 1];
    if (len > PROTOCOL_HANDLE_BYTES)
        return false;
    (void)snprintf(text, sizeof text, "%.*s", (int)len, word);
    handle_skeleton(text, its);
    return strcmp(skeleton, its) == 0;
}

static bool is_own_word(const char *skeleton)
{
    static const char *const words[] = {"admin",    "mod",   "moderator", "operator",
                                        "taluva",   "totem", "server",    "system",
                                        "computer", "bot",   "anonymous", "deleted"};
    for (size_t at = 0; at < sizeof words / sizeof *words; at++) {
        if (is_like(skeleton, words[at], strlen(words[at])))
            return true;
    }
    return false;
}

static bool is_default_name(const char *skeleton)
{
    const char *(*const names[])(size_t) = {default_name_person, default_name_computer};
    for (size_t kind = 0; kind < sizeof names / sizeof *names; kind++) {
        size_t n = 0;
        do {
            const char *name = names[kind](n);
            if (is_like(skeleton, name, strlen(name)))
                return true;
        } while (names[kind](++n) != names[kind](0));
    }
    return false;
}

static bool is_level(const char *skeleton, const struct game_type *const *games)
{
    for (; *games; games++) {
        for (unsigned level = 1; level <= game_levels(*games); level++) {
            const char *word = game_level_word(*games, level);
            if (is_like(skeleton, word, strlen(word)))
                return true;
        }
    }
    return false;
}

static bool is_one_of(const char *skeleton, const char *more)
{
    static const char blanks[] = " \t\r\n";
    for (more += strspn(more, blanks); *more; more += strspn(more, blanks)) {
        const size_t len = strcspn(more, blanks);
        if (is_like(skeleton, more, len))
            return true;
        more += len;
    }
    return false;
}

/* Is it nobody's to have, a program's neither? */
static bool is_nobodys(const char *handle, const struct game_type *const *games, const char *more)
{
    char skeleton[PROTOCOL_HANDLE_BYTES + 1];
    handle_skeleton(handle, skeleton);
    return is_own_word(skeleton) || is_default_name(skeleton) || is_level(skeleton, games) ||
           (more && is_one_of(skeleton, more));
}

enum { PROGRAMS_END = sizeof "-bot" - 1 };

bool handle_is_of_programs(const char *handle)
{
    const size_t len = strlen(handle);
    const char *end = len > PROGRAMS_END ? handle + len - PROGRAMS_END : "";
    return (end[0] == '-' || end[0] == '_') && tolower((unsigned char)end[1]) == 'b' &&
           tolower((unsigned char)end[2]) == 'o' && tolower((unsigned char)end[3]) == 't';
}

bool handle_is_programs_word(const char *handle, const struct game_type *const *games,
                             const char *more)
{
    char before[PROTOCOL_HANDLE_BYTES + 1];
    (void)snprintf(before, sizeof before, "%.*s", (int)(strlen(handle) - PROGRAMS_END), handle);
    return is_nobodys(handle, games, more) || is_nobodys(before, games, more);
}

bool handle_is_reserved(const char *handle, const struct game_type *const *games, const char *more)
{
    return handle_is_of_programs(handle) || is_nobodys(handle, games, more);
}
