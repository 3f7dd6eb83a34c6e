import { describe, expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { expose } from '#lib/machinery/metrics/text.ts';
import { Container, PodSandbox } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { StepClock } from '../testing/step-clock.ts';
import { CadvisorMetrics, type CadvisorMetricsOptions } from './cadvisor-metrics.ts';
import type { CgroupReader } from './cgroup-reader.ts';

const UID = '11111111-2222-3333-4444-555555555555';
const [APP, PAUSE, GONE] = ['a', 'b', 'c'].map((letter) => letter.repeat(64));
const POD: Pod = { metadata: { name: 'p', namespace: 'n', uid: UID }, spec: { containers: [] }, status: {} };

/** Files by `controller path/file`. */
type Files = Readonly<Record<string, string>>;

function readerOf(version: 1 | 2, tree: Readonly<Record<string, readonly string[]>>, files: Files): CgroupReader {
  return {
    version,
    children: async (path) => tree[path] ?? [],
    read: async (controller, path, file) => files[`${controller} ${path}/${file}`],
    createdAt: async (path) => (path.endsWith('vanished') ? undefined : 1_700_000_000_500),
    network: async () => [
      {
        name: 'eth0',
        receive: { bytes: 1, packets: 2, errors: 3, dropped: 4 },
        transmit: { bytes: 5, packets: 6, errors: 7, dropped: 8 },
      },
    ],
    device: async (id) => (id === '8:0' ? '/dev/sda' : ''),
  };
}

const runtime = {
  listContainers: async () => ({
    containers: [
      Container.fromPartial({
        id: APP ?? '',
        podSandboxId: PAUSE ?? '',
        metadata: { name: 'app' },
        image: { image: 'sha256:1', userSpecifiedImage: 'busybox:1' },
      }),
    ],
  }),
  listPodSandbox: async () => ({
    items: [PodSandbox.fromPartial({ id: PAUSE ?? '', metadata: { name: 'p', namespace: 'n', uid: UID } })],
  }),
};

async function linesOf(cgroups: CgroupReader, more: Partial<CadvisorMetricsOptions> = {}): Promise<string[]> {
  const metrics = new CadvisorMetrics({
    clock: new StepClock(),
    cgroups,
    root: '/kubepods',
    machine: {
      numCores: 4,
      memoryCapacity: 1024,
      swapCapacity: 0,
      hugePages: [],
      machineID: 'm',
      systemUUID: 's',
      bootID: 'b',
    },
    runtime,
    pod: (uid) => (uid === UID ? POD : undefined),
    onFault: (error) => expect.fail(String(error)),
    ...more,
  });
  return (await expose([metrics])).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

const of = (lines: readonly string[], part: string): string[] => lines.filter((line) => line.includes(part));

describe('a version 1 cgroup', () => {
  const path = `/kubepods/pod${UID}`;
  const app = `${path}/${APP}`;
  const files: Files = {
    [`cpuacct ${app}/cpuacct.usage`]: '2500000000\n',
    [`cpuacct ${app}/cpuacct.stat`]: 'user 150\nsystem 50\n',
    [`cpu ${app}/cpu.stat`]: 'nr_periods 10\nnr_throttled 2\nthrottled_time 1000000000\n',
    [`cpu ${app}/cpu.cfs_quota_us`]: '50000\n',
    [`cpu ${app}/cpu.cfs_period_us`]: '100000\n',
    [`cpu ${app}/cpu.shares`]: '512\n',
    [`memory ${app}/memory.usage_in_bytes`]: '1000\n',
    [`memory ${app}/memory.stat`]:
      'pgfault 5\ntotal_rss 300\ntotal_cache 500\ntotal_inactive_file 400\ntotal_pgfault 6\n',
    [`memory ${app}/memory.limit_in_bytes`]: '9223372036854771712\n',
    [`memory ${app}/memory.oom_control`]: 'oom_kill_disable 0\nunder_oom 0\noom_kill 3\n',
    [`pids ${app}/pids.current`]: '7\n',
    [`pids ${app}/pids.max`]: 'max\n',
    [`blkio ${app}/blkio.throttle.io_service_bytes`]: '8:0 Read 4096\n8:0 Write 0\n8:0 Total 4096\nTotal 4096\n',
  };
  const reader = readerOf(1, { '/kubepods': [`pod${UID}`], [path]: [APP ?? '', PAUSE ?? '', GONE ?? ''] }, files);
  const labels = `id="${app}",image="busybox:1",name="${APP}",namespace="n",pod="p"`;

  test.each([
    [`container_cpu_usage_seconds_total{container="app",cpu="total",${labels}} 2.5`],
    [`container_cpu_user_seconds_total{container="app",${labels}} 1.5`],
    [`container_cpu_system_seconds_total{container="app",${labels}} 0.5`],
    [`container_cpu_cfs_throttled_seconds_total{container="app",${labels}} 1`],
    [`container_spec_cpu_quota{container="app",${labels}} 50000`],
    [`container_spec_cpu_shares{container="app",${labels}} 512`],
    [`container_memory_usage_bytes{container="app",${labels}} 1000`],
    [`container_memory_working_set_bytes{container="app",${labels}} 600`],
    [`container_memory_rss{container="app",${labels}} 300`],
    [
      `container_memory_failures_total{container="app",failure_type="pgfault",${labels.replace('pod="p"', 'pod="p",scope="hierarchy"')}} 6`,
    ],
    [`container_spec_memory_limit_bytes{container="app",${labels}} 0`],
    [`container_oom_events_total{container="app",${labels}} 3`],
    [`container_threads{container="app",${labels}} 7`],
    [`container_threads_max{container="app",${labels}} 0`],
    [`container_fs_reads_bytes_total{container="app",device="/dev/sda",${labels}} 4096`],
    [`container_start_time_seconds{container="app",${labels}} 1700000000`],
  ])('has the metric %s', async (line) => {
    expect(await linesOf(reader)).toContain(line);
  });

  test("has the pod's labels for a pod", async () => {
    const line = `container_start_time_seconds{container="",id="${path}",image="",name="",namespace="n",pod="p"} 1700000000`;
    expect(await linesOf(reader)).toContain(line);
  });

  test('has network metrics for a sandbox, and none for its containers', async () => {
    const lines = of(await linesOf(reader), 'container_network_receive_bytes_total');
    const sandbox = `id="${path}/${PAUSE}",image="",interface="eth0",name="${PAUSE}",namespace="n",pod="p"`;
    expect(lines).toEqual([
      'container_network_receive_bytes_total{container="",id="/",image="",interface="eth0",name="",namespace="",pod=""} 1',
      `container_network_receive_bytes_total{container="",${sandbox}} 1`,
    ]);
  });

  test('is skipped for a container that is not in the runtime', async () => {
    expect(of(await linesOf(reader), GONE ?? '')).toEqual([]);
  });
});

describe('a version 2 cgroup', () => {
  const slice = `kubepods-burstable-pod${UID.replaceAll('-', '_')}.slice`;
  const scope = `cri-containerd-${APP}.scope`;
  const app = `/kubepods/${slice}/${scope}`;
  const files: Files = {
    [`cpu ${app}/cpu.stat`]: 'usage_usec 2500000\nuser_usec 1500000\nsystem_usec 500000\nnr_periods 1\n',
    [`cpu ${app}/cpu.max`]: 'max 100000\n',
    [`cpu ${app}/cpu.weight`]: '20\n',
    [`memory ${app}/memory.current`]: '1000\n',
    [`memory ${app}/memory.stat`]: 'anon 300\nfile 500\ninactive_file 400\n',
    [`memory ${app}/memory.max`]: '4096\n',
    [`io ${app}/io.stat`]: '8:0 rbytes=1 wbytes=2 rios=3 wios=4 dbytes=0 dios=0\n9:9\n',
  };
  const reader = readerOf(2, { '/kubepods': [slice, 'vanished'], [`/kubepods/${slice}`]: [scope] }, files);

  test.each([
    ['container_cpu_usage_seconds_total', '2.5'],
    ['container_spec_cpu_shares', '500'],
    ['container_memory_rss', '300'],
    ['container_memory_working_set_bytes', '600'],
    ['container_spec_memory_limit_bytes', '4096'],
    ['container_fs_writes_bytes_total', '2'],
    ['container_fs_reads_total', '3'],
  ])('has the metric %s', async (name, value) => {
    const [line = ''] = of(await linesOf(reader), `${name}{container="app"`);
    expect(line).toContain(`name="${APP}",namespace="n",pod="p"`);
    expect(line.split(' ').at(-1)).toBe(value);
  });

  test('has no throttling metrics without a quota', async () => {
    const lines = await linesOf(reader);
    expect([...of(lines, 'container_cpu_cfs_'), ...of(lines, 'container_spec_cpu_quota')]).toEqual([]);
  });

  test("has the pod's labels for a pod, and is skipped if it vanished", async () => {
    const lines = of(await linesOf(reader), 'container_last_seen');
    expect(lines.length).toBe(4);
    expect(of(lines, `id="/kubepods/${slice}",image="",name="",namespace="n",pod="p"`).length).toBe(1);
  });
});

test('reports the cores and memory of the machine', async () => {
  const lines = await linesOf(readerOf(1, {}, {}));
  expect(of(lines, 'machine_')).toEqual([
    'machine_cpu_cores{boot_id="b",machine_id="m",system_uuid="s"} 4',
    'machine_memory_bytes{boot_id="b",machine_id="m",system_uuid="s"} 1024',
    'machine_scrape_error 0',
    'machine_swap_bytes{boot_id="b",machine_id="m",system_uuid="s"} 0',
  ]);
});

test('reports an error for a scrape without the runtime', async () => {
  const faults: unknown[] = [];
  const failing = { ...runtime, listContainers: () => Promise.reject(new Error('it is down')) };
  const lines = await linesOf(readerOf(1, {}, {}), { runtime: failing, onFault: (error) => void faults.push(error) });
  expect(of(lines, 'container_')).toEqual(['container_scrape_error 1']);
  expect(faults.length).toBe(1);
});
