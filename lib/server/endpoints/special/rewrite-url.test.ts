import { expect, test } from 'vitest';
import { parseReference } from '#lib/api/cel/library/url.ts';
import { Fault } from '#lib/machinery/fault.ts';
import { rewriteUrl } from './rewrite-url.ts';

const page = { prefix: '/api/v1/pods/web/proxy', backend: '10.0.0.1:8080', asked: 'cluster.example.com' };

test.each([
  ['/', '/api/v1/pods/web/proxy/'],
  ['/a/b?q=1&r#f', '/api/v1/pods/web/proxy/a/b?q=1&r#f'],
  ['/a//b/./c/', '/api/v1/pods/web/proxy/a/b/c/'],
  ['/a%2Fb', '/api/v1/pods/web/proxy/a/b'],
  ['/a%20b', '/api/v1/pods/web/proxy/a%20b'],
  ['http://10.0.0.1:8080/a', '/api/v1/pods/web/proxy/a'],
  ['https://10.0.0.1:8080/', '/api/v1/pods/web/proxy/'],
  ['http://cluster.example.com/a', 'http://cluster.example.com/api/v1/pods/web/proxy/a'],
  ['//cluster.example.com/a', '//cluster.example.com/api/v1/pods/web/proxy/a'],
  ['/api/v1/pods/web/proxy/a', '/api/v1/pods/web/proxy/a'],
  ['http://10.0.0.1:8080/api/v1/pods/web/proxy/a%2Fb', '/api/v1/pods/web/proxy/a%2Fb'],
])('rewrites %s to point to the proxy: %s', (link, seen) => {
  expect(rewritten(link)).toBe(seen);
});

test.each([
  'a/b',
  '../a',
  '?q=1',
  '#f',
  '',
  'http://example.com/a',
  '//example.com/a',
  'http://10.0.0.1/a',
  'http://10.0.0.1:8080',
  'mailto:me@example.com',
  'data:text/plain,x',
])('does not change %j', (link) => {
  expect(rewritten(link)).toBe(link);
});

function rewritten(link: string): string {
  const url = parseReference(link);
  if (url instanceof Fault) throw url;
  return rewriteUrl(url, page);
}
