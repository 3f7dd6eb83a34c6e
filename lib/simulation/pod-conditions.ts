import type { Pod, PodCondition } from '#lib/api/types/core.v1.ts';
import { findCondition, transitioned } from '#lib/machinery/conditions.ts';
import { defined } from '#lib/machinery/defined.ts';
import { quote } from '#lib/machinery/go.ts';
import { generationOf } from '#lib/machinery/meta.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import {
  type Container,
  containersIn,
  lastTerminationState,
  runningState,
  terminatedState,
} from './container-status.ts';
import { type Phase, type Statuses, statusOf } from './phase.ts';

/** The facts that determine the conditions. */
export interface Observed {
  readonly pod: Pod;
  readonly statuses: Statuses;
  readonly phase: Phase;
  /** Whether the pod has its network. */
  readonly hasSandbox: boolean;
  readonly now: number;
}

interface Said {
  readonly status: 'True' | 'False';
  readonly reason?: string;
  readonly message?: string;
}

const TRUE: Said = { status: 'True' };
const FALSE: Said = { status: 'False' };
const OWNED = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];

/** The pod's conditions. Recomputes the kubelet's own and keeps the others. Upstream: pkg/kubelet/status/generate.go. */
export function podConditions(observed: Observed): PodCondition[] {
  const { pod, hasSandbox, now } = observed;
  const { conditions: before = [] } = pod.status;
  const containersReady = containersReadiness(observed);
  const said: readonly (readonly [string, Said])[] = [
    ['PodReadyToStartContainers', hasSandbox ? TRUE : FALSE],
    ['Initialized', initialization(observed)],
    ['Ready', containersReady.status === 'True' ? gatesReadiness(pod) : containersReady],
    ['ContainersReady', containersReady],
    ['PodScheduled', TRUE],
  ];
  const own = said.map(([type, { status, ...told }]): PodCondition => {
    const times = { lastProbeTime: null, lastTransitionTime: timeOf(now) };
    const condition = { type, status, ...told, ...times, observedGeneration: generationOf(pod) };
    return transitioned<PodCondition>(condition, findCondition(before, type));
  });
  return [...before.filter(({ type }) => !OWNED.includes(type)), ...own];
}

const why = (reason: string, message?: string): Said => ({
  status: 'False',
  reason,
  ...defined({ message }),
});

const names = (containers: readonly Container[]): string => `[${containers.map(({ spec }) => spec.name).join(' ')}]`;

function containersReadiness({ pod, statuses, phase }: Observed): Said {
  if (phase === 'Failed') return why('PodFailed');
  if (phase === 'Succeeded') return why('PodCompleted');
  const sidecars = containersIn(pod, 'initContainers').filter(({ kind }) => kind === 'sidecar');
  const unready = [...sidecars, ...containersIn(pod, 'containers')].filter(
    (one) => statusOf(statuses, one)?.ready !== true,
  );
  return unready.length === 0 ? TRUE : why('ContainersNotReady', `containers with unready status: ${names(unready)}`);
}

function initialization({ pod, statuses, phase }: Observed): Said {
  if (phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' };
  const isStarted = containersIn(pod, 'containers').some((one) => {
    const status = statusOf(statuses, one);
    return (
      runningState(status) !== undefined ||
      terminatedState(status) !== undefined ||
      lastTerminationState(status) !== undefined
    );
  });
  const incomplete = containersIn(pod, 'initContainers').filter(
    (one) => statusOf(statuses, one)?.[one.kind === 'sidecar' ? 'started' : 'ready'] !== true,
  );
  if (isStarted || incomplete.length === 0) return TRUE;
  return why('ContainersNotInitialized', `containers with incomplete status: ${names(incomplete)}`);
}

function gatesReadiness({ spec: { readinessGates = [] }, status: { conditions: held = [] } }: Pod): Said {
  const missing = readinessGates.flatMap(({ conditionType: type }) => {
    const condition = findCondition(held, type);
    if (condition === undefined)
      return [`corresponding condition of pod readiness gate ${quote(type)} does not exist.`];
    const { status } = condition;
    return status === 'True' ? [] : [`the status of pod readiness gate ${quote(type)} is not "True", but ${status}`];
  });
  return missing.length === 0 ? TRUE : why('ReadinessGatesNotReady', missing.join(', '));
}
