import * as z from 'zod';
import { type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { typeMeta } from '../shared/args.ts';

/** Upstream's VolumeBindingArgs. */
export const volumeBindingArgs = z.strictObject({
  ...typeMeta,
  bindTimeoutSeconds: z.int().default(600),
  /** Used only with a feature gate that is off. */
  shape: z.unknown().optional(),
});
/** The plugin's arguments, with defaults set. */
export type VolumeBindingArgs = z.output<typeof volumeBindingArgs>;

/** Validates the arguments as upstream does. */
export function validateVolumeBindingArgs(
  { bindTimeoutSeconds, shape }: VolumeBindingArgs,
  path: FieldPath,
): FieldError[] {
  const negative = 'invalid BindTimeoutSeconds, should not be a negative value';
  const gated = 'unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring';
  return [
    ...(bindTimeoutSeconds < 0 ? [invalid(path.child('bindTimeoutSeconds'), bindTimeoutSeconds, negative)] : []),
    ...(shape === undefined || shape === null ? [] : [invalid(path.child('shape'), shape, gated)]),
  ];
}
