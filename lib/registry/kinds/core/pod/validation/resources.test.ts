import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aContainer, containerErrors, createErrors } from '../builders.ts';

const R = 'spec.containers[0].resources';

describe('resources of a container', () => {
  test.each<[string, JsonObject, string[]]>([
    ['are requested below the limit', { limits: { cpu: '1' }, requests: { cpu: '500m' } }, []],
    [
      'are not requested above it',
      { limits: { memory: '64Mi' }, requests: { memory: '0.1Gi' } },
      [`${R}.requests: Invalid value: "107374182400m": must be less than or equal to memory limit of 64Mi`],
    ],
    [
      'are not negative',
      { requests: { cpu: '-1' } },
      [`${R}.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0`],
    ],
    [
      'have a standard or a qualified name',
      { requests: { disk: '1' } },
      [
        `${R}.requests[disk]: Invalid value: "disk": must be a standard resource type or fully qualified`,
        `${R}.requests[disk]: Invalid value: "disk": must be a standard resource for containers`,
      ],
    ],
    [
      'of a vendor are whole and not overcommitted',
      { limits: { 'vendor.example/gpu': '1' }, requests: { 'vendor.example/gpu': '500m' } },
      [
        `${R}.requests[vendor.example/gpu]: Invalid value: "500m": must be an integer`,
        `${R}.requests: Invalid value: "500m": must be equal to vendor.example/gpu limit of 1`,
      ],
    ],
    [
      'of huge pages are whole pages, beside memory',
      { limits: { 'hugepages-2Mi': '3Mi' } },
      [
        `${R}.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi`,
        `${R}.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi`,
        `${R}: Forbidden: HugePages require cpu or memory`,
      ],
    ],
    [
      'claim what the pod claims',
      { claims: [{ name: 'gpu' }] },
      [`${R}.claims[0]: Not found: "gpu": must be one of the names in pod.spec.resourceClaims which is empty`],
    ],
  ])('%s', (_, resources, expected) => {
    expect(containerErrors({ resources })).toEqual(expected);
  });
});

describe('resources of a pod', () => {
  test('cover its containers', () => {
    const containers = [
      aContainer({ resources: { limits: { memory: '2Gi' }, requests: { cpu: '2', memory: '1Gi' } } }),
    ];
    expect(createErrors({ containers, resources: { limits: { memory: '1Gi' }, requests: { cpu: '1' } } })).toEqual([
      'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2',
      'spec.resources.containers[0][memory].limits: Invalid value: "2Gi": must be less than or equal to pod limits of 1Gi',
    ]);
  });

  test('are CPU, memory and huge pages', () => {
    expect(createErrors({ resources: { requests: { 'ephemeral-storage': '1Gi' } } })).toEqual([
      'spec.resources.requests[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "hugepages-", "memory"',
    ]);
  });

  test('are claimed once, by name or template', () => {
    expect(createErrors({ resourceClaims: [{ name: 'a', resourceClaimName: 'x' }, { name: 'a' }] })).toEqual([
      'spec.resourceClaims[1].name: Duplicate value: "a"',
      'spec.resourceClaims[1]: Invalid value: {"Name":"a","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
    ]);
  });
});
