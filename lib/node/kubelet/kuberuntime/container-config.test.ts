import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { ContainerConfig, NamespaceMode } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { containerOf, podOf } from '../testing/decoded-pod.ts';
import { NO_OPTIONS, someHelper, someSettings } from '../testing/runtime-config.ts';
import { type ContainerConfigRequest, generateContainerConfig } from './container-config.ts';

const request = (overrides: Partial<ContainerConfigRequest> = {}): ContainerConfigRequest => ({
  restartCount: 3,
  imageRef: 'sha256:abc',
  options: NO_OPTIONS,
  user: { uid: 0n },
  helper: someHelper(),
  settings: someSettings(),
  ...overrides,
});

const configOf = (container: JsonObject, overrides: Partial<ContainerConfigRequest> = {}, spec: JsonObject = {}) => {
  const pod = podOf({ terminationGracePeriodSeconds: 30, containers: [{ name: 'app', ...container }], ...spec });
  return generateContainerConfig(containerOf(pod), pod, request(overrides));
};

test('generates the same container config as upstream', () => {
  const container = {
    image: 'nginx',
    command: ['run', '$(A)'],
    args: ['$(MISSING)'],
    workingDir: '/work',
    stdin: true,
    stdinOnce: true,
    tty: true,
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    ports: [{ name: 'http', containerPort: 80, protocol: 'TCP' }],
    lifecycle: { preStop: { exec: { command: ['sh', '-c', 'a && b <c>'] } } },
  };
  const options = {
    ...NO_OPTIONS,
    envs: [{ name: 'A', value: 'ä' }],
    mounts: [{ name: 'v', containerPath: '/data', hostPath: '/host', readOnly: true, selinuxRelabel: true }],
    devices: [{ pathOnHost: '/dev/a', pathInContainer: '/dev/b', permissions: 'mrw' }],
    cdiDevices: ['vendor.com/gpu=1'],
    annotations: { 'vendor.com/note': 'n', 'io.kubernetes.container.hash': 'forged' },
  };
  const config = configOf(container, { options, terminationLog: '/pods/u-1/containers/app/1234abcd' });
  const { linux, ...rest } = config;
  expect(linux?.resources).toMatchObject({ cpuShares: 2n, oomScoreAdj: 1000n });
  expect(rest).toEqual({
    metadata: { name: 'app', attempt: 3 },
    image: { image: 'sha256:abc', userSpecifiedImage: 'nginx', annotations: {}, runtimeHandler: '', imageRef: '' },
    command: ['run', 'ä'],
    args: ['$(MISSING)'],
    workingDir: '/work',
    envs: [{ key: 'A', value: Buffer.from('ä') }],
    mounts: [
      aMount({ containerPath: '/data', hostPath: '/host', readonly: true }),
      aMount({ containerPath: '/dev/termination-log', hostPath: '/pods/u-1/containers/app/1234abcd' }),
    ],
    devices: [{ hostPath: '/dev/a', containerPath: '/dev/b', permissions: 'mrw' }],
    CDIDevices: [{ name: 'vendor.com/gpu=1' }],
    labels: {
      'io.kubernetes.container.name': 'app',
      'io.kubernetes.pod.name': 'web',
      'io.kubernetes.pod.namespace': 'shop',
      'io.kubernetes.pod.uid': 'u-1',
    },
    annotations: {
      'vendor.com/note': 'n',
      'io.kubernetes.container.hash': expect.stringMatching(/^[0-9a-f]{1,8}$/),
      'io.kubernetes.container.ports': '[{"name":"http","containerPort":80,"protocol":"TCP"}]',
      'io.kubernetes.container.preStopHandler': '{"exec":{"command":["sh","-c","a \\u0026\\u0026 b \\u003cc\\u003e"]}}',
      'io.kubernetes.container.restartCount': '3',
      'io.kubernetes.container.terminationMessagePath': '/dev/termination-log',
      'io.kubernetes.container.terminationMessagePolicy': 'File',
      'io.kubernetes.pod.terminationGracePeriod': '30',
    },
    logPath: 'app/3.log',
    stdin: true,
    stdinOnce: true,
    tty: true,
    windows: undefined,
    stopSignal: 0,
  });
  expect(ContainerConfig.decode(ContainerConfig.encode(config).finish())).toMatchObject({ logPath: 'app/3.log' });
});

const aMount = (fields: object) => ({
  readonly: false,
  selinuxRelabel: false,
  propagation: 0,
  uidMappings: [],
  gidMappings: [],
  recursiveReadOnly: false,
  image: undefined,
  imageSubPath: '',
  ...fields,
});

test('relabels mounts if SELinux is enabled', () => {
  const mounts = [{ name: 'v', containerPath: '/a', hostPath: '/b', readOnly: false, selinuxRelabel: true }];
  const config = configOf(
    { terminationMessagePath: 'log' },
    { options: { ...NO_OPTIONS, mounts }, settings: someSettings({ selinuxEnabled: true }), terminationLog: '/t' },
  );
  expect(config.mounts).toEqual([
    aMount({ containerPath: '/a', hostPath: '/b', selinuxRelabel: true }),
    aMount({ containerPath: '/log', hostPath: '/t', selinuxRelabel: true }),
  ]);
});

test("sets the image of an image volume's mount", () => {
  const image = { image: 'sha256:v', annotations: {}, userSpecifiedImage: 'data:1', runtimeHandler: '', imageRef: '' };
  const mounts = [{ name: 'v', containerPath: '/a', hostPath: '', readOnly: true, image, imageSubPath: 'sub' }];
  const config = configOf({}, { options: { ...NO_OPTIONS, mounts } });
  expect(config.mounts).toEqual([
    aMount({ containerPath: '/a', hostPath: '', readonly: true, image, imageSubPath: 'sub' }),
  ]);
});

test.each([
  [{}, NamespaceMode.TARGET, 'id-1'],
  [{ shareProcessNamespace: true }, NamespaceMode.POD, ''],
  [{ hostPID: true }, NamespaceMode.NODE, ''],
])('sets the PID namespace with %j for an ephemeral container with a target to mode %i', (spec, pid, targetId) => {
  const { linux } = configOf({}, { targetContainerID: 'id-1' }, spec);
  expect(linux?.securityContext?.namespaceOptions).toMatchObject({ pid, targetId });
});

test('stores the grace period of a deletion in the annotations', () => {
  const pod = podOf({ containers: [{ name: 'app' }] }, { deletionGracePeriodSeconds: 7 });
  const { annotations } = generateContainerConfig(containerOf(pod), pod, request());
  expect(annotations['io.kubernetes.pod.deletionGracePeriod']).toBe('7');
  expect(annotations).not.toHaveProperty(['io.kubernetes.pod.terminationGracePeriod']);
});
