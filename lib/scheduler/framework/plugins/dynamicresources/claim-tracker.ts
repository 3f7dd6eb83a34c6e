import type { Client } from '#lib/client/client.ts';
import { allocatedState, type AllocatedState } from '#lib/dynamic-resource-allocation/structured/allocated-state.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import type { Handle, Lister } from '../../interface.ts';

/** Milliseconds for which a lister may not know what was made: as long as upstream waits for it. */
const PATIENCE = 120_000;

const keyOf = (object: JsonObject): string => `${namespaceOf(object)}/${nameOf(object)}`;

interface Written {
  readonly claim: JsonObject;
  /** Milliseconds, when it was written. */
  readonly at: number;
  /** Whether the lister has had the claim, in whatever version: where it has it no more, it is deleted. */
  isListed: boolean;
}

/** What claims have, and what was decided and perhaps written but the lister does not know: upstream's claimTracker. */
export class ClaimTracker {
  readonly #lister: () => Lister;
  /** By uid, with their allocations, which are not written yet. */
  readonly #pending = new Map<string, JsonObject>();
  /** As the server gave them back, by namespace and name. */
  readonly #written = new Map<string, Written>();
  readonly #clock: Clock;

  constructor(lister: () => Lister, clock: Clock) {
    this.#lister = lister;
    this.#clock = clock;
  }

  get(namespace: string, name: string): JsonObject | undefined {
    const stored = this.#lister().get(namespace, name);
    return stored && this.#latest(stored);
  }

  isPending(claim: JsonObject): boolean {
    return this.#pending.has(uidOf(claim));
  }

  setPending(claim: JsonObject): void {
    this.#pending.set(uidOf(claim), claim);
  }

  /** Whether it was pending. */
  removePending(claim: JsonObject): boolean {
    return this.#pending.delete(uidOf(claim));
  }

  setWritten(claim: JsonObject): void {
    const isListed = this.#lister().get(namespaceOf(claim), nameOf(claim)) !== undefined;
    this.#written.set(keyOf(claim), { claim, at: this.#clock.monotonic(), isListed });
  }

  /** All, those too that were made so shortly ago that the lister need not have them. */
  list(): readonly JsonObject[] {
    const known = Array.from(this.#lister().list(), (stored) => this.#latest(stored));
    const keys = new Set(known.map(keyOf));
    for (const [key, { at, isListed }] of this.#written)
      if (!keys.has(key) && (isListed || this.#clock.monotonic() - at >= PATIENCE)) this.#written.delete(key);
    const made = [...this.#written].filter(([key]) => !keys.has(key));
    return [...known, ...made.map(([, { claim }]) => claim)];
  }

  forget(claim: JsonObject): void {
    this.#written.delete(keyOf(claim));
  }

  /** What all claims have, those too whose allocation is pending. */
  state(): AllocatedState {
    return allocatedState([...this.list(), ...this.#pending.values()]);
  }

  /** What was written, until the lister has that or what came after it. */
  #latest(stored: JsonObject): JsonObject {
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

/** The one of a scheduler: its profiles, which write through one client, must not give a device twice. */
export function claimTracker(handle: Handle): ClaimTracker {
  const tracker = trackers.get(handle.client) ?? new ClaimTracker(() => handle.lister('resourceclaims'), handle.clock);
  trackers.set(handle.client, tracker);
  return tracker;
}
