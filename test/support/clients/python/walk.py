"""Walks through the API with the official Python client; prints what it saw as one JSON object."""

import json
import threading

from kubernetes import client, config, dynamic, watch
from kubernetes.client.exceptions import ApiException

GROUP, VERSION, PLURAL = "python.davit.test", "v1", "snakes"


def crud(core):
    body = client.V1ConfigMap(metadata=client.V1ObjectMeta(name="crud"), data={"a": "1"})
    created = core.create_namespaced_config_map("default", body)
    created.data["b"] = "2"
    replaced = core.replace_namespaced_config_map("crud", "default", created)
    try:
        core.replace_namespaced_config_map("crud", "default", created)
        conflict = None
    except ApiException as error:
        conflict = [error.status, json.loads(error.body)["reason"]]
    patched = core.patch_namespaced_config_map("crud", "default", {"data": {"a": None}})
    core.delete_namespaced_config_map("crud", "default")
    try:
        core.read_namespaced_config_map("crud", "default")
        missing = None
    except ApiException as error:
        missing = [error.status, json.loads(error.body)["message"]]
    return {"replaced": replaced.data, "conflict": conflict, "patched": patched.data, "missing": missing}


def paging(core):
    core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name="pages")))
    for index in range(25):
        core.create_namespaced_secret(
            "pages", client.V1Secret(metadata=client.V1ObjectMeta(name=f"page-{index:02}"), string_data={"n": str(index)})
        )
    names, sizes, remaining, versions, token = [], [], [], set(), None
    while True:
        page = core.list_namespaced_secret("pages", limit=10, _continue=token)
        names += [item.metadata.name for item in page.items]
        sizes.append(len(page.items))
        remaining.append(page.metadata.remaining_item_count)
        versions.add(page.metadata.resource_version)
        token = page.metadata._continue
        if not token:
            return {
                "inOrder": names == [f"page-{index:02}" for index in range(25)],
                "sizes": sizes,
                "remaining": remaining,
                "versions": len(versions),
            }


def watching(core):
    """Two watches, the second from where the first stopped, while another thread writes: each event once."""
    core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name="watched")))
    start = core.list_namespaced_config_map("watched").metadata.resource_version
    wanted = [f"event-{index:02}" for index in range(20)]

    def write():
        for name in wanted:
            core.create_namespaced_config_map("watched", client.V1ConfigMap(metadata=client.V1ObjectMeta(name=name)))

    writer = threading.Thread(target=write)
    writer.start()
    seen, version = [], start
    for stop_at in (7, 20):
        watcher = watch.Watch()
        for event in watcher.stream(
            core.list_namespaced_config_map, "watched", resource_version=version, timeout_seconds=30
        ):
            version = event["object"].metadata.resource_version
            if event["object"].metadata.name.startswith("event-"):
                seen.append([event["type"], event["object"].metadata.name])
            if len(seen) == stop_at:
                watcher.stop()
    writer.join()
    return {"eachOnce": seen == [["ADDED", name] for name in wanted]}


def silent(core):
    """A watch in which nothing happens ends by its timeout, without anything that is no event."""
    core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name="silent")))
    version = core.list_namespaced_secret("silent").metadata.resource_version
    stream = watch.Watch().stream(core.list_namespaced_secret, "silent", resource_version=version, timeout_seconds=2)
    return {"events": len(list(stream))}


def custom(api):
    extensions = client.ApiextensionsV1Api(api)
    schema = {
        "type": "object",
        "properties": {"spec": {"type": "object", "properties": {"length": {"type": "integer", "format": "int64"}}}},
    }
    extensions.create_custom_resource_definition({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{PLURAL}.{GROUP}"},
        "spec": {
            "group": GROUP,
            "scope": "Namespaced",
            "names": {"plural": PLURAL, "singular": "snake", "kind": "Snake"},
            "versions": [{"name": VERSION, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    })
    for event in watch.Watch().stream(extensions.list_custom_resource_definition, timeout_seconds=20):
        conditions = event["object"].status.conditions or []
        if any(condition.type == "Established" and condition.status == "True" for condition in conditions):
            break
    snakes = dynamic.DynamicClient(api).resources.get(api_version=f"{GROUP}/{VERSION}", kind="Snake")
    body = {
        "apiVersion": f"{GROUP}/{VERSION}",
        "kind": "Snake",
        "metadata": {"name": "long", "namespace": "default"},
        "spec": {"length": 9007199254740993},
    }
    created = snakes.create(body=body, namespace="default")
    snakes.patch(
        body={"spec": {"length": 5}}, name="long", namespace="default", content_type="application/merge-patch+json"
    )
    applied = snakes.server_side_apply(
        body={**body, "spec": {"length": 6}}, name="long", namespace="default", field_manager="py", force_conflicts=True
    )
    names = [item.metadata.name for item in snakes.get(namespace="default").items]
    snakes.delete(name="long", namespace="default")
    left = client.CustomObjectsApi(api).list_namespaced_custom_object(GROUP, VERSION, "default", PLURAL)["items"]
    return {"created": str(created.spec.length), "applied": applied.spec.length, "names": names, "left": left}


def main():
    config.load_kube_config()
    api = client.ApiClient()
    core = client.CoreV1Api(api)
    print(
        json.dumps({
            "version": client.VersionApi(api).get_code().minor,
            "crud": crud(core),
            "paging": paging(core),
            "watching": watching(core),
            "silent": silent(core),
            "custom": custom(api),
        })
    )


main()
