#include <cli/command.h>
#include <cli/file.h>
#include <cli/verify.h>

static int run(const struct invocation *invocation)
{
    const char *path = invocation->operands[0];
    struct file file;
    if (!file_read(&file, path))
        return EXIT_FILE;
    file_unix_lines(&file);
    const int status = verify_record(path, file.bytes, file.len, stdout);
    file_release(&file);
    return status;
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
        "nonce with what your client showed before the start. `-` is the standard input.\n\n"
        "No rule can prove that a player resigned or ran out of time, or that a match was called\n"
        "off or abandoned. It is said where the end of a match rests on such a word, and the exit\n"
        "status is then 8. Names, times and whatever else neither the secret nor the rules cover\n"
        "are listed too.",
    .operands_min = 1,
    .operands_max = 1,
    .run = run,
};
