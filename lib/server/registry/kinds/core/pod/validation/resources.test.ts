import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aContainer, containerErrors, createErrors } from '../builders.ts';

const R = 'spec.containers[0].resources';

describe('resources of a container', () => {
  test.each<[string, JsonObject, string[]]>([
    ['are accepted with requests below the limits', { limits: { cpu: '1' }, requests: { cpu: '500m' } }, []],
    [
      'are rejected with a request above the limit',
      { limits: { memory: '64Mi' }, requests: { memory: '0.1Gi' } },
      [`${R}.requests: Invalid value: "107374182400m": must be less than or equal to memory limit of 64Mi`],
    ],
    [
      'are rejected if negative',
      { requests: { cpu: '-1' } },
      [`${R}.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0`],
    ],
    [
      'are rejected with a name that is neither standard nor qualified',
      { requests: { disk: '1' } },
      [
        `${R}.requests[disk]: Invalid value: "disk": must be a standard resource type or fully qualified`,
        `${R}.requests[disk]: Invalid value: "disk": must be a standard resource for containers`,
      ],
    ],
    [
      'are rejected with fractional or overcommitted devices',
      { limits: { 'vendor.example/gpu': '1' }, requests: { 'vendor.example/gpu': '500m' } },
      [
        `${R}.requests[vendor.example/gpu]: Invalid value: "500m": must be an integer`,
        `${R}.requests: Invalid value: "500m": must be equal to vendor.example/gpu limit of 1`,
      ],
    ],
    [
      'are rejected with partial huge pages and with only huge pages',
      { limits: { 'hugepages-2Mi': '3Mi' } },
      [
        `${R}.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi`,
        `${R}.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi`,
        `${R}: Forbidden: HugePages require cpu or memory`,
      ],
    ],
    [
      'are rejected with an unknown claim',
      { claims: [{ name: 'gpu' }] },
      [`${R}.claims[0]: Not found: "gpu": must be one of the names in pod.spec.resourceClaims which is empty`],
    ],
  ])('container resources %s', (_, resources, expected) => {
    expect(containerErrors({ resources })).toEqual(expected);
  });
});

describe('resources of a pod', () => {
  test('are rejected if they are below the sum of the containers or below one limit', () => {
    const containers = [
      aContainer({ resources: { limits: { memory: '2Gi' }, requests: { cpu: '2', memory: '1Gi' } } }),
    ];
    expect(createErrors({ containers, resources: { limits: { memory: '1Gi' }, requests: { cpu: '1' } } })).toEqual([
      'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2',
      'spec.resources.containers[0][memory].limits: Invalid value: "2Gi": must be less than or equal to pod limits of 1Gi',
    ]);
  });

  test('are rejected for a resource other than CPU, memory or huge pages', () => {
    expect(createErrors({ resources: { requests: { 'ephemeral-storage': '1Gi' } } })).toEqual([
      'spec.resources.requests[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "hugepages-", "memory"',
    ]);
  });

  test('are rejected with duplicate claims and with claims without a source', () => {
    expect(createErrors({ resourceClaims: [{ name: 'a', resourceClaimName: 'x' }, { name: 'a' }] })).toEqual([
      'spec.resourceClaims[1].name: Duplicate value: "a"',
      'spec.resourceClaims[1]: Invalid value: {"Name":"a","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
    ]);
  });
});
