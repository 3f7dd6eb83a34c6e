import { expect, test } from 'vitest';
import { AccessMetrics } from './access-metrics.ts';

const counted = (metrics: AccessMetrics): string[] =>
  metrics
    .collect()
    .filter(({ type }) => type === 'counter')
    .flatMap(({ name, samples }) =>
      samples.map(({ labels, value }) => `${name} ${Object.values(labels).join()} ${value}`),
    );

test.each([
  ['admin', 'admin'],
  ['amy@example.com', 'email_id'],
  ['system:serviceaccount:default:sa', 'other'],
])('counts %s as %s', (name, shown) => {
  const metrics = new AccessMetrics();
  metrics.authenticated('success', 1, name);
  expect(counted(metrics)).toEqual([`authenticated_user_requests ${shown} 1`, 'authentication_attempts success 1']);
});

test("counts decisions under upstream's labels", () => {
  const metrics = new AccessMetrics();
  metrics.authenticated('error', 1);
  for (const decision of ['allow', 'deny', 'noOpinion'] as const) metrics.authorized({ decision, reason: '' }, 1);
  metrics.authorized({ decision: 'deny', reason: '', error: 'unreachable' }, 1);
  metrics.authorized({ decision: 'allow', reason: '', error: 'of one that was asked before' }, 1);
  expect(counted(metrics)).toEqual([
    'authentication_attempts error 1',
    'authorization_attempts_total allowed 2',
    'authorization_attempts_total denied 1',
    'authorization_attempts_total no-opinion 1',
    'authorization_attempts_total error 1',
  ]);
});
