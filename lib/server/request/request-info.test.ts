import { expect, test } from 'vitest';
import { requestInfo } from './request-info.ts';

test.each([
  ['GET', '/api/v1/namespaces', { verb: 'list', resource: 'namespaces', namespace: '', name: '' }],
  ['GET', '/api/v1/namespaces/a', { verb: 'get', resource: 'namespaces', namespace: 'a', name: 'a' }],
  ['PUT', '/api/v1/namespaces/a/finalize', { verb: 'update', resource: 'namespaces', subresource: 'finalize' }],
  ['GET', '/api/v1/namespaces/a/pods', { verb: 'list', resource: 'pods', namespace: 'a', name: '' }],
  ['GET', '/api/v1/namespaces/a/pods?watch=1', { verb: 'watch', resource: 'pods' }],
  ['GET', '/api/v1/namespaces/a/pods?watch=false', { verb: 'list', resource: 'pods' }],
  ['GET', '/api/v1/watch/namespaces/a/pods', { verb: 'watch', resource: 'pods', namespace: 'a', name: '' }],
  ['GET', '/api/v1/watch/namespaces/a/pods/p', { verb: 'watch', resource: 'pods', namespace: 'a', name: 'p' }],
  ['GET', '/apis/apps/v1/watch/deployments', { verb: 'watch', group: 'apps', resource: 'deployments', name: '' }],
  ['POST', '/api/v1/watch/pods', { verb: 'watch', resource: 'pods', name: '' }],
  ['DELETE', '/apis/apps/v1/namespaces/a/deployments', { verb: 'deletecollection', group: 'apps', version: 'v1' }],
  ['PATCH', '/apis/apps/v1/namespaces/a/deployments/d/scale', { verb: 'patch', name: 'd', subresource: 'scale' }],
  ['GET', '/api/v1/namespaces/a/pods/p/proxy/x/y', { subresource: 'proxy', rest: ['x', 'y'] }],
  ['GET', '/api/v1/nodes/a%2fb', { verb: 'get', name: 'a', subresource: 'b' }],
  ['constructor', '/api/v1/nodes/a', { verb: '' }],
  ['GET', '/api/v1', { isResourceRequest: false, verb: 'get' }],
  ['GET', '/healthz', { isResourceRequest: false, path: '/healthz' }],
])('parses %s %s', (method, url, expected) => {
  const [path = '', query = ''] = url.split('?');
  expect(requestInfo(method, path, new URLSearchParams(query))).toMatchObject(expected);
});

test.each(['/api/v1/nodes/%zz', '/api/v1/%ff/x'])('rejects %s for its invalid encoding', (path) => {
  expect(requestInfo('GET', path, new URLSearchParams())).toBeUndefined();
});
