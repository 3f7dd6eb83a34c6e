import { typedPart } from '#lib/api/typed.ts';
import type { ControllerRevision, DaemonSet, StatefulSet } from '#lib/api/types/apps.v1.ts';
import type { PodTemplateSpec } from '#lib/api/types/core.v1.ts';
import type { OwnerReference } from '#lib/api/types/meta.v1.ts';
import { clone, equal, isObject, sortedByKey, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, creationTimeOf, labelsOf, nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { at } from '#lib/machinery/unstructured.ts';
import { defaultPodTemplate } from '#lib/registry/kinds/core/pod/defaults.ts';
import { templateHash } from '../workload/template-hash.ts';

/** An owner whose template is kept as revisions. */
export type Revisioned = DaemonSet | StatefulSet;

/** The label that tells pods of one revision from those of another. */
export const REVISION_LABEL = 'controller-revision-hash';
/** Characters of an owner's name in those of its revisions. */
const LONGEST_PREFIX = 223;

/**
 * The data of a revision of its owner: a strategic merge patch that brings the template back, which clients apply as well. They
 * know the revision that an owner is at by these bytes, so that fields stand in Go's order.
 */
const dataOf = ({ spec: { template } }: Revisioned): JsonObject => ({
  spec: { template: sortedByKey({ ...template, $patch: 'replace' }) },
});

/** The template that a revision keeps, with the defaults of today. */
export function templateAt({ data }: ControllerRevision): PodTemplateSpec {
  const kept = isObject(data) ? at(data, 'spec', 'template') : undefined;
  const { $patch: _, ...template } = clone(kept ?? {});
  const { metadata } = template;
  if (isObject(metadata) && metadata['creationTimestamp'] === null) delete metadata['creationTimestamp'];
  const typed = typedPart<PodTemplateSpec>(template);
  defaultPodTemplate(typed);
  return typed;
}

/** The owner as it was at a revision. */
export const restored = <O extends Revisioned>(owner: O, revision: ControllerRevision): O => ({
  ...owner,
  spec: { ...owner.spec, template: templateAt(revision) },
});

/** Whether the revision brings back the owner's template. Unlike other comparisons this one tells empty from absent. */
export const isRevisionOf = (owner: Revisioned, revision: ControllerRevision): boolean =>
  equal(templateAt(revision), owner.spec.template);

/** The number of a revision: the higher, the newer. */
export const numberOf = ({ revision }: ControllerRevision): number => Number(revision);

/** Orders revisions from old to new: by number, then by age, then by name. */
export function byNumber(a: ControllerRevision, b: ControllerRevision): number {
  const age = (one: ControllerRevision): number => creationTimeOf(one)?.getTime() ?? 0;
  return numberOf(a) - numberOf(b) || age(a) - age(b) || (nameOf(a) < nameOf(b) ? -1 : 1);
}

/** The owner's revision with this number. Its name follows from the template, so that a second try finds the first's. */
export function revisionFor(
  owner: Revisioned,
  reference: OwnerReference,
  { hashLabel, number, collisions }: { hashLabel: string; number: number; collisions: number | undefined },
): ControllerRevision {
  const { template } = owner.spec;
  const hash = templateHash(template, collisions);
  return {
    metadata: {
      name: `${nameOf(owner).slice(0, LONGEST_PREFIX)}-${hash}`,
      namespace: namespaceOf(owner),
      labels: { ...labelsOf(template), [hashLabel]: hash },
      annotations: { ...annotationsOf(owner) },
      ownerReferences: [reference],
    },
    data: dataOf(owner),
    revision: number,
  };
}
