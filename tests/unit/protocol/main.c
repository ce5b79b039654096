#include "../../support/run_suites.h"
#include "suites.h"

int main(void)
{
    SRunner *runner = srunner_create(text_suite());
    srunner_add_suite(runner, account_suite());
    srunner_add_suite(runner, encoding_suite());
    srunner_add_suite(runner, writer_suite());
    srunner_add_suite(runner, json_read_suite());
    srunner_add_suite(runner, request_suite());
    srunner_add_suite(runner, request_shape_suite());
    srunner_add_suite(runner, merge_patch_suite());
    srunner_add_suite(runner, name_patterns_suite());
    srunner_add_suite(runner, deal_suite());
    srunner_add_suite(runner, digest_suite());
    srunner_add_suite(runner, examples_suite());
    srunner_add_suite(runner, errors_suite());
    srunner_add_suite(runner, record_suite());
    srunner_add_suite(runner, keys_suite());
    srunner_add_suite(runner, scope_suite());
    srunner_add_suite(runner, signature_suite());
    int status = run_suites(runner);
    int asserts = run_suites_forked(srunner_create(writer_asserts_suite()));
    return status == EXIT_SUCCESS ? asserts : status;
}
