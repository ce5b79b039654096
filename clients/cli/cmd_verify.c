#include <cli/command.h>
#include <cli/file.h>
#include <cli/replay.h>

static int run(const struct invocation *invocation)
{
    const char *path = invocation->operands[0];
    struct replay replay = {.out = stdout, .where = path};
    struct file file;
    if (!file_read(&file, path))
        return EXIT_FILE;
    replay_record(&replay, file.bytes, file.len, true);
    file_release(&file);
    if (replay.differences > 0) {
        printf("%s: not proven\n", path);
        return EXIT_DIFFERS;
    }
    printf("%s: proven: what was drawn follows from the committed secret and the players' nonces,\n"
           "and all %llu turns and the result follow from the rules\n",
           path, (unsigned long long)replay.turns);
    return EXIT_OK;
}

const struct command command_verify = {
    .name = "verify",
    .operands = "RECORD",
    .summary = "Prove that a match was dealt and played fairly",
    .details =
        "Shows from the text record of a finished match, without asking any server, that the\n"
        "revealed secret is the one the server had committed to before anybody gave a nonce, that\n"
        "what was drawn (the first player, the tiles, the births) follows from it and all nonces,\n"
        "and that every turn was legal and led to the result. Compare the commitment and your\n"
        "nonce with what your client showed before the start. `-` is the standard input.",
    .operands_min = 1,
    .operands_max = 1,
    .run = run,
};
