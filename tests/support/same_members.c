#include "same_members.h"

#include <protocol/json_read.h>
#include <stdbool.h>
#include <string.h>

static const char *scalar_differs(const struct json_member *member, const json_t *value)
{
    if (member->type == JSON_STRING &&
        (member->len != json_string_length(value) ||
         memcmp(member->text, json_string_value(value), member->len + 1) != 0))
        return "a string";
    if (member->type == JSON_INTEGER && member->integer != json_integer_value(value))
        return "an integer";
    return NULL;
}

static const char *member_differs(const struct json_member *member, const char *name,
                                  const json_t *value)
{
    bool is_tree = json_is_object(value) || json_is_array(value);
    if (strcmp(member->name, name) != 0)
        return "a name";
    if (member->type != json_typeof(value) || is_tree != (member->tree != NULL))
        return "a type";
    if (is_tree)
        return json_equal(member->tree, value) ? NULL : "a tree";
    return scalar_differs(member, value);
}

static const char *list_differs(const struct json_members *members, json_t *tree)
{
    size_t at = 0;
    const char *name, *difference = NULL;
    json_t *value;
    if (json_object_size(tree) < JSON_MEMBERS_MAX && members->count != json_object_size(tree))
        return "how many there are";
    json_object_foreach(tree, name, value)
    {
        if (difference || at == members->count)
            break;
        difference = member_differs(&members->list[at++], name, value);
    }
    return difference;
}

const char *members_differ(const char *bytes, size_t len)
{
    enum { DEPTH = 8 };
    struct json_members members;
    json_t *tree;
    const char *difference = NULL;
    enum json_read want = json_read(&tree, bytes, len, DEPTH);
    enum json_read got = json_read_members(&members, bytes, len, DEPTH);
    bool many = got == JSON_READ_OK && members.count == JSON_MEMBERS_MAX;
    if (want == JSON_READ_OK && !json_is_object(tree))
        want = JSON_READ_BAD;
    if (got != want && !(many && want == JSON_READ_DUPLICATE_KEY))
        difference = "the result";
    else if (got == JSON_READ_OK && want == JSON_READ_OK)
        difference = list_differs(&members, tree);
    if (got == JSON_READ_OK)
        json_members_release(&members);
    else if (members.count > 0)
        difference = "members of what was not read";
    json_decref(tree);
    return difference;
}
