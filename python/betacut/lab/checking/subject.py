"""The search that is tested: everything it was asked, and the time it has."""

import math
import time
import warnings
from collections.abc import Iterable

from betacut.lab.checking.calls import Answer, Caller, Fault, Question, Watch
from betacut.lab.checking.process import Process, ProcessEndedError, TimeUpError, can_fork, limited


class OutOfTimeError(Exception):
    """There is no time left to ask."""


class Subject:
    """The search that is tested, if possible in a process that can be stopped."""

    def __init__(self, caller: Caller, limit: float | None) -> None:
        self._caller = caller
        self.limit = math.inf if limit is None else limit
        self._is_forked = self.limit < math.inf and can_fork()
        self._process: Process | None = None
        self._is_made = caller.make is not None
        self.can_be_made = self._is_made or self._is_forked
        self.recorder = caller.recorder
        self.history: list[Question] = []
        self.calls = 0
        self.deadline = math.inf
        self._is_ready = False

    @property
    def seconds_left(self) -> float:
        """The time until the deadline, when nothing is asked any more."""
        return self.deadline - time.perf_counter()

    def renew(self) -> None:
        """Start with a new search, if there is a way to make one."""
        if not self.can_be_made or not self.history:
            return
        self.history = []
        self._is_ready = False
        if not self._is_made:
            self.end()

    def ask(self, question: Question, watch: Watch = None, *, limit: float = math.inf) -> Answer:
        """Call the search, on a board of its own."""
        limit = min(self.limit, limit)
        left = self.seconds_left
        self.check_time()
        self.calls += 1
        self.history.append(question)
        try:
            if self._is_made and not self._is_ready:
                self._done("renew", min(limit, left))
                self._is_ready = True
            answer = self._done("ask", min(limit, left), question, watch)
        except TimeUpError as error:
            if left < limit:
                raise OutOfTimeError from None
            fault = Fault("time", f"no answer within {limit:g} s{error}", "an answer")
        except ProcessEndedError as error:
            fault = Fault("crash", f"the process of the search ended: {error}", "an answer")
        else:
            assert isinstance(answer, Answer)
            return answer
        # What goes on is a new search.
        self.history = []
        self._is_ready = False
        return Answer(fault=fault)

    def check_time(self) -> None:
        """See whether there is time left."""
        if self.seconds_left <= 0:
            raise OutOfTimeError

    def _done(self, name: str, seconds: float, *arguments: object) -> object:
        """Let the search do something, within a time."""
        if self._is_forked:
            if self._process is None or self._process.is_over:
                self._process = Process(self._caller)
            return self._process.call(name, arguments, seconds)
        method = getattr(self._caller, name)
        if math.isinf(seconds):
            return method(*arguments)
        return limited(lambda: method(*arguments), seconds)

    def last_of(self, questions: Iterable[Question], watch: Watch = None) -> Answer:
        """Ask some questions in order, of a new search if there is a way to make one."""
        self.renew()
        answer = Answer()
        for question in questions:
            answer = self.ask(question, watch)
        return answer

    def fetch_record(self) -> None:
        """Bring what the search recorded last to the user's recorder."""
        if self.recorder is None or self._process is None or self._process.is_over:
            return
        self.recorder.clear()
        try:
            self.recorder.nodes = self._process.call("record", (), 10.0)
        except (RuntimeError, TimeUpError, ProcessEndedError) as error:
            text = (
                f"the record of the search is lost: {error}; is there a leave() for each enter()?"
            )
            warnings.warn(text, stacklevel=3)

    def end(self) -> None:
        """End the process of the search."""
        if self._process is not None:
            self._process.end()
