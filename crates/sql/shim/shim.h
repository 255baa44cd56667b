/* What Rust asks of PostgreSQL's scanner and parser. Each function catches PostgreSQL's errors and frees what it took. */
#ifndef PGDYNO_SQL_SHIM_H
#define PGDYNO_SQL_SHIM_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
	int32_t start;
	int32_t end;
	int32_t kind;
} PgdynoToken;

enum {
	PGDYNO_TOKEN_OTHER = 0,
	PGDYNO_TOKEN_STRING = 1,
	PGDYNO_TOKEN_BITS = 2,
	PGDYNO_TOKEN_INTEGER = 3,
	PGDYNO_TOKEN_FLOAT = 4,
	PGDYNO_TOKEN_PARAMETER = 5,
	PGDYNO_TOKEN_NAME = 6,
	PGDYNO_TOKEN_KEYWORD = 7,
	PGDYNO_TOKEN_COMMENT = 8
};

enum {
	PGDYNO_COMMAND_OTHER = 0,
	PGDYNO_COMMAND_SELECT = 1,
	PGDYNO_COMMAND_INSERT = 2,
	PGDYNO_COMMAND_UPDATE = 3,
	PGDYNO_COMMAND_DELETE = 4,
	PGDYNO_COMMAND_MERGE = 5,
	/* And the number of PostgreSQL's TransactionStmtKind. */
	PGDYNO_COMMAND_TRANSACTION = 100
};

typedef struct {
	int32_t command;
	/* Where its text begins; -1 where the parser does not say. */
	int32_t start;
	int32_t flags;
} PgdynoStatement;

enum {
	PGDYNO_WRITES = 1,
	PGDYNO_COPY_PROGRAM = 2,
	PGDYNO_COPY_FILE = 4,
	PGDYNO_COPY_FROM_CLIENT = 8,
	PGDYNO_COPY_TO_CLIENT = 16
};

/* Tokens of the text, of which at most `capacity` are stored; -1 with a message where it is no SQL. */
int64_t pgdyno_sql_scan(const char *text, PgdynoToken *tokens, size_t capacity, char *message, size_t message_size);

/* Statements of the text, of which at most `capacity` are stored, and the fingerprint of all where that is asked
 * for; -1 with a message. */
int64_t pgdyno_sql_parse(const char *text, PgdynoStatement *statements, size_t capacity, uint64_t *fingerprint,
						 char *message, size_t message_size);

/* Frees what this thread keeps between calls. */
void pgdyno_sql_end_thread(void);

#endif
