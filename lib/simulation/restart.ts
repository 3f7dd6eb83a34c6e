import { arrayAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';

const FIRST = 10_000;
const LONGEST = 300_000;
/** A container that ran so long has recovered. */
const RECOVERED = 2 * LONGEST;

/** Whether a container that ended with this code is started again: upstream's ContainerShouldRestart. */
export function isRestarted(container: JsonObject, pod: JsonObject, exitCode: number): boolean {
  const own = text(container, 'restartPolicy');
  if (own !== '' && items(container, 'restartPolicyRules').some((rule) => matches(rule, exitCode))) return true;
  const policy = own === '' ? text(at(pod, 'spec'), 'restartPolicy') : own;
  if (policy === 'OnFailure') return exitCode !== 0;
  return policy !== 'Never';
}

function matches(rule: JsonObject, exitCode: number): boolean {
  const codes = at(rule, 'exitCodes');
  const isIn = arrayAt(codes, 'values').some((value) => Number(value) === exitCode);
  return codes !== undefined && (text(codes, 'operator') === 'NotIn' ? !isIn : isIn);
}

/**
 * Milliseconds from a container's end to its next start: none, then 10 s, doubled up to five minutes, as the kubelet's. It follows from
 * the count of restarts alone, so that a restarted server goes on; a container that ran for ten minutes starts at once.
 */
export function backoffOf(restartCount: number, ran: number): number {
  if (restartCount === 0 || ran >= RECOVERED) return 0;
  return Math.min(LONGEST, FIRST * 2 ** (restartCount - 1));
}
