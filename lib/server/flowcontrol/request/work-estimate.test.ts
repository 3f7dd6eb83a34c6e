import { describe, expect, test } from 'vitest';
import type { RequestDigest } from '../rule.ts';
import { WatchTracker } from './watch-tracker.ts';
import { estimateWork } from './work-estimate.ts';

const info = (verb: string, resource = 'pods', name = '', namespace = 'a'): RequestDigest['info'] => {
  const [plain = '', subresource = ''] = resource.split('/');
  return { isResourceRequest: true, path: '', verb, group: '', namespace, resource: plain, subresource, name };
};

describe('the cost of a list', () => {
  const MANY = { objects: 300, averageBytes: 2000 };
  test.each([
    ['a list of 600 kB', 'list', '', '', 0, MANY, 6],
    ['a list that exceeds its level’s limit', 'list', '', '', 4, MANY, 4],
    ['a page of a list', 'list', 'limit=100', '', 0, MANY, 2],
    ['a page larger than the list', 'list', 'limit=1000', '', 0, MANY, 6],
    ['one object', 'list', '', 'x', 0, MANY, 1],
    ['a large list, which is streamed', 'list', '', '', 0, { objects: 1e6, averageBytes: 5000 }, 10],
    ['an empty list', 'list', '', '', 0, { objects: 0, averageBytes: 0 }, 1],
    ['a list of unknown size', 'list', '', '', 0, undefined, 1],
    ['a watch that starts with a list', 'watch', '', '', 0, MANY, 6],
    ['a watch from any version', 'watch', 'resourceVersion=0', '', 0, MANY, 6],
    ['a watch with initial events', 'watch', 'resourceVersion=7&sendInitialEvents=true', '', 0, MANY, 6],
    ['a watch from a version', 'watch', 'resourceVersion=7', '', 0, MANY, 1],
    ['a get', 'get', '', 'x', 0, MANY, 1],
  ])('estimates the seats of %s', (_, verb, query, name, maxSeats, stats, seats) => {
    const ports = { stats: () => stats, watchers: () => 1000 };
    const work = estimateWork(info(verb, 'pods', name), new URLSearchParams(query), maxSeats, ports);
    expect(work).toEqual({ initialSeats: seats, finalSeats: 0, additionalLatency: 0 });
  });
});

describe('the cost of a change', () => {
  test.each([
    ['no watches', 'create', 'pods', 0, 0, 0, 0],
    ['few watches', 'update', 'pods', 9, 0, 0, 0],
    ['ten watches', 'patch', 'pods', 10, 0, 1, 5],
    ['many watches in parallel', 'delete', 'pods', 95, 0, 10, 5],
    ['more watches than seats, for longer', 'delete', 'pods', 1000, 0, 10, 50],
    ['more watches than its level allows', 'update', 'pods', 80, 2, 2, 20],
    ['watches of service accounts, for a token', 'create', 'serviceaccounts/token', 1000, 0, 0, 0],
    ['watches, for a collection delete', 'deletecollection', 'pods', 1000, 0, 0, 0],
  ])('estimates a change with %s', (_, verb, resource, watchers, maxSeats, finalSeats, additionalLatency) => {
    const ports = { stats: () => undefined, watchers: () => watchers };
    const work = estimateWork(info(verb, resource, 'x'), new URLSearchParams(), maxSeats, ports);
    expect(work).toEqual({ initialSeats: 1, finalSeats, additionalLatency });
  });
});

test('counts watches by the objects that they select, until they end', () => {
  const tracker = new WatchTracker();
  const none = new URLSearchParams();
  const ends = [
    info('watch', 'pods', '', ''),
    info('watch'),
    info('watch', 'pods', 'x'),
    info('watch', 'services'),
  ].map((watch) => tracker.add(watch, none));
  tracker.add(info('watch', 'pods', '', ''), new URLSearchParams({ fieldSelector: 'spec.nodeName=n1' }));
  const counts = () =>
    [info('update', 'pods', 'x'), info('create'), info('create', 'pods', '', 'b')].map((one) =>
      tracker.interested(one),
    );
  expect(counts()).toEqual([3, 2, 1]);
  ends[1]?.();
  expect(counts()).toEqual([2, 1, 1]);
  for (const end of [ends[0], ends[2], ends[3]]) end?.();
  expect(counts()).toEqual([0, 0, 0]);
});
