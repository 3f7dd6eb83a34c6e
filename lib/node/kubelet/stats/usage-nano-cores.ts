import type { ContainerStats, CpuUsage } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { UInt64 } from './summary.ts';

interface Sample {
  readonly cpu: CpuUsage;
  readonly nanoCores?: UInt64;
}

/** Retention time of a sample in nanoseconds. */
const LIFETIME = 10n * 60n * 1_000_000_000n;
const SECOND = 1e9;

/** Computes the current CPU usage from two samples, for runtimes that only report the usage since the start. */
export class UsageNanoCores {
  readonly #samples = new Map<string, Sample>();

  /** The usage since the previous sample, or undefined for the first one. */
  update({ attributes, cpu }: ContainerStats): UInt64 | undefined {
    if (attributes === undefined || cpu?.usageCoreNanoSeconds === undefined) return undefined;
    const nanoCores = this.#since(this.#samples.get(attributes.id), cpu);
    if (nanoCores === 'same time') return undefined;
    this.#samples.set(attributes.id, { cpu, ...(nanoCores !== undefined && { nanoCores }) });
    return nanoCores;
  }

  /** The usage at the last sample. */
  get({ attributes }: ContainerStats): UInt64 | undefined {
    return this.#samples.get(attributes?.id ?? '')?.nanoCores;
  }

  /** Removes old samples. `now` is in milliseconds since 1970. */
  collect(now: number): void {
    const oldest = BigInt(Math.trunc(now)) * 1_000_000n - LIFETIME;
    for (const [id, { cpu }] of this.#samples) if (cpu.timestamp < oldest) this.#samples.delete(id);
  }

  #since(before: Sample | undefined, { timestamp, usageCoreNanoSeconds }: CpuUsage): UInt64 | 'same time' | undefined {
    const [used, usedBefore] = [usageCoreNanoSeconds?.value, before?.cpu.usageCoreNanoSeconds?.value];
    if (before === undefined || used === undefined || usedBefore === undefined || used < usedBefore) return undefined;
    const time = timestamp - before.cpu.timestamp;
    return time <= 0n ? 'same time' : BigInt(Math.trunc((Number(used - usedBefore) / Number(time)) * SECOND));
  }
}
