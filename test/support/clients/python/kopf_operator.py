"""A small operator on kopf: a Greeting is reconciled into a ConfigMap and its own status. Run by `kopf run`."""

import kopf
import kubernetes

GREETINGS = ("operator.davit.test", "v1", "greetings")


@kopf.on.startup()
def configure(settings: kopf.OperatorSettings, **_):
    kubernetes.config.load_kube_config()
    # What a handler has got to is kept in annotations: the kind's schema has no place for it.
    settings.persistence.progress_storage = kopf.AnnotationsProgressStorage()
    settings.posting.enabled = False


@kopf.on.resume(*GREETINGS)
@kopf.on.create(*GREETINGS)
@kopf.on.update(*GREETINGS, field="spec")
def greet(body, spec, name, namespace, meta, patch, **_):
    publish(body, name, namespace, spec["text"])
    patch.status["said"] = spec["text"]
    patch.status["observedGeneration"] = meta["generation"]


@kopf.on.delete(*GREETINGS)
def unpublish(name, namespace, **_):
    api = kubernetes.client.CoreV1Api()
    ignoring(404, lambda: api.delete_namespaced_config_map(name, namespace))


@kopf.on.event("", "v1", "configmaps", labels={"greeting": kopf.PRESENT})
def repair(type, name, namespace, **_):
    if type != "DELETED":
        return
    objects = kubernetes.client.CustomObjectsApi()
    greeting = ignoring(404, lambda: objects.get_namespaced_custom_object(*GREETINGS[:2], namespace, GREETINGS[2], name))
    if greeting is not None and "deletionTimestamp" not in greeting["metadata"]:
        publish(greeting, name, namespace, greeting["spec"]["text"])


def publish(owner, name, namespace, text):
    page = {"metadata": {"name": name, "namespace": namespace, "labels": {"greeting": name}}, "data": {"text": text}}
    kopf.append_owner_reference(page, owner=owner)
    api = kubernetes.client.CoreV1Api()
    if ignoring(409, lambda: api.create_namespaced_config_map(namespace, page)) is None:
        api.patch_namespaced_config_map(name, namespace, page)


def ignoring(code, call):
    try:
        return call()
    except kubernetes.client.ApiException as error:
        if error.status != code:
            raise
        return None
