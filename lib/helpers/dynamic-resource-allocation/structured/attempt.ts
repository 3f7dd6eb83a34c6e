import type { ResourceClaim } from '#lib/api/types/resource.v1.ts';
import { tolerates } from '#lib/helpers/component-helpers/scheduling/corev1/taints.ts';
import { newUid } from '#lib/machinery/random.ts';
import type { Steps } from '#lib/machinery/steps.ts';
import { type AllocatedState, ConsumedCapacity } from './allocated-state.ts';
import { AllocationError } from './allocation-error.ts';
import type { Constraint } from './constraint.ts';
import { consumedCapacity, hasCapacity } from './consumable-capacity.ts';
import { Counters } from './counters.ts';
import type { Pool } from './pools.ts';
import { keyOf, type Request } from './request.ts';
import type { Amounts, Device, DeviceId } from './slice.ts';

/** The maximum number of devices of a claim. */
export const MAX_RESULTS = 32;

/** The number of steps between two pauses. They take at most about a millisecond. */
const STRETCH = 64;

/** A claim that needs devices. */
export interface Wanting {
  readonly claim: ResourceClaim;
  /** The alternatives of each request. */
  readonly requests: readonly (readonly Request[])[];
  readonly constraints: readonly Constraint[];
}

/** Records whether selectors ran since the last pause. A selector may take as long as many steps. */
export interface Pace {
  hasAsked: boolean;
}

interface Search {
  readonly state: AllocatedState;
  /** Called before each step. May throw to end the search. */
  readonly onStep: () => void;
  readonly pace: Pace;
}

/** A device allocated to a claim. */
export interface Taken {
  readonly request: Request;
  readonly device: Device;
  readonly shareId?: string;
  readonly consumed?: Amounts;
}

/** `exceeded`: the claim would have too many devices, regardless of earlier choices in it. */
type Outcome = 'done' | 'none' | 'exceeded';

/** The device to find next. */
interface SearchPosition {
  readonly claim: number;
  readonly request: number;
  /** The chosen alternative. */
  readonly chosen?: Request;
  readonly device: number;
  /** The index of the first device to try. The order of devices within a request does not matter. */
  readonly from: number;
}

/**
 * Searches devices for a pod's claims on one node with backtracking. Tries each device for each request in order, and returns the first
 * complete solution. Upstream's allocator.
 */
export class Attempt {
  readonly taken: Taken[][];
  readonly #wanting: readonly Wanting[];
  readonly #candidates: readonly Device[];
  readonly #counters = new Map<DeviceId, Counters>();
  readonly #state: AllocatedState;
  /** The claims that use each device, by device. */
  readonly #users = new Map<DeviceId, Set<number>>();
  readonly #capacity = new ConsumedCapacity();
  readonly #onStep: () => void;
  readonly #pace: Pace;
  #steps = 0;

  constructor(wanting: readonly Wanting[], pools: readonly Pool[], { state, onStep, pace }: Search) {
    this.#wanting = wanting;
    this.#state = state;
    this.#onStep = onStep;
    this.#pace = pace;
    this.taken = wanting.map(() => []);
    this.#candidates = pools.flatMap(({ devices }) => devices);
    for (const pool of pools.filter(({ counterSets }) => counterSets.size > 0)) {
      const counters = new Counters(pool, state);
      for (const { id } of pool.devices) this.#counters.set(id, counters);
    }
  }

  /** Returns whether a solution exists, which is then in `taken`. Pauses regularly. Throws AllocationError. */
  *run(): Steps<boolean> {
    return (yield* this.#next({ claim: 0, request: 0, device: 0, from: 0 })) === 'done';
  }

  *#next(at: SearchPosition): Steps<Outcome> {
    this.#onStep();
    if (++this.#steps % STRETCH === 0) yield;
    const wanting = this.#wanting[at.claim];
    if (wanting === undefined) return 'done';
    const alternatives = wanting.requests[at.request];
    if (alternatives === undefined) {
      const rest = yield* this.#next({ claim: at.claim + 1, request: 0, device: 0, from: 0 });
      // A different choice in an earlier claim may need fewer devices here.
      return rest === 'exceeded' ? 'none' : rest;
    }
    if (at.chosen !== undefined) return yield* this.#fill(at, at.chosen);
    const [only] = alternatives;
    return alternatives.length === 1 && only !== undefined && only.names.chosen === undefined
      ? yield* this.#fill({ ...at, chosen: only }, only)
      : yield* this.#choose(at, alternatives);
  }

  *#choose(at: SearchPosition, alternatives: readonly Request[]): Steps<Outcome> {
    let outcome: Outcome = 'exceeded';
    for (const chosen of alternatives) {
      const tried = yield* this.#next({ ...at, chosen });
      if (tried === 'done') return tried;
      if (tried === 'none') outcome = 'none';
    }
    return outcome;
  }

  *#fill(at: SearchPosition, request: Request): Steps<Outcome> {
    if (request.all?.length === 0) return 'none';
    if (at.device >= request.numDevices)
      return yield* this.#next({ claim: at.claim, request: at.request + 1, device: 0, from: 0 });
    const already = this.taken[at.claim]?.length ?? 0;
    if (already + request.numDevices - at.device > MAX_RESULTS) return 'exceeded';
    const wanted = request.all?.[at.device];
    if (wanted !== undefined) return (yield* this.#with(at, request, wanted, 0)) ?? 'none';
    for (let i = at.from; i < this.#candidates.length; i++) {
      const device = this.#candidates[i];
      if (device === undefined) continue;
      const outcome = yield* this.#try(at, request, device, i + 1);
      if (this.#pace.hasAsked) {
        this.#pace.hasAsked = false;
        yield;
      }
      if (outcome === 'done' || outcome === 'exceeded') return outcome;
    }
    return 'none';
  }

  *#try(at: SearchPosition, request: Request, device: Device, from: number): Steps<Outcome | undefined> {
    if (!this.#isFree(at, request, device) || !request.isSelectable(device)) return undefined;
    return yield* this.#with(at, request, device, from);
  }

  /** The outcome of the search with this device. Undefined if the claim cannot use it. */
  *#with(at: SearchPosition, request: Request, device: Device, from: number): Steps<Outcome | undefined> {
    const giveBack = this.#take(at, request, device);
    if (giveBack === undefined) return undefined;
    const outcome = yield* this.#next({ ...at, chosen: request, device: at.device + 1, from });
    if (outcome !== 'done') giveBack();
    return outcome;
  }

  /** Admin requests may use devices that are in use, but not the same device twice. */
  #isFree({ claim }: SearchPosition, { isAdmin }: Request, { id }: Device): boolean {
    const users = this.#users.get(id);
    return isAdmin ? users?.has(claim) !== true : !this.#state.devices.has(id) && (users?.size ?? 0) === 0;
  }

  /** Takes a device. Returns a function that undoes it, or undefined if the claim cannot use the device. */
  #take(at: SearchPosition, request: Request, device: Device): (() => void) | undefined {
    const inUse = [this.#state.capacity.of(device.id), this.#capacity.of(device.id)];
    if (!this.#isFree(at, request, device) || isTainted(device, request)) return undefined;
    if (!hasCapacity(device.object, request.capacity, inUse)) return undefined;
    const isPart = device.isShared && inUse.some((amounts) => amounts !== undefined);
    const counters = device.consumes.length === 0 || isPart ? undefined : this.#counters.get(device.id);
    if (counters?.take(device) === false) return undefined;
    if (!this.#constrain(at, request, device)) {
      counters?.giveBack(device);
      return undefined;
    }
    const undo = this.#record(at, request, device);
    return () => {
      undo();
      for (const constraint of this.#wanting[at.claim]?.constraints ?? []) constraint.remove(request.names, device);
      counters?.giveBack(device);
    };
  }

  /** Adds the device to the claim's constraints. Throws AllocationError if the device does not fit and the request is for all devices. */
  #constrain(at: SearchPosition, request: Request, device: Device): boolean {
    const wanting = this.#wanting[at.claim];
    if (wanting === undefined) return true;
    const { claim, constraints } = wanting;
    const failed = constraints.findIndex((constraint) => !constraint.add(request.names, device));
    if (failed < 0) return true;
    for (const constraint of constraints.slice(0, failed)) constraint.remove(request.names, device);
    if (request.all === undefined) return false;
    const where = `claim ${keyOf(claim)}, request ${request.names.chosen ?? request.names.request}`;
    const why = `cannot add device ${device.id} because a claim constraint would not be satisfied`;
    throw new AllocationError(`${where}: ${why}`);
  }

  #record({ claim }: SearchPosition, request: Request, device: Device): () => void {
    const consumed = device.isShared ? consumedCapacity(device.object, request.capacity) : undefined;
    const users = this.#users.get(device.id) ?? new Set();
    this.#users.set(device.id, users);
    if (consumed === undefined) users.add(claim);
    else this.#capacity.add(device.id, consumed);
    this.taken[claim]?.push({ request, device, ...(consumed === undefined ? {} : { shareId: newUid(), consumed }) });
    return () => {
      this.taken[claim]?.pop();
      users.delete(claim);
      if (consumed !== undefined) this.#capacity.remove(device.id, consumed);
    };
  }
}

const isTainted = ({ object: { taints = [] } }: Device, { object: { tolerations = [] } }: Request): boolean =>
  taints.some(
    (taint) => ['NoSchedule', 'NoExecute'].includes(taint.effect) && !tolerations.some((one) => tolerates(one, taint)),
  );
