# Answers AdmissionReviews of admission.k8s.io/v1 as the other webhooks do: it labels config maps, and refuses those that say so.
package davit.admission

mutate := answer({"allowed": true, "patchType": "JSONPatch", "patch": base64.encode(json.marshal(patch))})

patch := [{"op": "add", "path": "/metadata/labels", "value": object.union(labels, {"seen-by": "opa"})}]

labels := object.get(input.request.object.metadata, "labels", {})

word := object.get(input.request.object, ["data", "refuse"], "")

validate := answer({"allowed": true, "warnings": ["opa was here"]}) if word == ""

validate := answer({"allowed": false, "status": {"code": 403, "message": concat(" ", ["opa says", word])}}) if word != ""

answer(response) := {
	"apiVersion": input.apiVersion,
	"kind": input.kind,
	"response": object.union({"uid": input.request.uid}, response),
}
