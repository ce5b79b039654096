#include <protocol/merge_patch.h>

/* Puts `value` (which is let go on failure) where `*target` was. */
static bool replace(json_t **target, json_t *value)
{
    if (!value)
        return false;
    json_decref(*target);
    *target = value;
    return true;
}

/* One member of a patch that is an object, applied to a target that is one too. */
static bool merge_member(json_t *object, const char *key, json_t *patch)
{
    if (json_is_null(patch)) {
        (void)json_object_del(object, key); /* it need not have been there */
        return true;
    }
    json_t *member = json_object_get(object, key);
    if (json_is_object(patch) && json_is_object(member))
        return merge_patch(&member, patch); /* in place: the member stays the same value */
    json_t *fresh = NULL;
    if (!merge_patch(&fresh, patch)) {
        json_decref(fresh);
        return false;
    }
    return json_object_set_new_nocheck(object, key, fresh) == 0; /* the patch has the key */
}

bool merge_patch(json_t **target, json_t *patch)
{
    if (!json_is_object(patch))
        return replace(target, json_incref(patch));
    if (!json_is_object(*target) && !replace(target, json_object()))
        return false;
    const char *key;
    json_t *value;
    json_object_foreach(patch, key, value)
    {
        if (!merge_member(*target, key, value))
            return false;
    }
    return true;
}
