"""Found by LocalStack through its entry point, which must load fast."""

from localstack.services.lambda_.invocation.plugins import RuntimeExecutorPlugin


class HostExecutorPlugin(RuntimeExecutorPlugin):
    name = "host"

    def load(self, *_args, **_kwargs):
        from .executor import HostExecutor

        return HostExecutor
