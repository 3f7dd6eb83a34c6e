# Answers SubjectAccessReviews of authorization.k8s.io/v1.
package davit.authorization

review := {"apiVersion": input.apiVersion, "kind": input.kind, "status": status}

status := {"allowed": false, "denied": true, "reason": "bob is suspended"} if input.spec.user == "bob"

else := {"allowed": true, "reason": "a reader of its team"} if reader

else := {"allowed": true, "reason": "the pods of one node"} if lists_one_node

else := {"allowed": false, "reason": "the policy has no opinion"}

reader if {
	"readers" in input.spec.groups
	input.spec.resourceAttributes.namespace == "team"
	input.spec.resourceAttributes.resource == "configmaps"
	input.spec.resourceAttributes.verb in {"get", "list"}
}

reader if {
	"readers" in input.spec.groups
	input.spec.nonResourceAttributes == {"path": "/metrics", "verb": "get"}
}

lists_one_node if {
	input.spec.user == "dan"
	input.spec.resourceAttributes.resource == "pods"
	input.spec.resourceAttributes.verb == "list"
	some requirement in input.spec.resourceAttributes.fieldSelector.requirements
	requirement == {"key": "spec.nodeName", "operator": "In", "values": ["node-1"]}
}
