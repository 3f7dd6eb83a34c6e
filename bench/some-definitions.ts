import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';

/** The numbers of leaves in the schemas, used in turn. Half of the schemas are small, as in the recorded ones, and the average is 11 KB. */
const LEAVES = [10, 15, 20, 25, 30, 40, 60, 90, 150, 400];
const PER_GROUP = 40;

/** The given number of definitions, which resemble those of operators. */
export const syntheticDefinitions = (count: number): JsonObject[] =>
  Array.from({ length: count }, (_, i) => synthetic(i));

function synthetic(i: number): JsonObject {
  const group = `team${Math.floor(i / PER_GROUP)}.bench.davit.dev`;
  const kind = `Thing${i}`;
  const [plural, singular] = [`thing${i}s`, `thing${i}`];
  const names = { kind, plural, singular, listKind: `${kind}List`, shortNames: [`t${i}`], categories: ['all'] };
  const openAPIV3Schema = schemaOf(LEAVES[i % LEAVES.length] ?? 0);
  const column = { name: 'Ready', type: 'string', jsonPath: '.status.ready' };
  const version = { served: true, storage: true, subresources: { status: {} }, additionalPrinterColumns: [column] };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: 'Namespaced', names, versions: [{ name: 'v1', ...version, schema: { openAPIV3Schema } }] },
  };
}

function schemaOf(leaves: number): JsonObject {
  const parts: JsonObject = {};
  for (let i = 0; i < leaves; i += 5) {
    parts[`part${i}`] = {
      description: `What part ${i} of the thing should be like, as its operator understands it.`,
      type: 'object',
      required: ['name'],
      properties: {
        name: { description: 'Name of the part, unique among all parts.', type: 'string', maxLength: 63 },
        mode: { description: 'How the part is used.', type: 'string', enum: ['Fast', 'Safe'], default: 'Safe' },
        replicas: { description: 'How many there should be.', type: 'integer', format: 'int32', minimum: 0 },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        items: { type: 'array', items: { type: 'object', properties: { key: { type: 'string' } } } },
      },
    };
  }
  const status = { type: 'object', properties: { ready: { type: 'string' } } };
  return { type: 'object', properties: { spec: { type: 'object', properties: parts }, status } };
}

/** The definitions that a real server accepted; undefined if DAVIT_FIXTURES contains none. */
export function recordedDefinitions(): JsonObject[] | undefined {
  const fixtures = process.env['DAVIT_FIXTURES'];
  if (fixtures === undefined) return undefined;
  const text = gunzipSync(readFileSync(join(fixtures, 'corpus/crds.jsonl.gz'))).toString();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly code: number; readonly crd: JsonObject })
    .flatMap(({ code, crd }) => (code === 201 ? [crd] : []));
}

export const definitionName = (crd: JsonObject): string => stringAt(objectAt(crd, 'metadata'), 'name') ?? '';

/** The collection that a definition serves in its first version. */
export function collectionOf(crd: JsonObject): string {
  const spec = objectAt(crd, 'spec');
  const [version] = (spec?.['versions'] ?? []) as JsonObject[];
  return `/apis/${stringAt(spec, 'group')}/${stringAt(version, 'name')}/${stringAt(objectAt(spec, 'names'), 'plural')}`;
}
