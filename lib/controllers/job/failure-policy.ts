import type { PodFailurePolicyRule } from '#lib/api/types/batch.v1.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';

/** The verdict of a failure policy on a failed pod. */
export interface Verdict {
  /** Whether the failure counts towards the limits. */
  readonly counts: boolean;
  readonly failsIndex: boolean;
  /** The reason why the job fails with the pod. */
  readonly failsJob?: string;
}

const COUNTS: Verdict = { counts: true, failsIndex: false };

/** The first matching rule decides: upstream's matchPodFailurePolicy. */
export function verdictOn(pod: Pod, rules: readonly PodFailurePolicyRule[] | undefined): Verdict {
  for (const [i, rule] of (rules ?? []).entries()) {
    const why = rule.onExitCodes !== undefined ? byExitCode(pod, rule) : byCondition(pod, rule);
    if (why === undefined) continue;
    const { action } = rule;
    if (action === 'Ignore') return { ...COUNTS, counts: false };
    if (action === 'FailIndex') return { ...COUNTS, failsIndex: true };
    if (action === 'Count') return COUNTS;
    if (action === 'FailJob') return { ...COUNTS, failsJob: `${why} matching FailJob rule at index ${i}` };
  }
  return COUNTS;
}

const placeOf = (pod: Pod): string => `${namespaceOf(pod)}/${nameOf(pod)}`;

function byExitCode(pod: Pod, { onExitCodes }: PodFailurePolicyRule): string | undefined {
  const { containerName, operator, values } = onExitCodes ?? {};
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status;
  for (const { name, state } of [...containerStatuses, ...initContainerStatuses]) {
    const code = state.terminated?.exitCode ?? 0;
    if (code === 0 || (containerName !== undefined && containerName !== name)) continue;
    const isListed = (values ?? []).includes(code);
    if (isListed === (operator === 'In'))
      return `Container ${name} for pod ${placeOf(pod)} failed with exit code ${code}`;
  }
  return undefined;
}

function byCondition(pod: Pod, { onPodConditions = [] }: PodFailurePolicyRule): string | undefined {
  const found = pod.status.conditions?.find(({ type, status }) =>
    onPodConditions.some((pattern) => pattern.type === type && pattern.status === status),
  );
  return found === undefined ? undefined : `Pod ${placeOf(pod)} has condition ${found.type}`;
}
