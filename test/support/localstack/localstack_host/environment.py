"""An execution environment: a process of this machine that runs a function's `bootstrap`."""

import json
import os
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from .runtime_api import Gone, Invocation, RuntimeApi

INHERITED = ("PATH", "HOME", "LANG", "TMPDIR")
GRACE = 1.0
"""Seconds between a polite end and the other."""


class InitError(Exception):
    """The function could not be initialized. `payload` is what its caller is told."""

    def __init__(self, payload: bytes) -> None:
        super().__init__(payload.decode(errors="replace"))
        self.payload = payload


@dataclass(frozen=True)
class Function:
    code: Path
    env: dict[str, str]
    timeout: float
    """Seconds that an invocation may take."""
    memory: int
    """Megabytes. Reported, not enforced."""
    version: str = "$LATEST"
    init_timeout: float = 60


@dataclass(frozen=True)
class Outcome:
    payload: bytes
    is_error: bool
    logs: str


@dataclass
class _Process:
    """One life of a runtime, from its start to its end or crash."""

    child: subprocess.Popen
    api: RuntimeApi
    init_seconds: float | None = None

    @property
    def is_alive(self) -> bool:
        return self.child.poll() is None

    def end(self, grace: float = 0) -> None:
        """Ends the runtime and all that it started; who waits for an answer learns that it is gone."""
        self.api.close()
        if grace > 0 and self.is_alive:
            _signal(self.child, signal.SIGTERM)
            try:
                self.child.wait(grace)
            except subprocess.TimeoutExpired:
                pass
        _signal(self.child, signal.SIGKILL)
        self.child.wait()


@dataclass
class Environment:
    """Its runtime is started again where it crashed or ran out of time, as the platform does."""

    function: Function
    _process: _Process | None = None
    _log: "tempfile._TemporaryFileWrapper" = field(default_factory=lambda: tempfile.TemporaryFile(prefix="function-log-"))
    _is_stopped: bool = False

    def start(self) -> None:
        """Returns once the function is initialized. Raises InitError."""
        began = time.monotonic()
        process = self._process = self._spawn()
        try:
            error = process.api.wait_until_ready(self.function.init_timeout)
        except TimeoutError:
            process.end()
            raise InitError(_init_failure("Sandbox.Timedout", "the initialization timed out")) from None
        except Gone:
            raise InitError(_init_failure("Runtime.ExitError", _ended(process.child))) from None
        if error is not None:
            process.end()
            raise InitError(error)
        process.init_seconds = time.monotonic() - began

    def invoke(self, request_id: str, payload: bytes, *, function_arn: str = "", trace_id: str = "") -> Outcome:
        mark, began = self._log_size(), time.monotonic()
        deadline = time.time() + self.function.timeout
        try:
            if self._process is None or not self._process.is_alive:
                self.start()
            assert self._process is not None
            answer = self._process.api.invoke(Invocation(request_id, function_arn, payload, trace_id, deadline))
            failure, result, is_error = None, answer.payload, answer.is_error
        except TimeoutError:
            self._end()
            text = f"Task timed out after {self.function.timeout:.2f} seconds"
            failure, result, is_error = "Sandbox.Timedout", _failure(request_id, "Sandbox.Timedout", text), True
        except Gone:
            if self._is_stopped:
                raise
            text = _ended(self._process.child)
            failure, result, is_error = "Runtime.ExitError", _failure(request_id, "Runtime.ExitError", text), True
        except InitError as error:
            failure, result, is_error = "Runtime.InitError", error.payload, True
        report = self._report(request_id, time.monotonic() - began, failure)
        logs = f"START RequestId: {request_id} Version: {self.function.version}\n{self._log_from(mark)}{report}"
        return Outcome(result, is_error, logs)

    def stop(self) -> None:
        self._is_stopped = True
        self._end(GRACE)

    @property
    def logs(self) -> str:
        return self._log_from(0)

    def _spawn(self) -> _Process:
        bootstrap = self.function.code / "bootstrap"
        if not os.access(bootstrap, os.X_OK):
            text = f"there is no executable file {bootstrap.name} in the function's code"
            raise InitError(_init_failure("Runtime.InvalidEntrypoint", text))
        api = RuntimeApi()
        env = {name: value for name in INHERITED if (value := os.environ.get(name)) is not None}
        own = {"AWS_LAMBDA_RUNTIME_API": api.address, "LAMBDA_TASK_ROOT": str(self.function.code)}
        child = subprocess.Popen(
            [bootstrap],
            cwd=self.function.code,
            env={**env, **self.function.env, **own},
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        threading.Thread(target=lambda: (child.wait(), api.close()), daemon=True).start()
        return _Process(child, api)

    def _end(self, grace: float = 0) -> None:
        if self._process is not None:
            self._process.end(grace)

    def _report(self, request_id: str, seconds: float, failure: str | None) -> str:
        milliseconds = seconds * 1000
        parts = [
            f"REPORT RequestId: {request_id}",
            f"Duration: {milliseconds:.2f} ms",
            f"Billed Duration: {int(milliseconds) + 1} ms",
            f"Memory Size: {self.function.memory} MB",
            f"Max Memory Used: {self._most_memory()} MB",
        ]
        process = self._process
        if process is not None and process.init_seconds is not None:
            parts.append(f"Init Duration: {process.init_seconds * 1000:.2f} ms")
            process.init_seconds = None
        if failure == "Sandbox.Timedout":
            parts.append("Status: timeout")
        elif failure is not None:
            parts.append(f"Status: error\tError Type: {failure}")
        return f"END RequestId: {request_id}\n" + "\t".join(parts) + "\n"

    def _most_memory(self) -> int:
        """Megabytes; 0 once the process is gone."""
        try:
            status = Path(f"/proc/{self._process.child.pid}/status").read_text()
        except (OSError, AttributeError):
            return 0
        kilobytes = next((line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:")), "0")
        return -(-int(kilobytes) // 1024)

    def _log_size(self) -> int:
        return os.fstat(self._log.fileno()).st_size

    def _log_from(self, mark: int) -> str:
        """A file, not a pipe: what was written before an answer is there with it."""
        text = os.pread(self._log.fileno(), self._log_size() - mark, mark).decode(errors="replace")
        return text if text == "" or text.endswith("\n") else f"{text}\n"


def _signal(child: subprocess.Popen, number: int) -> None:
    try:
        os.killpg(child.pid, number)
    except ProcessLookupError:
        pass


def _ended(child: subprocess.Popen) -> str:
    code = child.wait()
    if code == 0:
        return "Runtime exited without providing a reason"
    reason = f"exit status {code}" if code > 0 else f"signal: {signal.strsignal(-code).lower()}"
    return f"Runtime exited with error: {reason}"


def _failure(request_id: str, error_type: str, text: str) -> bytes:
    return json.dumps({"errorType": error_type, "errorMessage": f"RequestId: {request_id} Error: {text}"}).encode()


def _init_failure(error_type: str, text: str) -> bytes:
    return json.dumps({"errorType": error_type, "errorMessage": f"Error: {text}"}).encode()
