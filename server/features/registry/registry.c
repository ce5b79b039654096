#include <registry/registry.h>

#include <history/history.h>
#include <stddef.h>

const struct feature *const registry[] = {
    &feature_history,
    NULL,
};
