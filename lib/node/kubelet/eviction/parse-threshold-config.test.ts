import { describe, expect, test } from 'vitest';
import { withContainerFs } from './container-fs-thresholds.ts';
import { parseThresholdConfig, type ThresholdConfig } from './parse-threshold-config.ts';

const NONE: ThresholdConfig = {
  enforceNodeAllocatable: [],
  evictionHard: {},
  evictionSoft: {},
  evictionSoftGracePeriod: {},
  evictionMinimumReclaim: {},
};
const parse = (config: Partial<ThresholdConfig>) => parseThresholdConfig({ ...NONE, ...config });

test('orders hard thresholds before soft ones, each with its minimum reclaim', () => {
  expect(
    parse({
      evictionHard: { 'memory.available': '150Mi', 'nodefs.available': '10%' },
      evictionSoft: { 'memory.available': '300Mi' },
      evictionSoftGracePeriod: { 'memory.available': '1m30s' },
      evictionMinimumReclaim: { 'memory.available': '0', 'nodefs.available': '5%' },
    }),
  ).toEqual([
    { signal: 'memory.available', value: { quantity: '150Mi' }, gracePeriod: 0, minReclaim: { quantity: '0' } },
    {
      signal: 'nodefs.available',
      value: { percentage: Math.fround(0.1) },
      gracePeriod: 0,
      minReclaim: { percentage: Math.fround(0.05) },
    },
    { signal: 'memory.available', value: { quantity: '300Mi' }, gracePeriod: 90_000, minReclaim: { quantity: '0' } },
  ]);
});

test('ignores thresholds of 0% and 100%', () => {
  expect(parse({ evictionHard: { 'nodefs.available': '0%', 'imagefs.available': '100%' } })).toEqual([]);
});

test("uses the node's hard threshold for the memory of all pods if that is enforced", () => {
  const config = {
    enforceNodeAllocatable: ['pods'],
    evictionHard: { 'memory.available': '100Mi' },
    evictionSoft: { 'memory.available': '200Mi' },
    evictionSoftGracePeriod: { 'memory.available': '1s' },
  };
  expect(parse(config).map(({ signal, gracePeriod }) => [signal, gracePeriod])).toEqual([
    ['memory.available', 0],
    ['memory.available', 1000],
    ['allocatableMemory.available', 0],
  ]);
});

test.each<readonly [Partial<ThresholdConfig>, string]>([
  [{ evictionHard: { 'mem.available': '1Mi' } }, 'unsupported eviction signal mem.available'],
  [{ evictionHard: { 'memory.available': '-1Mi' } }, 'eviction threshold memory.available must be positive: -1Mi'],
  [{ evictionHard: { 'memory.available': '0' } }, 'eviction threshold memory.available must be positive: 0'],
  [{ evictionHard: { 'memory.available': 'a' } }, 'quantities must match the regular expression'],
  [
    { evictionHard: { 'memory.available': '-5%' } },
    'eviction percentage threshold memory.available must be >= 0%: -5%',
  ],
  [
    { evictionHard: { 'memory.available': '101%' } },
    'eviction percentage threshold memory.available must be <= 100%: 101%',
  ],
  [{ evictionHard: { 'memory.available': 'x%' } }, 'strconv.ParseFloat: parsing "x": invalid syntax'],
  [
    { evictionSoft: { 'memory.available': '1Mi' } },
    'grace period must be specified for the soft eviction threshold memory.available',
  ],
  [{ evictionSoftGracePeriod: { other: '1s' } }, 'unsupported eviction signal other'],
  [{ evictionSoftGracePeriod: { 'memory.available': 'x' } }, 'time: invalid duration "x"'],
  [
    { evictionSoftGracePeriod: { 'memory.available': '-30s' } },
    'invalid eviction grace period specified: -30s, must be a positive value',
  ],
  [
    { evictionMinimumReclaim: { 'memory.available': '-1' } },
    'negative eviction minimum reclaim specified for memory.available',
  ],
  [
    { evictionMinimumReclaim: { 'nodefs.available': '0%' } },
    'eviction percentage minimum reclaim nodefs.available must be positive: 0%',
  ],
])('rejects the configuration %j', (config, message) => {
  expect(() => parse(config)).toThrow(message);
});

describe('thresholds for the containerfs', () => {
  const evictionHard = {
    'nodefs.available': '10%',
    'nodefs.inodesFree': '5%',
    'imagefs.available': '15%',
    'containerfs.available': '1Gi',
  };

  test.each([
    ['the node’s thresholds on a single disk', false, false, [0.1, 0.05]],
    ['the thresholds of images on their own disk', true, false, [0.15]],
    ['the node’s thresholds if only images have their own disk', true, true, [0.1, 0.05]],
  ])('the containerfs gets %s', (_, dedicatedImageFs, splitContainerFs, expected) => {
    const ignored: string[] = [];
    const all = withContainerFs(parse({ evictionHard }), { dedicatedImageFs, splitContainerFs }, (message) =>
      ignored.push(message),
    );
    const own = all.filter(({ signal }) => signal.startsWith('containerfs.'));
    expect(own.map(({ value }) => value)).toEqual(expected.map((share) => ({ percentage: Math.fround(share) })));
    expect(ignored).toEqual(['found containerfs.available for hard eviction. ignoring']);
  });
});
