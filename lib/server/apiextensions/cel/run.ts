import type { FieldError } from '#lib/machinery/validation/field.ts';
import type { RuleMetrics } from './rule-metrics.ts';

/** One validation of an object: its errors and its remaining budget, which is negative after the validation has ended. */
export interface Run {
  readonly errors: FieldError[];
  /** Errors that are ratcheted because an update left the value unchanged. */
  readonly forgiven: FieldError[];
  budget: number;
  /** Whether Go represents the next validated value as a float64 although it is a whole number. */
  isFloat?: boolean;
  /** Receives durations. Default none. */
  readonly metrics?: RuleMetrics | undefined;
}
