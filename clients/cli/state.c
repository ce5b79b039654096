#include <cli/state.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

json_t *state_at(const json_t *state, const char *path)
{
    json_t *found = NULL;
    do {
        char key[32];
        size_t len = strcspn(path, ".");
        if (len >= sizeof key)
            return NULL;
        memcpy(key, path, len);
        key[len] = '\0';
        found = json_object_get(state, key);
        state = found;
        path += len + (path[len] == '.');
    } while (found && *path);
    return found;
}

const char *state_text(const json_t *state, const char *path)
{
    const char *text = json_string_value(state_at(state, path));
    return text ? text : "";
}

int state_number(const json_t *state, const char *path)
{
    json_int_t number = json_integer_value(state_at(state, path));
    return number > INT32_MAX || number < INT32_MIN ? 0 : (int)number;
}

int state_first_acting(const json_t *state)
{
    const json_t *first = json_array_get(json_object_get(state, "acting"), 0);
    json_int_t seat = json_is_integer(first) ? json_integer_value(first) : -1;
    return seat >= 0 && seat < INT32_MAX ? (int)seat : -1;
}

int state_players(const json_t *state)
{
    return state_number(state, "options.players");
}

bool state_is(const json_t *state, const char *phase)
{
    return strcmp(state_text(state, "phase"), phase) == 0;
}

const json_t *state_of_seat(const json_t *state, const char *path, int seat)
{
    char key[16];
    snprintf(key, sizeof key, "%d", seat);
    return json_object_get(state_at(state, path), key);
}

const json_t *state_seat(const json_t *state, int seat)
{
    return state_of_seat(state, "seats", seat);
}

const char *state_seat_name(const json_t *state, int seat)
{
    const json_t *who = state_seat(state, seat);
    return who ? state_text(who, "name") : "(free)";
}

char state_seat_letter(int seat)
{
    return (char)('A' + (seat % 26 + 26) % 26);
}

const char *state_seat_label(char text[STATE_LABEL], const json_t *state, int seat)
{
    snprintf(text, STATE_LABEL, "%c %s", state_seat_letter(seat), state_seat_name(state, seat));
    return text;
}

bool state_seat_is_ready(const json_t *state, int seat)
{
    return json_is_true(json_object_get(state_seat(state, seat), "ready"));
}

bool state_all_are_ready(const json_t *state)
{
    int count = state_players(state);
    for (int seat = 0; seat < count; seat++) {
        if (!state_seat_is_ready(state, seat))
            return false;
    }
    return count > 0;
}

int state_seat_of_key(const char *key)
{
    bool digit = key[0] >= '0' && key[0] <= '9' && key[1] == '\0';
    return digit ? key[0] - '0' : 0;
}

bool json_array_has(const json_t *array, const char *text)
{
    size_t i;
    json_t *value;
    json_array_foreach(array, i, value)
    {
        if (json_is_string(value) && strcmp(json_string_value(value), text) == 0)
            return true;
    }
    return false;
}

const char *state_offer_to(const json_t *state, int seat)
{
    static const char *const whats[] = {"pause", "resume", "call_off"};
    char key[16];
    snprintf(key, sizeof key, "%d", seat);
    for (size_t i = 0; i < sizeof whats / sizeof whats[0]; i++) {
        const json_t *by = json_object_get(json_object_get(state, "offers"), whats[i]);
        if (json_object_size(by) > 0 && !json_object_get(by, key))
            return whats[i];
    }
    return NULL;
}
