import { expect, test } from 'vitest';
import { expose } from '#lib/machinery/metrics/text.ts';
import { StepClock } from '../testing/step-clock.ts';
import { HttpMetrics } from './http-metrics.ts';
import { type NodeRequest, textAnswer } from './node-request.ts';

const request = (method: string, path: string): NodeRequest => ({
  method,
  path,
  query: new URLSearchParams(),
  headers: {},
  isUpgrade: false,
  signal: new AbortController().signal,
});

test.each([
  ['GET', '/metrics', 'long_running="false",method="GET",path="metrics"'],
  ['GET', '/metrics/cadvisor', 'long_running="false",method="GET",path="metrics/cadvisor"'],
  ['GET', '/metrics/other', 'long_running="false",method="GET",path="metrics"'],
  ['POST', '/exec/n/p/c', 'long_running="true",method="POST",path="exec"'],
  ['BREW', '/tea"pot', 'long_running="false",method="other",path="other"'],
])('counts a %s of %s with the labels %s', async (method, path, labels) => {
  const clock = new StepClock();
  const metrics = new HttpMetrics(clock);
  const handle = metrics.observed(async () => {
    await clock.sleep(2000);
    return textAnswer(200, '');
  });
  await handle(request(method, path));
  const lines = (await expose([metrics])).split('\n');
  expect(lines).toContain(`kubelet_http_requests_total{${labels},server_type="readwrite"} 1`);
  expect(lines).toContain(`kubelet_http_inflight_requests{${labels},server_type="readwrite"} 0`);
  expect(lines).toContain(`kubelet_http_requests_duration_seconds_sum{${labels},server_type="readwrite"} 2`);
});

test('does not leave a failed request in flight', async () => {
  const metrics = new HttpMetrics(new StepClock());
  const handle = metrics.observed(() => Promise.reject(new Error('it broke')));
  await expect(handle(request('GET', '/pods'))).rejects.toThrow('it broke');
  expect(await expose([metrics])).toMatch(/^kubelet_http_inflight_requests\{.*path="pods".*\} 0$/m);
});
