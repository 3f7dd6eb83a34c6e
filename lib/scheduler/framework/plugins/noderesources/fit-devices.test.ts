import { describe, expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { filterOn, isQueuedOn } from '../../../testing/extension-points.ts';
import { aHandle, aNode, aNodeInfo, aPod } from '../../../testing/wrappers.ts';
import { nodeResourcesFitArgs } from './args.ts';
import { nodeResourcesFit } from './fit.ts';

const GPU = 'example.com/gpu';
const IMPLICIT = 'deviceclass.resource.kubernetes.io/gpus';
const aClass = (name: string, extendedResourceName?: string): JsonObject => ({
  metadata: { name },
  spec: extendedResourceName === undefined ? {} : { extendedResourceName },
});
const plugin = nodeResourcesFit(
  nodeResourcesFitArgs.parse({}),
  aHandle({ objects: { deviceclasses: [aClass('gpus', GPU)] } }),
);
const asking = (resource: string): Pod => aPod({ requests: { [resource]: '2' } });
const capacity = (more: JsonObject = {}): JsonObject => ({ pods: '9', ...more });

test.each<[string, string, JsonObject, boolean]>([
  ['a resource that a device class names', GPU, {}, true],
  ['a resource named after a device class', IMPLICIT, {}, true],
  ['a device resource of which the node offers 0', GPU, { [GPU]: '0' }, true],
  ['not a resource that the node offers itself', GPU, { [GPU]: '1' }, false],
  ['not a resource without a device class', 'example.com/other', {}, false],
])('leaves devices to DynamicResources: %s', (_, resource, offered, isFit) => {
  const found = filterOn(plugin, asking(resource), aNodeInfo({ capacity: capacity(offered) }));
  expect(found?.reasons).toEqual(isFit ? undefined : [`Insufficient ${resource}`]);
});

describe('NodeResourcesFit: queueing hints for a pod that requests devices', () => {
  test.each<[string, Pod, JsonObject | undefined, JsonObject, boolean]>([
    ['its class is added', asking(GPU), undefined, aClass('x', GPU), true],
    ['a class with the name of the resource is added', asking(IMPLICIT), undefined, aClass('gpus'), true],
    ['another class is added', asking(GPU), undefined, aClass('x', 'example.com/y'), false],
    ['a class begins to name the resource', asking(GPU), aClass('x'), aClass('x', GPU), true],
    ['its class does not change', asking(GPU), aClass('x', GPU), aClass('x', GPU), false],
  ])('decide whether to retry it when %s', (_, pod, before, after, expected) => {
    const change = before === undefined ? { after } : { before, after };
    const action = before === undefined ? 'Add' : 'Update';
    expect(isQueuedOn(plugin, ['DeviceClass', action], pod, change)).toBe(expected);
  });

  test('retry it when a node that may have the devices is added', () => {
    const after = aNode({ capacity: capacity() });
    expect(isQueuedOn(plugin, ['Node', 'Add'], asking(GPU), { after })).toBe(true);
    expect(isQueuedOn(plugin, ['Node', 'Add'], asking('example.com/other'), { after })).toBe(false);
  });
});
