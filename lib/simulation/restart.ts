import type { ContainerRestartRule, Pod } from '#lib/api/types/core.v1.ts';
import type { Container } from './container-status.ts';

const FIRST = 10_000;
const LONGEST = 300_000;
/** A container that ran so long has recovered. */
const RECOVERED = 2 * LONGEST;

/** Whether a container that ended with this code is started again: upstream's ContainerShouldRestart. */
export function isRestarted(container: Container['spec'], pod: Pod, exitCode: number): boolean {
  const { restartPolicy: own = '', restartPolicyRules = [] } = container;
  if (own !== '' && restartPolicyRules.some((rule) => matches(rule, exitCode))) return true;
  const policy = own === '' ? pod.spec.restartPolicy : own;
  if (policy === 'OnFailure') return exitCode !== 0;
  return policy !== 'Never';
}

function matches({ exitCodes: codes }: ContainerRestartRule, exitCode: number): boolean {
  if (codes === undefined) return false;
  const isIn = codes.values?.includes(exitCode) === true;
  return codes.operator === 'NotIn' ? !isIn : isIn;
}

/**
 * Milliseconds from a container's end to its next start: none, then 10 s, doubled up to five minutes, as the kubelet's. It follows from
 * the count of restarts alone, so that a restarted server goes on; a container that ran for ten minutes starts at once.
 */
export function backoffOf(restartCount: number, ran: number): number {
  if (restartCount === 0 || ran >= RECOVERED) return 0;
  return Math.min(LONGEST, FIRST * 2 ** (restartCount - 1));
}
