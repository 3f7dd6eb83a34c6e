import { messageOfError } from '#lib/machinery/error-message.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import { ContainerState, PodSandboxState } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { millisecondsOf } from '../container/helpers.ts';
import type { GarbageCollectOptions } from '../container/runtime.ts';
import { containerInfoFromLabels } from './container-info.ts';
import { type KillPorts, killContainer } from './kill-container.ts';
import { containerIDOfLogSymlink, LEGACY_LOGS_FOLDER } from './legacy-logs.ts';
import { listContainers, listSandboxes } from './list-pods.ts';
import { podUIDOfLogsDirectory } from './log-paths.ts';
import { type RemovePorts, removeContainer } from './remove-container.ts';
import type { RuntimePorts } from './runtime-ports.ts';

/** The ports of a garbage collection. */
export type CollectPorts = KillPorts & RemovePorts & Pick<RuntimePorts, 'podState' | 'settings'>;

interface DeadContainer {
  readonly id: string;
  readonly name: string;
  readonly uid: string;
  readonly createdAt: number;
  readonly isUnknown: boolean;
}

/**
 * Removes dead containers, then sandboxes without containers, then logs without a pod. A failure of one kind does not stop the others, and
 * is thrown at the end (upstream: containerGC.GarbageCollect).
 */
export async function garbageCollect(ports: CollectPorts, options: GarbageCollectOptions): Promise<void> {
  const errors: unknown[] = [];
  for (const step of [evictContainers, evictSandboxes, evictPodLogs]) {
    try {
      await step(ports, options);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, `[${errors.map(messageOfError).join(', ')}]`);
}

async function evictContainers(ports: CollectPorts, options: GarbageCollectOptions): Promise<void> {
  const { maxContainers, maxPerPodContainer } = options;
  let units = await deadContainers(ports, options);
  if (options.allSourcesReady) {
    const [gone, kept] = partition(units, ([{ uid } = NOBODY]) => isGone(ports, uid, options));
    await removeContainers(ports, gone.flat());
    units = kept;
  }
  if (maxPerPodContainer >= 0) units = await keepNewest(ports, units, maxPerPodContainer);
  if (maxContainers < 0 || units.flat().length <= maxContainers) return;
  units = await keepNewest(ports, units, Math.max(1, Math.floor(maxContainers / units.length)));
  await keepNewest(ports, [units.flat()], maxContainers);
}

const NOBODY = { uid: '' };

const isGone = ({ podState }: CollectPorts, uid: string, { evictTerminated }: GarbageCollectOptions): boolean =>
  podState.shouldPodContentBeRemoved(uid) || (evictTerminated && podState.shouldPodRuntimeBeRemoved(uid));

/** Containers that are not running and are old enough, by pod and name. */
async function deadContainers(
  { runtime, clock }: CollectPorts,
  { minAge }: GarbageCollectOptions,
): Promise<DeadContainer[][]> {
  const units = new Map<string, DeadContainer[]>();
  for (const { id, metadata, labels, state, createdAt: nanos } of await listContainers(runtime, {})) {
    const createdAt = millisecondsOf(nanos);
    if (state === ContainerState.CONTAINER_RUNNING || createdAt > clock.now() - minAge) continue;
    const uid = containerInfoFromLabels(labels).podUID;
    const name = metadata?.name ?? '';
    const key = `${uid}/${name}`;
    const unit = units.get(key) ?? [];
    units.set(key, unit);
    unit.push({ id, name, uid, createdAt, isUnknown: state === ContainerState.CONTAINER_UNKNOWN });
  }
  return [...units.values()];
}

/** Removes all but the newest `count` of each group. Returns the remaining ones. */
async function keepNewest(
  ports: CollectPorts,
  units: readonly DeadContainer[][],
  count: number,
): Promise<DeadContainer[][]> {
  const sorted = units.map((unit) => [...unit].sort((a, b) => b.createdAt - a.createdAt));
  for (const unit of sorted) await removeContainers(ports, unit.slice(count));
  return sorted.map((unit) => unit.slice(0, count)).filter(({ length }) => length > 0);
}

/** Removes containers, the last first. A container in an unknown state may be running, so it is killed first. */
async function removeContainers(ports: CollectPorts, containers: readonly DeadContainer[]): Promise<void> {
  for (const { id, name, isUnknown } of [...containers].reverse()) {
    const message = 'Container is in unknown state, try killing it before removal';
    try {
      if (isUnknown) await killContainer(ports, { pod: undefined, id, name, message, reason: 'Unknown' });
      await removeContainer(ports, id, { keepLogs: false });
    } catch (error) {
      ports.report(`removing the dead container ${name} (${id}) failed`, error);
    }
  }
}

/** Removes sandboxes that are neither ready nor hold containers. The newest sandbox of an existing pod stays. */
async function evictSandboxes(ports: CollectPorts, options: GarbageCollectOptions): Promise<void> {
  // Lists containers first: a sandbox created between the two calls has no container in this list, but it is ready.
  const inUse = new Set((await listContainers(ports.runtime, {})).map(({ podSandboxId }) => podSandboxId));
  const sandboxes = await listSandboxes(ports.runtime, {});
  for (const [uid, ofPod] of Map.groupBy(sandboxes, ({ metadata }) => metadata?.uid ?? '')) {
    const newestFirst = ofPod.sort((a, b) => (a.createdAt > b.createdAt ? -1 : 1));
    const removable = isGone(ports, uid, options) ? newestFirst : newestFirst.slice(1);
    for (const { id, state } of removable.reverse())
      if (state !== PodSandboxState.SANDBOX_READY && !inUse.has(id)) await removeSandbox(ports, id);
  }
}

async function removeSandbox({ runtime, report }: CollectPorts, podSandboxId: string): Promise<void> {
  try {
    await runtime.stopPodSandbox({ podSandboxId });
    await runtime.removePodSandbox({ podSandboxId });
  } catch (error) {
    report(`removing the sandbox ${podSandboxId} failed`, error);
  }
}

async function evictPodLogs(ports: CollectPorts, { allSourcesReady }: GarbageCollectOptions): Promise<void> {
  const { files, podState, settings, report } = ports;
  if (allSourcesReady)
    for (const name of await files.list(settings.podLogsRoot)) {
      if (!podState.shouldPodContentBeRemoved(podUIDOfLogsDirectory(name))) continue;
      await files
        .removeAll(`${settings.podLogsRoot}/${name}`)
        .catch((error: unknown) => report(`removing the logs of pod ${name} failed`, error));
    }
  for (const name of await files.list(LEGACY_LOGS_FOLDER)) {
    const link = `${LEGACY_LOGS_FOLDER}/${name}`;
    if (!name.endsWith('.log') || (await files.exists(link)) || (await mayWrite(ports, name))) continue;
    await files.remove(link).catch((error: unknown) => report(`removing the link ${link} failed`, error));
  }
}

/** Whether a link without a log may get one again, because its container has not exited and its log is being rotated. */
async function mayWrite({ runtime, report }: CollectPorts, link: string): Promise<boolean> {
  const containerId = containerIDOfLogSymlink(link);
  if (containerId === undefined) return false;
  try {
    const { status } = await runtime.containerStatus({ containerId });
    return status === undefined || status.state !== ContainerState.CONTAINER_EXITED;
  } catch (error) {
    if (!(error instanceof RpcError && error.code === 'NotFound'))
      report(`the status of the container of link ${link} is not known`, error);
    return false;
  }
}

function partition<T>(items: readonly T[], holds: (item: T) => boolean): [T[], T[]] {
  return [items.filter(holds), items.filter((item) => !holds(item))];
}
