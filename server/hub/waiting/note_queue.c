#include "note_queue.h"

#include "hub_private.h"
#include <stdlib.h>
#include <string.h>

enum { SIZE_FIRST = 16 };

/* ---- a ring */

static bool grow_ring(struct note_ring *ring, size_t max)
{
    size_t size = ring->size ? ring->size * 2 : SIZE_FIRST;
    if (size > max)
        size = max;
    struct note_entry *entries = ring->count < size ? malloc(size * sizeof *entries) : NULL;
    if (!entries)
        return false;
    for (size_t i = 0; i < ring->count; i++)
        entries[i] = ring->entries[(ring->first + i) % ring->size];
    free(ring->entries);
    *ring = (struct note_ring){.entries = entries, .count = ring->count, .size = size};
    return true;
}

static bool put_note(struct hub *hub, struct note_ring *ring, const struct note_entry *entry)
{
    if (ring->count == ring->size && !grow_ring(ring, (size_t)hub->config.note_queue)) {
        hub->metrics.notes_lost++;
        return false;
    }
    ring->entries[(ring->first + ring->count++) % ring->size] = *entry;
    return true;
}

static bool pop_note(struct note_ring *ring, int64_t now_ms, struct note_entry *entry)
{
    if (ring->count == 0 || ring->entries[ring->first].due_ms > now_ms)
        return false;
    *entry = ring->entries[ring->first];
    ring->first = (ring->first + 1) % ring->size;
    ring->count--;
    return true;
}

static int64_t ring_due_ms(const struct note_ring *ring)
{
    return ring->count > 0 ? ring->entries[ring->first].due_ms : INT64_MAX;
}

/* ---- both */

void note_queue_player(struct hub *hub, uint64_t session)
{
    const struct note_entry entry = {.session = session, .due_ms = hub->now_ms};
    (void)put_note(hub, &hub->notes.players, &entry);
}

void note_queue_letter(struct hub *hub, uint64_t addressee)
{
    const struct note_entry entry = {.session = addressee, .due_ms = hub->now_ms, .letter = true};
    (void)put_note(hub, &hub->notes.players, &entry);
}

bool note_queue_word(struct hub *hub, uint64_t session, const char *text, size_t len)
{
    struct note_entry entry = {.session = session, .due_ms = hub->now_ms, .word = malloc(len)};
    if (!entry.word)
        return false;
    memcpy(entry.word, text, len);
    entry.word_len = (uint16_t)len;
    if (put_note(hub, &hub->notes.words, &entry))
        return true;
    free(entry.word);
    return false;
}

/* An address has as many as of messages to browsers that wait here, and counts both together. */
bool note_queue_turn(struct hub *hub, const struct note_entry *turn)
{
    const uint16_t counted = hub->shares.pushes[turn->share];
    if (turn->share != 0 && counted >= hub->config.push_per_address) {
        hub->metrics.notes_lost++;
        return false;
    }
    if (!put_note(hub, &hub->notes.turns, turn))
        return false;
    hub->shares.pushes[turn->share]++;
    return true;
}

bool note_queue_pop(struct hub *hub, struct note_entry *entry)
{
    if (pop_note(&hub->notes.players, hub->now_ms, entry) ||
        pop_note(&hub->notes.words, hub->now_ms, entry))
        return true;
    if (!pop_note(&hub->notes.turns, hub->now_ms, entry))
        return false;
    hub->shares.pushes[entry->share]--;
    return true;
}

int64_t note_queue_deadline_ms(const struct hub *hub)
{
    const int64_t players_ms = ring_due_ms(&hub->notes.players);
    const int64_t turns_ms = ring_due_ms(&hub->notes.turns);
    const int64_t words_ms = ring_due_ms(&hub->notes.words);
    const int64_t first_ms = players_ms < turns_ms ? players_ms : turns_ms;
    return first_ms < words_ms ? first_ms : words_ms;
}

void note_queue_release(struct hub *hub)
{
    struct note_entry entry;
    while (pop_note(&hub->notes.words, INT64_MAX, &entry))
        free(entry.word);
    free(hub->notes.words.entries);
    free(hub->notes.players.entries);
    free(hub->notes.turns.entries);
    hub->notes = (struct note_queue){0};
}
