import type { Job, PodFailurePolicyRule, SuccessPolicyRule } from '#lib/api/types/batch.v1.ts';
import { isIndexed } from '#lib/server/registry/kinds/batch/job-spec.ts';

/** A job's specification as the controller reads it; defaults are in it already. */
export interface JobSpec {
  readonly parallelism: number;
  readonly completions: number | undefined;
  readonly isIndexed: boolean;
  readonly backoffLimit: number;
  readonly backoffLimitPerIndex: number | undefined;
  readonly maxFailedIndexes: number | undefined;
  readonly activeDeadlineSeconds: number | undefined;
  readonly isSuspended: boolean;
  /** Whether a pod that is ending is replaced only when it has ended. */
  readonly replacesEndedOnly: boolean;
  readonly restartsOnFailure: boolean;
  /** Undefined where there is no policy. */
  readonly failureRules: readonly PodFailurePolicyRule[] | undefined;
  readonly successRules: readonly SuccessPolicyRule[];
}

/** Reads a job's specification. */
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

/** Whether someone else's controller looks after the job. */
export const isManagedElsewhere = ({ spec }: Job): boolean => ![OURS, ''].includes(spec.managedBy ?? '');
