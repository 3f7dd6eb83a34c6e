import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { creationTimeOf, nameOf, namespaceOf, ownerReferencesOf, uidOf } from '#lib/machinery/meta.ts';
import type { Invocation } from '#lib/sdk/invocation/invocation.ts';
import { StartFault } from '../start-fault.ts';
import { askInvocations } from './ask-invocations.ts';
import type { Kubectl } from './kubectl.ts';

/** The maximum number of levels of owners to follow. */
const HEIGHT = 10;

/** An object with its owners, dependents, events and invocations. */
export interface Trace {
  readonly object: JsonObject;
  /** The owners, nearest first; a deleted owner is represented by the object's reference to it. */
  readonly owners: readonly JsonObject[];
  readonly dependents: readonly Dependent[];
  /** Events of the object and its dependents, the oldest first. */
  readonly events: readonly JsonObject[];
  readonly invocations: readonly Invocation[];
  /** Parts that could not be read, with the reasons. */
  readonly notes: readonly string[];
}

/** An object that the traced one owns, directly or indirectly. */
export interface Dependent {
  readonly object: JsonObject;
  /** 1 for direct dependents. */
  readonly depth: number;
}

/** Collects the whole trace. Throws KubectlFault if the object itself cannot be read. */
export async function gather(ask: Kubectl, what: readonly string[]): Promise<Trace> {
  const object = await one(ask, what);
  const notes: string[] = [];
  const noted = <T>(answer: Promise<T>, otherwise: T): Promise<T> =>
    answer.catch((error: unknown) => {
      if (!(error instanceof StartFault)) throw error;
      notes.push(error.message);
      return otherwise;
    });
  const [owners, dependents] = await Promise.all([ownersOf(ask, object), noted(dependentsOf(ask, object), [])]);
  const family: Family = [object, ...dependents.map((dependent) => dependent.object)];
  const [events, invocations] = await Promise.all([
    noted(eventsOf(ask, family), []),
    noted(invocationsOf(ask, family), []),
  ]);
  return { object, owners, dependents, events, invocations, notes };
}

/** The trace with only the events and calls since a time (milliseconds since 1970). Other parts keep only their objects. */
export const since = (traced: Trace, time: number): Trace => ({
  ...traced,
  events: traced.events.filter((event) => Date.parse(lastSeen(event)) >= time),
  invocations: traced.invocations.filter(({ start }) => Date.parse(start) >= time),
});

/** An object and its dependents. */
type Family = readonly [JsonObject, ...JsonObject[]];

async function one(ask: Kubectl, what: readonly string[]): Promise<JsonObject> {
  const found = await ask.object(['get', ...what]);
  if (found === undefined || stringAt(found, 'kind') === 'List') throw new StartFault('name one object: KIND/NAME');
  return found;
}

async function ownersOf(ask: Kubectl, object: JsonObject): Promise<JsonObject[]> {
  const owners: JsonObject[] = [];
  for (let at: JsonObject | undefined = object; at !== undefined && owners.length < HEIGHT; ) {
    const [first] = ownerReferencesOf(at);
    if (first === undefined) break;
    const [group, version] = first.apiVersion.includes('/') ? first.apiVersion.split('/') : ['', first.apiVersion];
    const namespace = namespaceOf(object);
    const place = namespace === '' ? [] : ['--namespace', namespace];
    const kind = `${first.kind}.${version}.${group}`;
    const found = await ask.object(['get', kind, first.name, '--ignore-not-found', ...place]).catch(() => undefined);
    const isThere = found !== undefined && uidOf(found) === first.uid;
    const { apiVersion, kind: name } = first;
    owners.push(
      isThere ? found : { apiVersion, kind: name, metadata: { name: first.name, uid: first.uid }, gone: true },
    );
    at = isThere ? found : undefined;
  }
  return owners;
}

async function dependentsOf(ask: Kubectl, object: JsonObject): Promise<Dependent[]> {
  const namespace = namespaceOf(object);
  const scope = namespace === '' ? [] : ['--namespaced=true'];
  const names = (await ask.run(['api-resources', '--verbs=list', '-o', 'name', ...scope])).split('\n');
  const kinds = names.filter((name) => name !== '' && !/^events(\.|$)/.test(name)).join(',');
  const place = namespace === '' ? ['--all-namespaces'] : ['--namespace', namespace];
  const list = await ask.object(['get', kinds, '--ignore-not-found', ...place], { partly: true });
  const all = arrayAt(list, 'items').filter(isObject);
  return below(uidOf(object), all, 1, new Set());
}

function below(uid: string, all: readonly JsonObject[], depth: number, seen: Set<string>): Dependent[] {
  if (seen.has(uid)) return [];
  seen.add(uid);
  const own = all.filter((item) => ownerReferencesOf(item).some((reference) => reference.uid === uid));
  return own.flatMap((object) => [{ object, depth }, ...below(uidOf(object), all, depth + 1, seen)]);
}

async function eventsOf(ask: Kubectl, family: Family): Promise<JsonObject[]> {
  const uids = new Set(family.map(uidOf));
  const namespace = namespaceOf(family[0]) || 'default';
  const list = await ask.object(['get', 'events', '--namespace', namespace]);
  return arrayAt(list, 'items')
    .filter(isObject)
    .filter((event) => uids.has(stringAt(objectAt(event, 'involvedObject'), 'uid') ?? ''))
    .sort((a, b) => lastSeen(a).localeCompare(lastSeen(b)));
}

/** When the event was last reported, RFC 3339. */
export function lastSeen(event: JsonObject): string {
  const times = [stringAt(objectAt(event, 'series'), 'lastObservedTime'), stringAt(event, 'lastTimestamp')];
  return times.find((time) => time !== undefined) ?? stringAt(event, 'eventTime') ?? '';
}

async function invocationsOf(ask: Kubectl, family: Family): Promise<Invocation[]> {
  const namespace = namespaceOf(family[0]);
  const { items } = await askInvocations(ask, namespace === '' ? { name: nameOf(family[0]) } : { namespace });
  return items.filter((invocation) => family.some((member) => isAbout(invocation, member)));
}

function isAbout({ object: of, start }: Invocation, object: JsonObject): boolean {
  if (of === undefined) return false;
  if (of.uid !== undefined) return of.uid === uidOf(object);
  if (Date.parse(start) < (creationTimeOf(object)?.getTime() ?? 0)) return false; // of an earlier object with the same name
  const isSame = of.name === nameOf(object) && of.namespace === namespaceOf(object);
  return (
    isSame && of.kind === stringAt(object, 'kind') && groupOf(of.apiVersion) === groupOf(stringAt(object, 'apiVersion'))
  );
}

const groupOf = (apiVersion = ''): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
