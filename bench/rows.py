"""Google Benchmark's JSON on stdin -> rows of the README's table. Argument: the room."""
import json
import sys


def main() -> None:
    room = sys.argv[1]
    for run in json.load(sys.stdin)["benchmarks"]:
        items = run.get("items_per_second")
        each = 1e9 / items if items else run["cpu_time"]
        print(f"| {room} | {run['name']} | {each:.1f} | {1e9 / each:,.0f} |")


main()
