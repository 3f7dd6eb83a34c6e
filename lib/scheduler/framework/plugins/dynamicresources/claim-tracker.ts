import type { ResourceClaim } from '#lib/api/types/resource.v1.ts';
import type { Client } from '#lib/client/client.ts';
import {
  type AllocatedState,
  allocatedState,
} from '#lib/helpers/dynamic-resource-allocation/structured/allocated-state.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import type { Handle } from '../../interface.ts';
import type { Lister } from '../../objects.ts';

/** The time in milliseconds within which a lister must return a created claim. Upstream has the same limit. */
const PATIENCE = 120_000;

const keyOf = (object: ResourceClaim): string => `${namespaceOf(object)}/${nameOf(object)}`;

interface Written {
  readonly claim: ResourceClaim;
  /** The monotonic time of the write, in milliseconds. */
  readonly at: number;
  /** Whether the lister has ever returned the claim. If it no longer does, the claim is deleted. */
  isListed: boolean;
}

/** The known claims, with decisions and writes that the lister does not return yet: upstream's claimTracker. */
export class ClaimTracker {
  readonly #lister: () => Lister<ResourceClaim>;
  /** Claims whose allocation is not written yet, by uid. */
  readonly #pending = new Map<string, ResourceClaim>();
  /** Claims as returned by the server, by namespace and name. */
  readonly #written = new Map<string, Written>();
  readonly #clock: Clock;

  constructor(lister: () => Lister<ResourceClaim>, clock: Clock) {
    this.#lister = lister;
    this.#clock = clock;
  }

  get(namespace: string, name: string): ResourceClaim | undefined {
    const stored = this.#lister().get(namespace, name);
    return stored && this.#latest(stored);
  }

  isPending(claim: ResourceClaim): boolean {
    return this.#pending.has(uidOf(claim));
  }

  setPending(claim: ResourceClaim): void {
    this.#pending.set(uidOf(claim), claim);
  }

  /** Returns whether the claim was pending. */
  removePending(claim: ResourceClaim): boolean {
    return this.#pending.delete(uidOf(claim));
  }

  setWritten(claim: ResourceClaim): void {
    const isListed = this.#lister().get(namespaceOf(claim), nameOf(claim)) !== undefined;
    this.#written.set(keyOf(claim), { claim, at: this.#clock.monotonic(), isListed });
  }

  /** Returns all claims, including new ones that the lister may not have yet. */
  list(): readonly ResourceClaim[] {
    const known = Array.from(this.#lister().list(), (stored) => this.#latest(stored));
    const keys = new Set(known.map(keyOf));
    for (const [key, { at, isListed }] of this.#written)
      if (!keys.has(key) && (isListed || this.#clock.monotonic() - at >= PATIENCE)) this.#written.delete(key);
    const made = [...this.#written].filter(([key]) => !keys.has(key));
    return [...known, ...made.map(([, { claim }]) => claim)];
  }

  forget(claim: ResourceClaim): void {
    this.#written.delete(keyOf(claim));
  }

  /** Returns the devices of all claims, including pending allocations. */
  state(): AllocatedState {
    return allocatedState([...this.list(), ...this.#pending.values()]);
  }

  /** Returns the written state of a claim until the lister has the same or a later one. */
  #latest(stored: ResourceClaim): ResourceClaim {
    const written = this.#written.get(keyOf(stored));
    if (written === undefined) return stored;
    const { claim } = written;
    written.isListed = true;
    const isNewer =
      uidOf(claim) === uidOf(stored) && BigInt(resourceVersionOf(claim)) > BigInt(resourceVersionOf(stored));
    if (isNewer) return claim;
    this.#written.delete(keyOf(stored));
    return stored;
  }
}

const trackers = new WeakMap<Client, ClaimTracker>();

/** Returns the claim tracker of a scheduler. All profiles share it, so that no device is allocated twice. They write through one client. */
export function claimTracker(handle: Handle): ClaimTracker {
  const tracker = trackers.get(handle.client) ?? new ClaimTracker(() => handle.lister('resourceclaims'), handle.clock);
  trackers.set(handle.client, tracker);
  return tracker;
}
