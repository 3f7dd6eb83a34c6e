import { badRequest, StatusError } from '#lib/machinery/errors.ts';
import { arrayAt, equal, isObject, type Json, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { applyPatch } from '../apply/apply-patch.ts';
import { recordUpdate } from '../apply/record-update.ts';
import type { TypedSchema } from '../apply/schema.ts';
import { applyJsonPatch, decodeJsonPatch } from '../json-patch.ts';
import { applyMergePatch } from '../merge-patch.ts';
import { strategicMergePatch } from '../strategic/patch.ts';
import type { PatchSchema } from '../strategic/schema.ts';
import type { Answer, Sequence, Step } from './fixtures.conformance.ts';

/** The parts of a server that a replay needs in addition to patches. */
export interface ReplayKind {
  readonly apiVersion: string;
  readonly schema: TypedSchema;
  readonly strategic?: PatchSchema;
  /** Fills in defaults and drops fields that do not round-trip, in place. */
  readonly decode: (object: JsonObject) => void;
  /** Returns the error for a PUT without a resourceVersion, if the kind does not allow it. */
  readonly refuseUpdate?: (name: string) => StatusError;
  readonly hasGeneration: boolean;
}

/** Replays a sequence. Returns for each step whether the response matches the recorded one. */
export function replay(kind: ReplayKind, { name, steps }: Sequence): { step: Step; got: Answer; same: boolean }[] {
  let live: JsonObject | undefined;
  return steps.map((step, i) => {
    const got = answerTo(() => {
      const next = write(kind, live, step, name, new Date(Date.UTC(2026, 0, 1, 0, 0, i)));
      const isCreate = live === undefined;
      live = next;
      return { code: isCreate ? 201 : 200, out: shown(next) };
    });
    return { step, got, same: isSame(got, step.answer) };
  });
}

function answerTo(run: () => Answer): Answer {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const causes = (error.details?.causes ?? []).map((cause) => ({ ...cause }));
    return { code: error.code, message: error.message, causes };
  }
}

function write(kind: ReplayKind, live: JsonObject | undefined, step: Step, name: string, now: Date): JsonObject {
  const next = step.op === 'apply' ? applied(kind, live, step, now) : updated(kind, live, step, name, now);
  const metadata = objectAt(next, 'metadata') ?? {};
  const generation = !kind.hasGeneration ? {} : { generation: generationOf(live, next) };
  const server = { uid: 'u', namespace: 'default', creationTimestamp: 'now', resourceVersion: String(now.getTime()) };
  return { ...next, metadata: { ...metadata, ...server, ...generation } };
}

function applied(kind: ReplayKind, live: JsonObject | undefined, step: Step, now: Date): JsonObject {
  const { apiVersion, schema } = kind;
  const object = applyPatch({
    live: live ?? {},
    applied: step.body as JsonObject,
    manager: step.manager,
    force: step.force === true,
    schema,
    apiVersion,
    now,
    isCreate: live === undefined,
  });
  kind.decode(object);
  return object;
}

function updated(kind: ReplayKind, live: JsonObject | undefined, step: Step, name: string, now: Date): JsonObject {
  const { apiVersion, schema } = kind;
  const before = live ?? {};
  const next = patched(kind, before, step, name);
  if (objectAt(next, 'metadata')?.['name'] === undefined) {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  kind.decode(next);
  return recordUpdate({ live: before, updated: next, manager: step.manager, schema, apiVersion, now, isCreate: false });
}

function patched(kind: ReplayKind, live: JsonObject, { op, body }: Step, name: string): JsonObject {
  switch (op) {
    case 'json':
      return applyJsonPatch(live, decodeJsonPatch(body)) as JsonObject;
    case 'merge':
      return applyMergePatch(live, body);
    case 'strategic':
      return strategicMergePatch(live, body as JsonObject, kind.strategic as PatchSchema);
    case 'update':
      if (kind.refuseUpdate !== undefined) throw kind.refuseUpdate(name);
      return structuredClone(body) as JsonObject;
    case 'apply':
      throw new TypeError('an apply is no patch of this kind');
    default:
      return op satisfies never;
  }
}

/**
 * Like `replay`, but each step starts from the real server's state, and only managedFields and conflicts are compared. For kinds whose
 * defaults and validation are not available here. Rejections for other reasons count as equal.
 */
export function replayOwnership(kind: ReplayKind, { steps }: Sequence): { step: Step; got: Answer; same: boolean }[] {
  let live: JsonObject | undefined;
  return steps.map((step, i) => {
    const before = live;
    const { out, code } = step.answer;
    if (out !== undefined) live = dated(out);
    if (out === undefined && code !== 409) return { step, got: step.answer, same: true };
    const now = new Date(Date.UTC(2026, 0, 1, 0, 0, i));
    const got = answerTo(() => ({ code, out: shown(owned(kind, before, step, now)) }));
    return { step, got, same: code === 409 ? isSame(got, step.answer) : sameOwners(got.out, out) };
  });
}

/** The placeholders for values that the recording hides. */
const HIDDEN: Readonly<Record<string, Json>> = {
  nodePort: 30_000,
  healthCheckNodePort: 30_001,
  clusterIPs: ['10.0.0.1'],
};

function unmasked(value: Json): Json {
  if (Array.isArray(value)) return value.map(unmasked);
  if (!isObject(value)) return value;
  const shownAs = (field: string, item: Json): Json => (item === '*' ? (HIDDEN[field] ?? item) : unmasked(item));
  return Object.fromEntries(Object.entries(value).map(([field, item]) => [field, shownAs(field, item)]));
}

function dated(answered: JsonObject): JsonObject {
  const out = unmasked(answered) as JsonObject;
  const metadata = objectAt(out, 'metadata') ?? {};
  const entries = (arrayAt(metadata, 'managedFields') as JsonObject[]).map((entry) =>
    entry['time'] === undefined ? entry : { ...entry, time: '2025-01-01T00:00:00Z' },
  );
  return { ...out, metadata: { ...metadata, uid: 'u', managedFields: entries } };
}

function owned(kind: ReplayKind, live: JsonObject | undefined, step: Step, now: Date): JsonObject {
  if (step.op === 'apply') return applied({ ...kind, decode: () => undefined }, live, step, now);
  const { managedFields: _, ...metadata } = objectAt(step.answer.out, 'metadata') ?? {};
  const { apiVersion, schema } = kind;
  const by = { manager: step.manager, schema, apiVersion, now, isCreate: false };
  const answer = unmasked({ ...step.answer.out, metadata }) as JsonObject;
  return recordUpdate({ ...by, live: live ?? {}, updated: answer });
}

function sameOwners(got: JsonObject | undefined, want: JsonObject | undefined): boolean {
  const entries = (object: JsonObject | undefined): Json[] =>
    arrayAt(objectAt(object === undefined ? undefined : shown(object), 'metadata'), 'managedFields');
  return equal(entries(got), entries(want));
}

function generationOf(live: JsonObject | undefined, next: JsonObject): number {
  if (live === undefined) return 1;
  const { metadata: _, status: _s, ...desired } = next;
  const { metadata: old, status: _o, ...before } = live;
  const generation = Number(isObject(old) ? old['generation'] : 1);
  return equal(desired, before) ? generation : generation + 1;
}

const VOLATILE = ['uid', 'creationTimestamp', 'resourceVersion'];

function shown(object: JsonObject): JsonObject {
  const metadata: JsonObject = { ...objectAt(object, 'metadata') };
  for (const field of VOLATILE) delete metadata[field];
  const entries = arrayAt(metadata, 'managedFields') as JsonObject[];
  if (entries.length > 0) metadata['managedFields'] = byName(entries);
  return JSON.parse(masked(JSON.stringify({ ...object, metadata }))) as JsonObject;
}

/** The recording hides everything that looks like a uid or a time. */
const masked = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '*')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '*');

/** Sorts entries of the same second by name. The recording does not contain the second. */
function byName(entries: JsonObject[]): Json[] {
  const key = (entry: JsonObject): string => `${String(entry['operation'])}/${String(entry['manager'])}`;
  return entries.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

function isSame(got: Answer, want: Answer): boolean {
  if (got.code !== want.code) return false;
  if (want.out !== undefined) return equal(got.out, shown(want.out));
  return got.message === want.message && equal(causesOf(got), causesOf(want));
}

/** Sorts causes, because upstream returns the causes of several managers in any order. */
function causesOf({ causes: given = [] }: Answer): Json[] {
  const text = ({ message, field }: JsonObject): string => `${String(message)} ${String(field)}`;
  return given.toSorted((a, b) => (text(a) < text(b) ? -1 : 1));
}
