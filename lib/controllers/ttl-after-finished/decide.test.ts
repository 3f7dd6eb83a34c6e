import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { JOBS } from '#lib/api/types/resources.ts';
import { expiresAt } from './decide.ts';

const met = (type: string, status = 'True') => ({ type, status, lastTransitionTime: '2026-01-01T00:00:00Z' });
const FINISHED = Date.parse('2026-01-01T00:00:00Z');

test.each([
  ['complete', { ttlSecondsAfterFinished: 30 }, [met('Complete')], {}, FINISHED + 30_000],
  ['failed', { ttlSecondsAfterFinished: 0 }, [met('Failed')], {}, FINISHED],
  ['unfinished', { ttlSecondsAfterFinished: 0 }, [met('Suspended'), met('Failed', 'False')], {}, undefined],
  ['without a TTL', {}, [met('Complete')], {}, undefined],
  [
    'being deleted',
    { ttlSecondsAfterFinished: 0 },
    [met('Complete')],
    { deletionTimestamp: '2026-01-01T00:00:00Z' },
    undefined,
  ],
])('computes the expiry of a job that is %s', (_, spec, conditions, metadata, expected) => {
  expect(expiresAt(decodedAs(JOBS, { metadata, spec, status: { conditions } }))).toBe(expected);
});
