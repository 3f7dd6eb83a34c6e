import { describe, expect, test } from 'vitest';
import { decodeTyped } from '#lib/api/codec/decode.ts';
import { typedObject } from '#lib/api/typed.ts';
import type { Job, JobSpec } from '#lib/api/types/batch.v1.ts';
import { JOBS } from '#lib/api/types/resources.ts';
import { clone, type JsonObject } from '#lib/machinery/json-value.ts';
import { errorText } from '#lib/machinery/validation/field.ts';
import { CONTEXT, created } from '../proof/strategy-proof.conformance.ts';
import { jobStrategy } from './job.ts';

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'app', image: 'busybox:1' }] } };

const aJob = (spec: JsonObject = {}): Job =>
  created(JOBS, { metadata: { name: 'once', uid: 'u-1' }, spec: { template: clone(template), ...spec } });

const jobErrors = (spec: JsonObject): string[] => (jobStrategy.validate?.(aJob(spec)) ?? []).map(errorText);

function update(from: JsonObject, change: (job: Job) => void): string[] {
  const old = aJob(from);
  const job = clone(old);
  change(job);
  jobStrategy.prepareForUpdate?.(job, old, CONTEXT);
  return (jobStrategy.validateUpdate?.(job, old) ?? []).map(errorText);
}

describe('the strategy of jobs', () => {
  test("generates a selector and labels from the job's uid", () => {
    const job = aJob();
    const generated = {
      'batch.kubernetes.io/controller-uid': 'u-1',
      'batch.kubernetes.io/job-name': 'once',
      'controller-uid': 'u-1',
      'job-name': 'once',
    };
    expect(job.spec.selector).toEqual({ matchLabels: { 'batch.kubernetes.io/controller-uid': 'u-1' } });
    expect(job.spec.template.metadata.labels).toEqual(generated);
    expect(job.metadata.labels).toEqual(generated);
    expect(jobStrategy.validate?.(job)).toEqual([]);
  });

  test('rejects template labels of another job', () => {
    const labelled = { ...clone(template), metadata: { labels: { 'job-name': 'other' } } };
    expect(jobErrors({ template: labelled })).toEqual([
      `spec.template.metadata.labels[job-name]: Invalid value: {"batch.kubernetes.io/controller-uid":"u-1","batch.kubernetes.io/job-name":"once","controller-uid":"u-1","job-name":"other"}: must be 'once'`,
    ]);
  });

  test('accepts a manual selector only if it matches the template', () => {
    const manual = { manualSelector: true, template: { ...clone(template), metadata: { labels: { a: 'b' } } } };
    expect(jobErrors({ ...manual, selector: { matchLabels: { a: 'b' } } })).toEqual([]);
    expect(jobErrors(manual)).toEqual([
      'spec.selector: Required value',
      'spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`',
    ]);
  });

  const indexed = { completionMode: 'Indexed', completions: 3 };
  const rule = (fields: JsonObject): JsonObject => ({ podFailurePolicy: { rules: [fields] } });
  const R = 'spec.podFailurePolicy.rules[0]';
  test.each<[string, JsonObject, string[]]>([
    [
      'the restart policy Always',
      { template: { spec: { ...template.spec, restartPolicy: 'Always' } } },
      ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    ],
    [
      'a negative backoffLimit',
      { backoffLimit: -1 },
      ['spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      'backoffLimitPerIndex but no indexes',
      { backoffLimitPerIndex: 1 },
      ['spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode'],
    ],
    [
      'indexes but no completions',
      { completionMode: 'Indexed', parallelism: 1 },
      ['spec.completions: Required value: when completion mode is Indexed'],
    ],
    [
      'a managedBy without a domain',
      { managedBy: 'me' },
      ['spec.managedBy: Invalid value: "me": must be a domain-prefixed path (such as "acme.io/foo")'],
    ],
    [
      'a failure rule without a condition',
      rule({ action: 'FailJob' }),
      [`${R}: Invalid value: specifying one of OnExitCodes and OnPodConditions is required`],
    ],
    [
      'unordered exit codes in a failure rule',
      rule({ action: 'Ignore', onExitCodes: { operator: 'In', values: [2, 0, 2] } }),
      [
        `${R}.onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator`,
        `${R}.onExitCodes.values[2]: Duplicate value: 2`,
        `${R}.onExitCodes.values: Invalid value: [2,0,2]: must be ordered`,
      ],
    ],
    [
      'a failure policy and the replacement policy TerminatingOrFailed',
      {
        ...rule({ action: 'Count', onExitCodes: { operator: 'In', values: [1] } }),
        podReplacementPolicy: 'TerminatingOrFailed',
      },
      ['spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"'],
    ],
    [
      'success indexes beyond its completions',
      { ...indexed, successPolicy: { rules: [{ succeededIndexes: '0-5' }] } },
      [
        'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "0-5": error parsing succeededIndexes: too large index: "5"',
      ],
    ],
    [
      'a success count above the number of success indexes',
      { ...indexed, successPolicy: { rules: [{ succeededIndexes: '0-1', succeededCount: 3 }] } },
      [
        'spec.successPolicy.rules[0].succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)',
      ],
    ],
  ])('rejects a job with %s', (_, spec, expected) => {
    expect(jobErrors(spec)).toEqual(expected);
  });

  const set = (fields: Partial<JobSpec>) => (job: Job) => void Object.assign(job.spec, fields);
  test.each<[string, JsonObject, (job: Job) => void, string[]]>([
    ['may suspend it', {}, set({ suspend: true }), []],
    [
      'may not change completions',
      {},
      set({ completions: 2 }),
      ['spec.completions: Invalid value: 2: field is immutable'],
    ],
    ['may scale completions of an indexed job with parallelism', indexed, set({ completions: 4, parallelism: 4 }), []],
    [
      'may not scale completions of an indexed job alone',
      indexed,
      set({ completions: 4 }),
      ['spec.completions: Invalid value: 4: can only be modified in tandem with spec.parallelism'],
    ],
    [
      'may change the node selector while suspended',
      { suspend: true },
      (job) => void (job.spec.template.spec.nodeSelector = { z: '1' }),
      [],
    ],
  ])('an update of a job %s', (_, from, change, expected) => {
    expect(update(from, change)).toEqual(expected);
  });

  test('rejects a changed template unless the job is suspended', () => {
    const [error = ''] = update({}, (job) => void (job.spec.template.spec.nodeSelector = { z: '1' }));
    expect(error).toMatch(/^spec\.template: Invalid value: .*: field is immutable$/);
  });
});

describe('the status of a job', () => {
  const condition = (...types: string[]) => types.map((type) => ({ type, status: 'True' }));
  const done = {
    conditions: condition('SuccessCriteriaMet', 'Complete'),
    startTime: '2030-01-01T00:00:00Z',
    completionTime: '2030-01-01T00:01:00Z',
    succeeded: 1,
  };
  const cannot = (what: string): string => `status.conditions: Invalid value: ${what}`;
  test.each<[string, JsonObject, JsonObject, string[]]>([
    ['may complete the job', {}, done, []],
    [
      'may not complete the job without SuccessCriteriaMet',
      {},
      { ...done, conditions: condition('Complete') },
      [cannot('cannot set Complete=True condition without the SuccessCriteriaMet=true condition')],
    ],
    [
      'may not set contradictory conditions',
      {},
      { ...done, conditions: condition('SuccessCriteriaMet', 'Complete', 'FailureTarget', 'Failed') },
      [
        cannot('cannot set Complete=True and Failed=true conditions'),
        cannot('cannot set Complete=True and FailureTarget=true conditions'),
        cannot('cannot set SuccessCriteriaMet=True and Failed=true conditions'),
        cannot('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions'),
      ],
    ],
    [
      'may not set a completion time before the start time',
      {},
      { ...done, completionTime: '2029-01-01T00:00:00Z' },
      ['status.completionTime: Invalid value: "2029-01-01T00:00:00Z": must be equal to or after `startTime`'],
    ],
    [
      'may not complete the job without a completion time',
      {},
      { ...done, completionTime: null },
      ['status.completionTime: Required value: completionTime is required for Complete jobs'],
    ],
    [
      'may not complete the job while pods are active',
      {},
      { ...done, active: 1 },
      ['status.active: Invalid value: 1: active>0 is invalid for finished job'],
    ],
    [
      'may not revert completion',
      done,
      { ...done, conditions: condition('SuccessCriteriaMet'), completionTime: null },
      [cannot('cannot disable the terminal Complete=True condition')],
    ],
    [
      'may not decrease the succeeded counter',
      { succeeded: 2 },
      { succeeded: 1 },
      ['status.succeeded: Invalid value: 1: cannot decrease the succeeded counter'],
    ],
    [
      'may not set indexes of a non-indexed job',
      {},
      { completedIndexes: '0' },
      [
        'status.completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed completion mode',
      ],
    ],
  ])('a status update %s', (_, from, to, expected) => {
    const withStatus = (status: JsonObject): Job =>
      typedObject(JOBS, decodeTyped({ group: 'batch', version: 'v1', kind: 'Job' }, { ...aJob(), status }).object);
    const [old, job] = [withStatus(from), withStatus(to)];
    const status = jobStrategy.subresources?.['status'];
    expect((status?.validateUpdate?.(job, old) ?? []).map(errorText)).toEqual(expected);
  });
});
