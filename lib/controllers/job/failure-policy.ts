import { arrayAt, objectAt, ownField, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { at, count, has, items, text } from '#lib/machinery/unstructured.ts';

/** What a failure policy makes of a pod that failed. */
export interface Verdict {
  /** Whether the failure counts towards the limits. */
  readonly counts: boolean;
  readonly failsIndex: boolean;
  /** Why the job fails with it. */
  readonly failsJob?: string;
}

const COUNTS: Verdict = { counts: true, failsIndex: false };

/** The first rule that matches decides: upstream's matchPodFailurePolicy. */
export function verdictOn(pod: JsonObject, rules: readonly JsonObject[] | undefined): Verdict {
  for (const [i, rule] of (rules ?? []).entries()) {
    const why = has(rule, 'onExitCodes') ? byExitCode(pod, rule) : byCondition(pod, rule);
    if (why === undefined) continue;
    const action = text(rule, 'action');
    if (action === 'Ignore') return { ...COUNTS, counts: false };
    if (action === 'FailIndex') return { ...COUNTS, failsIndex: true };
    if (action === 'Count') return COUNTS;
    if (action === 'FailJob') return { ...COUNTS, failsJob: `${why} matching FailJob rule at index ${i}` };
  }
  return COUNTS;
}

const placeOf = (pod: JsonObject): string => `${namespaceOf(pod)}/${nameOf(pod)}`;

function byExitCode(pod: JsonObject, rule: JsonObject): string | undefined {
  const wanted = objectAt(rule, 'onExitCodes');
  const name = stringAt(wanted, 'containerName');
  const status = objectAt(pod, 'status');
  for (const container of [...items(status, 'containerStatuses'), ...items(status, 'initContainerStatuses')]) {
    const terminated = at(container, 'state', 'terminated');
    const code = Number(count(terminated, 'exitCode'));
    if (code === 0 || (name !== undefined && name !== text(container, 'name'))) continue;
    const isListed = arrayAt(wanted, 'values').some((value) => Number(value) === code);
    if (isListed === (ownField(wanted, 'operator') === 'In'))
      return `Container ${text(container, 'name')} for pod ${placeOf(pod)} failed with exit code ${code}`;
  }
  return undefined;
}

function byCondition(pod: JsonObject, rule: JsonObject): string | undefined {
  const patterns = items(rule, 'onPodConditions');
  const found = items(objectAt(pod, 'status'), 'conditions').find((condition) =>
    patterns.some(
      (pattern) =>
        text(pattern, 'type') === text(condition, 'type') && text(pattern, 'status') === text(condition, 'status'),
    ),
  );
  return found === undefined ? undefined : `Pod ${placeOf(pod)} has condition ${text(found, 'type')}`;
}
