import { expect, test } from 'vitest';
import { configOf } from './config.ts';

const ENV = {
  DAVIT_ENDPOINT: 'https://abc.lambda-url.eu-west-1.on.aws/',
  DAVIT_QUEUE_ARN: 'arn:aws:sqs:eu-west-1:123456789012:q',
  DAVIT_QUEUE_URL: 'https://sqs.eu-west-1.amazonaws.com/123456789012/q',
  DAVIT_SCHEDULE_ROLE: 'arn:aws:iam::123456789012:role/r',
  DAVIT_SCHEDULE_GROUP: 'g',
  LAMBDA_TASK_ROOT: '/var/task',
};

test("reads the API's address and the schedules from the environment", () => {
  expect(configOf(ENV)).toEqual({
    file: '/var/task/scheduler.json',
    address: 'abc.lambda-url.eu-west-1.on.aws:443',
    queueUrl: ENV.DAVIT_QUEUE_URL,
    schedules: {
      queueArn: ENV.DAVIT_QUEUE_ARN,
      roleArn: ENV.DAVIT_SCHEDULE_ROLE,
      group: 'g',
    },
  });
  expect(configOf({ ...ENV, DAVIT_ENDPOINT: 'https://api.example.com:6443' }).address).toBe('api.example.com:6443');
});

test.each([
  ['DAVIT_ENDPOINT', 'http://api.example.com'],
  ['DAVIT_QUEUE_ARN', 'q'],
  ['DAVIT_QUEUE_URL', ''],
  ['DAVIT_SCHEDULE_ROLE', undefined],
])('%s is not %s', (name, value) => {
  expect(() => configOf({ ...ENV, [name]: value })).toThrow(new RegExp(`^${name}: `));
});
