#include <rules/status.h>

#include <stddef.h>

static const char *const codes[TALUVA_STATUSES] = {
#define CODE(name, code, text) code,
    TALUVA_STATUS_TABLE(CODE)
#undef CODE
};

static const char *const texts[TALUVA_STATUSES] = {
#define TEXT(name, code, text) text,
    TALUVA_STATUS_TABLE(TEXT)
#undef TEXT
};

const char *taluva_status_code(enum taluva_status status)
{
    return (unsigned)status < TALUVA_STATUSES ? codes[status] : NULL;
}

const char *taluva_status_text(enum taluva_status status)
{
    return (unsigned)status < TALUVA_STATUSES ? texts[status] : NULL;
}
