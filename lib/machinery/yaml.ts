import {
  LineCounter,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  visit,
  type Alias,
  type Document,
  type Node,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { quote } from './go.ts';
import { bounded, decodeJson, tooManyValues, type DecodeOptions } from './json.ts';
import { JsonSyntaxError, type DecodedJson } from './json-parser.ts';
import { isObject, setField, type Json, type JsonObject } from './json-value.ts';
import { finished, type Steps } from './steps.ts';
import { formatFloat, resolveScalar, type Resolved } from './yaml-scalar.ts';
import { compose, MAX_DEPTH, text, tooDeep, YamlError } from './yaml-syntax.ts';

export { encodeYaml } from './yaml-encode.ts';
export { YamlError } from './yaml-syntax.ts';

interface Decoder {
  readonly lines: LineCounter;
  readonly anchors: ReadonlyMap<Alias, Node>;
  readonly open: Set<Alias>;
  readonly duplicates: string[];
  depth: number;
  decoded: number;
  readonly maxValues: number;
  aliased: number;
}

/**
 * Decodes the first document of untrusted YAML to JSON as upstream does: YAML 1.1 scalars, keys as strings, int64 exact, aliases
 * bounded. `duplicates` holds one message for all repeated keys. Throws YamlError, and as `decodeJson` beyond `maxValues`.
 */
export function decodeYaml(bytes: Uint8Array, options: Pick<DecodeOptions, 'maxValues'> = {}): DecodedJson {
  return finished(yamlSteps(bytes, options));
}

/** `decodeYaml`, with pauses. */
export function* yamlSteps(
  bytes: Uint8Array,
  { maxValues = Number.POSITIVE_INFINITY }: Pick<DecodeOptions, 'maxValues'> = {},
): Steps<DecodedJson> {
  const source = text(bytes);
  const json = asJson(source, bytes, maxValues);
  if (json !== undefined) return json;
  const lines = new LineCounter();
  const document = yield* compose(source, lines);
  yield;
  if (document?.contents === null || document === undefined) return { value: null, duplicates: [] };
  const anchors = anchorsOf(document);
  const counted = { duplicates: [], depth: 0, decoded: 0, aliased: 0 };
  const decoder: Decoder = { lines, anchors, open: new Set(), maxValues, ...counted };
  const value = bounded(decode(decoder, document.contents), maxValues);
  const messages = decoder.duplicates.map((message) => `\n  ${message}`).join('');
  return { value, duplicates: messages === '' ? [] : [`yaml: unmarshal errors:${messages}`] };
}

/** JSON is YAML, and what most clients apply: the fast decoder reads it. Undefined for what is none, or repeats fields. */
function asJson(source: string, bytes: Uint8Array, maxValues: number): DecodedJson | undefined {
  if (!/^\s*\{/.test(source)) return undefined;
  try {
    const decoded = decodeJson(bytes, { maxValues });
    return decoded.repeated === undefined ? decoded : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** What each alias stands for: the last anchor of its name before it. */
function anchorsOf(document: Document.Parsed): Map<Alias, Node> {
  const named = new Map<string, Node>();
  const found = new Map<Alias, Node>();
  visit(document, {
    Alias(_, alias) {
      const node = named.get(alias.source);
      if (node === undefined) throw new YamlError(`yaml: unknown anchor '${alias.source}' referenced`);
      found.set(alias, node);
    },
    Value(_, node) {
      if (node.anchor !== undefined) named.set(node.anchor, node);
    },
  });
  return found;
}

function decode(decoder: Decoder, node: unknown): Json {
  decoder.decoded++;
  if (decoder.open.size > 0) decoder.aliased++;
  refuseAliasing(decoder);
  // What merges set and set again is no more in the value.
  if (decoder.decoded > decoder.maxValues) throw tooManyValues(decoder.maxValues);
  if (++decoder.depth > MAX_DEPTH) throw tooDeep();
  const value = decodeNode(decoder, node);
  decoder.depth--;
  return value;
}

function decodeNode(decoder: Decoder, node: unknown): Json {
  if (isAlias(node)) return expand(decoder, node, (target) => decode(decoder, target));
  if (isScalar(node)) return jsonOf(scalar(node));
  if (isSeq(node)) return node.items.map((item) => decode(decoder, item));
  if (!isMap(node)) return null;
  const object: JsonObject = {};
  fill(decoder, node, object, new Set());
  return object;
}

/** go-yaml's bound on documents that are mostly the expansion of aliases. */
function refuseAliasing({ decoded, aliased }: Decoder): void {
  if (aliased <= 100 || decoded <= 1000) return;
  const scale = Math.min(Math.max((decoded - 400_000) / 3_600_000, 0), 1);
  if (aliased / decoded > 0.99 - 0.89 * scale) throw new YamlError(EXCESSIVE);
}

const EXCESSIVE = 'yaml: document contains excessive aliasing';
/** Upstream has no such bound: what each alias merges of the one before it grows by the square. */
const MAX_OPEN_ALIASES = 100;

function expand<T>(decoder: Decoder, alias: Alias, use: (node: Node) => T): T {
  if (decoder.open.has(alias)) throw new YamlError(`yaml: anchor '${alias.source}' value contains itself`);
  if (decoder.open.size > MAX_OPEN_ALIASES) throw new YamlError(EXCESSIVE);
  decoder.open.add(alias);
  const result = use(decoder.anchors.get(alias) as Node);
  decoder.open.delete(alias);
  return result;
}

/** Sets the fields of a mapping; `seen` holds the keys that the object has, by type and text. */
function fill(decoder: Decoder, map: YAMLMap, object: JsonObject, seen: Set<string>): void {
  for (const { key, value } of map.items) {
    if (isMerge(key)) merge(decoder, value, object, seen);
    else {
      const name = keyOf(decoder, key);
      const json = decode(decoder, value);
      if (seen.has(name.identity) && decoder.duplicates.length < 100) {
        decoder.duplicates.push(`line ${lineOf(decoder, value ?? key)}: key ${name.shown} already set in map`);
      }
      seen.add(name.identity);
      setField(object, name.text, json);
    }
  }
}

function lineOf({ lines }: Decoder, node: unknown): number {
  const range = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range : undefined;
  return lines.linePos(range?.[0] ?? 0).line;
}

const isMerge = (key: unknown): boolean =>
  isScalar(key) && key.value === '<<' && (key.tag === 'tag:yaml.org,2002:merge' || key.type === 'PLAIN');

function merge(decoder: Decoder, value: unknown, object: JsonObject, seen: Set<string>): void {
  if (isAlias(value)) expand(decoder, value, (node) => merge(decoder, isSeq(node) ? null : node, object, seen));
  else if (isMap(value)) {
    decoder.decoded++;
    if (decoder.open.size > 0) decoder.aliased++;
    fill(decoder, value, object, seen);
  } else if (isSeq(value)) {
    // The first of a sequence wins, so it comes last.
    for (const item of value.items.toReversed()) merge(decoder, isSeq(item) ? null : item, object, seen);
  } else throw new YamlError('yaml: map merge requires map or sequence of maps as the value');
}

interface Key {
  readonly text: string;
  /** As Go's `%#v` shows it. */
  readonly shown: string;
  readonly identity: string;
}

function keyOf(decoder: Decoder, node: unknown): Key {
  if (isAlias(node)) return expand(decoder, node, (target) => keyOf(decoder, target));
  const resolved = isScalar(node) ? scalar(node) : undefined;
  if (resolved === undefined) {
    const json = decode(decoder, node);
    throw new YamlError(isObject(json) || Array.isArray(json) ? 'yaml: invalid map key' : UNSUPPORTED_KEY);
  }
  if (resolved.tag === 'null') throw new YamlError(UNSUPPORTED_KEY);
  const shownText = typeof resolved.value === 'number' ? formatFloat(resolved.value) : String(resolved.value);
  const shown = typeof resolved.value === 'string' ? quote(resolved.value) : shownText;
  return { text: shownText, shown, identity: `${typeof resolved.value}:${shownText}` };
}
const UNSUPPORTED_KEY = 'unsupported map key of type: %!s(<nil>), key: <nil>';

const LONG_TAG = 'tag:yaml.org,2002:';
const RESOLVABLE = new Set(['str', 'bool', 'int', 'float', 'null', 'timestamp']);

function scalar({ value, type, tag }: Scalar): Resolved {
  const text = String(value);
  const kind = tag?.startsWith(LONG_TAG) === true ? tag.slice(LONG_TAG.length) : tag;
  if (kind === undefined) return type === 'PLAIN' ? resolveScalar(text) : { tag: 'str', value: text };
  if (kind === 'binary') return { tag: 'str', value: Buffer.from(text, 'base64').toString() };
  if (kind === 'str' || !RESOLVABLE.has(kind)) return { tag: 'str', value: text };
  const resolved = resolveScalar(text);
  if (resolved.tag === 'int' && kind === 'float') return { tag: 'float', value: Number(resolved.value) };
  if (resolved.tag === kind) return resolved;
  throw new YamlError(`yaml: cannot decode !!${resolved.tag} \`${text}\` as a !!${kind}`);
}

function jsonOf({ value }: Resolved): Json {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new YamlError(`json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`);
  }
  if (typeof value !== 'bigint') return value === 0 ? 0 : value;
  const number = Number(value);
  return Number.isSafeInteger(number) || BigInt.asIntN(64, value) !== value ? number : value;
}
