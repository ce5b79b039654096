/*
 * What is the same for every game: the frame of a record, and the proof that its secret is the one
 * that was committed to.
 */
#include <cli/game.h>
#include <protocol/encoding.h>
#include <string.h>

void replay_print_totals(const struct replay *replay)
{
    fprintf(replay->out, "%llu games, %llu turns, %llu differences\n",
            (unsigned long long)replay->games, (unsigned long long)replay->turns,
            (unsigned long long)replay->differences);
}

/* ---- objects */

static void replay_object(struct replay *replay, const struct game *game, const json_t *object)
{
    const json_t *name = json_object_get(object, "game");
    if (name)
        game = json_is_string(name) ? games_find(json_string_value(name)) : NULL;
    replay->games++;
    replay->turn = 0;
    if (game)
        game->replay_object(replay, object);
    else
        replay_differs(replay, "this program does not know the game");
}

void replay_objects(struct replay *replay, const struct game *game, const char *path,
                    const char *bytes, size_t len)
{
    char where[512];
    size_t number = 0;
    const char *end = bytes + len;
    for (const char *line = bytes; line < end;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t size = (size_t)((newline ? newline : end) - line);
        snprintf(where, sizeof where, "%s:%zu", path, ++number);
        replay->where = where;
        replay->turn = 0;
        json_t *object = size > 0 ? json_loadb(line, size, JSON_REJECT_DUPLICATES, NULL) : NULL;
        if (object)
            replay_object(replay, game, object);
        else if (size > 0)
            replay_differs(replay, "this is not JSON");
        json_decref(object);
        line += size + 1;
    }
    replay->where = path;
}

/* ---- records */

static bool prove_commitment(struct replay *replay, const struct record *record,
                             uint8_t secret[DEAL_SECRET_BYTES])
{
    uint8_t commitment[DEAL_COMMITMENT_BYTES];
    char hex[2 * DEAL_COMMITMENT_BYTES + 1];
    const char *digits = record->secret;
    if (!digits || !hex_decode(secret, DEAL_SECRET_BYTES, digits, strlen(digits))) {
        replay_differs(replay, "the secret is not revealed");
        return false;
    }
    deal_commit(commitment, secret);
    hex_encode(hex, commitment, sizeof commitment);
    if (strcmp(hex, record->commitment) != 0)
        replay_differs(replay, "the secret is not the one that was committed to");
    return strcmp(hex, record->commitment) == 0;
}

static void seed_stream(struct deal_stream *stream, const struct record *record,
                        const uint8_t secret[DEAL_SECRET_BYTES])
{
    const char *nonces[PROTOCOL_SEATS];
    uint8_t key[DEAL_KEY_BYTES];
    for (size_t seat = 0; seat < record->seat_count; seat++)
        nonces[seat] = record->seats[seat].nonce;
    deal_key(key, secret, nonces, record->seat_count);
    deal_stream_init(stream, key);
}

/* A match that is over has begun and ended at some time. */
static void check_times(struct replay *replay, const struct record *record)
{
    if (replay->proof && (record->start_ms == RECORD_NO_TIME || record->end_ms == RECORD_NO_TIME))
        replay_differs(replay, "the secret is revealed, but Start or End is missing");
}

static bool is_known(struct replay *replay, const struct record *record, const struct game *game)
{
    if (!game)
        replay_differs(replay, "this program does not know the game %s", record->game);
    else if (record->rules > game->rules_version)
        replay_differs(replay, "this program does not know version %u of the rules of %s",
                       record->rules, game->name);
    else if (record->deal_count == 0)
        replay_differs(replay, "the match was not over: its secret is not known yet");
    else
        return true;
    return false;
}

void replay_parsed(struct replay *replay, const struct record *record)
{
    uint8_t secret[DEAL_SECRET_BYTES];
    struct deal_stream stream;
    const struct game *game = games_find(record->game);
    if (!is_known(replay, record, game))
        return;
    bool proved = replay->proof && prove_commitment(replay, record, secret);
    if (proved)
        seed_stream(&stream, record, secret);
    check_times(replay, record);
    replay_check_asides(replay, record);
    game->replay_record(replay, record, proved ? &stream : NULL);
}

void replay_problem_text(char text[REPLAY_PROBLEM_TEXT], const struct record_problem *problem)
{
    if (problem->line > 0)
        snprintf(text, REPLAY_PROBLEM_TEXT, "line %zu: %s", problem->line, problem->message);
    else
        snprintf(text, REPLAY_PROBLEM_TEXT, "%s", problem->message);
}

void replay_record(struct replay *replay, const char *bytes, size_t len)
{
    struct record record;
    struct record_problem problem;
    replay->games++;
    replay->turn = 0;
    if (!record_parse(&record, bytes, len, &problem)) {
        char why[REPLAY_PROBLEM_TEXT];
        replay_problem_text(why, &problem);
        replay_differs(replay, "%s", why);
        return;
    }
    replay_parsed(replay, &record);
    record_release(&record);
}
