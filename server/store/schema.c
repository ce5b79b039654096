#include "schema.h"

#include "schema.sql.h"
#include <assert.h>

static const char *const migrations[STORE_VERSION] = {
    SQL_VERSION_1, SQL_VERSION_2, SQL_VERSION_3, SQL_VERSION_4,
    SQL_VERSION_5, SQL_VERSION_6, SQL_VERSION_7,
};

const char *schema_migration(int from)
{
    assert(from >= 0 && from < STORE_VERSION);
    return migrations[from];
}
