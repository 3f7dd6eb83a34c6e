# Answers ImageReviews of imagepolicy.k8s.io/v1alpha1.
package davit.images

review := {"apiVersion": input.apiVersion, "kind": input.kind, "status": status}

default status := {"allowed": true, "auditAnnotations": {"policy": "trusted"}}

status := {"allowed": true, "auditAnnotations": {"policy": "ticket"}} if {
	count(untrusted) > 0
	ticket
}

status := {"allowed": false, "reason": sprintf("not trusted in %s: %s", [input.spec.namespace, concat(", ", untrusted)])} if {
	count(untrusted) > 0
	not ticket
}

untrusted contains container.image if {
	some container in input.spec.containers
	not startswith(container.image, "registry.example.com/")
}

ticket if input.spec.annotations["opa.image-policy.k8s.io/ticket"] != ""
