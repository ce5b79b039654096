#include <totem_rules/status.h>

#include <stddef.h>

static const char *const codes[TOTEM_STATUSES] = {
#define CODE(name, code, text) code,
    TOTEM_STATUS_TABLE(CODE)
#undef CODE
};

static const char *const texts[TOTEM_STATUSES] = {
#define TEXT(name, code, text) text,
    TOTEM_STATUS_TABLE(TEXT)
#undef TEXT
};

const char *totem_status_code(enum totem_status status)
{
    return (unsigned)status < TOTEM_STATUSES ? codes[status] : NULL;
}

const char *totem_status_text(enum totem_status status)
{
    return (unsigned)status < TOTEM_STATUSES ? texts[status] : NULL;
}
