#include "shim.h"

#include "pg_query.h"
#include "pg_query_fingerprint.h"
#include "pg_query_internal.h"

#include "gramparse.h"
#include "mb/pg_wchar.h"
#include "nodes/parsenodes.h"
#include "parser/parser.h"
#include "parser/scanner.h"
#include "utils/memutils.h"

const char *progname = "pgdyno";

static __thread int thread_has_begun = 0;

/* The scanner's own structure up to the length of the last token, as in pg_query_scan.c of libpg_query. */
struct yyguts_t
{
	void *yyextra_r;
	FILE *yyin_r, *yyout_r;
	size_t yy_buffer_stack_top;
	size_t yy_buffer_stack_max;
	struct yy_buffer_state *yy_buffer_stack;
	char yy_hold_char;
	size_t yy_n_chars;
	size_t yyleng_r;
};

MemoryContext pg_query_enter_memory_context(void)
{
	MemoryContext context;

	if (!thread_has_begun)
	{
		MemoryContextInit();
		SetDatabaseEncoding(PG_UTF8);
		thread_has_begun = 1;
	}
	context = AllocSetContextCreate(TopMemoryContext, "pgdyno", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(context);
	return context;
}

void pg_query_exit_memory_context(MemoryContext context)
{
	MemoryContextSwitchTo(TopMemoryContext);
	MemoryContextDelete(context);
}

/* pg_query_fingerprint.c asks for it in a function that nothing here calls. */
PgQueryInternalParsetreeAndError pg_query_raw_parse(const char *input, int parser_options)
{
	PgQueryInternalParsetreeAndError result = {0};

	(void) input;
	(void) parser_options;
	return result;
}

void pgdyno_sql_end_thread(void)
{
	MemoryContext context = TopMemoryContext;

	if (!thread_has_begun)
		return;
	thread_has_begun = 0;
	MemoryContextDeleteChildren(context);
	AllocSetDeleteFreeList(context);
	context->methods->delete_context(context);
	free(context);
	TopMemoryContext = NULL;
	CurrentMemoryContext = NULL;
	ErrorContext = NULL;
}

/* Copies the message of the error that was caught, and forgets the error. */
static void take_error(MemoryContext context, char *message, size_t message_size)
{
	ErrorData *error;

	MemoryContextSwitchTo(context);
	error = CopyErrorData();
	snprintf(message, message_size, "%s", error->message ? error->message : "unknown error");
	FlushErrorState();
}

static int32_t token_kind(int token)
{
	switch (token)
	{
		case SCONST:
		case USCONST:
			return PGDYNO_TOKEN_STRING;
		case BCONST:
		case XCONST:
			return PGDYNO_TOKEN_BITS;
		case ICONST:
			return PGDYNO_TOKEN_INTEGER;
		case FCONST:
			return PGDYNO_TOKEN_FLOAT;
		case PARAM:
			return PGDYNO_TOKEN_PARAMETER;
		case IDENT:
		case UIDENT:
			return PGDYNO_TOKEN_NAME;
		case SQL_COMMENT:
		case C_COMMENT:
			return PGDYNO_TOKEN_COMMENT;
#define PG_KEYWORD(name, value, category, label) case value:
#include "parser/kwlist.h"
#undef PG_KEYWORD
			return PGDYNO_TOKEN_KEYWORD;
		default:
			return PGDYNO_TOKEN_OTHER;
	}
}

int64_t pgdyno_sql_scan(const char *text, PgdynoToken *tokens, size_t capacity, char *message, size_t message_size)
{
	MemoryContext context = pg_query_enter_memory_context();
	core_yyscan_t scanner;
	core_yy_extra_type extra;
	core_YYSTYPE value;
	YYLTYPE location;
	volatile int64_t count = 0;

	PG_TRY();
	{
		scanner = scanner_init(text, &extra, &ScanKeywords, ScanKeywordTokens);
		for (;;)
		{
			int token = core_yylex(&value, &location, scanner);

			if (token == 0)
				break;
			if ((size_t) count < capacity)
			{
				PgdynoToken *stored = &tokens[count];

				stored->start = location;
				if (token == SCONST || token == USCONST || token == BCONST || token == XCONST || token == IDENT ||
					token == UIDENT || token == C_COMMENT)
					stored->end = extra.yyllocend;
				else
					stored->end = location + (int32_t) ((struct yyguts_t *) scanner)->yyleng_r;
				stored->kind = token_kind(token);
			}
			count++;
		}
		scanner_finish(scanner);
	}
	PG_CATCH();
	{
		take_error(context, message, message_size);
		count = -1;
	}
	PG_END_TRY();
	pg_query_exit_memory_context(context);
	return count;
}

static int statement_writes(Node *statement);

static int with_clause_writes(WithClause *clause)
{
	ListCell *cell;

	if (clause == NULL)
		return 0;
	foreach(cell, clause->ctes)
	{
		CommonTableExpr *expression = lfirst_node(CommonTableExpr, cell);

		/* Only a query at the top may change data: deeper ones are refused by PostgreSQL. */
		if (expression->ctequery != NULL && !IsA(expression->ctequery, SelectStmt))
			return 1;
	}
	return 0;
}

/* Whether a read-only transaction would refuse it, as PostgreSQL's ClassifyUtilityCommandAsReadOnly says. */
static int statement_writes(Node *statement)
{
	switch (nodeTag(statement))
	{
		case T_SelectStmt:
		{
			SelectStmt *select = (SelectStmt *) statement;

			return select->intoClause != NULL || select->lockingClause != NIL || with_clause_writes(select->withClause);
		}
		case T_ExplainStmt:
		{
			ExplainStmt *explain = (ExplainStmt *) statement;
			ListCell *cell;

			foreach(cell, explain->options)
			{
				DefElem *option = lfirst_node(DefElem, cell);

				if (strcmp(option->defname, "analyze") == 0)
					return statement_writes(explain->query);
			}
			return 0;
		}
		case T_DeclareCursorStmt:
			return statement_writes(((DeclareCursorStmt *) statement)->query);
		case T_PrepareStmt:
			return statement_writes(((PrepareStmt *) statement)->query);
		case T_CopyStmt:
			return ((CopyStmt *) statement)->is_from;
		case T_TransactionStmt:
		{
			TransactionStmtKind kind = ((TransactionStmt *) statement)->kind;

			return kind == TRANS_STMT_PREPARE || kind == TRANS_STMT_COMMIT_PREPARED ||
				   kind == TRANS_STMT_ROLLBACK_PREPARED;
		}
		case T_VariableSetStmt:
		case T_VariableShowStmt:
		case T_FetchStmt:
		case T_ClosePortalStmt:
		case T_DeallocateStmt:
		case T_DiscardStmt:
		case T_ExecuteStmt:
		case T_LoadStmt:
		case T_ConstraintsSetStmt:
		case T_ListenStmt:
		case T_UnlistenStmt:
		case T_NotifyStmt:
		case T_CheckPointStmt:
			return 0;
		case T_LockStmt:
			/* Above ROW EXCLUSIVE a read-only transaction may not lock. */
			return ((LockStmt *) statement)->mode > 3;
		default:
			return 1;
	}
}

static int32_t statement_flags(Node *statement)
{
	int32_t flags = statement_writes(statement) ? PGDYNO_WRITES : 0;

	if (IsA(statement, CopyStmt))
	{
		CopyStmt *copy = (CopyStmt *) statement;

		if (copy->is_program)
			flags |= PGDYNO_COPY_PROGRAM;
		else if (copy->filename != NULL)
			flags |= PGDYNO_COPY_FILE;
		else
			flags |= copy->is_from ? PGDYNO_COPY_FROM_CLIENT : PGDYNO_COPY_TO_CLIENT;
	}
	return flags;
}

static int32_t statement_command(Node *statement)
{
	switch (nodeTag(statement))
	{
		case T_SelectStmt:
			return PGDYNO_COMMAND_SELECT;
		case T_InsertStmt:
			return PGDYNO_COMMAND_INSERT;
		case T_UpdateStmt:
			return PGDYNO_COMMAND_UPDATE;
		case T_DeleteStmt:
			return PGDYNO_COMMAND_DELETE;
		case T_MergeStmt:
			return PGDYNO_COMMAND_MERGE;
		case T_TransactionStmt:
			return PGDYNO_COMMAND_TRANSACTION + (int32_t) ((TransactionStmt *) statement)->kind;
		default:
			return PGDYNO_COMMAND_OTHER;
	}
}

int64_t pgdyno_sql_parse(const char *text, PgdynoStatement *statements, size_t capacity, uint64_t *fingerprint,
						 char *message, size_t message_size)
{
	MemoryContext context = pg_query_enter_memory_context();
	volatile int64_t count = 0;

	PG_TRY();
	{
		List *tree = raw_parser(text, RAW_PARSE_DEFAULT);
		ListCell *cell;

		foreach(cell, tree)
		{
			Node *statement = lfirst_node(RawStmt, cell)->stmt;

			if ((size_t) count < capacity)
			{
				statements[count].command = statement_command(statement);
				statements[count].start = lfirst_node(RawStmt, cell)->stmt_location;
				statements[count].flags = statement_flags(statement);
			}
			count++;
		}
		if (fingerprint != NULL)
			*fingerprint = pg_query_fingerprint_node(tree);
	}
	PG_CATCH();
	{
		take_error(context, message, message_size);
		count = -1;
	}
	PG_END_TRY();
	pg_query_exit_memory_context(context);
	return count;
}
