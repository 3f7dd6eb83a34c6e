#!/usr/bin/env python3
"""A runtime that does what its events say."""

import http.client
import json
import os
import sys
import time

api = http.client.HTTPConnection(os.environ["AWS_LAMBDA_RUNTIME_API"])
ROOT = "/2018-06-01/runtime"


def post(path: str, body: bytes, **options) -> int:
    api.request("POST", ROOT + path, body, **options)
    answer = api.getresponse()
    answer.read()
    return answer.status


def stream(path: str, chunks: list[bytes], trailers: list[str]) -> None:
    api.putrequest("POST", ROOT + path)
    api.putheader("Transfer-Encoding", "chunked")
    api.endheaders()
    for chunk in chunks:
        api.send(b"%x\r\n%s\r\n" % (len(chunk), chunk))
    api.send(b"0\r\n" + "".join(f"{line}\r\n" for line in trailers).encode() + b"\r\n")
    api.getresponse().read()


match os.environ.get("AT_INIT"):
    case "exit":
        sys.exit(3)
    case "error":
        post("/init/error", b'{"errorType":"Handler.Missing"}')
        sys.exit(1)
    case "hang":
        time.sleep(60)

count = 0
while True:
    api.request("GET", f"{ROOT}/invocation/next")
    given = api.getresponse()
    event = json.loads(given.read())
    request_id = given.headers["Lambda-Runtime-Aws-Request-Id"]
    count += 1
    match event.get("do"):
        case "exit":
            print("about to exit", flush=True)
            sys.exit(event["code"])
        case "kill":
            os.kill(os.getpid(), 9)
        case "hang":
            os.spawnlp(os.P_NOWAIT, "sleep", "sleep", "60")
            print("about to hang", flush=True)
            time.sleep(60)
        case "fail":
            post(f"/invocation/{request_id}/error", b'{"errorType":"Error","errorMessage":"no"}')
        case "stream":
            stream(f"/invocation/{request_id}/response", [b"{}", b"\0" * 8, b"a\r\nb"], [])
        case "break":
            stream(f"/invocation/{request_id}/response", [b"half"], ["Lambda-Runtime-Function-Error-Type: Broken"])
        case "twice":
            post(f"/invocation/{request_id}/response", b"1")
            print(f"second answer: {post(f'/invocation/{request_id}/response', b'2')}", flush=True)
        case _:
            print(f"event {count}", flush=True)
            headers = {name.removeprefix("Lambda-Runtime-"): value for name, value in given.headers.items()}
            seen = {"count": count, "event": event, "headers": headers, "env": dict(os.environ), "cwd": os.getcwd()}
            post(f"/invocation/{request_id}/response", json.dumps(seen).encode())
