import { typedPart } from '#lib/api/typed.ts';
import { clone, equal, objectAt, sortedByKey, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, creationTimeOf, labelsOf, nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { at, count, integer } from '#lib/machinery/unstructured.ts';
import { defaultPodTemplate } from '#lib/registry/kinds/core/pod/defaults.ts';
import { templateHash } from '../workload/template-hash.ts';

/** The label that tells pods of one revision from those of another. */
export const REVISION_LABEL = 'controller-revision-hash';
/** Characters of an owner's name in those of its revisions. */
const LONGEST_PREFIX = 223;

const templateOf = (owner: JsonObject): JsonObject => at(owner, 'spec', 'template') ?? {};

/**
 * What a revision keeps of its owner: a strategic merge patch that brings the template back, which clients apply as well. They
 * know the revision that an owner is at by these bytes, so that fields stand in Go's order.
 */
const dataOf = (owner: JsonObject): JsonObject => ({
  spec: { template: sortedByKey({ ...templateOf(owner), $patch: 'replace' }) },
});

/** The template that a revision keeps, with the defaults of today. */
export function templateAt(revision: JsonObject): JsonObject {
  const { $patch: _, ...template } = clone(at(revision, 'data', 'spec', 'template') ?? {});
  const metadata = objectAt(template, 'metadata');
  if (metadata?.['creationTimestamp'] === null) delete metadata['creationTimestamp'];
  defaultPodTemplate(typedPart(template));
  return template;
}

/** The owner as it was at a revision. */
export const restored = (owner: JsonObject, revision: JsonObject): JsonObject => ({
  ...owner,
  spec: { ...objectAt(owner, 'spec'), template: templateAt(revision) },
});

/** Whether the revision brings back what the owner asks for. Unlike other comparisons this one tells empty from absent. */
export const isRevisionOf = (owner: JsonObject, revision: JsonObject): boolean =>
  equal(templateAt(revision), templateOf(owner));

export const numberOf = (revision: JsonObject): number => Number(count(revision, 'revision'));

export function byNumber(a: JsonObject, b: JsonObject): number {
  const age = (one: JsonObject): number => creationTimeOf(one)?.getTime() ?? 0;
  return numberOf(a) - numberOf(b) || age(a) - age(b) || (nameOf(a) < nameOf(b) ? -1 : 1);
}

/** How often a name was found taken; undefined where the owner does not tell. */
export function collisionsOf(owner: JsonObject): number | undefined {
  const held = integer(objectAt(owner, 'status'), 'collisionCount');
  return held === undefined ? undefined : Number(held);
}

/** The owner's revision with this number. Its name follows from the template, so that a second try finds the first's. */
export function revisionFor(
  owner: JsonObject,
  reference: JsonObject,
  { hashLabel, number, collisions }: { hashLabel: string; number: number; collisions: number | undefined },
): JsonObject {
  const hash = templateHash(templateOf(owner), collisions);
  return {
    metadata: {
      name: `${nameOf(owner).slice(0, LONGEST_PREFIX)}-${hash}`,
      namespace: namespaceOf(owner),
      labels: { ...labelsOf(templateOf(owner)), [hashLabel]: hash },
      annotations: { ...annotationsOf(owner) },
      ownerReferences: [reference],
    },
    data: dataOf(owner),
    revision: number,
  };
}
