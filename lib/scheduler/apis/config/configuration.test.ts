import { describe, expect, test } from 'vitest';
import { CycleState } from '../../framework/cycle-state.ts';
import type { ExtensionPoint } from '../../framework/runtime/extension-points.ts';
import { type FrameworkPorts, newFramework } from '../../framework/runtime/framework.ts';
import { aHandle, aNodeInfo, aPodInfo } from '../../testing/wrappers.ts';
import { schedulerConfiguration } from './configuration.ts';

const HEADER = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };
const ports: FrameworkPorts = { ...aHandle(), record() {} };

/** The first profile's plugins at an extension point, with each weight other than 1. */
function pluginsAt(point: ExtensionPoint, profile: object = {}): string[] {
  const [first] = schedulerConfiguration({ ...HEADER, profiles: [profile] }).profiles;
  if (first === undefined) throw new Error('no profile');
  const { points, weights } = newFramework(first, ports);
  return points[point].map(({ name }) => {
    const weight = point === 'score' ? weights.get(name) : 1;
    return weight === 1 ? name : `${name}:${weight}`;
  });
}

describe('the default scheduler configuration', () => {
  test.each<[ExtensionPoint, string[]]>([
    ['queueSort', ['PrioritySort']],
    ['preEnqueue', ['SchedulingGates', 'DynamicResources', 'DefaultPreemption']],
    [
      'filter',
      [
        'NodeUnschedulable',
        'NodeName',
        'TaintToleration',
        'NodeAffinity',
        'NodePorts',
        'NodeResourcesFit',
        'VolumeRestrictions',
        'NodeVolumeLimits',
        'VolumeBinding',
        'VolumeZone',
        'PodTopologySpread',
        'InterPodAffinity',
        'DynamicResources',
        'NodeDeclaredFeatures',
      ],
    ],
    ['postFilter', ['DynamicResources', 'DefaultPreemption']],
    [
      'score',
      [
        'TaintToleration:3',
        'NodeAffinity:2',
        'NodeResourcesFit',
        'PodTopologySpread:2',
        'InterPodAffinity:2',
        'DynamicResources:2',
        'NodeResourcesBalancedAllocation',
        'ImageLocality',
      ],
    ],
    ['reserve', ['VolumeBinding', 'DynamicResources']],
    ['preBind', ['VolumeBinding', 'DynamicResources']],
    ['bind', ['DefaultBinder']],
  ])('has upstream’s plugins for %s', (point, expected) => expect(pluginsAt(point)).toEqual(expected));

  test('has the default name and settings', () => {
    expect(schedulerConfiguration()).toMatchObject({
      profiles: [{ schedulerName: 'default-scheduler' }],
      percentageOfNodesToScore: 0,
      backoff: { initial: 1000, max: 10_000 },
      extenders: [],
    });
  });
});

test('excludes resources that only extenders handle from NodeResourcesFit', () => {
  const managedResources = [{ name: 'example.com/gpu', ignoredByScheduler: true }];
  const extenders = [{ urlPrefix: 'http://127.0.0.1', managedResources }];
  const [profile] = schedulerConfiguration({ ...HEADER, extenders }).profiles;
  if (profile === undefined) throw new Error('no profile');
  const fit = newFramework(profile, ports).points.filter.find(({ name }) => name === 'NodeResourcesFit');
  const state = new CycleState();
  const pod = aPodInfo({ requests: { 'example.com/gpu': '1' } });
  fit?.preFilter?.(state, pod, []);
  expect(fit?.filter(state, pod, aNodeInfo({ capacity: { cpu: '1', memory: '1Gi', pods: '1' } }))).toBeUndefined();
});

describe('a scheduler profile', () => {
  test('enables, disables and weights plugins', () => {
    const plugins = {
      score: { disabled: [{ name: '*' }], enabled: [{ name: 'ImageLocality', weight: 5 }] },
      filter: { disabled: [{ name: 'NodePorts' }] },
      multiPoint: { enabled: [{ name: 'TaintToleration', weight: 7 }] },
    };
    expect(pluginsAt('score', { plugins })).toEqual(['ImageLocality:5']);
    expect(pluginsAt('filter', { plugins })).not.toContain('NodePorts');
    expect(pluginsAt('score', { plugins: { multiPoint: plugins.multiPoint } })).toContain('TaintToleration:7');
  });

  test('is found by its scheduler name among several profiles', () => {
    const profiles = [{ schedulerName: 'a' }, { schedulerName: 'b', percentageOfNodesToScore: 30 }];
    expect(schedulerConfiguration({ ...HEADER, profiles }).profiles).toMatchObject([
      { schedulerName: 'a' },
      { schedulerName: 'b', percentageOfNodesToScore: 30 },
    ]);
  });
});

const plugin = (name: string) => ({ enabled: [{ name }] });
const extender = (more: object) => ({ urlPrefix: 'http://127.0.0.1', ...more });

test.each<[string, object, string]>([
  ['another kind', { kind: 'Other' }, 'kind: Invalid input: expected "KubeSchedulerConfiguration"'],
  ['an unknown field', { profile: [] }, 'Unrecognized key: "profile"'],
  [
    'a parallelism of 0',
    { parallelism: 0 },
    'parallelism: Invalid value: 0: should be an integer value greater than zero',
  ],
  ['profiles without names', { profiles: [{ schedulerName: 'a' }, {}] }, 'profiles[1].schedulerName: Required value'],
  [
    'two profiles of the same name',
    { profiles: [{ schedulerName: 'a' }, { schedulerName: 'a' }] },
    'profiles[1].schedulerName: Duplicate value: "profiles[0].schedulerName"',
  ],
  [
    'an invalid percentage',
    { percentageOfNodesToScore: 101 },
    'percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]',
  ],
  [
    'a backoff of 0',
    { podInitialBackoffSeconds: 0 },
    'podInitialBackoffSeconds: Invalid value: 0: must be greater than 0',
  ],
  [
    'a maximum backoff below the initial one',
    { podInitialBackoffSeconds: 20 },
    'podMaxBackoffSeconds: Invalid value: 10: must be greater than or equal to PodInitialBackoffSeconds',
  ],
  [
    'two different QueueSort plugins',
    {
      profiles: [
        { schedulerName: 'a', plugins: { queueSort: plugin('PrioritySort') } },
        { schedulerName: 'b', plugins: { queueSort: plugin('Other') } },
      ],
    },
    'profiles[1].plugins.queueSort: Invalid value: {"disabled":[],"enabled":[{"name":"Other"}]}: must be the same for all profiles',
  ],
  [
    'a removed plugin',
    { profiles: [{ plugins: { filter: plugin('EBSLimits') } }] },
    'profiles[0].plugins.filter.enabled[0]: Invalid value: "EBSLimits": was invalid in version "kubescheduler.config.k8s.io/v1" (KubeSchedulerConfiguration is version "kubescheduler.config.k8s.io/v1")',
  ],
  [
    'repeated plugin arguments',
    {
      profiles: [
        {
          pluginConfig: [
            { name: 'NodeAffinity', args: {} },
            { name: 'NodeAffinity', args: {} },
          ],
        },
      ],
    },
    'profiles[0].pluginConfig[1]: Duplicate value: "NodeAffinity"',
  ],
  [
    'arguments that a plugin rejects',
    { profiles: [{ pluginConfig: [{ name: 'InterPodAffinity', args: { hardPodAffinityWeight: 101 } }] }] },
    'profiles[0].pluginConfig[0].args.hardPodAffinityWeight: Invalid value: 101: not in valid range [0, 100]',
  ],
  [
    'arguments of another shape',
    { profiles: [{ pluginConfig: [{ name: 'InterPodAffinity', args: { hardPodAffinityWeight: 'much' } }] }] },
    'decoding args for plugin InterPodAffinity: hardPodAffinityWeight: Invalid input: expected number, received string',
  ],
  [
    'an extender that scores without a weight',
    { extenders: [extender({ prioritizeVerb: 'prioritize' })] },
    'extenders[0].weight: Invalid value: 0: must have a positive weight applied to it',
  ],
  [
    'two extenders that bind',
    { extenders: [extender({ bindVerb: 'a' }), extender({ bindVerb: 'b' })] },
    'extenders: Invalid value: "found 2 extenders implementing bind": only one extender can implement bind',
  ],
  [
    'several errors',
    { parallelism: 0, podInitialBackoffSeconds: 0 },
    '[parallelism: Invalid value: 0: should be an integer value greater than zero, podInitialBackoffSeconds: Invalid value: 0: must be greater than 0]',
  ],
])('rejects a configuration with %s', (_, given, message) => {
  expect(() => schedulerConfiguration({ ...HEADER, ...given })).toThrow(message);
});
