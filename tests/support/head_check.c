#include "head_check.h"

#include <protocol/error.h>
#include <protocol/request.h>
#include <protocol/terms.h>
#include <string.h>

/* A code of a game may be one of the protocol's too. */
static bool has_its_error(const struct hub_head *head, const json_t *message)
{
    const char *code =
        json_string_value(json_object_get(json_object_get(message, "error"), "code"));
    if (head->kind != HUB_REFUSAL || !code)
        return head->error == PROTOCOL_OK;
    const enum protocol_error error = protocol_error_find(code, strlen(code));
    return head->error == error || (head->error == PROTOCOL_OK && error == PROTOCOL_NOT_YOUR_TURN);
}

static const char *check_reply(const struct hub_head *head, const json_t *message)
{
    const json_t *id = json_object_get(message, "id"), *ok = json_object_get(message, "ok");
    const json_t *state = json_object_get(ok, "state");
    const int64_t number = json_is_integer(id) ? json_integer_value(id) : REQUEST_NO_ID;
    if ((head->kind == HUB_REFUSAL) != !ok)
        return "granted or refused";
    if (head->id != number)
        return "id";
    const bool view = state && json_object_get(ok, "you");
    if ((head->kind == HUB_VIEW) != view)
        return "state";
    if (head->kind == HUB_VIEW && head->seq != json_integer_value(json_object_get(ok, "seq")))
        return "seq of a state";
    return head->room[0] ? "room of a reply" : NULL;
}

static const char *check_push(const struct hub_head *head, const char *push, const json_t *message)
{
    const char *room = json_string_value(json_object_get(message, "room"));
    const char *code = json_string_value(json_object_get(message, "code"));
    if ((head->kind == HUB_EVENT) != (strcmp(push, "event") == 0) ||
        (head->kind == HUB_NOTICE) != (strcmp(push, "notice") == 0))
        return "kind of a push";
    if (strcmp(head->room, room ? room : "") != 0)
        return "room";
    if (head->kind == HUB_EVENT && head->seq != json_integer_value(json_object_get(message, "seq")))
        return "seq";
    if (head->kind == HUB_NOTICE &&
        strcmp(protocol_notice_name((enum protocol_notice)head->notice), code ? code : "") != 0)
        return "notice";
    return NULL;
}

const char *head_check(const struct hub_head *head, const json_t *message)
{
    const char *push = json_string_value(json_object_get(message, "push"));
    if (!head || head->kind == HUB_NO_MESSAGE || head->kind >= HUB_KINDS)
        return "no head";
    if (head_is_reply(head) != !push)
        return "push or reply";
    if (!has_its_error(head, message))
        return "error";
    return push ? check_push(head, push, message) : check_reply(head, message);
}

const char *head_check_passed_on(const struct hub_head *head, const json_t *message)
{
    const char *push = json_string_value(json_object_get(message, "push"));
    if (!head || head_is_reply(head) != !push)
        return "push or reply";
    if (!has_its_error(head, message))
        return "error";
    return push ? NULL : check_reply(head, message);
}
