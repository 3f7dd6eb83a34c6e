"""The server ends with the process that started it: a test run that is killed leaves nothing behind."""

import os
import signal
import threading
import time

from localstack.runtime import hooks

LOOKS = 1.0
"""Seconds between two looks."""


@hooks.on_infra_start()
def end_with_parent() -> None:
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOKS)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()
