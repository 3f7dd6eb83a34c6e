import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aDefinition } from '#lib/server/apiextensions/a-definition.ts';
import { json, type Sent } from './front-door.ts';
import { inProcess } from './in-process.ts';
import { DEFINITIONS } from './matrix.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const MIB = 1024 * 1024;
const PROTOBUF = { 'content-type': 'application/vnd.kubernetes.protobuf' };
const YAML = { 'content-type': 'application/yaml' };

/**
 * Bad input may take half of the processor time of the largest valid input: a map of 48,000 names, 0.2 s on an idle machine. The minimum of
 * several rounds counts, because other tests run concurrently.
 */
const SHARE = 0.5;
const ROUNDS = 4;
const LARGE = JSON.stringify({
  metadata: { name: 'large' },
  data: Object.fromEntries(Array.from({ length: 48_000 }, (_, i) => [`n${i}`, 'v'])),
});

let api: Awaited<ReturnType<typeof inProcess>>;
let most = 0;
beforeAll(async () => {
  api = await inProcess();
  await api.send({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'default' } } });
  await api.send({ method: 'POST', path: CONFIG_MAPS, body: { metadata: { name: 'x' }, data: { a: 'b' } } });
  const costs: number[] = [];
  const large: Sent = { method: 'POST', path: `${CONFIG_MAPS}?dryRun=All`, body: LARGE };
  for (let round = 0; round < ROUNDS; round++) costs.push((await costOf(large)).millis);
  most = SHARE * Math.min(...costs);
});
afterAll(() => api.close());
afterEach(() => expect(api.faults).toEqual([]));

/** Returns the status of the response, and expects that it does not take long. */
async function refusal(sent: Sent): Promise<unknown> {
  let cost = await costOf(sent);
  const { code } = cost;
  for (let round = 1; round < ROUNDS && cost.millis > most; round++) cost = await costOf(sent);
  expect(cost.millis).toBeLessThan(most);
  return code;
}

async function costOf(sent: Sent): Promise<{ code: unknown; millis: number }> {
  const before = process.threadCpuUsage();
  const answer = json(await api.send(sent));
  const { user, system } = process.threadCpuUsage(before);
  return { code: answer['code'], millis: (user + system) / 1000 };
}

const varint = (value: bigint): Buffer => {
  const bytes: number[] = [];
  for (let rest = BigInt.asUintN(64, value); ; rest >>= 7n) {
    if (rest < 0x80n) return Buffer.from([...bytes, Number(rest)]);
    bytes.push(Number(rest & 0x7fn) | 0x80);
  }
};
const field = (number: number, bytes: Uint8Array, length = BigInt(bytes.length)): Buffer =>
  Buffer.concat([varint(BigInt(number * 8 + 2)), varint(length), bytes]);
/** Upstream's envelope around a message of a kind. */
const envelope = (apiVersion: string, kind: string, raw: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from('k8s\0'),
    field(1, Buffer.concat([field(1, Buffer.from(apiVersion)), field(2, Buffer.from(kind))])),
    field(2, raw),
  ]);
const aConfigMap = (raw: Uint8Array): Buffer => envelope('v1', 'ConfigMap', raw);
const nested = (number: number, depth: number): Buffer => {
  const heads: Buffer[] = [];
  for (let i = 0, length = 0; i < depth; i++) {
    const head = Buffer.concat([varint(BigInt(number * 8 + 2)), varint(BigInt(length))]);
    heads.push(head);
    length += head.length;
  }
  return Buffer.concat(heads.reverse());
};
/** A definition whose schema contains these bytes in spec, versions, schema, openAPIV3Schema. */
const schemaOf = (bytes: Uint8Array): Buffer =>
  envelope(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    field(2, field(7, Buffer.concat([field(1, Buffer.from('v1')), field(4, field(1, bytes))]))),
  );

describe('bad input in protobuf', () => {
  test.each<[string, Buffer, number]>([
    ['a length beyond the end', aConfigMap(field(2, Buffer.from('x'), 0x7fff_ffffn)), 400],
    ['a negative length', aConfigMap(field(2, Buffer.from('x'), -1n)), 400],
    ['the length of the envelope', Buffer.from('6b3873000aff', 'hex'), 400],
    ['a number of eleven bytes', aConfigMap(Buffer.from([0x10, ...Array<number>(11).fill(0xff)])), 400],
    ['a field of number zero', aConfigMap(Buffer.from([0x02, 0x00])), 400],
    ['a kind of wire that is none', aConfigMap(Buffer.from([0x0e, 0x00])), 400],
    ['a group that does not end', aConfigMap(Buffer.alloc(100_000, 0x0b)), 400],
    ['ends of no group', aConfigMap(Buffer.alloc(100_000, 0x0c)), 400],
    ['a million entries of no name', aConfigMap(Buffer.concat(Array(1_000_000).fill(Buffer.from([0x12, 0x00])))), 422],
    ['a million owners', aConfigMap(field(1, Buffer.concat(Array(700_000).fill(Buffer.from([0x6a, 0x00]))))), 400],
    ['a schema in a schema, and so on', schemaOf(nested(28, 500_000)), 400],
    ['a million schemas', schemaOf(Buffer.concat(Array(700_000).fill(Buffer.from([0xda, 0x01, 0x00])))), 400],
  ])('is rejected quickly: %s', async (_, body, code) => {
    const path = body.includes('CustomResourceDefinition') ? DEFINITIONS : CONFIG_MAPS;
    expect(await refusal({ method: 'POST', path, body, headers: PROTOBUF })).toBe(code);
  });
});

describe('bad input in JSON and YAML', () => {
  const wide = (item: string): string => `{"metadata":{"name":"w"},"data":${item}}`;
  test.each<[string, string, number, Record<string, string>?]>([
    ['lists in lists', '['.repeat(MIB), 400],
    ['objects in objects', '{"a":'.repeat(500_000), 400],
    ['a million items', wide(`[${'0,'.repeat(MIB)}0]`), 413],
    ['a field three hundred thousand times', wide(`{${'"a":"b",'.repeat(300_000)}"a":"b"}`), 413],
    ['a number of three million digits', wide(`{"a":${'9'.repeat(3_000_000)}}`), 400],
    ['a million escapes', wide(`{"a":"${'\\u0000'.repeat(500_000)}`), 400],
    ['half surrogates', wide(`{"a":"${'\\ud800'.repeat(500_000)}"}`), 422],
    ['nothing but spaces', ' '.repeat(3 * MIB - 1), 400],
    ['names that grow', wide(`{${Array.from({ length: 2000 }, (_, i) => `"${'a'.repeat(i)}":1`).join(',')}}`), 400],
    ['numbers that should be texts', wide(`{${fieldsOf(48_000)}}`), 400],
    ['a long name above many fields', wide(`{"${'a'.repeat(MIB)}":{${fieldsOf(40_000)}}}`), 413],
    ['a long name above fields that come twice', wide(`{"${'a'.repeat(MIB)}":{${'"a":1,'.repeat(40_000)}"a":1}}`), 400],
    ['aliases of aliases', laughs(), 400, YAML],
    ['merges of merges', merges(), 400, YAML],
    ['flow in flow', '[{a: '.repeat(200_000), 400, YAML],
    ['a list in each line', '- '.repeat(MIB), 400, YAML],
    ['a tag in each line', '!!a '.repeat(500_000), 400, YAML],
    ['a document after the other', '---\n'.repeat(500_000), 422, YAML],
  ])('is rejected quickly: %s', async (_, body, code, headers = {}) => {
    expect(await refusal({ method: 'POST', path: CONFIG_MAPS, body, headers })).toBe(code);
  });

  test('decompresses no body, as upstream', async () => {
    const body = gzipSync(Buffer.alloc(32 * MIB));
    const headers = { 'content-encoding': 'gzip' };
    expect(await refusal({ method: 'POST', path: CONFIG_MAPS, body, headers })).toBe(400);
  });
});

/** This many fields of an object, all with different names. */
function fieldsOf(count: number): string {
  return Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',');
}

function laughs(): string {
  const lines = Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(10)}]`);
  return `a0: &a0 [x]\n${lines.join('\n')}`;
}

function merges(): string {
  const lines = Array.from({ length: 1000 }, (_, i) => `a${i + 1}: &a${i + 1} {<<: *a${i}, k${i}: 1}`);
  return `a0: &a0 {x: 1}\n${lines.join('\n')}`;
}

describe('bad input in patches', () => {
  const operations = (all: unknown[]): string => JSON.stringify(all);
  const doubling = Array.from({ length: 60 }, (_, i) => ({ op: 'copy', from: '/data', path: `/data/c${i}` }));
  test.each<[string, string, string, number]>([
    ['copies of copies', 'json-patch', operations(doubling), 422],
    ['a pointer of a million steps', 'json-patch', operations([{ op: 'add', path: '/a'.repeat(MIB), value: 1 }]), 422],
    [
      'too many operations',
      'json-patch',
      operations(Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/data/a', value: 'b' }))),
      413,
    ],
    ['a value in a value', 'merge-patch', '{"data":'.repeat(200_000), 400],
    ['a merge of too much', 'merge-patch', `{"data":{${'"a":null,'.repeat(200_000)}"b":null}}`, 413],
    ['directives', 'strategic-merge-patch', `{"$patch":${'{"$patch":'.repeat(100_000)}`, 400],
    [
      'deletions from a list that is none',
      'strategic-merge-patch',
      `{"metadata":{"$deleteFromPrimitiveList/finalizers":[${'"a",'.repeat(40_000)}"a"]}}`,
      200,
    ],
    [
      'an order of much',
      'strategic-merge-patch',
      `{"metadata":{"$setElementOrder/finalizers":[${Array.from({ length: 40_000 }, (_, i) => `"a/${i}"`).join(',')}]}}`,
      200,
    ],
  ])('is rejected quickly: %s', async (_, type, body, code) => {
    const headers = { 'content-type': `application/${type}+json` };
    const got = await refusal({ method: 'PATCH', path: `${CONFIG_MAPS}/x`, body, headers });
    expect(got ?? 200).toBe(code);
  });
});

describe('bad input in schemas and rules', () => {
  const schema = (spec: JsonObject): JsonObject => {
    const { metadata, ...definition } = aDefinition(
      {},
      { schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } },
    );
    const { resourceVersion: _, ...rest } = metadata as JsonObject;
    return { ...definition, metadata: rest };
  };
  const text = { type: 'string', maxLength: 10 };
  const rule = (...rules: string[]): JsonObject =>
    schema({ ...text, 'x-kubernetes-validations': rules.map((one) => ({ rule: one })) });
  const deep = (depth: number): JsonObject => {
    let made: JsonObject = { type: 'string' };
    for (let i = 0; i < depth; i++) made = { type: 'object', properties: { a: made } };
    return made;
  };
  test.each<[string, JsonObject, number]>([
    ['a pattern of patterns', schema({ ...text, pattern: '(((a{1000}){1000}){1000})' }), 422],
    ['a pattern of a megabyte', schema({ ...text, pattern: 'a'.repeat(MIB) }), 422],
    ['a pattern of brackets', schema({ ...text, pattern: '('.repeat(100_000) }), 422],
    ['a pattern that backtracks elsewhere', schema({ ...text, pattern: '(a*)*(a*)*b$' }), 201],
    ['schemas in schemas', schema(deep(400)), 400],
    ['alternatives without end', schema({ ...text, anyOf: Array.from({ length: 40_000 }, () => ({})) }), 413],
    ['a rule of parentheses', rule('('.repeat(30_000)), 422],
    ['a rule of minuses', rule(`${'-'.repeat(30_000)}1 > 0`), 201],
    ['a rule of ors', rule(`true${' || true'.repeat(4000)}`), 201],
    ['a rule of loops', rule(`[1].all(a, ${'[1].all(a, '.repeat(500)}true${')'.repeat(501)}`), 422],
    [
      'a rule that costs much',
      rule(`${'[1,2,3,4,5,6,7,8,9].all(x, '.repeat(10)}self.size() > 0${')'.repeat(10)}`),
      422,
    ],
    ['a pattern in a rule', rule('self.matches("((a{1000}){1000}){1000}")'), 422],
    ['too many rules', rule(...Array<string>(5000).fill('self.size() > 0')), 422],
  ])('is rejected quickly: %s', async (_, body, code) => {
    expect((await refusal({ method: 'POST', path: `${DEFINITIONS}?dryRun=All`, body })) ?? 201).toBe(code);
  });
});
