#!/usr/bin/env python3
"""Which subsystem of PostgreSQL a function belongs to, from PostgreSQL's source.

    scripts/profile-subsystems.py SOURCE... < crates/judge/src/profile/subsystems.txt > new

prints the table again with everything below the line `# generated` made anew from the functions of the source trees
(one for each major version, the newest last). PostgreSQL begins the name of a function that is defined in the first
column, so that no compiler is needed. What stands above that line is kept, and goes before what is generated. Names
that share a beginning and a subsystem become one prefix, which names the functions of other versions, too.
"""

import re
import sys
from pathlib import Path

# By the longest path below src/ that a file's path begins with.
SUBSYSTEM_OF_PATH = {
    "backend/access/brin": "index: BRIN",
    "backend/access/common": "tuples and slots",
    "backend/access/common/detoast.c": "TOAST and compression",
    "backend/access/common/heaptuple.c": "tuples and slots",
    "backend/access/common/indextuple.c": "tuples and slots",
    "backend/access/common/printsimple.c": "client protocol",
    "backend/access/common/printtup.c": "client protocol",
    "backend/access/common/toast_compression.c": "TOAST and compression",
    "backend/access/common/toast_internals.c": "TOAST and compression",
    "backend/access/gin": "index: GIN",
    "backend/access/gist": "index: GiST",
    "backend/access/hash": "index: hash",
    "backend/access/heap": "heap access",
    "backend/access/heap/heapam_visibility.c": "visibility",
    "backend/access/heap/heaptoast.c": "TOAST and compression",
    "backend/access/heap/pruneheap.c": "heap pruning",
    "backend/access/heap/vacuumlazy.c": "vacuum and analyze",
    "backend/access/heap/visibilitymap.c": "visibility",
    "backend/access/index": "index: access methods",
    "backend/access/nbtree": "index: B-tree",
    "backend/access/rmgrdesc": "WAL",
    "backend/access/spgist": "index: SP-GiST",
    "backend/access/table": "heap access",
    "backend/access/table/toast_helper.c": "TOAST and compression",
    "backend/access/tablesample": "executor nodes",
    "backend/access/transam": "transactions",
    "backend/access/transam/clog.c": "SLRU: clog, subtrans, multixact",
    "backend/access/transam/commit_ts.c": "SLRU: clog, subtrans, multixact",
    "backend/access/transam/multixact.c": "SLRU: clog, subtrans, multixact",
    "backend/access/transam/slru.c": "SLRU: clog, subtrans, multixact",
    "backend/access/transam/subtrans.c": "SLRU: clog, subtrans, multixact",
    "backend/access/transam/transam.c": "SLRU: clog, subtrans, multixact",
    "backend/access/transam/generic_xlog.c": "WAL",
    "backend/access/transam/parallel.c": "parallel query",
    "backend/access/transam/xlog": "WAL",
    "backend/backup": "replication and backup",
    "backend/catalog": "catalogs and commands",
    "backend/commands": "catalogs and commands",
    "backend/commands/analyze.c": "vacuum and analyze",
    "backend/commands/copy": "COPY",
    "backend/commands/explain": "EXPLAIN",
    "backend/commands/prepare.c": "prepared statements and portals",
    "backend/commands/portalcmds.c": "prepared statements and portals",
    "backend/commands/trigger.c": "triggers and PL/pgSQL",
    "backend/commands/sequence.c": "sequences",
    "backend/commands/vacuum": "vacuum and analyze",
    "backend/executor": "executor",
    "backend/executor/execExpr": "expression evaluation",
    "backend/executor/execIndexing.c": "index: access methods",
    "backend/executor/execParallel.c": "parallel query",
    "backend/executor/execTuples.c": "tuples and slots",
    "backend/executor/functions.c": "SQL functions",
    "backend/executor/instrument.c": "EXPLAIN",
    "backend/executor/node": "executor nodes",
    "backend/executor/nodeHash": "hash joins and aggregates",
    "backend/executor/nodeAgg.c": "hash joins and aggregates",
    "backend/executor/execGrouping.c": "hash joins and aggregates",
    "backend/executor/nodeSort.c": "sorting",
    "backend/executor/nodeIncrementalSort.c": "sorting",
    "backend/executor/nodeGather": "parallel query",
    "backend/executor/tqueue.c": "parallel query",
    "backend/executor/spi.c": "triggers and PL/pgSQL",
    "backend/jit": "JIT",
    "backend/lib": "lists, nodes and strings",
    "backend/libpq": "client protocol",
    "backend/libpq/auth": "TLS and authentication",
    "backend/libpq/be-secure": "TLS and authentication",
    "backend/libpq/be-secure.c": "client protocol",
    "backend/libpq/crypt.c": "TLS and authentication",
    "backend/libpq/hba.c": "TLS and authentication",
    "backend/nodes": "lists, nodes and strings",
    "backend/optimizer": "planner",
    "backend/parser": "parsing and analysis",
    "backend/partitioning": "planner",
    "backend/postmaster": "server processes and session start",
    "backend/postmaster/autovacuum.c": "vacuum and analyze",
    "backend/postmaster/bgwriter.c": "background writing and checkpoints",
    "backend/postmaster/checkpointer.c": "background writing and checkpoints",
    "backend/postmaster/walwriter.c": "WAL",
    "backend/postmaster/pgstat.c": "cumulative statistics",
    "backend/regex": "functions of data types",
    "backend/replication": "replication and backup",
    "backend/rewrite": "parsing and analysis",
    "backend/snowball": "full-text search",
    "backend/statistics": "planner",
    "backend/storage/aio": "asynchronous I/O",
    "backend/storage/buffer": "buffer manager",
    "backend/storage/file": "files",
    "backend/storage/freespace": "free space map",
    "backend/storage/ipc": "shared memory and signals",
    "backend/storage/ipc/latch.c": "latches",
    "backend/storage/ipc/waiteventset.c": "latches",
    "backend/storage/ipc/procarray.c": "snapshots",
    "backend/storage/ipc/sinval": "catalog caches",
    "backend/storage/large_object": "large objects",
    "backend/storage/lmgr": "heavyweight locks",
    "backend/storage/lmgr/lwlock": "lightweight locks",
    "backend/storage/lmgr/predicate.c": "predicate locks",
    "backend/storage/lmgr/s_lock.c": "spinlocks",
    "backend/storage/lmgr/spin.c": "spinlocks",
    "backend/storage/page": "pages",
    "backend/storage/smgr": "files",
    "backend/storage/sync": "background writing and checkpoints",
    "backend/tcop": "statements and portals",
    "backend/tcop/utility.c": "catalogs and commands",
    "backend/tsearch": "full-text search",
    "backend/utils/activity": "cumulative statistics",
    "backend/utils/adt": "functions of data types",
    "backend/utils/adt/cryptohashfuncs.c": "TLS and authentication",
    "backend/utils/adt/like": "functions of data types",
    "backend/utils/adt/pg_locale": "collation and locale",
    "backend/utils/adt/ri_triggers.c": "foreign keys",
    "backend/utils/adt/selfuncs.c": "planner",
    "backend/utils/adt/ts": "full-text search",
    "backend/utils/cache": "catalog caches",
    "backend/utils/cache/plancache.c": "plan cache",
    "backend/utils/error": "errors and logging",
    "backend/utils/fmgr": "expression evaluation",
    "backend/utils/fmgr/dfmgr.c": "server processes and session start",
    "backend/utils/hash": "hash tables",
    "backend/utils/init": "server processes and session start",
    "backend/utils/mb": "encoding conversion",
    "backend/utils/misc": "settings and process titles",
    "backend/utils/misc/queryjumble.c": "query identifiers",
    "backend/nodes/queryjumblefuncs.c": "query identifiers",
    "backend/utils/misc/timeout.c": "timeouts",
    "backend/utils/misc/stack_depth.c": "executor",
    "backend/utils/misc/ps_status.c": "settings and process titles",
    "backend/utils/mmgr": "memory allocation",
    "backend/utils/mmgr/portalmem.c": "statements and portals",
    "backend/utils/resowner": "resource owners",
    "backend/utils/sort": "sorting",
    "backend/utils/sort/tuplestore.c": "tuplestores",
    "backend/utils/sort/sharedtuplestore.c": "tuplestores",
    "backend/utils/time": "snapshots",
    "backend/utils/time/combocid.c": "visibility",
    "common": "lists, nodes and strings",
    "common/base64.c": "TLS and authentication",
    "common/cryptohash": "TLS and authentication",
    "common/hashfn.c": "hash tables",
    "common/hmac": "TLS and authentication",
    "common/jsonapi.c": "functions of data types",
    "common/d2s.c": "functions of data types",
    "common/f2s.c": "functions of data types",
    "common/md5": "TLS and authentication",
    "common/pg_lzcompress.c": "TOAST and compression",
    "common/saslprep.c": "TLS and authentication",
    "common/scram-common.c": "TLS and authentication",
    "common/sha": "TLS and authentication",
    "common/keywords.c": "parsing and analysis",
    "common/kwlookup.c": "parsing and analysis",
    "common/unicode": "collation and locale",
    "common/encnames.c": "encoding conversion",
    "common/wchar.c": "encoding conversion",
    "pl/plpgsql": "triggers and PL/pgSQL",
    "port": "lists, nodes and strings",
    "port/pg_crc32c": "WAL",
    "port/pg_strong_random.c": "TLS and authentication",
    "port/qsort": "sorting",
    "port/snprintf.c": "lists, nodes and strings",
    "port/pread": "files",
    "port/pwrite": "files",
    "timezone": "functions of data types",
}

FUNCTION = re.compile(r"^([A-Za-z_][A-Za-z0-9_]*)\(", re.MULTILINE)
NOT_FUNCTIONS = {"if", "while", "for", "switch", "PG_MODULE_MAGIC", "PG_FUNCTION_INFO_V1"}


def subsystem_of(path):
    known = [prefix for prefix in SUBSYSTEM_OF_PATH if path.startswith(prefix)]
    return SUBSYSTEM_OF_PATH[max(known, key=len)] if known else None


def functions_of(tree):
    found = {}
    source = Path(tree) / "src"
    for file in sorted(source.rglob("*.[cy]")) + sorted(source.rglob("*.[hl]")):
        subsystem = subsystem_of(str(file.relative_to(source)))
        if subsystem is None or "win32" in file.name:
            continue
        for name in FUNCTION.findall(file.read_text(errors="replace")):
            if name not in NOT_FUNCTIONS and not name.isupper():
                found.setdefault(name, set()).add(subsystem)
    # A name that several subsystems have says nothing.
    return {name: subsystems.pop() for name, subsystems in found.items() if len(subsystems) == 1}


def ends_word(group, depth):
    """Whether a word of every name ends there."""
    prefix = group[0][:depth]
    return prefix.endswith("_") or (not prefix.isupper() and all(name[depth : depth + 1].isupper() for name in group))


def patterns(functions):
    """Names, and the shortest prefixes of whole words all of whose functions are of one subsystem."""
    names = sorted(functions)
    found = {}

    def divide(group, depth):
        subsystems = {functions[name] for name in group}
        if len(group) == 1:
            found.setdefault(functions[group[0]], []).append(group[0])
        elif len(subsystems) == 1 and depth >= 4 and len(group) >= 2 and ends_word(group, depth):
            found.setdefault(subsystems.pop(), []).append(group[0][:depth] + "*")
        else:
            by_letter = {}
            for name in group:
                by_letter.setdefault(name[depth : depth + 1], []).append(name)
            for letter, part in sorted(by_letter.items()):
                if letter == "":
                    found.setdefault(functions[part[0]], []).append(part[0])
                else:
                    divide(part, depth + 1)

    divide(names, 0)
    return found


def main():
    kept = sys.stdin.read().split("\n# generated", 1)[0]
    functions = {}
    for tree in sys.argv[1:]:
        functions.update(functions_of(tree))
    sys.stdout.write(kept.rstrip("\n") + "\n\n# generated by scripts/profile-subsystems.py from PostgreSQL's source\n")
    for subsystem, names in sorted(patterns(functions).items()):
        sys.stdout.write(f"\n[{subsystem}]\n")
        line = ""
        for name in names:
            if line and len(line) + 1 + len(name) > 118:
                sys.stdout.write(line + "\n")
                line = ""
            line = f"{line} {name}" if line else name
        sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
