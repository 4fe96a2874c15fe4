#!/usr/bin/env python3
"""The floors hold: no room includes one above or beside it, nor an outside library that is not its own.

Reads the room() lines of CMakeLists.txt, which are the table, and every source of every room.
    floor_test.py              checks the tree, then itself: planted faults must be refused
"""
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

# Which outside header belongs to which library, as the room() lines name it. None: every room may have it.
LIBRARY_OF_HEADER = [
    (re.compile(r"^tl/"), None),
    (re.compile(r"^fmt/"), "fmt::fmt"),
    (re.compile(r"^uv(\.h$|/)"), "PkgConfig::uv"),
    (re.compile(r"^xxhash\.h$"), "PkgConfig::xxhash"),
    (re.compile(r"^spdlog/"), "spdlog::spdlog"),
    (re.compile(r"^(lua|lualib|lauxlib)\.h(pp)?$"), "PkgConfig::lua"),
    (re.compile(r"^CLI/"), "CLI11::CLI11"),
    (re.compile(r"^openssl/"), "OpenSSL::SSL"),
]
# What the kernel and the C library offer is an outside thing too: rooms that touch the world, and no others.
WORLDLY_ROOMS = {"server", "journal"}
# Below server/ time and chance are passed in, never fetched.
FETCHES = re.compile(r"_clock::now\(|\brandom_device\b|\bgetenv\(|\bstd::time\(|\bstd::rand\(")
FETCHING_ROOMS = {"server"}

ROOM = re.compile(r"^room\(\s*(\w+)\s+DEPENDS\s*(.*?)\s*LIBRARIES\s*(.*?)\s*\)", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def rooms_of(root):
    """{room: (rooms it may include, libraries it may include)}, in the order of the lines: ground floor first."""
    text = (root / "CMakeLists.txt").read_text()
    return {name: (depends.split(), libraries.split()) for name, depends, libraries in ROOM.findall(text)}


def faults_of_table(rooms):
    """A room may lean only on rooms that stand above its own line, so that the table itself has no circle."""
    seen = set()
    for room, (depends, _) in rooms.items():
        for below in depends:
            if below not in seen:
                yield f"CMakeLists.txt: room {room} depends on {below}, which is not a line above it"
        seen.add(room)


def libraries_within_reach(room, rooms):
    depends, libraries = rooms[room]
    # What base is linked with are the words everybody uses; other rooms keep their libraries to themselves.
    return set(libraries) | (set(rooms["base"][1]) if "base" in depends else set())


def fault_of_include(room, kind, header, rooms):
    if kind == '"':
        target = header.split("/")[0] if "/" in header else None
        if target not in rooms:
            return f'"{header}" does not begin with the name of a room'
        if target != room and target not in rooms[room][0]:
            return f'"{header}" reaches up or sideways'
        return None
    for pattern, library in LIBRARY_OF_HEADER:
        if pattern.match(header):
            if library and library not in libraries_within_reach(room, rooms):
                return f"<{header}> needs {library}, which is not among the room's LIBRARIES"
            return None
    if ("/" in header or header.endswith(".h")) and room not in WORLDLY_ROOMS:
        return f"<{header}> is neither standard C++ nor a library of this room"
    return None


def faults_of_file(path, room, rooms, root):
    text = path.read_text()
    for kind, header in INCLUDE.findall(text):
        fault = fault_of_include(room, kind, header, rooms)
        if fault:
            yield f"{path.relative_to(root)}: {fault}"
    if room not in FETCHING_ROOMS:
        for found in FETCHES.findall(text):
            yield f"{path.relative_to(root)}: {found.rstrip('(')}: time and chance are passed in"


def faults_of(root):
    rooms = rooms_of(root)
    if "base" not in rooms or "server" not in rooms:
        return ["CMakeLists.txt: no room() lines were found"]
    faults = list(faults_of_table(rooms))
    for room in rooms:
        for path in sorted((root / room).rglob("*")):
            if path.suffix in (".cc", ".h"):
                faults += faults_of_file(path, room, rooms, root)
    return faults


# --- the test of the test: each of these, planted in a tree of its own, must be refused

TABLE = """
room(base     DEPENDS           LIBRARIES fmt::fmt)
room(resp     DEPENDS base      LIBRARIES)
room(state    DEPENDS base      LIBRARIES PkgConfig::xxhash)
room(journal  DEPENDS base      LIBRARIES)
room(commands DEPENDS base resp state LIBRARIES)
room(server   DEPENDS base resp state journal commands LIBRARIES PkgConfig::uv CLI11::CLI11 spdlog::spdlog)
"""
PLANTED = [
    ("state/a.h", '#include "server/engine.h"', "reaches up"),
    ("state/a.h", '#include "journal/entry.h"', "sideways"),
    ("resp/a.cc", '  #  include "commands/table.h"', "reaches up"),
    ("commands/lock/a.cc", '#include "journal/entry.h"', "sideways"),
    ("commands/a.cc", "#include <uv.h>", "PkgConfig::uv"),
    ("state/a.cc", "#include <spdlog/spdlog.h>", "spdlog::spdlog"),
    ("commands/a.cc", "#include <CLI/CLI.hpp>", "CLI11::CLI11"),
    ("commands/a.cc", "#include <xxhash.h>", "PkgConfig::xxhash"),
    ("state/a.cc", "#include <sys/time.h>", "neither standard"),
    ("server/a.cc", '#include "engine.h"', "name of a room"),
    ("server/a.cc", '#include "../base/time.h"', "name of a room"),
    ("state/a.cc", "auto t = std::chrono::steady_clock::now();", "passed in"),
]
WELCOME = [
    ("server/a.cc", '#include <uv.h>\n#include <sys/socket.h>\n#include "commands/table.h"'),
    ("state/a.cc", '#include <vector>\n#include <xxhash.h>\n#include <fmt/format.h>\n#include "base/time.h"'),
]


def faults_when_planted(where, line):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "CMakeLists.txt").write_text(TABLE)
        path = root / where
        path.parent.mkdir(parents=True)
        path.write_text(line + "\n")
        return faults_of(root)


def faults_of_this_test():
    for where, line, why in PLANTED:
        if not any(why in fault for fault in faults_when_planted(where, line)):
            yield f"not refused: {line} in {where}"
    for where, lines in WELCOME:
        for fault in faults_when_planted(where, lines):
            yield f"refused without cause: {fault}"
    for fault in faults_of_table({"low": (["high"], []), "high": ([], [])}):
        break
    else:
        yield "not refused: a room that depends on a line below its own"


def main():
    faults = faults_of(ROOT) + list(faults_of_this_test())
    for fault in faults:
        print(fault)
    if faults:
        return 1
    print(f"the floors hold: {', '.join(rooms_of(ROOT))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
