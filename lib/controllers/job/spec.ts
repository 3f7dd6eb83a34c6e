import type { Job, PodFailurePolicyRule, SuccessPolicyRule } from '#lib/api/types/batch.v1.ts';
import { isIndexed } from '#lib/server/registry/kinds/batch/job-spec.ts';

/** A job's specification as the controller reads it, with defaults applied. */
export interface JobSpec {
  readonly parallelism: number;
  readonly completions: number | undefined;
  readonly isIndexed: boolean;
  readonly backoffLimit: number;
  readonly backoffLimitPerIndex: number | undefined;
  readonly maxFailedIndexes: number | undefined;
  readonly activeDeadlineSeconds: number | undefined;
  readonly isSuspended: boolean;
  /** Whether a terminating pod is replaced only after it has ended. */
  readonly replacesEndedOnly: boolean;
  readonly restartsOnFailure: boolean;
  /** Undefined if there is no policy. */
  readonly failureRules: readonly PodFailurePolicyRule[] | undefined;
  readonly successRules: readonly SuccessPolicyRule[];
}

/** Converts a job's specification. */
export function specOf({ spec }: Job): JobSpec {
  const { activeDeadlineSeconds: deadline, podFailurePolicy: failurePolicy } = spec;
  return {
    parallelism: spec.parallelism ?? 1,
    completions: spec.completions,
    isIndexed: isIndexed(spec),
    backoffLimit: spec.backoffLimit ?? 6,
    backoffLimitPerIndex: spec.backoffLimitPerIndex,
    maxFailedIndexes: spec.maxFailedIndexes,
    activeDeadlineSeconds: deadline === undefined ? undefined : Number(deadline),
    isSuspended: spec.suspend === true,
    replacesEndedOnly: spec.podReplacementPolicy === 'Failed' || failurePolicy !== undefined,
    restartsOnFailure: spec.template.spec.restartPolicy === 'OnFailure',
    failureRules: failurePolicy === undefined ? undefined : (failurePolicy.rules ?? []),
    successRules: spec.successPolicy?.rules ?? [],
  };
}

const OURS = 'kubernetes.io/job-controller';

/** Whether another controller manages the job. */
export const isManagedElsewhere = ({ spec }: Job): boolean => ![OURS, ''].includes(spec.managedBy ?? '');
