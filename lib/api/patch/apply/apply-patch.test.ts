import { describe, expect, test } from 'vitest';
import { StatusError } from '#lib/machinery/errors.ts';
import { arrayAt, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { applyPatch } from './apply-patch.ts';
import { typedSchemaOf } from './openapi-schema.conformance.ts';
import { recordUpdate } from './record-update.ts';
import { definitions, thing } from './thing.conformance.ts';

/**
 * name | steps | object at the end | owners at the end; or name | steps | text of the last step's refusal. A step is a
 * manager and what it applies: `!` forces, `~` updates instead.
 */
const TABLE = String.raw`
a scalar | alice {"flag":true} | {"flag":true} | {"alice":{"f:flag":{}}}
null is owned | alice {"date":null} | {"date":null} | {"alice":{"f:date":{}}}
an empty granular map is owned | alice {"granular":{}} | {"granular":{}} | {"alice":{"f:granular":{}}}
an empty atomic list is owned | alice {"atomic":[]} | {"atomic":[]} | {"alice":{"f:atomic":{}}}
an empty set is not owned | alice {"set":[]} | {"set":[]} | {}
an empty list of maps is not owned | alice {"map":[]} | {"map":[]} | {}
an empty struct is owned | alice {"struct":{}} | {"struct":{}} | {"alice":{"f:struct":{}}}
a struct is owned by field | alice {"struct":{"x":"a","in":{"y":"b"}}} | {"struct":{"in":{"y":"b"},"x":"a"}} | {"alice":{"f:struct":{"f:in":{"f:y":{}},"f:x":{}}}}
a null map is owned | alice {"granular":null} | {"granular":null} | {"alice":{"f:granular":{}}}
a null list is owned | alice {"set":null,"map":null} | {"map":null,"set":null} | {"alice":{"f:map":{},"f:set":{}}}
map entries | alice {"granular":{"p":"1","q":"2"}} | {"granular":{"p":"1","q":"2"}} | {"alice":{"f:granular":{"f:p":{},"f:q":{}}}}
an atomic map as one | alice {"atom":{"x":"1","y":"2"}} | {"atom":{"x":"1","y":"2"}} | {"alice":{"f:atom":{}}}
a reference made atomic | alice {"refatom":{"x":"1","in":{"y":"2"}}} | {"refatom":{"in":{"y":"2"},"x":"1"}} | {"alice":{"f:refatom":{}}}
an atomic list as one | alice {"atomic":["a","b"]} | {"atomic":["a","b"]} | {"alice":{"f:atomic":{}}}
a list without a type as one | alice {"plain":[{"x":"a"}]} | {"plain":[{"x":"a"}]} | {"alice":{"f:plain":{}}}
a set by value | alice {"set":["b","a"]} | {"set":["b","a"]} | {"alice":{"f:set":{"v:\"a\"":{},"v:\"b\"":{}}}}
a set of numbers in numeric order | alice {"nums":[10,9,100]} | {"nums":[10,9,100]} | {"alice":{"f:nums":{"v:10":{},"v:100":{},"v:9":{}}}}
a list of maps by key | alice {"map":[{"k":"b","v":1},{"k":"a"}]} | {"map":[{"k":"b","v":1},{"k":"a"}]} | {"alice":{"f:map":{"k:{\"k\":\"a\"}":{".":{},"f:k":{}},"k:{\"k\":\"b\"}":{".":{},"f:k":{},"f:v":{}}}}}
nested lists of maps | alice {"map":[{"k":"a","deep":[{"k":"b","v":1}]}]} | {"map":[{"deep":[{"k":"b","v":1}],"k":"a"}]} | {"alice":{"f:map":{"k:{\"k\":\"a\"}":{".":{},"f:deep":{"k:{\"k\":\"b\"}":{".":{},"f:k":{},"f:v":{}}},"f:k":{}}}}}
two keys, sorted, with a default | alice {"two":[{"a":"x","v":"1"},{"a":"x","b":1}]} | {"two":[{"a":"x","v":"1"},{"a":"x","b":1}]} | {"alice":{"f:two":{"k:{\"a\":\"x\",\"b\":1}":{".":{},"f:a":{},"f:b":{}},"k:{\"a\":\"x\",\"b\":7}":{".":{},"f:a":{},"f:v":{}}}}}
a key by patch strategy | alice {"merge":[{"k":"a","v":1}]} | {"merge":[{"k":"a","v":1}]} | {"alice":{"f:merge":{"k:{\"k\":\"a\"}":{".":{},"f:k":{},"f:v":{}}}}}
a map of sets | alice {"maps":{"p":["a"],"q":[]}} | {"maps":{"p":["a"],"q":[]}} | {"alice":{"f:maps":{"f:p":{".":{},"v:\"a\"":{}},"f:q":{}}}}
int or string | alice {"ios":"50%"} | {"ios":"50%"} | {"alice":{"f:ios":{}}}
free form is granular in maps, atomic in lists | alice {"free":{"g":{"h":[1,{"i":2}]}}} | {"free":{"g":{"h":[1,{"i":2}]}}} | {"alice":{"f:free":{"f:g":{".":{},"f:h":{}}}}}
known fields in free form | alice {"free":{"known":{"y":"a","z":{"x":1}}}} | {"free":{"known":{"y":"a","z":{"x":1}}}} | {"alice":{"f:free":{"f:known":{"f:y":{},"f:z":{".":{},"f:x":{}}}}}}
a type of anything | alice {"any":{"a":{"b":1},"c":[1]}} | {"any":{"a":{"b":1},"c":[1]}} | {"alice":{"f:any":{"f:a":{".":{},"f:b":{}},"f:c":{}}}}
anything as a scalar | alice {"any":7} | {"any":7} | {"alice":{"f:any":{}}}
escapes in keys | alice {"set":["<&>","\"q\"","é"],"map":[{"k":"a/b"}]} | {"map":[{"k":"a/b"}],"set":["<&>","\"q\"","é"]} | {"alice":{"f:map":{"k:{\"k\":\"a/b\"}":{".":{},"f:k":{}}},"f:set":{"v:\"\\\"q\\\"\"":{},"v:\"\\u003c\\u0026\\u003e\"":{},"v:\"é\"":{}}}}
metadata | alice {"metadata":{"labels":{"a":"b"},"finalizers":["x/y"]}} | {"metadata":{"finalizers":["x/y"],"labels":{"a":"b"}}} | {"alice":{"f:metadata":{"f:finalizers":{"v:\"x/y\"":{}},"f:labels":{"f:a":{}}}}}
nothing but identity is no entry | alice {} | {} | {}
an update owns containers, too | ~bob {"granular":{"p":"1"},"set":["a"],"map":[{"k":"a","v":1}],"struct":{"x":"1"}} | {"granular":{"p":"1"},"map":[{"k":"a","v":1}],"set":["a"],"struct":{"x":"1"}} | {"~bob":{"f:granular":{".":{},"f:p":{}},"f:map":{".":{},"k:{\"k\":\"a\"}":{".":{},"f:k":{},"f:v":{}}},"f:set":{".":{},"v:\"a\"":{}},"f:struct":{".":{},"f:x":{}}}}
an update owns only what it changes | alice {"num":1,"flag":true} ; ~bob {"num":2,"flag":true} | {"flag":true,"num":2} | {"alice":{"f:flag":{}},"~bob":{"f:num":{}}}
an update that changes nothing owns nothing | alice {"num":1} ; ~bob {"num":1} | {"num":1} | {"alice":{"f:num":{}}}
an update adds to its former set | ~bob {"num":1} ; ~bob {"num":1,"flag":true} | {"flag":true,"num":1} | {"~bob":{"f:flag":{},"f:num":{}}}
an update removes what it removes | alice {"num":1,"flag":true} ; ~bob {"num":1} | {"num":1} | {"alice":{"f:num":{}}}
an update that removes all of a manager | alice {"num":1} ; ~bob {"flag":true} | {"flag":true} | {"~bob":{"f:flag":{}}}
an update of an entry | alice {"granular":{"p":"1","q":"2"}} ; ~bob {"granular":{"p":"1","q":"3"}} | {"granular":{"p":"1","q":"3"}} | {"alice":{"f:granular":{"f:p":{}}},"~bob":{"f:granular":{"f:q":{}}}}
an update of an atomic list takes it | alice {"atomic":["a"]} ; ~bob {"atomic":["a","b"]} | {"atomic":["a","b"]} | {"~bob":{"f:atomic":{}}}
an update of an item | alice {"map":[{"k":"a","v":1},{"k":"b","v":1}]} ; ~bob {"map":[{"k":"a","v":1},{"k":"b","v":2}]} | {"map":[{"k":"a","v":1},{"k":"b","v":2}]} | {"alice":{"f:map":{"k:{\"k\":\"a\"}":{".":{},"f:k":{},"f:v":{}},"k:{\"k\":\"b\"}":{".":{},"f:k":{}}}},"~bob":{"f:map":{"k:{\"k\":\"b\"}":{"f:v":{}}}}}
an update reorders a list of maps for free | alice {"map":[{"k":"a"},{"k":"b"}]} ; ~bob {"map":[{"k":"b"},{"k":"a"}]} | {"map":[{"k":"b"},{"k":"a"}]} | {"alice":{"f:map":{"k:{\"k\":\"a\"}":{".":{},"f:k":{}},"k:{\"k\":\"b\"}":{".":{},"f:k":{}}}}}
an update from null to a map | alice {"granular":null} ; ~bob {"granular":{"p":"1"}} | {"granular":{"p":"1"}} | {"alice":{"f:granular":{}},"~bob":{"f:granular":{"f:p":{}}}}
an update from a map to empty | alice {"granular":{"p":"1"}} ; ~bob {"granular":{}} | {"granular":{}} | {}
an update from scalar to map | alice {"any":1} ; ~bob {"any":{"a":1}} | {"any":{"a":1}} | {"~bob":{"f:any":{".":{},"f:a":{}}}}
an update from map to scalar | alice {"any":{"a":1}} ; ~bob {"any":1} | {"any":1} | {"~bob":{"f:any":{}}}
an update with duplicates in a set | alice {"set":["a"]} ; ~bob {"set":["a","a","b"]} | {"set":["a","a","b"]} | {"~bob":{"f:set":{"v:\"a\"":{},"v:\"b\"":{}}}}
duplicates that stay | ~bob {"set":["a","a"]} ; ~carol {"set":["a","a"],"num":1} | {"num":1,"set":["a","a"]} | {"~bob":{"f:set":{".":{},"v:\"a\"":{}}},"~carol":{"f:num":{}}}
duplicates that go | ~bob {"set":["a","a"]} ; ~carol {"set":["a"]} | {"set":["a"]} | {"~bob":{"f:set":{}},"~carol":{"f:set":{"v:\"a\"":{}}}}
duplicate items | ~bob {"map":[{"k":"a","v":1},{"k":"a","v":2}]} | {"map":[{"k":"a","v":1},{"k":"a","v":2}]} | {"~bob":{"f:map":{".":{},"k:{\"k\":\"a\"}":{}}}}
duplicate items that differ | ~bob {"map":[{"k":"a","v":1},{"k":"a","v":2}]} ; ~carol {"map":[{"k":"a","v":1},{"k":"a","v":3}]} | {"map":[{"k":"a","v":1},{"k":"a","v":3}]} | {"~bob":{"f:map":{}},"~carol":{"f:map":{"k:{\"k\":\"a\"}":{}}}}
two updaters | ~bob {"num":1} ; ~carol {"num":2} ; ~bob {"num":2,"flag":true} | {"flag":true,"num":2} | {"~bob":{"f:flag":{}},"~carol":{"f:num":{}}}
two appliers of one value share it | alice {"num":1} ; bob {"num":1} | {"num":1} | {"alice":{"f:num":{}},"bob":{"f:num":{}}}
two appliers of different fields | alice {"num":1} ; bob {"flag":true} | {"flag":true,"num":1} | {"alice":{"f:num":{}},"bob":{"f:flag":{}}}
two appliers of different entries | alice {"granular":{"p":"1"}} ; bob {"granular":{"q":"2"}} | {"granular":{"p":"1","q":"2"}} | {"alice":{"f:granular":{"f:p":{}}},"bob":{"f:granular":{"f:q":{}}}}
two appliers of different values of a set | alice {"set":["a","b"]} ; bob {"set":["b","c"]} | {"set":["a","b","c"]} | {"alice":{"f:set":{"v:\"a\"":{},"v:\"b\"":{}}},"bob":{"f:set":{"v:\"b\"":{},"v:\"c\"":{}}}}
two appliers of one item | alice {"map":[{"k":"a","v":1}]} ; bob {"map":[{"k":"a","sub":{"p":"1"}}]} | {"map":[{"k":"a","sub":{"p":"1"},"v":1}]} | {"alice":{"f:map":{"k:{\"k\":\"a\"}":{".":{},"f:k":{},"f:v":{}}}},"bob":{"f:map":{"k:{\"k\":\"a\"}":{".":{},"f:k":{},"f:sub":{"f:p":{}}}}}}
null over what another owns | alice {"granular":{"p":"1"}} ; bob {"granular":null} | {"granular":{"p":"1"}} | {"alice":{"f:granular":{"f:p":{}}},"bob":{"f:granular":{}}}
an empty map over what another owns | alice {"granular":{"p":"1"}} ; bob {"granular":{}} | {"granular":{"p":"1"}} | {"alice":{"f:granular":{"f:p":{}}},"bob":{"f:granular":{}}}
the same apply again | alice {"num":1,"set":["a"]} ; alice {"num":1,"set":["a"]} | {"num":1,"set":["a"]} | {"alice":{"f:num":{},"f:set":{"v:\"a\"":{}}}}
a conflict | alice {"num":1} ; bob {"num":2} | "Apply failed with 1 conflict: conflict with \"alice\": .num"
a forced conflict | alice {"num":1,"flag":true} ; bob! {"num":2} | {"flag":true,"num":2} | {"alice":{"f:flag":{}},"bob":{"f:num":{}}}
a forced conflict about all | alice {"num":1} ; bob! {"num":2} | {"num":2} | {"bob":{"f:num":{}}}
a conflict about an entry | alice {"granular":{"p":"1"}} ; bob {"granular":{"p":"2"}} | "Apply failed with 1 conflict: conflict with \"alice\": .granular.p"
a conflict about an item | alice {"map":[{"k":"a","v":1}]} ; bob {"map":[{"k":"a","v":2}]} | "Apply failed with 1 conflict: conflict with \"alice\": .map[k=\"a\"].v"
a conflict about an item with two keys | alice {"two":[{"a":"x","v":"1"}]} ; bob {"two":[{"a":"x","b":7,"v":"2"}]} | "Apply failed with 1 conflict: conflict with \"alice\": .two[a=\"x\",b=7].v"
a conflict about an atomic list | alice {"atomic":["a"]} ; bob {"atomic":["b"]} | "Apply failed with 1 conflict: conflict with \"alice\": .atomic"
a conflict about an atomic map | alice {"atom":{"x":"1"}} ; bob {"atom":{"y":"1"}} | "Apply failed with 1 conflict: conflict with \"alice\": .atom"
a conflict about free form | alice {"free":{"g":1}} ; bob {"free":{"g":{"h":1}}} | "Apply failed with 1 conflict: conflict with \"alice\": .free.g"
several conflicts | alice {"num":1,"granular":{"p":"1"},"map":[{"k":"a","v":1}]} ; bob {"num":2,"granular":{"p":"2"},"map":[{"k":"a","v":2}]} | "Apply failed with 3 conflicts: conflicts with \"alice\":\n- .num\n- .granular.p\n- .map[k=\"a\"].v"
a conflict with an updater | ~bob {"num":1} ; alice {"num":2} | "Apply failed with 1 conflict: conflict with \"bob\" using t/v1: .num"
conflicts with two managers | alice {"num":1} ; ~bob {"num":1,"flag":true} ; carol {"num":2,"flag":false} | "Apply failed with 2 conflicts: conflicts with \"alice\":\n- .num\nconflicts with \"bob\" using t/v1:\n- .flag"
a conflict about a label | alice {"metadata":{"labels":{"a/b":"1"}}} ; bob {"metadata":{"labels":{"a/b":"2"}}} | "Apply failed with 1 conflict: conflict with \"alice\": .metadata.labels.a/b"
no conflict with oneself | alice {"num":1} ; alice {"num":2} | {"num":2} | {"alice":{"f:num":{}}}
no conflict where the values agree again | alice {"num":1} ; bob! {"num":2} ; alice! {"num":2} ; bob {"num":2} | {"num":2} | {"alice":{"f:num":{}},"bob":{"f:num":{}}}
a conflict over null | alice {"date":null} ; bob {"date":"2020-01-01T00:00:00Z"} | "Apply failed with 1 conflict: conflict with \"alice\": .date"
what is no longer applied goes | alice {"num":1,"flag":true} ; alice {"flag":true} | {"flag":true} | {"alice":{"f:flag":{}}}
an entry that is no longer applied goes | alice {"granular":{"p":"1","q":"2"}} ; alice {"granular":{"q":"2"}} | {"granular":{"q":"2"}} | {"alice":{"f:granular":{"f:q":{}}}}
all entries that are no longer applied go | alice {"granular":{"p":"1"}} ; alice {} | {} | {}
an item that is no longer applied goes | alice {"map":[{"k":"a"},{"k":"b"}]} ; alice {"map":[{"k":"b"}]} | {"map":[{"k":"b"}]} | {"alice":{"f:map":{"k:{\"k\":\"b\"}":{".":{},"f:k":{}}}}}
a field of an item goes | alice {"map":[{"k":"a","v":1,"sub":{"p":"1"}}]} ; alice {"map":[{"k":"a","sub":{"p":"1"}}]} | {"map":[{"k":"a","sub":{"p":"1"}}]} | {"alice":{"f:map":{"k:{\"k\":\"a\"}":{".":{},"f:k":{},"f:sub":{"f:p":{}}}}}}
a value of a set goes | alice {"set":["a","b"]} ; alice {"set":["b"]} | {"set":["b"]} | {"alice":{"f:set":{"v:\"b\"":{}}}}
all of a set goes | alice {"set":["a"]} ; alice {"set":[]} | {} | {}
an atomic list goes | alice {"atomic":["a"]} ; alice {} | {} | {}
what another applies too stays | alice {"num":1,"set":["a","b"]} ; bob {"num":1,"set":["a"]} ; alice {} | {"num":1,"set":["a"]} | {"bob":{"f:num":{},"f:set":{"v:\"a\"":{}}}}
what an updater owns stays | alice {"num":1,"flag":true} ; ~bob {"num":2,"flag":true} ; alice {"flag":true} | {"flag":true,"num":2} | {"alice":{"f:flag":{}},"~bob":{"f:num":{}}}
an item in which an updater owns something | alice {"map":[{"k":"a"}]} ; ~bob {"map":[{"k":"a","v":1}]} ; alice {"map":[]} | {} | {}
an item in which nobody owns a part goes whole | alice {"map":[{"k":"a","v":1},{"k":"b"}]} ; ~bob {"map":[{"k":"a","v":2},{"k":"b"}]} ; alice {"map":[{"k":"b"}]} | {"map":[{"k":"b"}]} | {"alice":{"f:map":{"k:{\"k\":\"b\"}":{".":{},"f:k":{}}}}}
a struct whose last field goes | alice {"struct":{"x":"1"}} ; alice {} | {} | {}
a struct that keeps a field of another | alice {"struct":{"x":"1"}} ; ~bob {"struct":{"x":"1","y":"2"}} ; alice {} | {"struct":{"y":"2"}} | {"~bob":{"f:struct":{"f:y":{}}}}
a map from granular to null | alice {"granular":{"p":"1"}} ; alice {"granular":null} | {"granular":{}} | {"alice":{"f:granular":{}}}
free form goes | alice {"free":{"g":{"h":1},"i":2}} ; alice {"free":{"g":{}}} | {"free":{"g":{}}} | {"alice":{"f:free":{"f:g":{}}}}
deep items go | alice {"map":[{"k":"a","deep":[{"k":"x","v":1},{"k":"y"}]}]} ; alice {"map":[{"k":"a","deep":[{"k":"y"}]}]} | {"map":[{"deep":[{"k":"y"}],"k":"a"}]} | {"alice":{"f:map":{"k:{\"k\":\"a\"}":{".":{},"f:deep":{"k:{\"k\":\"y\"}":{".":{},"f:k":{}}},"f:k":{}}}}}
a forced apply, then nothing | alice {"num":1} ; bob! {"num":2} ; bob {} | {} | {}
two appliers, one leaves | alice {"granular":{"p":"1"}} ; bob {"granular":{"p":"1"}} ; alice {} ; bob {} | {} | {}
labels go | alice {"metadata":{"labels":{"a":"1","b":"2"}}} ; alice {"metadata":{"labels":{"b":"2"}}} | {"metadata":{"labels":{"b":"2"}}} | {"alice":{"f:metadata":{"f:labels":{"f:b":{}}}}}
new items come where the configuration has them | alice {"map":[{"k":"a"},{"k":"c"}]} ; alice {"map":[{"k":"a"},{"k":"b"},{"k":"c"}]} | {"map":[{"k":"a"},{"k":"b"},{"k":"c"}]} | {"alice":{"f:map":{"k:{\"k\":\"a\"}":{".":{},"f:k":{}},"k:{\"k\":\"b\"}":{".":{},"f:k":{}},"k:{\"k\":\"c\"}":{".":{},"f:k":{}}}}}
the configuration reorders | alice {"map":[{"k":"a"},{"k":"b"},{"k":"c"}]} ; alice {"map":[{"k":"c"},{"k":"a"},{"k":"b"}]} | {"map":[{"k":"c"},{"k":"a"},{"k":"b"}]} | {"alice":{"f:map":{"k:{\"k\":\"a\"}":{".":{},"f:k":{}},"k:{\"k\":\"b\"}":{".":{},"f:k":{}},"k:{\"k\":\"c\"}":{".":{},"f:k":{}}}}}
items of others keep their place | alice {"set":["a","b","c"]} ; bob {"set":["c","a"]} | {"set":["b","c","a"]} | {"alice":{"f:set":{"v:\"a\"":{},"v:\"b\"":{},"v:\"c\"":{}}},"bob":{"f:set":{"v:\"a\"":{},"v:\"c\"":{}}}}
items of others and new ones | alice {"set":["a","b"]} ; bob {"set":["x","b","y","a"]} | {"set":["x","b","y","a"]} | {"alice":{"f:set":{"v:\"a\"":{},"v:\"b\"":{}}},"bob":{"f:set":{"v:\"a\"":{},"v:\"b\"":{},"v:\"x\"":{},"v:\"y\"":{}}}}
an order that interleaves | alice {"set":["1","2","3","4"]} ; bob {"set":["4","9","2"]} | {"set":["1","3","4","9","2"]} | {"alice":{"f:set":{"v:\"1\"":{},"v:\"2\"":{},"v:\"3\"":{},"v:\"4\"":{}}},"bob":{"f:set":{"v:\"2\"":{},"v:\"4\"":{},"v:\"9\"":{}}}}
an unknown field | alice {"nope":1} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .nope: field not declared in schema"
an unknown nested field | alice {"struct":{"in":{"nope":1}}} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .struct.in.nope: field not declared in schema"
a number for a string | alice {"struct":{"x":8080}} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .struct.x: expected string, got &value.valueUnstructured{Value:8080}"
a string for a number | alice {"num":"x"} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .num: expected numeric (int or float), got string"
a string for a boolean | alice {"flag":"x"} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .flag: expected boolean, got &{x}"
a scalar for a map | alice {"granular":"x"} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .granular: expected map, got &{x}"
a scalar for a list | alice {"set":"x"} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .set: expected list, got &{x}"
a map for a list | alice {"set":{"a":1}} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .set: expected list, got &{map[a:1]}"
a list for a map | alice {"granular":["x"]} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .granular: expected map, got &{[x]}"
a map for a scalar | alice {"date":{"a":true}} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .date: expected any scalar, got &{map[a:true]}"
a value twice in a set | alice {"set":["a","a"]} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .set: duplicate entries for key [=\"a\"]"
a key twice | alice {"map":[{"k":"a"},{"k":"a"}]} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .map: duplicate entries for key [k=\"a\"]"
two keys twice | alice {"two":[{"a":"x","b":7},{"a":"x"}]} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .two: duplicate entries for key [a=\"x\",b=7]"
an item without its key | alice {"map":[{"v":1}]} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .map: element 0: associative list with keys has an element that omits all key fields [\"k\"] (and doesn't have default values for any key fields)"
null in a set | alice {"set":[null]} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .set: element 0: associative list without keys has an element that's an explicit null"
a map in a set | alice {"set":[{"a":1}]} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .set: element 0: associative list without keys has an element that's a map type"
a list in a set | alice {"set":[["a"]]} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .set: element 0: not supported: associative list with lists as elements"
null in a list of maps | alice {"map":[null]} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .map: element 0: associative list with keys may not have a null element"
a scalar in a list of maps | alice {"map":["a"]} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .map: element 0: associative list with keys may not have non-map elements"
a wrong field of an item | alice {"map":[{"k":"a","v":"x"}]} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .map[k=\"a\"].v: expected numeric (int or float), got string"
a wrong item of an atomic list | alice {"atomic":["a",1]} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .atomic[1]: expected string, got &value.valueUnstructured{Value:1}"
a large number for a string | alice {"struct":{"x":12345678}} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .struct.x: expected string, got &value.valueUnstructured{Value:12345678}"
a struct in a struct goes and the struct stays | alice {"struct":{"x":"a","in":{"y":"b"}}} ; alice {"struct":{"x":"a"}} | {"struct":{"x":"a"}} | {"alice":{"f:struct":{"f:x":{}}}}
the last field of a nested struct goes | alice {"struct":{"in":{"y":"b"}}} ; alice {"struct":{"in":{}}} | {"struct":{"in":{}}} | {"alice":{"f:struct":{"f:in":{}}}}
the whole of a nested struct goes | alice {"struct":{"in":{"in":{"y":"b"}}}} ; alice {"flag":true} | {"flag":true} | {"alice":{"f:flag":{}}}
a struct with another's field stays | alice {"struct":{"x":"a","y":"b"}} ; bob {"struct":{"y":"b"}} ; alice {"flag":true} | {"flag":true,"struct":{"y":"b"}} | {"alice":{"f:flag":{}},"bob":{"f:struct":{"f:y":{}}}}
an update empties a struct | alice {"struct":{"x":"a"}} ; ~bob {"struct":{}} | {"struct":{}} | {}
an update removes a struct | alice {"struct":{"x":"a","in":{"y":"b"}}} ; ~bob {"flag":true} | {"flag":true} | {"~bob":{"f:flag":{}}}
a set in a struct | alice {"struct":{"list":["a","b"]}} ; bob {"struct":{"list":["b","c"]}} ; alice {"struct":{"list":["b"]}} | {"struct":{"list":["b","c"]}} | {"alice":{"f:struct":{"f:list":{"v:\"b\"":{}}}},"bob":{"f:struct":{"f:list":{"v:\"b\"":{},"v:\"c\"":{}}}}}
numbers of a set | alice {"nums":[1,2]} ; bob {"nums":[2,3]} ; alice {"nums":[1]} | {"nums":[1,2,3]} | {"alice":{"f:nums":{"v:1":{}}},"bob":{"f:nums":{"v:2":{},"v:3":{}}}}
a set is put in the order of who applies last | alice {"set":["a","b","c"]} ; bob {"set":["c","b"]} | {"set":["a","c","b"]} | {"alice":{"f:set":{"v:\"a\"":{},"v:\"b\"":{},"v:\"c\"":{}}},"bob":{"f:set":{"v:\"b\"":{},"v:\"c\"":{}}}}
a set is reordered by its owner | alice {"set":["a","b","c"]} ; alice {"set":["c","b","a"]} | {"set":["c","b","a"]} | {"alice":{"f:set":{"v:\"a\"":{},"v:\"b\"":{},"v:\"c\"":{}}}}
items are put in the order of who applies last | alice {"map":[{"k":"a"},{"k":"b"},{"k":"c"}]} ; bob {"map":[{"k":"c"},{"k":"a"}]} | {"map":[{"k":"b"},{"k":"c"},{"k":"a"}]} | {"alice":{"f:map":{"k:{\"k\":\"a\"}":{".":{},"f:k":{}},"k:{\"k\":\"b\"}":{".":{},"f:k":{}},"k:{\"k\":\"c\"}":{".":{},"f:k":{}}}},"bob":{"f:map":{"k:{\"k\":\"a\"}":{".":{},"f:k":{}},"k:{\"k\":\"c\"}":{".":{},"f:k":{}}}}}
an item between two of another's | alice {"map":[{"k":"a"},{"k":"c"}]} ; bob {"map":[{"k":"a"},{"k":"b"},{"k":"c"}]} | {"map":[{"k":"a"},{"k":"b"},{"k":"c"}]} | {"alice":{"f:map":{"k:{\"k\":\"a\"}":{".":{},"f:k":{}},"k:{\"k\":\"c\"}":{".":{},"f:k":{}}}},"bob":{"f:map":{"k:{\"k\":\"a\"}":{".":{},"f:k":{}},"k:{\"k\":\"b\"}":{".":{},"f:k":{}},"k:{\"k\":\"c\"}":{".":{},"f:k":{}}}}}
an update reorders items, which nobody owns | alice {"map":[{"k":"a","v":1},{"k":"b","v":2}]} ; ~bob {"map":[{"k":"b","v":2},{"k":"a","v":1}]} | {"map":[{"k":"b","v":2},{"k":"a","v":1}]} | {"alice":{"f:map":{"k:{\"k\":\"a\"}":{".":{},"f:k":{},"f:v":{}},"k:{\"k\":\"b\"}":{".":{},"f:k":{},"f:v":{}}}}}
an update reorders an atomic list | alice {"atomic":["a","b"]} ; ~bob {"atomic":["b","a"]} | {"atomic":["b","a"]} | {"~bob":{"f:atomic":{}}}
an item's field moves to an updater | alice {"map":[{"k":"a","v":1}]} ; ~bob {"map":[{"k":"a","v":2}]} ; alice! {"map":[{"k":"a","v":1}]} | {"map":[{"k":"a","v":1}]} | {"alice":{"f:map":{"k:{\"k\":\"a\"}":{".":{},"f:k":{},"f:v":{}}}}}
an updater's item field is left alone by an applier without it | ~bob {"map":[{"k":"a","v":1}]} ; alice {"map":[{"k":"a","sub":{"p":"1"}}]} ; alice {"map":[{"k":"a"}]} | {"map":[{"k":"a","v":1}]} | {"alice":{"f:map":{"k:{\"k\":\"a\"}":{".":{},"f:k":{}}}},"~bob":{"f:map":{".":{},"k:{\"k\":\"a\"}":{".":{},"f:k":{},"f:v":{}}}}}
an item of an updater is not removed by an applier that ceases | ~bob {"map":[{"k":"a","v":1}]} ; alice {"map":[{"k":"a"}]} ; alice {"flag":true} | {"flag":true,"map":[{"k":"a","v":1}]} | {"alice":{"f:flag":{}},"~bob":{"f:map":{".":{},"k:{\"k\":\"a\"}":{".":{},"f:k":{},"f:v":{}}}}}
items inside items | alice {"map":[{"k":"a","deep":[{"k":"b","v":1},{"k":"c","v":2}]}]} ; bob {"map":[{"k":"a","deep":[{"k":"c","v":2},{"k":"d","v":3}]}]} ; alice {"map":[{"k":"a","deep":[{"k":"b","v":1}]}]} | {"map":[{"deep":[{"k":"b","v":1},{"k":"c","v":2},{"k":"d","v":3}],"k":"a"}]} | {"alice":{"f:map":{"k:{\"k\":\"a\"}":{".":{},"f:deep":{"k:{\"k\":\"b\"}":{".":{},"f:k":{},"f:v":{}}},"f:k":{}}}},"bob":{"f:map":{"k:{\"k\":\"a\"}":{".":{},"f:deep":{"k:{\"k\":\"c\"}":{".":{},"f:k":{},"f:v":{}},"k:{\"k\":\"d\"}":{".":{},"f:k":{},"f:v":{}}},"f:k":{}}}}}
a conflict inside items of items | alice {"map":[{"k":"a","deep":[{"k":"b","v":1}]}]} ; bob {"map":[{"k":"a","deep":[{"k":"b","v":2}]}]} | "Apply failed with 1 conflict: conflict with \"alice\": .map[k=\"a\"].deep[k=\"b\"].v"
an item that loses its inner list | alice {"map":[{"k":"a","deep":[{"k":"b"}]}]} ; alice {"map":[{"k":"a"}]} | {"map":[{"k":"a"}]} | {"alice":{"f:map":{"k:{\"k\":\"a\"}":{".":{},"f:k":{}}}}}
an empty inner list keeps nothing | alice {"map":[{"k":"a","deep":[{"k":"b"}]}]} ; alice {"map":[{"k":"a","deep":[]}]} | {"map":[{"k":"a"}]} | {"alice":{"f:map":{"k:{\"k\":\"a\"}":{".":{},"f:k":{}}}}}
two keys, one by default, written out later | alice {"two":[{"a":"x","v":"1"}]} ; alice {"two":[{"a":"x","b":7,"v":"1"}]} | {"two":[{"a":"x","b":7,"v":"1"}]} | {"alice":{"f:two":{"k:{\"a\":\"x\",\"b\":7}":{".":{},"f:a":{},"f:b":{},"f:v":{}}}}}
two keys, one by default, of two managers | alice {"two":[{"a":"x","v":"1"}]} ; bob {"two":[{"a":"x","b":7,"v":"1"}]} ; alice {"flag":true} | {"flag":true,"two":[{"a":"x","b":7,"v":"1"}]} | {"alice":{"f:flag":{}},"bob":{"f:two":{"k:{\"a\":\"x\",\"b\":7}":{".":{},"f:a":{},"f:b":{},"f:v":{}}}}}
two keys, the second differs | alice {"two":[{"a":"x","b":1}]} ; bob {"two":[{"a":"x","b":2}]} ; alice {"two":[]} | {"two":[{"a":"x","b":2}]} | {"bob":{"f:two":{"k:{\"a\":\"x\",\"b\":2}":{".":{},"f:a":{},"f:b":{}}}}}
a conflict names both keys in order | alice {"two":[{"a":"x","b":1,"v":"1"}]} ; bob {"two":[{"b":1,"a":"x","v":"2"}]} | "Apply failed with 1 conflict: conflict with \"alice\": .two[a=\"x\",b=1].v"
sets in a map | alice {"maps":{"p":["a"],"q":["b"]}} ; bob {"maps":{"p":["c"]}} ; alice {"maps":{"q":["b"]}} | {"maps":{"p":["c"],"q":["b"]}} | {"alice":{"f:maps":{"f:q":{".":{},"v:\"b\"":{}}}},"bob":{"f:maps":{"f:p":{".":{},"v:\"c\"":{}}}}}
an entry of a map of sets goes whole | alice {"maps":{"p":["a","b"]}} ; alice {"maps":{}} | {"maps":{}} | {"alice":{"f:maps":{}}}
free form grows and shrinks by path | alice {"free":{"g":{"h":1,"i":2}}} ; bob {"free":{"g":{"i":2,"j":3}}} ; alice {"free":{"g":{"h":1}}} | {"free":{"g":{"h":1,"i":2,"j":3}}} | {"alice":{"f:free":{"f:g":{".":{},"f:h":{}}}},"bob":{"f:free":{"f:g":{".":{},"f:i":{},"f:j":{}}}}}
free form lists are one | alice {"free":{"g":[1,2]}} ; bob! {"free":{"g":[2]}} | {"free":{"g":[2]}} | {"bob":{"f:free":{"f:g":{}}}}
free form changes its type | alice {"free":{"g":{"h":1}}} ; bob! {"free":{"g":"x"}} | {"free":{"g":"x"}} | {"bob":{"f:free":{"f:g":{}}}}
free form changes from a scalar to a map | alice {"free":{"g":"x"}} ; alice {"free":{"g":{"h":1}}} | {"free":{"g":{"h":1}}} | {"alice":{"f:free":{"f:g":{".":{},"f:h":{}}}}}
a declared field in free form | alice {"free":{"known":{"y":"1"},"g":1}} ; alice {"free":{"known":{}}} | {"free":{"known":{}}} | {"alice":{"f:free":{"f:known":{}}}}
free form with null | alice {"free":{"g":null}} ; alice {"free":{"g":{"h":null}}} | {"free":{"g":{"h":null}}} | {"alice":{"f:free":{"f:g":{".":{},"f:h":{}}}}}
int or string changes its type | alice {"ios":1} ; alice {"ios":"50%"} | {"ios":"50%"} | {"alice":{"f:ios":{}}}
a conflict about int or string | alice {"ios":1} ; bob {"ios":"1"} | "Apply failed with 1 conflict: conflict with \"alice\": .ios"
a number and an equal float | alice {"num":1} ; bob {"num":1.0} | {"num":1} | {"alice":{"f:num":{}},"bob":{"f:num":{}}}
an atomic map grows | alice {"atom":{"x":"1"}} ; alice {"atom":{"x":"1","y":"2"}} | {"atom":{"x":"1","y":"2"}} | {"alice":{"f:atom":{}}}
an atomic map shrinks | alice {"atom":{"x":"1","y":"2"}} ; alice {"atom":{"x":"1"}} | {"atom":{"x":"1"}} | {"alice":{"f:atom":{}}}
a conflict about an atomic map | alice {"atom":{"x":"1"}} ; bob {"atom":{"y":"2"}} | "Apply failed with 1 conflict: conflict with \"alice\": .atom"
an atomic map taken by force is replaced | alice {"atom":{"x":"1"}} ; bob! {"atom":{"y":"2"}} | {"atom":{"y":"2"}} | {"bob":{"f:atom":{}}}
an atomic map goes | alice {"atom":{"x":"1"}} ; alice {"flag":true} | {"flag":true} | {"alice":{"f:flag":{}}}
an atomic map that another applies too stays | alice {"atom":{"x":"1"}} ; bob {"atom":{"x":"1"}} ; alice {"flag":true} | {"atom":{"x":"1"},"flag":true} | {"alice":{"f:flag":{}},"bob":{"f:atom":{}}}
an update of an atomic struct takes it whole | alice {"refatom":{"x":"1","in":{"y":"2"}}} ; ~bob {"refatom":{"x":"1","in":{"y":"3"}}} | {"refatom":{"in":{"y":"3"},"x":"1"}} | {"~bob":{"f:refatom":{}}}
labels of two and one leaves | alice {"metadata":{"labels":{"a":"1","b":"2"}}} ; bob {"metadata":{"labels":{"b":"2"}}} ; alice {"metadata":{"labels":{"a":"1"}}} | {"metadata":{"labels":{"a":"1","b":"2"}}} | {"alice":{"f:metadata":{"f:labels":{"f:a":{}}}},"bob":{"f:metadata":{"f:labels":{"f:b":{}}}}}
a finalizer by value | alice {"metadata":{"finalizers":["x.io/a"]}} ; ~bob {"metadata":{"finalizers":["x.io/a","x.io/b"]}} ; alice {"flag":true} | {"flag":true,"metadata":{"finalizers":["x.io/b"]}} | {"alice":{"f:flag":{}},"~bob":{"f:metadata":{"f:finalizers":{"v:\"x.io/b\"":{}}}}}
annotations taken by force | alice {"metadata":{"annotations":{"a":"1"}}} ; bob! {"metadata":{"annotations":{"a":"2"}}} | {"metadata":{"annotations":{"a":"2"}}} | {"bob":{"f:metadata":{"f:annotations":{"f:a":{}}}}}
force takes only what differs | alice {"num":1,"flag":true} ; bob! {"num":2,"flag":true} | {"flag":true,"num":2} | {"alice":{"f:flag":{}},"bob":{"f:flag":{},"f:num":{}}}
force without a conflict shares | alice {"num":1} ; bob! {"num":1} | {"num":1} | {"alice":{"f:num":{}},"bob":{"f:num":{}}}
three share and two leave | alice {"num":1} ; bob {"num":1} ; carol {"num":1} ; alice {"flag":true} ; bob {"date":"2020-01-01T00:00:00Z"} | {"date":"2020-01-01T00:00:00Z","flag":true,"num":1} | {"alice":{"f:flag":{}},"bob":{"f:date":{}},"carol":{"f:num":{}}}
the last of those who share removes | alice {"num":1} ; bob {"num":1} ; alice {"flag":true} ; bob {"ios":1} | {"flag":true,"ios":1} | {"alice":{"f:flag":{}},"bob":{"f:ios":{}}}
an updater removes what appliers share | alice {"num":1} ; bob {"num":1} ; ~carol {"flag":true} | {"flag":true} | {"~carol":{"f:flag":{}}}
who applied and then updates has two entries | alice {"num":1} ; ~alice {"num":1,"flag":true} | {"flag":true,"num":1} | {"alice":{"f:num":{}},"~alice":{"f:flag":{}}}
who updated and then applies shares with itself | ~alice {"num":1,"flag":true} ; alice {"num":1} | {"flag":true,"num":1} | {"alice":{"f:num":{}},"~alice":{"f:flag":{},"f:num":{}}}
an applier in conflict with its own updates | ~alice {"num":1} ; alice {"num":2} | "Apply failed with 1 conflict: conflict with \"alice\" using t/v1: .num"
an update that puts back what it took | alice {"num":1} ; ~bob {"num":2} ; ~bob {"num":1} | {"num":1} | {"~bob":{"f:num":{}}}
an apply of nothing after an apply of something | alice {"num":1} ; alice {} | {} | {}
a refused apply changes no owner | alice {"num":1} ; bob {"flag":true} ; bob! {"num":1,"flag":false} | {"flag":false,"num":1} | {"alice":{"f:num":{}},"bob":{"f:flag":{},"f:num":{}}}
a field that is not declared | alice {"nope":1} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .nope: field not declared in schema"
a string for a number | alice {"num":"1"} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .num: expected numeric (int or float), got string"
a list for a map | alice {"granular":["a"]} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .granular: expected map, got &{[a]}"
a map for a list | alice {"set":{"a":"b"}} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .set: expected list, got &{map[a:b]}"
a scalar for a struct | alice {"struct":"x"} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .struct: expected map, got &{x}"
a map in a set | alice {"set":["a",{"b":"c"}]} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .set: element 1: associative list without keys has an element that's a map type"
a null in a set | alice {"set":[null]} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .set: element 0: associative list without keys has an element that's an explicit null"
a null item | alice {"map":[null]} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .map: element 0: associative list with keys may not have a null element"
an item that is no map | alice {"map":["a"]} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .map: element 0: associative list with keys may not have non-map elements"
a key that is missing | alice {"map":[{"v":1}]} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .map: element 0: associative list with keys has an element that omits all key fields [\"k\"] (and doesn't have default values for any key fields)"
an item twice | alice {"map":[{"k":"a"},{"k":"a","v":1}]} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .map: duplicate entries for key [k=\"a\"]"
a value of a set twice | alice {"nums":[1,1]} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .nums: duplicate entries for key [=1]"
a bool for a string in an item | alice {"map":[{"k":"a","sub":{"p":true}}]} | "failed to create typed patch object (ns/n; t/v1, Kind=T): .map[k=\"a\"].sub.p: expected string, got &value.valueUnstructured{Value:true}"
`;

const rows = TABLE.trim()
  .split('\n')
  .map((line) => line.split(' | ') as [string, string, string, string | undefined]);

const schema = typedSchemaOf(thing, (name) => ({ openAPI: objectAt(definitions, name) ?? {} }));
const IDENTITY = { name: 'n', namespace: 'ns', uid: 'u' };

function objectOf(text: string): JsonObject {
  const { metadata, ...rest } = JSON.parse(text) as JsonObject;
  return { apiVersion: 't/v1', kind: 'T', metadata: { ...IDENTITY, ...(metadata as JsonObject | undefined) }, ...rest };
}

function run(steps: string): JsonObject {
  return steps.split(' ; ').reduce<JsonObject>((live, step, i) => {
    const space = step.indexOf(' ');
    const who = step.slice(0, space);
    const object = objectOf(step.slice(space + 1));
    const manager = who.replace(/[~!]/g, '');
    const by = {
      live,
      manager,
      schema,
      apiVersion: 't/v1',
      now: new Date(Date.UTC(2026, 0, 1, 0, 0, i)),
      isCreate: i === 0,
    };
    if (who.startsWith('~')) return recordUpdate({ ...by, updated: object });
    return applyPatch({ ...by, applied: object, force: who.endsWith('!') });
  }, {});
}

function refusalOf(steps: string): string {
  try {
    return `no refusal: ${JSON.stringify(run(steps))}`;
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
}

function owners(object: JsonObject): JsonObject {
  const entries = arrayAt(objectAt(object, 'metadata'), 'managedFields') as JsonObject[];
  const name = (entry: JsonObject): string =>
    `${stringAt(entry, 'operation') === 'Update' ? '~' : ''}${stringAt(entry, 'manager')}`;
  return Object.fromEntries(entries.map((entry) => [name(entry), entry['fieldsV1'] as JsonObject]));
}

function content({ apiVersion: _v, kind: _k, metadata, ...rest }: JsonObject): JsonObject {
  const others = Object.entries(metadata as JsonObject).filter(
    ([name]) => !(name in IDENTITY) && name !== 'managedFields',
  );
  return { ...rest, ...(others.length === 0 ? {} : { metadata: Object.fromEntries(others) }) };
}

describe('structured merge of applies', () => {
  test.each(rows.filter((row) => row[3] !== undefined))('applies the steps: %s', (_, steps, object, owned = '') => {
    const end = run(steps);
    expect(content(end)).toEqual(JSON.parse(object));
    expect(owners(end)).toEqual(JSON.parse(owned));
  });

  test.each(rows.filter((row) => row[3] === undefined))('rejects the steps: %s', (_, steps, text) => {
    expect(refusalOf(steps)).toBe(JSON.parse(text));
  });

  test('runs every row of the table', () => {
    expect(rows.length).toBeGreaterThanOrEqual(180);
  });
});
