#!/usr/bin/env python3
"""What README.md, redis-compat.md and docs/ point at is there: links, their #anchors, and paths in backticks.

    links_test.py              checks the tree, then itself: planted dead ends must be found
"""
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

LINK = re.compile(r"(?<!\!)\[[^\]]*\]\(([^)\s]+)\)")
CODE_BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
QUOTED = re.compile(r"`([^`\s]+)`")
PATH = re.compile(r"^[\w.-]+(/[\w.*-]+)+/?$")
HEADING = re.compile(r"^#+\s+(.*?)\s*#*$", re.MULTILINE)


def documents(root):
    return [p for p in [root / "README.md", root / "redis-compat.md", *sorted((root / "docs").rglob("*.md"))] if p.exists()]


def anchor(heading):
    """As GitHub makes it: lower case, punctuation dropped, spaces to hyphens."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors_of(path):
    return {anchor(heading) for heading in HEADING.findall(CODE_BLOCK.sub("", path.read_text()))}


def fault_of_link(document, target):
    if re.match(r"^[a-z]+:", target):
        return None
    where, _, fragment = target.partition("#")
    path = (document.parent / where) if where else document
    if not path.exists():
        return f"link to {target}, which is not there"
    if fragment and path.suffix == ".md" and fragment not in anchors_of(path):
        return f"link to {target}, which has no such heading"
    return None


def is_path_of_tree(word, root):
    """A word in backticks is taken for a path when it begins with a folder of the tree."""
    return PATH.match(word) and word.split("/")[0] != "build" and (root / word.split("/")[0]).is_dir()


def faults_of(root):
    faults = []
    for document in documents(root):
        name, text = document.relative_to(root), CODE_BLOCK.sub("", document.read_text())
        faults += [f"{name}: {fault}" for fault in (fault_of_link(document, t) for t in LINK.findall(text)) if fault]
        for word in QUOTED.findall(text):
            word = word.removeprefix("./")
            if is_path_of_tree(word, root) and not list(root.glob(word.rstrip("/"))):
                faults.append(f"{name}: names `{word}`, which is not there")
            if word.startswith("../"):
                faults.append(f"{name}: names `{word}`, which a reader of this repository does not have")
    return faults


def unlisted_decisions(root):
    index = (root / "docs/decisions/README.md").read_text()
    files = (root / "docs/decisions").glob("[0-9]*.md")
    return [f"docs/decisions/README.md does not list {f.name}" for f in sorted(files) if f"({f.name})" not in index]


PLANTED = [
    "See [there](docs/nowhere.md).", "See [there](#nowhere).", "See [there](docs/real.md#nowhere).",
    "Look into `docs/nowhere.md`.", "Look into `docs/nowhere_*.md`.", "Look into `../shared/x.md`.",
]
WELCOME = ["See [there](docs/real.md#a-real-one) and `docs/real.md`, `docs/*.md`, `key/value`, [web](https://redis.io)."]


def faults_when_planted(text):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "docs").mkdir()
        (root / "docs" / "real.md").write_text("# A real one\n")
        (root / "README.md").write_text(text + "\n")
        return faults_of(root)


def main():
    faults = faults_of(ROOT) + unlisted_decisions(ROOT)
    faults += [f"not found: {text}" for text in PLANTED if not faults_when_planted(text)]
    faults += [f"complained without cause: {fault}" for text in WELCOME for fault in faults_when_planted(text)]
    for fault in faults:
        print(fault)
    if faults:
        return 1
    print(f"{len(documents(ROOT))} documents point at nothing that is not there")
    return 0


if __name__ == "__main__":
    sys.exit(main())
