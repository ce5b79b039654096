/*
 * Every limit and every delay of the hub: a name, a default, a range and a reason, in one table.
 *
 * The table makes the struct, the defaults and the server's options, which keep to the ranges. The
 * end of a name is the unit of its time. All are int64_t, so that the sum of two never overflows.
 */
#ifndef HUB_CONFIG_H
#define HUB_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What one request, letter or end puts into a batch: there is a place for it once that is empty. */
enum { BATCH_OPS_LEAST = 256 };

/* ROW(name, default, min, max, reason) */
#define HUB_LIMITS(ROW)                                                                            \
    /* requests */                                                                                 \
    ROW(message_bytes, 4096, 1024, 4096, "longest request; a longer one closes with 1009")         \
    ROW(requests_per_s, 20, 1, 1000000, "sustained requests of one connection")                    \
    ROW(requests_burst, 60, 1, 1000000, "requests of one connection at once")                      \
    ROW(requests_per_address_per_s, 1000, 1, 1000000, "the same of all connections of an address") \
    ROW(requests_per_address_burst, 5000, 1, 1000000, "requests of one address at once")           \
    ROW(work_per_s, 10000, 1, 1000000, "work on long answers to all clients, counted in requests") \
    ROW(work_burst, 100, 1, 1000000, "the same at once")                                           \
    ROW(answers_waiting, 256, 0, 10000, "requests that wait in turn for such work")                \
    ROW(flood_refusals, 300, 1, 1000000,                                                           \
        "answers slow_down at once; more close the connection with 4003")                          \
    ROW(says_per_min, 30, 1, 1000000, "chat messages of one session")                              \
    ROW(says_burst, 8, 1, 1000000, "chat messages of one session at once")                         \
    ROW(says_per_address_per_min, 300, 1, 1000000, "chat messages of all sessions of an address")  \
    ROW(says_per_address_burst, 60, 1, 1000000, "chat messages of one address at once")            \
    ROW(watchers_say_per_min, 60, 1, 1000000,                                                      \
        "chat messages of all who watch a room (half from 100 watchers on)")                       \
    ROW(watchers_say_burst, 20, 1, 1000000, "chat messages of all who watch a room at once")       \
    ROW(guesses_per_min, 10, 1, 1000000, "wrong codes and tokens of one session or address")       \
    ROW(guesses_burst, 20, 1, 1000000, "wrong codes and tokens of one session or address at once") \
    ROW(analyses_per_address_per_min, 12, 1, 1000000, "matches that an address has analysed anew") \
    ROW(analyses_per_address_burst, 12, 1, 1000000, "matches of one address at once")              \
    ROW(hints_per_min, 20, 1, 1000000, "hints for one session")                                    \
    ROW(hints_burst, 10, 1, 1000000, "hints for one session at once")                              \
    ROW(hints_per_address_per_min, 120, 1, 1000000, "hints for all sessions of an address")        \
    ROW(hints_per_address_burst, 60, 1, 1000000, "hints for one address at once")                  \
    /* sessions */                                                                                 \
    ROW(sessions, 200000, 1, 10000000, "sessions remembered, about 250 bytes each")                \
    ROW(visitor_idle_days, 7, 1, 3650, "a session that never had a seat expires after so long")    \
    ROW(session_idle_days, 60, 1, 3650, "a session unused so long expires, if it holds no seat")   \
    ROW(sessions_per_address_per_min, 60, 1, 1000000, "new sessions from one address")             \
    ROW(sessions_per_address_burst, 200, 1, 1000000, "new sessions from one address at once")      \
    ROW(sessions_per_address, 10000, 1, 10000000,                                                  \
        "sessions of one address that are connected, have had a seat or have more than a device")  \
    ROW(accounts, 100000, 1, 10000000, "sessions with a handle, of each part; they do not expire") \
    ROW(bots_per_account, 3, 0, 64, "accounts of programs that one account may own")               \
    ROW(claims_per_address_per_day, 5, 1, 100000, "handles claimed from one address")              \
    ROW(invites_per_account, 5, 0, 64, "invitations of one account that are good at once")         \
    ROW(site_invites, 1000, 1, 100000, "invitations of the operator that are good at once")        \
    ROW(invite_ms, 1209600000, 60000, 7776000000, "such an invitation is good for so long")        \
    ROW(closing_ms, 604800000, 60000, 7776000000,                                                  \
        "an account that is closed is erased after so long, unless that is taken back")            \
    ROW(devices_per_session, 8, 1, 64,                                                             \
        "devices that one session is used on; more replace old ones")                              \
    ROW(links_per_session, 4, 1, 64, "links to one session; more replace the oldest")              \
    ROW(link_ms, 600000, 1000, 86400000, "a link to a session is good for so long")                \
    ROW(reports_per_account_per_day, 5, 1, 1000, "others that one account may report in a day")    \
    ROW(reports, 1000, 1, 10000, "reports that are kept; of more the cheapest go")                 \
    ROW(report_keep_days, 90, 1, 3650, "a report is kept so long after it was judged")             \
    ROW(judgements, 10000, 1, 1000000, "decisions about people that are kept")                     \
    ROW(talk_bytes, 1048576, 0, 1073741824,                                                        \
        "memory for what was said last at all tables, for reports")                                \
    ROW(chat_per_account_per_min, 10, 1, 100, "lines of one account in the lobby")                 \
    ROW(chat_per_address_per_min, 20, 1, 100, "the same of one IPv4 address or /64")               \
    ROW(chat_per_min, 60, 1, 100, "the same of everybody")                                         \
    ROW(chat_age_ms, 86400000, 0, 31536000000,                                                     \
        "whoever speaks in the lobby has had an account so long")                                  \
    ROW(chat_keep_ms, 86400000, 60000, 2592000000,                                                 \
        "a line is kept so long, in memory, and the last 100")                                     \
    ROW(chat_listeners, 2000, 0, 100000,                                                           \
        "who waits for the next line at once; others ask again now and then")                      \
    ROW(events, 64, 0, 1000, "events that have not ended")                                         \
    ROW(events_per_account, 3, 1, 1000, "the same of one account")                                 \
    ROW(events_kept, 256, 1, 10000, "events that have ended; of more the oldest go")               \
    ROW(event_listeners, 2000, 0, 100000,                                                          \
        "who waits for the next change of an event at once; others ask again now and then")        \
    ROW(blocks_per_account, 200, 1, 200, "others that one account may block")                      \
    ROW(follows_per_account, 200, 1, 200, "others that one account may follow")                    \
    ROW(follows, 1000000, 1, 10000000, "the same of all accounts of a part")                       \
    ROW(passkeys_per_account, 8, 1, 32, "passkeys of one account")                                 \
    ROW(tokens_per_account, 16, 0, 64, "tokens of programs of one account")                        \
    ROW(challenge_ms, 300000, 1000, 3600000, "a challenge for a passkey is good for so long")      \
    ROW(proof_ms, 600000, 1000, 86400000,                                                          \
        "who has shown a passkey or the phrase need not do so again for so long")                  \
    ROW(passes_per_min, 10, 1, 1000000, "changes of a session's devices, links and phrase")        \
    ROW(passes_burst, 20, 1, 1000000, "the same at once")                                          \
    /* connections */                                                                              \
    ROW(connections, 20000, 1, 1000000, "open connections; more are refused with 1013")            \
    ROW(connections_per_address, 512, 1, 1000000, "open connections of one address, or IPv6 /64")  \
    ROW(connections_per_session, 8, 1, 1000, "open connections (tabs, devices) of one session")    \
    ROW(probe_ms, 3000, 100, 600000,                                                               \
        "a connection that shows no life for so long when asked gives way to another")             \
    ROW(rooms_per_connection, 64, 1, 10000, "rooms that one connection is subscribed to at once")  \
    ROW(addresses, 65536, 16, 10000000, "addresses remembered at once")                            \
    ROW(hello_timeout_ms, 10000, 100, 600000, "time until hello; a later one closes with 4001")    \
    ROW(idle_timeout_ms, 1800000, 1000, 86400000,                                                  \
        "a connection without room and request for so long closes with 4004")                      \
    ROW(outbox_bytes, 262144, 131072, 67108864, "unsent to one connection; more closes with 4002") \
    ROW(outbox_bytes_per_address, 16777216, 131072, 1073741824,                                    \
        "unsent to all connections of an address; more closes the fullest with 4002")              \
    ROW(outbox_bytes_in_all, 268435456, 131072, 68719476736,                                       \
        "unsent to everybody; more closes the fullest of all with 4002")                           \
    ROW(bans, 1000, 1, 10000, "bans and silences of the operator at once")                         \
    /* rooms */                                                                                    \
    ROW(rooms, 20000, 1, 1000000, "rooms in memory")                                               \
    ROW(rooms_per_address_per_min, 60, 1, 1000000, "new rooms from one address")                   \
    ROW(rooms_per_address_burst, 200, 1, 1000000, "new rooms from one address at once")            \
    ROW(rooms_per_address, 1000, 1, 1000000, "rooms in memory that one address created")           \
    ROW(rooms_per_session, 8, 1, 100000, "rooms of one session that are not over")                 \
    ROW(seats_per_session, 32, 1, 100000, "seats of one session in rooms that are not over")       \
    ROW(watchers_per_room, 1000, 1, 100000, "connections subscribed to one room")                  \
    ROW(history_bytes, 8388608, 0, 1073741824, "memory for pushes of past events, of all rooms")   \
    ROW(resume_pushes, 256, 0, 10000, "a client that missed more pushes gets a snapshot")          \
    ROW(lobby_idle_ms, 3600000, 1000, 2592000000,                                                  \
        "a lobby without subscribers for so long is dropped")                                      \
    ROW(over_idle_ms, 600000, 1000, 2592000000,                                                    \
        "a finished match that nobody watches leaves memory")                                      \
    ROW(abandoned_ms, 86400000, 1000, 31536000000,                                                 \
        "a match without a connected player for so long is abandoned")                             \
    ROW(paused_ms, 2592000000, 1000, 31536000000, "the same for a match that is paused")           \
    ROW(computer_ms, 600, 0, 60000, "pause before a computer player moves")                        \
    /* quick match */                                                                              \
    ROW(seeks, 2000, 1, 100000, "people who seek a match at once")                                 \
    ROW(seeks_per_address, 4, 1, 100000, "people of one address who seek at once")                 \
    ROW(seeks_per_min, 6, 1, 1000000, "times that one session says that it seeks")                 \
    ROW(seeks_burst, 20, 1, 1000000, "the same at once")                                           \
    ROW(seek_ms, 120000, 60000, 86400000, "who seeks and does not say it again seeks so long")     \
    ROW(accept_ms, 20000, 1000, 3600000,                                                           \
        "whom it has found a match is to be ready within so long")                                 \
    ROW(challenge_age_ms, 86400000, 0, 31536000000,                                                \
        "two who name each other are rated if both accounts are so old")                           \
    ROW(forgiving_ms, 600000, 0, 86400000,                                                         \
        "so long after a start nobody is to blame who lets the others of a match wait")            \
    /* thinking */                                                                                 \
    ROW(think_queue, 256, 0, 100000, "moves of computers that wait for a worker thread")           \
    ROW(think_asks, 32, 0, 100000,                                                                 \
        "hints, and analyses, that wait for one, half of them of an address; more get busy")       \
    ROW(think_per_address, 64, 1, 100000, "of all these, for rooms that one address created")      \
    ROW(hint_wait_ms, 15000, 1, 600000, "a hint that takes so long is given up")                   \
    ROW(analysis_wait_ms, 300000, 1, 86400000, "an analysis that takes so long is given up")       \
    ROW(askers_per_analysis, 64, 1, 10000, "requests that wait for the analysis of one match")     \
    ROW(analysis_bytes, 8388608, 0, 1073741824, "memory for analyses, 3 to 13 kB each")            \
    ROW(think_wait_ms, 3000, 0, 600000,                                                            \
        "a computer's move that takes so long after its pause is replaced by a quick one")         \
    ROW(think_simulations, 0, 0, 1000000, "most for one answer; 0: as many as its level may")      \
    ROW(think_alone_per_min, 120, 1, 1000000,                                                      \
        "moves thought of in all matches without people; others are quick ones")                   \
    ROW(think_alone_burst, 60, 1, 1000000, "the same at once")                                     \
    /* messages to browsers */                                                                     \
    ROW(push_after_ms, 10000, 0, 86400000, "a player who is away is told of a turn after so long") \
    ROW(push_slow_s, 1800, 0, 604800, "... if a clock gives at least so long for a move")          \
    ROW(push_queue, 10000, 1, 1000000, "messages that wait; then who has most loses some")         \
    ROW(push_per_address, 1000, 1, 65535,                                                          \
        "of these, to the sessions of an address; half of push_at_once at most are under way")     \
    ROW(push_at_once, 4, 1, 64, "messages that are being sent, each by a thread")                  \
    ROW(note_queue, 10000, 1, 1000000,                                                             \
        "news of each kind for other parts of the site that waits; more is lost")                  \
    ROW(notifies_per_min, 10, 1, 1000000, "changes of where the browsers of a session are told")   \
    ROW(notifies_burst, 10, 1, 1000000, "the same at once")                                        \
    /* the store */                                                                                \
    ROW(batch_ops, 4096, BATCH_OPS_LEAST, 1000000,                                                 \
        "operations waiting for the store; more get store_failing")                                \
    ROW(reads, 64, 1, 10000, "finished rooms being fetched at once")                               \
    ROW(queries, 256, 1, 10000, "pages of rows for features being fetched at once")                \
    ROW(mail_look_ms, 1000, 100, 600000,                                                           \
        "letters from other parts are looked for so often, told of them or not")                   \
    ROW(letters, 20000, 1, 1000000,                                                                \
        "letters of the whole site that wait or are set aside; with more nobody makes another")    \
    ROW(letters_per_addressee, 1000, 1, 1000000, "the same of those to one session, or the desk")  \
    ROW(letters_per_sender, 250, 1, 1000000,                                                       \
        "of these, what people of one IPv4 address or /48 have asked for")                         \
    ROW(games_per_session, 50, 1, 10000, "finished matches that a session is shown, the newest")   \
    ROW(games_per_account, 1000, 1, 10000, "the same of one that has a handle")                    \
    ROW(keep_days, 0, 0, 36500, "a finished match is kept so long; 0: for ever")                   \
    ROW(keep_solo_days, 90, 0, 36500, "the same for one in which fewer than two people acted")     \
    ROW(keep_matches, 0, 0, 1000000000, "so many are kept, solo ones go first; 0: any number")     \
    ROW(keep_solo_matches, 100000, 0, 1000000000,                                                  \
        "so many solo ones, about 10 kB each; 0: any number")                                      \
    ROW(readers_per_read, 64, 1, 10000, "requests that wait for one finished room")                \
    ROW(http_waits, 256, 1, 100000, "HTTP requests that wait for the store")                       \
    ROW(store_retry_min_ms, 250, 1, 600000, "first pause after the store failed; it doubles")      \
    ROW(store_retry_max_ms, 10000, 1, 600000,                                                      \
        "longest pause between tries of a store that is this server's alone; of others two signs " \
        "of life")

struct hub_config {
#define HUB_LIMIT_FIELD(name, standard, min, max, reason) int64_t name;
    HUB_LIMITS(HUB_LIMIT_FIELD)
#undef HUB_LIMIT_FIELD
};

void hub_config_init(struct hub_config *config); /* the defaults */

#endif
