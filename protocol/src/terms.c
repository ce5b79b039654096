#include <protocol/terms.h>

#include <assert.h>
#include <string.h>

/* The vocabularies are a handful of words each: a linear look is quicker than anything clever. */
static bool find(const char *const words[], size_t count, const char *word, size_t len, size_t *at)
{
    for (size_t i = 0; i < count; i++) {
        if (strlen(words[i]) == len && memcmp(words[i], word, len) == 0) {
            *at = i;
            return true;
        }
    }
    return false;
}

#define WORD(name, word) [PROTOCOL_##name] = (word),
#define TERM(type, TABLE, COUNT)                                                                   \
    static const char *const type##_words[PROTOCOL_##COUNT] = {TABLE(WORD)};                       \
                                                                                                   \
    const char *protocol_##type##_name(enum protocol_##type value)                                 \
    {                                                                                              \
        assert((unsigned)value < PROTOCOL_##COUNT);                                                \
        return type##_words[value];                                                                \
    }                                                                                              \
                                                                                                   \
    bool protocol_##type##_find(enum protocol_##type *out, const char *word, size_t len)           \
    {                                                                                              \
        size_t at;                                                                                 \
        if (!find(type##_words, PROTOCOL_##COUNT, word, len, &at))                                 \
            return false;                                                                          \
        *out = (enum protocol_##type)at;                                                           \
        return true;                                                                               \
    }

TERM(access, PROTOCOL_ACCESSES, ACCESS_COUNT)
TERM(offer, PROTOCOL_OFFERS, OFFER_COUNT)
TERM(clock_kind, PROTOCOL_CLOCK_KINDS, CLOCK_KIND_COUNT)
TERM(timeout, PROTOCOL_TIMEOUTS, TIMEOUT_COUNT)
TERM(phase, PROTOCOL_PHASES, PHASE_COUNT)
TERM(event, PROTOCOL_EVENTS, EVENT_COUNT)
TERM(notice, PROTOCOL_NOTICES, NOTICE_COUNT)
TERM(lang, PROTOCOL_LANGS, LANG_COUNT)
