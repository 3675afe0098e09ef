#!/usr/bin/env python3
"""Reads Chuhe's shards of games: the reference reader, needing h5py and numpy only (docs/shard_format.md).

As a program it prints counts and sums, one "name value" per line:  read_shard.py FILE_OR_FOLDER...
"""

import sys
import zlib
from pathlib import Path

import h5py
import numpy as np

FORMAT_VERSION = 1
OUTCOMES = ("red_wins", "black_wins", "draw")


class ShardError(Exception):
    pass


def read_header(data, name):
    """The plain-text block in front: a dict of its lines. Checks the checksum of the whole file."""
    text = data[: data.find(b"\0")] if b"\0" in data else data
    lines = [line.split(" ", 1) for line in text.decode("ascii", "replace").splitlines()]
    header = {line[0]: line[1] for line in lines if len(line) == 2}
    version = header.get("chuhe", "")
    if not version.startswith("shard "):
        raise ShardError(f"{name}: not a shard: it does not begin with 'chuhe shard '")
    if version != f"shard {FORMAT_VERSION}":
        raise ShardError(f"{name}: {version.replace('shard', 'shard format')}, this reader knows format {FORMAT_VERSION}")
    checked = text[: text.rfind(b"crc32 ") + len(b"crc32 ")]
    crc = zlib.crc32(data[int(header["block"]):], zlib.crc32(checked))
    if header["crc32"] != f"{crc:08x}":
        raise ShardError(f"{name}: damaged or cut short: its checksum does not fit")
    return header


def read_shard(path):
    """All tables of one shard as numpy arrays, and its header."""
    header = read_header(Path(path).read_bytes(), str(path))
    # locking=False: finished shards never change, and locks fail on many network file systems.
    with h5py.File(path, "r", locking=False) as f:
        tables = {name: f[name][:] for name in ("games", "plies", "net_runs", "policy_moves", "policy_weights")}
        tables["strings"] = f["strings"][:].tobytes().decode("utf-8").split("\0")[:-1]
        tables["attributes"] = dict(f.attrs)
    if len(tables["games"]) != int(header["games"]) or len(tables["plies"]) != int(header["rows"]):
        raise ShardError(f"{path}: other counts than its header says")
    tables["header"] = header
    return tables


def square_name(square):
    return "abcdefghi"[square % 9] + str(square // 9)


def uci(move):
    return square_name(move[0]) + square_name(move[1])


def games(shard):
    """Yields a dict per game: id, start FEN, moves (UCI), outcome, nets, and per ply the searches with their policies."""
    strings = shard["strings"]
    ply = run = entry = 0
    for row in shard["games"]:
        plies = shard["plies"][ply : ply + row["plies"]]
        runs = shard["net_runs"][run : run + row["net_runs"]]
        policies = []
        for size in plies["policy_size"].tolist():
            moves = shard["policy_moves"][entry : entry + size]
            weights = shard["policy_weights"][entry : entry + size] / 65535.0
            policies.append({uci(m): float(w) for m, w in zip(moves, weights)})
            entry += size
        yield {
            "writer": shard["header"]["writer"],
            "id": int(row["id"]),
            "fen": strings[row["start_fen"]],
            "rule_set": strings[row["rule_set"]],
            "outcome": OUTCOMES[row["outcome"]],
            "reason": int(row["reason"]),
            "moves": [uci((p["from"], p["to"])) for p in plies],
            "search": plies["search"],
            "visits": plies["visits"],
            "root_value": plies["root_value"],
            "net_value": plies["net_value"],
            "policies": policies,
            "nets": [(int(r["ply"]), strings[r["net"]]) for r in runs],
        }
        ply += int(row["plies"])
        run += int(row["net_runs"])


def summary(paths):
    """Counts and sums over shards; a C++ test computes the same ones."""
    total = {}

    def add(name, value):
        total[name] = total.get(name, 0) + value

    for path in paths:
        shard = read_shard(path)
        for game in games(shard):
            add("games", 1)
            add("positions", len(game["moves"]))
            add("full_searches", int(np.sum(game["search"] == 2)))
            add("visits", int(np.sum(game["visits"], dtype=np.uint64)))
            add("root_value", float(np.sum(game["root_value"], dtype=np.float64)))
            add("net_value", float(np.sum(game["net_value"], dtype=np.float64)))
            add("policy_entries", sum(len(p) for p in game["policies"]))
            add("policy_weight", sum(sum(p.values()) for p in game["policies"]))
            add("move_letters", sum(ord(c) for m in game["moves"] for c in m))
            add("policy_letters", sum(ord(c) for p in game["policies"] for m in p for c in m))
            add("net_runs", len(game["nets"]))
            add("fen_letters", sum(ord(c) for c in game["fen"]))
            add(game["outcome"], 1)
    return total


def main():
    paths = []
    for argument in sys.argv[1:]:
        path = Path(argument)
        paths += sorted(path.rglob("g*.h5")) if path.is_dir() else [path]
    if not paths:
        sys.exit(f"read_shard.py: no shards in {' '.join(sys.argv[1:]) or 'the arguments, of which there are none'}")
    try:
        for name, value in sorted(summary(paths).items()):
            print(name, f"{value:.9f}" if isinstance(value, float) else value)
    except (ShardError, OSError) as error:
        sys.exit(f"read_shard.py: {error}")


if __name__ == "__main__":
    main()
