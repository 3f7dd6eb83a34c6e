import type { FieldError, FieldPath } from '#lib/machinery/validation/field.ts';
import type { PodValidationOptions } from './options.ts';

/** The things that a projection's sources share: the volume's path, and the file paths that are taken. */
export interface Projection {
  readonly path: FieldPath;
  readonly options: PodValidationOptions;
  /** An error where an earlier source has the same file; `shown` is the value in the message. */
  readonly claim: (file: string, shown?: string) => FieldError[];
}
