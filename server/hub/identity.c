#include <identity/identity.h>

const struct feature feature_identity = {.name = "identity"};
