import { expect, test } from 'vitest';
import { anEndpoint, aServicePort } from '../testing/services.ts';
import { healthAnswer, healthCheckNodePorts, localReadyEndpoints } from './service-health.ts';

test.each([
  [2, true, 200],
  [0, true, 503],
  [2, false, 503],
])('%i local endpoints and a proxy with health %s result in status %i', (count, isHealthy, status) => {
  const answer = healthAnswer('default/web', count, isHealthy);
  expect(answer.status).toBe(status);
  expect(answer.headers['x-load-balancing-endpoint-weight']).toBe(String(count));
  expect(JSON.parse(answer.body)).toEqual({
    service: { namespace: 'default', name: 'web' },
    localEndpoints: count,
    serviceProxyHealthy: isHealthy,
  });
});

test('counts a ready endpoint of this node once for all ports', () => {
  const local = { isLocal: true };
  const ending = { ...local, isReady: false, isTerminating: true };
  const endpoints = [anEndpoint(1, local), anEndpoint(2), anEndpoint(3, ending)];
  const ports = [80, 443].map((number) => ({ port: aServicePort({ number, healthCheckNodePort: 31000 }), endpoints }));
  expect(localReadyEndpoints(ports)).toEqual(new Map([['default/web', 1]]));
  expect(healthCheckNodePorts(ports)).toEqual(new Map([['default/web', 31000]]));
});
