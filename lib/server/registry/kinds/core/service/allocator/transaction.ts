import { canonicalIP } from '#lib/machinery/net/parse-addr.ts';
import { claimAny, type Owner, type Pool } from './pool.ts';
import type { Pools } from './pools.ts';
import { addressBlocks, anyPort, isInRange, isNodePort, networkAddress, PORT_BLOCKS, PORT_RANGE } from './ranges.ts';

/** The reason why a value is unavailable, in upstream's words. Undefined on success. */
export type AllocationFault = string | undefined;

/** The values that one write allocates. They are released together. A dry run only reads the pools. */
export class Transaction {
  readonly #pools: Pools;
  readonly #owner: Owner;
  readonly #dryRun: boolean;
  readonly #taken: { pool: Pool; value: string }[] = [];

  constructor({ pools, owner, dryRun }: { pools: Pools; owner: Owner; dryRun: boolean }) {
    this.#pools = pools;
    this.#owner = owner;
    this.#dryRun = dryRun;
  }

  async takeAddress(text: string): Promise<AllocationFault> {
    const address = canonicalIP(text) ?? text;
    const ranges = await this.#pools.ranges();
    if (!ranges.some((range) => isInRange(range, address))) {
      return 'the provided network does not match the current range';
    }
    return (await this.#take(this.#pools.addresses, address)) ? undefined : 'provided IP is already allocated';
  }

  /** Like upstream, a dry run does not check a chosen port. */
  async takePort(port: number): Promise<AllocationFault> {
    if (this.#dryRun) return undefined;
    if (!isNodePort(port)) {
      return `provided port is not in the valid range. The range of valid ports is ${PORT_RANGE}`;
    }
    return (await this.#take(this.#pools.ports, String(port))) ? undefined : 'provided port is already allocated';
  }

  /** Undefined if no address is left. */
  async anyAddress(): Promise<string | undefined> {
    const ranges = await this.#pools.ranges();
    if (this.#dryRun) return ranges[0] && networkAddress(ranges[0]);
    const { addresses } = this.#pools;
    for (const range of ranges) {
      const address = await claimAny(addresses, addressBlocks(range), this.#owner);
      if (address !== undefined) return this.#note(addresses, address);
    }
    return undefined;
  }

  async anyPort(): Promise<number | undefined> {
    const { ports } = this.#pools;
    const port = this.#dryRun
      ? anyPort(new Set(this.#taken.map(({ value }) => value)))
      : await claimAny(ports, PORT_BLOCKS, this.#owner);
    return port === undefined ? undefined : Number(this.#note(ports, port));
  }

  async #take(from: Pool, value: string): Promise<boolean> {
    const done = this.#dryRun ? (await from.holder(value)) === undefined : await from.claim(value, this.#owner);
    if (done) this.#note(from, value);
    return done;
  }

  #note(from: Pool, value: string | undefined): string | undefined {
    if (value !== undefined) this.#taken.push({ pool: from, value });
    return value;
  }

  async undo(): Promise<void> {
    if (this.#dryRun) return;
    for (const { pool, value } of this.#taken.splice(0)) await pool.release(value, this.#owner);
  }

  async release({
    clusterIPs,
    nodePorts,
  }: {
    clusterIPs: readonly string[];
    nodePorts: readonly number[];
  }): Promise<void> {
    if (this.#dryRun) return;
    for (const ip of clusterIPs) await this.#pools.addresses.release(canonicalIP(ip) ?? ip, this.#owner);
    for (const port of nodePorts) await this.#pools.ports.release(String(port), this.#owner);
  }
}
