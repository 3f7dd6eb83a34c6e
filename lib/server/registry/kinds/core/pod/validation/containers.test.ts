import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aContainer, containerErrors, createErrors, volume } from '../builders.ts';

const C = 'spec.containers[0]';

describe('validation of containers', () => {
  test.each<[string, JsonObject, string[]]>([
    ['is accepted with a name and an image', {}, []],
    ['is rejected without a name', { name: '' }, [`${C}.name: Required value`]],
    ['is rejected without an image', { image: '' }, [`${C}.image: Required value`]],
    [
      'is rejected with white space around its image',
      { image: ' nginx' },
      [`${C}.image: Invalid value: " nginx": must not have leading or trailing whitespace`],
    ],
    [
      'is rejected with an unknown pull policy',
      { imagePullPolicy: 'Sometimes' },
      [`${C}.imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"`],
    ],
    [
      'is rejected with ports out of range and repeated port names',
      {
        ports: [
          { name: 'http', containerPort: 80 },
          { name: 'http', containerPort: 70000, protocol: 'HTTP' },
          { containerPort: 0 },
        ],
      },
      [
        `${C}.ports[1].name: Duplicate value: "http"`,
        `${C}.ports[1].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive`,
        `${C}.ports[1].protocol: Unsupported value: "HTTP": supported values: "SCTP", "TCP", "UDP"`,
        `${C}.ports[2].containerPort: Required value`,
      ],
    ],
    [
      'is rejected with two ports of one host port',
      {
        ports: [
          { containerPort: 80, hostPort: 80 },
          { containerPort: 81, hostPort: 80 },
        ],
      },
      [`${C}.ports[1].hostPort: Duplicate value: "TCP//80"`],
    ],
    [
      'is rejected with restart rules and no restart policy',
      { restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }] },
      [`${C}.restartPolicy: Required value: must specify restartPolicy when restart rules are used`],
    ],
    [
      'is rejected with restart rules without exit codes or with an unknown action',
      { restartPolicy: 'Never', restartPolicyRules: [{ action: 'Stop' }] },
      [
        `${C}.restartPolicyRules[0].action: Unsupported value: "Stop": supported values: "Restart", "RestartAllContainers"`,
        `${C}.restartPolicyRules[0].exitCodes: Required value: must be specified`,
      ],
    ],
    [
      'is rejected with a resize policy for an unsupported resource',
      { resizePolicy: [{ resourceName: 'disk', restartPolicy: 'NotRequired' }] },
      [`${C}.resizePolicy: Unsupported value: "disk": supported values: "cpu", "memory"`],
    ],
  ])('a container %s', (_, fields, expected) => {
    expect(containerErrors(fields)).toEqual(expected);
  });

  test('rejects a pod without containers', () => {
    expect(createErrors({ containers: [] })).toEqual(['spec.containers: Required value']);
  });

  test('rejects names that occur twice in any container list', () => {
    const containers = [aContainer(), aContainer()];
    expect(createErrors({ containers, initContainers: [aContainer()] })).toEqual([
      `spec.containers[1].name: Duplicate value: "app"`,
      `spec.initContainers[0].name: Duplicate value: "app"`,
    ]);
  });

  test('rejects probes of init containers, but not of sidecars', () => {
    const probed = { name: 'init', readinessProbe: { exec: { command: ['true'] } } };
    const message = 'Forbidden: may not be set for init containers without restartPolicy=Always';
    expect(createErrors({ initContainers: [aContainer(probed)] })).toEqual([
      `spec.initContainers[0].readinessProbe: ${message}`,
    ]);
    expect(createErrors({ initContainers: [aContainer({ ...probed, restartPolicy: 'Always' })] })).toEqual([]);
  });

  test('rejects ephemeral containers on create, with ports, and with an unknown target', () => {
    const debug = aContainer({ name: 'debug', targetContainerName: 'nobody', ports: [{ containerPort: 1 }] });
    expect(createErrors({ ephemeralContainers: [debug] })).toEqual([
      'spec.ephemeralContainers[0].targetContainerName: Not found: "nobody"',
      'spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container',
      'spec.ephemeralContainers: Forbidden: cannot be set on create',
    ]);
  });
});

describe('an environment variable', () => {
  const V = `${C}.env[0]`;
  test.each<[string, JsonObject, string[]]>([
    ['is rejected without a name', { name: '' }, [`${V}.name: Required value`]],
    ['is accepted with a name that shells do not support', { name: 'my-var.1' }, []],
    [
      'is rejected with an equals sign in its name',
      { name: 'A=B' },
      [
        `${V}.name: Invalid value: "A=B": a valid environment variable name must consist only of printable ASCII characters other than '='`,
      ],
    ],
    [
      'is rejected with a field that variables do not support',
      { name: 'A', valueFrom: { fieldRef: { fieldPath: 'status.phase' } } },
      [
        `${V}.valueFrom.fieldRef.fieldPath: Unsupported value: "status.phase": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"`,
      ],
    ],
    [
      'is accepted with one label of the pod',
      { name: 'A', valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } },
      [],
    ],
    [
      'is rejected with an unknown field',
      { name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.foo' } } },
      [
        `${V}.valueFrom.fieldRef.fieldPath: Invalid value: "spec.foo": error converting fieldPath: field label not supported: spec.foo`,
      ],
    ],
    [
      'is rejected with an empty source',
      { name: 'A', valueFrom: {} },
      [
        `${V}.valueFrom: Invalid value: "": must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\`, \`secretKeyRef\` or \`fileKeyRef\``,
      ],
    ],
    [
      'is rejected with both a value and a source',
      { name: 'A', value: 'x', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
      [`${V}.valueFrom: Invalid value: "": may not be specified when \`value\` is not empty`],
    ],
    [
      'is rejected with a divisor of CPU that is neither 1 nor 1m',
      { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '10m' } } },
      [
        `${V}.valueFrom.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor's values 1m and 1 are supported with the cpu resource`,
      ],
    ],
  ])('a variable %s', (_, variable, expected) => {
    expect(containerErrors({ env: [variable] })).toEqual(expected);
  });

  test('is rejected with a file of a volume that is not an emptyDir', () => {
    const env = [{ name: 'A', valueFrom: { fileKeyRef: { volumeName: 'v', path: 'env', key: 'A' } } }];
    const where = `${C}.env[0].valueFrom.fileKeyRef.volumeName`;
    expect(containerErrors({ env })).toEqual([`${where}: Not found: "v"`]);
    expect(containerErrors({ env }, { volumes: [volume('v', { secret: { secretName: 's' } })] })).toEqual([
      `${where}: Invalid value: "v": referenced volume must be of type emptyDir`,
    ]);
    expect(containerErrors({ env }, { volumes: [volume('v')] })).toEqual([]);
  });
});

describe('a container with probes and lifecycle handlers', () => {
  const P = `${C}.livenessProbe`;
  test.each<[string, JsonObject, string[]]>([
    [
      'is rejected with a probe without a handler',
      { livenessProbe: {} },
      [`${P}: Required value: must specify a handler type`],
    ],
    [
      'is rejected with a probe that has two handlers',
      { livenessProbe: { exec: { command: ['x'] }, tcpSocket: { port: 1 } } },
      [`${P}.tcpSocket: Forbidden: may not specify more than 1 handler type`],
    ],
    [
      'is rejected with negative seconds and a liveness success threshold above 1',
      { livenessProbe: { exec: { command: ['x'] }, initialDelaySeconds: -1, successThreshold: 2 } },
      [
        `${P}.initialDelaySeconds: Invalid value: -1: must be greater than or equal to 0`,
        `${P}.successThreshold: Invalid value: 2: must be 1`,
      ],
    ],
    [
      'is rejected with an invalid port name or scheme',
      { livenessProbe: { httpGet: { port: 'No_Name', scheme: 'FTP' } } },
      [
        `${P}.httpGet.port: Invalid value: "No_Name": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)`,
        `${P}.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"`,
      ],
    ],
    [
      'is rejected with a sleep longer than the grace period',
      { lifecycle: { preStop: { sleep: { seconds: 31 } } } },
      [
        `${C}.lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)`,
      ],
    ],
    [
      'is rejected with a stop signal if the pod names no OS',
      { lifecycle: { stopSignal: 'SIGUSR1' } },
      [`${C}.lifecycle.stopSignal: Forbidden: may not be set for containers with empty \`spec.os.name\``],
    ],
  ])('a container %s', (_, fields, expected) => {
    expect(containerErrors(fields)).toEqual(expected);
  });
});
