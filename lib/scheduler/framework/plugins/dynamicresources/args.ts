import * as z from 'zod';
import { durationText, parseDuration } from '#lib/machinery/duration.ts';
import { TimeError } from '#lib/machinery/time.ts';
import { type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { typeMeta } from '../shared/args.ts';

const SECOND = 1_000_000_000n;

/** A Go duration in nanoseconds. */
const duration = z.string().transform((text, context) => {
  try {
    return parseDuration(text);
  } catch (error) {
    if (!(error instanceof TimeError)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});

/** Upstream's DynamicResourcesArgs. */
export const dynamicResourcesArgs = z.strictObject({
  ...typeMeta,
  /**
   * The time limit of the device search on one node; 0 for no limit. Upstream's default is ten seconds. The default here is lower, because
   * the API server shares the processor.
   */
  filterTimeout: duration.default(SECOND),
  /** The time limit for preparing devices. */
  bindingTimeout: duration.default(600n * SECOND),
});
/** The plugin's arguments, with defaults set. Durations are in nanoseconds. */
export type DynamicResourcesArgs = z.output<typeof dynamicResourcesArgs>;

/** Validates the arguments as upstream does. */
export function validateDynamicResourcesArgs(
  { filterTimeout, bindingTimeout }: DynamicResourcesArgs,
  path: FieldPath,
): FieldError[] {
  return [
    ...(filterTimeout < 0n
      ? [invalid(path.child('filterTimeout'), durationText(filterTimeout), 'must be zero or positive')]
      : []),
    ...(bindingTimeout < SECOND
      ? [invalid(path.child('bindingTimeout'), durationText(bindingTimeout), 'must be at least 1 second')]
      : []),
  ];
}

/** Converts nanoseconds to milliseconds. */
export const milliseconds = (nanoseconds: bigint): number => Number(nanoseconds / 1_000_000n);
