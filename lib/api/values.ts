/** The forms of values that have their own codec. All other values are structs, lists and maps. */
const FORMS = [
  'string',
  'bool',
  'int32',
  'int64',
  'double',
  'bytes',
  'quantity',
  'time',
  'microtime',
  'duration',
  'intstr',
  'raw',
  'fieldsv1',
  'json',
  'schemaorarray',
  'schemaorbool',
  'schemaorstrings',
] as const;
/** The form of a value that is neither a struct nor a collection. */
export type ScalarForm = (typeof FORMS)[number];

/**
 * The type of a value. `go` is the name in decode errors. `type` is the name of a `struct` (`core.v1.PodSpec`). A `wrapped` list is a
 * message with one repeated field in protobuf, but a plain list in JSON.
 */
export type ValueFacts =
  | { readonly form: ScalarForm; readonly go: string }
  | { readonly form: 'struct'; readonly type: string; readonly go: string }
  | { readonly form: 'list'; readonly of: ValueFacts; readonly wrapped: boolean; readonly go: string }
  | { readonly form: 'map'; readonly of: ValueFacts; readonly go: string };

const GO_NAMES: Readonly<Partial<Record<string, string>>> = {
  double: 'float64',
  bytes: '[]uint8',
  quantity: 'resource.Quantity',
  time: 'v1.Time',
  microtime: 'v1.MicroTime',
  duration: 'v1.Duration',
  intstr: 'intstr.IntOrString',
  raw: 'runtime.RawExtension',
  fieldsv1: 'v1.FieldsV1',
  json: 'v1.JSON',
  schemaorarray: 'v1.JSONSchemaPropsOrArray',
  schemaorbool: 'v1.JSONSchemaPropsOrBool',
  schemaorstrings: 'v1.JSONSchemaPropsOrStringArray',
};

const SCALARS: ReadonlySet<string> = new Set(FORMS);

const cache = new Map<string, ValueFacts>();

/** Parses the table's notation: `[]core.v1.Volume`, `{}quantity=v1.ResourceList`, `string=v1.Protocol`, `~[]string`. */
export function parseValue(text: string): ValueFacts {
  let facts = cache.get(text);
  if (facts === undefined) {
    const at = text.indexOf('=');
    facts = at < 0 ? parse(text) : named(parse(text.slice(0, at)), text.slice(at + 1));
    cache.set(text, facts);
  }
  return facts;
}

function parse(text: string): ValueFacts {
  if (text.startsWith('~')) return { form: 'list', of: parse(text.slice(3)), wrapped: true, go: 'v1.ExtraValue' };
  const of = text.startsWith('[]') || text.startsWith('{}') ? parse(text.slice(2)) : undefined;
  if (of !== undefined && text.startsWith('[')) return { form: 'list', of, wrapped: false, go: `[]${of.go}` };
  if (of !== undefined) return { form: 'map', of, go: `map[string]${of.go}` };
  if (isScalar(text)) return { form: text, go: GO_NAMES[text] ?? text };
  return { form: 'struct', type: text, go: text.split('.').slice(-2).join('.') };
}

function isScalar(text: string): text is ScalarForm {
  return SCALARS.has(text);
}

/** Assigns the Go name. The name of a list or map also determines the name of its elements. */
function named(facts: ValueFacts, go: string): ValueFacts {
  const element = /^(?:\[\]|map\[[^\]]*\])(.+)$/.exec(go)?.[1];
  if (element === undefined || (facts.form !== 'list' && facts.form !== 'map')) return { ...facts, go };
  return { ...facts, go, of: named(facts.of, element) };
}
