import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { containerErrors, createErrors } from '../builders.ts';

const S = 'spec.containers[0].securityContext';

describe('security context of a container', () => {
  test.each<[string, JsonObject, string[]]>([
    [
      'has users',
      { runAsUser: -1 },
      [`${S}.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive`],
    ],
    [
      'shows all of /proc in a user namespace only',
      { procMount: 'Unmasked' },
      [`${S}.procMount: Invalid value: "Unmasked": \`hostUsers\` must be false to use \`Unmasked\``],
    ],
    [
      'names a local profile',
      { seccompProfile: { type: 'Localhost' } },
      [`${S}.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost`],
    ],
    [
      'knows three kinds of profile',
      { appArmorProfile: { type: 'Strict' } },
      [
        `${S}.appArmorProfile.type: Unsupported value: "Strict": supported values: "Localhost", "RuntimeDefault", "Unconfined"`,
      ],
    ],
    [
      'names users of Windows',
      { windowsOptions: { runAsUserName: 'a\\b\\c' } },
      [
        `${S}.windowsOptions.runAsUserName: Invalid value: "a\\\\b\\\\c": runAsUserName cannot contain more than one backslash`,
      ],
    ],
  ])('%s', (_, securityContext, expected) => {
    expect(containerErrors({ securityContext })).toEqual(expected);
  });

  test('is not privileged and confined at once', () => {
    const errors = containerErrors({ securityContext: { privileged: true, allowPrivilegeEscalation: false } });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/cannot set `allowPrivilegeEscalation` to false and `privileged` to true$/);
  });
});

describe('pods and their hosts', () => {
  test.each<[string, JsonObject, string[]]>([
    [
      'share processes in one way',
      { shareProcessNamespace: true, hostPID: true },
      [
        'spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled',
      ],
    ],
    [
      'set kernel parameters of their own namespaces',
      {
        hostNetwork: true,
        securityContext: {
          sysctls: [
            { name: 'net.core.somaxconn', value: '1' },
            { name: 'A', value: '' },
          ],
        },
      },
      [
        `spec.securityContext.sysctls[0].name: Invalid value: "net.core.somaxconn": may not be specified when 'hostNetwork' is true`,
        'spec.securityContext.sysctls[1].name: Invalid value: "A": must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
      ],
    ],
    [
      'have users of their own or the other namespaces of the host',
      { hostUsers: false, hostNetwork: true, hostIPC: true },
      ['spec.hostNetwork: Forbidden: when `hostUsers` is false', 'spec.HostIPC: Forbidden: when `hostUsers` is false'],
    ],
    [
      'relabel volumes recursively',
      { securityContext: { seLinuxChangePolicy: 'MountOption' } },
      ['spec.securityContext.seLinuxChangePolicy: Unsupported value: "MountOption": supported values: "Recursive"'],
    ],
    [
      'of Linux have no options of Windows',
      { os: { name: 'linux' }, securityContext: { windowsOptions: {} } },
      ['spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod'],
    ],
    [
      'of Windows have none of Linux',
      { os: { name: 'windows' }, hostPID: true, securityContext: { runAsUser: 1 } },
      [
        'spec.hostPID: Forbidden: cannot be set for a windows pod',
        'spec.securityContext.runAsUser: Forbidden: cannot be set for a windows pod',
      ],
    ],
    [
      'run on two systems',
      { os: { name: 'plan9' } },
      ['spec.os: Unsupported value: "plan9": supported values: "linux", "windows"'],
    ],
    [
      'are on the host wholly or not at all',
      { securityContext: { windowsOptions: { hostProcess: true } } },
      ['spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers'],
    ],
  ])('%s', (_, spec, expected) => {
    expect(createErrors(spec)).toEqual(expected);
  });
});

describe('annotations', () => {
  test.each<[string, Record<string, string>, string[]]>([
    [
      'of a cost are 32-bit integers',
      { 'controller.kubernetes.io/pod-deletion-cost': '1e3' },
      [
        'metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "1e3": must be a 32bit integer',
      ],
    ],
    [
      'of a mirror have a node',
      { 'kubernetes.io/config.mirror': 'x' },
      [
        'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set',
      ],
    ],
    [
      'of a profile are of a container',
      { 'container.apparmor.security.beta.kubernetes.io/other': 'strict' },
      [
        'metadata.annotations[container.apparmor.security.beta.kubernetes.io/other]: Invalid value: "other": container not found',
        'metadata.annotations[container.apparmor.security.beta.kubernetes.io/other]: Invalid value: "strict": invalid AppArmor profile name: "strict"',
      ],
    ],
  ])('%s', (_, annotations, expected) => {
    expect(createErrors({}, { annotations })).toEqual(expected);
  });

  test('agree with fields', () => {
    const annotations = { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' };
    const spec = { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } };
    expect(createErrors(spec, { annotations })).toEqual([
      'spec.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match',
    ]);
  });
});

describe('names', () => {
  test.each<[string, JsonObject, string[]]>([
    [
      'are resolved by a server',
      { dnsPolicy: 'None' },
      ['spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None'],
    ],
    [
      'are resolved by addresses',
      { dnsConfig: { nameservers: ['1.2.3.4', '::1', '010.0.0.1', 'dns'] } },
      [
        'spec.dnsConfig.nameservers: Invalid value: ["1.2.3.4","::1","010.0.0.1","dns"]: must not have more than 3 nameservers',
        'spec.dnsConfig.nameservers[2]: Invalid value: "010.0.0.1": must not have leading 0s',
        'spec.dnsConfig.nameservers[3]: Invalid value: "dns": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ],
    ],
    ['are searched for', { dnsConfig: { searches: ['.', '_tcp.example.com.'] } }, []],
    [
      'are aliases of addresses',
      { hostAliases: [{ ip: '::ffff:1.2.3.4', hostnames: ['a'] }] },
      ['spec.hostAliases[0].ip: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address'],
    ],
    [
      'of hosts are overridden alone',
      { hostnameOverride: 'a', setHostnameAsFQDN: true },
      ['spec.hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true'],
    ],
  ])('%s', (_, spec, expected) => {
    expect(createErrors(spec)).toEqual(expected);
  });
});
