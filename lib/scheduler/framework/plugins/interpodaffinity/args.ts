import * as z from 'zod';
import { type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { typeMeta } from '../shared/args.ts';

/** Upstream's InterPodAffinityArgs. */
export const interPodAffinityArgs = z.strictObject({
  ...typeMeta,
  /** The weight of an existing pod's required affinity to incoming pods. */
  hardPodAffinityWeight: z.int().default(1),
  /** Ignores the preferences of existing pods if the incoming pod has none. */
  ignorePreferredTermsOfExistingPods: z.boolean().default(false),
});
/** The plugin's arguments, with defaults set. */
export type InterPodAffinityArgs = z.infer<typeof interPodAffinityArgs>;

/** Upstream's ValidateInterPodAffinityArgs. */
export function validateInterPodAffinityArgs(
  { hardPodAffinityWeight }: InterPodAffinityArgs,
  path: FieldPath,
): FieldError[] {
  if (hardPodAffinityWeight >= 0 && hardPodAffinityWeight <= 100) return [];
  return [invalid(path.child('hardPodAffinityWeight'), hardPodAffinityWeight, 'not in valid range [0, 100]')];
}
