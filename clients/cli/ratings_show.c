#include "ratings_show.h"

#include <cli/glyph.h>
#include <cli/state.h>
#include <inttypes.h>
#include <jansson.h>
#include <protocol/encoding.h>
#include <protocol/json_read.h>
#include <stdio.h>
#include <string.h>
#include <wire/clean.h>

enum { LEADERS_SHOWN = 100, ACCOUNT_DIGITS = 16, NAME_COLUMNS = 24 };

struct showing {
    bool json;
    int64_t shown;
};

bool ratings_find_account(const struct pages *pages, char *path, size_t size)
{
    uint8_t bytes[ACCOUNT_DIGITS / 2];
    json_t *profile =
        json_loadb(buffer_payload(&pages->body), pages->body.len, JSON_REJECT_DUPLICATES, NULL);
    const char *account = json_string_value(json_object_get(profile, "account"));
    const bool found = account && hex_decode(bytes, sizeof bytes, account, strlen(account));
    if (found)
        (void)snprintf(path, size, "api/ratings/%s", account);
    else
        fputs("taluva: what the server has there cannot be read\n", stderr);
    json_decref(profile);
    return found;
}

int ratings_say_nobody(const char *handle)
{
    fprintf(stderr, "taluva: nobody has the handle %s\n", handle);
    return EXIT_REFUSED;
}

/* As it came. */
static bool print_object(const json_t *object)
{
    char *text = json_dumps(object, JSON_COMPACT);
    if (text)
        wire_print_message(text, strlen(text), stdout);
    free(text);
    return text != NULL;
}

/* "1662 +- 580 ?" */
static void print_rating(const json_t *object)
{
    printf("%5d +- %3" PRId64 "%s %6d matches\n", state_number(object, "rating"),
           2 * (int64_t)state_number(object, "deviation"),
           json_is_true(json_object_get(object, "provisional")) ? " ?" : "  ",
           state_number(object, "matches"));
}

static void print_name(const json_t *object, const char *member)
{
    const char *name = json_string_value(json_object_get(object, member));
    name = name ? name : "?";
    glyph_print_text(name, stdout);
    for (int columns = glyph_columns(name); columns < NAME_COLUMNS; columns++)
        putchar(' ');
}

static bool show_own(void *ctx, const json_t *object)
{
    struct showing *showing = ctx;
    showing->shown++;
    if (showing->json)
        return print_object(object);
    print_name(object, "class");
    print_rating(object);
    return true;
}

static bool show_leader(void *ctx, const json_t *object)
{
    struct showing *showing = ctx;
    showing->shown++;
    if (showing->json)
        return print_object(object);
    printf("%3" PRId64 "  ", showing->shown);
    print_name(object, "handle");
    print_rating(object);
    return showing->shown < LEADERS_SHOWN;
}

int ratings_print(const struct pages *pages, const char *handle, bool json)
{
    struct showing showing = {.json = json};
    const int result = pages_lines(pages, show_own, &showing);
    if (result == EXIT_OK && showing.shown == 0 && !json)
        printf("%s has no ratings yet\n", handle);
    return result;
}

int leaders_print(const struct pages *pages, bool json)
{
    struct showing showing = {.json = json};
    const int result = pages_lines(pages, show_leader, &showing);
    if (result == EXIT_OK && showing.shown == 0 && !json)
        puts("nobody has a place in that list yet");
    return result;
}
