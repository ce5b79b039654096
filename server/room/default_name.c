#include <room/default_name.h>

static const char *const people[] = {
    "Gecko",   "Pelican",    "Turtle",   "Dolphin", "Parrot",   "Crab",     "Heron",     "Otter",
    "Octopus", "Toucan",     "Seahorse", "Iguana",  "Tern",     "Starfish", "Albatross", "Puffin",
    "Manta",   "Kingfisher", "Flamingo", "Lobster", "Nautilus", "Lemur",    "Cormorant", "Cricket",
};

static const char *const computers[] = {
    "Mango",   "Papaya",   "Coconut", "Guava", "Lychee",   "Ginger",
    "Vanilla", "Hibiscus", "Orchid",  "Cocoa", "Tamarind", "Banana",
};

const char *default_name_person(size_t n)
{
    return people[n % (sizeof people / sizeof people[0])];
}

const char *default_name_computer(size_t n)
{
    return computers[n % (sizeof computers / sizeof computers[0])];
}
