import { expect, test } from 'vitest';
import type { Json } from '#lib/machinery/json-value.ts';
import { decodeNotification } from './notification.ts';

test.each<[Json, unknown]>([
  [
    { pods: '12', services: '3' },
    { pods: '12', services: '3' },
  ],
  [{ pods: '12', leases: '3' }, { pods: '12' }],
  [
    { endpointslices: '3', allpods: '4' },
    { endpointslices: '3', allpods: '4' },
  ],
  [{ pods: 12, secrets: '-1', configmaps: '1e3' }, {}],
  [JSON.parse('{"__proto__":{"pods":"1"},"constructor":"2"}'), {}],
  [null, {}],
  ['pods', {}],
  [[{ pods: '12' }], {}],
])('reads the followed types of the notification %j', (body, ring) => expect(decodeNotification(body)).toEqual(ring));
