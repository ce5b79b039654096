/* The groups of cases of the PostgreSQL store. */
#ifndef TESTS_UNIT_POSTGRES_CASES_H
#define TESTS_UNIT_POSTGRES_CASES_H

#include <check.h>

void add_same_tests(TCase *tests);     /* it does what the embedded store does */
void add_dividing_tests(TCase *tests); /* into how many parts */
void add_erase_tests(TCase *tests);    /* how it erases names */
void add_fault_tests(TCase *tests);    /* connections, databases and servers that are lost */
void add_opening_tests(TCase *tests);  /* what cannot be opened, and why */
void add_part_tests(TCase *tests);     /* a site that is divided: each part for itself */
void add_part_fault_tests(TCase *tests);
void add_share_tests(TCase *tests);   /* what follows from looks at a site */
void add_site_tests(TCase *tests);    /* nodes of a site */
void add_standby_tests(TCase *tests); /* it waits until the server before it is gone */
void add_trim_tests(TCase *tests);    /* finished rooms go */
void add_version_tests(TCase *tests); /* databases of earlier versions */

#endif
