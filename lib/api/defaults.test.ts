import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { applyDefaults } from './defaults.ts';

const v1 = (kind: string) => ({ group: '', version: 'v1', kind });

const CASES: [string, string, JsonObject, JsonObject][] = [
  [
    'a field that is absent or empty',
    'Service',
    { spec: { ports: [{ port: 1 }, { port: 2, protocol: '' }] } },
    {
      spec: {
        ports: [
          { port: 1, protocol: 'TCP' },
          { port: 2, protocol: 'TCP' },
        ],
      },
    },
  ],
  [
    'a field that is set stays',
    'Service',
    { spec: { ports: [{ protocol: 'UDP' }] } },
    {
      spec: { ports: [{ protocol: 'UDP' }] },
    },
  ],
  ['a pointer to zero stays', 'ReplicationController', { spec: { replicas: 0 } }, { spec: { replicas: 0 } }],
  ['an absent pointer', 'ReplicationController', { spec: {} }, { spec: { replicas: 1 } }],
  [
    'a zero behind a pointer',
    'Pod',
    { spec: { containers: [{ livenessProbe: { grpc: { port: 1 } } }] } },
    {
      spec: { containers: [{ livenessProbe: { grpc: { port: 1, service: '' } } }] },
    },
  ],
  [
    'items of a list',
    'PodList',
    { items: [{ spec: { volumes: [{ rbd: {} }] } }] },
    {
      items: [{ spec: { volumes: [{ rbd: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' } }] } }],
    },
  ],
];

test.each(CASES)('applies defaults to %s (%s)', (_, kind, object, expected) => {
  applyDefaults(v1(kind), object);
  expect(object).toEqual(expected);
  applyDefaults(v1(kind), object);
  expect(object).toEqual(expected);
});
