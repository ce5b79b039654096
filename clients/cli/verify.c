#include <cli/verify.h>

#include <cli/command.h>
#include <cli/replay.h>
#include <string.h>

static size_t seats_left(const struct record *record)
{
    size_t count = 0;
    for (size_t i = 0; i < record->line_count; i++)
        count += replay_leaves(&record->lines[i]);
    return count;
}

/* "Seat 2 resigned after turn 9." for each seat that left. */
static void print_leaving(const struct record *record, FILE *out)
{
    uint32_t turn = 0;
    for (size_t i = 0; i < record->line_count; i++) {
        const struct record_line *line = &record->lines[i];
        turn = line->number ? line->number : turn;
        if (replay_leaves(line))
            fprintf(out, "  seat %u %s after turn %u\n", line->seat,
                    strcmp(line->text, "resigned") == 0 ? "resigned" : "ran out of time", turn);
    }
}

static void print_proven(const struct replay *replay, bool ending, const char *result)
{
    fprintf(replay->out,
            "%s: proven%s\n"
            "  by the secret: what was drawn follows from the committed secret and the players' "
            "nonces\n"
            "  by the rules: all %llu turns are legal%s\n",
            replay->where, ending ? "" : ", but for its end", (unsigned long long)replay->turns,
            result);
}

/* What neither the secret nor the rules can say anything about. */
static void print_not_covered(FILE *out)
{
    fputs(
        "not proven, but the record's word:\n"
        "  that it was these turns that were played; who sat there, under which names and with "
        "which\n"
        "  colours; computers and their levels; room, server and title; the clock and all times;\n"
        "  hints, pauses and stand-ins; options that made no difference; an analysis\n"
        "Compare the commitment and your nonce with what your client showed before the start.\n",
        out);
}

static int print_ending(const struct replay *replay, const struct record *record)
{
    const bool by_room = replay_room_ended(record);
    if (!by_room && seats_left(record) == 0) {
        print_proven(replay, true, ", and the result follows from them");
        return EXIT_OK;
    }
    print_proven(replay, false,
                 by_room ? "" : ", and the result follows from them and from who left");
    fputs("not proven, but the record's word, on which its end rests:\n", replay->out);
    print_leaving(record, replay->out);
    if (by_room)
        fprintf(replay->out, "  after the last turn the match was %s\n",
                strcmp(replay_result(record, "why"), REPLAY_ABANDONED) == 0 ? "abandoned"
                                                                            : "called off");
    return EXIT_UNPROVEN;
}

static int judge(struct replay *replay, const struct record *record)
{
    replay_parsed(replay, record);
    if (replay->differences > 0)
        return EXIT_DIFFERS;
    const int status = print_ending(replay, record);
    print_not_covered(replay->out);
    return status;
}

int verify_record(const char *path, const char *bytes, size_t len, FILE *out)
{
    struct replay replay = {.out = out, .where = path, .proof = true};
    struct record record;
    struct record_problem problem;
    int status = EXIT_DIFFERS;
    if (record_parse(&record, bytes, len, &problem)) {
        status = judge(&replay, &record);
        record_release(&record);
    } else {
        char why[REPLAY_PROBLEM_TEXT];
        replay_problem_text(why, &problem);
        fprintf(out, "%s: %s\n", path, why);
    }
    if (status == EXIT_DIFFERS)
        fprintf(out, "%s: not proven\n", path);
    return status;
}
