/* The store in a PostgreSQL database, against a real one: tests/support/postgres.py. With `faults`
 * what happens when connections, databases and servers are lost. */
#include "../../support/run_suites.h"
#include "cases.h"
#include "fixture.h"
#include <string.h>

int main(int argc, char **argv)
{
    const bool faults = argc > 1 && strcmp(argv[1], "faults") == 0;
    Suite *suite = suite_create("postgres");
    static const struct {
        const char *name;
        void (*add)(TCase *tests);
        bool faults;
    } groups[] = {
        {"as the embedded one", add_same_tests, false},
        {"faults", add_fault_tests, true},
        {"erasing", add_erase_tests, false},
        {"opening", add_opening_tests, false},
        {"dividing", add_dividing_tests, false},
        {"parts", add_part_tests, false},
        {"shares", add_share_tests, false},
        {"site", add_site_tests, false},
        {"standby", add_standby_tests, true},
        {"parts with faults", add_part_fault_tests, true},
        {"trimming", add_trim_tests, false},
        {"versions", add_version_tests, false},
    };
    for (size_t at = 0; at < sizeof groups / sizeof groups[0]; at++) {
        if (groups[at].faults != faults)
            continue;
        TCase *tests = tcase_create(groups[at].name);
        tcase_add_checked_fixture(tests, fixture_begin, NULL);
        groups[at].add(tests);
        suite_add_tcase(suite, tests);
    }
    return run_suites(srunner_create(suite));
}
