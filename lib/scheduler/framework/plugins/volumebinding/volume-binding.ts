import type { PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import { notOwned, podClaims } from '#lib/helpers/component-helpers/storage/ephemeral/pod-claims.ts';
import { annotated, SELECTED_NODE } from '#lib/helpers/component-helpers/storage/volume/annotations.ts';
import { boundVolume } from '#lib/helpers/component-helpers/storage/volume/bind.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import type { StateData, StateKey } from '../../cycle-state.ts';
import type { Handle, PluginFactory } from '../../interface.ts';
import type { PodInfo } from '../../pod-info.ts';
import { newStatus, type Outcome, SKIP, type Status } from '../../status.ts';
import type { VolumeBindingArgs } from './args.ts';
import { awaitBound, writeVolumes } from './bind.ts';
import { EVENTS } from './events.ts';
import { findPodVolumes } from './find.ts';
import {
  areBound,
  type Caches,
  newCaches,
  type PodVolumeClaims,
  type PodVolumes,
  podVolumeClaims,
} from './pod-volumes.ts';

/** The volumes of a pod during an attempt. Trials of preemption share it, because volumes do not depend on other pods. */
class Found implements StateData {
  readonly claims: PodVolumeClaims;
  readonly byNode = new Map<string, PodVolumes>();
  /** Whether all claims are bound, so that there is nothing to write. */
  isDone = false;
  /** The assumed states that are written to the server. */
  readonly written = new Set<JsonObject>();

  constructor(claims: PodVolumeClaims) {
    this.claims = claims;
  }

  clone(): this {
    return this;
  }
}

const STATE: StateKey<Found> = { name: 'VolumeBinding' };

/** Schedules a pod to nodes that can use its volumes. Binds or provisions the volumes of delayed claims after a node is chosen. */
export const volumeBinding: PluginFactory<VolumeBindingArgs> = ({ bindTimeoutSeconds: seconds }, handle) => {
  const caches = newCaches(handle);
  return {
    name: 'VolumeBinding',
    eventsToRegister: () => EVENTS,
    preFilter(state, pod) {
      const found = preFilter(handle, caches, pod);
      if ('code' in found) return { status: found };
      state.write(STATE, new Found(found));
      return {};
    },
    filter(state, _pod, node) {
      const found = state.read(STATE);
      if (found === undefined) return undefined;
      const volumes = findPodVolumes(handle, caches, found.claims, node);
      if ('code' in volumes) return volumes;
      found.byNode.set(node.name, volumes);
      return undefined;
    },
    reserve(state, pod, nodeName) {
      const found = state.read(STATE);
      return found && reserve(caches, found, pod, nodeName);
    },
    unreserve(state, _pod, nodeName) {
      const found = state.read(STATE);
      if (found !== undefined) unreserve(caches, found, nodeName);
    },
    preBindPreFlight(state) {
      const found = state.read(STATE);
      return found === undefined || found.isDone ? SKIP : undefined;
    },
    async preBind(state, pod, nodeName) {
      const found = state.read(STATE);
      if (found === undefined || found.isDone) return undefined;
      const volumes = found.byNode.get(nodeName);
      if (volumes === undefined) return newStatus('Error', `no pod volume found for node "${nodeName}"`);
      await writeVolumes(handle, volumes, found.written);
      const why = await awaitBound(handle, pod, nodeName, { volumes, seconds });
      return why === undefined ? undefined : newStatus('Error', `binding volumes: ${why}`);
    },
  };
};

function preFilter(handle: Handle, caches: Caches, pod: PodInfo): PodVolumeClaims | Status {
  if (podClaims(pod.pod).length === 0) return SKIP;
  const broken = brokenClaim(handle, pod);
  if (broken !== undefined) return newStatus('UnschedulableAndUnresolvable', broken);
  const claims = podVolumeClaims(handle, caches, pod);
  if (typeof claims === 'string') return newStatus('Error', claims);
  return claims.immediate.length === 0
    ? claims
    : newStatus('UnschedulableAndUnresolvable', 'pod has unbound immediate PersistentVolumeClaims');
}

/** The reason why no node fits: the first missing or unusable claim. */
function brokenClaim(handle: Handle, { pod, namespace }: PodInfo): string | undefined {
  for (const { name, isEphemeral } of podClaims(pod)) {
    const claim = handle.lister('persistentvolumeclaims').get(namespace, name);
    const why = claim === undefined ? missing(name, isEphemeral) : amiss(claim, name);
    if (why !== undefined) return why;
    const foreign = isEphemeral && claim !== undefined ? notOwned(pod, claim) : undefined;
    if (foreign !== undefined) return foreign;
  }
  return undefined;
}

const missing = (name: string, isEphemeral: boolean): string =>
  isEphemeral
    ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`
    : `persistentvolumeclaim "${name}" not found`;

function amiss(claim: PersistentVolumeClaim, name: string): string | undefined {
  if (claim.status.phase === 'Lost')
    return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec.volumeName ?? ''}"`;
  return isDeleting(claim) ? `persistentvolumeclaim "${name}" is being deleted` : undefined;
}

/** Assumes the states that preBind writes. After a failure, `unreserve` restores them all. */
function reserve(caches: Caches, found: Found, pod: PodInfo, nodeName: string): Outcome {
  const volumes = found.byNode.get(nodeName);
  found.isDone = volumes === undefined || areBound(caches, pod);
  if (volumes === undefined || found.isDone) return undefined;
  const bindings = volumes.bindings.map(({ claim, volume }) => ({
    claim,
    volume: boundVolume(volume, claim) ?? volume,
  }));
  const provisions = volumes.provisions.map((claim) => annotated(claim, { [SELECTED_NODE]: nodeName }));
  found.byNode.set(nodeName, { bindings, provisions });
  const errors = [
    ...bindings.map(({ volume }) => caches.volumes.assume(volume)),
    ...provisions.map((claim) => caches.claims.assume(claim)),
  ];
  const error = errors.find((one) => one !== undefined);
  return error === undefined ? undefined : newStatus('Error', error);
}

function unreserve(caches: Caches, { byNode, written }: Found, nodeName: string): void {
  const { bindings, provisions } = byNode.get(nodeName) ?? { bindings: [], provisions: [] };
  for (const { volume } of bindings) if (!written.has(volume)) caches.volumes.restore(volume);
  for (const claim of provisions) if (!written.has(claim)) caches.claims.restore(claim);
}
