import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionKind } from '#lib/machinery/schema.ts';
import { findKind } from '../kinds.ts';
import { schemaName } from './names.ts';

/** The type of most errors. */
export const STATUS = 'meta.v1.Status';
const DELETE_OPTIONS = 'meta.v1.DeleteOptions';
const PATCH = 'meta.v1.Patch';
/** The type of watch events. */
export const WATCH_EVENT = 'meta.v1.WatchEvent';

const OBJECT_TYPES = [
  'application/cbor',
  'application/json',
  'application/vnd.kubernetes.protobuf',
  'application/yaml',
];
const STREAM_TYPES = [
  'application/cbor',
  'application/cbor-seq',
  'application/json',
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf',
  'application/vnd.kubernetes.protobuf;stream=watch',
  'application/yaml',
];
const PATCH_TYPES = [
  'application/apply-patch+cbor',
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
];

const CODES: Readonly<Record<string, readonly string[]>> = {
  post: ['200', '201', '202'],
  put: ['200', '201'],
  patch: ['200', '201'],
  delete: ['200', '202'],
};

/** One operation of a path: its ID, verb and the types of its request and response bodies. */
export interface OperationFacts {
  readonly id: string;
  readonly tag: string;
  readonly action: string;
  readonly kind: GroupVersionKind;
  /** The type of the response. Absent for a text response (logs). */
  readonly answers: string | undefined;
  /** The type of the body of a POST or PUT. */
  readonly takes?: string;
}

const reference = (type: string): JsonObject => ({ schema: { $ref: `#/components/schemas/${schemaName(type)}` } });

const content = (mediaTypes: readonly string[], schema: JsonObject): JsonObject =>
  Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, schema]));

/** One operation without its parameters. */
export function operation(facts: OperationFacts): JsonObject {
  const { id, tag, action, kind } = facts;
  return {
    operationId: id,
    ...requestBody(facts),
    responses: responses(facts),
    tags: [tag],
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group: kind.group, kind: kind.kind, version: kind.version },
  };
}

function requestBody({ action, takes }: OperationFacts): JsonObject {
  if (action === 'patch') return { requestBody: { content: content(PATCH_TYPES, reference(PATCH)), required: true } };
  if (action.startsWith('delete')) return { requestBody: { content: { '*/*': reference(DELETE_OPTIONS) } } };
  if (takes === undefined) return {};
  return { requestBody: { content: { '*/*': reference(takes) }, required: true } };
}

function responses({ action, answers }: OperationFacts): JsonObject {
  const unauthorized = { '401': {} };
  if (action === 'connect')
    return { '200': { content: content(['*/*'], { schema: { type: 'string' } }) }, ...unauthorized };
  if (answers === undefined) {
    const text = content(['text/plain', ...OBJECT_TYPES], { schema: { type: 'string' } });
    return { '200': { content: text }, ...unauthorized };
  }
  const streams = action === 'list' || action.startsWith('watch');
  const answer = { content: content(streams ? STREAM_TYPES : OBJECT_TYPES, reference(answers)) };
  return { ...Object.fromEntries((CODES[action] ?? ['200']).map((code) => [code, answer])), ...unauthorized };
}

/** The type of a kind that is known to exist. */
export function typeOfKind(kind: GroupVersionKind): string {
  const type = findKind(kind);
  if (type === undefined) throw new TypeError(`no type for ${kind.kind}`);
  return type.name;
}
