"""The Runtime API (2018-06-01) of one execution environment: https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html"""

import queue
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ROOT = "/2018-06-01/runtime"
ERROR_TYPE = "Lambda-Runtime-Function-Error-Type"


@dataclass(frozen=True)
class Invocation:
    request_id: str
    function_arn: str
    payload: bytes
    trace_id: str
    deadline: float
    """Seconds since the epoch."""


@dataclass(frozen=True)
class Answer:
    payload: bytes
    is_error: bool


class Gone(Exception):
    """The environment ended before it answered."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address) -> None:
        """A runtime that is ended resets its connections: nobody needs to be told."""


@dataclass
class RuntimeApi:
    """Hands one invocation at a time to a runtime and takes its answer."""

    _server: _Server = field(init=False)
    _invocations: "queue.Queue[Invocation | None]" = field(default_factory=queue.Queue)
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _current: str | None = None
    _answer: Answer | None = None
    _is_ready: bool = False
    _init_error: bytes | None = None
    _is_closed: bool = False

    def __post_init__(self) -> None:
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self._server.server_address[1]}"

    def wait_until_ready(self, seconds: float) -> bytes | None:
        """None once the runtime asks for its first invocation, or the error it reports. Raises TimeoutError and Gone."""
        with self._changed:
            self._wait(lambda: self._is_ready or self._init_error is not None, seconds)
            return self._init_error

    def invoke(self, invocation: Invocation) -> Answer:
        """Raises TimeoutError at the invocation's deadline, and Gone."""
        with self._changed:
            self._current, self._answer = invocation.request_id, None
            self._invocations.put(invocation)
            self._wait(lambda: self._answer is not None, invocation.deadline - time.time())
            self._current = None
            assert self._answer is not None
            return self._answer

    def close(self) -> None:
        """Whoever waits is told that the environment is gone."""
        with self._changed:
            if self._is_closed:
                return
            self._is_closed = True
            self._changed.notify_all()
        self._invocations.put(None)
        threading.Thread(target=self._shut, daemon=True).start()

    def _shut(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _wait(self, is_done, seconds: float) -> None:
        if not self._changed.wait_for(lambda: is_done() or self._is_closed, max(seconds, 0)):
            raise TimeoutError
        if not is_done():
            raise Gone

    # What the runtime asks for.

    def next(self) -> Invocation | None:
        with self._changed:
            self._is_ready = True
            self._changed.notify_all()
        return self._invocations.get()

    def fail_init(self, error: bytes) -> None:
        with self._changed:
            self._init_error = error
            self._changed.notify_all()

    def answer(self, request_id: str, answer: Answer) -> bool:
        """False where nobody asked."""
        with self._changed:
            if self._current != request_id or self._answer is not None:
                return False
            self._answer = answer
            self._changed.notify_all()
            return True


def _handler(api: RuntimeApi) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_args) -> None:
            pass

        def do_GET(self) -> None:
            if self.path != f"{ROOT}/invocation/next":
                return self._reply(404)
            invocation = api.next()
            if invocation is None:
                return self._reply(410)
            headers = {
                "Content-Type": "application/json",
                "Lambda-Runtime-Aws-Request-Id": invocation.request_id,
                "Lambda-Runtime-Deadline-Ms": str(int(invocation.deadline * 1000)),
                "Lambda-Runtime-Invoked-Function-Arn": invocation.function_arn,
                "Lambda-Runtime-Trace-Id": invocation.trace_id,
            }
            return self._reply(200, invocation.payload, headers)

        def do_POST(self) -> None:
            body, failed = self._body()
            if self.path == f"{ROOT}/init/error":
                api.fail_init(body)
                return self._reply(202)
            match self.path.removeprefix(f"{ROOT}/invocation/").split("/"):
                case [request_id, ("response" | "error") as kind]:
                    answer = Answer(body, is_error=kind == "error" or failed)
                    return self._reply(202 if api.answer(request_id, answer) else 400)
            return self._reply(404)

        def _reply(self, status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> None:
            self.send_response(status)
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def _body(self) -> tuple[bytes, bool]:
            """The body, and whether its trailers say that the function failed on the way."""
            if "chunked" not in self.headers.get("Transfer-Encoding", ""):
                return self.rfile.read(int(self.headers.get("Content-Length") or 0)), False
            chunks = []
            while size := int(self.rfile.readline().split(b";")[0], 16):
                chunks.append(self.rfile.read(size))
                self.rfile.readline()
            trailers = list(iter(lambda: self.rfile.readline().strip(), b""))
            return b"".join(chunks), any(line.lower().startswith(ERROR_TYPE.lower().encode()) for line in trailers)

    return Handler
