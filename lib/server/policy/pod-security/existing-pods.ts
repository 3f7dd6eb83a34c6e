import type { Pod } from '#lib/api/types/core.v1.ts';
import { quote } from '#lib/machinery/go.ts';
import { annotationsOf, controllerOf, nameOf } from '#lib/machinery/meta.ts';
import { evaluate, reasonsOf } from './evaluate.ts';
import { type LevelVersion, policyText } from './policy.ts';

/** Upstream's limit on the number of pods checked after a change of labels. */
const MAX_PODS = 3000;

interface Question {
  readonly namespace: string;
  readonly enforce: LevelVersion;
  readonly exemptRuntimeClasses: readonly string[];
  /** Whether the time for checking pods is over. */
  isLate(): boolean;
}

/** Returns the warnings about a namespace's existing pods after its labels become stricter. */
export function warningsOfExisting(pods: readonly Pod[], question: Question): string[] {
  const { namespace, enforce, isLate } = question;
  const judged = prioritized(pods, question.exemptRuntimeClasses);
  const names = new Map<string, string[]>();
  let checked = 0;
  for (const pod of judged.slice(0, MAX_PODS)) {
    const reasons = reasonsOf(evaluate(enforce, { annotations: annotationsOf(pod), spec: pod.spec }));
    if (reasons !== '') names.set(reasons, [...(names.get(reasons) ?? []), nameOf(pod)]);
    checked++;
    if (isLate()) break;
  }
  const cut = `new PodSecurity enforce level only checked against the first ${checked} of ${judged.length} existing pods`;
  const found = `existing pods in namespace ${quote(namespace)} violate the new PodSecurity enforce level ${quote(policyText(enforce))}`;
  return [
    ...(checked < judged.length ? [cut] : []),
    ...(names.size > 0 ? [found] : []),
    ...[...names].map(([reasons, violators]) => `${who(violators)}: ${reasons}`).sort(),
  ];
}

function who(names: readonly string[]): string {
  const [first = ''] = names.toSorted();
  if (names.length === 1) return first;
  return `${first} (and ${names.length - 1} other pod${names.length === 2 ? '' : 's'})`;
}

/** Puts one pod of each controller first, before similar pods. Omits pods of an exempt runtime class. */
function prioritized(pods: readonly Pod[], exempt: readonly string[]): Pod[] {
  const seen = new Set<string>();
  const first: Pod[] = [];
  const alike: Pod[] = [];
  for (const pod of pods) {
    if (exempt.includes(pod.spec.runtimeClassName ?? '')) continue;
    const owner = controllerOf(pod)?.uid;
    (owner !== undefined && seen.has(owner) ? alike : first).push(pod);
    if (owner !== undefined) seen.add(owner);
  }
  return [...first, ...alike];
}
