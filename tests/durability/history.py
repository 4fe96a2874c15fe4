"""Judges what clients of exclusive locks were told: whether there is any way in which it can be right.

An event is what one client asked and was answered, between two moments of one clock that never steps. What it asked took
effect at some moment in between; what was not answered may have taken effect until the server ended next, or never. Nothing
is held against a server that may be explained by that, so each violation is one.

    LOCK key owner lease wait     a fence, or None      (a wait of 0: at once)
    UNLOCK key owner              1 or 0
    EXTEND key owner lease        1 or 0
    LOCKBREAK key                 1 or 0
    HOLDER key                    an owner, or None
    FENCE key                     the newest fence, or the floor
    QUEUE key                     the owners that wait, in order
    RESTART                       the server was killed at or after `asked`, and was dead at `told`

An answer that is an Error has changed nothing. Moments and spans are in seconds.
"""
import bisect
import collections
import dataclasses
import functools
import math
from typing import Any

NEVER = math.inf
CHANGES = ("LOCK", "UNLOCK", "EXTEND", "LOCKBREAK")


@dataclasses.dataclass(frozen=True)
class Error:
    text: str


@dataclasses.dataclass(frozen=True)
class Event:
    client: str
    asked: float
    told: float | None    # None: it was not answered
    words: tuple          # of the table above
    answer: Any = None

    @property
    def name(self):
        return self.words[0]

    @property
    def owner(self):
        return self.words[2]

    @property
    def refused(self):
        return isinstance(self.answer, Error)


@dataclasses.dataclass
class Hold:
    """What one fence stands for. It was drawn between `asked` and `told`, and was held from `told` until `until` for sure."""
    fence: int
    owner: str
    asked: float
    told: float
    events: list
    start: float = 0       # its lease runs from no earlier
    until: float = 0
    over: float = NEVER    # it was gone by then, for sure


def check(history):
    """What is wrong with it, in words; an empty list when nothing is."""
    by_key = collections.defaultdict(list)
    restarts = sorted(event.told for event in history if event.name == "RESTART")
    for event in history:
        if event.name != "RESTART" and not event.refused:
            by_key[event.words[1]].append(event)
    faults = []
    for key in sorted(by_key):
        faults += [f"{key}: {fault}" for fault in KeyHistory(by_key[key], restarts).faults()]
    return faults


def with_earliest_after(pairs):
    """In order, each with the least second number of it or any behind it."""
    earliest, behind = NEVER, []
    for first, second in sorted(pairs, reverse=True):
        earliest = min(earliest, second)
        behind.append((first, earliest))
    return behind[::-1]


class KeyHistory:
    def __init__(self, events, restarts):
        self.events = sorted(events, key=lambda event: event.asked)
        self.restarts = restarts
        self.found = []
        self.of = collections.defaultdict(list)     # by what was asked
        self.by_owner = collections.defaultdict(list)
        for event in self.events:
            self.of[event.name].append(event)
            if event.name in ("LOCK", "UNLOCK", "EXTEND"):
                self.by_owner[event.owner].append(event)
        self.granted = [event for event in self.of["LOCK"] if event.told is not None and event.answer is not None]
        self.holds = self.find_holds()
        self.hold_of = {hold.fence: hold for hold in self.holds}

    def faults(self):
        self.check_rising()
        self.check_given_back()
        self.check_one_holder()
        self.check_told_of_holders()
        self.check_free_is_granted()
        self.check_line()
        return self.found

    def fault(self, text):
        self.found.append(text)

    def last_effect(self, event):
        """What was asked had taken effect by then, if ever."""
        if event.told is not None:
            return event.told
        at = bisect.bisect_left(self.restarts, event.asked)
        return self.restarts[at] if at < len(self.restarts) else NEVER

    # --- holds

    def find_holds(self):
        holds = {}
        for event in self.granted:
            hold = holds.setdefault(event.answer, Hold(event.answer, event.owner, event.asked, event.told, []))
            if hold.owner != event.owner:
                self.fault(f"fence {event.answer} was told to {hold.owner} and to {event.owner}")
            hold.asked = min(hold.asked, event.asked)
            hold.told = min(hold.told, event.told)
            hold.events.append(event)
        ordered = [holds[fence] for fence in sorted(holds)]
        earliest = -NEVER
        for hold in ordered:
            hold.start = max(hold.asked, earliest)
            hold.until = self.surely_held_until(hold)
            earliest = max(hold.start, hold.until)
        earliest_after = NEVER
        for hold in reversed(ordered):
            hold.over = min(self.surely_over_by(hold), earliest_after)
            # Whoever draws a greater fence does so once this hold is over.
            earliest_after = min(earliest_after, hold.told)
        return ordered

    def surely_held_until(self, hold):
        """Its lease runs from the grant, which is behind the holds before it, or from when it was set anew: at the earliest
        from when that was asked. It counts whichever may have been the last. And nobody may have freed it."""
        leases = list(hold.events)
        for event in self.by_owner[hold.owner]:
            sets_anew = (event.name == "EXTEND" and event.answer != 0) or (event.name == "LOCK" and event.told is None)
            if sets_anew and self.last_effect(event) >= hold.asked:
                leases.append(event)
        answered = [event.asked for event in leases if event.told is not None]
        may_be_last = [event for event in leases if self.last_effect(event) >= max(answered)]
        until = min(max(event.asked, hold.start) + event.words[3] for event in may_be_last)
        # Who was told the fence had it when that took effect.
        until = max(until, max(event.asked for event in hold.events))
        for event in self.by_owner[hold.owner]:
            if event.name == "UNLOCK" and event.answer != 0 and self.last_effect(event) >= hold.asked:
                until = min(until, event.asked)
        at = bisect.bisect_left(self.breaks, hold.asked, key=lambda one: one[0])
        return min(until, self.breaks[at][1]) if at < len(self.breaks) else until

    @functools.cached_property
    def breaks(self):
        """Of each LOCKBREAK (when it had taken effect, the earliest that it or any later one was asked), in order."""
        return with_earliest_after((self.last_effect(event), event.asked) for event in self.of["LOCKBREAK"]
                                   if event.answer != 0)

    @functools.cached_property
    def answered_breaks(self):
        return sorted((event.asked, event.told) for event in self.of["LOCKBREAK"] if event.told is not None)

    def surely_over_by(self, hold):
        over = NEVER
        for event in self.by_owner[hold.owner]:
            if event.name == "UNLOCK" and event.told is not None and event.asked >= hold.told:
                over = min(over, event.told)
        return min(over, self.first_break_asked_after(hold.told))

    def first_break_asked_after(self, moment):
        """When it was answered."""
        at = bisect.bisect_left(self.answered_breaks, (moment,))
        return self.answered_breaks[at][1] if at < len(self.answered_breaks) else NEVER

    # --- what must be so

    def check_rising(self):
        """Whoever asks after a number was told gets a greater one, or it is the hold that has that number."""
        told = sorted((event for event in self.events if event.name in ("LOCK", "FENCE") and event.told is not None and
                       event.answer is not None), key=lambda event: event.told)
        newest, at = 0, 0
        for event in sorted(told, key=lambda event: event.asked):
            while at < len(told) and told[at].told < event.asked:
                newest = max(newest, told[at].answer)
                at += 1
            if event.answer < newest:
                self.fault(f"{event.client} was told fence {event.answer}, after {newest} had been told")
            elif event.answer == newest and event.name == "LOCK" and not self.is_renewal(event):
                self.fault(f"{event.owner} was granted fence {newest}, which had been told before it asked")

    def check_given_back(self):
        """Who has given it back, and was told so, gets a new fence."""
        for hold in self.holds:
            ends = [event.told for event in self.by_owner[hold.owner]
                    if event.name == "UNLOCK" and event.told is not None and event.asked >= hold.told]
            first = min(min(ends, default=NEVER), self.first_break_asked_after(hold.told))
            again = [event for event in hold.events if event.asked > first]
            if again:
                self.fault(f"{hold.owner} was told fence {hold.fence} again, after that hold had been freed")

    def check_one_holder(self):
        """Greater fences are drawn later: by then every hold before is over."""
        last = None
        for hold in self.holds:
            if last is not None and hold.told < last.until:
                self.fault(f"{hold.owner} was told fence {hold.fence} {last.until - hold.told:.4f} s before the hold of "
                           f"{last.owner} with fence {last.fence} can have ended")
            if last is None or hold.until > last.until:
                last = hold

    def check_told_of_holders(self):
        """Nobody is told that a hold is gone while it must be there, or that it is there when it must be gone."""
        sure = sorted((hold for hold in self.holds if hold.until > hold.told), key=lambda hold: hold.told)
        starts = [hold.told for hold in sure]
        for event in self.events:
            if event.told is None or event.name not in ("HOLDER", "UNLOCK", "EXTEND"):
                continue
            at = bisect.bisect_right(starts, event.asked) - 1
            hold = sure[at] if at >= 0 and event.told < sure[at].until else None
            if hold is None:
                pass
            elif event.name == "HOLDER" and event.answer != hold.owner:
                self.fault(f"{event.client} was told that {event.answer} holds it, while {hold.owner} must: its lease with "
                           f"fence {hold.fence} had {hold.until - event.told:.4f} s left")
            elif event.name != "HOLDER" and event.owner == hold.owner and event.answer == 0:
                self.fault(f"{event.owner} was told by {event.name} that it holds nothing, and its lease with fence "
                           f"{hold.fence} had {hold.until - event.told:.4f} s left")
            if event.name == "HOLDER" and event.answer is not None:
                self.check_shown(event, event.answer)
            if event.name == "EXTEND" and event.answer != 0:
                self.check_shown(event, event.owner)

    def check_shown(self, event, owner):
        """The owner that holds it can have been granted it, and has not given it back since."""
        for lock in self.by_owner[owner]:
            if lock.name != "LOCK" or lock.asked > event.told or (lock.told is not None and lock.answer is None):
                continue
            if lock.told is None:
                if self.first_break_asked_after(self.last_effect(lock)) >= event.asked:
                    return
            elif self.hold_of[lock.answer].over >= event.asked:
                return
        self.fault(f"{event.client} was told that {owner} holds it, who cannot: it was not granted, or was freed")

    def check_free_is_granted(self):
        """Nobody is told no while nobody can hold it. Who waits is told no at the end of the wait, or when the server is
        about to end."""
        spans = [(hold.asked, hold.over) for hold in self.holds]
        later = with_earliest_after((hold.asked, hold.told) for hold in self.holds)
        for event in self.of["LOCK"]:
            if event.told is not None:
                continue
            end = self.last_effect(event)
            at = bisect.bisect_right(later, (end, NEVER))
            over = later[at][1] if at < len(later) else NEVER
            spans.append((event.asked, min(over, self.first_break_asked_after(end))))
        spans.sort()
        latest, reach = -NEVER, []
        for _, over in spans:
            latest = max(latest, over)
            reach.append(latest)
        starts = [start for start, _ in spans]
        for event in self.of["LOCK"]:
            if event.told is None or event.answer is not None:
                continue
            from_when = event.asked + event.words[4]
            if from_when > event.told:
                from_when = event.asked
            at = bisect.bisect_right(starts, event.told) - 1
            if at < 0 or reach[at] < from_when:
                self.fault(f"{event.owner} was told no at {event.told:.4f}, and nobody can have held it")

    def check_line(self):
        """Who stood in line before another is granted before that one, or has waited in vain before."""
        waits = [event for event in self.of["LOCK"] if event.words[4] > 0]
        asked = [event.asked for event in waits]
        by_owner = collections.defaultdict(list)
        for event in waits:
            by_owner[event.owner].append(event)
        for seen in self.of["QUEUE"]:
            if seen.told is None:
                continue
            line = [self.waiting(by_owner[owner], seen) for owner in seen.answer]
            for place, first in enumerate(line):
                for second in line[place + 1:]:
                    self.check_pair(seen, first, second)
                if first is None or first.told is None:
                    continue
                for second in waits[bisect.bisect_right(asked, seen.told):bisect.bisect_left(asked, first.told)]:
                    # Who comes back to a kept place stands where that is.
                    if by_owner[second.owner][0] is second:
                        self.check_pair(seen, first, second)

    @staticmethod
    def waiting(events, seen):
        """The one request of an owner that may have been in line when that was seen; None when it may be one of several."""
        some = [event for event in events if event.asked < seen.told and (event.told is None or event.told > seen.asked)]
        return some[0] if len(some) == 1 else None

    def check_pair(self, seen, first, second):
        if first is None or second is None or first.told is None or second.told is None or second.answer is None:
            return
        # A place is lost with the server.
        end = max(first.told, second.told)
        if bisect.bisect_left(self.restarts, seen.asked) != bisect.bisect_left(self.restarts, end):
            return
        for event in self.by_owner[first.owner]:
            if event is not first and event.asked <= first.told and self.last_effect(event) >= first.asked:
                return    # it may have given its place up, or taken it over
        if self.is_renewal(second):
            return
        if first.answer is None:
            if second.told < first.asked + first.words[4]:
                self.fault(f"{second.owner} was granted fence {second.answer}, while {first.owner} stood before it")
        elif first.answer > second.answer:
            self.fault(f"{second.owner} was granted fence {second.answer} before {first.owner}, who stood before it")

    def is_renewal(self, event):
        """Its owner may have held it already when it asked."""
        return any(other is not event and other.name == "LOCK" and other.asked < event.told and
                   (other.told is None or other.answer == event.answer) for other in self.by_owner[event.owner])
