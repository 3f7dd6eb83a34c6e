import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { Image } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { containerOf, podOf } from '../testing/decoded-pod.ts';
import { someHelper, someSettings } from '../testing/runtime-config.ts';
import { containerSecurityContext, imageUser, type SecurityPorts, verifyRunAsNonRoot } from './security-context.ts';

const ports = (overrides: Partial<SecurityPorts> = {}): SecurityPorts => ({
  helper: someHelper(),
  settings: someSettings(),
  user: { uid: 0n },
  ...overrides,
});

const aPod = (own: JsonObject | undefined, whole: JsonObject = {}, metadata: JsonObject = {}) =>
  podOf(
    { securityContext: whole, containers: [{ name: 'c', ...(own === undefined ? {} : { securityContext: own }) }] },
    metadata,
  );

const securityOf = (own: JsonObject | undefined, whole: JsonObject = {}, given: Partial<SecurityPorts> = {}) => {
  const pod = aPod(own, whole);
  return containerSecurityContext(pod, containerOf(pod), ports(given));
};

describe('the user of a container', () => {
  test.each([
    [
      'of the container',
      { runAsUser: 5 },
      { runAsUser: 6 },
      { uid: 7n },
      { runAsUser: { value: 5n }, runAsUsername: '' },
    ],
    [
      'of the pod',
      {},
      { runAsUser: 6, runAsGroup: 9 },
      { username: 'u' },
      { runAsUser: { value: 6n }, runAsGroup: { value: 9n }, runAsUsername: '' },
    ],
    ['of the image by number', {}, {}, { uid: 7n }, { runAsUser: { value: 7n }, runAsUsername: '' }],
    ['of the image by name', {}, {}, { username: 'u' }, { runAsUser: undefined, runAsUsername: 'u' }],
  ])('uses the user %s', (_, own, whole, user, expected) => {
    expect(securityOf(own, whole, { user })).toMatchObject(expected);
  });

  test.each([
    [undefined, { uid: 0n }],
    [Image.fromPartial({}), { uid: 0n }],
    [Image.fromPartial({ uid: { value: 3n } }), { uid: 3n }],
    [Image.fromPartial({ username: 'nobody' }), { username: 'nobody' }],
  ])('reads the user of image %#', (image, expected) => {
    expect(imageUser(image)).toEqual(expected);
  });
});

describe('a container that must not run as root', () => {
  const where = '(pod: "web_shop(u-1)", container: c)';
  test.each<[JsonObject, JsonObject, SecurityPorts['user'], string | undefined]>([
    [{}, {}, { uid: 0n }, undefined],
    [{ runAsNonRoot: false }, { runAsNonRoot: true }, { uid: 0n }, undefined],
    [{ runAsNonRoot: true, runAsUser: 1 }, {}, { uid: 0n }, undefined],
    [{ runAsNonRoot: true }, {}, { uid: 1n }, undefined],
    [{ runAsNonRoot: true, runAsUser: 0 }, {}, { uid: 1n }, `container's runAsUser breaks non-root policy ${where}`],
    [{}, { runAsNonRoot: true, runAsUser: 0 }, { uid: 1n }, `container's runAsUser breaks non-root policy ${where}`],
    [{ runAsNonRoot: true }, {}, { uid: 0n }, `container has runAsNonRoot and image will run as root ${where}`],
    [
      { runAsNonRoot: true },
      {},
      { username: 'web' },
      `container has runAsNonRoot and image has non-numeric user (web), cannot verify user is non-root ${where}`,
    ],
    [
      { runAsNonRoot: true },
      {},
      { uid: -1n },
      `container has runAsNonRoot and image has an invalid user id (-1). (Must be 1-(2147483647)): must be between 0 and 2147483647, inclusive ${where}`,
    ],
  ])('checks a container with %j in a pod with %j, case %#', (own, whole, user, message) => {
    const pod = aPod(own, whole);
    const verify = (): void => verifyRunAsNonRoot(pod, containerOf(pod), user);
    if (message === undefined) expect(verify).not.toThrow();
    else expect(verify).toThrow(new Error(message));
  });
});

describe('the seccomp profile', () => {
  const [DEFAULT, UNCONFINED] = [
    { profileType: 0, localhostRef: '' },
    { profileType: 1, localhostRef: '' },
  ];
  const local = { type: 'Localhost', localhostProfile: 'a/b.json' };
  const LOCAL = { profileType: 2, localhostRef: '/var/lib/kubelet/seccomp/a/b.json' };
  test.each<[JsonObject | undefined, JsonObject, boolean, object]>([
    [undefined, {}, false, UNCONFINED],
    [undefined, {}, true, DEFAULT],
    [undefined, { seccompProfile: { type: 'RuntimeDefault' } }, false, DEFAULT],
    [{ seccompProfile: { type: 'Unconfined' } }, { seccompProfile: { type: 'RuntimeDefault' } }, true, UNCONFINED],
    [{ seccompProfile: local }, {}, false, LOCAL],
    [{}, { seccompProfile: local }, false, LOCAL],
  ])('chooses the seccomp profile for container %j, pod %j and default %j', (own, whole, seccompDefault, expected) => {
    expect(securityOf(own, whole, { settings: someSettings({ seccompDefault }) }).seccomp).toEqual(expected);
  });

  test('a local profile has a name', () => {
    expect(() => securityOf({ seccompProfile: { type: 'Localhost' } })).toThrow(
      'localhostProfile must be set if seccompProfile type is Localhost.',
    );
  });
});

describe('the AppArmor profile', () => {
  const key = 'container.apparmor.security.beta.kubernetes.io/c';
  test.each<[JsonObject, JsonObject, JsonObject, object]>([
    [{}, {}, {}, { apparmor: undefined, apparmorProfile: '' }],
    [
      { type: 'RuntimeDefault' },
      {},
      {},
      { apparmor: { profileType: 0, localhostRef: '' }, apparmorProfile: 'runtime/default' },
    ],
    [{}, { type: 'Unconfined' }, {}, { apparmor: { profileType: 1, localhostRef: '' }, apparmorProfile: 'unconfined' }],
    [
      { type: 'Localhost', localhostProfile: 'p' },
      { type: 'Unconfined' },
      {},
      { apparmor: { profileType: 2, localhostRef: 'p' }, apparmorProfile: 'localhost/p' },
    ],
    [
      {},
      { type: 'Unconfined' },
      { [key]: 'localhost/q' },
      { apparmor: { profileType: 2, localhostRef: 'q' }, apparmorProfile: 'localhost/q' },
    ],
    [{}, {}, { [key]: 'nonsense' }, { apparmor: undefined, apparmorProfile: '' }],
  ])('chooses the AppArmor profile for container %j, pod %j and annotation %j', (own, whole, annotations, expected) => {
    const field = (profile: JsonObject): JsonObject =>
      Object.keys(profile).length === 0 ? {} : { appArmorProfile: profile };
    const pod = aPod(field(own), field(whole), { annotations });
    expect(containerSecurityContext(pod, containerOf(pod), ports())).toMatchObject(expected);
  });

  test.each([
    [{ type: 'Localhost' }, 'missing localhost apparmor profile name'],
    [{ type: 'Odd' }, 'unknown apparmor profile type: "Odd"'],
  ])('rejects the profile %j', (appArmorProfile, message) => {
    expect(() => securityOf({ appArmorProfile })).toThrow(message);
  });
});

test('sets capabilities, privileges and read-only file systems', () => {
  expect(
    securityOf({
      privileged: true,
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] },
      seLinuxOptions: { level: 's0' },
    }),
  ).toMatchObject({
    privileged: true,
    readonlyRootfs: true,
    noNewPrivs: true,
    capabilities: { addCapabilities: ['NET_ADMIN'], dropCapabilities: ['ALL'], addAmbientCapabilities: [] },
    selinuxOptions: { user: '', role: '', type: '', level: 's0' },
  });
  expect(securityOf(undefined)).toMatchObject({
    privileged: false,
    readonlyRootfs: false,
    noNewPrivs: false,
    capabilities: undefined,
  });
});

test("lists the pod's groups before those of its volumes", () => {
  const helper = someHelper({ extraSupplementalGroups: () => [77] });
  const whole = { fsGroup: 7, supplementalGroups: [8], supplementalGroupsPolicy: 'Merge' };
  expect(securityOf({}, whole, { helper })).toMatchObject({
    supplementalGroups: [7n, 8n, 77n],
    supplementalGroupsPolicy: 0,
  });
});

test('hides kernel secrets from a container unless it requests them', () => {
  const settings = someSettings({ thermalThrottlePaths: ['/sys/devices/system/cpu/cpu0/thermal_throttle'] });
  const { maskedPaths, readonlyPaths } = securityOf({ procMount: 'Default' }, {}, { settings });
  expect(maskedPaths).toEqual([
    '/proc/asound',
    '/proc/acpi',
    '/proc/interrupts',
    '/proc/kcore',
    '/proc/keys',
    '/proc/latency_stats',
    '/proc/timer_list',
    '/proc/timer_stats',
    '/proc/sched_debug',
    '/proc/scsi',
    '/sys/firmware',
    '/sys/devices/virtual/powercap',
    '/sys/devices/system/cpu/cpu0/thermal_throttle',
  ]);
  expect(readonlyPaths).toEqual(['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger']);
  expect(securityOf({ procMount: 'Unmasked' })).toMatchObject({ maskedPaths: [], readonlyPaths: [] });
});
