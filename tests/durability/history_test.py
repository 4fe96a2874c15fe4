#!/usr/bin/env python3
"""The checker of histories, on histories by hand: good ones pass, and each kind of bad one is refused.

    history_test.py
"""
import sys

from history import Error, Event, check


def lock(owner, asked, told, answer, lease=10.0, wait=0.0, key="k"):
    return Event(owner, asked, told, ("LOCK", key, owner, lease, wait), answer)


def unlock(owner, asked, told, answer=1, key="k"):
    return Event(owner, asked, told, ("UNLOCK", key, owner), answer)


def extend(owner, asked, told, answer, lease):
    return Event(owner, asked, told, ("EXTEND", "k", owner, lease), answer)


def broken(asked, told, answer=1):
    return Event("x", asked, told, ("LOCKBREAK", "k"), answer)


def holder(asked, told, answer):
    return Event("x", asked, told, ("HOLDER", "k"), answer)


def fence(asked, told, answer):
    return Event("x", asked, told, ("FENCE", "k"), answer)


def queue(asked, told, *owners):
    return Event("x", asked, told, ("QUEUE", "k"), list(owners))


def restart(asked, told):
    return Event("server", asked, told, ("RESTART",))


GOOD = {
    "one after the other": [lock("a", 1, 2, 1), unlock("a", 3, 4), lock("b", 5, 6, 2)],
    "an UNLOCK that is answered after the next grant": [lock("a", 1, 2, 1), unlock("a", 3, 9), lock("b", 4, 5, 2)],
    "an UNLOCK without an answer may have freed it": [lock("a", 1, 2, 1), unlock("a", 3, None, None), lock("b", 4, 5, 2)],
    "an UNLOCK without an answer may not have": [lock("a", 1, 2, 1), unlock("a", 3, None, None), lock("b", 4, 5, None)],
    "a LOCK without an answer may hold it": [lock("a", 1, None, None), lock("b", 3, 4, None), lock("c", 5, 6, None)],
    "a LOCK without an answer has drawn a number": [lock("a", 1, None, None), restart(2, 3), lock("b", 14, 15, 2)],
    "a lease that is over": [lock("a", 1, 2, 1, lease=2), lock("b", 3.5, 4, 2)],
    "a lease that may be over when the answer comes": [lock("a", 1, 2, 1, lease=2), lock("b", 2.5, 3, 2)],
    "an outage makes a lease longer": [lock("a", 1, 2, 1, lease=2), restart(3, 4), lock("b", 9, 10, None)],
    "a renewal": [lock("a", 1, 2, 1), lock("a", 3, 4, 1), holder(5, 6, "a"), fence(5, 6, 1)],
    "a renewal of what was granted and not told": [lock("a", 1, None, None), fence(2, 3, 1), lock("a", 4, 5, 1)],
    "a lease that was made shorter": [lock("a", 1, 2, 1), extend("a", 3, 4, 1, 1.0), lock("b", 4, 5, 2)],
    "a lease that may have been made shorter": [lock("a", 1, 2, 1), extend("a", 3, None, None, 1.0), lock("b", 4, 5, 2)],
    "LOCKBREAK": [lock("a", 1, 2, 1), broken(3, 4), holder(5, 6, None), lock("b", 7, 8, 3)],
    "a repeated UNLOCK": [lock("a", 1, 2, 1), unlock("a", 3, 4), unlock("a", 5, 6), unlock("b", 5, 6, 0)],
    "who waits is granted": [lock("a", 1, 2, 1), lock("b", 3, 6, 2, wait=5.0), unlock("a", 4, 5)],
    "who waits in vain": [lock("a", 1, 2, 1), lock("b", 3, 4.1, None, wait=1.0), unlock("a", 6, 7)],
    "the line": [lock("a", 1, 2, 1), lock("b", 3, 8, 2, wait=9), lock("c", 3, 10, 3, wait=9), queue(4, 5, "b", "c"),
                 unlock("a", 6, 7), unlock("b", 8.5, 9)],
    "the line ends with the server": [lock("a", 1, 2, 1), lock("b", 3, 12, 3, wait=9), lock("c", 3, 10, 2, wait=9),
                                      queue(4, 5, "b", "c"), restart(6, 7), broken(8, 9), unlock("c", 10.5, 11)],
    "who has waited in vain is passed": [lock("a", 1, 2, 1), lock("b", 3, 4.6, None, wait=1.5), lock("c", 3, 8, 2, wait=9),
                                         queue(4, 4.1, "b", "c"), unlock("a", 6, 7)],
    "an error changes nothing": [lock("a", 1, 2, 1), Event("a", 3, 4, ("UNLOCK", "k", "a"), Error("MISCONF")),
                                 lock("b", 5, 6, None), holder(7, 8, "a")],
    "keys do not mind each other": [lock("a", 1, 2, 7), lock("b", 3, 4, 1, key="other")],
}

BAD = {
    "two at once": ([lock("a", 1, 2, 1), lock("b", 3, 4, 2)], "before the hold of a"),
    "two at once, told in the other order": ([lock("b", 1, 5, 2), lock("a", 1, 6, 1, lease=10), holder(5, 6, "b"),
                                              lock("c", 7, 8, 3, lease=1)], "before the hold of"),
    "a lease that ends early": ([lock("a", 1, 2, 1, lease=4), lock("b", 4, 4.9, 2)], "before the hold of a"),
    "a renewed lease that ends early": ([lock("a", 1, 2, 1, lease=4), extend("a", 3, 4, 1, 5.0), lock("b", 6, 7, 2)],
                                        "before the hold of a"),
    "a lease that a waiter was granted ends early": (
        [lock("a", 1, 2, 1), lock("b", 3, 9.1, 2, lease=4, wait=9), unlock("a", 9, 9.05), lock("c", 9.5, 9.8, 3)],
        "before the hold of b"),
    "a hold that is lost over a restart": ([lock("a", 1, 2, 1), restart(3, 4), lock("b", 5, 6, 2)], "before the hold of a"),
    "a hold that UNLOCK does not find": ([lock("a", 1, 2, 1), restart(3, 4), unlock("a", 5, 6, 0)], "that it holds nothing"),
    "a hold that EXTEND does not find": ([lock("a", 1, 2, 1), extend("a", 5, 6, 0, 9.0)], "that it holds nothing"),
    "a hold that is not shown": ([lock("a", 1, 2, 1), holder(3, 4, None)], "None holds it"),
    "a hold of another that is shown": ([lock("a", 1, 2, 1), lock("b", 1, None, None), holder(3, 4, "b")], "b holds it"),
    "a freed hold that is back": ([lock("a", 1, 2, 1), unlock("a", 3, 4), restart(5, 6), holder(7, 8, "a")], "who cannot"),
    "a broken hold that is back": ([lock("a", 1, 2, 1), broken(3, 4), restart(5, 6), holder(7, 8, "a")], "who cannot"),
    "a freed hold that is told again": ([lock("a", 1, 2, 1), unlock("a", 3, 4), lock("a", 5, 6, 1)], "again"),
    "a freed hold that is extended": ([lock("a", 1, 2, 1), unlock("a", 3, 4), extend("a", 5, 6, 1, 9.0)], "who cannot"),
    "a freed key that is refused": ([lock("a", 1, 2, 1), unlock("a", 3, 4), lock("b", 5, 6, None)], "nobody can have held"),
    "a freed key that a waiter does not get": ([lock("a", 1, 2, 1), lock("b", 2, 9, None, wait=6), unlock("a", 3, 4)],
                                               "nobody can have held"),
    "a hold of nobody": ([holder(1, 2, "a")], "who cannot"),
    "a fence that comes twice": ([lock("a", 1, 2, 1), unlock("a", 3, 4), restart(5, 6), lock("b", 7, 8, 1)], "was told to a"),
    "a fence of two at once": ([lock("a", 1, 2, 1), lock("b", 1.5, 3, 1), holder(4, 5, "b")], "was told to a"),
    "a fence that is lower": ([lock("a", 1, 2, 5), unlock("a", 3, 4), restart(5, 6), lock("b", 7, 8, 4)], "after 5"),
    "a fence that FENCE knew": ([fence(1, 2, 5), lock("b", 7, 8, 5)], "had been told before"),
    "a FENCE that is lower": ([lock("a", 1, 2, 5), restart(5, 6), fence(7, 8, 4)], "after 5"),
    "one who is passed in line": (
        [lock("a", 1, 2, 1), lock("b", 3, 10, 3, wait=9), lock("c", 3, 8, 2, wait=9), queue(4, 5, "b", "c"),
         unlock("a", 6, 7), unlock("c", 8.5, 9)], "who stood before it"),
    "one who came later and is first": (
        [lock("a", 1, 2, 1), lock("b", 3, 10, 3, wait=9), queue(4, 5, "b"), lock("c", 5.5, 8, 2, wait=9),
         unlock("a", 6, 7), unlock("c", 8.5, 9)], "who stood before it"),
    "one who waits in vain and is passed": (
        [lock("a", 1, 2, 1), lock("b", 3, 12.1, None, wait=9), lock("c", 3, 8, 2, wait=9), queue(4, 5, "b", "c"),
         unlock("a", 6, 7)], "stood before it"),
}


def main():
    failed = 0
    for name, history in GOOD.items():
        faults = check(history)
        if faults:
            failed += 1
            print(f"good, and refused: {name}: {faults}")
    for name, (history, part) in BAD.items():
        faults = check(history)
        if not any(part in fault for fault in faults):
            failed += 1
            print(f"bad, and not refused as '{part}': {name}: {faults}")
    print(f"{len(GOOD) + len(BAD) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
