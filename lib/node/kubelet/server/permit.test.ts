import { describe, expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { type Grant, type Purpose, requestDigest } from '#lib/server/channel/grant.ts';
import type { NodeRequest } from './node-request.ts';
import { endOf, misuse } from './permit.ts';
import type { ServedPods } from './ports.ts';

const POD: Pod = {
  metadata: { name: 'p', namespace: 'n', uid: 'u' },
  spec: { containers: [{ name: 'app', image: 'i', resources: {} }] },
  status: { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] },
};
const PODS: ServedPods = {
  pods: () => [POD],
  podByName: (namespace, name) => (namespace === 'n' && name === 'p' ? POD : undefined),
  podStatus: () => undefined,
};

const NODE: Purpose = { verb: 'proxy', podUID: '', container: '', user: 'jane' };
const EXEC: Purpose = { verb: 'exec', podUID: 'u', container: 'app', user: 'jane' };

describe('grants of connections', () => {
  const refused = (target: string, purpose: Purpose): boolean => {
    const [path = '', query = ''] = target.split('?');
    const request: NodeRequest = {
      method: 'GET',
      path,
      query: new URLSearchParams(query),
      headers: {},
      isUpgrade: false,
      signal: new AbortController().signal,
      purpose,
    };
    return misuse(request, PODS) !== undefined;
  };

  test.each<[Purpose, string]>([
    [NODE, '/pods'],
    [NODE, '/exec/n/p/app'],
    [EXEC, '/exec/n/p/app'],
    [EXEC, '/exec/n/p/u/app'],
    [EXEC, '/exec/n/gone/app'],
    [{ ...EXEC, verb: 'attach' }, '/attach/n/p/app'],
    [{ ...EXEC, verb: 'logs' }, '/containerLogs/n/p/app'],
    [{ ...EXEC, verb: 'portforward', container: '' }, '/portForward/n/p'],
  ])('permits for %j the path %s', (purpose, path) => {
    expect(refused(path, purpose)).toBe(false);
  });

  test('permits one request of a grant for a user', () => {
    const one = { ...EXEC, request: requestDigest('/exec/n/p/app', new URLSearchParams('command=ls')) };
    expect(refused('/exec/n/p/app?command=ls', one)).toBe(false);
    expect(refused('/exec/n/p/app?command=rm', one)).toBe(true);
    expect(refused('/exec/n/p/u/app?command=ls', one)).toBe(true);
  });

  test.each<[string, Purpose, string]>([
    ['the log', EXEC, '/containerLogs/n/p/app'],
    ['the list of pods', EXEC, '/pods'],
    ['another container', EXEC, '/exec/n/p/other'],
    ['an escaped container', EXEC, '/exec/n/p/ot%68er'],
    ['a later pod of the same name', { ...EXEC, podUID: 'before' }, '/exec/n/p/app'],
    ["any path for a pod's port", { ...NODE, podUID: 'u' }, '/pods'],
    ['an invalid path', EXEC, '/%zz/n/p/app'],
  ])('rejects %s because it is another request', (_, purpose, path) => {
    expect(refused(path, purpose)).toBe(true);
  });
});

describe('destinations of a grant', () => {
  const grant: Grant = { ...NODE, node: 'x', host: 'x', port: 10_250, stream: 1, session: 's', expires: 0 };

  test.each<[Partial<Grant>, unknown]>([
    [{}, 'server'],
    [{ ...EXEC }, 'server'],
    [
      { podUID: 'u', host: '10.0.0.1', port: 80 },
      { host: '10.0.0.1', port: 80 },
    ],
    [
      { podUID: 'u', host: 'fd00::1', port: 80 },
      { host: 'fd00::1', port: 80 },
    ],
  ])('connects %j to %j', (more, end) => {
    expect(endOf({ ...grant, ...more }, PODS)).toEqual(end);
  });

  test.each<[string, Partial<Grant>, string]>([
    ['another port of the node', { port: 22 }, 'node "x" serves no port but 10250 by its channel'],
    ['another host', { host: '10.0.0.1' }, 'node "x" serves no port but 10250 by its channel'],
    ['another pod', { podUID: 'v', host: '10.0.0.1' }, 'no pod of node "x" has the UID "v"'],
    ['the address of another pod', { podUID: 'u', host: '10.0.0.2' }, '10.0.0.2 is no address of pod p_n(u)'],
    ['the metadata service', { podUID: 'u', host: '169.254.169.254' }, '169.254.169.254 is no address of pod p_n(u)'],
    ['an empty address', { podUID: 'u', host: '' }, ' is no address of pod p_n(u)'],
  ])('rejects a connection to %s', (_, more, why) => {
    expect(() => endOf({ ...grant, ...more }, PODS)).toThrow(why);
  });
});
