import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { containerErrors, createErrors } from '../builders.ts';

const S = 'spec.containers[0].securityContext';

describe('a security context of a container', () => {
  test.each<[string, JsonObject, string[]]>([
    [
      'is rejected with a negative user ID',
      { runAsUser: -1 },
      [`${S}.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive`],
    ],
    [
      'is rejected with an unmasked /proc and host users',
      { procMount: 'Unmasked' },
      [`${S}.procMount: Invalid value: "Unmasked": \`hostUsers\` must be false to use \`Unmasked\``],
    ],
    [
      'is rejected with a local seccomp profile without a name',
      { seccompProfile: { type: 'Localhost' } },
      [`${S}.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost`],
    ],
    [
      'is rejected with an unknown type of AppArmor profile',
      { appArmorProfile: { type: 'Strict' } },
      [
        `${S}.appArmorProfile.type: Unsupported value: "Strict": supported values: "Localhost", "RuntimeDefault", "Unconfined"`,
      ],
    ],
    [
      'is rejected with an invalid Windows user name',
      { windowsOptions: { runAsUserName: 'a\\b\\c' } },
      [
        `${S}.windowsOptions.runAsUserName: Invalid value: "a\\\\b\\\\c": runAsUserName cannot contain more than one backslash`,
      ],
    ],
  ])('a security context %s', (_, securityContext, expected) => {
    expect(containerErrors({ securityContext })).toEqual(expected);
  });

  test('is rejected if privileged without privilege escalation', () => {
    const errors = containerErrors({ securityContext: { privileged: true, allowPrivilegeEscalation: false } });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/cannot set `allowPrivilegeEscalation` to false and `privileged` to true$/);
  });
});

describe('security fields of a pod', () => {
  test.each<[string, JsonObject, string[]]>([
    [
      'is rejected with both a shared process namespace and hostPID',
      { shareProcessNamespace: true, hostPID: true },
      [
        'spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled',
      ],
    ],
    [
      'is rejected with host sysctls and with invalid sysctl names',
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
      'is rejected with a user namespace and the host network or IPC',
      { hostUsers: false, hostNetwork: true, hostIPC: true },
      ['spec.hostNetwork: Forbidden: when `hostUsers` is false', 'spec.HostIPC: Forbidden: when `hostUsers` is false'],
    ],
    [
      'is rejected with an SELinux change policy, which is off by default',
      { securityContext: { seLinuxChangePolicy: 'MountOption' } },
      ['spec.securityContext.seLinuxChangePolicy: Unsupported value: "MountOption": supported values: "Recursive"'],
    ],
    [
      'is rejected with OS linux and Windows options',
      { os: { name: 'linux' }, securityContext: { windowsOptions: {} } },
      ['spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod'],
    ],
    [
      'is rejected with OS windows and Linux fields',
      { os: { name: 'windows' }, hostPID: true, securityContext: { runAsUser: 1 } },
      [
        'spec.hostPID: Forbidden: cannot be set for a windows pod',
        'spec.securityContext.runAsUser: Forbidden: cannot be set for a windows pod',
      ],
    ],
    [
      'is rejected with an unknown OS',
      { os: { name: 'plan9' } },
      ['spec.os: Unsupported value: "plan9": supported values: "linux", "windows"'],
    ],
    [
      'is rejected with HostProcess containers but without the host network',
      { securityContext: { windowsOptions: { hostProcess: true } } },
      ['spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers'],
    ],
  ])('a pod %s', (_, spec, expected) => {
    expect(createErrors(spec)).toEqual(expected);
  });
});

describe('annotations of a pod', () => {
  test.each<[string, Record<string, string>, string[]]>([
    [
      'is rejected as a deletion cost if it is not a 32-bit integer',
      { 'controller.kubernetes.io/pod-deletion-cost': '1e3' },
      [
        'metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "1e3": must be a 32bit integer',
      ],
    ],
    [
      'is rejected as a mirror pod mark if the pod has no node',
      { 'kubernetes.io/config.mirror': 'x' },
      [
        'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set',
      ],
    ],
    [
      'is rejected as an AppArmor profile if invalid or of an unknown container',
      { 'container.apparmor.security.beta.kubernetes.io/other': 'strict' },
      [
        'metadata.annotations[container.apparmor.security.beta.kubernetes.io/other]: Invalid value: "other": container not found',
        'metadata.annotations[container.apparmor.security.beta.kubernetes.io/other]: Invalid value: "strict": invalid AppArmor profile name: "strict"',
      ],
    ],
  ])('a pod annotation %s', (_, annotations, expected) => {
    expect(createErrors({}, { annotations })).toEqual(expected);
  });

  test('an annotation is rejected if it contradicts the field that replaces it', () => {
    const annotations = { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' };
    const spec = { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } };
    expect(createErrors(spec, { annotations })).toEqual([
      'spec.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match',
    ]);
  });
});

describe('a pod with DNS settings', () => {
  test.each<[string, JsonObject, string[]]>([
    [
      'is rejected with policy None and no nameservers',
      { dnsPolicy: 'None' },
      ['spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None'],
    ],
    [
      'is rejected with too many nameservers and with invalid ones',
      { dnsConfig: { nameservers: ['1.2.3.4', '::1', '010.0.0.1', 'dns'] } },
      [
        'spec.dnsConfig.nameservers: Invalid value: ["1.2.3.4","::1","010.0.0.1","dns"]: must not have more than 3 nameservers',
        'spec.dnsConfig.nameservers[2]: Invalid value: "010.0.0.1": must not have leading 0s',
        'spec.dnsConfig.nameservers[3]: Invalid value: "dns": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ],
    ],
    [
      'is accepted with a search path of a dot and with underscores',
      { dnsConfig: { searches: ['.', '_tcp.example.com.'] } },
      [],
    ],
    [
      'is rejected with a host alias for an IPv4-mapped address',
      { hostAliases: [{ ip: '::ffff:1.2.3.4', hostnames: ['a'] }] },
      ['spec.hostAliases[0].ip: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address'],
    ],
    [
      'is rejected with a host name override and setHostnameAsFQDN',
      { hostnameOverride: 'a', setHostnameAsFQDN: true },
      ['spec.hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true'],
    ],
  ])('a pod %s', (_, spec, expected) => {
    expect(createErrors(spec)).toEqual(expected);
  });
});
