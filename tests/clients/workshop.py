"""Where foreign programs are set up and run: copies under build/, and servers for them to talk to.

    workshop.py FOLDER        sets up what is in the folder, no more
"""
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
from fencepost import Fencepost  # noqa: E402

WORKSHOP = ROOT / "build" / "clients"
SET_UP_BY = ("setup", "package.json", "package-lock.json", "*.c", "*.go")


def prepared(source, set_up=("./setup",), minutes=25):
    """Copies the folder to build/clients/ and sets it up there; again only when what sets it up has changed."""
    folder = WORKSHOP / source.name
    mark, wanted = folder / ".set-up", digest(source)
    shutil.copytree(source, folder, dirs_exist_ok=True)
    if not mark.exists() or mark.read_text() != wanted:
        mark.unlink(missing_ok=True)
        print(f"setting up {folder.relative_to(ROOT)}", flush=True)
        run_quietly(set_up, folder, minutes * 60)
        mark.write_text(wanted)
    return folder


def digest(source):
    files = sorted({path for pattern in SET_UP_BY for path in source.rglob(pattern) if "node_modules" not in path.parts})
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def run_quietly(command, folder, seconds):
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", timeout=seconds)
    if done.returncode != 0:
        print("\n".join(done.stdout.splitlines()[-40:]), file=sys.stderr)
        raise RuntimeError(f"{' '.join(command)} in {folder} ended with status {done.returncode}")


def server(binary, *flags):
    """A server for the clients: fencepost, or redis-server as the control."""
    if Path(binary).name == "redis-server":
        flags = ("--save", "", "--dir", str(WORKSHOP), *flags)
    WORKSHOP.mkdir(parents=True, exist_ok=True)
    return Fencepost(binary, *flags)


if __name__ == "__main__":
    print(prepared(Path(sys.argv[1]).resolve()))
