import { expect, test } from 'vitest';
import { typedObject } from '#lib/api/typed.ts';
import { ENDPOINT_SLICES, SERVICES } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { unreachable } from './availability.ts';
import { aRemote } from './testing.ts';

const remote = aRemote({ service: { namespace: 'foo', name: 'bar', port: 443 } });
const service = (spec: JsonObject) => typedObject(SERVICES, { metadata: {}, spec, status: {} });
const slice = (ports: JsonObject[], endpoints: JsonObject[]) =>
  typedObject(ENDPOINT_SLICES, { metadata: {}, addressType: 'IPv4', ports, endpoints });

const LISTENING = service({ type: 'ClusterIP', ports: [{ name: 'p', port: 443 }] });
const PORT = { name: 'p', port: 8443 };
const READY = { addresses: ['10.0.0.2'], conditions: {} };
const UNREADY = { addresses: ['10.0.0.2'], conditions: { ready: false } };

// Cases of upstream's TestSync of the remote controller.
test.each<[string, Parameters<typeof unreachable>[1], ReturnType<typeof slice>[], unknown]>([
  ['no Service', undefined, [], ['ServiceNotFound', 'service/bar in "foo" is not present']],
  [
    'another port',
    service({ type: 'ClusterIP', ports: [{ port: 6443 }] }),
    [slice([PORT], [READY])],
    ['ServicePortError', 'service/bar in "foo" is not listening on port 443'],
  ],
  ['no slices', LISTENING, [], ['EndpointsNotFound', 'cannot find endpointslices for service/bar in "foo"']],
  [
    'an empty slice',
    LISTENING,
    [slice([], [])],
    ['MissingEndpoints', 'endpointslices for service/bar in "foo" have no addresses with port name "p"'],
  ],
  [
    'another port name',
    LISTENING,
    [slice([{ name: 'q', port: 8443 }], [READY])],
    ['MissingEndpoints', 'endpointslices for service/bar in "foo" have no addresses with port name "p"'],
  ],
  [
    'endpoints that are not ready',
    LISTENING,
    [slice([PORT], [UNREADY])],
    ['MissingEndpoints', 'endpointslices for service/bar in "foo" have no addresses with port name "p"'],
  ],
  ['a ready endpoint', LISTENING, [slice([PORT], [UNREADY, READY])], undefined],
  ['an external name', service({ type: 'ExternalName', externalName: 'example.com' }), [], undefined],
  ['a load balancer', service({ type: 'LoadBalancer', ports: [] }), [], undefined],
])('reports the availability of a Service: %s', (_, found, slices, expected) => {
  const wrong = unreachable(remote, found, slices);
  expect(wrong && [wrong.reason, wrong.message]).toEqual(expected);
  if (wrong !== undefined) expect(wrong.status).toBe('False');
});
