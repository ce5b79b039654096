#include <cli/create.h>

void create_set_text(json_t *options, const char *key, const char *value)
{
    if (value)
        json_object_set_new(options, key, json_string(value));
}

void create_set_number(json_t *options, const char *key, int64_t value)
{
    if (value != CREATE_NOT_GIVEN)
        json_object_set_new(options, key, json_integer(value));
}

void create_set_flag(json_t *options, const char *key, bool value)
{
    if (value)
        json_object_set_new(options, key, json_true());
}
