"""A webhook on FastAPI: it labels config maps, and refuses those that say so. Usage: webhook.py PORT CERTIFICATE KEY"""

import base64
import json
import sys

import uvicorn
from fastapi import FastAPI, Request

app = FastAPI()


def answer(review, response):
    response["uid"] = review["request"]["uid"]
    return {"apiVersion": review["apiVersion"], "kind": "AdmissionReview", "response": response}


@app.post("/mutate")
async def mutate(request: Request):
    review = await request.json()
    labels = review["request"]["object"]["metadata"].get("labels", {})
    patch = [{"op": "add", "path": "/metadata/labels", "value": {**labels, "seen-by": "python"}}]
    encoded = base64.b64encode(json.dumps(patch).encode()).decode()
    return answer(review, {"allowed": True, "patchType": "JSONPatch", "patch": encoded})


@app.post("/validate")
async def validate(request: Request):
    review = await request.json()
    word = review["request"]["object"].get("data", {}).get("refuse")
    if word:
        return answer(review, {"allowed": False, "status": {"code": 403, "message": f"python says {word}"}})
    return answer(review, {"allowed": True, "warnings": ["python was here"]})


if __name__ == "__main__":
    port, certificate, key = sys.argv[1:]
    print("ready", flush=True)
    uvicorn.run(app, host="127.0.0.1", port=int(port), ssl_certfile=certificate, ssl_keyfile=key, log_level="warning")
