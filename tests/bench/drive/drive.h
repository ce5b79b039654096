/*
 * Rooms of seats that move in turn, two messages a turn, open or closed loop, as taluva-load has
 * them; how long each move takes, and what it costs. Knows no protocol: a program that does tells
 * it what it has heard, and is told who is to connect and to move. One to a process.
 */
#ifndef BENCH_DRIVE_H
#define BENCH_DRIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <uv.h>

enum { DRIVE_SEATS_MAX = 8 };

struct drive_room;

struct drive_seat {
    struct drive_room *room;
    unsigned index;  /* of the seat, counted through all rooms */
    unsigned number; /* in its room */
    unsigned heard;  /* moves that were pushed to it */
    bool in;
    void *user; /* the program's */
};

struct drive_options {
    unsigned rooms, seats;
    double moves_per_s; /* 0: closed loop, each room moves again when it has heard of its move */
    unsigned warmup_s, seconds;
    unsigned idle; /* connections that do nothing */
    pid_t server;  /* whose processor time and memory are read */
};

struct drive_calls {
    void (*connect)(struct drive_seat *seat); /* NULL: one that stays idle */
    size_t (*move)(struct drive_seat *seat);  /* sends one; how many bytes its message has */
};

/* Runs until everything is measured, and prints it as one line of JSON; an exit code. */
int drive_run(uv_loop_t *loop, const struct drive_options *options,
              const struct drive_calls *calls);

void drive_idle_open(void);
void drive_entered(struct drive_seat *seat);      /* is in its room; the last one starts the game */
void drive_acknowledged(struct drive_seat *seat); /* its own move is */
void drive_pushed(struct drive_seat *seat, size_t len); /* a move is, of anybody in the room */

/* Nothing that is measured is worth anything any more. */
_Noreturn void drive_fail(const char *what, const char *why);

#endif
