#include "signed_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(bool condition)
{
    if (!condition) {
        (void)fprintf(stderr, "a record cannot be signed\n");
        abort();
    }
}

void test_signer(struct record_signer *signer, unsigned char number)
{
    const uint8_t seed[SIGNING_SEED_BYTES] = {number};
    record_signer_init(signer, seed, 1);
}

char *sign_record(const struct record *record, const struct record_signer *signer, size_t *len)
{
    char value[RECORD_SIGNATURE_BYTES + 1];
    struct record_pair result[RECORD_PAIRS];
    struct record with = *record;
    struct buffer text;
    with.result = result;
    with.result_count = 0;
    for (size_t i = 0; i < record->result_count; i++) {
        if (strcmp(record->result[i].name, RECORD_SIGNATURE_NAME) == 0)
            break;
        result[with.result_count++] = record->result[i];
    }
    must(with.result_count < RECORD_PAIRS);
    must(record_sign(&with, signer, value));
    result[with.result_count++] = (struct record_pair){RECORD_SIGNATURE_NAME, value};
    buffer_init(&text, 0, RECORD_BYTES + 1);
    must(record_write(&text, &with));
    *len = text.len;
    buffer_append_byte(&text, '\0');
    size_t all;
    char *bytes = buffer_detach(&text, &all);
    must(bytes);
    return bytes;
}
