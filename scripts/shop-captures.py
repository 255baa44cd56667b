"""Runs examples/shop through `pgdyno capture --listen` on a server that writes csvlog, and compares.

Both captures have the same statements with the same numbers of executions and failures, and the same transactions. A
replay of the proxy's by one client, on a copy of the data, ends in the same rows.
"""

import collections
import glob
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PGDYNO = os.path.abspath(sys.argv[1])
ORDERS = sys.argv[2] if len(sys.argv) > 2 else "40"
BIN = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))[-1]
# Of the statements of a replay by one client, and by several, whose transactions overlap in other ways than when they
# were captured.
SUCCEED_ALONE = 0.999
SUCCEED_BESIDE = 0.99

LOGGED = """
logging_collector = on
log_directory = 'logs'
log_filename = 'server.log'
log_destination = 'csvlog'
log_connections = on
log_disconnections = on
log_parameter_max_length_on_error = -1
fsync = off
"""


def run(*command, **options):
    ended = subprocess.run(command, text=True, capture_output=True, **options)
    if ended.returncode:
        sys.exit(f"error: {' '.join(map(str, command))}\n{ended.stdout}{ended.stderr}")
    return ended.stdout


class Server:
    """A server of its own, as the user postgres where this is root."""

    def __init__(self, place):
        self.data = place / "data"
        self.place = place
        self.as_server = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self.as_server:
            shutil.chown(place, "postgres")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.call("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync", "-D", str(self.data))
        with open(self.data / "postgresql.conf", "a") as settings:
            settings.write(f"{LOGGED}port = {self.port}\nunix_socket_directories = '{place}'\n")
        self.call("pg_ctl", "-w", "-s", "-D", str(self.data), "-l", str(place / "start.log"), "start")

    def call(self, program, *arguments):
        return run(*self.as_server, f"{BIN}/{program}", *arguments, cwd=self.place)

    def conninfo(self, database):
        return f"host=127.0.0.1 port={self.port} user=postgres dbname={database}"

    def sql(self, database, *arguments):
        return run(f"{BIN}/psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", self.conninfo(database), *arguments)

    def stop(self):
        self.call("pg_ctl", "-w", "-s", "-m", "fast", "-D", str(self.data), "stop")


def capture_load(server, place):
    """The load through the proxy; the capture directory."""
    captured = place / "by-proxy"
    proxy = subprocess.Popen(
        [PGDYNO, "capture", "--listen", "127.0.0.1:0", "--to", f"host=127.0.0.1 port={server.port}",
         "--mask", "none", "--out", str(captured)],
        text=True, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
    )
    try:
        listening = re.search(r"listening on 127\.0\.0\.1:(\d+)", proxy.stderr.readline())
        conninfo = f"host=127.0.0.1 port={listening.group(1)} user=app dbname=shop"
        run(sys.executable, ROOT / "examples/shop/shop.py", conninfo, "--orders", ORDERS)
    finally:
        proxy.send_signal(signal.SIGTERM)
        said = proxy.communicate(timeout=60)[1]
    if proxy.returncode:
        sys.exit(f"error: the proxy ended with {proxy.returncode}\n{said}")
    return captured


def describe(captured):
    return json.loads(run(PGDYNO, "capture", "describe", str(captured), "--json"))


def executed(description):
    """Calls and failures by text, and transactions by their class."""
    texts = {statement["id"]: statement["text"] for statement in description["statements"]}
    statements = collections.Counter()
    for statement in description["statements"]:
        if statement["calls"]:
            statements[statement["text"], "calls"] += statement["calls"]
            statements[statement["text"], "failures"] += statement["failures"]
    classes = collections.Counter()
    for transactions in description["classes"]:
        classes[texts_of(transactions["statements"], texts)] += transactions["transactions"]
    return statements, classes


def texts_of(statements, texts):
    """The texts of a class; a list among its statements is a loop."""
    return tuple(texts_of(one, texts) if isinstance(one, list) else texts[one] for one in statements)


def differences(what, one, other):
    for key in sorted(set(one) | set(other), key=str):
        if one[key] != other[key]:
            print(f"differs: {what} {key}: {one[key]} by proxy, {other[key]} by log")
            yield key


def compare_captures(by_proxy, by_log):
    (statements, classes), (logged, logged_classes) = executed(by_proxy), executed(by_log)
    wrong = [*differences("statement", statements, logged), *differences("transactions", classes, logged_classes)]
    for name in ["sessions", "transactions", "losses"]:
        if by_proxy["summary"][name] != by_log["summary"][name]:
            wrong.append(name)
            print(f"differs: {name}: {by_proxy['summary'][name]} by proxy, {by_log['summary'][name]} by log")
    texts = {text for text, _ in statements}
    calls = sum(count for (_, what), count in statements.items() if what == "calls")
    summary = by_proxy["summary"]
    print(f"captured: {calls} executions of {len(texts)} statements in {summary['transactions']} transactions of"
          f" {summary['sessions']} sessions; the two captures differ in {len(wrong)} points")
    if len(texts) < 40:
        sys.exit("error: the load has fewer than 40 statements")
    return not wrong


def replay(server, place, captured, clients, wanted, checksums):
    """A replay by so many clients on a copy of the data as it was."""
    name = f"{captured.name}-{clients}"
    database = name.replace("-", "_")
    server.sql("postgres", "-c", f"CREATE DATABASE {database}")
    run(f"{BIN}/pg_restore", "-d", server.conninfo(database), str(place / "shop.dump"))
    plan = place / f"{name}.yaml"
    plan.write_text(
        f"name: Shop {name}\ntargets:\n  a: {{ url: \"{server.conninfo(database)}\" }}\nbaseline: a\n"
        f"workloads:\n  shop: {{ captured: \"{captured}\" }}\nclients: {clients}\nthreads: 1\n"
        "trial: { warm_up: 0s, measure: 5m }\nblocks: { at_least: 1, at_most: 1 }\n"
    )
    ended = subprocess.run([PGDYNO, "run", str(plan)], text=True, capture_output=True, cwd=place)
    if ended.returncode not in (0, 4):
        sys.exit(f"error: the replay ended with {ended.returncode}\n{ended.stdout}{ended.stderr}")
    runs = sorted((place / "runs").glob(f"*shop-{name}*"))
    trial = json.loads(next(runs[-1].glob("trials/*/trial.json")).read_text())
    load = trial["load"]
    summary = json.loads((runs[-1] / "scripts/shop/replay.json").read_text())
    share = 1 - load["failed"] / max(1, summary["replayed"]["calls"])
    rows = server.sql(database, "-f", checksums)
    is_same = rows == wanted
    print(f"replayed {name}: {summary['replayed']['transactions']} of {summary['captured']['transactions']}"
          f" transactions, {load['failed']} failed; {100 * share:.2f} % of the statements succeeded;"
          f" the rows are {'the same' if is_same else 'others'}")
    for error in load.get("first_errors", []):
        print(f"  failed: {error}")
    for left_out in summary["not_replayed"]:
        print(f"  not replayed: {left_out['transactions']} {left_out['reason']}: {left_out['example'][:80]}")
    if not is_same:
        for one, other in zip(wanted.splitlines(), rows.splitlines()):
            if one != other:
                print(f"  wanted {one}\n  found  {other}")
    return share, is_same


def main():
    place = pathlib.Path(tempfile.mkdtemp(prefix="pgdyno-shop-"))
    place.chmod(0o755)
    checksums = ROOT / "examples/shop/checksums.sql"
    server = Server(place)
    try:
        server.sql("postgres", "-c", "CREATE DATABASE shop")
        server.sql("postgres", "-c", "CREATE ROLE app SUPERUSER LOGIN")
        server.sql("shop", "-f", ROOT / "examples/shop/schema.sql")
        run(f"{BIN}/pg_dump", "-Fc", "-f", str(place / "shop.dump"), server.conninfo("shop"))
        server.sql("postgres", "-c", "ALTER ROLE app SET log_min_duration_statement = 0")
        captured = capture_load(server, place)
        wanted = server.sql("shop", "-f", checksums)
        run(PGDYNO, "capture", "--log", str(server.data / "logs/server.csv"), "--user", "app", "--mask", "none",
            "--out", str(place / "by-log"))
        agrees = compare_captures(describe(captured), describe(place / "by-log"))
        is_good = agrees
        for source in (captured, place / "by-log"):
            alone, is_same = replay(server, place, source, 1, wanted, checksums)
            beside, _ = replay(server, place, source, 4, wanted, checksums)
            # A log does not have all values that the server made.
            is_good &= is_same or source != captured
            is_good &= alone >= SUCCEED_ALONE and beside >= SUCCEED_BESIDE
    finally:
        server.stop()
        if os.environ.get("KEEP"):
            print(f"kept: {place}")
        else:
            shutil.rmtree(place)
    if not is_good:
        sys.exit("error: the captures or the replay are not as they should be")


main()
