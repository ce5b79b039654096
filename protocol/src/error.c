#include <protocol/error.h>

#include <assert.h>
#include <string.h>

static const struct {
    const char *code;
    const char *sentence;
} ERRORS[PROTOCOL_ERROR_COUNT] = {
#define ROW(name, code, sentence) [PROTOCOL_##name] = {code, sentence},
    PROTOCOL_ERRORS(ROW)
#undef ROW
};

const char *protocol_error_code(enum protocol_error error)
{
    assert(error > PROTOCOL_OK && error < PROTOCOL_ERROR_COUNT);
    return ERRORS[error].code;
}

const char *protocol_error_sentence(enum protocol_error error)
{
    assert(error > PROTOCOL_OK && error < PROTOCOL_ERROR_COUNT);
    return ERRORS[error].sentence;
}

enum protocol_error protocol_error_find(const char *code, size_t len)
{
    for (int error = PROTOCOL_OK + 1; error < PROTOCOL_ERROR_COUNT; error++) {
        if (strlen(ERRORS[error].code) == len && memcmp(ERRORS[error].code, code, len) == 0)
            return (enum protocol_error)error;
    }
    return PROTOCOL_OK;
}
