import { describe, expect, test } from 'vitest';
import { configOf } from './config.ts';

const ENVIRONMENT = {
  DAVIT_TABLE: 'table',
  DAVIT_CLUSTER_ID: 'prod',
  DAVIT_BUS: 'bus',
  DAVIT_QUEUE_URL: 'https://sqs.eu-west-1.amazonaws.com/123456789012/requests.fifo',
};

describe("the environment of the stream's function", () => {
  test('is read with its defaults', () => {
    expect(configOf({ ...ENVIRONMENT, HOME: '/root' })).toEqual({
      table: 'table',
      clusterId: 'prod',
      bus: 'bus',
      queueUrl: ENVIRONMENT.DAVIT_QUEUE_URL,
      publish: [],
      declarations: 'reconcilers.json',
    });
  });

  test('reads the KMS key, the additional events to publish, and the path of the declarations', () => {
    const read = configOf({
      ...ENVIRONMENT,
      DAVIT_PUBLISH: 'leases,events',
      DAVIT_KMS_KEY: 'arn:aws:kms:eu-west-1:123456789012:key/k',
      LAMBDA_TASK_ROOT: '/var/task',
    });
    expect(read).toMatchObject({
      publish: ['leases', 'events'],
      kmsKey: 'arn:aws:kms:eu-west-1:123456789012:key/k',
      declarations: '/var/task/reconcilers.json',
    });
  });

  test.each([
    ['no table', { DAVIT_TABLE: undefined }, 'DAVIT_TABLE: '],
    ['no bus', { DAVIT_BUS: '' }, 'DAVIT_BUS: '],
    [
      'a queue that is not FIFO',
      { DAVIT_QUEUE_URL: 'https://sqs/1/q' },
      'DAVIT_QUEUE_URL: must be the URL of a FIFO queue',
    ],
    ['a type that cannot be asked for', { DAVIT_PUBLISH: 'pods' }, 'DAVIT_PUBLISH.0: '],
  ])('reports %s in one line', (_, over, line) => {
    const read = () => configOf({ ...ENVIRONMENT, ...over });
    expect(read).toThrow(TypeError);
    expect(read).toThrow(line);
    expect(read).not.toThrow('\n');
  });
});
