import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import {
  LinuxSandboxSecurityContext,
  NamespaceMode,
  PodSandboxConfig,
  Protocol,
} from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { RuntimeHelper } from '../container/runtime.ts';
import { podOf } from '../testing/decoded-pod.ts';
import { someHelper, someSettings } from '../testing/runtime-config.ts';
import { generatePodSandboxConfig } from './sandbox-config.ts';

const configOf = (spec: JsonObject, metadata: JsonObject = {}, helper: Partial<RuntimeHelper> = {}) =>
  generatePodSandboxConfig(podOf(spec, metadata), 2, { helper: someHelper(helper), settings: someSettings() });

const DEFAULT = { profileType: 0, localhostRef: '' } as const;
const POD_NAMESPACES = {
  ipc: NamespaceMode.POD,
  network: NamespaceMode.POD,
  pid: NamespaceMode.CONTAINER,
  targetId: '',
  usernsOptions: { mode: NamespaceMode.NODE, uids: [], gids: [] },
};

test('generates the same sandbox config as upstream', async () => {
  const config = await configOf(
    { containers: [{ name: 'c' }] },
    { labels: { app: 'web' }, annotations: { note: 'n' } },
  );
  const { resources, overhead, ...linux } = config.linux ?? {};
  expect(resources).toMatchObject({ cpuShares: 2n });
  expect(overhead).toMatchObject({ cpuShares: 0n });
  expect({ ...config, linux }).toEqual({
    metadata: { name: 'web', namespace: 'shop', uid: 'u-1', attempt: 2 },
    hostname: 'web',
    logDirectory: '/var/log/pods/shop_web_u-1',
    dnsConfig: { servers: ['10.96.0.10'], searches: ['shop.svc.cluster.local'], options: ['ndots:5'] },
    portMappings: [],
    labels: {
      app: 'web',
      'io.kubernetes.pod.name': 'web',
      'io.kubernetes.pod.namespace': 'shop',
      'io.kubernetes.pod.uid': 'u-1',
    },
    annotations: { note: 'n' },
    linux: {
      cgroupParent: '/kubepods/pod',
      sysctls: {},
      securityContext: {
        ...LinuxSandboxSecurityContext.fromPartial({}),
        seccomp: DEFAULT,
        namespaceOptions: POD_NAMESPACES,
      },
    },
    windows: undefined,
  });
  expect(PodSandboxConfig.decode(PodSandboxConfig.encode(config).finish())).toMatchObject({ hostname: 'web' });
});

test("copies the pod's security context to the sandbox", async () => {
  const securityContext = {
    runAsUser: 1000,
    runAsGroup: 10,
    fsGroup: 7,
    supplementalGroups: [8, 9],
    supplementalGroupsPolicy: 'Strict',
    seLinuxOptions: { user: 'qux' },
    sysctls: [{ name: 'kernel.sem', value: '1 2' }],
  };
  const containers = [{ name: 'a' }];
  const initContainers = [{ name: 'i', securityContext: { privileged: true } }];
  const spec = { hostIPC: true, hostPID: true, securityContext, containers, initContainers };
  const { linux } = await configOf(spec, {}, { extraSupplementalGroups: () => [77] });
  expect(linux).toMatchObject({
    sysctls: { 'kernel.sem': '1 2' },
    securityContext: {
      privileged: true,
      runAsUser: { value: 1000n },
      runAsGroup: { value: 10n },
      supplementalGroups: [7n, 77n, 8n, 9n],
      supplementalGroupsPolicy: 1,
      selinuxOptions: { user: 'qux', role: '', type: '', level: '' },
      namespaceOptions: { ipc: NamespaceMode.NODE, pid: NamespaceMode.NODE, network: NamespaceMode.POD },
    },
  });
});

test('shares the processes of a pod between its containers on request', async () => {
  const { linux } = await configOf({ shareProcessNamespace: true });
  expect(linux?.securityContext?.namespaceOptions?.pid).toBe(NamespaceMode.POD);
});

test("sets no hostname for a pod on the host's network", async () => {
  const { hostname, linux } = await configOf({ hostNetwork: true });
  expect(hostname).toBe('');
  expect(linux?.securityContext?.namespaceOptions?.network).toBe(NamespaceMode.NODE);
});

test('maps container ports once per name, without those of init containers', async () => {
  const ports = [
    { name: 'http', containerPort: 80, hostPort: 8080, protocol: 'TCP' },
    { name: 'http', containerPort: 81, hostPort: 8081, protocol: 'TCP' },
    { containerPort: 53, protocol: 'UDP', hostIP: '::1' },
    { containerPort: 53, protocol: 'UDP', hostIP: '127.0.0.1' },
    { containerPort: 53, protocol: 'UDP', hostIP: '127.0.0.1' },
    { containerPort: 5, protocol: 'SCTP' },
  ];
  const { portMappings } = await configOf({
    containers: [
      { name: 'a', ports },
      { name: 'b', ports: ports.slice(0, 1) },
    ],
    initContainers: [{ name: 'i', ports }],
  });
  expect(portMappings).toEqual([
    { protocol: Protocol.TCP, containerPort: 80, hostPort: 8080, hostIp: '' },
    { protocol: Protocol.UDP, containerPort: 53, hostPort: 0, hostIp: '::1' },
    { protocol: Protocol.UDP, containerPort: 53, hostPort: 0, hostIp: '127.0.0.1' },
    { protocol: Protocol.SCTP, containerPort: 5, hostPort: 0, hostIp: '' },
    { protocol: Protocol.TCP, containerPort: 80, hostPort: 8080, hostIp: '' },
  ]);
});

test('sets a fully qualified hostname if the pod requests it', async () => {
  const domain = (length: number) => ({ hostnameAndDomain: () => ({ hostname: 'web', domain: 'd'.repeat(length) }) });
  expect((await configOf({}, {}, domain(60))).hostname).toBe('web');
  expect((await configOf({ setHostnameAsFQDN: true }, {}, domain(60))).hostname).toBe(`web.${'d'.repeat(60)}`);
  await expect(configOf({ setHostnameAsFQDN: true }, {}, domain(61))).rejects.toThrow(
    `failed to construct FQDN from pod hostname and cluster domain, FQDN web.${'d'.repeat(61)} is too long (64 characters is the max, 65 characters requested)`,
  );
});

test('rejects an unknown policy', async () => {
  await expect(configOf({ securityContext: { supplementalGroupsPolicy: 'Odd' } })).rejects.toThrow(
    'unsupported supplementalGroupsPolicy: Odd',
  );
});
