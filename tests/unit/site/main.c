#include "../../support/run_suites.h"
#include "suites.h"

int main(void)
{
    return run_suites(srunner_create(pieces_suite()));
}
