import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Pod, PodSpec } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { errorText } from '#lib/machinery/validation/field.ts';
import type { PodView } from './check.ts';
import { detailsOf, evaluate } from './evaluate.ts';
import { exemptionErrors, NO_EXEMPTIONS } from './exemptions.ts';
import { warningsOfExisting } from './existing-pods.ts';
import { type Level, policyOf, policyText, UNRESTRICTED } from './policy.ts';
import { isSignificant } from './significance.ts';

const label = (labels: Record<string, string>) =>
  Object.fromEntries(Object.entries(labels).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]));

const specOf = (spec: JsonObject): PodSpec => decodedAs(PODS, { spec: { containers: [{ name: 'a' }], ...spec } }).spec;
const view = (spec: JsonObject, annotations: Record<string, string> = {}): PodView => ({
  annotations,
  spec: specOf(spec),
});
const secure = (name: string, securityContext: JsonObject): JsonObject => ({ name, securityContext });

describe("policy in a namespace's labels", () => {
  test.each<[string, Record<string, string>, [string, string, string], string[]]>([
    ['none', {}, ['privileged:latest', 'privileged:latest', 'privileged:latest'], []],
    [
      'enforce is warned about too',
      { enforce: 'baseline' },
      ['baseline:latest', 'privileged:latest', 'baseline:latest'],
      [],
    ],
    [
      'in its version',
      { enforce: 'restricted', 'enforce-version': 'v1.20' },
      ['restricted:v1.20', 'privileged:latest', 'restricted:v1.20'],
      [],
    ],
    [
      'but for an own warning',
      { enforce: 'restricted', warn: 'privileged', 'warn-version': 'v1.3', audit: 'baseline' },
      ['restricted:latest', 'baseline:latest', 'privileged:v1.3'],
      [],
    ],
    [
      'and an own version',
      { enforce: 'baseline', 'warn-version': 'v1.3' },
      ['baseline:latest', 'privileged:latest', 'baseline:v1.3'],
      [],
    ],
    [
      'what is wrong enforces most and warns least',
      { enforce: 'Baseline', audit: 'x', warn: '', 'enforce-version': '1.20' },
      ['restricted:latest', 'privileged:latest', 'privileged:latest'],
      [
        'metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "Baseline": must be one of privileged, baseline, restricted',
        'metadata.labels[pod-security.kubernetes.io/enforce-version]: Invalid value: "1.20": must be "latest" or "v1.x"',
        'metadata.labels[pod-security.kubernetes.io/audit]: Invalid value: "x": must be one of privileged, baseline, restricted',
        'metadata.labels[pod-security.kubernetes.io/warn]: Invalid value: "": must be one of privileged, baseline, restricted',
      ],
    ],
    [
      'a version beyond 64 bits',
      { 'audit-version': 'v1.9223372036854775808', 'warn-version': 'v1.9223372036854775807' },
      ['privileged:latest', 'privileged:latest', 'privileged:v1.9223372036854775807'],
      [
        'metadata.labels[pod-security.kubernetes.io/audit-version]: Invalid value: "v1.9223372036854775808": must be "latest" or "v1.x"',
      ],
    ],
  ])('reads labels: %s', (_title, labels, expected, faults) => {
    const { policy, errors } = policyOf(label(labels), UNRESTRICTED);
    expect([policy.enforce, policy.audit, policy.warn].map(policyText)).toEqual(expected);
    expect(errors.map(errorText)).toEqual(faults);
  });
});

describe('checks of a pod', () => {
  const NET = { capabilities: { add: ['NET_ADMIN'] } };
  test.each<[string, Level, string, PodView, string]>([
    ['privileged allows all', 'privileged', 'latest', view({ hostNetwork: true }), ''],
    [
      'several, by id',
      'baseline',
      'latest',
      view({
        hostPID: true,
        hostNetwork: true,
        containers: [secure('a', { privileged: true, ...NET }), secure('b', NET)],
      }),
      'non-default capabilities (containers "a", "b" must not include "NET_ADMIN" in securityContext.capabilities.add), host namespaces (hostNetwork=true, hostPID=true), privileged (container "a" must not set securityContext.privileged=true)',
    ],
    [
      'restricted, of nothing said',
      'restricted',
      'latest',
      view({}),
      'allowPrivilegeEscalation != false (container "a" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "a" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    ],
    [
      'of an old version less',
      'restricted',
      'v1.7',
      view({}),
      'runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true)',
    ],
    [
      'Windows has no capabilities',
      'restricted',
      'v1.25',
      view({ os: { name: 'windows' }, securityContext: { runAsNonRoot: true } }),
      '',
    ],
    [
      'annotations of a profile',
      'baseline',
      'v1.18',
      view(
        {},
        {
          'seccomp.security.alpha.kubernetes.io/pod': 'unconfined',
          'container.apparmor.security.beta.kubernetes.io/a': 'x',
        },
      ),
      'forbidden AppArmor profile (annotation must not set AppArmor profile type to "container.apparmor.security.beta.kubernetes.io/a="x""), seccompProfile (forbidden annotation seccomp.security.alpha.kubernetes.io/pod="unconfined")',
    ],
    [
      'a user namespace makes root nobody',
      'restricted',
      'v1.35',
      view({
        hostUsers: false,
        securityContext: { runAsUser: 0, seccompProfile: { type: 'Localhost' } },
        containers: [
          secure('a', { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, procMount: 'Unmasked' }),
        ],
      }),
      'procMount (container "a" must not set securityContext.procMount to "Unmasked")',
    ],
    [
      'ports of the host, sorted as text',
      'baseline',
      'latest',
      view({ containers: [{ name: 'b', ports: [{ hostPort: 9 }, { hostPort: 80 }] }] }),
      'hostPort (container "b" uses hostPorts 80, 9)',
    ],
    [
      'volumes',
      'restricted',
      'v1.0',
      view({
        securityContext: { runAsNonRoot: true },
        volumes: [
          { name: 'v', hostPath: {} },
          { name: 'w', nfs: {} },
        ],
      }),
      'restricted volume types (volumes "v", "w" use restricted volume types "hostPath", "nfs")',
    ],
    [
      'SELinux',
      'baseline',
      'v1.30',
      view({ securityContext: { seLinuxOptions: { type: 'container_engine_t', role: 'r' } } }),
      'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "container_engine_t"; role may not be set)',
    ],
  ])('evaluates a pod: %s', (_title, level, version, pod, expected) => {
    expect(detailsOf(evaluate({ level, version }, pod))).toBe(expected);
  });
});

describe('existing pods after a change of labels', () => {
  const pod = (name: string, spec: JsonObject = {}, owner?: string): Pod =>
    decodedAs(PODS, {
      metadata: { name, ...(owner === undefined ? {} : { ownerReferences: [{ uid: owner, controller: true }] }) },
      spec: { containers: [{ name: 'a' }], ...spec },
    });
  const question = {
    namespace: 'here',
    enforce: { level: 'baseline', version: 'latest' } as const,
    exemptRuntimeClasses: ['sandbox'],
    isLate: () => false,
  };
  const found = 'existing pods in namespace "here" violate the new PodSecurity enforce level "baseline:latest"';

  test('are named with their violations', () => {
    const pods = [
      pod('fine'),
      pod('z', { hostPID: true }),
      pod('exempt', { hostPID: true, runtimeClassName: 'sandbox' }),
      pod('b', { hostPID: true }, 'set'),
      pod('c', { hostPID: true }, 'set'),
      pod('d', { containers: [secure('a', { privileged: true })] }),
      pod('y', { volumes: [{ name: 'v', hostPath: {} }] }),
      pod('x', { volumes: [{ name: 'v', hostPath: {} }] }),
    ];
    expect(warningsOfExisting(pods, question)).toEqual([
      found,
      'b (and 2 other pods): host namespaces',
      'd: privileged',
      'x (and 1 other pod): hostPath volumes',
    ]);
  });

  test('are checked within the time limit, one per controller first', () => {
    let left = 2;
    const pods = [pod('a1', {}, 'a'), pod('a2', { hostIPC: true }, 'a'), pod('b1', { hostPID: true }, 'b')];
    expect(warningsOfExisting(pods, { ...question, isLate: () => --left === 0 })).toEqual([
      'new PodSecurity enforce level only checked against the first 2 of 3 existing pods',
      found,
      'b1: host namespaces',
    ]);
  });
});

describe('significance of a pod update', () => {
  const spec = { containers: [{ name: 'a', image: '1' }], ephemeralContainers: [{ name: 'd', image: '1' }] };
  test.each<[string, JsonObject, boolean]>([
    ['nothing', spec, false],
    ['a label of the pod', { ...spec, nodeName: 'n' }, false],
    ['an image', { ...spec, containers: [{ name: 'a', image: '2' }] }, true],
    ['another container', { ...spec, initContainers: [{ name: 'i', image: '1' }] }, true],
    ['another debugger', { ...spec, ephemeralContainers: [...spec.ephemeralContainers, { name: 'e' }] }, true],
  ])('compares an update of %s', (_title, after, expected) =>
    expect(isSignificant(specOf(after), specOf(spec))).toBe(expected),
  );
});

test('requires exemptions to be unique names', () => {
  const exemptions = { ...NO_EXEMPTIONS, namespaces: ['a', 'a'], runtimeClasses: ['A'], usernames: [''] };
  expect(exemptionErrors(exemptions).map(errorText)).toEqual([
    'exemptions.namespaces[1]: Duplicate value: "a"',
    expect.stringMatching(/^exemptions\.runtimeClasses\[0\]: Invalid value: "A": a lowercase RFC 1123 subdomain /),
    'exemptions.usernames[0]: Invalid value: "": username must not be empty',
  ]);
});
