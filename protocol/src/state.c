#include <protocol/state.h>

bool state_acts(const json_t *state, int seat)
{
    const json_t *acting = json_object_get(state, "acting");
    for (size_t i = 0; i < json_array_size(acting); i++) {
        const json_t *one = json_array_get(acting, i);
        if (json_is_integer(one) && json_integer_value(one) == seat)
            return true;
    }
    return false;
}
