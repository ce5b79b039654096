#include "setup.h"

#include <assert.h>
#include <protocol/encoding.h>
#include <stdio.h>
#include <string.h>

void setup_init(struct setup *setup, const struct room_seed *seed)
{
    memset(setup, 0, sizeof *setup);
    setup->seed = *seed;
    uint8_t commitment[DEAL_COMMITMENT_BYTES];
    deal_commit(commitment, seed->secret);
    hex_encode(setup->commitment, commitment, sizeof commitment);
}

static const struct game_type *find_game(const struct game_type *const games[],
                                         const struct request *create)
{
    if (!request_has(create, REQUEST_GAME))
        return games[0];
    for (size_t i = 0; games[i]; i++) {
        if (strcmp(games[i]->name, create->game) == 0)
            return games[i];
    }
    return NULL;
}

static bool may_hint(const struct setup *setup)
{
    return setup->game->computer->hint != NULL;
}

bool setup_read(struct setup *setup, void *value, const struct game_type *const games[],
                const struct request *create, unsigned rules_version, struct refusal *refusal)
{
    const struct game_type *game = find_game(games, create);
    if (!game || rules_version > game->rules_version) {
        *refusal = (struct refusal){.error = PROTOCOL_UNKNOWN_GAME, .field = "game"};
        return false;
    }
    assert(game->size <= GAME_VALUE_MAX && game->seats_max <= PROTOCOL_SEATS);
    assert(game->move_bytes <= PROTOCOL_MOVE_BYTES);
    memset(value, 0, game->size);
    const json_t *options = request_has(create, REQUEST_OPTIONS) ? create->options : NULL;
    if (rules_version == SETUP_CURRENT_RULES)
        rules_version = game->rules_version;
    if (!game->rules->create(value, rules_version, options, refusal))
        return false;
    setup->game = game;
    setup->rules_version = rules_version;
    setup->seats = game->rules->seats(value);
    assert(setup->seats >= 1 && setup->seats <= game->seats_max);
    setup->access = request_has(create, REQUEST_ACCESS) ? create->access : PROTOCOL_ACCESS_OPEN;
    memset(&setup->clock, 0, sizeof setup->clock);
    if (request_has(create, REQUEST_CLOCK))
        setup->clock = create->clock;
    setup->hints = request_has(create, REQUEST_HINTS) && create->hints;
    if (setup->hints && !may_hint(setup)) {
        *refusal = (struct refusal){.error = PROTOCOL_NO_HINTS, .field = "hints"};
        return false;
    }
    memset(setup->title, 0, sizeof setup->title);
    if (request_has(create, REQUEST_TITLE))
        memcpy(setup->title, create->title, strlen(create->title));
    return true;
}

void setup_choose_hints(struct setup *setup)
{
    setup->hints = may_hint(setup) && setup->clock.kind == PROTOCOL_CLOCK_NONE;
}

int setup_find_colour(const struct setup *setup, const char *word, size_t len)
{
    const char *const *colours = setup->game->colours;
    for (int i = 0; colours[i]; i++) {
        if (strlen(colours[i]) == len && memcmp(colours[i], word, len) == 0)
            return i;
    }
    return -1;
}

void setup_write_clock(const struct setup *setup, struct writer *writer)
{
    const struct protocol_clock *clock = &setup->clock;
    writer_key_string(writer, "kind", protocol_clock_kind_name(clock->kind));
    switch (clock->kind) {
    case PROTOCOL_CLOCK_NONE:
        return;
    case PROTOCOL_CLOCK_MOVE:
        writer_key_int(writer, "move_s", clock->move_s);
        break;
    case PROTOCOL_CLOCK_FISCHER:
        writer_key_int(writer, "bank_s", clock->bank_s);
        writer_key_int(writer, "increment_s", clock->increment_s);
        break;
    case PROTOCOL_CLOCK_BYOYOMI:
        writer_key_int(writer, "bank_s", clock->bank_s);
        writer_key_int(writer, "periods", clock->periods);
        writer_key_int(writer, "period_s", clock->period_s);
        break;
    case PROTOCOL_CLOCK_DAYS:
        writer_key_int(writer, "days", clock->days);
        break;
    case PROTOCOL_CLOCK_KIND_COUNT:
        assert(false && "no such clock");
    }
    writer_key_string(writer, "on_timeout", protocol_timeout_name(clock->on_timeout));
}

#define RULES_PREFIX "rules="
#define RATED_PREFIX "rated="
enum { RULES_VERSION_DIGITS = 4 };

/* Digits and a blank, no leading zero. */
static bool read_version(const char **at, const char *end, unsigned *version)
{
    const char *digit = *at;
    *version = 0;
    while (digit < end && *digit >= '0' && *digit <= '9' && digit - *at < RULES_VERSION_DIGITS)
        *version = 10 * *version + (unsigned)(*digit++ - '0');
    if (digit == *at || **at == '0' || digit == end || *digit != ' ')
        return false;
    *at = digit + 1;
    return true;
}

static bool skip_prefix(const char **at, const char *end, const char *prefix)
{
    const size_t len = strlen(prefix);
    if ((size_t)(end - *at) <= len || memcmp(*at, prefix, len) != 0)
        return false;
    *at += len;
    return true;
}

static bool is_class_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || byte == '.';
}

/* The word for a class, and a blank. */
static bool read_rated(const char **at, const char *end,
                       char rated[static PROTOCOL_RATED_BYTES + 1])
{
    size_t len = 0;
    while (*at + len < end && len < PROTOCOL_RATED_BYTES && is_class_byte((*at)[len]))
        len++;
    if (len == 0 || *at + len == end || (*at)[len] != ' ')
        return false;
    memcpy(rated, *at, len);
    rated[len] = '\0';
    *at += len + 1;
    return true;
}

bool setup_split(const struct room_event *created, unsigned *rules_version,
                 char rated[static PROTOCOL_RATED_BYTES + 1], const char **request, size_t *len)
{
    const char *at = created->text, *end = at + created->text_len;
    *rules_version = 1; /* what was written before versions were */
    rated[0] = '\0';
    if (skip_prefix(&at, end, RULES_PREFIX) && !read_version(&at, end, rules_version))
        return false;
    if (skip_prefix(&at, end, RATED_PREFIX) && !read_rated(&at, end, rated))
        return false;
    *request = at;
    *len = (size_t)(end - at);
    return true;
}

size_t setup_write(const struct setup *setup, const void *value, char text[ROOM_EVENT_TEXT_MAX])
{
    struct buffer buffer;
    struct writer writer;
    const bool rated = setup->rated[0];
    int prefix = snprintf(text, ROOM_EVENT_TEXT_MAX, RULES_PREFIX "%u %s%s%s", setup->rules_version,
                          rated ? RATED_PREFIX : "", setup->rated, rated ? " " : "");
    assert(prefix > 0 && setup->rules_version < 10000);
    buffer_init(&buffer, 0, ROOM_EVENT_TEXT_MAX - (size_t)prefix);
    writer_init(&writer, &buffer);
    writer_object(&writer);
    writer_key_int(&writer, "id", 0);
    writer_key_string(&writer, "op", request_op_name(REQUEST_CREATE));
    writer_key_string(&writer, "access", protocol_access_name(setup->access));
    writer_key_object(&writer, "clock");
    setup_write_clock(setup, &writer);
    writer_end(&writer);
    writer_key_string(&writer, "game", setup->game->name);
    if (setup->hints)
        writer_key_bool(&writer, "hints", true);
    writer_key(&writer, "options");
    setup->game->rules->write_options(value, &writer);
    if (setup->title[0])
        writer_key_string(&writer, "title", setup->title);
    writer_end(&writer);

    size_t len = buffer.failed ? 0 : buffer.len;
    if (len > 0)
        memcpy(text + prefix, buffer_payload(&buffer), len);
    buffer_release(&buffer);
    return len > 0 ? (size_t)prefix + len : 0;
}
