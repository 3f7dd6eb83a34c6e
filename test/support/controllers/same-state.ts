import type { Client } from '#lib/client/client.ts';
import { discover, preferred } from '#lib/client/discovery.ts';
import { isObject, type Json, type JsonObject, ownField, setField } from '#lib/machinery/json-value.ts';
import { metadataOf, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';

/** Resources that each run writes again. They depend on the time and number of writes. */
const PASSING = new Set(['events', 'leases', 'flowschemas', 'prioritylevelconfigurations', 'componentstatuses']);
/** Fields that depend on randomness, time and the number of writes. */
const CHANCE = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'observedGeneration',
  'managedFields',
  'clusterIP',
  'clusterIPs',
  'controller-uid',
  'batch.kubernetes.io/controller-uid',
  'endpoints.kubernetes.io/last-change-trigger-time',
  'pod-template-generation',
]);
/** Names of volumes, and addresses of Services. */
const DRAWN = /kube-api-access-\w{5}|10\.96\.\d+\.\d+/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/** All objects without random and time-dependent fields, one per line, sorted. They are equal if two histories led to the same state. */
export async function stateOf(client: Client): Promise<readonly string[]> {
  const served = preferred((await discover(client)).filter(({ verbs }) => verbs.has('list')));
  const lists = await Promise.all(
    served
      .filter(({ resource: { group, resource } }) => !PASSING.has(resource) && group !== 'metrics.k8s.io')
      .map(async ({ resource, kind }) =>
        (await client.list(resource)).map((object) => ({ kind: `${resource.group}/${kind}`, object })),
      ),
  );
  const all = lists.flat();
  const names = new Map(all.map(({ kind, object }) => [uidOf(object), `${kind} ${nameOf(object)}`]));
  const generated = new Map(all.flatMap(({ object }) => generatedName(object)));
  return all
    .map(({ kind, object }) => {
      const text = JSON.stringify(plain(object));
      const known = [...names].reduce((told, [uid, name]) => told.replaceAll(uid, name), text);
      const told = [...generated].reduce((seen, [name, prefix]) => seen.replaceAll(name, `${prefix}…`), known);
      return `${kind} ${namespaceOf(object)} ${told.replace(TIME, 'TIME').replace(DRAWN, '…')}`;
    })
    .sort();
}

function generatedName(object: JsonObject): [string, string][] {
  const prefix = ownField(metadataOf(object), 'generateName');
  return typeof prefix === 'string' ? [[nameOf(object), prefix]] : [];
}

function plain(value: Json): Json {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const next: JsonObject = {};
  for (const field of Object.keys(value).sort())
    if (!CHANCE.has(field)) setField(next, field, plain(value[field] as Json));
  return next;
}

/** The lines that only one of two states has. */
export function difference(one: readonly string[], other: readonly string[]): Record<'missing' | 'more', string[]> {
  const rest = [...other];
  const missing = one.filter((line) => {
    const at = rest.indexOf(line);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
  return { missing, more: rest };
}
