import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { podOf } from '../testing/decoded-pod.ts';
import { hostnameAndDomain } from './hostname.ts';

const LONG = `${'a'.repeat(62)}-bcd`;

test.each<[string, JsonObject, string, string]>([
  ['web', {}, 'web', ''],
  ['web', { hostname: 'mine' }, 'mine', ''],
  ['web', { subdomain: 'sub' }, 'web', 'sub.shop.svc.cluster.local'],
  ['web', { hostname: 'mine', subdomain: 'sub' }, 'mine', 'sub.shop.svc.cluster.local'],
  ['web', { hostnameOverride: 'other.example.com', hostname: 'mine', subdomain: 'sub' }, 'other.example.com', ''],
  [LONG, {}, 'a'.repeat(62), ''],
  ['web', { hostnameOverride: LONG }, 'a'.repeat(62), ''],
])('computes the hostname of pod %s with %j', (name, spec, hostname, domain) => {
  expect(hostnameAndDomain(podOf(spec, { name }), 'cluster.local')).toEqual({ hostname, domain });
});

test.each<[JsonObject, string]>([
  [{ hostname: 'a.b' }, 'pod Hostname "a.b" is not a valid DNS label: must not contain dots'],
  [{ subdomain: 'a.b' }, 'pod Subdomain "a.b" is not a valid DNS label: must not contain dots'],
  [{ hostnameOverride: 'A' }, 'pod HostnameOverride "A" is not a valid DNS subdomain: '],
])('rejects a pod with %j', (spec, message) => {
  expect(() => hostnameAndDomain(podOf(spec), 'cluster.local')).toThrow(message);
});
