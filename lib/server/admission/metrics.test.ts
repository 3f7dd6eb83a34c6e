import { expect, test } from 'vitest';
import { forbidden } from '#lib/machinery/errors.ts';
import { expose } from '#lib/machinery/metrics/text.ts';
import { type AdmissionPlugin, admissionBy } from './admission.ts';
import { AdmissionMetrics } from './metrics.ts';
import { anAttributes } from './testing.ts';

/** A clock that advances by a second on each read. */
function ticking() {
  let time = 0;
  return { now: () => time, monotonic: () => (time += 1000), sleep: async () => {} };
}

const linesOf = async (metrics: AdmissionMetrics): Promise<string[]> =>
  (await expose([metrics])).split('\n').filter((line) => /_(sum|count|total|rejection_count)\{/.test(line));

test('measures steps and plugins by outcome', async () => {
  const metrics = new AdmissionMetrics(ticking());
  const attributes = anAttributes({ resource: 'pods' });
  const judge: AdmissionPlugin = {
    name: 'Judge',
    operations: ['CREATE'],
    admit() {},
    async validate() {
      throw forbidden({ group: '', resource: 'pods' }, 'p', 'no');
    },
  };
  const admission = admissionBy({ plugins: [metrics.observed(judge)], step: metrics.step });
  await admission.admit(attributes);
  await expect(admission.validate(attributes)).rejects.toThrow('no');
  const plugin = 'apiserver_admission_controller_admission_duration_seconds';
  const step = 'apiserver_admission_step_admission_duration_seconds';
  expect(await linesOf(metrics)).toEqual([
    `${plugin}_sum{name="Judge",type="admit",operation="CREATE",rejected="false"} 1`,
    `${plugin}_count{name="Judge",type="admit",operation="CREATE",rejected="false"} 1`,
    `${plugin}_sum{name="Judge",type="validate",operation="CREATE",rejected="true"} 1`,
    `${plugin}_count{name="Judge",type="validate",operation="CREATE",rejected="true"} 1`,
    `${step}_sum{type="admit",operation="CREATE",rejected="false"} 3`,
    `${step}_count{type="admit",operation="CREATE",rejected="false"} 1`,
    `${step}_sum{type="validate",operation="CREATE",rejected="true"} 3`,
    `${step}_count{type="validate",operation="CREATE",rejected="true"} 1`,
  ]);
});

test.each([
  ['pods', 1],
  ['nodes', 0],
])('measures a plugin for pods when the request is for %s, and calls it %d times', async (resource, times) => {
  const metrics = new AdmissionMetrics(ticking());
  let asked = 0;
  const judge: AdmissionPlugin = {
    name: 'Judge',
    operations: ['CREATE'],
    about: ['/services', '/pods'],
    validate: () => void asked++,
  };
  const attributes = anAttributes({ resource });
  await admissionBy({ plugins: [metrics.observed(judge)] }).validate(attributes);
  await admissionBy({ plugins: [judge] }).validate(attributes);
  expect(asked).toBe(2 * times);
  const count = 'controller_admission_duration_seconds_count{name="Judge",type="validate",operation="CREATE"';
  expect(await linesOf(metrics)).toContain(`apiserver_admission_${count},rejected="false"} 1`);
});

test('counts webhooks by outcome and reason', async () => {
  const metrics = new AdmissionMetrics(ticking());
  const hook = { name: 'h', type: 'admit', operation: 'UPDATE' } as const;
  metrics.webhooks.began(hook).passed();
  metrics.webhooks.began(hook).failedOpen(503);
  metrics.webhooks.began(hook).rejected('no_error', 9999);
  const prefix = 'apiserver_admission_webhook_';
  const of = 'name="h",type="admit",operation="UPDATE"';
  expect((await linesOf(metrics)).filter((line) => !line.includes('_seconds_'))).toEqual([
    `${prefix}fail_open_count{name="h",type="admit"} 1`,
    `${prefix}rejection_count{${of},error_type="no_error",rejection_code="600"} 1`,
    `${prefix}request_total{${of},code="200",rejected="false"} 1`,
    `${prefix}request_total{${of},code="503",rejected="false"} 1`,
    `${prefix}request_total{${of},code="600",rejected="true"} 1`,
  ]);
});

test.each([
  ['failed expression: x', 'invalid_error'],
  ['compilation failed: x', 'compile_error'],
  ['validation failed due to running out of cost budget, no further', 'out_of_budget'],
  ['', 'no_error'],
])('records for policies %s as %s', async (message, type) => {
  const metrics = new AdmissionMetrics(ticking());
  metrics.validatingPolicies.began('p', 'b')(message, 'warn');
  metrics.mutatingPolicies.began('p', 'b')(message, 'deny');
  const of = `policy="p",policy_binding="b",error_type="${type}"`;
  expect((await linesOf(metrics)).filter((line) => line.includes('check_total'))).toEqual([
    `apiserver_mutating_admission_policy_check_total{${of}} 1`,
    `apiserver_validating_admission_policy_check_total{${of},enforcement_action="warn"} 1`,
  ]);
});
