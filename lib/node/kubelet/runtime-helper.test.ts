import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { CONFIG_MAPS, NODES } from '#lib/api/types/resources.ts';
import { notFound } from '#lib/machinery/errors.ts';
import { type HelperInputs, KubeletRuntimeHelper } from './runtime-helper.ts';
import { containerOf, podOf } from './testing/decoded-pod.ts';
import { MemoryPodFiles } from './testing/pod-files.ts';
import { NO_OPTIONS } from './testing/runtime-config.ts';

const node = decodedAs(NODES, {
  metadata: { name: 'n1' },
  status: { allocatable: { cpu: '4' }, addresses: [{ type: 'InternalIP', address: '192.0.2.7' }] },
});

function aHelper(overrides: Partial<HelperInputs> = {}, handlers = ['']) {
  const files = new MemoryPodFiles({}, ['/raw']);
  const told: string[] = [];
  const volume = { innerVolumeSpecName: 'v', readOnly: false, selinuxRelabel: false };
  const helper = new KubeletRuntimeHelper({
    rootDirectory: '/var/lib/kubelet',
    clusterDomain: 'cluster.local',
    nodeIPs: [],
    objects: {
      node: () => node,
      services: () => [],
      configMap: async (namespace, name) => decodedAs(CONFIG_MAPS, { metadata: { namespace, name }, data: { K: 'v' } }),
      secret: async (_, name) => Promise.reject(notFound({ group: '', resource: 'secrets' }, name)),
      runtimeHandler: (name = '') => {
        if (name === 'unknown') throw notFound({ group: 'node.k8s.io', resource: 'runtimeclasses' }, name);
        return name;
      },
    },
    rooms: {
      volumes: {
        mountedVolumes: () =>
          new Map([
            ['disk', { ...volume, path: '/disk', block: false }],
            ['raw', { ...volume, path: '/raw', block: true }],
          ]),
        extraSupplementalGroups: () => [5],
      },
      containers: {
        resources: async () => ({
          ...NO_OPTIONS,
          envs: [{ name: 'GPU', value: '1' }],
          mounts: [{ name: 'gpu', containerPath: '/gpu', hostPath: '/host/gpu', readOnly: true }],
          devices: [{ pathOnHost: '/dev/gpu', pathInContainer: '/dev/gpu', permissions: 'rw' }],
          cdiDevices: ['vendor.com/gpu=0'],
        }),
        prepareDynamicResources: async () => void told.push('prepare'),
        unprepareDynamicResources: async () => void told.push('unprepare'),
      },
      dns: { podDNS: async () => ({ servers: ['10.96.0.10'], searches: [], options: [] }) },
      cgroupParent: () => '/kubepods',
      runtimeHandlers: () =>
        handlers.map((name) => ({ name, features: { recursiveReadOnlyMounts: true, userNamespaces: false } })),
      podMemoryUsage: async () => ({ pod: undefined, containers: new Map() }),
      requestPodReinspect: () => undefined,
      podSandboxReady: async () => void told.push('ready'),
    },
    files,
    subpaths: { prepareSafeSubpath: async ({ path }) => path, safeMakeDir: async () => undefined },
    ...overrides,
  });
  return { helper, files, told };
}

const spec = {
  enableServiceLinks: true,
  hostname: 'mine',
  subdomain: 'sub',
  containers: [
    {
      name: 'app',
      terminationMessagePath: '/dev/termination-log',
      env: [
        { name: 'IPS', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIPs' } } },
        { name: 'HOST', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.hostIP' } } },
        { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '0' } } },
        { name: 'KEY', valueFrom: { configMapKeyRef: { name: 'm', key: 'K' } } },
      ],
      volumeMounts: [{ name: 'disk', mountPath: '/data', readOnly: true, recursiveReadOnly: 'IfPossible' }],
      volumeDevices: [{ name: 'raw', devicePath: '/dev/raw' }],
    },
  ],
};

test('merges the options of plugins, volumes and the API in this order', async () => {
  const { helper, files } = aHelper();
  const pod = podOf(spec);
  const { options, cleanup } = await helper.runContainerOptions(pod, containerOf(pod), ['fd00::1', '10.0.0.1']);
  await cleanup();
  expect(options.envs.map(({ name, value }) => `${name}=${value}`)).toEqual([
    'GPU=1',
    'IPS=10.0.0.1,fd00::1',
    'HOST=192.0.2.7',
    'CPU=4',
    'KEY=v',
  ]);
  expect(options.mounts.map(({ containerPath }) => containerPath)).toEqual(['/gpu', '/data', '/etc/hosts']);
  expect(options.mounts[1]).toMatchObject({ recursiveReadOnly: true });
  expect(options.devices.map(({ pathInContainer }) => pathInContainer)).toEqual(['/dev/gpu', '/dev/raw']);
  expect(options.cdiDevices).toEqual(['vendor.com/gpu=0']);
  expect(options.podContainerDir).toBe('/var/lib/kubelet/pods/u-1/containers/app');
  expect(files.folders).toEqual(new Map([['/var/lib/kubelet/pods/u-1/containers/app', 0o750]]));
  expect(files.files.get('/var/lib/kubelet/pods/u-1/etc-hosts')).toContain(
    'fd00::1\tmine.sub.shop.svc.cluster.local\tmine\n10.0.0.1\tmine.sub.shop.svc.cluster.local\tmine\n',
  );
});

test('starts a container without a termination message if its directory cannot be created', async () => {
  const files = Object.assign(new MemoryPodFiles({}, ['/raw']), {
    makeFolder: async () => Promise.reject(new Error('disk full')),
  });
  const pod = podOf(spec);
  const { options } = await aHelper({ files }).helper.runContainerOptions(pod, containerOf(pod), []);
  expect(options.podContainerDir).toBe('');
});

test.each([
  [[], 'an old runtime'],
  [['other'], 'a runtime without the handler'],
])('makes no recursive read-only mounts with the handlers %j of %s', async (handlers) => {
  const pod = podOf(spec);
  const { options } = await aHelper({}, handlers).helper.runContainerOptions(pod, containerOf(pod), []);
  expect(options.mounts[1]).toMatchObject({ recursiveReadOnly: false });
});

test('rejects a pod with a missing runtime class', () => {
  const { helper } = aHelper();
  expect(() => helper.userNamespace(podOf({ runtimeClassName: 'unknown' }))).toThrow(
    'runtimeclasses.node.k8s.io "unknown" not found',
  );
  expect(() => helper.userNamespace(podOf({ hostUsers: false }))).toThrow('runtime does not support user namespaces');
});

test('delegates groups, cgroups, DNS and devices', async () => {
  const { helper, told } = aHelper();
  const pod = podOf({});
  expect(helper.extraSupplementalGroups(pod)).toEqual([5]);
  expect(helper.podCgroupParent(pod)).toBe('/kubepods');
  expect(await helper.podDNS(pod)).toMatchObject({ servers: ['10.96.0.10'] });
  await helper.prepareDynamicResources(pod);
  await helper.podSandboxReady(pod);
  await helper.unprepareDynamicResources(pod);
  expect(told).toEqual(['prepare', 'ready', 'unprepare']);
});
