import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aContainer, containerErrors, createErrors, volume } from '../builders.ts';

const C = 'spec.containers[0]';

describe('containers', () => {
  test.each<[string, JsonObject, string[]]>([
    ['are valid', {}, []],
    ['need a name', { name: '' }, [`${C}.name: Required value`]],
    ['need an image', { image: '' }, [`${C}.image: Required value`]],
    [
      'have an image without white space around it',
      { image: ' nginx' },
      [`${C}.image: Invalid value: " nginx": must not have leading or trailing whitespace`],
    ],
    [
      'know three pull policies',
      { imagePullPolicy: 'Sometimes' },
      [`${C}.imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"`],
    ],
    [
      'have ports in range, with names of their own',
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
      'do not share a port of the host',
      {
        ports: [
          { containerPort: 80, hostPort: 80 },
          { containerPort: 81, hostPort: 80 },
        ],
      },
      [`${C}.ports[1].hostPort: Duplicate value: "TCP//80"`],
    ],
    [
      'need rules for a restart policy of their own',
      { restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }] },
      [`${C}.restartPolicy: Required value: must specify restartPolicy when restart rules are used`],
    ],
    [
      'have rules with exit codes',
      { restartPolicy: 'Never', restartPolicyRules: [{ action: 'Stop' }] },
      [
        `${C}.restartPolicyRules[0].action: Unsupported value: "Stop": supported values: "Restart", "RestartAllContainers"`,
        `${C}.restartPolicyRules[0].exitCodes: Required value: must be specified`,
      ],
    ],
    [
      'resize CPU and memory only',
      { resizePolicy: [{ resourceName: 'disk', restartPolicy: 'NotRequired' }] },
      [`${C}.resizePolicy: Unsupported value: "disk": supported values: "cpu", "memory"`],
    ],
  ])('%s', (_, fields, expected) => {
    expect(containerErrors(fields)).toEqual(expected);
  });

  test('a pod has at least one', () => {
    expect(createErrors({ containers: [] })).toEqual(['spec.containers: Required value']);
  });

  test('have one name each, over all lists', () => {
    const containers = [aContainer(), aContainer()];
    expect(createErrors({ containers, initContainers: [aContainer()] })).toEqual([
      `spec.containers[1].name: Duplicate value: "app"`,
      `spec.initContainers[0].name: Duplicate value: "app"`,
    ]);
  });

  test('that run first have no probes, unless they keep running', () => {
    const probed = { name: 'init', readinessProbe: { exec: { command: ['true'] } } };
    const message = 'Forbidden: may not be set for init containers without restartPolicy=Always';
    expect(createErrors({ initContainers: [aContainer(probed)] })).toEqual([
      `spec.initContainers[0].readinessProbe: ${message}`,
    ]);
    expect(createErrors({ initContainers: [aContainer({ ...probed, restartPolicy: 'Always' })] })).toEqual([]);
  });

  test('that debug come later', () => {
    const debug = aContainer({ name: 'debug', targetContainerName: 'nobody', ports: [{ containerPort: 1 }] });
    expect(createErrors({ ephemeralContainers: [debug] })).toEqual([
      'spec.ephemeralContainers[0].targetContainerName: Not found: "nobody"',
      'spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container',
      'spec.ephemeralContainers: Forbidden: cannot be set on create',
    ]);
  });
});

describe('environment', () => {
  const V = `${C}.env[0]`;
  test.each<[string, JsonObject, string[]]>([
    ['needs a name', { name: '' }, [`${V}.name: Required value`]],
    ['takes names that shells do not', { name: 'my-var.1' }, []],
    [
      'takes no equals sign',
      { name: 'A=B' },
      [
        `${V}.name: Invalid value: "A=B": a valid environment variable name must consist only of printable ASCII characters other than '='`,
      ],
    ],
    [
      'knows the fields of a pod',
      { name: 'A', valueFrom: { fieldRef: { fieldPath: 'status.phase' } } },
      [
        `${V}.valueFrom.fieldRef.fieldPath: Unsupported value: "status.phase": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"`,
      ],
    ],
    ['reads one label', { name: 'A', valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } }, []],
    [
      'reads no unknown field',
      { name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.foo' } } },
      [
        `${V}.valueFrom.fieldRef.fieldPath: Invalid value: "spec.foo": error converting fieldPath: field label not supported: spec.foo`,
      ],
    ],
    [
      'has one source',
      { name: 'A', valueFrom: {} },
      [
        `${V}.valueFrom: Invalid value: "": must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\`, \`secretKeyRef\` or \`fileKeyRef\``,
      ],
    ],
    [
      'has a value or a source',
      { name: 'A', value: 'x', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
      [`${V}.valueFrom: Invalid value: "": may not be specified when \`value\` is not empty`],
    ],
    [
      'divides CPU by one or a thousandth',
      { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '10m' } } },
      [
        `${V}.valueFrom.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor's values 1m and 1 are supported with the cpu resource`,
      ],
    ],
  ])('%s', (_, variable, expected) => {
    expect(containerErrors({ env: [variable] })).toEqual(expected);
  });

  test('reads files from empty directories', () => {
    const env = [{ name: 'A', valueFrom: { fileKeyRef: { volumeName: 'v', path: 'env', key: 'A' } } }];
    const where = `${C}.env[0].valueFrom.fileKeyRef.volumeName`;
    expect(containerErrors({ env })).toEqual([`${where}: Not found: "v"`]);
    expect(containerErrors({ env }, { volumes: [volume('v', { secret: { secretName: 's' } })] })).toEqual([
      `${where}: Invalid value: "v": referenced volume must be of type emptyDir`,
    ]);
    expect(containerErrors({ env }, { volumes: [volume('v')] })).toEqual([]);
  });
});

describe('probes and lifecycle', () => {
  const P = `${C}.livenessProbe`;
  test.each<[string, JsonObject, string[]]>([
    ['have a handler', { livenessProbe: {} }, [`${P}: Required value: must specify a handler type`]],
    [
      'have one handler',
      { livenessProbe: { exec: { command: ['x'] }, tcpSocket: { port: 1 } } },
      [`${P}.tcpSocket: Forbidden: may not specify more than 1 handler type`],
    ],
    [
      'count no negative seconds',
      { livenessProbe: { exec: { command: ['x'] }, initialDelaySeconds: -1, successThreshold: 2 } },
      [
        `${P}.initialDelaySeconds: Invalid value: -1: must be greater than or equal to 0`,
        `${P}.successThreshold: Invalid value: 2: must be 1`,
      ],
    ],
    [
      'reach ports by number or name',
      { livenessProbe: { httpGet: { port: 'No_Name', scheme: 'FTP' } } },
      [
        `${P}.httpGet.port: Invalid value: "No_Name": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)`,
        `${P}.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"`,
      ],
    ],
    [
      'sleep no longer than the pod may take to end',
      { lifecycle: { preStop: { sleep: { seconds: 31 } } } },
      [
        `${C}.lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)`,
      ],
    ],
    [
      'stop by a signal where the system is known',
      { lifecycle: { stopSignal: 'SIGUSR1' } },
      [`${C}.lifecycle.stopSignal: Forbidden: may not be set for containers with empty \`spec.os.name\``],
    ],
  ])('%s', (_, fields, expected) => {
    expect(containerErrors(fields)).toEqual(expected);
  });
});
