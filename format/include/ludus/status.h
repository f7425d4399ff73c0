/* The status scale that every layer of Ludus trace shares, and the message that travels with it. */
#ifndef LUDUS_STATUS_H
#define LUDUS_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Marks functions whose status must not be dropped. */
#if defined(__GNUC__) || defined(__clang__)
#define LUDUS_CHECKED __attribute__((warn_unused_result))
#else
#define LUDUS_CHECKED
#endif

/* What became of a call. LUDUS_END is the normal end of a sequence and not an error. Values are
 * stable: new ones are appended. */
enum ludus_status {
    LUDUS_OK = 0,
    LUDUS_END = 1,               /* nothing more to read */
    LUDUS_ERROR_ARGUMENT = 2,    /* the caller's argument is outside the documented range */
    LUDUS_ERROR_STATE = 3,       /* the call is not allowed in the object's present state */
    LUDUS_ERROR_MEMORY = 4,      /* memory could not be allocated */
    LUDUS_ERROR_OPEN = 5,        /* an input could not be opened or read */
    LUDUS_ERROR_WRITE = 6,       /* an output could not be created or written */
    LUDUS_ERROR_EXISTS = 7,      /* an output exists already, and is not overwritten */
    LUDUS_ERROR_FORMAT = 8,      /* the input is not of the kind that was asked for */
    LUDUS_ERROR_VERSION = 9,     /* the input is of a version that is not supported */
    LUDUS_ERROR_DAMAGED = 10,    /* the input is damaged where the answer was asked for */
    LUDUS_ERROR_LIMIT = 11,      /* a documented limit was reached */
    LUDUS_ERROR_SQL = 12,        /* an SQL statement was refused or failed */
    LUDUS_ERROR_UNAVAILABLE = 13 /* the system does not have what was asked for */
};

/* Bytes of an error's message, terminating zero included. */
#define LUDUS_ERROR_MESSAGE_SIZE 512

/* An error for people: one line that says what is wrong, where, and what to do. Filled by the
 * function that found it; functions that pass a failure on leave it as it is, so that the lowest
 * message survives. Owned by the caller; no memory hangs on it. */
struct ludus_error {
    enum ludus_status status;
    char message[LUDUS_ERROR_MESSAGE_SIZE];
};

#ifdef __cplusplus
}
#endif

#endif
