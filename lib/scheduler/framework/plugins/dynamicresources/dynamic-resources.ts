import type { Pod } from '#lib/api/types/core.v1.ts';
import { isReservedFor } from '#lib/helpers/dynamic-resource-allocation/resourceclaim/pod-claims.ts';
import { nameOf, uidOf } from '#lib/machinery/meta.ts';
import { finished, type Steps } from '#lib/machinery/steps.ts';
import type { CycleState } from '../../cycle-state.ts';
import type { Handle, PluginFactory } from '../../interface.ts';
import type { NodeInfo } from '../../node-info.ts';
import type { PodInfo } from '../../pod-info.ts';
import { newStatus, type Outcome, SKIP, type Status } from '../../status.ts';
import { normalizeScores } from '../shared/normalize-score.ts';
import { type DynamicResourcesArgs, milliseconds } from './args.ts';
import {
  bindClaim,
  createClaim,
  deallocateClaim,
  deleteClaim,
  refOf,
  tellPod,
  unreserveClaim,
  withFinalizer,
} from './bind.ts';
import { hasBindingConditions, isLate, readiness } from './binding-conditions.ts';
import { type ClaimTracker, claimTracker } from './claim-tracker.ts';
import type { DeviceRequests } from './device-requests.ts';
import { eventsOf } from './events.ts';
import { isUnwritten } from './extended-resources.ts';
import { claimsOf, filter, refused } from './find.ts';
import { podResourceClaims } from './pod-resource-claims.ts';
import { scoreOf } from './score.ts';
import { type ClaimInfo, type Claims, isAllocated, STATE } from './state.ts';

const NAME = 'DynamicResources';
const INTERVAL = 5000;

/** Schedules a pod to a node that can use its claims' devices. Allocates devices there for claims without any (KEP-4381). */
export const dynamicResources: PluginFactory<DynamicResourcesArgs> = (args, handle) => {
  const tracker = claimTracker(handle);
  function* filterSteps(state: CycleState, { pod }: PodInfo, node: NodeInfo): Steps<Outcome> {
    const claims = state.read(STATE);
    return claims && (yield* filter(handle, { args, pod, claims, node }));
  }
  return {
    name: NAME,
    eventsToRegister: () => eventsOf(tracker),
    preEnqueue({ pod }) {
      const claims = podResourceClaims(tracker, pod);
      return typeof claims === 'string' ? refused(claims) : undefined;
    },
    preFilter(state, pod) {
      const claims = claimsOf(handle, tracker, pod);
      if (claims === undefined) return { status: SKIP };
      if ('code' in claims) return { status: claims };
      state.write(STATE, claims);
      return {};
    },
    filter: (state, pod, node) => finished(filterSteps(state, pod, node)),
    filterSteps,
    async postFilter(state, pod) {
      const claims = state.read(STATE);
      // Another plugin refused the pod before this one ran. Like upstream, returns an error and releases no devices.
      if (claims === undefined && !state.skipFilter.has(NAME)) return { status: newStatus('Error', 'not found') };
      return { status: await release(handle, pod, claims) };
    },
    score: (state, _pod, node) => score(state.read(STATE), node.name),
    normalizeScore: (_state, _pod, scores) => normalizeScores(scores, { reverse: false }),
    reserve(state, _pod, nodeName) {
      const claims = state.read(STATE);
      return claims && reserve(tracker, claims, nodeName);
    },
    unreserve: (state, pod) => state.read(STATE)?.all.forEach((info) => unreserve(handle, tracker, pod, info)),
    preBindPreFlight: (state) => (state.read(STATE) === undefined ? SKIP : undefined),
    async preBind(state, pod, nodeName) {
      const claims = state.read(STATE);
      if (claims === undefined) return undefined;
      const extended = claims.byNode.get(nodeName)?.extended;
      for (const info of claims.all) await bind(handle, tracker, { pod: pod.pod, extended }, info);
      return awaitDevices({ handle, args, nodeName }, pod, claims);
    },
  };
};

/** Releases devices that no node can use for the pod, for one claim at a time, chosen at random. */
async function release(handle: Handle, { uid }: PodInfo, claims: Claims | undefined): Promise<Status> {
  if (claims === undefined) return newStatus('Unschedulable', 'no new claims to deallocate');
  const releasable = [...claims.unavailable].filter(
    ({ claim, extended }) => extended === undefined && (claim.status.reservedFor ?? []).every((one) => one.uid === uid),
  );
  const chosen = releasable[Math.floor(handle.random() * releasable.length)];
  if (chosen !== undefined) {
    await deallocateClaim(handle, chosen.claim);
    return newStatus('Unschedulable', 'deallocation of ResourceClaim completed');
  }
  const left = claims.all.find(({ claim, extended }) => extended !== undefined && !isUnwritten(claim));
  if (left === undefined) return newStatus('Unschedulable', 'still not schedulable');
  await deleteClaim(handle, left.claim);
  return newStatus('Unschedulable', 'deletion of ResourceClaim completed');
}

function score(claims: Claims | undefined, nodeName: string): number {
  const node = claims?.byNode.get(nodeName);
  if (claims === undefined || node === undefined) return 0;
  return scoreOf(claims.all.map((info) => [info.claim, info.claim.status.allocation ?? node.found.get(info)]));
}

/** Reserves the devices found on the node, so that no other pod gets them. */
function reserve(tracker: ClaimTracker, claims: Claims, nodeName: string): Outcome {
  const node = claims.byNode.get(nodeName);
  if (node === undefined) {
    const isLacking = claims.open.some(({ extended }) => extended === undefined);
    return isLacking ? newStatus('Error', 'claim allocation not found for node') : undefined;
  }
  for (const [info, allocation] of node.found) {
    info.allocation = allocation;
    const status = { ...info.claim.status, allocation };
    tracker.setPending({ ...withFinalizer(info.claim), status });
  }
  return undefined;
}

function unreserve(handle: Handle, tracker: ClaimTracker, { pod }: PodInfo, info: ClaimInfo): void {
  if (info.allocation !== undefined) tracker.removePending(info.claim);
  if (info.extended !== undefined) {
    if (isUnwritten(info.claim)) return;
    tracker.forget(info.claim);
    handle.inBackground(deleteClaim(handle, info.claim));
  } else if (isAllocated(info.claim) && isReservedFor(pod, info.claim)) {
    handle.inBackground(unreserveClaim(handle, pod, info.claim));
  }
}

interface Bound {
  readonly pod: Pod;
  readonly extended: DeviceRequests | undefined;
}

/** Writes the claim's allocation and reservation. On failure, other claims may take the devices. */
async function bind(handle: Handle, tracker: ClaimTracker, { pod, extended }: Bound, info: ClaimInfo): Promise<void> {
  if (isReservedFor(pod, info.claim) || (isUnwritten(info.claim) && info.allocation === undefined)) return;
  const { claim, allocation } = info;
  try {
    if (isUnwritten(claim) && extended !== undefined) info.claim = await createClaim(handle, claim, extended);
    info.claim = await bindClaim(handle, pod, info.claim, allocation);
    tracker.setWritten(info.claim);
  } finally {
    if (allocation !== undefined) tracker.removePending(claim);
    delete info.allocation;
  }
  if (info.extended !== undefined && extended !== undefined) await tellPod(handle, pod, info.claim, extended);
}

interface Waiting {
  readonly handle: Handle;
  readonly args: DynamicResourcesArgs;
  readonly nodeName: string;
}

/** Waits until devices with binding conditions are prepared (KEP-5007). */
async function awaitDevices({ handle, args, nodeName }: Waiting, { pod }: PodInfo, claims: Claims): Promise<Outcome> {
  if (!claims.all.some(({ claim }) => hasBindingConditions(claim))) return undefined;
  const { clock, client, signal } = handle;
  const message = `waiting for binding conditions for device on node ${nodeName}`;
  handle.record(pod, { type: 'Normal', reason: 'BindingConditionsPending', action: 'Scheduling', message });
  const timeout = milliseconds(args.bindingTimeout);
  const begun = clock.monotonic();
  for (; clock.monotonic() - begun < timeout; await clock.sleep(INTERVAL, signal)) {
    if (signal.aborted) return newStatus('Error', 'context canceled');
    for (const info of claims.all.filter((one) => !isUnwritten(one.claim))) {
      const claim = await client.get(refOf(info.claim));
      if (claim === undefined) return newStatus('Error', `resourceclaim "${nameOf(info.claim)}" not found`);
      if (uidOf(claim) === uidOf(info.claim)) info.claim = claim;
    }
    const all = claims.all.map(({ claim }) => readiness(claim));
    const failed = all.find((one) => typeof one === 'object');
    if (failed !== undefined) return newStatus('Error', failed.failure);
    if (all.every((one) => one === 'ready')) return undefined;
    const late = claims.all.find(({ claim }) => isLate(claim, clock.now(), timeout));
    if (late !== undefined) return newStatus('Error', `device binding timeout: claim=${nameOf(late.claim)}`);
  }
  return newStatus('Error', 'device binding timeout: context deadline exceeded');
}
