import { describe, expect, test } from 'vitest';
import { partitions } from '#adapters/aws/dynamodb/layout.ts';
import { triggerOf } from './trigger.ts';

const aRecord = (pk: string, eventName = 'INSERT') => ({
  eventID: '1',
  eventName,
  eventSource: 'aws:dynamodb',
  dynamodb: { Keys: { pk: { S: pk }, sk: { S: '0000000000000001' } }, StreamViewType: 'KEYS_ONLY' },
});
const { log, state, marks, logChunks } = partitions('main/apps/deployments');

describe('an event that triggers the stream', () => {
  test.each([
    ['a commit', [aRecord(log)], ['main/apps/deployments']],
    [
      'commits, each sequence once',
      [aRecord(log), aRecord('log/main//pods'), aRecord(log)],
      ['main/apps/deployments', 'main//pods'],
    ],
    ['what is no commit', [state, marks, logChunks('n'), 'names', 'dead'].map((pk) => aRecord(pk)), []],
    ['an entry that is dropped or touched', [aRecord(log, 'REMOVE'), aRecord(log, 'MODIFY')], []],
    ['nothing', [], []],
  ])('decodes %s', (_, records, ring) => {
    expect(triggerOf({ Records: records })).toEqual({ ring });
  });

  test('decodes a schedule as a trigger for all sequences', () => {
    expect(triggerOf({ schedule: 'hourly' })).toEqual({ ringAll: true });
  });

  test('decodes a deployment as a request for a resync', () => {
    expect(triggerOf({ resync: ['database'] })).toEqual({ resync: ['database'] });
  });

  test("decodes CloudFormation's events about users' declarations", () => {
    const deployed = {
      RequestType: 'Update',
      ResponseURL: 'https://s3.example.com/signed',
      StackId: 's',
      RequestId: 'r',
      LogicalResourceId: 'Declared',
    };
    expect(triggerOf({ ...deployed, ResourceProperties: {} })).toEqual({ deployed });
  });

  test.each([[{}], [null], ['text'], [{ Records: [{ body: 'from a queue' }] }], [{ resync: [] }]])(
    'rejects %j',
    (event) => {
      expect(() => triggerOf(event)).toThrow(TypeError);
    },
  );
});
