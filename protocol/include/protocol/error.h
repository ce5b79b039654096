/*
 * The refusals that the protocol itself knows: one row is a name, the code on the wire and the
 * sentence for people. protocol/errors.json says the same for machines; a test compares the two.
 *
 * Refusals by the rules of a game are not here: a game hands its own code and sentence through
 * (see reply_refusal in reply.h), as this library knows no game.
 */
#ifndef PROTOCOL_ERROR_H
#define PROTOCOL_ERROR_H

#include <stddef.h>

#define PROTOCOL_ERRORS(ROW)                                                                       \
    /* the message */                                                                              \
    ROW(BAD_JSON, "bad_json", "This is not one JSON object.")                                      \
    ROW(DUPLICATE_KEY, "duplicate_key", "The message has the same key twice.")                     \
    ROW(TOO_DEEP, "too_deep", "The message nests too deep.")                                       \
    ROW(TOO_LONG, "too_long", "The message is too long.")                                          \
    ROW(UNKNOWN_OP, "unknown_op", "There is no such operation.")                                   \
    ROW(MISSING_FIELD, "missing_field", "A field that this operation needs is missing.")           \
    ROW(UNKNOWN_FIELD, "unknown_field", "This operation has no such field.")                       \
    ROW(BAD_FIELD, "bad_field", "The field's value has the wrong type, form or range.")            \
    ROW(ID_REUSED, "id_reused", "This id was used for another request.")                           \
    ROW(SLOW_DOWN, "slow_down", "Too many requests; wait a little.")                               \
    /* the session */                                                                              \
    ROW(HELLO_FIRST, "hello_first", "Say hello first.")                                            \
    ROW(HELLO_TWICE, "hello_twice", "This connection has said hello already.")                     \
    ROW(UNKNOWN_TOKEN, "unknown_token", "No session has this token; say hello without it.")        \
    ROW(UNKNOWN_PASS, "unknown_pass", "This link or phrase is not valid, or not any more.")        \
    ROW(UNKNOWN_DEVICE, "unknown_device", "This session has no such device.")                      \
    ROW(TOO_MANY_DEVICES, "too_many_devices",                                                      \
        "All devices that this session may have are in use.")                                      \
    ROW(TOO_MANY_CONNECTIONS, "too_many_connections", "This session has too many connections.")    \
    ROW(PASSKEYS_OFF, "passkeys_off", "This server takes no passkeys.")                            \
    ROW(UNKNOWN_PASSKEY, "unknown_passkey", "Nobody here has this passkey, or not any more.")      \
    ROW(PASSKEY_REFUSED, "passkey_refused", "The passkey was not accepted.")                       \
    ROW(PROOF_NEEDED, "proof_needed",                                                              \
        "Show first that it is you, with a passkey or the recovery phrase.")                       \
    ROW(TOO_MANY_PASSKEYS, "too_many_passkeys", "This account has as many passkeys as it may.")    \
    ROW(NOT_ALLOWED, "not_allowed", "This token is not for that.")                                 \
    ROW(TOO_MANY_TOKENS, "too_many_tokens", "This account has as many tokens as it may.")          \
    ROW(TOO_MANY_BOTS, "too_many_bots", "You have as many accounts of programs as you may.")       \
    ROW(BANNED, "banned", "The operator of this server has banned you for a time.")                \
    ROW(SILENCED, "silenced", "The operator of this server has silenced you for a time.")          \
    ROW(QUIET, "quiet", "It is quiet here: nobody talks.")                                         \
    ROW(ACCOUNTS_OFF, "accounts_off", "This server has no accounts to be claimed.")                \
    ROW(HANDLE_TAKEN, "handle_taken", "Somebody has this handle, or one that looks like it.")      \
    ROW(HANDLE_RESERVED, "handle_reserved", "This handle is nobody's to have.")                    \
    ROW(NAME_REFUSED, "name_refused", "This server takes no such name.")                           \
    ROW(UNKNOWN_HANDLE, "unknown_handle", "Nobody has this handle.")                               \
    ROW(ALREADY_ACCOUNT, "already_account", "Your handle cannot be changed any more.")             \
    ROW(INVITES_OFF, "invites_off", "This server takes no invitations.")                           \
    ROW(INVITE_NEEDED, "invite_needed", "To get a handle here you need an invitation.")            \
    ROW(INVITE_INVALID, "invite_invalid", "This invitation is not good, or not any more.")         \
    ROW(ALREADY_INVITED, "already_invited", "You need no invitation any more.")                    \
    ROW(TOO_MANY_INVITES, "too_many_invites", "You have given as many invitations as you may.")    \
    ROW(EXTERNAL_OFF, "external_off", "This server takes no sign-in from elsewhere.")              \
    ROW(EXTERNAL_NEEDED, "external_needed", "To get a handle here, sign in first.")                \
    ROW(EXTERNAL_UNKNOWN, "external_unknown", "Nobody here has that sign-in yet.")                 \
    ROW(EXTERNAL_TAKEN, "external_taken", "That sign-in is another account's.")                    \
    ROW(ALREADY_SIGNED_IN, "already_signed_in", "You have another sign-in here already.")          \
    ROW(VOUCHER_REFUSED, "voucher_refused", "This sign-in is not good, or not any more.")          \
    ROW(ACCOUNT_NEEDED, "account_needed", "Claim a handle first.")                                 \
    ROW(ACCOUNT_CLOSING, "account_closing", "Your account is about to be erased.")                 \
    ROW(TOO_MANY_FOLLOWS, "too_many_follows", "You follow as many as you may.")                    \
    ROW(TOO_MANY_BLOCKS, "too_many_blocks", "You have blocked as many as you may.")                \
    ROW(TOO_MANY_REPORTS, "too_many_reports", "You have reported as often as you may today.")      \
    ROW(CHAT_OFF, "chat_off", "Nobody talks in the lobby of this server.")                         \
    ROW(CHAT_YOUNG, "chat_young", "Your account is too new to talk in the lobby.")                 \
    ROW(CHAT_LINK, "chat_link", "The lobby takes no links.")                                       \
    ROW(UNKNOWN_LINE, "unknown_line", "This line is not there any more.")                          \
    ROW(UNKNOWN_EVENT, "unknown_event", "There is no such event.")                                 \
    ROW(EVENT_NOT_NOW, "event_not_now", "The event does not take that now.")                       \
    ROW(EVENT_FULL, "event_full", "No more people can enter this event.")                          \
    ROW(NOT_ENTERED, "not_entered", "You have not entered this event.")                            \
    ROW(NOT_DIRECTOR, "not_director", "That is for who directs this event.")                       \
    ROW(TOO_MANY_EVENTS, "too_many_events", "There are too many events at once.")                  \
    ROW(NOT_MODERATOR, "not_moderator", "That is for moderators of this server.")                  \
    ROW(UNKNOWN_CASE, "unknown_case", "No such report waits for a judgement.")                     \
    ROW(OWN_CASE, "own_case", "This is not for you to decide.")                                    \
    ROW(TOO_MANY_JUDGEMENTS, "too_many_judgements", "There are too many judgements.")              \
    ROW(UNKNOWN_JUDGEMENT, "unknown_judgement", "Nothing like that was decided about you.")        \
    ROW(ALREADY_APPEALED, "already_appealed", "You have appealed against this already.")           \
    ROW(SEEK_PAUSED, "seek_paused", "Others have waited for you in vain too often.")               \
    ROW(TOO_MANY_ROOMS, "too_many_rooms", "These would be too many rooms.")                        \
    ROW(TOO_MANY_SEATS, "too_many_seats", "This session holds too many seats.")                    \
    /* the server */                                                                               \
    ROW(FULL, "full", "The server is full; try again later.")                                      \
    ROW(PART_AWAY, "part_away",                                                                    \
        "Another server is about to take this over; try again in a moment.")                       \
    ROW(DRAINING, "draining", "The server is about to restart; try again in a minute.")            \
    ROW(STORE_FAILING, "store_failing", "The server cannot save right now; try again later.")      \
    ROW(INTERNAL, "internal", "The server could not do this; nothing was changed.")                \
    /* the room */                                                                                 \
    ROW(UNKNOWN_ROOM, "unknown_room", "There is no such room.")                                    \
    ROW(ROOM_DAMAGED, "room_damaged", "This room cannot be read; it is kept for repair.")          \
    ROW(UNKNOWN_GAME, "unknown_game", "This server does not know that game.")                      \
    ROW(BAD_OPTIONS, "bad_options", "These options do not go together.")                           \
    ROW(CODE_NEEDED, "code_needed", "This room is by invitation: give its code.")                  \
    ROW(WRONG_CODE, "wrong_code", "That is not this room's invitation code.")                      \
    ROW(TOO_MANY_WATCHERS, "too_many_watchers", "Too many people watch this room.")                \
    ROW(NOT_SUBSCRIBED, "not_subscribed", "Join or watch this room first.")                        \
    ROW(NOT_SEATED, "not_seated", "You have no seat in this room.")                                \
    ROW(NOT_HOST, "not_host", "Only the room's host may do this.")                                 \
    ROW(UNKNOWN_SEAT, "unknown_seat", "This room has no such seat.")                               \
    ROW(SEAT_TAKEN, "seat_taken", "Somebody sits there already.")                                  \
    ROW(SEAT_REFUSED, "seat_refused", "You cannot take a seat here.")                              \
    ROW(SEAT_EMPTY, "seat_empty", "Nobody sits there.")                                            \
    ROW(NO_SEAT_FREE, "no_seat_free", "Every seat is taken.")                                      \
    ROW(ALREADY_SEATED, "already_seated", "You have a seat in this room already.")                 \
    ROW(SEATS_GIVEN, "seats_given", "The server has given the seats of this room.")                \
    ROW(UNKNOWN_COLOUR, "unknown_colour", "This game has no such colour.")                         \
    ROW(COLOUR_TAKEN, "colour_taken", "Somebody plays that colour already.")                       \
    ROW(COLOUR_FIXED, "colour_fixed", "In this game every seat has a colour of its own.")          \
    ROW(UNKNOWN_LEVEL, "unknown_level", "This game has no such level of computer players.")        \
    ROW(NO_HINTS, "no_hints", "No hints are given in this room.")                                  \
    ROW(TOO_MANY_CHANGES, "too_many_changes", "This room takes no more such changes from you.")    \
    ROW(NOT_READY, "not_ready", "Not every seat is taken and ready.")                              \
    /* the match */                                                                                \
    ROW(NOT_IN_LOBBY, "not_in_lobby", "The match has begun.")                                      \
    ROW(NOT_BEGUN, "not_begun", "The match has not begun.")                                        \
    ROW(IS_PAUSED, "is_paused", "The match is paused.")                                            \
    ROW(NOT_AWAY, "not_away", "Nobody has been away for that long.")                               \
    ROW(NOT_PAUSED, "not_paused", "The match is not paused.")                                      \
    ROW(IS_OVER, "is_over", "The match is over.")                                                  \
    ROW(NOT_OVER, "not_over", "The match is not over yet.")                                        \
    ROW(NO_ANALYSIS, "no_analysis", "Matches of this game are not analysed here.")                 \
    ROW(NOT_IN_PLAY, "not_in_play", "Your seat is out of the game.")                               \
    ROW(NOT_YOUR_TURN, "not_your_turn", "It is not your turn.")                                    \
    ROW(BUSY, "busy", "The computer players are busy; try again in a moment.")                     \
    ROW(MOVED_ON, "moved_on", "The match went on before there was an answer.")                     \
    ROW(TIME_IS_UP, "time_is_up", "Your time is up.")                                              \
    ROW(COMPUTER_PLAYS, "computer_plays",                                                          \
        "The computer plays for you; join the room to take your seat back.")                       \
    ROW(NOTHING_TO_UNDO, "nothing_to_undo", "There is no move of yours to take back.")             \
    ROW(ALREADY_OFFERED, "already_offered", "You have offered that already.")                      \
    ROW(NOT_OFFERED, "not_offered", "You have not offered that.")

enum protocol_error {
    PROTOCOL_OK,
#define PROTOCOL_ERROR_ENUM(name, code, sentence) PROTOCOL_##name,
    PROTOCOL_ERRORS(PROTOCOL_ERROR_ENUM)
#undef PROTOCOL_ERROR_ENUM
        PROTOCOL_ERROR_COUNT
};

/* Static strings; `PROTOCOL_OK` has neither code nor sentence and must not be asked for. */
const char *protocol_error_code(enum protocol_error);
const char *protocol_error_sentence(enum protocol_error);

/* The one with this code; PROTOCOL_OK: none of these has it. */
enum protocol_error protocol_error_find(const char *code, size_t len);

#endif
