import json
import os
import shutil
import tempfile
import threading
import time
import unittest
from pathlib import Path

from localstack_host.environment import Environment, Function, InitError
from localstack_host.runtime_api import Gone

BOOTSTRAP = Path(__file__).with_name("bootstrap.py")


class EnvironmentTest(unittest.TestCase):
    def setUp(self) -> None:
        self.code = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.code)

    def an_environment(self, *, timeout: float = 20, init_timeout: float = 20, **env: str) -> Environment:
        shutil.copy(BOOTSTRAP, self.code / "bootstrap")
        (self.code / "bootstrap").chmod(0o755)
        environment = Environment(Function(self.code, env, timeout, memory=256, init_timeout=init_timeout))
        self.addCleanup(environment._log.close)
        self.addCleanup(environment.stop)
        return environment

    def started(self, **options) -> Environment:
        environment = self.an_environment(**options)
        environment.start()
        return environment

    def invoke(self, environment: Environment, event: dict, request_id: str = "r1"):
        return environment.invoke(request_id, json.dumps(event).encode(), function_arn="arn:f", trace_id="t")

    def assert_gone(self, environment: Environment) -> None:
        group, deadline = environment._process.child.pid, time.monotonic() + 60
        while _alive_in(group) and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual(_alive_in(group), [])

    def test_an_event_reaches_the_runtime_with_its_headers_and_its_environment(self) -> None:
        environment = self.started(GIVEN="yes")
        outcome = self.invoke(environment, {"a": 1})
        seen = json.loads(outcome.payload)
        self.assertFalse(outcome.is_error)
        self.assertEqual(seen["event"], {"a": 1})
        self.assertEqual(seen["headers"]["Invoked-Function-Arn"], "arn:f")
        self.assertEqual(seen["headers"]["Trace-Id"], "t")
        left = int(seen["headers"]["Deadline-Ms"]) / 1000 - time.time()
        self.assertTrue(15 < left <= 20, left)
        self.assertEqual(seen["env"]["GIVEN"], "yes")
        self.assertEqual(seen["env"]["LAMBDA_TASK_ROOT"], str(self.code))
        self.assertEqual(seen["cwd"], str(self.code))

    def test_nothing_else_of_the_servers_environment_is_inherited(self) -> None:
        os.environ["A_SECRET"] = "x"
        self.addCleanup(os.environ.pop, "A_SECRET")
        seen = json.loads(self.invoke(self.started(), {}).payload)
        self.assertNotIn("A_SECRET", seen["env"])

    def test_one_process_answers_one_event_after_the_other(self) -> None:
        environment = self.started()
        counts = [json.loads(self.invoke(environment, {}, f"r{i}").payload)["count"] for i in range(3)]
        self.assertEqual(counts, [1, 2, 3])

    def test_a_report_has_the_log_of_its_event_alone_and_the_first_tells_of_the_start(self) -> None:
        environment = self.started()
        first, second = self.invoke(environment, {}, "r1").logs, self.invoke(environment, {}, "r2").logs
        pattern = (
            r"START RequestId: r1 Version: \$LATEST\nevent 1\nEND RequestId: r1\nREPORT RequestId: r1\t"
            r"Duration: \d+\.\d\d ms\tBilled Duration: \d+ ms\tMemory Size: 256 MB\tMax Memory Used: [1-9]\d* MB\t"
            r"Init Duration: \d+\.\d\d ms\n$"
        )
        self.assertRegex(first, pattern)
        self.assertIn("event 2\n", second)
        self.assertNotIn("event 1\n", second)
        self.assertNotIn("Init Duration", second)

    def test_an_error_of_the_handler_is_one_and_the_process_stays(self) -> None:
        environment = self.started()
        failed = self.invoke(environment, {"do": "fail"})
        self.assertTrue(failed.is_error)
        self.assertEqual(json.loads(failed.payload)["errorMessage"], "no")
        self.assertEqual(json.loads(self.invoke(environment, {}).payload)["count"], 2)

    def test_a_stream_is_put_together(self) -> None:
        outcome = self.invoke(self.started(), {"do": "stream"})
        self.assertEqual((outcome.payload, outcome.is_error), (b"{}" + b"\0" * 8 + b"a\r\nb", False))

    def test_a_stream_that_breaks_off_is_an_error(self) -> None:
        self.assertTrue(self.invoke(self.started(), {"do": "break"}).is_error)

    def test_a_second_answer_is_refused(self) -> None:
        environment = self.started()
        self.assertEqual(self.invoke(environment, {"do": "twice"}).payload, b"1")
        self.invoke(environment, {}, "r2")
        self.assertIn("second answer: 400", environment.logs)

    def test_a_crash_is_told_with_its_reason_and_the_next_event_has_a_new_process(self) -> None:
        environment = self.started()
        for event, reason in [
            ({"do": "exit", "code": 7}, "Runtime exited with error: exit status 7"),
            ({"do": "exit", "code": 0}, "Runtime exited without providing a reason"),
            ({"do": "kill"}, "Runtime exited with error: signal: killed"),
        ]:
            with self.subTest(reason):
                outcome = self.invoke(environment, event)
                told = {"errorType": "Runtime.ExitError", "errorMessage": f"RequestId: r1 Error: {reason}"}
                self.assertEqual((outcome.is_error, json.loads(outcome.payload)), (True, told))
                self.assertIn("Status: error\tError Type: Runtime.ExitError", outcome.logs)
                self.assertEqual(json.loads(self.invoke(environment, {}).payload)["count"], 1)

    def test_who_takes_too_long_is_ended_with_all_that_it_started(self) -> None:
        environment = self.started(timeout=2)
        began = time.monotonic()
        outcome = self.invoke(environment, {"do": "hang"})
        self.assertLess(time.monotonic() - began, 30)
        told = {"errorType": "Sandbox.Timedout", "errorMessage": "RequestId: r1 Error: Task timed out after 2.00 seconds"}
        self.assertEqual((outcome.is_error, json.loads(outcome.payload)), (True, told))
        self.assertRegex(outcome.logs, r"about to hang\n(.|\n)*Status: timeout\n$")
        self.assert_gone(environment)

    def test_after_a_timeout_the_next_event_has_a_new_process(self) -> None:
        environment = self.started(timeout=3)
        self.assertTrue(self.invoke(environment, {"do": "hang"}).is_error)
        self.assertEqual(json.loads(self.invoke(environment, {}).payload)["count"], 1)

    def test_a_function_that_does_not_start_says_why(self) -> None:
        for at_init, error_type, init_timeout in [
            ("exit", "Runtime.ExitError", 20),
            ("error", "Handler.Missing", 20),
            ("hang", "Sandbox.Timedout", 3),
        ]:
            with self.subTest(at_init), self.assertRaises(InitError) as caught:
                self.started(AT_INIT=at_init, init_timeout=init_timeout)
            self.assertEqual(json.loads(caught.exception.payload)["errorType"], error_type)

    def test_code_without_a_bootstrap_is_no_function(self) -> None:
        environment = Environment(Function(self.code, {}, 1, memory=128))
        self.addCleanup(environment._log.close)
        with self.assertRaises(InitError) as caught:
            environment.start()
        self.assertEqual(json.loads(caught.exception.payload)["errorType"], "Runtime.InvalidEntrypoint")

    def test_whoever_waits_when_it_is_stopped_is_told(self) -> None:
        environment = self.started()
        threading.Timer(0.3, environment.stop).start()
        with self.assertRaises(Gone):
            self.invoke(environment, {"do": "hang"})
        self.assert_gone(environment)


def _alive_in(group: int) -> list[int]:
    """Processes of a group that run."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if entry.name.isdigit() and int(fields[2]) == group and fields[0] != "Z":
            found.append(int(entry.name))
    return found


if __name__ == "__main__":
    unittest.main()
