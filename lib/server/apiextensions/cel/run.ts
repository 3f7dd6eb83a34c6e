import type { FieldError } from '#lib/machinery/validation/field.ts';
import type { RuleMetrics } from './rule-metrics.ts';

/** One validation of an object: what it found, and what it may still cost; negative when it has ended. */
export interface Run {
  readonly errors: FieldError[];
  /** Errors that are forgiven, since an update left the value as it was. */
  readonly forgiven: FieldError[];
  budget: number;
  /** Whether Go holds the value that is validated next as a float64 though it is whole. */
  isFloat?: boolean;
  /** Are told how long it takes. Default nobody. */
  readonly metrics?: RuleMetrics | undefined;
}
