import type { Pod } from '#lib/api/types/core.v1.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import type { Extender, Victims } from '../extender.ts';
import { newStatus, type Status } from '../status.ts';

type Candidates = ReadonlyMap<string, Victims>;

/** The candidates that all preempting extenders accept, or an extender's error: upstream's callExtenders. */
export async function askExtenders(
  extenders: readonly Extender[],
  pod: Pod,
  given: Candidates,
): Promise<Candidates | Status> {
  let candidates = given;
  for (const extender of extenders) {
    if (candidates.size === 0) break;
    if (!extender.does.preempt || !extender.isInterested(pod)) continue;
    try {
      candidates = withVictims(await extender.processPreemption(pod, candidates), extender);
    } catch (error) {
      if (!extender.ignorable) return newStatus('Error', messageOfError(error));
    }
  }
  return candidates;
}

/** Keeps the candidates with victims. A node without victims is not a candidate. */
function withVictims(candidates: Candidates, { ignorable }: Extender): Candidates {
  const named = [...candidates].filter(([nodeName, { pods }]) => {
    if (pods.length === 0 && !ignorable) throw new Error(`expected at least one victim pod on node "${nodeName}"`);
    return pods.length > 0;
  });
  return new Map(named);
}
