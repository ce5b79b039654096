#include "../../support/run_suites.h"
#include "suites.h"
#include <sodium.h>

int main(void)
{
    if (sodium_init() < 0)
        return EXIT_FAILURE;
    SRunner *runner = srunner_create(text_suite());
    srunner_add_suite(runner, keys_suite());
    srunner_add_suite(runner, token_suite());
    srunner_add_suite(runner, provider_suite());
    return run_suites(runner);
}
