#include <protocol/error.h>

#include <assert.h>

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
