import { conditionOf, conditionsOf, timeOf } from '#lib/controllers/workload/conditions.ts';
import { defined } from '#lib/machinery/defined.ts';
import { quote } from '#lib/machinery/go.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { generationOf } from '#lib/machinery/meta.ts';
import { flag, items, text } from '#lib/machinery/unstructured.ts';
import { containersIn, lastTerminated, running, terminated } from './container-status.ts';
import { statusOf, type Phase, type Statuses } from './phase.ts';

/** The facts that conditions follow from. */
export interface Observed {
  readonly pod: JsonObject;
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

/** The pod's conditions: the kubelet's own anew, those of others as they are. Upstream: pkg/kubelet/status/generate.go. */
export function podConditions(observed: Observed): JsonObject[] {
  const { pod, hasSandbox, now } = observed;
  const before = conditionsOf(pod);
  const containersReady = containersReadiness(observed);
  const said: readonly (readonly [string, Said])[] = [
    ['PodReadyToStartContainers', hasSandbox ? TRUE : FALSE],
    ['Initialized', initialization(observed)],
    ['Ready', containersReady.status === 'True' ? gatesReadiness(pod) : containersReady],
    ['ContainersReady', containersReady],
    ['PodScheduled', TRUE],
  ];
  const own = said.map(([type, { status, ...why }]): JsonObject => {
    const held = conditionOf(before, type);
    const isSame = text(held, 'status') === status;
    const lastTransitionTime = isSame ? text(held, 'lastTransitionTime') : timeOf(now);
    return { type, status, ...why, lastProbeTime: null, lastTransitionTime, observedGeneration: generationOf(pod) };
  });
  return [...before.filter((one) => !OWNED.includes(text(one, 'type'))), ...own];
}

const why = (reason: string, message?: string): Said => ({
  status: 'False',
  reason,
  ...defined({ message }),
});

const names = (containers: readonly { readonly spec: JsonObject }[]): string =>
  `[${containers.map(({ spec }) => text(spec, 'name')).join(' ')}]`;

function containersReadiness({ pod, statuses, phase }: Observed): Said {
  if (phase === 'Failed') return why('PodFailed');
  if (phase === 'Succeeded') return why('PodCompleted');
  const sidecars = containersIn(pod, 'initContainers').filter(({ kind }) => kind === 'sidecar');
  const unready = [...sidecars, ...containersIn(pod, 'containers')].filter(
    (one) => flag(statusOf(statuses, one), 'ready') !== true,
  );
  return unready.length === 0 ? TRUE : why('ContainersNotReady', `containers with unready status: ${names(unready)}`);
}

function initialization({ pod, statuses, phase }: Observed): Said {
  if (phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' };
  const isStarted = containersIn(pod, 'containers').some((one) => {
    const status = statusOf(statuses, one);
    return running(status) !== undefined || terminated(status) !== undefined || lastTerminated(status) !== undefined;
  });
  const incomplete = containersIn(pod, 'initContainers').filter(
    (one) => flag(statusOf(statuses, one), one.kind === 'sidecar' ? 'started' : 'ready') !== true,
  );
  if (isStarted || incomplete.length === 0) return TRUE;
  return why('ContainersNotInitialized', `containers with incomplete status: ${names(incomplete)}`);
}

function gatesReadiness(pod: JsonObject): Said {
  const held = conditionsOf(pod);
  const missing = items(objectAt(pod, 'spec'), 'readinessGates').flatMap((gate) => {
    const type = text(gate, 'conditionType');
    const condition = conditionOf(held, type);
    if (condition === undefined)
      return [`corresponding condition of pod readiness gate ${quote(type)} does not exist.`];
    const status = text(condition, 'status');
    return status === 'True' ? [] : [`the status of pod readiness gate ${quote(type)} is not "True", but ${status}`];
  });
  return missing.length === 0 ? TRUE : why('ReadinessGatesNotReady', missing.join(', '));
}
