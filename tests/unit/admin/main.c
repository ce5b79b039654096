#include "../../support/run_suites.h"
#include "suites.h"
#include <locale.h>

int main(void)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    SRunner *runner = srunner_create(table_suite());
    srunner_add_suite(runner, command_line_suite());
    srunner_add_suite(runner, ask_suite());
    return run_suites(runner);
}
