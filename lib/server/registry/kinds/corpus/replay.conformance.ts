import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { decodeTyped } from '#lib/api/codec/decode.ts';
import { findResource } from '#lib/api/kinds.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { clone, equal, isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { type GroupVersionKind, parseApiVersion } from '#lib/machinery/schema.ts';
import { finished } from '#lib/machinery/steps.ts';
import type { User } from '#lib/server/authentication/user.ts';
import { aRequestContext } from '#lib/server/request/testing.ts';
import { NO_ADMISSION } from '../../admission.ts';
import { builtInScheme } from '../../built-in-scheme.ts';
import type { ResourceDefinition } from '../../resource.ts';
import type { OperationContext } from '../../rest/context.ts';
import { beforeCreate, fillSystemFields } from '../../rest/create.ts';
import { STRATEGIES } from '../strategies.ts';

/** A recorded request and a real server's response. */
export interface Recorded {
  readonly kind: string;
  readonly path: string;
  readonly object: Json;
  readonly mutation?: string;
  readonly code: number;
  readonly out?: JsonObject;
  readonly message?: string;
  readonly causes?: readonly { readonly field: string; readonly reason: string; readonly message: string }[];
}

export interface Answer {
  readonly code: number;
  readonly out?: JsonObject;
  readonly message?: string;
  readonly fields?: readonly string[];
}

export const fixtures = process.env['DAVIT_FIXTURES'];

/** Every recorded response for one kind, for example `v1|Pod`. */
export function recorded(kind: string): Recorded[] {
  const bytes = gunzipSync(readFileSync(`${fixtures}/corpus/builtin.jsonl.gz`));
  const lines = bytes.toString().split('\n');
  const mark = `{"kind":"${kind}"`;
  return lines.filter((line) => line.startsWith(mark)).map((line) => JSON.parse(line) as Recorded);
}

/** Decodes, defaults, prepares and validates an object like a create in the registry. */
export function create({ kind, path, object }: Recorded): Answer {
  try {
    return { code: 201, out: cleaned(created(gvkOf(kind), path, clone(object))) };
  } catch (error) {
    if (!(error instanceof StatusError)) return { code: 400, message: String(error) };
    const fields = (error.details?.causes ?? []).map((cause) => cause.field ?? '');
    return { code: error.code, message: error.message, fields };
  }
}

function gvkOf(kind: string): GroupVersionKind {
  const [version = '', name = ''] = kind.split('|');
  return { ...(parseApiVersion(version) ?? { group: '', version: '' }), kind: name };
}

function created(gvk: GroupVersionKind, path: string, body: Json): JsonObject {
  const definition = definitionOf(gvk, path);
  const { scheme } = definition;
  const { object } = scheme.decode(body);
  scheme.default(object);
  const hub = scheme.toHub(object);
  const context = contextOf(definition);
  fillSystemFields(hub, context);
  finished(beforeCreate(definition, hub, context));
  return decodeTyped(gvk, scheme.fromHub(hub)).object;
}

/** The parts of a resource definition that a create needs. */
function definitionOf(gvk: GroupVersionKind, path: string): ResourceDefinition {
  const resource = path.split('?')[0]?.split('/').at(-1) ?? '';
  const facts = findResource({ ...gvk, resource });
  if (facts === undefined) throw new TypeError(`no kind ${gvk.kind}`);
  const strategy = STRATEGIES[`${gvk.group}/${resource}`] ?? {};
  const part: Partial<ResourceDefinition> = {
    resource: facts,
    storedAs: facts,
    namespaced: facts.namespaced,
    hasStatus: facts.subresources.some(({ name }) => name === 'status'),
    custom: false,
    strategy,
    scheme: builtInScheme(gvk, strategy, facts.storage),
  };
  return part as ResourceDefinition;
}

/** The user of the recorded requests. */
const ADMIN: User = {
  name: 'admin',
  groups: ['system:masters', 'system:authenticated'],
  extra: {
    'authentication.kubernetes.io/credential-id': [
      'X509SHA256=a7ea5aa905d136a61c17873063923b0dc8e090d08d4b54acb60eacb26047251b',
    ],
  },
};

function contextOf({ namespaced }: ResourceDefinition): OperationContext {
  return {
    ...aRequestContext({}, { user: ADMIN }),
    cluster: '',
    namespace: namespaced ? 'default' : '',
    dryRun: true,
    fieldManager: '',
    subresource: '',
    admission: NO_ADMISSION,
    options: undefined,
  };
}

const DROPPED = ['uid', 'creationTimestamp', 'generation', 'managedFields', 'resourceVersion', 'selfLink'];

function cleaned(object: JsonObject): JsonObject {
  const metadata = Object.fromEntries(
    Object.entries(isObject(object['metadata']) ? object['metadata'] : {}).filter(
      ([field]) => !DROPPED.includes(field),
    ),
  );
  return { ...object, metadata };
}

/** Removes fields that the recording masks, and those that allocation and admission add. */
const ALLOCATED: Record<string, (object: JsonObject) => void> = {
  Service: (service) => {
    const spec = service['spec'];
    if (!isObject(spec)) return;
    for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'healthCheckNodePort']) {
      delete spec[field];
    }
    const ports = Array.isArray(spec['ports']) ? spec['ports'] : [];
    for (const port of ports) if (isObject(port)) delete port['nodePort'];
  },
  Node: (node) => {
    const spec = node['spec'];
    const taints = isObject(spec) && Array.isArray(spec['taints']) ? spec['taints'] : [];
    const kept = taints.filter((taint) => !(isObject(taint) && taint['key'] === 'node.kubernetes.io/not-ready'));
    if (isObject(spec)) spec['taints'] = kept;
  },
  PersistentVolume: dropFinalizers,
  PersistentVolumeClaim: dropFinalizers,
};

function dropFinalizers({ metadata }: JsonObject): void {
  if (isObject(metadata)) delete metadata['finalizers'];
}

const SECONDS = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;
const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Masks volatile text like the recording. */
function starred(value: Json): Json {
  if (typeof value === 'string') return value.replace(UID, '*').replace(SECONDS, '*');
  if (Array.isArray(value)) return value.map(starred);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([field, item]) => [field, starred(item)]));
}

export interface Comparison {
  readonly verdict: boolean;
  readonly object: boolean;
  readonly fields: boolean;
  readonly text: boolean;
}

export function compare(request: Recorded, answer: Answer): Comparison {
  const verdict = request.code === answer.code;
  if (!verdict) return { verdict, object: false, fields: false, text: false };
  if (request.code < 300) {
    return {
      verdict,
      object: equal(stable(request, request.out), stable(request, answer.out)),
      fields: true,
      text: true,
    };
  }
  if (request.code === 400) return { verdict, object: true, fields: true, text: true };
  const wanted = new Set((request.causes ?? []).map(({ field }) => field));
  const fields = new Set(answer.fields ?? []);
  const same = wanted.size === fields.size && [...wanted].every((field) => fields.has(field));
  return { verdict, object: true, fields: same, text: request.message === starred(answer.message ?? '') };
}

export function stable({ kind }: Recorded, object: JsonObject | undefined): Json {
  const copy = clone<Json>(object ?? {});
  if (isObject(copy)) ALLOCATED[kind.split('|')[1] ?? '']?.(copy);
  return starred(copy);
}
