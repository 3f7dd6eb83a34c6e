"""What LocalStack asks of a runtime executor, done by an environment on this machine."""

import os
from pathlib import Path

from localstack import config
from localstack.services.lambda_.invocation.executor_endpoint import NAMESPACE, StatusErrorException
from localstack.services.lambda_.invocation.lambda_models import FunctionVersion, InvocationResult
from localstack.services.lambda_.invocation.runtime_executor import LambdaRuntimeException, RuntimeExecutor

from .environment import Environment, Function, InitError

PASSED = "LOCALSTACK_HOST_ENV"
"""Names of variables that functions inherit from the server, with commas; what they are deployed with goes before."""
DEFAULT_TIMEOUT = 3
LOOPBACK = "127.0.0.1"


class HostExecutor(RuntimeExecutor):
    _environment: Environment | None = None

    def start(self, env_vars: dict[str, str]) -> None:
        version = self.function_version
        if not (version.config.runtime or "").startswith("provided"):
            raise LambdaRuntimeException(f"the runtime {version.config.runtime} is not run here: provided.* is")
        self._environment = Environment(
            Function(
                code=Path(version.config.code.get_unzipped_code_location()),
                env={**_passed(), **{name: str(value) for name, value in env_vars.items() if value is not None}},
                timeout=version.config.timeout or DEFAULT_TIMEOUT,
                memory=version.config.memory_size,
                version=version.id.qualifier,
                init_timeout=config.LAMBDA_RUNTIME_ENVIRONMENT_TIMEOUT,
            )
        )
        try:
            self._environment.start()
        except InitError as error:
            raise StatusErrorException("the function was not initialized", payload=error.payload) from error

    def stop(self) -> None:
        if self._environment is not None:
            self._environment.stop()

    def invoke(self, payload: dict[str, str]) -> InvocationResult:
        request_id = payload["invoke-id"]
        outcome = self._environment.invoke(
            request_id,
            payload["payload"].encode(),
            function_arn=payload["invoked-function-arn"],
            trace_id=payload.get("trace-id", ""),
        )
        return InvocationResult(request_id, outcome.payload, is_error=outcome.is_error, logs=outcome.logs)

    def get_address(self) -> str:
        return LOOPBACK

    def get_endpoint_from_executor(self) -> str:
        return LOOPBACK

    def get_runtime_endpoint(self) -> str:
        return f"http://{LOOPBACK}:{config.GATEWAY_LISTEN[0].port}{NAMESPACE}/{self.id}"

    def get_logs(self) -> str:
        return "" if self._environment is None else self._environment.logs

    @classmethod
    def prepare_version(cls, function_version: FunctionVersion) -> None:
        if function_version.config.code:
            function_version.config.code.prepare_for_execution()

    @classmethod
    def cleanup_version(cls, function_version: FunctionVersion) -> None:
        if function_version.config.code:
            function_version.config.code.destroy_cached()


def _passed() -> dict[str, str]:
    names = os.environ.get(PASSED, "").split(",")
    return {name: os.environ[name] for name in names if name in os.environ}
