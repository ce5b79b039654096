#include <cli/verify.h>

#include <cli/command.h>
#include <cli/replay.h>
#include <protocol/encoding.h>
#include <protocol/signature.h>
#include <string.h>

/* What is to be said about one record. */
struct verdict {
    struct replay *replay;
    const struct record *record;
    const struct trust *trust; /* NULL: nobody is */
    enum record_signature signature;
    char key_id[KEY_ID_BYTES + 1];
};

/* ---- how it ended */

static size_t seats_left(const struct record *record)
{
    size_t count = 0;
    for (size_t i = 0; i < record->line_count; i++)
        count += replay_leaves(&record->lines[i]);
    return count;
}

static bool rules_end_it(const struct record *record)
{
    return !replay_room_ended(record) && seats_left(record) == 0;
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

static const char *word_for(const char *why)
{
    if (strcmp(why, REPLAY_ABANDONED) == 0)
        return "abandoned";
    return strcmp(why, REPLAY_CLOSED) == 0 ? "closed by the operator of its server" : "called off";
}

/* What no rule can prove of the end. */
static void print_ending(const struct record *record, FILE *out)
{
    print_leaving(record, out);
    if (replay_room_ended(record))
        fprintf(out, "  after the last turn the match was %s\n",
                word_for(replay_result(record, "why")));
}

/* ---- what is proven, and by what */

static bool is_signed(const struct verdict *verdict)
{
    return verdict->signature == RECORD_SIGNED;
}

/* Is all proven that was asked for? */
static bool is_proven(const struct verdict *verdict)
{
    return is_signed(verdict) || (!verdict->trust && rules_end_it(verdict->record));
}

static void print_proven(const struct verdict *verdict)
{
    const struct record *record = verdict->record;
    FILE *out = verdict->replay->out;
    fprintf(out, "%s: proven", verdict->replay->where);
    if (verdict->trust && !is_signed(verdict))
        fprintf(out, ", but for a signature by a key of %s", verdict->trust->source);
    else if (!is_proven(verdict))
        fputs(", but for its end", out);
    fprintf(out,
            "\n"
            "  by the secret: what was drawn follows from the committed secret and the\n"
            "    players' nonces\n"
            "  by the rules: all %llu turns are legal",
            (unsigned long long)verdict->replay->turns);
    if (rules_end_it(record))
        fputs(", and the result follows from them", out);
    else if (!replay_room_ended(record))
        fputs(", and the result follows from them and from who left", out);
    fputc('\n', out);
}

static const char OTHER_WORDS[] =
    "  that it was these turns that were played; who sat there, under which names\n"
    "  and with which colours; computers and their levels; room, server and title;\n"
    "  the clock and all times; hints, pauses and stand-ins; options that made no\n"
    "  difference";

/* Something in it is not the server's. */
static bool has_additions(const struct record *record)
{
    const size_t count = record->result_count;
    if (count > 0 && strcmp(record->result[count - 1].name, RECORD_SIGNATURE_NAME) != 0)
        return true;
    for (size_t i = 0; i < record->line_count; i++) {
        if (record->lines[i].number == 0 && !record_find_aside(&record->lines[i]))
            return true;
    }
    return false;
}

/* By a signature that was checked: all but what was added. */
static void print_signed(const struct verdict *verdict)
{
    FILE *out = verdict->replay->out;
    fprintf(out, "by the signature, the word of %s with its key %s:\n", verdict->trust->source,
            verdict->key_id);
    print_ending(verdict->record, out);
    fprintf(out, "%s\n", OTHER_WORDS);
    if (has_additions(verdict->record))
        fputs("not signed: what others have added to the record, such as an analysis\n", out);
    if (verdict->trust->in_clear)
        fputs("The keys came over a connection that is not encrypted.\n", out);
}

/* What neither the secret nor the rules can say anything about. */
static void print_not_covered(const struct verdict *verdict)
{
    FILE *out = verdict->replay->out;
    if (!rules_end_it(verdict->record)) {
        fputs("not proven, but the record's word, on which its end rests:\n", out);
        print_ending(verdict->record, out);
    }
    fprintf(out, "not proven, but the record's word:\n%s; an analysis\n", OTHER_WORDS);
}

static void print_signature(const struct verdict *verdict)
{
    FILE *out = verdict->replay->out;
    if (verdict->signature == RECORD_NOT_SIGNED && verdict->trust)
        fputs("The record is not signed.\n", out);
    else if (verdict->signature == RECORD_SIGNED_BY_OTHER && verdict->trust)
        fprintf(out,
                "The record names the key %s,\n"
                "which is none of %s: its signature was not checked.\n",
                verdict->key_id, verdict->trust->source);
    else if (verdict->signature == RECORD_SIGNED_BY_OTHER)
        fprintf(out,
                "The record is signed by key %s,\n"
                "which was not checked: pass --key or --server.\n",
                verdict->key_id);
}

/* Without memory it is left out. */
static void print_core(const struct verdict *verdict)
{
    uint8_t hash[RECORD_CORE_BYTES];
    char text[2 * RECORD_CORE_BYTES + 1];
    if (!record_core_hash(verdict->record, hash))
        return;
    hex_encode(text, hash, sizeof hash);
    fprintf(verdict->replay->out, "core hash, under whatever names: %s\n", text);
}

static void print_all(const struct verdict *verdict)
{
    print_proven(verdict);
    if (is_signed(verdict)) {
        print_signed(verdict);
    } else {
        print_not_covered(verdict);
        print_signature(verdict);
    }
    fputs("Compare the commitment and your nonce with what your client showed before the\n"
          "start.\n",
          verdict->replay->out);
    print_core(verdict);
}

/* ---- the whole */

/* What is wrong with the signature is a difference like any other. */
static void check_signature(struct verdict *verdict)
{
    static const struct key_set none;
    const struct trust *trust = verdict->trust;
    verdict->signature =
        record_check_signature(verdict->record, trust ? &trust->keys : &none, verdict->key_id);
    verdict->replay->turn = 0;
    if (verdict->signature == RECORD_SIGNATURE_FALSE)
        replay_differs(verdict->replay, "the signature is false: this is not what was signed");
    if (verdict->signature == RECORD_SIGNED_TOO_LATE)
        replay_differs(verdict->replay,
                       "the signature is by key %s, which was no longer used when the match ended",
                       verdict->key_id);
}

static int judge(struct replay *replay, const struct record *record, const struct trust *trust)
{
    struct verdict verdict = {.replay = replay, .record = record, .trust = trust};
    replay_parsed(replay, record);
    check_signature(&verdict);
    if (verdict.signature == RECORD_SIGNATURE_FAILED) {
        fprintf(replay->out, "%s: out of memory\n", replay->where);
        return EXIT_MEMORY;
    }
    if (replay->differences > 0)
        return EXIT_DIFFERS;
    print_all(&verdict);
    return is_proven(&verdict) ? EXIT_OK : EXIT_UNPROVEN;
}

int verify_record(const char *path, const char *bytes, size_t len, const struct trust *trust,
                  FILE *out)
{
    struct replay replay = {.out = out, .where = path, .proof = true};
    struct record record;
    struct record_problem problem;
    int status = EXIT_DIFFERS;
    if (record_parse(&record, bytes, len, &problem)) {
        status = judge(&replay, &record, trust);
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
