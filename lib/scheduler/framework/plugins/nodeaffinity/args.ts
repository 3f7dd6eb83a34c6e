import * as z from 'zod';
import {
  type NodeSelector,
  newNodeSelector,
  newPreferredSchedulingTerms,
  type PreferredSchedulingTerms,
} from '#lib/helpers/component-helpers/scheduling/corev1/node-affinity.ts';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { items } from '#lib/machinery/unstructured.ts';
import { type FieldError, FieldPath } from '#lib/machinery/validation/field.ts';
import { anObject, typeMeta } from '../shared/args.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Upstream's NodeAffinityArgs. `addedAffinity` is a NodeAffinity that applies to all pods in addition to their own. */
export const nodeAffinityArgs = z.strictObject({ ...typeMeta, addedAffinity: anObject.optional() });
/** The plugin's arguments, with defaults set. */
export type NodeAffinityArgs = z.output<typeof nodeAffinityArgs>;

/** The affinity that the plugin's arguments add to every pod. */
export interface AddedAffinity {
  readonly required: NodeSelector | undefined;
  readonly preferred: PreferredSchedulingTerms | undefined;
}

/** Parses the added affinity; `required` and `preferred` hold its errors. */
export function addedAffinity({ addedAffinity: added }: NodeAffinityArgs, path = FieldPath.of('args')): AddedAffinity {
  const under = path.child('addedAffinity');
  const selector = objectAt(added, REQUIRED);
  return {
    required: selector === undefined ? undefined : newNodeSelector(selector, under.child(REQUIRED)),
    preferred: preferredTerms(items(added, PREFERRED), under.child(PREFERRED)),
  };
}

/** The parsed terms; undefined if there are none. */
export const preferredTerms = (
  terms: readonly JsonObject[] = [],
  path?: FieldPath,
): PreferredSchedulingTerms | undefined => (terms.length === 0 ? undefined : newPreferredSchedulingTerms(terms, path));

/** The errors with which upstream rejects the arguments. */
export function validateNodeAffinityArgs(args: NodeAffinityArgs, path: FieldPath): FieldError[] {
  const { required, preferred } = addedAffinity(args, path);
  return [...(required?.errors ?? []), ...(preferred?.errors ?? [])];
}
