import { expect, test } from 'vitest';
import { JOBS, SERVICES } from '#lib/api/types/resources.ts';
import { type KindStrategy, strategyOf } from '../strategy.ts';
import { serviceStrategy } from './core/service/strategy.ts';
import { created } from './proof/strategy-proof.conformance.ts';

test('a misspelt field of a kind does not compile', () => {
  const { spec } = created(SERVICES, { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } });
  expect(spec.sessionAffinity).toBe('None');
  // @ts-expect-error misspelt field
  expect(spec.sesionAffinity).toBe(undefined);
});

test('the strategy of another kind does not compile', () => {
  const strategies = strategyOf(SERVICES, serviceStrategy);
  expect(Object.keys(strategies)).toEqual(['/services']);
  // @ts-expect-error the strategy of services is not a strategy of jobs
  const other: KindStrategy<NonNullable<typeof JOBS.type>> = serviceStrategy;
  expect(other).toBe(serviceStrategy);
});
