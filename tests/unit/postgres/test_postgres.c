/* The store in a PostgreSQL database, against a real one: tests/support/postgres.py. */
#include "../../support/run_suites.h"
#include "cases.h"
#include "fixture.h"

int main(void)
{
    Suite *suite = suite_create("postgres");
    static const struct {
        const char *name;
        void (*add)(TCase *tests);
    } groups[] = {
        {"as the embedded one", add_same_tests},
        {"opening", add_opening_tests},
    };
    for (size_t at = 0; at < sizeof groups / sizeof groups[0]; at++) {
        TCase *tests = tcase_create(groups[at].name);
        tcase_add_checked_fixture(tests, fixture_begin, NULL);
        groups[at].add(tests);
        suite_add_tcase(suite, tests);
    }
    return run_suites(srunner_create(suite));
}
