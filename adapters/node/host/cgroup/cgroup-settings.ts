import type { ResourceConfig } from '#lib/node/kubelet/cm/cgroup/resource-config.ts';

/** A value to write to a file of a cgroup. */
export interface CgroupSetting {
  readonly controller: string;
  readonly file: string;
  readonly value: string;
  /** Whether the kernel may reject the value before the other settings are written. It is then retried after them. */
  readonly mayFailFirst?: boolean;
}

type PageSizes = readonly string[];

/** The settings for the files of version 1. Amounts of zero keep the kernel's values, as in runc. -1 removes a limit. */
export function settingsV1(config: ResourceConfig, sizes: PageSizes): CgroupSetting[] {
  const { memory = 0n, cpuShares = 0n, cpuQuota = 0n, cpuPeriod = 0n, pidsLimit } = config;
  return [
    ...set('memory', 'memory.limit_in_bytes', memory),
    ...set('cpu', 'cpu.shares', cpuShares),
    ...set('cpu', 'cpu.cfs_period_us', cpuPeriod).map((setting) => ({ ...setting, mayFailFirst: true })),
    ...set('cpu', 'cpu.cfs_quota_us', cpuQuota),
    ...pids(pidsLimit),
    ...pages(config, sizes, 'limit_in_bytes'),
  ];
}

/** The settings for the files of version 2. Shares become a weight, and quota and period become one limit. */
export function settingsV2(config: ResourceConfig, sizes: PageSizes): CgroupSetting[] {
  const { memory = 0n, cpuShares = 0n, cpuQuota = 0n, cpuPeriod = 0n, pidsLimit } = config;
  const bound = `${cpuQuota > 0n ? cpuQuota : 'max'} ${cpuPeriod === 0n ? 100_000n : cpuPeriod}`;
  return [
    ...set('memory', 'memory.max', memory).map((setting) => ({
      ...setting,
      value: memory < 0n ? 'max' : setting.value,
    })),
    ...set('cpu', 'cpu.weight', cpuShares === 0n ? 0n : cpuWeight(cpuShares)),
    ...(cpuQuota === 0n && cpuPeriod === 0n ? [] : [{ controller: 'cpu', file: 'cpu.max', value: bound }]),
    ...pids(pidsLimit),
    ...pages(config, sizes, 'max'),
  ];
}

/** Converts shares from 2 to 262144 to a weight from 1 to 10000. */
const cpuWeight = (shares: bigint): bigint => (shares >= 262_144n ? 10_000n : 1n + ((shares - 2n) * 9999n) / 262_142n);

const set = (controller: string, file: string, value: bigint): CgroupSetting[] =>
  value === 0n ? [] : [{ controller, file, value: String(value) }];

const pids = (limit: bigint | undefined): CgroupSetting[] =>
  limit === undefined || limit === 0n
    ? []
    : [{ controller: 'pids', file: 'pids.max', value: limit > 0n ? String(limit) : 'max' }];

type Read = (file: string) => Promise<string>;

/** The memory or CPU settings in the files of version 1. -1 means no quota. Memory without a limit is a large number. */
export async function configV1(resource: 'memory' | 'cpu', read: Read): Promise<ResourceConfig> {
  if (resource === 'memory') return { memory: BigInt(await read('memory.limit_in_bytes')) };
  return {
    cpuQuota: BigInt(await read('cpu.cfs_quota_us')),
    cpuPeriod: BigInt(await read('cpu.cfs_period_us')),
    cpuShares: BigInt(await read('cpu.shares')),
  };
}

/** The memory or CPU settings in the files of version 2, in the terms of version 1. -1 means no limit. */
export async function configV2(resource: 'memory' | 'cpu', read: Read): Promise<ResourceConfig> {
  const bound = (text: string): bigint => (text === 'max' ? -1n : BigInt(text));
  if (resource === 'memory') return { memory: bound(await read('memory.max')) };
  const [quota = 'max', period = '100000'] = (await read('cpu.max')).split(' ');
  const cpuShares = ((BigInt(await read('cpu.weight')) - 1n) * 262_142n) / 9999n + 2n;
  return { cpuQuota: bound(quota), cpuPeriod: BigInt(period), cpuShares };
}

/** One limit for each page size of the kernel. A page size that the settings do not contain gets no limit. */
const pages = ({ hugePageLimits }: ResourceConfig, sizes: PageSizes, suffix: string): CgroupSetting[] =>
  sizes.map((size) => ({
    controller: 'hugetlb',
    file: `hugetlb.${size}.${suffix}`,
    value: String(hugePageLimits?.get(size) ?? 0n),
  }));
