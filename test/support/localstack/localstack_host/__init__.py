"""LocalStack without Docker: functions of the runtimes `provided.*` are processes of this machine."""
