#include "suites.h"
#include <stdio.h>
#include <stdlib.h>

char *read_source_file(const char *path, size_t *len)
{
    char full[1024];
    (void)snprintf(full, sizeof full, "%s/%s", SOURCE_ROOT, path);
    FILE *file = fopen(full, "rb");
    ck_assert_msg(file, "cannot open %s", full);
    enum { MOST = 1 << 20 };
    char *bytes = malloc(MOST);
    ck_assert_ptr_nonnull(bytes);
    *len = fread(bytes, 1, MOST - 1, file);
    ck_assert_msg(*len < MOST - 1, "%s is too long", full);
    bytes[*len] = '\0';
    (void)fclose(file);
    return bytes;
}

int main(void)
{
    SRunner *runner = srunner_create(text_suite());
    srunner_add_suite(runner, encoding_suite());
    srunner_add_suite(runner, writer_suite());
    srunner_add_suite(runner, request_suite());
    srunner_add_suite(runner, merge_patch_suite());
    srunner_add_suite(runner, deal_suite());
    srunner_add_suite(runner, examples_suite());
    srunner_add_suite(runner, errors_suite());
    srunner_add_suite(runner, record_suite());
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
