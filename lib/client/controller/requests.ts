import { equal, isObject, type Json, type JsonObject, ownField } from '#lib/machinery/json-value.ts';
import { matches, parseSelector } from '#lib/machinery/labels/selector.ts';
import {
  annotationsOf,
  controllerOf,
  deletionTimeOf,
  finalizersOf,
  generationOf,
  isDeleting,
  labelsOf,
  metadataOf,
  type OwnerReference,
  ownerReferencesOf,
} from '#lib/machinery/meta.ts';
import type { NamespacedName } from '#lib/machinery/namespaced-name.ts';
import { parseApiVersion } from '#lib/machinery/schema.ts';
import type { Aspect, Declaration, Mapping, Predicates } from './declaration.ts';
import type { ObjectChange } from './reconciler.ts';

/** The object to reconcile: upstream's reconcile.Request. Queues in a process use its key, `keyOf(request)`. */
export type Request = NamespacedName;

interface Source {
  readonly apiVersion: string;
  readonly kind: string;
}

const FOR: readonly Aspect[] = ['generation', 'deletion', 'finalizers'];
const ANY: readonly Aspect[] = ['any'];

/**
 * The requests that result from a change, without duplicates. The function is pure, so it can run anywhere between the log and the queues.
 * If the state before a MODIFIED event is unknown, every aspect that may have changed counts as changed.
 */
export function requestsOf(declaration: Declaration, change: ObjectChange): readonly Request[] {
  const { for: own, owns, watches, predicates } = declaration;
  const found: Request[] = [];
  if (isOf(change, own) && passes(change, predicates, FOR))
    found.push({ namespace: change.namespace, name: change.name });
  for (const source of owns) {
    if (isOf(change, source) && passes(change, source.predicates, ANY))
      found.push(...byStates(change, controlledBy(own)));
  }
  for (const source of watches) {
    if (isOf(change, source) && passes(change, source.predicates, ANY))
      found.push(...byStates(change, mapped(source.map, own)));
  }
  return unique(found);
}

/** Maps the current and the previous state. An object that lost a dependent also needs a reconciliation. */
function byStates(change: ObjectChange, map: (object: JsonObject, namespace: string) => Request[]): Request[] {
  const before = change.previous?.();
  const now = map(change.object(), change.namespace);
  return before === undefined ? now : [...now, ...map(before, change.namespace)];
}

/**
 * Whether the change is of this kind. The group must match, but not the version: an object is stored in one version, and readers may use
 * others.
 */
function isOf(change: ObjectChange, { apiVersion, kind }: Source): boolean {
  if (change.group !== storedGroup(apiVersion, kind) || !change.mentions(`"${kind}"`)) return false;
  return ownField(change.object(), 'kind') === kind;
}

function storedGroup(apiVersion: string, kind: string): string | undefined {
  const group = parseApiVersion(apiVersion)?.group;
  return group === 'events.k8s.io' && kind === 'Event' ? '' : group;
}

/** Whether the log may contain objects of the reconciled kind. */
export const mayHold = (sequence: string, { for: own }: Pick<Declaration, 'for'>): boolean => isIn(sequence, own);

/** Whether a change in the log may lead to requests. */
export const mayConcern = (sequence: string, { for: own, owns, watches }: Declaration): boolean =>
  [own, ...owns, ...watches].some((source) => isIn(sequence, source));

function isIn(sequence: string, { apiVersion, kind }: Source): boolean {
  const [, group] = sequence.split('/');
  return group === 'control' || group === storedGroup(apiVersion, kind);
}

function passes(change: ObjectChange, given: Predicates | undefined, byDefault: readonly Aspect[]): boolean {
  const { changed = byDefault, labelSelector, namespaces } = given ?? {};
  if (namespaces !== undefined && !namespaces.includes(change.namespace)) return false;
  if (labelSelector !== undefined && !selects(labelSelector, change)) return false;
  return change.type !== 'MODIFIED' || changed.some((aspect) => hasChanged(change, aspect));
}

function selects(text: string, change: ObjectChange): boolean {
  const selector = parseSelector(text);
  const before = change.previous?.();
  return matches(selector, labelsOf(change.object())) || (before !== undefined && matches(selector, labelsOf(before)));
}

const ASPECTS: Readonly<Record<Exclude<Aspect, 'any' | 'generation'>, (object: JsonObject) => Json>> = {
  deletion: (object) => deletionTimeOf(object)?.getTime() ?? null,
  finalizers: finalizersOf,
  labels: labelsOf,
  annotations: annotationsOf,
  ownerReferences: (object) => ownField(metadataOf(object), 'ownerReferences') ?? [],
};

function hasChanged(change: ObjectChange, aspect: Aspect): boolean {
  const now = change.object();
  const before = change.previous?.();
  if (aspect === 'generation') return generationChanged(change, now, before);
  if (before === undefined) return aspect === 'any' || mayHaveChanged(aspect, now);
  if (aspect === 'any') return !equal(content(now), content(before));
  return !equal(ASPECTS[aspect](now), ASPECTS[aspect](before));
}

function generationChanged(change: ObjectChange, now: JsonObject, before: JsonObject | undefined): boolean {
  const generation = generationOf(now);
  if (generation === 0) return true; // the kind has no generation, so any change may be relevant
  const previous = before === undefined ? change.previousGeneration : generationOf(before);
  return previous === undefined || previous !== generation;
}

/**
 * Without the previous state, an aspect may always have changed, with one exception: a deletion cannot be undone, so an object that is not
 * being deleted never was.
 */
function mayHaveChanged(aspect: Exclude<Aspect, 'any' | 'generation'>, now: JsonObject): boolean {
  return aspect !== 'deletion' || isDeleting(now);
}

/** An object without the fields that every write changes. */
function content(object: JsonObject): JsonObject {
  const { resourceVersion: _, managedFields: __, ...metadata } = metadataOf(object);
  return { ...object, metadata };
}

type Map = (object: JsonObject, namespace: string) => Request[];

function controlledBy(own: Declaration['for']): Map {
  return (object, namespace) => {
    const controller = controllerOf(object);
    return controller !== undefined && names(controller, own) ? [ownerRequest(controller, own, namespace)] : [];
  };
}

function mapped(mapping: Mapping, own: Declaration['for']): Map {
  if ('owner' in mapping) {
    return (object, namespace) =>
      ownerReferencesOf(object)
        .filter((reference) => names(reference, own))
        .map((reference) => ownerRequest(reference, own, namespace));
  }
  if ('label' in mapping) return named(own, (object) => texts(labelsOf(object), mapping.label, mapping.namespaceLabel));
  if ('annotation' in mapping)
    return named(own, (object) => texts(annotationsOf(object), mapping.annotation, mapping.namespaceAnnotation));
  const { field, namespaceField } = mapping;
  return named(own, (object) => ({
    all: valuesAt(object, field),
    namespace: namespaceField === undefined ? undefined : valuesAt(object, namespaceField)[0],
  }));
}

interface Named {
  readonly all: readonly string[];
  readonly namespace: string | undefined;
}

function named(own: Declaration['for'], read: (object: JsonObject) => Named): Map {
  return (object, here) => {
    const { all, namespace = here } = read(object);
    return all.filter((name) => name !== '').map((name) => ({ namespace: own.clusterScoped ? '' : namespace, name }));
  };
}

function texts(from: Readonly<Record<string, string>>, key: string, namespaceKey: string | undefined): Named {
  const name = from[key];
  return {
    all: name === undefined ? [] : [name],
    namespace: namespaceKey === undefined ? undefined : from[namespaceKey],
  };
}

function names({ apiVersion, kind }: OwnerReference, own: Declaration['for']): boolean {
  return kind === own.kind && parseApiVersion(apiVersion)?.group === parseApiVersion(own.apiVersion)?.group;
}

function ownerRequest({ name }: OwnerReference, { clusterScoped }: Declaration['for'], namespace: string): Request {
  return { namespace: clusterScoped ? '' : namespace, name };
}

/** Returns the strings at a path such as `spec.volumes[].configMap.name`. */
function valuesAt(object: JsonObject, path: string): string[] {
  let values: Json[] = [object];
  for (const step of path.split('.')) {
    const isList = step.endsWith('[]');
    const field = isList ? step.slice(0, -2) : step;
    values = values.filter(isObject).flatMap((value) => ownField(value, field) ?? []);
  }
  return values.filter((value) => typeof value === 'string');
}

function unique(requests: readonly Request[]): readonly Request[] {
  const seen = new Map(requests.map((request) => [`${request.namespace}/${request.name}`, request]));
  return [...seen.values()];
}
