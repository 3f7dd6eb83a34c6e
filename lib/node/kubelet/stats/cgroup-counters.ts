import type { CgroupReader } from './cgroup-reader.ts';

/** Memory limits above this value mean no limit: the kernel's maximum. */
const UNLIMITED = 2 ** 62;
/** Ticks per second in `cpuacct.stat`. */
const USER_HZ = 100;
const MICROSECONDS = 1e6;
const NANOSECONDS = 1e9;

/** One value of a cgroup: a metric without the prefix `container_`, with its own labels. */
export interface Counter {
  readonly metric: CounterName;
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** The metrics that are read from cgroups, with cAdvisor's names and texts. */
export const COUNTERS = {
  cpu_usage_seconds_total: ['counter', 'Cumulative cpu time consumed in seconds.'],
  cpu_user_seconds_total: ['counter', 'Cumulative user cpu time consumed in seconds.'],
  cpu_system_seconds_total: ['counter', 'Cumulative system cpu time consumed in seconds.'],
  cpu_cfs_periods_total: ['counter', 'Number of elapsed enforcement period intervals.'],
  cpu_cfs_throttled_periods_total: ['counter', 'Number of throttled period intervals.'],
  cpu_cfs_throttled_seconds_total: ['counter', 'Total time duration the container has been throttled.'],
  spec_cpu_period: ['gauge', 'CPU period of the container.'],
  spec_cpu_quota: ['gauge', 'CPU quota of the container.'],
  spec_cpu_shares: ['gauge', 'CPU share of the container.'],
  memory_usage_bytes: [
    'gauge',
    'Current memory usage in bytes, including all memory regardless of when it was accessed',
  ],
  memory_max_usage_bytes: ['gauge', 'Maximum memory usage recorded in bytes'],
  memory_working_set_bytes: ['gauge', 'Current working set in bytes.'],
  memory_rss: ['gauge', 'Size of RSS in bytes.'],
  memory_cache: ['gauge', 'Number of bytes of page cache memory.'],
  memory_mapped_file: ['gauge', 'Size of memory mapped files in bytes.'],
  memory_swap: ['gauge', 'Container swap usage in bytes.'],
  memory_kernel_usage: ['gauge', 'Size of kernel memory allocated in bytes.'],
  memory_failcnt: ['counter', 'Number of memory usage hits limits'],
  memory_total_active_file_bytes: ['gauge', 'Current total active file in bytes.'],
  memory_total_inactive_file_bytes: ['gauge', 'Current total inactive file in bytes.'],
  memory_failures_total: ['counter', 'Cumulative count of memory allocation failures.'],
  oom_events_total: ['counter', 'Count of out of memory events observed for the container'],
  spec_memory_limit_bytes: ['gauge', 'Memory limit for the container.'],
  spec_memory_swap_limit_bytes: ['gauge', 'Memory swap limit for the container.'],
  spec_memory_reservation_limit_bytes: ['gauge', 'Memory reservation limit for the container.'],
  threads: ['gauge', 'Number of threads running inside the container'],
  threads_max: ['gauge', 'Maximum number of threads allowed inside the container, infinity if value is zero'],
  fs_reads_bytes_total: ['counter', 'Cumulative count of bytes read'],
  fs_reads_total: ['counter', 'Cumulative count of reads completed'],
  fs_writes_bytes_total: ['counter', 'Cumulative count of bytes written'],
  fs_writes_total: ['counter', 'Cumulative count of writes completed'],
} as const satisfies Record<string, readonly ['counter' | 'gauge', string]>;
type CounterName = keyof typeof COUNTERS;
type Values = readonly (readonly [CounterName, number | undefined])[];

/** Reads the counters of a cgroup. Omits those that the machine does not have. */
export async function cgroupCounters(reader: CgroupReader, path: string): Promise<Counter[]> {
  const isV1 = reader.version === 1;
  const read = (controller: string, file: string): Promise<string | undefined> => reader.read(controller, path, file);
  const parts = await Promise.all([
    isV1 ? cpuV1(read) : cpuV2(read),
    isV1 ? memoryV1(read) : memoryV2(read),
    threads(read),
  ]);
  const known = parts
    .flat()
    .flatMap(([metric, value]) => (value === undefined ? [] : [{ metric, value, ...labelsOf(metric) }]));
  return [...known, ...(await failures(read)), ...(await io(reader, read))];
}

const labelsOf = (metric: CounterName) => (metric === 'cpu_usage_seconds_total' ? { labels: { cpu: 'total' } } : {});

type Read = (controller: string, file: string) => Promise<string | undefined>;

async function cpuV1(read: Read): Promise<Values> {
  const [usage, times, stat] = [
    await read('cpuacct', 'cpuacct.usage'),
    await read('cpuacct', 'cpuacct.stat'),
    await read('cpu', 'cpu.stat'),
  ];
  const quota = numberOf(await read('cpu', 'cpu.cfs_quota_us'));
  return [
    ['cpu_usage_seconds_total', scaled(numberOf(usage), NANOSECONDS)],
    ['cpu_user_seconds_total', scaled(fieldOf(times, 'user'), USER_HZ)],
    ['cpu_system_seconds_total', scaled(fieldOf(times, 'system'), USER_HZ)],
    ['spec_cpu_period', numberOf(await read('cpu', 'cpu.cfs_period_us'))],
    ['spec_cpu_shares', numberOf(await read('cpu', 'cpu.shares'))],
    ...throttling(quota, stat, ['throttled_time', NANOSECONDS]),
  ];
}

async function cpuV2(read: Read): Promise<Values> {
  const stat = await read('cpu', 'cpu.stat');
  const [quota, period] = (await read('cpu', 'cpu.max'))?.trim().split(' ') ?? [];
  const weight = numberOf(await read('cpu', 'cpu.weight'));
  return [
    ['cpu_usage_seconds_total', scaled(fieldOf(stat, 'usage_usec'), MICROSECONDS)],
    ['cpu_user_seconds_total', scaled(fieldOf(stat, 'user_usec'), MICROSECONDS)],
    ['cpu_system_seconds_total', scaled(fieldOf(stat, 'system_usec'), MICROSECONDS)],
    ['spec_cpu_period', numberOf(period)],
    ['spec_cpu_shares', weight === undefined ? undefined : 2 + Math.trunc(((weight - 1) * (262_144 - 2)) / 9999)],
    ...throttling(numberOf(quota), stat, ['throttled_usec', MICROSECONDS]),
  ];
}

/** A cgroup without a quota is never throttled and has no such metrics. */
function throttling(
  quota: number | undefined,
  stat: string | undefined,
  [time, unit]: readonly [string, number],
): Values {
  if (quota === undefined) return [];
  return [
    ['spec_cpu_quota', quota],
    ['cpu_cfs_periods_total', fieldOf(stat, 'nr_periods')],
    ['cpu_cfs_throttled_periods_total', fieldOf(stat, 'nr_throttled')],
    ['cpu_cfs_throttled_seconds_total', scaled(fieldOf(stat, time), unit)],
  ];
}

async function memoryV1(read: Read): Promise<Values> {
  const memory = (file: string): Promise<string | undefined> => read('memory', `memory.${file}`);
  const number = async (file: string): Promise<number | undefined> => numberOf(await memory(file));
  const stat = await memory('stat');
  const usage = await number('usage_in_bytes');
  const inactive = fieldOf(stat, 'total_inactive_file');
  return [
    ['memory_usage_bytes', usage],
    ['memory_max_usage_bytes', await number('max_usage_in_bytes')],
    ['memory_working_set_bytes', difference(usage, inactive)],
    ['memory_rss', fieldOf(stat, 'total_rss')],
    ['memory_cache', fieldOf(stat, 'total_cache')],
    ['memory_mapped_file', fieldOf(stat, 'total_mapped_file')],
    ['memory_swap', fieldOf(stat, 'total_swap')],
    ['memory_kernel_usage', await number('kmem.usage_in_bytes')],
    ['memory_failcnt', await number('failcnt')],
    ['memory_total_active_file_bytes', fieldOf(stat, 'total_active_file')],
    ['memory_total_inactive_file_bytes', inactive],
    ['oom_events_total', fieldOf(await memory('oom_control'), 'oom_kill')],
    ['spec_memory_limit_bytes', limitOf(await memory('limit_in_bytes'))],
    ['spec_memory_swap_limit_bytes', limitOf(await memory('memsw.limit_in_bytes'))],
    ['spec_memory_reservation_limit_bytes', limitOf(await memory('soft_limit_in_bytes'))],
  ];
}

async function memoryV2(read: Read): Promise<Values> {
  const memory = (file: string): Promise<string | undefined> => read('memory', `memory.${file}`);
  const stat = await memory('stat');
  const usage = numberOf(await memory('current'));
  const inactive = fieldOf(stat, 'inactive_file');
  return [
    ['memory_usage_bytes', usage],
    ['memory_max_usage_bytes', numberOf(await memory('peak'))],
    ['memory_working_set_bytes', difference(usage, inactive)],
    ['memory_rss', fieldOf(stat, 'anon')],
    ['memory_cache', fieldOf(stat, 'file')],
    ['memory_mapped_file', fieldOf(stat, 'file_mapped')],
    ['memory_swap', numberOf(await memory('swap.current'))],
    ['memory_kernel_usage', fieldOf(stat, 'kernel')],
    ['memory_total_active_file_bytes', fieldOf(stat, 'active_file')],
    ['memory_total_inactive_file_bytes', inactive],
    ['oom_events_total', fieldOf(await memory('events'), 'oom_kill')],
    ['spec_memory_limit_bytes', limitOf(await memory('max'))],
    ['spec_memory_swap_limit_bytes', limitOf(await memory('swap.max'))],
    ['spec_memory_reservation_limit_bytes', limitOf(await memory('min'))],
  ];
}

async function threads(read: Read): Promise<Values> {
  const most = await read('pids', 'pids.max');
  return [
    ['threads', numberOf(await read('pids', 'pids.current'))],
    ['threads_max', most === undefined ? undefined : (numberOf(most) ?? 0)],
  ];
}

async function failures(read: Read): Promise<Counter[]> {
  const stat = await read('memory', 'memory.stat');
  return ['pgfault', 'pgmajfault'].flatMap((type) => {
    const own = fieldOf(stat, type);
    const all = fieldOf(stat, `total_${type}`) ?? own;
    return [
      { scope: 'container', value: own },
      { scope: 'hierarchy', value: all },
    ].flatMap(({ scope, value }): Counter[] =>
      value === undefined ? [] : [{ metric: 'memory_failures_total', value, labels: { failure_type: type, scope } }],
    );
  });
}

/** Parses version 1 lines such as `8:0 Read 1`, and version 2 fields in lines such as `8:0 rbytes=1`. */
async function io(reader: CgroupReader, read: Read): Promise<Counter[]> {
  const [bytes, operations] = [
    await read('blkio', 'blkio.throttle.io_service_bytes'),
    await read('blkio', 'blkio.throttle.io_serviced'),
  ];
  const found: (readonly [id: string, metric: CounterName, value: string])[] =
    reader.version === 1
      ? [...linesV1(bytes, 'bytes_total'), ...linesV1(operations, 'total')]
      : linesV2(await read('io', 'io.stat'));
  return Promise.all(
    found.map(async ([id, metric, value]) => {
      return { metric, value: Number(value), labels: { device: await reader.device(id) } };
    }),
  );
}

type Line = readonly [id: string, metric: CounterName, value: string];

const linesV1 = (text: string | undefined, unit: 'bytes_total' | 'total'): Line[] =>
  [...(text ?? '').matchAll(/^(\d+:\d+) (Read|Write) (\d+)$/gm)].map(([, id = '', operation, value = '']) => [
    id,
    operation === 'Read' ? `fs_reads_${unit}` : `fs_writes_${unit}`,
    value,
  ]);

const FIELDS_V2 = [
  ['rbytes', 'fs_reads_bytes_total'],
  ['rios', 'fs_reads_total'],
  ['wbytes', 'fs_writes_bytes_total'],
  ['wios', 'fs_writes_total'],
] as const;

const linesV2 = (text: string | undefined): Line[] =>
  (text ?? '').split('\n').flatMap((line) => {
    const id = /^\d+:\d+/.exec(line)?.[0];
    if (id === undefined) return [];
    return FIELDS_V2.flatMap(([field, metric]): Line[] => {
      const value = new RegExp(` ${field}=(\\d+)`).exec(line)?.[1];
      return value === undefined ? [] : [[id, metric, value]];
    });
  });

const numberOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d+\s*$/.test(text) ? Number(text) : undefined;

/** 0 means no limit. */
function limitOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const limit = numberOf(text) ?? 0;
  return limit > UNLIMITED ? 0 : limit;
}

function fieldOf(text: string | undefined, name: string): number | undefined {
  const value = new RegExp(`^${name} (\\d+)$`, 'm').exec(text ?? '')?.[1];
  return value === undefined ? undefined : Number(value);
}

const scaled = (value: number | undefined, unit: number): number | undefined =>
  value === undefined ? undefined : value / unit;

const difference = (all: number | undefined, part = 0): number | undefined =>
  all === undefined ? undefined : Math.max(0, all - part);
