import type { Int64, Time } from '#lib/api/types/scalars.ts';
import type { Condition } from '#lib/machinery/conditions.ts';
import { defined } from '#lib/machinery/defined.ts';

/** A condition as kinds store it. */
interface Stored {
  readonly type: string;
  readonly status: string;
  readonly observedGeneration?: Int64;
  readonly lastTransitionTime?: Time | null;
  readonly reason?: string;
  readonly message?: string;
}

/** The conditions of an object. Absent text fields are empty. */
export const conditionsIn = (conditions: readonly Stored[] | null | undefined): readonly Condition[] =>
  (conditions ?? []).map(conditionOf);

function conditionOf({ type, status, observedGeneration, ...rest }: Stored): Condition {
  return {
    type,
    status: status === 'True' || status === 'False' ? status : 'Unknown',
    ...defined({ observedGeneration: observedGeneration === undefined ? undefined : Number(observedGeneration) }),
    lastTransitionTime: rest.lastTransitionTime ?? '',
    reason: rest.reason ?? '',
    message: rest.message ?? '',
  };
}
