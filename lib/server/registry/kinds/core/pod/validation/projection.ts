import type { FieldError, FieldPath } from '#lib/machinery/validation/field.ts';
import type { PodValidationOptions } from './options.ts';

/** The state shared by a projection's sources: the volume's path and the file paths in use. */
export interface Projection {
  readonly path: FieldPath;
  readonly options: PodValidationOptions;
  /** Returns an error if an earlier source uses the same file. `shown` is the value in the message. */
  readonly claim: (file: string, shown?: string) => FieldError[];
}
