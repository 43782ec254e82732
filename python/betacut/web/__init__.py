"""The page: play, watch, analyse and look inside, in a browser. Needs `pip install "betacut[web]"`.

`serve` runs it. `server` and `app` hand it out, `tabs` has a connection to each tab, whose
`sessions` takes and sends plain messages; the rooms are plain Python (`rooms`). Searches wait in a
`queue`, and each runs in a `process` beside it (`worker`, `tasks`). `choices` and `state` check
what comes in.
"""

from betacut.web.server import serve

__all__ = ["serve"]
