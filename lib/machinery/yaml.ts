import { quote } from './go.ts';
import { bounded, type DecodeOptions, decodeJson, tooManyValues } from './json.ts';
import { type DecodedJson, JsonSyntaxError } from './json-parser.ts';
import { type Json, type JsonObject, setField } from './json-value.ts';
import { finished, type Steps } from './steps.ts';
import { MAX_DEPTH, tooDeep, YamlError } from './yaml/error.ts';
import type { AliasNode, MappingNode, Node, ScalarNode } from './yaml/node.ts';
import { parse } from './yaml/parser.ts';
import { readText } from './yaml/reader.ts';
import { shownValue } from './yaml/shown.ts';
import { formatFloat, type Resolved, resolveScalar } from './yaml-scalar.ts';

export { YamlError } from './yaml/error.ts';
export { encodeYaml } from './yaml-encode.ts';

interface Decoder {
  readonly open: Set<Node>;
  readonly duplicates: string[];
  depth: number;
  decoded: number;
  readonly maxValues: number;
  aliased: number;
  /** The number of characters in texts and keys that aliases repeat. */
  repeated: number;
}

/**
 * Decodes the first document of untrusted YAML to JSON like upstream: YAML 1.1 scalars, keys as strings, exact int64, bounded aliases.
 * `duplicates` holds one message for all repeated keys. Throws YamlError, and the error of `decodeJson` beyond `maxValues`.
 */
export function decodeYaml(bytes: Uint8Array, options: Pick<DecodeOptions, 'maxValues'> = {}): DecodedJson {
  return finished(yamlSteps(bytes, options));
}

/** Like `decodeYaml`, with pauses. */
export function* yamlSteps(
  bytes: Uint8Array,
  { maxValues = Number.POSITIVE_INFINITY }: Pick<DecodeOptions, 'maxValues'> = {},
): Steps<DecodedJson> {
  const source = readText(bytes);
  const json = asJson(source, bytes, maxValues);
  if (json !== undefined) return json;
  const document = yield* parse(source);
  yield;
  if (document === undefined) return { value: null, duplicates: [] };
  const decoder: Decoder = {
    open: new Set(),
    maxValues,
    duplicates: [],
    depth: 0,
    decoded: 0,
    aliased: 0,
    repeated: 0,
  };
  const value = bounded(decode(decoder, document), maxValues);
  const messages = decoder.duplicates.map((message) => `\n  ${message}`).join('');
  return { value, duplicates: messages === '' ? [] : [`yaml: unmarshal errors:${messages}`] };
}

/** JSON that libyaml rejects or reads differently: some escapes and line breaks, and a key on another line than its colon. */
const NO_YAML = /\\(?:\/|u[dD][89a-fA-F])|"[ \t\r]*\n\s*:|[\u0085\u2028\u2029]/;

/**
 * Reads JSON with the fast decoder, because JSON is valid YAML and most clients send it. Undefined if the text is not JSON or repeats
 * fields.
 */
function asJson(source: string, bytes: Uint8Array, maxValues: number): DecodedJson | undefined {
  if (!/^\s*\{/.test(source) || NO_YAML.test(source)) return undefined;
  try {
    const decoded = decodeJson(bytes, { maxValues });
    return decoded.repeated === undefined ? decoded : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

function decode(decoder: Decoder, node: Node): Json {
  decoder.decoded++;
  if (decoder.open.size > 0) decoder.aliased++;
  refuseAliasing(decoder);
  // Counts every decoded node, even one replaced later by a merge or a repeated key.
  if (decoder.decoded > decoder.maxValues) throw tooManyValues(decoder.maxValues);
  if (++decoder.depth > MAX_DEPTH) throw tooDeep();
  const value = decodeNode(decoder, node);
  decoder.depth--;
  return value;
}

function decodeNode(decoder: Decoder, node: Node): Json {
  if (node.kind === 'alias') return expand(decoder, node, (target) => decode(decoder, target));
  if (node.kind === 'scalar') {
    refuseRepetition(decoder, node);
    return jsonOf(scalar(node));
  }
  if (node.kind === 'sequence') return node.items.map((item) => decode(decoder, item));
  const object: JsonObject = {};
  fill(decoder, node, object, new Set());
  return object;
}

/** go-yaml's limit on documents that consist mostly of alias expansions. */
function refuseAliasing({ decoded, aliased }: Decoder): void {
  if (aliased <= 100 || decoded <= 1000) return;
  const scale = Math.min(Math.max((decoded - 400_000) / 3_600_000, 0), 1);
  if (aliased / decoded > 0.99 - 0.89 * scale) throw new YamlError(EXCESSIVE);
}

const EXCESSIVE = 'yaml: document contains excessive aliasing';
/** Upstream has no such limit. Without it, merges of aliases that build on each other grow quadratically. */
const MAX_OPEN_ALIASES = 100;

/** Upstream has no such limit. Memory holds a repeated text once, but the JSON of the document repeats it. */
const MAX_REPEATED = 3 * 1024 * 1024;

function refuseRepetition(decoder: Decoder, { value }: ScalarNode): void {
  if (decoder.open.size > 0) decoder.repeated += value.length;
  if (decoder.repeated > MAX_REPEATED) throw new YamlError(EXCESSIVE);
}

function expand<T>(decoder: Decoder, { name, target }: AliasNode, use: (node: Node) => T): T {
  if (decoder.open.has(target)) throw new YamlError(`yaml: anchor '${name}' value contains itself`);
  if (decoder.open.size > MAX_OPEN_ALIASES) throw new YamlError(EXCESSIVE);
  decoder.open.add(target);
  const result = use(target);
  decoder.open.delete(target);
  return result;
}

/** Sets the fields of a mapping. `seen` holds the object's keys by type and text. */
function fill(decoder: Decoder, map: MappingNode, object: JsonObject, seen: Set<string>): void {
  for (const [key, value] of map.pairs) {
    if (isMerge(key)) merge(decoder, value, object, seen);
    else {
      const name = keyOf(decoder, key);
      const json = decode(decoder, value);
      if (name === undefined) throw new YamlError(`${NULL_KEY}, value: ${shownValue(json)}`);
      if (seen.has(name.identity) && decoder.duplicates.length < 100) {
        decoder.duplicates.push(`line ${value.line + 1}: key ${name.shown} already set in map`);
      }
      seen.add(name.identity);
      setField(object, name.text, json);
    }
  }
}

const NULL_KEY = 'unsupported map key of type: %!s(<nil>), key: <nil>';

const isMerge = (key: Node): boolean =>
  key.kind === 'scalar' && key.value === '<<' && (key.implicit || key.tag === 'tag:yaml.org,2002:merge');

const NO_MAP = 'yaml: map merge requires map or sequence of maps as the value';

function merge(decoder: Decoder, value: Node, object: JsonObject, seen: Set<string>): void {
  // The first mapping of a sequence takes precedence, so it is merged last.
  if (value.kind === 'sequence') for (const item of value.items.toReversed()) mergeOne(decoder, item, object, seen);
  else mergeOne(decoder, value, object, seen);
}

function mergeOne(decoder: Decoder, value: Node, object: JsonObject, seen: Set<string>): void {
  if (value.kind === 'alias') expand(decoder, value, (node) => mergeMap(decoder, node, object, seen));
  else mergeMap(decoder, value, object, seen);
}

function mergeMap(decoder: Decoder, value: Node, object: JsonObject, seen: Set<string>): void {
  if (value.kind !== 'mapping') throw new YamlError(NO_MAP);
  decoder.decoded++;
  if (decoder.open.size > 0) decoder.aliased++;
  fill(decoder, value, object, seen);
}

interface Key {
  readonly text: string;
  /** The key in Go's `%#v` format. */
  readonly shown: string;
  readonly identity: string;
}

/** Returns undefined for null, which is not a valid JSON key. Throws for a list or map. */
function keyOf(decoder: Decoder, node: Node): Key | undefined {
  if (node.kind === 'alias') return expand(decoder, node, (target) => keyOf(decoder, target));
  if (node.kind === 'scalar') refuseRepetition(decoder, node);
  const resolved = node.kind === 'scalar' ? scalar(node) : undefined;
  if (resolved === undefined) throw new YamlError(`yaml: invalid map key: ${shownValue(decode(decoder, node))}`);
  if (resolved.tag === 'null') return undefined;
  const shownText = typeof resolved.value === 'number' ? formatFloat(resolved.value) : String(resolved.value);
  const shown = typeof resolved.value === 'string' ? quote(resolved.value) : shownText;
  return { text: shownText, shown, identity: `${typeof resolved.value}:${shownText}` };
}

const LONG_TAG = 'tag:yaml.org,2002:';
const RESOLVABLE = new Set(['str', 'bool', 'int', 'float', 'null', 'timestamp']);

function scalar({ value: text, tag, implicit }: ScalarNode): Resolved {
  if (tag === '') return implicit ? resolveScalar(text) : { tag: 'str', value: text };
  const kind = tag.startsWith(LONG_TAG) ? tag.slice(LONG_TAG.length) : tag;
  if (kind === 'binary') return { tag: 'str', value: binary(text) };
  if (kind === 'str' || !RESOLVABLE.has(kind)) return { tag: 'str', value: text };
  const resolved = resolveScalar(text);
  if (resolved.tag === 'int' && kind === 'float') return { tag: 'float', value: Number(resolved.value) };
  if (resolved.tag === kind) return resolved;
  throw new YamlError(`yaml: cannot decode !!${resolved.tag} \`${text}\` as a !!${kind}`);
}

function binary(text: string): string {
  const plain = text.replaceAll(/[\r\n]/g, '');
  const isBase64 = plain.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(plain);
  if (!isBase64) throw new YamlError('yaml: !!binary value contains invalid base64 data');
  return Buffer.from(plain, 'base64').toString();
}

function jsonOf({ value }: Resolved): Json {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new YamlError(`json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`);
  }
  if (typeof value !== 'bigint') return value === 0 ? 0 : value;
  const number = Number(value);
  return Number.isSafeInteger(number) || BigInt.asIntN(64, value) !== value ? number : value;
}
