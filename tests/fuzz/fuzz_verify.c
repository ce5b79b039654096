/*
 * Any bytes as a record to be proven: the same is said each time; what is proven has a secret that
 * was committed to, and a result; and if it is proven to its end, then it is not without its last
 * turn. No bytes are signed by a key of ours; with a signature by it all is proven, until a byte is
 * another one.
 */
#include "../support/signed_record.h"
#include "fuzz.h"
#include <cli/command.h>
#include <cli/game.h>
#include <cli/verify.h>
#include <cli_taluva/game.h>
#include <cli_totem/game.h>
#include <protocol/deal.h>
#include <protocol/encoding.h>
#include <protocol/record.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOLD(promise)                                                                              \
    do {                                                                                           \
        if (!(promise)) {                                                                          \
            (void)fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #promise);                    \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static const struct game *const games[] = {&game_taluva, &game_totem, NULL};

static int verify(const char *bytes, size_t len, const struct trust *trust, char **said)
{
    size_t size;
    FILE *out = open_memstream(said, &size);
    HOLD(out);
    int status = verify_record("fuzz", bytes, len, trust, out);
    HOLD(fclose(out) == 0);
    return status;
}

static int verify_written(const struct record *record)
{
    struct buffer out;
    char *said;
    buffer_init(&out, 0, RECORD_BYTES);
    HOLD(record_write(&out, record));
    int status = verify(buffer_payload(&out), out.len, NULL, &said);
    free(said);
    buffer_release(&out);
    return status;
}

static void hold_commitment(const struct record *record)
{
    uint8_t secret[DEAL_SECRET_BYTES], commitment[DEAL_COMMITMENT_BYTES];
    char hex[2 * DEAL_COMMITMENT_BYTES + 1];
    HOLD(record->secret);
    HOLD(hex_decode(secret, sizeof secret, record->secret, strlen(record->secret)));
    deal_commit(commitment, secret);
    hex_encode(hex, commitment, sizeof commitment);
    HOLD(strcmp(hex, record->commitment) == 0);
    HOLD(record_find(record->result, record->result_count, "why"));
}

/* Without its last turn, and what is beside it, the match is not at its end. */
static void hold_whole(struct record *record)
{
    size_t last = record->line_count;
    while (last > 0 && record->lines[last - 1].number == 0)
        last--;
    HOLD(last > 0);
    record->line_count = last - 1;
    HOLD(verify_written(record) == EXIT_DIFFERS);
}

static int verify_trusting(const char *bytes, size_t len, const struct record_signer *signer)
{
    const struct trust trust = {.keys = signer->keys, .source = "fuzz"};
    char *said;
    int status = verify(bytes, len, &trust, &said);
    free(said);
    return status;
}

/* Such lines may be changed under a signature. */
static bool has_other_words(const struct record *record)
{
    for (size_t i = 0; i < record->line_count; i++) {
        if (record->lines[i].number == 0 && !record_find_aside(&record->lines[i]))
            return true;
    }
    return false;
}

static void hold_signed(const struct record *record)
{
    struct record_signer signer, other;
    size_t len;
    test_signer(&signer, 1);
    test_signer(&other, 2);
    char *text = sign_record(record, &signer, &len);
    HOLD(verify_trusting(text, len, &signer) == EXIT_OK);
    HOLD(verify_trusting(text, len, &other) == EXIT_UNPROVEN);
    for (size_t i = 0; i < len && !has_other_words(record); i += 1 + len / 16) {
        text[i] ^= 1;
        HOLD(verify_trusting(text, len, &signer) != EXIT_OK);
        text[i] ^= 1;
    }
    free(text);
}

static void hold_proven(const char *bytes, size_t len, int status)
{
    struct record record;
    struct record_problem problem;
    HOLD(record_parse(&record, bytes, len, &problem));
    hold_commitment(&record);
    if (record.result_count < RECORD_PAIRS)
        hold_signed(&record);
    if (status == EXIT_OK)
        hold_whole(&record);
    record_release(&record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    char *said, *again;
    games_set(games);
    int status = verify(bytes, size, NULL, &said);
    HOLD(status == EXIT_OK || status == EXIT_DIFFERS || status == EXIT_UNPROVEN);
    HOLD((status == EXIT_DIFFERS) == (strstr(said, "fuzz: not proven\n") != NULL));
    HOLD(verify(bytes, size, NULL, &again) == status);
    HOLD(strcmp(said, again) == 0);
    struct record_signer signer;
    test_signer(&signer, 1);
    HOLD(verify_trusting(bytes, size, &signer) != EXIT_OK);
    if (status != EXIT_DIFFERS)
        hold_proven(bytes, size, status);
    free(said);
    free(again);
    return 0;
}
