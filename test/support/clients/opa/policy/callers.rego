# Decides whose questions OPA answers: an admission webhook is called without credentials.
package system.authz

default allow := false

allow if input.identity == "the-token"

allow if input.path == ["health"]

allow if array.slice(input.path, 0, 4) == ["v0", "data", "davit", "admission"]
