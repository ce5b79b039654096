#include "draft.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 3, 4))) static void append(char *out, size_t room, const char *format,
                                                         ...)
{
    const size_t len = strlen(out);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(out + len, room - len, format, args);
    va_end(args);
}

bool draft_begin(struct draft *draft, char *words)
{
    char *rest = NULL;
    const char *seats = strtok_r(words, " ", &rest);
    if (!seats)
        return false;
    memset(draft, 0, sizeof *draft);
    memset(draft->players, -1, sizeof draft->players);
    draft->seats = (unsigned)atoi(seats);
    draft->tiles = draft->seats == 5 ? 60 : 48;
    draft->stack = -1;
    for (const char *flag; (flag = strtok_r(NULL, " ", &rest)) != NULL;) {
        append(draft->flags, sizeof draft->flags, "/%s", flag);
        draft->boats |= strcmp(flag, "boats") == 0;
        if (flag[0] == '2') {
            draft->two_hex = true;
            append(draft->offer, sizeof draft->offer, "%s", flag);
        }
    }
    return draft->seats >= 2 && draft->seats <= TALUVA_SEATS_MAX;
}

static bool add_hex(struct draft *draft, int q, int r, const char *text)
{
    struct draft_hex *const hex = &draft->hexes[draft->n_hexes];
    if (draft->n_hexes == TALUVA_HEXES_MAX || strlen(text) >= DRAFT_TOKEN ||
        !taluva_cell_parse(text, strlen(text), &hex->cell, NULL))
        return false;
    hex->hex = (struct taluva_hex){(int16_t)q, (int16_t)r};
    memcpy(hex->text, text, strlen(text) + 1);
    draft->n_hexes++;
    return true;
}

bool draft_row(struct draft *draft, char *words)
{
    char *rest = NULL;
    const char *row = strtok_r(words, " ", &rest), *column = strtok_r(NULL, " ", &rest);
    if (!row || !column)
        return false;
    const int r = atoi(row);
    int q = atoi(column);
    for (const char *cell; (cell = strtok_r(NULL, " ", &rest)) != NULL; q++) {
        if (strcmp(cell, ".") != 0 && !add_hex(draft, q, r, cell))
            return false;
    }
    return true;
}

bool draft_player(struct draft *draft, char *words)
{
    char *rest = NULL;
    const char *seat = strtok_r(words, " ", &rest);
    if (!seat || (unsigned)atoi(seat) >= draft->seats)
        return false;
    for (const char *word; (word = strtok_r(NULL, " ", &rest)) != NULL;) {
        if (!strchr("hwtbuef", word[0]))
            return false;
        draft->players[atoi(seat)][(unsigned char)word[0]] = atoi(word + 1);
    }
    return true;
}

bool draft_boat(struct draft *draft, char *words)
{
    char *rest = NULL;
    const char *hex = strtok_r(words, " ", &rest), *seat = strtok_r(NULL, " ", &rest);
    if (!hex || !seat || (unsigned)atoi(seat) >= draft->seats)
        return false;
    append(draft->boats_at, sizeof draft->boats_at, "%s%s:%s",
           draft->boats_at[0] == '\0' ? "" : "/", hex, seat);
    int *const afloat = &draft->players[atoi(seat)]['b'];
    *afloat = (*afloat < 0 ? 2 : *afloat) - 1;
    return true;
}

static int by_hex(const void *a, const void *b)
{
    const struct taluva_hex x = ((const struct draft_hex *)a)->hex,
                            y = ((const struct draft_hex *)b)->hex;
    return x.q != y.q ? x.q - y.q : x.r - y.r;
}

static int in_reserve(const struct draft *draft, unsigned seat, enum taluva_kind kind, int supply)
{
    const int said = draft->players[seat][(unsigned char)"hwtb"[kind]];
    int drawn = 0;
    for (unsigned i = 0; i < draft->n_hexes; i++) {
        const struct taluva_cell *const cell = &draft->hexes[i].cell;
        drawn += cell->owner == seat && cell->kind == kind ? cell->count : 0;
    }
    return said >= 0 ? said : supply - drawn;
}

static void write_player(const struct draft *draft, unsigned seat, char *out)
{
    const int *const said = draft->players[seat];
    append(out, TALUVA_POSITION_TEXT, "h%dw%dt%d", in_reserve(draft, seat, TALUVA_HUT, 20),
           in_reserve(draft, seat, TALUVA_TOWER, 2), in_reserve(draft, seat, TALUVA_TEMPLE, 3));
    if (draft->boats)
        append(out, TALUVA_POSITION_TEXT, "b%d", said['b'] < 0 ? 2 : said['b']);
    if (draft->two_hex)
        append(out, TALUVA_POSITION_TEXT, "u%d", said['u'] < 0 ? 0 : said['u']);
    if (said['f'] > 0)
        append(out, TALUVA_POSITION_TEXT, "f%d", said['f']);
    if (said['e'] > 0)
        append(out, TALUVA_POSITION_TEXT, "e%d", said['e']);
}

static int plain_stack(const struct draft *draft)
{
    int levels = 0;
    for (unsigned i = 0; i < draft->n_hexes; i++)
        levels += draft->hexes[i].cell.level;
    for (unsigned seat = 0; seat < draft->seats; seat++) {
        const int used = draft->players[seat]['u'];
        levels -= used > 0 ? 2 * used : 0;
    }
    return (int)draft->tiles - levels / 3 - (strncmp(draft->turn, "place", 5) == 0);
}

void draft_write(const struct draft *draft, char out[TALUVA_POSITION_TEXT])
{
    if (draft->position[0] != '\0') {
        memcpy(out, draft->position, sizeof draft->position);
        return;
    }
    struct draft sorted = *draft;
    qsort(sorted.hexes, sorted.n_hexes, sizeof sorted.hexes[0], by_hex);
    (void)snprintf(out, TALUVA_POSITION_TEXT, "%u/%u/%u%s ", draft->seats, draft->first,
                   draft->tiles, draft->flags);
    for (unsigned i = 0; i < sorted.n_hexes; i++)
        append(out, TALUVA_POSITION_TEXT, "%s%d,%d=%s", i == 0 ? "" : "/", sorted.hexes[i].hex.q,
               sorted.hexes[i].hex.r, sorted.hexes[i].text);
    append(out, TALUVA_POSITION_TEXT, sorted.n_hexes == 0 ? "- " : " ");
    for (unsigned seat = 0; seat < draft->seats; seat++) {
        append(out, TALUVA_POSITION_TEXT, "%s", seat == 0 ? "" : "/");
        write_player(draft, seat, out);
    }
    append(out, TALUVA_POSITION_TEXT, " %s %s %d %s", draft->boats_at[0] ? draft->boats_at : "-",
           draft->offer[0] ? draft->offer : "-",
           draft->stack >= 0 ? draft->stack : plain_stack(draft), draft->turn);
}
