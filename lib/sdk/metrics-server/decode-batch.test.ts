import { expect, test } from 'vitest';
import { decodeBatch } from './decode-batch.ts';

const MEASURED = { timestamp: 1_700_000_000_000, at: 5000 };
const of = (container: string, pod = 'p', namespace = 'n'): string =>
  `{container="${container}",pod="${pod}",namespace="${namespace}"}`;

const decoded = (text: string) => {
  const { node, pods } = decodeBatch(text, MEASURED);
  return { node, pods: Object.fromEntries([...pods].map(([pod, points]) => [pod, Object.fromEntries(points)])) };
};

test('parses a node and the containers of its pods', () => {
  const text = [
    '# TYPE node_cpu_usage_seconds_total counter',
    'node_cpu_usage_seconds_total 12.5',
    'node_memory_working_set_bytes 1.048576e+06',
    `container_start_time_seconds${of('a')} 1.7e9`,
    `container_cpu_usage_seconds_total${of('a')} 1.5`,
    `container_memory_working_set_bytes${of('a')} 2048`,
    `container_cpu_usage_seconds_total${of('b')} 2.5`,
    `container_memory_working_set_bytes${of('b')} 4096`,
    `pod_cpu_usage_seconds_total{pod="p",namespace="n"} 4`,
    'scrape_error 0',
  ].join('\n');
  expect(decoded(text)).toEqual({
    node: { ...MEASURED, cpu: 12.5e9, memory: 1_048_576 },
    pods: {
      'n/p': {
        a: { ...MEASURED, startTime: 1.7e12, cpu: 1.5e9, memory: 2048 },
        b: { ...MEASURED, cpu: 2.5e9, memory: 4096 },
      },
    },
  });
});

test.each([
  ['node_cpu_usage_seconds_total 1 7000\nnode_memory_working_set_bytes 1 9000'],
  ['node_memory_working_set_bytes 1 9000\nnode_cpu_usage_seconds_total 1 7000'],
])('uses the time of the CPU sample: %j', (text) => {
  expect(decoded(text).node).toEqual({ timestamp: 7000, at: 7000, cpu: 1e9, memory: 1 });
});

test('omits only a pod with a container that was not measured', () => {
  const text = [
    `container_cpu_usage_seconds_total${of('a')} 1`,
    `container_memory_working_set_bytes${of('a')} 1`,
    `container_cpu_usage_seconds_total${of('b')} 0`,
    `container_memory_working_set_bytes${of('b')} 1`,
    `container_cpu_usage_seconds_total${of('a', 'q')} 1`,
    `container_memory_working_set_bytes${of('a', 'q')} 1`,
    `container_memory_working_set_bytes${of('a', 'r')} 1`,
  ].join('\n');
  expect(Object.keys(decoded(text).pods)).toEqual(['n/q']);
});

test.each(['NaN', '+Inf', '-1', '1e300', '0'])('treats a node with %s seconds as not measured', (value) => {
  const text = `node_cpu_usage_seconds_total ${value}\nnode_memory_working_set_bytes 1`;
  expect(decoded(text)).toEqual({ node: undefined, pods: {} });
});

/** 2^63 ns after 1970 is in the year 2262. A single unreadable time or duration makes clients reject the whole list. */
test.each(['-1', '9223372036855', '999999999999999'])(
  'omits points with the time %s, which clients cannot read',
  (at) => {
    const text = `node_cpu_usage_seconds_total 1 ${at}\nnode_memory_working_set_bytes 1 ${at}`;
    expect(decoded(text)).toEqual({ node: undefined, pods: {} });
  },
);
