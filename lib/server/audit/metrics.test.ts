import { expect, test } from 'vitest';
import { AuditMetrics } from './metrics.ts';

test('counts events, losses, levels and rejections under upstream’s names', () => {
  const metrics = new AuditMetrics();
  metrics.given();
  metrics.given();
  metrics.lost('webhook', 400);
  metrics.judged('Metadata');
  metrics.rejected();
  expect(metrics.collect().map(({ name, samples }) => [name, samples])).toEqual([
    ['apiserver_audit_event_total', [{ labels: {}, value: 2 }]],
    ['apiserver_audit_error_total', [{ labels: { plugin: 'webhook' }, value: 400 }]],
    ['apiserver_audit_level_total', [{ labels: { level: 'Metadata' }, value: 1 }]],
    ['apiserver_audit_requests_rejected_total', [{ labels: {}, value: 1 }]],
  ]);
});
