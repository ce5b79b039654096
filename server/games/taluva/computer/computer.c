#include "search.h"
#include "weights.h"

void computer_think(const struct computer_question *question, struct computer_answer *answer)
{
    search_run(&net_trained, &search_usual, question, answer);
}
