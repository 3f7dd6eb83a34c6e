import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Job, JobStatus, UncountedTerminatedPods } from '#lib/api/types/batch.v1.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { JOBS, PODS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { settle, track } from './track.ts';
import { viewOf } from './view.ts';

const TRACKING = 'batch.kubernetes.io/job-tracking';
const FAILED = { type: 'Failed', reason: 'BackoffLimitExceeded', message: '' } as const;

const aPod = (uid: string, phase: string, more: JsonObject = {}): Pod =>
  decodedAs(PODS, {
    metadata: { name: uid, uid, finalizers: [TRACKING], ...more },
    status: { phase },
  });
const aJob = (status: JobStatus, spec: JsonObject = {}): Job =>
  decodedAs(JOBS, {
    metadata: { name: 'work', uid: 'j' },
    spec: { parallelism: 2, completions: 4, backoffLimit: 6, podReplacementPolicy: 'TerminatingOrFailed', ...spec },
    status,
  });

const uncounted = (status: JobStatus): UncountedTerminatedPods => status.uncountedTerminatedPods ?? {};

describe('pods that have ended', () => {
  test('are recorded and released, unlike running ones', () => {
    const pods = [aPod('a', 'Succeeded'), aPod('b', 'Failed'), aPod('c', 'Running')];
    const { status, release, isPartial } = track(viewOf(aJob({}), pods, 0), {}, undefined);
    expect(uncounted(status)).toEqual({ succeeded: ['a'], failed: ['b'] });
    expect([release.map(uidOf), isPartial]).toEqual([['a', 'b'], false]);
  });

  test('are counted once released, and released again if they still have the finalizer', () => {
    const before = { succeeded: 3, uncountedTerminatedPods: { succeeded: ['a', 'gone'] } };
    const { status, release } = track(viewOf(aJob(before), [aPod('a', 'Succeeded')], 0), before, undefined);
    expect(status).toMatchObject({ succeeded: 4, failed: 0 });
    expect(uncounted(status)).toEqual({ succeeded: ['a'] });
    expect(release.map(uidOf)).toEqual(['a']);
  });

  test('include running pods as failed if the job has failed', () => {
    const pods = [aPod('a', 'Running'), aPod('b', 'Pending'), aPod('c', 'Succeeded')];
    const { status } = track(viewOf(aJob({}), pods, 0), {}, FAILED);
    expect(uncounted(status)).toEqual({ succeeded: ['c'], failed: ['a', 'b'] });
  });

  test('are not counted if the job is deleted before they end', () => {
    const job = aJob({});
    const deleted = { ...job, metadata: { ...job.metadata, deletionTimestamp: '2026-05-05T10:00:00Z' } };
    const { status, release } = track(viewOf(deleted, [aPod('a', 'Running')], 0), {}, undefined);
    expect([uncounted(status), release.length]).toEqual([{}, 1]);
  });

  test('are limited to 500 per reconciliation', () => {
    const pods = Array.from({ length: 700 }, (_, i) => aPod(`u${i}`, 'Succeeded'));
    const job = aJob({}, { completions: 700 });
    const first = track(viewOf(job, pods, 0), {}, undefined);
    expect(uncounted(first.status).succeeded).toHaveLength(500);
    expect([first.release.length, first.isPartial]).toEqual([500, true]);

    const left = pods.filter((pod) => !first.release.includes(pod));
    const second = track(viewOf({ ...job, status: first.status }, left, 0), first.status, undefined);
    expect(second.status).toMatchObject({ succeeded: 500 });
    expect([second.release.length, second.isPartial]).toEqual([200, false]);
  });
});

test('moves uids of pods that are no longer tracked into the counts', () => {
  const status = { failed: 1, uncountedTerminatedPods: { succeeded: ['a', 'b'], failed: ['c'] } };
  expect(settle(status, new Set(['b']))).toEqual({
    succeeded: 1,
    failed: 2,
    uncountedTerminatedPods: { succeeded: ['b'] },
  });
});
