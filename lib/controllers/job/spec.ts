import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, flag, integer, items, text } from '#lib/machinery/unstructured.ts';
import { isIndexed } from '#lib/registry/kinds/batch/job-spec.ts';

/** What the controller asks of a job's specification; defaults are in it already. */
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
  readonly failureRules: readonly JsonObject[] | undefined;
  readonly successRules: readonly JsonObject[];
}

export function specOf(job: JsonObject): JobSpec {
  const spec = objectAt(job, 'spec') ?? {};
  const number = (field: string): number | undefined => {
    const value = integer(spec, field);
    return value === undefined ? undefined : Number(value);
  };
  const failurePolicy = objectAt(spec, 'podFailurePolicy');
  return {
    parallelism: number('parallelism') ?? 1,
    completions: number('completions'),
    isIndexed: isIndexed(spec),
    backoffLimit: number('backoffLimit') ?? 6,
    backoffLimitPerIndex: number('backoffLimitPerIndex'),
    maxFailedIndexes: number('maxFailedIndexes'),
    activeDeadlineSeconds: number('activeDeadlineSeconds'),
    isSuspended: flag(spec, 'suspend') === true,
    replacesEndedOnly: text(spec, 'podReplacementPolicy') === 'Failed' || failurePolicy !== undefined,
    restartsOnFailure: text(at(spec, 'template', 'spec'), 'restartPolicy') === 'OnFailure',
    failureRules: failurePolicy === undefined ? undefined : items(failurePolicy, 'rules'),
    successRules: items(objectAt(spec, 'successPolicy'), 'rules'),
  };
}

const OURS = 'kubernetes.io/job-controller';

/** Whether someone else's controller looks after the job. */
export const isManagedElsewhere = (job: JsonObject): boolean =>
  ![OURS, ''].includes(text(objectAt(job, 'spec'), 'managedBy'));
