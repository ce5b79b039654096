#include <protocol/export.h>

const struct export_step export_steps[EXPORT_STEPS] = {
    {"devices", false}, {"profile", true},       {"passkeys", true}, {"tokens", true},
    {"bots", true},     {"invites", true},       {"blocks", true},   {"friends", true},
    {"kept", false},    {"kept_at_desk", false}, {"games", false},
};

const char *const export_hello[EXPORT_HELLO] = {"session", "name",       "account",  "time",
                                                "seats",   "judgements", "moderator"};
