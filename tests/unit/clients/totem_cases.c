#include "totem_cases.h"

#include "suites.h"
#include <cli/state.h>
#include <stdio.h>
#include <stdlib.h>

json_t *read_case(const char *name)
{
    char path[256];
    size_t len;
    snprintf(path, sizeof path, "tests/unit/clients/totem/%s.json", name);
    char *text = read_source_file(path, &len);
    json_t *value = json_loads(text, 0, NULL);
    ck_assert_msg(value, "%s", path);
    free(text);
    return value;
}

struct game_room room_of(const json_t *of)
{
    return (struct game_room){.state = json_object_get(of, "state"),
                              .legal = json_object_get(of, "legal"),
                              .seat = state_number(of, "seat")};
}
