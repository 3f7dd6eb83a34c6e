import { decodeType } from '#lib/api/codec/decode.ts';
import { DecodeError } from '#lib/api/codec/error.ts';
import { typedPart } from '#lib/api/typed.ts';
import type { ControllerRevision, DaemonSet, StatefulSet } from '#lib/api/types/apps.v1.ts';
import type { PodTemplateSpec } from '#lib/api/types/core.v1.ts';
import type { OwnerReference } from '#lib/api/types/meta.v1.ts';
import { typeFacts } from '#lib/api/types.ts';
import { equal, isObject, type JsonObject, sortedByKey } from '#lib/machinery/json-value.ts';
import { annotationsOf, creationTimeOf, labelsOf, nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { QuantityError } from '#lib/machinery/resource/quantity.ts';
import { TimeError } from '#lib/machinery/time.ts';
import { at } from '#lib/machinery/unstructured.ts';
import { defaultPodTemplate } from '#lib/server/registry/kinds/core/pod/defaults.ts';
import { templateHash } from '../workload/template-hash.ts';

/** An owner whose templates are kept as revisions. */
export type Revisioned = DaemonSet | StatefulSet;

/** The label that distinguishes pods of one revision from those of another. */
export const REVISION_LABEL = 'controller-revision-hash';
/** The maximum length of the owner's name in the names of its revisions, in characters. */
const LONGEST_PREFIX = 223;

/**
 * The data of an owner's revision: a strategic merge patch that restores the template, which clients apply as well. Clients identify
 * an owner's current revision by these bytes, so fields have Go's order.
 */
const dataOf = ({ spec: { template } }: Revisioned): JsonObject => ({
  spec: { template: sortedByKey({ ...template, $patch: 'replace' }) },
});

const TEMPLATE = typeFacts('core.v1.PodTemplateSpec');

/** Users may write the data of a revision, so it is decoded like a request. */
function templateIn({ data }: ControllerRevision): { template: PodTemplateSpec; unknown: readonly string[] } {
  const { $patch: _, ...kept } = (isObject(data) ? at(data, 'spec', 'template') : undefined) ?? {};
  const { object, unknown } = decodeType(TEMPLATE, kept);
  const template = typedPart<PodTemplateSpec>(object);
  defaultPodTemplate(template);
  return { template, unknown };
}

/**
 * The template stored in a revision, with current defaults. Throws DecodeError, or the error of a quantity or time, if its data is not a
 * template.
 */
export const templateAt = (revision: ControllerRevision): PodTemplateSpec => templateIn(revision).template;

/** The owner as of a revision. Throws as `templateAt` does. */
export const restored = <O extends Revisioned>(owner: O, revision: ControllerRevision): O => ({
  ...owner,
  spec: { ...owner.spec, template: templateAt(revision) },
});

const UNDECODED = [DecodeError, QuantityError, TimeError];

/**
 * Whether the revision has the owner's template. Unlike other comparisons, this one distinguishes empty from absent. False for data that
 * is not a template.
 */
export function isRevisionOf(owner: Revisioned, revision: ControllerRevision): boolean {
  try {
    const { template, unknown } = templateIn(revision);
    return unknown.length === 0 && equal(template, owner.spec.template);
  } catch (error) {
    if (UNDECODED.some((known) => error instanceof known)) return false;
    throw error;
  }
}

/** The number of a revision. A higher number is newer. */
export const numberOf = ({ revision }: ControllerRevision): number => Number(revision);

/** Orders revisions from old to new: by number, then by age, then by name. */
export function byNumber(a: ControllerRevision, b: ControllerRevision): number {
  const age = (one: ControllerRevision): number => creationTimeOf(one)?.getTime() ?? 0;
  return numberOf(a) - numberOf(b) || age(a) - age(b) || (nameOf(a) < nameOf(b) ? -1 : 1);
}

/** The owner's revision with this number. Its name is derived from the template, so a retry finds the revision of the first attempt. */
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
