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
  ['what a class of devices is', GPU, {}, true],
  ['what it is by its name', IMPLICIT, {}, true],
  ['what it is, where the node offers none', GPU, { [GPU]: '0' }, true],
  ['what the node offers too little of itself', GPU, { [GPU]: '1' }, false],
  ['what is no class', 'example.com/other', {}, false],
])('devices are looked after elsewhere: %s', (_, resource, offered, isFit) => {
  const found = filterOn(plugin, asking(resource), aNodeInfo({ capacity: capacity(offered) }));
  expect(found?.reasons).toEqual(isFit ? undefined : [`Insufficient ${resource}`]);
});

describe('a pod that asks for devices is tried again', () => {
  test.each<[string, Pod, JsonObject | undefined, JsonObject, boolean]>([
    ['its class comes', asking(GPU), undefined, aClass('x', GPU), true],
    ['its class comes by its name', asking(IMPLICIT), undefined, aClass('gpus'), true],
    ['another class comes', asking(GPU), undefined, aClass('x', 'example.com/y'), false],
    ['a class becomes its own', asking(GPU), aClass('x'), aClass('x', GPU), true],
    ['its class stays what it was', asking(GPU), aClass('x', GPU), aClass('x', GPU), false],
  ])('when %s', (_, pod, before, after, expected) => {
    const change = before === undefined ? { after } : { before, after };
    const action = before === undefined ? 'Add' : 'Update';
    expect(isQueuedOn(plugin, ['DeviceClass', action], pod, change)).toBe(expected);
  });

  test('when a node comes that may have them', () => {
    const after = aNode({ capacity: capacity() });
    expect(isQueuedOn(plugin, ['Node', 'Add'], asking(GPU), { after })).toBe(true);
    expect(isQueuedOn(plugin, ['Node', 'Add'], asking('example.com/other'), { after })).toBe(false);
  });
});
