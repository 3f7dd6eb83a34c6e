import { expect, test } from 'vitest';
import { serviceOf } from './service-url.ts';

test.each([
  ['https://fits.team.svc/scheduler', { namespace: 'team', name: 'fits', port: 443 }],
  ['https://fits.team.svc:8443/', { namespace: 'team', name: 'fits', port: 8443 }],
  ['http://fits.team.svc', { namespace: 'team', name: 'fits', port: 80 }],
  ['http://fits.team.svc:8888/x', { namespace: 'team', name: 'fits', port: 8888 }],
  ['https://fits.team.svc.cluster.local', undefined],
  ['https://fits.svc', undefined],
  ['https://a.fits.team.svc', undefined],
  ['https://fits.team.example', undefined],
  ['https://10.0.0.1', undefined],
])('parses %s as the Service %o', (url, expected) => {
  expect(serviceOf(url)).toEqual(expected);
});
