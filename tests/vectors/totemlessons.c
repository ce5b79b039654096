/*
 * The lessons of Totem in the page by the rules core, as the server would tell them to seat 0: for
 * each position the table and what is asked, and for each command that is tried what comes of it.
 * The browser's tests hold the page's own data against it, and make them from it.
 *
 * usage: totemlessons < FILE
 *
 *   lesson ID POSITION     as the server knows it, protocol/totem.md 7.1
 *   try COMMAND...         one after the other from there, each by the seat that leads the family
 *
 * It answers each line with a line of JSON; what a try comes to is that of its last command, or the
 * first that is refused. Births are those of a match whose key is all zeros. A line that cannot be
 * understood ends the program with 1.
 */
#include <protocol/json_writer.h>
#include <protocol/patch_writer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <totem_match.h>

enum { LINE_MAX_BYTES = 1000, ANSWER_MAX_BYTES = 1 << 17, LEARNER = 0 };

static unsigned line_number;

static void fail(const char *why)
{
    fprintf(stderr, "line %u: %s\n", line_number, why);
    exit(1);
}

static void write_table(const struct totem_match *before, const struct totem_match *after,
                        struct writer *writer)
{
    struct patch patch;
    writer_object(writer);
    patch_init(&patch, writer);
    totem_views.table(before, after, LEARNER, &patch);
    writer_end(writer);
}

static void print_answer(struct writer *writer, struct buffer *buffer)
{
    writer_end(writer);
    if (!writer_done(writer))
        fail("no memory");
    printf("%.*s\n", (int)buffer->len, (const char *)buffer_payload(buffer));
    buffer_release(buffer);
}

static void begin_lesson(struct totem_match *match, const char *id, const char *position)
{
    const char *what = NULL;
    memset(match, 0, sizeof *match);
    if (!totem_position_parse(position, strlen(position), &match->game, NULL, &what))
        fail(what);
    match->options = match->game.options;

    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, ANSWER_MAX_BYTES);
    writer_init(&writer, &buffer);
    writer_object(&writer);
    writer_key_string(&writer, "lesson", id);
    writer_key(&writer, "table");
    write_table(NULL, match, &writer);
    totem_views.moves(match, LEARNER, &writer);
    print_answer(&writer, &buffer);
}

/* Plays a command; what it was like before is in `before`. */
static enum totem_status play(struct totem_match *match, struct totem_match *before,
                              const char *text)
{
    struct totem_command command;
    struct totem_births births;
    if (!totem_command_parse(text, strlen(text), &command))
        return TOTEM_BAD_COMMAND;
    *before = *match;
    totem_match_births(match, &births);
    const unsigned seat = totem_seat_of(&match->game.options, command.family);
    return totem_play(&match->game, seat, &command, &births, NULL);
}

static void write_event(const struct totem_match *before, const struct totem_match *after,
                        const char *move, struct writer *writer)
{
    const struct totem *game = &before->game;
    struct totem_command command;
    totem_command_parse(move, strlen(move), &command);
    const unsigned seat = totem_seat_of(&game->options, command.family);
    writer_key(writer, "event");
    writer_object(writer);
    totem_views.move(before, after, seat, move, strlen(move), LEARNER, writer);
    writer_end(writer);
    writer_key(writer, "patch");
    write_table(before, after, writer);
}

static void try_commands(const struct totem_match *from, char *commands)
{
    static struct totem_match match, before;
    enum totem_status status = TOTEM_BAD_COMMAND;
    const char *last = "";
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, ANSWER_MAX_BYTES);
    writer_init(&writer, &buffer);
    writer_object(&writer);
    writer_key_string(&writer, "try", commands);
    match = *from;
    for (char *text = strtok(commands, " "); text; text = strtok(NULL, " ")) {
        last = text;
        status = play(&match, &before, text);
        if (status != TOTEM_OK)
            break;
    }
    writer_key_string(&writer, "status", totem_status_code(status));
    if (status == TOTEM_OK)
        write_event(&before, &match, last, &writer);
    print_answer(&writer, &buffer);
}

/* The rest of a line behind its first word, which ends there. */
static char *rest_of(char *line)
{
    char *space = strchr(line, ' ');
    if (!space)
        fail("not understood");
    *space = '\0';
    return space + 1;
}

static void obey(struct totem_match *match, char *line)
{
    char *rest = rest_of(line);
    if (strcmp(line, "try") == 0) {
        if (match->game.round == 0)
            fail("no lesson yet");
        try_commands(match, rest);
    } else if (strcmp(line, "lesson") == 0) {
        const char *position = rest_of(rest);
        begin_lesson(match, rest, position);
    } else {
        fail("not understood");
    }
}

int main(void)
{
    static struct totem_match match;
    char line[LINE_MAX_BYTES];
    while (fgets(line, sizeof line, stdin)) {
        line_number++;
        line[strcspn(line, "\n")] = '\0';
        if (line[0] != '\0')
            obey(&match, line);
    }
    return 0;
}
