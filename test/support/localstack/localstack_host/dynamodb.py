"""DynamoDB Local by this machine's Java from a folder of jars, instead of an archive that LocalStack would fetch."""

import os

from localstack.runtime import hooks

JARS = "LOCALSTACK_HOST_DYNAMODB_JARS"
MAIN = "com.amazonaws.services.dynamodbv2.local.main.ServerRunner"
PATIENCE = 60
"""Seconds that Java may take to start."""


@hooks.on_infra_start()
def dynamodb_from_jars() -> None:
    jars = os.environ.get(JARS)
    if jars is None:
        return
    from localstack.services.dynamodb.server import DynamodbServer
    from localstack.utils.common import TMP_THREADS, ShellCommandThread
    from localstack.utils.sync import retry

    def start(server: DynamodbServer) -> ShellCommandThread:
        command = ["java", f"-Xmx{server.heap_size}", f"-Djava.library.path={jars}", "-cp", f"{jars}/*", MAIN]
        options = ["-port", str(server.port), "-disableTelemetry", "-inMemory"]
        thread = ShellCommandThread(command + options, strip_color=True, name="dynamodb-local")
        TMP_THREADS.append(thread)
        thread.start()
        return thread

    DynamodbServer.do_start_thread = start
    DynamodbServer.wait_for_dynamodb = lambda server: retry(server.check_dynamodb, sleep=0.25, retries=PATIENCE * 4)
