import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { patchSchema } from './kind-schema.ts';
import { strategicMergePatch } from './patch.ts';
import type { PatchSchema } from './schema.ts';

/** name | kind | original | patch | result, or code and text of the error. */
const TABLE = String.raw`
sets a scalar | Deployment | {"spec":{"replicas":1}} | {"spec":{"replicas":2}} | {"spec":{"replicas":2}}
adds a field | Deployment | {"spec":{}} | {"spec":{"paused":true}} | {"spec":{"paused":true}}
null deletes a field | Deployment | {"spec":{"replicas":1,"paused":true}} | {"spec":{"paused":null}} | {"spec":{"replicas":1}}
null of an absent field does nothing | Deployment | {"spec":{}} | {"spec":{"paused":null}} | {"spec":{}}
null deletes a map | ConfigMap | {"data":{"a":"b"}} | {"data":null} | {}
null deletes an entry | ConfigMap | {"data":{"a":"b","c":"d"}} | {"data":{"a":null}} | {"data":{"c":"d"}}
merges maps of strings | ConfigMap | {"data":{"a":"b"}} | {"data":{"c":"d"}} | {"data":{"a":"b","c":"d"}}
replaces where the types differ | ConfigMap | {"data":{"a":"b"}} | {"data":"x"} | {"data":"x"}
a map takes the place of a scalar | ConfigMap | {"data":7} | {"data":{"a":"b","c":null}} | {"data":{"a":"b"}}
drops nulls of a new map | ConfigMap | {} | {"data":{"a":null,"b":"c"}} | {"data":{"b":"c"}}
drops nulls inside a new list | Pod | {"spec":{}} | {"spec":{"containers":[{"name":"a","image":null}]}} | {"spec":{"containers":[{"name":"a"}]}}
an integer and a string differ in type | Deployment | {"spec":{"replicas":1}} | {"spec":{"replicas":"x"}} | {"spec":{"replicas":"x"}}
an empty patch | Deployment | {"spec":{"replicas":1}} | {} | {"spec":{"replicas":1}}
a field that is null in the original | Deployment | {"spec":{"template":null}} | {"spec":{"template":{"spec":{"hostname":"x"}}}} | {"spec":{"template":{"spec":{"hostname":"x"}}}}
$patch replace at the root | ConfigMap | {"data":{"a":"b"},"kind":"ConfigMap"} | {"$patch":"replace","kind":"X"} | {"kind":"X"}
$patch delete at the root | ConfigMap | {"data":{"a":"b"}} | {"$patch":"delete","kind":"X"} | {}
$patch replace of a map | ConfigMap | {"data":{"a":"b"}} | {"data":{"$patch":"replace","c":"d"}} | {"data":{"c":"d"}}
$patch delete of a map | ConfigMap | {"data":{"a":"b"}} | {"data":{"$patch":"delete","c":"d"}} | {"data":{}}
$patch replace of a struct | Deployment | {"spec":{"template":{"spec":{"hostname":"a","nodeName":"b"}}}} | {"spec":{"template":{"spec":{"$patch":"replace","nodeName":"c"}}}} | {"spec":{"template":{"spec":{"nodeName":"c"}}}}
an unknown $patch | ConfigMap | {} | {"$patch":"nope"} | 500 "unknown patch type: nope in map: map[$patch:nope]"
an unknown $patch in a map | ConfigMap | {"data":{"a":"b"}} | {"data":{"$patch":"x","a":"c"}} | 500 "unknown patch type: x in map: map[$patch:x a:c]"
$patch merge of a map is unknown | ConfigMap | {"data":{"a":"b"}} | {"data":{"$patch":"merge","a":"c"}} | 500 "unknown patch type: merge in map: map[$patch:merge a:c]"
a number as $patch | ConfigMap | {"data":{"a":"b"}} | {"data":{"$patch":5}} | 500 "unknown patch type: %!s(int64=5) in map: map[$patch:5]"
null as $patch | ConfigMap | {"data":{"a":"b"}} | {"data":{"$patch":null}} | 500 "unknown patch type: %!s(<nil>) in map: map[$patch:<nil>]"
a directive in a map that is new is dropped with its map | ConfigMap | {} | {"data":{"$patch":"replace","c":"d"}} | {}
a directive deep in a new map | Deployment | {} | {"spec":{"template":{"$patch":"replace","a":1},"paused":true}} | {"spec":{"paused":true}}
$patch replace keeps other directives | Deployment | {"spec":{"replicas":1}} | {"spec":{"$patch":"replace","$retainKeys":["x"],"paused":true}} | {"spec":{"$retainKeys":["x"],"paused":true}}
merges an item by its key | Pod | {"spec":{"containers":[{"name":"a","image":"x"}]}} | {"spec":{"containers":[{"name":"a","image":"y"}]}} | {"spec":{"containers":[{"image":"y","name":"a"}]}}
adds an item | Pod | {"spec":{"containers":[{"name":"a","image":"x"}]}} | {"spec":{"containers":[{"name":"b","image":"y"}]}} | {"spec":{"containers":[{"image":"y","name":"b"},{"image":"x","name":"a"}]}}
merges and adds | Pod | {"spec":{"containers":[{"name":"a","image":"x"},{"name":"b","image":"y"}]}} | {"spec":{"containers":[{"name":"c","image":"z"},{"name":"b","image":"w"}]}} | {"spec":{"containers":[{"image":"z","name":"c"},{"image":"x","name":"a"},{"image":"w","name":"b"}]}}
keeps other fields of the item | Pod | {"spec":{"containers":[{"name":"a","image":"x","tty":true}]}} | {"spec":{"containers":[{"name":"a","image":"y"}]}} | {"spec":{"containers":[{"image":"y","name":"a","tty":true}]}}
null deletes a field of an item | Pod | {"spec":{"containers":[{"name":"a","image":"x","tty":true}]}} | {"spec":{"containers":[{"name":"a","tty":null}]}} | {"spec":{"containers":[{"image":"x","name":"a"}]}}
nested lists of maps | Pod | {"spec":{"containers":[{"name":"a","env":[{"name":"E","value":"1"}]}]}} | {"spec":{"containers":[{"name":"a","env":[{"name":"F","value":"2"},{"name":"E","value":"3"}]}]}} | {"spec":{"containers":[{"env":[{"name":"F","value":"2"},{"name":"E","value":"3"}],"name":"a"}]}}
an empty list changes nothing | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"containers":[]}} | {"spec":{"containers":[{"name":"a"}]}}
a list onto an empty one | Pod | {"spec":{"containers":[]}} | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"containers":[{"name":"a"}]}}
two empty lists | Pod | {"spec":{"containers":[]}} | {"spec":{"containers":[]}} | {"spec":{"containers":[]}}
a null list is deleted | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"containers":null}} | {"spec":{}}
an item without its key | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"containers":[{"image":"x"}]}} | 500 "map: map[image:x] does not contain declared merge key: name"
a live item without its key | Pod | {"spec":{"containers":[{"image":"x"}]}} | {"spec":{"containers":[{"name":"a"}]}} | 500 "map: map[image:x] does not contain declared merge key: name"
an item whose key is null | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"containers":[{"name":null,"image":"x"}]}} | {"spec":{"containers":[{"image":"x","name":null},{"name":"a"}]}}
ports merge by containerPort | Pod | {"spec":{"containers":[{"name":"a","ports":[{"containerPort":80,"protocol":"TCP"}]}]}} | {"spec":{"containers":[{"name":"a","ports":[{"containerPort":80,"name":"http"},{"containerPort":81}]}]}} | {"spec":{"containers":[{"name":"a","ports":[{"containerPort":80,"name":"http","protocol":"TCP"},{"containerPort":81}]}]}}
service ports merge by port | Service | {"spec":{"ports":[{"port":80,"protocol":"TCP"},{"port":80,"protocol":"UDP"}]}} | {"spec":{"ports":[{"port":80,"targetPort":8}]}} | {"spec":{"ports":[{"port":80,"protocol":"TCP","targetPort":8},{"port":80,"protocol":"UDP"}]}}
two of one key in the patch | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"containers":[{"name":"b","image":"x"},{"name":"b","tty":true}]}} | {"spec":{"containers":[{"image":"x","name":"b","tty":true},{"name":"a"}]}}
volumes | Pod | {"spec":{"volumes":[{"name":"v","emptyDir":{}},{"name":"w","hostPath":{"path":"/"}}]}} | {"spec":{"volumes":[{"name":"v","emptyDir":{"medium":"Memory"}}]}} | {"spec":{"volumes":[{"emptyDir":{"medium":"Memory"},"name":"v"},{"hostPath":{"path":"/"},"name":"w"}]}}
tolerations are replaced | Pod | {"spec":{"tolerations":[{"key":"a"}]}} | {"spec":{"tolerations":[{"key":"b"}]}} | {"spec":{"tolerations":[{"key":"b"}]}}
args are replaced | Pod | {"spec":{"containers":[{"name":"a","args":["x","y"]}]}} | {"spec":{"containers":[{"name":"a","args":["z"]}]}} | {"spec":{"containers":[{"args":["z"],"name":"a"}]}}
topology spread by its key | Pod | {"spec":{"topologySpreadConstraints":[{"topologyKey":"z","maxSkew":1}]}} | {"spec":{"topologySpreadConstraints":[{"topologyKey":"z","maxSkew":2}]}} | {"spec":{"topologySpreadConstraints":[{"maxSkew":2,"topologyKey":"z"}]}}
owner references by uid | ConfigMap | {"metadata":{"ownerReferences":[{"uid":"1","name":"a"}]}} | {"metadata":{"ownerReferences":[{"uid":"2","name":"b"}]}} | {"metadata":{"ownerReferences":[{"name":"b","uid":"2"},{"name":"a","uid":"1"}]}}
conditions by type | Node | {"status":{"conditions":[{"type":"Ready","status":"True"},{"type":"Disk","status":"False"}]}} | {"status":{"conditions":[{"type":"Ready","status":"False"}]}} | {"status":{"conditions":[{"status":"False","type":"Ready"},{"status":"False","type":"Disk"}]}}
addresses by type | Node | {"status":{"addresses":[{"type":"A","address":"1"},{"type":"B","address":"2"}]}} | {"status":{"addresses":[{"type":"B","address":"3"}]}} | {"status":{"addresses":[{"address":"1","type":"A"},{"address":"3","type":"B"}]}}
secrets of a service account | ServiceAccount | {"secrets":[{"name":"a"}],"imagePullSecrets":[{"name":"p"}]} | {"secrets":[{"name":"b"}],"imagePullSecrets":[{"name":"q"}]} | {"imagePullSecrets":[{"name":"q"}],"secrets":[{"name":"b"},{"name":"a"}]}
$patch delete of an item | Pod | {"spec":{"containers":[{"name":"a"},{"name":"b"}]}} | {"spec":{"containers":[{"name":"a","$patch":"delete"}]}} | {"spec":{"containers":[{"name":"b"}]}}
$patch delete of an absent item | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"containers":[{"name":"z","$patch":"delete"}]}} | {"spec":{"containers":[{"name":"a"}]}}
$patch delete of all of one key | Service | {"spec":{"ports":[{"port":80,"protocol":"TCP"},{"port":80,"protocol":"UDP"},{"port":81}]}} | {"spec":{"ports":[{"port":80,"$patch":"delete"}]}} | {"spec":{"ports":[{"port":81}]}}
$patch delete and add | Pod | {"spec":{"containers":[{"name":"a"},{"name":"b"}]}} | {"spec":{"containers":[{"name":"c"},{"name":"b","$patch":"delete"}]}} | {"spec":{"containers":[{"name":"c"},{"name":"a"}]}}
$patch delete without the key | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"containers":[{"$patch":"delete"}]}} | 500 "map: map[$patch:delete] does not contain declared merge key: name"
$patch replace of a list | Pod | {"spec":{"containers":[{"name":"a"},{"name":"b"}]}} | {"spec":{"containers":[{"name":"c"},{"$patch":"replace"}]}} | {"spec":{"containers":[{"name":"c"}]}}
$patch replace of a list by nothing | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"containers":[{"$patch":"replace"}]}} | {"spec":{"containers":[]}}
$patch replace, and delete besides | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"containers":[{"$patch":"replace"},{"name":"b"},{"name":"c","$patch":"delete"}]}} | {"spec":{"containers":[{"name":"b"}]}}
$patch merge of an item | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"containers":[{"name":"a","$patch":"merge"}]}} | 500 "merging lists cannot yet be specified in the patch"
an unknown $patch of an item | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"containers":[{"name":"a","$patch":"zap"}]}} | 500 "unknown patch type: zap in map: map[$patch:zap name:a]"
directives in a new list are dropped | Pod | {"spec":{}} | {"spec":{"containers":[{"name":"a"},{"name":"b","$patch":"delete"},{"$patch":"replace"}]}} | {"spec":{"containers":[{"name":"a"}]}}
$patch replace inside an item | Pod | {"spec":{"containers":[{"name":"a","resources":{"limits":{"cpu":"1"},"requests":{"cpu":"1"}}}]}} | {"spec":{"containers":[{"name":"a","resources":{"$patch":"replace","limits":{"cpu":"2"}}}]}} | {"spec":{"containers":[{"name":"a","resources":{"limits":{"cpu":"2"}}}]}}
a directive in a replaced list stays | Pod | {"spec":{"tolerations":[{"key":"a"}]}} | {"spec":{"tolerations":[{"key":"b","$patch":"delete"}]}} | {"spec":{"tolerations":[{"$patch":"delete","key":"b"}]}}
finalizers merge as a set | ConfigMap | {"metadata":{"finalizers":["a","b"]}} | {"metadata":{"finalizers":["c","a"]}} | {"metadata":{"finalizers":["c","a","b"]}}
finalizers keep the live order of what the patch lacks | ConfigMap | {"metadata":{"finalizers":["a","b","c"]}} | {"metadata":{"finalizers":["d","b"]}} | {"metadata":{"finalizers":["d","a","b","c"]}}
$deleteFromPrimitiveList | ConfigMap | {"metadata":{"finalizers":["a","b","c"]}} | {"metadata":{"$deleteFromPrimitiveList/finalizers":["a","c"]}} | {"metadata":{"finalizers":["b"]}}
$deleteFromPrimitiveList of absent ones | ConfigMap | {"metadata":{"finalizers":["a"]}} | {"metadata":{"$deleteFromPrimitiveList/finalizers":["z"]}} | {"metadata":{"finalizers":["a"]}}
$deleteFromPrimitiveList without a list | ConfigMap | {"metadata":{}} | {"metadata":{"$deleteFromPrimitiveList/finalizers":["z"]}} | {"metadata":{}}
$deleteFromPrimitiveList without a field | ConfigMap | {"metadata":{"finalizers":["a"]}} | {"metadata":{"$deleteFromPrimitiveList":["a"]}} | 400 "invalid patch format of primitive list"
$deleteFromPrimitiveList that is null | ConfigMap | {"metadata":{"finalizers":["a"]}} | {"metadata":{"$deleteFromPrimitiveList/finalizers":null}} | {"metadata":{}}
$deleteFromPrimitiveList that is no list | ConfigMap | {"metadata":{"finalizers":["a"]}} | {"metadata":{"$deleteFromPrimitiveList/finalizers":"a"}} | {"metadata":{"finalizers":["a"]}}
$deleteFromPrimitiveList of a list that is replaced | Pod | {"spec":{"containers":[{"name":"a","args":["x","y"]}]}} | {"spec":{"containers":[{"name":"a","$deleteFromPrimitiveList/args":["x"]}]}} | {"spec":{"containers":[{"args":["y"],"name":"a"}]}}
$deleteFromPrimitiveList of all | ConfigMap | {"metadata":{"finalizers":["a"]}} | {"metadata":{"$deleteFromPrimitiveList/finalizers":["a"]}} | {"metadata":{"finalizers":[]}}
scalars of two types | ConfigMap | {"metadata":{"finalizers":["a"]}} | {"metadata":{"finalizers":[1]}} | 500 "list element types are not identical: [[a] [1]]"
a list of lists | ConfigMap | {"metadata":{"finalizers":[["a"]]}} | {"metadata":{"finalizers":[["b"]]}} | 422 "lists of lists are not supported"
scalars where items have a key | Pod | {"spec":{"volumes":["a"]}} | {"spec":{"volumes":["b"]}} | 500 "expected a map[string]interface {}, but received a string"
maps and scalars | Pod | {"spec":{"volumes":[{"name":"a"}]}} | {"spec":{"volumes":["b"]}} | 500 "list element types are not identical: [[map[name:a]] [b]]"
$setElementOrder of scalars | ConfigMap | {"metadata":{"finalizers":["a","b"]}} | {"metadata":{"$setElementOrder/finalizers":["c","b","a"],"finalizers":["c"]}} | {"metadata":{"finalizers":["c","b","a"]}}
$setElementOrder alone | ConfigMap | {"metadata":{"finalizers":["a","b","c"]}} | {"metadata":{"$setElementOrder/finalizers":["c","a"]}} | {"metadata":{"finalizers":["b","c","a"]}}
$setElementOrder of items | Pod | {"spec":{"containers":[{"name":"a"},{"name":"b"}]}} | {"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}]}} | {"spec":{"containers":[{"name":"b"},{"name":"a"}]}}
$setElementOrder with a new item | Pod | {"spec":{"containers":[{"name":"a"},{"name":"b"}]}} | {"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"c"},{"name":"a"}],"containers":[{"name":"c","image":"x"}]}} | {"spec":{"containers":[{"name":"b"},{"image":"x","name":"c"},{"name":"a"}]}}
$setElementOrder with items that only the server has | Pod | {"spec":{"containers":[{"name":"a"},{"name":"s"},{"name":"b"},{"name":"t"}]}} | {"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}]}} | {"spec":{"containers":[{"name":"s"},{"name":"b"},{"name":"a"},{"name":"t"}]}}
$setElementOrder with a server item first | Pod | {"spec":{"containers":[{"name":"s"},{"name":"a"},{"name":"b"}]}} | {"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}],"containers":[{"name":"b","image":"y"}]}} | {"spec":{"containers":[{"name":"s"},{"image":"y","name":"b"},{"name":"a"}]}}
$setElementOrder and a deletion | Pod | {"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"s"}]}} | {"spec":{"$setElementOrder/containers":[{"name":"b"}],"containers":[{"name":"a","$patch":"delete"}]}} | {"spec":{"containers":[{"name":"b"},{"name":"s"}]}}
$setElementOrder where there is no list | Pod | {"spec":{}} | {"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}],"containers":[{"name":"b"},{"name":"a","$patch":"delete"}]}} | {"spec":{"containers":[{"name":"b"}]}}
$setElementOrder where nothing is | Pod | {"spec":{}} | {"spec":{"$setElementOrder/containers":[{"name":"b"}]}} | {"spec":{}}
$setElementOrder against the order of the patch | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"$setElementOrder/containers":[{"name":"a"},{"name":"b"}],"containers":[{"name":"b"},{"name":"a"}]}} | 500 "The order in patch list:\n[map[name:b] map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:a] map[name:b]]\n"
$setElementOrder that lacks an item | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"$setElementOrder/containers":[{"name":"a"}],"containers":[{"name":"b"}]}} | 500 "The order in patch list:\n[map[name:b]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n"
$setElementOrder of scalars that lacks one | ConfigMap | {"metadata":{"finalizers":["a"]}} | {"metadata":{"$setElementOrder/finalizers":["a"],"finalizers":["b"]}} | 500 "The order in patch list:\n[b]\n doesn't match $setElementOrder list:\n[a]\n"
$setElementOrder that is no list | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"$setElementOrder/containers":"x"}} | 500 "expected a []interface {}, but received a string"
$setElementOrder without a field | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"$setElementOrder":[{"name":"a"}]}} | 400 "invalid patch format of setElementOrder list"
$setElementOrder of an unknown field | Pod | {"spec":{}} | {"spec":{"$setElementOrder/nope":["a"]}} | 500 "unable to find api field in struct PodSpec for the json field \"nope\""
$setElementOrder item without the key | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"$setElementOrder/containers":[{"image":"a"}],"containers":[{"name":"a"}]}} | 500 "map: map[image:a] does not contain declared merge key: name"
$setElementOrder in items | Pod | {"spec":{"containers":[{"name":"a","env":[{"name":"E"},{"name":"F"}]}]}} | {"spec":{"containers":[{"name":"a","$setElementOrder/env":[{"name":"F"},{"name":"E"}]}]}} | {"spec":{"containers":[{"env":[{"name":"F"},{"name":"E"}],"name":"a"}]}}
$setElementOrder with volumes and retained keys | Deployment | {"spec":{"template":{"spec":{"volumes":[{"name":"v","hostPath":{"path":"/"}},{"name":"w"}]}}}} | {"spec":{"template":{"spec":{"$setElementOrder/volumes":[{"name":"w"},{"name":"v"}],"volumes":[{"name":"v","$retainKeys":["name","emptyDir"],"emptyDir":{}}]}}}} | {"spec":{"template":{"spec":{"volumes":[{"name":"w"},{"emptyDir":{},"name":"v"}]}}}}
$setElementOrder over a field that is no list | Pod | {"spec":{"containers":"x"}} | {"spec":{"$setElementOrder/containers":[{"name":"a"}]}} | 500 "expected a []interface {}, but received a string"
$setElementOrder with an empty live list | Pod | {"spec":{"containers":[]}} | {"spec":{"$setElementOrder/containers":[{"name":"a"}]}} | 500 "no elements in any of the given slices"
$retainKeys clears others | Deployment | {"spec":{"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1}}}} | {"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}} | {"spec":{"strategy":{"type":"Recreate"}}}
$retainKeys of volumes | Pod | {"spec":{"volumes":[{"name":"v","hostPath":{"path":"/"}}]}} | {"spec":{"volumes":[{"name":"v","$retainKeys":["name","emptyDir"],"emptyDir":{}}]}} | {"spec":{"volumes":[{"emptyDir":{},"name":"v"}]}}
$retainKeys that lacks a field of the patch | Deployment | {"spec":{"strategy":{"type":"a"}}} | {"spec":{"strategy":{"$retainKeys":["rollingUpdate"],"type":"Recreate"}}} | 400 "invalid patch format of retainKeys"
$retainKeys allows null | Deployment | {"spec":{"strategy":{"type":"a","rollingUpdate":{}}}} | {"spec":{"strategy":{"$retainKeys":["type"],"type":"b","rollingUpdate":null}}} | {"spec":{"strategy":{"type":"b"}}}
$retainKeys that is no list | Deployment | {"spec":{"strategy":{"type":"a"}}} | {"spec":{"strategy":{"$retainKeys":"type","type":"Recreate"}}} | 400 "invalid patch format of retainKeys"
$retainKeys of nothing | Deployment | {"spec":{"strategy":{"type":"a"}}} | {"spec":{"strategy":{"$retainKeys":[]}}} | {"spec":{"strategy":{}}}
$retainKeys in a new map stays | Deployment | {"spec":{}} | {"spec":{"strategy":{"$retainKeys":["type"],"type":"b"}}} | {"spec":{"strategy":{"$retainKeys":["type"],"type":"b"}}}
an unknown field that is a map | Deployment | {"spec":{"nope":{"a":1}}} | {"spec":{"nope":{"b":2}}} | 500 "unable to find api field in struct DeploymentSpec for the json field \"nope\""
an unknown field that is a list | Deployment | {"spec":{"nope":[1]}} | {"spec":{"nope":[2]}} | 500 "unable to find api field in struct DeploymentSpec for the json field \"nope\""
an unknown scalar | Deployment | {"spec":{"nope":1}} | {"spec":{"nope":2}} | {"spec":{"nope":2}}
an unknown field that is new | Deployment | {"spec":{}} | {"spec":{"nope":{"a":[1]}}} | {"spec":{"nope":{"a":[1]}}}
a map inside a map of strings | ConfigMap | {"data":{"a":{"b":"c"}}} | {"data":{"a":{"d":"e"}}} | 500 "merging an object in json but data type is not struct, instead is: map"
a list inside a map of strings | ConfigMap | {"data":{"a":["b"]}} | {"data":{"a":["c"]}} | 500 "merging an object in json but data type is not struct, instead is: map"
a map where the type is a list | Pod | {"spec":{"containers":{"a":1}}} | {"spec":{"containers":{"b":2}}} | {"spec":{"containers":{"a":1,"b":2}}}
a list where the type is a map | ConfigMap | {"data":["a"]} | {"data":["b"]} | 500 "expected slice or array type, but got: struct"
a list where the type is a struct | Deployment | {"spec":["a"]} | {"spec":["b"]} | 500 "expected slice or array type, but got: struct"
a field in other letter case | Deployment | {"spec":{"Template":{"spec":{"hostname":"a"}}}} | {"spec":{"Template":{"spec":{"nodeName":"b"}}}} | {"spec":{"Template":{"spec":{"hostname":"a","nodeName":"b"}}}}
a map where the type is a string | Pod | {"spec":{"hostname":{"a":1}}} | {"spec":{"hostname":{"b":2}}} | {"spec":{"hostname":{"a":1,"b":2}}}
a map inside a struct with its own codec | Pod | {"spec":{"containers":[{"name":"a","ports":[],"livenessProbe":{"httpGet":{"port":{"x":1}}}}]}} | {"spec":{"containers":[{"name":"a","livenessProbe":{"httpGet":{"port":{"y":1}}}}]}} | {"spec":{"containers":[{"livenessProbe":{"httpGet":{"port":{"x":1,"y":1}}},"name":"a","ports":[]}]}}
labels | Deployment | {"metadata":{"labels":{"a":"1"}}} | {"metadata":{"labels":{"b":"2"}}} | {"metadata":{"labels":{"a":"1","b":"2"}}}
a field named __proto__ | ConfigMap | {"data":{"a":"b"}} | {"data":{"__proto__":"x"}} | {"data":{"__proto__":"x","a":"b"}}
large integers | Deployment | {"spec":{"replicas":1}} | {"spec":{"replicas":9007199254740991}} | {"spec":{"replicas":9007199254740991}}
the merge key of another type | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"containers":[{"name":1}]}} | {"spec":{"containers":[{"name":1},{"name":"a"}]}}
an element order alone reorders the live list | Pod | {"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"}]}} | {"spec":{"$setElementOrder/containers":[{"name":"c"},{"name":"a"},{"name":"b"}]}} | {"spec":{"containers":[{"name":"c"},{"name":"a"},{"name":"b"}]}}
an element order of some items leaves the others before their followers | Pod | {"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"}]}} | {"spec":{"$setElementOrder/containers":[{"name":"d"},{"name":"b"}]}} | {"spec":{"containers":[{"name":"a"},{"name":"c"},{"name":"d"},{"name":"b"}]}}
an element order may name absent items | Pod | {"spec":{"containers":[{"name":"a"},{"name":"b"}]}} | {"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"z"},{"name":"a"}]}} | {"spec":{"containers":[{"name":"b"},{"name":"a"}]}}
an element order with an added item | Pod | {"spec":{"containers":[{"name":"a"},{"name":"b"}]}} | {"spec":{"$setElementOrder/containers":[{"name":"a"},{"name":"n"},{"name":"b"}],"containers":[{"name":"n","image":"i"}]}} | {"spec":{"containers":[{"name":"a"},{"image":"i","name":"n"},{"name":"b"}]}}
an element order with a changed item | Pod | {"spec":{"containers":[{"name":"a","image":"1"},{"name":"b"}]}} | {"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}],"containers":[{"name":"a","image":"2"}]}} | {"spec":{"containers":[{"name":"b"},{"image":"2","name":"a"}]}}
an element order with a deleted item | Pod | {"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"}]}} | {"spec":{"$setElementOrder/containers":[{"name":"c"},{"name":"a"}],"containers":[{"name":"b","$patch":"delete"}]}} | {"spec":{"containers":[{"name":"c"},{"name":"a"}]}}
an element order against the patch's own order | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"$setElementOrder/containers":[{"name":"y"},{"name":"x"}],"containers":[{"name":"x"},{"name":"y"}]}} | 500 "The order in patch list:\n[map[name:x] map[name:y]]\n doesn't match $setElementOrder list:\n[map[name:y] map[name:x]]\n"
an element order without an item of the patch | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"$setElementOrder/containers":[{"name":"a"}],"containers":[{"name":"x"}]}} | 500 "The order in patch list:\n[map[name:x]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n"
an element order of a new list | Pod | {"spec":{}} | {"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}],"containers":[{"name":"b"},{"name":"a"}]}} | {"spec":{"containers":[{"name":"b"},{"name":"a"}]}}
an element order without list and live list | Pod | {"spec":{}} | {"spec":{"$setElementOrder/containers":[{"name":"b"}]}} | {"spec":{}}
an element order that is no list | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"$setElementOrder/containers":"x"}} | 500 "expected a []interface {}, but received a string"
an element order whose items have no key | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"$setElementOrder/containers":[{"image":"x"}]}} | 500 "map: map[image:x] does not contain declared merge key: name"
an element order of an unknown field | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"$setElementOrder/nope":[{"name":"a"}]}} | 500 "unable to find api field in struct PodSpec for the json field \"nope\""
an element order inside an item | Pod | {"spec":{"containers":[{"name":"a","env":[{"name":"E"},{"name":"F"}]}]}} | {"spec":{"containers":[{"name":"a","$setElementOrder/env":[{"name":"F"},{"name":"E"}]}]}} | {"spec":{"containers":[{"env":[{"name":"F"},{"name":"E"}],"name":"a"}]}}
an element order of ports | Service | {"spec":{"ports":[{"port":80},{"port":81},{"port":82}]}} | {"spec":{"$setElementOrder/ports":[{"port":82},{"port":80}],"ports":[{"port":80,"name":"x"}]}} | {"spec":{"ports":[{"port":81},{"port":82},{"name":"x","port":80}]}}
an element order of finalizers | ConfigMap | {"metadata":{"finalizers":["a","b","c"]}} | {"metadata":{"$setElementOrder/finalizers":["c","a"]}} | {"metadata":{"finalizers":["b","c","a"]}}
an element order of finalizers with one added | ConfigMap | {"metadata":{"finalizers":["a","b"]}} | {"metadata":{"$setElementOrder/finalizers":["b","n","a"],"finalizers":["n"]}} | {"metadata":{"finalizers":["b","n","a"]}}
an element order and a deletion of finalizers | ConfigMap | {"metadata":{"finalizers":["a","b","c"]}} | {"metadata":{"$setElementOrder/finalizers":["c","a"],"$deleteFromPrimitiveList/finalizers":["b"]}} | {"metadata":{"finalizers":["c","a"]}}
an element order of finalizers against the patch | ConfigMap | {"metadata":{"finalizers":["a"]}} | {"metadata":{"$setElementOrder/finalizers":["x","y"],"finalizers":["y","x"]}} | 500 "The order in patch list:\n[y x]\n doesn't match $setElementOrder list:\n[x y]\n"
an element order of an atomic list of maps by scalars | Pod | {"spec":{"tolerations":[{"key":"a"}]}} | {"spec":{"$setElementOrder/tolerations":["b"],"tolerations":[]}} | 500 "expected a map[string]interface {}, but received a string"
an element order of an atomic list of scalars | Pod | {"spec":{"containers":[{"name":"a","args":["x","y"]}]}} | {"spec":{"containers":[{"name":"a","$setElementOrder/args":["y","x"],"args":["y","x"]}]}} | {"spec":{"containers":[{"args":["y","x"],"name":"a"}]}}
a deletion from an atomic list of scalars | Pod | {"spec":{"containers":[{"name":"a","args":["x","y"]}]}} | {"spec":{"containers":[{"name":"a","$deleteFromPrimitiveList/args":["x"]}]}} | {"spec":{"containers":[{"args":["y"],"name":"a"}]}}
a deletion of all | ConfigMap | {"metadata":{"finalizers":["a","b"]}} | {"metadata":{"$deleteFromPrimitiveList/finalizers":["a","b"]}} | {"metadata":{"finalizers":[]}}
a deletion of nothing from nothing | ConfigMap | {"metadata":{"finalizers":[]}} | {"metadata":{"$deleteFromPrimitiveList/finalizers":[]}} | {"metadata":{"finalizers":[]}}
a deletion of a scalar that is there twice | ConfigMap | {"metadata":{"finalizers":["a","b","a"]}} | {"metadata":{"$deleteFromPrimitiveList/finalizers":["a"]}} | {"metadata":{"finalizers":["b"]}}
a deletion of another type | ConfigMap | {"metadata":{"finalizers":["a"]}} | {"metadata":{"$deleteFromPrimitiveList/finalizers":[1]}} | 500 "list element types are not identical: [[a] [1]]"
a deletion that is no list | ConfigMap | {"metadata":{"finalizers":["a"]}} | {"metadata":{"$deleteFromPrimitiveList/finalizers":"a"}} | {"metadata":{"finalizers":["a"]}}
a deletion from a list of maps | Pod | {"spec":{"containers":[{"name":"a"},{"name":"b"}]}} | {"spec":{"$deleteFromPrimitiveList/containers":[{"name":"a"}]}} | {"spec":{"containers":[{"name":"a"},{"name":"b"}]}}
a deletion of null | ConfigMap | {"metadata":{"finalizers":["a"]}} | {"metadata":{"$deleteFromPrimitiveList/finalizers":null}} | {"metadata":{}}
retained keys keep a union's one member | Deployment | {"spec":{"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1}}}} | {"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}} | {"spec":{"strategy":{"type":"Recreate"}}}
retained keys of a volume source | Pod | {"spec":{"volumes":[{"name":"v","emptyDir":{}}]}} | {"spec":{"volumes":[{"name":"v","$retainKeys":["name","hostPath"],"hostPath":{"path":"/"}}]}} | {"spec":{"volumes":[{"hostPath":{"path":"/"},"name":"v"}]}}
retained keys with a null | Deployment | {"spec":{"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1}}}} | {"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate","rollingUpdate":null}}} | {"spec":{"strategy":{"type":"Recreate"}}}
retained keys that lack a field of the patch | Deployment | {"spec":{"strategy":{"type":"A"}}} | {"spec":{"strategy":{"$retainKeys":["type"],"rollingUpdate":{}}}} | 400 "invalid patch format of retainKeys"
retained keys that name none | Deployment | {"spec":{"strategy":{"type":"A"}}} | {"spec":{"strategy":{"$retainKeys":[]}}} | {"spec":{"strategy":{}}}
retained keys that are no list | Deployment | {"spec":{"strategy":{"type":"A"}}} | {"spec":{"strategy":{"$retainKeys":{}}}} | 400 "invalid patch format of retainKeys"
retained keys of a new object | Deployment | {"spec":{}} | {"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}} | {"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}}
retained keys of the document | ConfigMap | {"kind":"ConfigMap","data":{"a":"b"},"immutable":true} | {"$retainKeys":["kind","data"],"data":{"c":"d"}} | {"data":{"a":"b","c":"d"},"kind":"ConfigMap"}
retained keys with other directives of the same object | Pod | {"spec":{"hostname":"h","containers":[{"name":"a"},{"name":"b"}]}} | {"spec":{"$retainKeys":["containers"],"$setElementOrder/containers":[{"name":"b"},{"name":"a"}]}} | {"spec":{"containers":[{"name":"b"},{"name":"a"}]}}
a replaced item list inside an added item | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"containers":[{"name":"b","ports":[{"containerPort":1},{"$patch":"replace"}]}]}} | {"spec":{"containers":[{"name":"b","ports":[{"containerPort":1},{"$patch":"replace"}]},{"name":"a"}]}}
a replacement in the middle of a list | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"containers":[{"name":"x"},{"$patch":"replace"},{"name":"y"}]}} | {"spec":{"containers":[{"name":"x"},{"name":"y"}]}}
a replacement that has a key | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"containers":[{"name":"a","$patch":"replace","image":"i"}]}} | {"spec":{"containers":[]}}
a directive in an item that is a scalar | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"containers":[{"name":"b","$patch":5}]}} | 500 "unknown patch type: %!s(int64=5) in map: map[$patch:5 name:b]"
a scalar among items | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"containers":["x"]}} | 500 "list element types are not identical: [[map[name:a]] [x]]"
scalars and items | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"containers":[{"name":"b"},"x"]}} | 500 "list element types are not identical: [[map[name:a]] [map[name:b] x]]"
lists among items | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"containers":[["x"]]}} | 500 "list element types are not identical: [[map[name:a]] [[x]]]"
lists among scalars | ConfigMap | {"metadata":{"finalizers":["a"]}} | {"metadata":{"finalizers":[["b"]]}} | 500 "list element types are not identical: [[a] [[b]]]"
numbers among strings | ConfigMap | {"metadata":{"finalizers":["a"]}} | {"metadata":{"finalizers":[1]}} | 500 "list element types are not identical: [[a] [1]]"
an object for a list | Pod | {"spec":{"containers":[{"name":"a"}]}} | {"spec":{"containers":{"name":"b"}}} | {"spec":{"containers":{"name":"b"}}}
a list for an object | Deployment | {"spec":{"template":{"spec":{}}}} | {"spec":{"template":[1]}} | {"spec":{"template":[1]}}
an unknown struct field that is an object | Deployment | {"spec":{"nope":{"a":1}}} | {"spec":{"nope":{"b":2}}} | 500 "unable to find api field in struct DeploymentSpec for the json field \"nope\""
an unknown struct field that is a list | Deployment | {"spec":{"nope":[1]}} | {"spec":{"nope":[2]}} | 500 "unable to find api field in struct DeploymentSpec for the json field \"nope\""
an unknown field that is new | Deployment | {"spec":{}} | {"spec":{"nope":{"b":2}}} | {"spec":{"nope":{"b":2}}}
into a map of objects that Go has not | ConfigMap | {"data":{"a":{"x":1}}} | {"data":{"a":{"y":2}}} | 500 "merging an object in json but data type is not struct, instead is: map"
quantities merge by name | Pod | {"spec":{"containers":[{"name":"a","resources":{"limits":{"cpu":"1","memory":"1Gi"}}}]}} | {"spec":{"containers":[{"name":"a","resources":{"limits":{"cpu":"2","memory":null}}}]}} | {"spec":{"containers":[{"name":"a","resources":{"limits":{"cpu":"2"}}}]}}
host aliases by ip | Pod | {"spec":{"hostAliases":[{"ip":"1","hostnames":["a"]}]}} | {"spec":{"hostAliases":[{"ip":"1","hostnames":["b"]},{"ip":"2","hostnames":["c"]}]}} | {"spec":{"hostAliases":[{"hostnames":["b"],"ip":"1"},{"hostnames":["c"],"ip":"2"}]}}
pull secrets by name | Pod | {"spec":{"imagePullSecrets":[{"name":"a"}]}} | {"spec":{"imagePullSecrets":[{"name":"b"}]}} | {"spec":{"imagePullSecrets":[{"name":"b"},{"name":"a"}]}}
volume mounts by path | Pod | {"spec":{"containers":[{"name":"a","volumeMounts":[{"mountPath":"/x","name":"v"}]}]}} | {"spec":{"containers":[{"name":"a","volumeMounts":[{"mountPath":"/x","name":"w"},{"mountPath":"/y","name":"v"}]}]}} | {"spec":{"containers":[{"name":"a","volumeMounts":[{"mountPath":"/x","name":"w"},{"mountPath":"/y","name":"v"}]}]}}
volume devices by path | Pod | {"spec":{"containers":[{"name":"a","volumeDevices":[{"devicePath":"/x","name":"v"}]}]}} | {"spec":{"containers":[{"name":"a","volumeDevices":[{"devicePath":"/x","name":"w"}]}]}} | {"spec":{"containers":[{"name":"a","volumeDevices":[{"devicePath":"/x","name":"w"}]}]}}
ephemeral containers by name | Pod | {"spec":{"ephemeralContainers":[{"name":"a","image":"1"}]}} | {"spec":{"ephemeralContainers":[{"name":"a","image":"2"},{"name":"b"}]}} | {"spec":{"ephemeralContainers":[{"image":"2","name":"a"},{"name":"b"}]}}
resource claims by name | Pod | {"spec":{"resourceClaims":[{"name":"a","resourceClaimName":"x"}]}} | {"spec":{"resourceClaims":[{"name":"a","$patch":"delete"}]}} | {"spec":{"resourceClaims":[]}}
readiness gates are replaced | Pod | {"spec":{"readinessGates":[{"conditionType":"a"}]}} | {"spec":{"readinessGates":[{"conditionType":"b"}]}} | {"spec":{"readinessGates":[{"conditionType":"b"}]}}
taints are replaced | Node | {"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]}} | {"spec":{"taints":[{"key":"b","effect":"NoSchedule"}]}} | {"spec":{"taints":[{"effect":"NoSchedule","key":"b"}]}}
pod ranges merge as a set | Node | {"spec":{"podCIDRs":["a"]}} | {"spec":{"podCIDRs":["b"]}} | {"spec":{"podCIDRs":["b","a"]}}
image names of a node are replaced | Node | {"status":{"images":[{"names":["a"]}]}} | {"status":{"images":[{"names":["b"]}]}} | {"status":{"images":[{"names":["b"]}]}}
deployment conditions by type | Deployment | {"status":{"conditions":[{"type":"A","status":"True"}]}} | {"status":{"conditions":[{"type":"A","status":"False"},{"type":"B","status":"True"}]}} | {"status":{"conditions":[{"status":"False","type":"A"},{"status":"True","type":"B"}]}}
owner references are deleted by uid | ConfigMap | {"metadata":{"ownerReferences":[{"uid":"1"},{"uid":"2"}]}} | {"metadata":{"ownerReferences":[{"uid":"1","$patch":"delete"}]}} | {"metadata":{"ownerReferences":[{"uid":"2"}]}}
annotations with a null and a new one | ConfigMap | {"metadata":{"annotations":{"a":"1","b":"2"}}} | {"metadata":{"annotations":{"a":null,"c":"3"}}} | {"metadata":{"annotations":{"b":"2","c":"3"}}}
external addresses are replaced | Service | {"spec":{"externalIPs":["1"]}} | {"spec":{"externalIPs":["2"]}} | {"spec":{"externalIPs":["2"]}}
a selector is merged | Service | {"spec":{"selector":{"a":"1"}}} | {"spec":{"selector":{"b":"2"}}} | {"spec":{"selector":{"a":"1","b":"2"}}}
a label selector is merged, its expressions replaced | Deployment | {"spec":{"selector":{"matchLabels":{"a":"1"},"matchExpressions":[{"key":"k"}]}}} | {"spec":{"selector":{"matchLabels":{"b":"2"},"matchExpressions":[{"key":"l"}]}}} | {"spec":{"selector":{"matchExpressions":[{"key":"l"}],"matchLabels":{"a":"1","b":"2"}}}}
`;

const rows = TABLE.trim()
  .split('\n')
  .map((line) => line.split(' | ') as [string, string, string, string, string]);

function schemaOf(kind: string): PatchSchema {
  const schema = patchSchema({ group: kind === 'Deployment' ? 'apps' : '', version: 'v1', kind });
  if (schema === undefined) throw new Error(`no kind ${kind}`);
  return schema;
}

const parse = (text: string): JsonObject => JSON.parse(text) as JsonObject;

/** Returns the patched object, or the code and text of the error in the table's format. */
function answer(kind: string, original: JsonObject, patch: JsonObject): unknown {
  try {
    return strategicMergePatch(original, patch, schemaOf(kind));
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return `${error.code} ${JSON.stringify(error.cause ?? error.message)}`;
  }
}

describe('strategic merge patch', () => {
  test.each(rows)('applies the patch: %s', (_, kind, original, patch, expected) => {
    const before = parse(original);
    expect(answer(kind, before, parse(patch))).toEqual(expected.startsWith('{') ? parse(expected) : expected);
    expect(JSON.stringify(before)).toBe(original);
  });

  test('runs every row of the table', () => {
    expect(rows.length).toBeGreaterThanOrEqual(150);
  });
});

const name = fc.constantFrom('a', 'b', 'c');
const container = fc.record({ name, image: fc.constantFrom('x', 'y') }, { requiredKeys: ['name'] });
const containers = fc.uniqueArray(container, { selector: (item) => item.name, maxLength: 3 });

describe('laws of strategic merge patches', () => {
  const schema = schemaOf('Pod');
  const pod = containers.map((items) => ({ spec: { containers: items } }));

  test('changes nothing in a second run of a patch without deletions', () => {
    fc.assert(
      fc.property(pod, pod, (original, patch) => {
        const once = strategicMergePatch(original, patch, schema);
        expect(strategicMergePatch(once, patch, schema)).toEqual(once);
      }),
    );
  });

  test('deletes exactly the named values', () => {
    fc.assert(
      fc.property(containers, name, (items, gone) => {
        const patch = { spec: { containers: [{ name: gone, $patch: 'delete' }] } };
        const rest = items.filter((item) => item.name !== gone);
        const original = { spec: { containers: items } } as JsonObject;
        fc.pre(items.length > 0);
        expect(strategicMergePatch(original, patch, schema)).toEqual({ spec: { containers: rest } });
      }),
    );
  });

  test('sorts the items according to $setElementOrder', () => {
    fc.assert(
      fc.property(containers, fc.shuffledSubarray(['a', 'b', 'c'], { minLength: 3 }), (items, order) => {
        fc.pre(items.length > 0);
        const patch = { spec: { '$setElementOrder/containers': order.map((it) => ({ name: it })) } };
        const patched = strategicMergePatch({ spec: { containers: items } }, patch, schema);
        const names = (patched['spec'] as { containers: { name: string }[] }).containers.map((it) => it.name);
        expect(names).toEqual(order.filter((it) => items.some((item) => item.name === it)));
      }),
    );
  });
});
